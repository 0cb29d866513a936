#!/usr/bin/env python3
"""Build the files of a release: one archive for each target, and SHA256SUMS.

An archive holds the binary, what is to be read, and the licences, in one folder.
The engine needs nothing else: network and opening book are inside it. Times of
the files are those of the commit, so that the same build packs to the same bytes.

    release.py x86_64-unknown-linux-musl aarch64-unknown-linux-musl
    release.py --debian x86_64-pc-windows-gnu
    release.py --check FOLDER

Targets must be known to the toolchain (`rustup target add`). --debian builds with
Debian's rustc-web, cargo-web and rust-web-src instead, standard library included,
for a machine whose toolchain has no such target. SQLite books (.obk) need a C
compiler for the target: MinGW's gcc; musl-gcc for the processor of this machine; for
another one the compiler of the Python package ziglang (`pip install ziglang`), or
what CC_<target> names. --without-obk leaves them out. The linker for another
processor is Rust's own.
"""

import argparse
import gzip
import hashlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUMS = "SHA256SUMS"
READING = [
    "README.md",
    "README.zh.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "book/opening/README.md",
    "book/opening/chuhe.txt",
]


def output(*command):
    return subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


def zig_compiler(target, folder):
    """A wrapper that calls the C compiler of the ziglang package, if it is installed."""
    if importlib.util.find_spec("ziglang") is None:
        return None
    arch = target.split("-")[0]
    wrapper = folder / f"zigcc-{target}"
    # The crate that calls it adds Rust's name of the target, which zig does not know.
    wrapper.write_text(
        "#!/usr/bin/env python3\n"
        "import os, sys\n"
        "rest = [word for word in sys.argv[1:] if not word.startswith('--target=')]\n"
        f"command = [{sys.executable!r}, '-m', 'ziglang', 'cc', '-target', '{arch}-linux-musl']\n"
        "os.execv(command[0], command + rest)\n"
    )
    wrapper.chmod(0o755)
    return str(wrapper)


def environment(target, options, folder):
    env = dict(os.environ)
    upper = target.upper().replace("-", "_")
    if target.endswith("-linux-musl") and target.split("-")[0] != os.uname().machine:
        env.setdefault(f"CARGO_TARGET_{upper}_LINKER", "rust-lld")
    if target.endswith("-msvc"):
        # No runtime DLL beside the program.
        env.setdefault(f"CARGO_TARGET_{upper}_RUSTFLAGS", "-Ctarget-feature=+crt-static")
    if target.endswith("-windows-gnu"):
        # Without it the debugging information of the C parts makes 50 MB.
        env.setdefault("CARGO_PROFILE_RELEASE_STRIP", "symbols")
    if options.debian:
        env["RUSTC"] = "/usr/bin/rustc"
        env["RUSTC_BOOTSTRAP"] = "1"
    if not options.without_obk and "musl" in target:
        native = target.split("-")[0] == os.uname().machine
        own = shutil.which("musl-gcc") if native else None
        if compiler := own or zig_compiler(target, folder):
            env.setdefault(f"CC_{target.replace('-', '_')}", compiler)
    return env


def build(target, options, folder):
    """Builds the binary of a target and gives its path."""
    cargo = "/usr/bin/cargo" if options.debian else "cargo"
    command = [cargo, "build", "--release", "--locked", "--target", target]
    if options.debian:
        command.append("-Zbuild-std=std,panic_abort")
    if not options.without_obk:
        command += ["--features", "obk"]
    # Not the usual folder: two compilers would build everything in turn.
    place = ROOT / "target" / "release-debian" if options.debian else ROOT / "target"
    place = Path(os.environ.get("CARGO_TARGET_DIR", place))
    command += ["--target-dir", str(place)]
    subprocess.run(command, cwd=ROOT, check=True, env=environment(target, options, folder))
    suffix = ".exe" if "windows" in target else ""
    return place / target / "release" / f"chuhe{suffix}"


def contents(binary):
    """What an archive holds: name and bytes, in a fixed order."""
    yield binary.name, binary.read_bytes()
    pages = sorted((ROOT / "book/guide/src").rglob("*.md"))
    names = READING + [page.relative_to(ROOT).as_posix() for page in pages]
    for name in names:
        yield name, (ROOT / name).read_bytes()


def pack_zip(path, folder, binary, stamp):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents(binary):
            info = zipfile.ZipInfo(f"{folder}/{name}", time.gmtime(stamp)[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)


def pack_tar(path, folder, binary, stamp):
    packed = gzip.GzipFile(path, "wb", mtime=stamp)
    with packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in contents(binary):
            info = tarfile.TarInfo(f"{folder}/{name}")
            info.size, info.mtime = len(data), stamp
            info.mode = 0o755 if name == binary.name else 0o644
            archive.addfile(info, io.BytesIO(data))


def pack(target, binary, out, stamp):
    with open(ROOT / "Cargo.toml", "rb") as manifest:
        version = tomllib.load(manifest)["package"]["version"]
    folder = f"chuhe-{version}-{target}"
    windows = "windows" in target
    path = out / f"{folder}{'.zip' if windows else '.tar.gz'}"
    (pack_zip if windows else pack_tar)(path, folder, binary, stamp)
    return path


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_sums(out):
    """The sums of all archives in the folder, in the form of sha256sum."""
    names = sorted([*out.glob("*.tar.gz"), *out.glob("*.zip")])
    lines = [f"{digest(path)}  {path.name}\n" for path in names]
    (out / SUMS).write_text("".join(lines), newline="\n")


def check(folder):
    """Compares the archives with the sums, and looks for what must be in them."""
    lines = (folder / SUMS).read_text().splitlines()
    if not lines:
        sys.exit(f"{folder / SUMS} names no file")
    for line in lines:
        sum_, name = line.split("  ", 1)
        path = folder / name
        if digest(path) != sum_:
            sys.exit(f"{name} is not the file that was summed")
        if name.endswith(".zip"):
            inside = zipfile.ZipFile(path).namelist()
        else:
            with tarfile.open(path) as archive:
                inside = archive.getnames()
        top = name.removesuffix(".zip").removesuffix(".tar.gz")
        binary = "chuhe.exe" if "windows" in name else "chuhe"
        for wanted in [binary, *READING]:
            if f"{top}/{wanted}" not in inside:
                sys.exit(f"{name} lacks {wanted}")
        print(f"{name}: {len(inside)} files, {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "dist")
    parser.add_argument("--debian", action="store_true", help="use Debian's compiler")
    parser.add_argument("--without-obk", action="store_true")
    parser.add_argument("--sums", action="store_true", help="only write the sums of --out")
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="only check a folder")
    options = parser.parse_args()
    if options.check:
        return check(options.check)
    if not options.targets and not options.sums:
        parser.error("name a target")
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    stamp = int(output("git", "log", "-1", "--format=%ct"))
    for target in options.targets:
        print(pack(target, build(target, options, out.parent), out, stamp))
    write_sums(out)


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"release.py: {error}")
