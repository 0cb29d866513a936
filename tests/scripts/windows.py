#!/usr/bin/env python3
"""Try the Windows binary under Wine: is it whole, and does it play as it does here.

Needs Wine (Debian: wine, wine64) and MinGW's gcc and objdump. The checks:

    libraries    it asks for DLLs of every Windows only
    bench        the same node count as the native binary
    paths        a book and a network in a folder with a Chinese name, told in UTF-8
                 and in GBK; lines end in CR LF
    command line arguments with Chinese characters; a record converted
    game         a whole match game against the native binary
    transcripts  every dialogue of tests/data/transcripts, by tests/protocol.rs

Wine 8 has no bcryptprimitives.dll, which Rust's standard library asks for random
bytes: the script builds a stand-in beside its copy of the program. Windows has it.

    windows.py chuhe.exe target/release/chuhe
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# DLLs that every Windows since 8 has. No libgcc_s, no libwinpthread, no VCRUNTIME.
SYSTEM = re.compile(
    r"(kernel32|ntdll|advapi32|bcrypt|bcryptprimitives|userenv|user32|ws2_32|msvcrt|shell32"
    r"|ole32|api-ms-win-\S+)\.dll",
    re.IGNORECASE,
)
STAND_IN = """
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{ return RtlGenRandom(data, (ULONG)size); }
"""
WINE = next(
    (path for path in ["/usr/lib/wine/wine64", "/usr/bin/wine64"] if Path(path).exists()),
    "wine",
)


class Trial:
    """A folder with a Chinese name, and the program in it."""

    def __init__(self, exe, native, folder):
        self.native = str(Path(native).resolve())
        self.folder = folder
        self.exe = folder / "chuhe.exe"
        shutil.copy(exe, self.exe)
        source = folder / "stand-in.c"
        source.write_text(STAND_IN)
        run(
            "x86_64-w64-mingw32-gcc", "-shared", "-o", folder / "bcryptprimitives.dll",
            source, "-ladvapi32",
        )
        os.environ.update(WINEPREFIX=str(folder / "wine"), WINEDEBUG="-all", LC_ALL="C.UTF-8")
        # No question about Mono or Gecko, no entries in a desktop's menu.
        os.environ["WINEDLLOVERRIDES"] = "mscoree=;mshtml=;winemenubuilder.exe="
        self.wine("--version")  # makes Wine's own folder

    def wine(self, *arguments, said=b""):
        """Runs the program in its folder, and gives what it printed."""
        command = [WINE, self.exe.name, *arguments]
        return run(*command, said=said, folder=self.folder)

    def libraries(self):
        listing = run("x86_64-w64-mingw32-objdump", "-p", self.exe).decode()
        names = re.findall(r"DLL Name: (\S+)", listing)
        require(names, "no DLL is named")
        foreign = [name for name in names if not SYSTEM.fullmatch(name)]
        require(not foreign, f"it needs {foreign}")
        require("(Windows CUI)" in listing, "it is no program of the console")
        return ", ".join(sorted(names))

    def bench(self):
        here = run(self.native, "bench").decode().splitlines()[-1]
        there = self.wine("bench").decode().splitlines()[-1]
        require(here.split()[0] == there.split()[0], f"{there} there, {here} here")
        return f"{there}; here {here}"

    def paths(self):
        place = self.folder / "棋谱"
        place.mkdir()
        shutil.copy(ROOT / "book/opening/chuhe.dat", place / "开局.dat")
        shutil.copy(ROOT / "src/eval/nnue/net.nnue", place / "网络.nnue")
        for encoding in ["utf-8", "gbk"]:
            book, net = "棋谱\\开局.dat", "棋谱\\网络.nnue"
            said = [
                "ucci", f"setoption bookfiles {book}", f"setoption evalfile {net}",
                "position startpos", "go time 60000",
                "setoption bookfiles 棋谱\\没有.dat", "quit",
            ]
            text = "".join(line + "\r\n" for line in said).encode(encoding)
            heard = self.wine(said=text).decode()
            lines = heard.splitlines()
            require("ucciok" in lines and "bye" in lines, heard)
            require("info message book move" in lines, f"{encoding}: no book move: {heard}")
            require(heard.count("bestmove") == 1, heard)
            complaints = [line for line in lines if "cannot" in line]
            require(len(complaints) == 1, f"{encoding}: {complaints}")
            require("没有.dat" in complaints[0], f"{encoding}: {complaints}")
        return complaints[0]

    def command_line(self):
        source = "对局.pgn"
        game = run(self.native, "match", "--a", "self", "--b", "self", "--nodes", "500",
                   "--games", "2", "--pgn", self.folder / source)
        require(b"\n" in game, "the native match printed nothing")
        self.wine("convert", source, "--to", "ubb", "--out", "棋谱.txt")
        text = (self.folder / "棋谱.txt").read_bytes()
        require(b"DhtmlXQ" in text, f"not a record: {text[:80]}")
        fault = run(WINE, self.exe.name, "judge", "没有.pgn", folder=self.folder, fails=True)
        require("没有.pgn" in fault.decode(), f"another complaint: {fault}")
        return f"{len(text)} bytes written; {fault.decode().strip()}"

    def game(self):
        pgn = self.folder / "match.pgn"
        run(self.native, "match", "--a", "self", "--b", f"ucci:{WINE} {self.exe}",
            "--tc", "5+0.05", "--margin", "3000", "--start-limit", "60", "--games", "2",
            "--no-adjudication", "--pgn", pgn, folder=self.folder)
        text = pgn.read_text()
        ends = re.findall(r'\[(Result|Termination|PlyCount) "([^"]*)"\]', text)
        require(text.count("[Result ") >= 1, text)
        bad = re.search(r"crash|illegal|forfeit|disconnect|timeout", text, re.IGNORECASE)
        require(not bad, f"{bad and bad[0]}: {text}")
        return ", ".join(f"{name} {value}" for name, value in ends)

    def transcripts(self):
        # Compiled alone, it needs no build of the engine for this machine.
        test = self.folder / "protocol"
        os.environ.update(CARGO_BIN_EXE_chuhe=self.native, CARGO_MANIFEST_DIR=str(ROOT))
        run("rustc", "--edition", "2024", "--test", ROOT / "tests/protocol.rs", "-o", test)
        os.environ["CHUHE_COMMAND"] = f"{WINE} {self.exe}"
        said = run(test, "transcripts", folder=ROOT)
        return said.decode().strip().splitlines()[-1]


def require(holds, otherwise):
    if not holds:
        raise AssertionError(otherwise)


def run(*command, said=b"", folder=None, fails=False):
    """What a command printed; with `fails`, its complaint."""
    done = subprocess.run(
        [str(word) for word in command], input=said, cwd=folder, capture_output=True
    )
    if (done.returncode != 0) != fails:
        raise AssertionError(
            f"{command[0]} {command[1]}: status {done.returncode}\n"
            + (done.stdout + done.stderr).decode(errors="replace")
        )
    return done.stderr if fails else done.stdout


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("exe")
    parser.add_argument("native", help="the binary of this machine")
    parser.add_argument("--only", nargs="*", metavar="CHECK", help="not all checks")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "楚河"
        place.mkdir()
        trial = Trial(options.exe, options.native, place)
        checks = [trial.libraries, trial.bench, trial.paths, trial.command_line, trial.game,
                  trial.transcripts]
        for check in checks:
            name = check.__name__
            if options.only and name not in options.only:
                continue
            try:
                print(f"{name}: ok: {check()}", flush=True)
            except AssertionError as error:
                failed = True
                print(f"{name}: FAILED: {error}", flush=True)
        # Wine's server outlives the program and would write into the folder.
        server = shutil.which("wineserver") or "/usr/lib/wine/wineserver"
        subprocess.run([server, "--kill"], check=False)
        subprocess.run([server, "--wait"], check=False)
    sys.exit(failed)


if __name__ == "__main__":
    main()
