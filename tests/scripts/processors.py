#!/usr/bin/env python3
"""Run release binaries on processors that this machine does not have.

Needs qemu-user (qemu-x86_64, qemu-aarch64). On each processor below the engine
must choose the named instructions, and `bench` must print the same node count as
the first binary does here; an instruction that a processor lacks ends the run.
qemu emulates no AVX-512: a processor with it cannot be tried this way.

    processors.py target/x86_64-unknown-linux-musl/release/chuhe \\
        target/aarch64-unknown-linux-musl/release/chuhe
"""

import argparse
import re
import subprocess
import sys

# Processor by qemu's name, and what the network should be computed with.
PROCESSORS = {
    "x86_64": [
        ("core2duo", "scalar"),  # SSSE3, no POPCNT
        ("Nehalem", "scalar"),  # SSE4.2 and POPCNT, no AVX
        ("SandyBridge", "scalar"),  # AVX alone
        ("Haswell", "avx2"),
        ("EPYC", "avx2"),
    ],
    "aarch64": [("cortex-a53", "neon"), ("max", "neon")],
}
MACHINES = {62: "x86_64", 183: "aarch64"}


def architecture(path):
    """The processor that an ELF file is for."""
    with open(path, "rb") as file:
        header = file.read(20)
    if header[:4] != b"\x7fELF":
        sys.exit(f"{path} is no Linux binary")
    number = int.from_bytes(header[18:20], "little")
    if number not in MACHINES:
        sys.exit(f"{path} is for a machine that this script does not know")
    return MACHINES[number]


def bench(command, depth):
    """The node count, and what went wrong."""
    run = subprocess.run(
        [*command, "bench", "--depth", str(depth)], capture_output=True, text=True
    )
    last = run.stdout.splitlines()[-1:] or [""]
    count = re.fullmatch(r"(\d+) nodes \d+ nps", last[0])
    if run.returncode or not count:
        return None, f"status {run.returncode}, {run.stderr.strip()}"
    return int(count[1]), ""


def chosen(command):
    """The fastest instructions that the engine found, by the list it complains with."""
    run = subprocess.run(
        [*command, "bench", "--level", "?"], capture_output=True, text=True
    )
    names = re.search(r"it has (.*)", run.stderr)
    return names[1].split(", ")[-1] if names else run.stderr.strip()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("binaries", nargs="+", metavar="BINARY")
    parser.add_argument("--depth", type=int, default=13, help="of the bench [13]")
    options = parser.parse_args()
    expected, fault = bench([options.binaries[0]], options.depth)
    if expected is None:
        sys.exit(f"{options.binaries[0]} does not run here: {fault}")
    print(f"here: {chosen([options.binaries[0]])}, {expected} nodes", flush=True)
    failed = False
    for binary in options.binaries:
        arch = architecture(binary)
        for name, backend in PROCESSORS[arch]:
            command = [f"qemu-{arch}", "-cpu", name, binary]
            nodes, fault = bench(command, options.depth)
            found = chosen(command)
            good = nodes == expected and found == backend
            failed |= not good
            verdict = "ok" if good else f"FAILED, expected {backend} {fault}"
            print(f"{arch} {name}: {found}, {nodes} nodes: {verdict}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
