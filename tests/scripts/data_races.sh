#!/usr/bin/env bash
# Run tests/data_race.rs, or what is named instead, under ThreadSanitizer: every
# crate is compiled with it, the standard library included. A data race fails the run.
#
#     tests/scripts/data_races.sh [--debian] [ARGUMENTS OF cargo test]
#
# Needs a nightly toolchain with the sources of the standard library
# (`rustup component add rust-src --toolchain nightly`). --debian does with Debian's
# rustc-web, cargo-web and rust-web-src and any toolchain of rustup, whose linker and
# run-time part of the sanitizer are used, as Debian ships none.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=x86_64-unknown-linux-gnu
cargo=(cargo +nightly)
flags=(-Zsanitizer=thread)
if [[ ${1:-} == --debian ]]; then
    shift
    parts=$(rustc --print sysroot)/lib/rustlib/$target
    runtime=$(ls "$parts"/lib/librustc-*_rt.tsan.a)
    link="-B$parts/bin/gcc-ld -fuse-ld=lld -Wl,--undefined=__tsan_init"
    link+=" -Wl,--whole-archive,$runtime,--no-whole-archive"
    link+=" -Wl,--export-dynamic -lm -lpthread -ldl -lrt -lc"
    flags+=(-Zexternal-clangrt "-Clink-args=$link")
    cargo=(/usr/bin/cargo)
    # Debian's is a stable compiler; the sanitizer is an unstable option.
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
fi
# One flag a line, so to speak: they hold blanks.
printf -v CARGO_ENCODED_RUSTFLAGS '%s\x1f' "${flags[@]}"
export CARGO_ENCODED_RUSTFLAGS=${CARGO_ENCODED_RUSTFLAGS%$'\x1f'}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/sanitizer

[[ $# -gt 0 ]] || set -- --test data_race
"${cargo[@]}" test -Zbuild-std --target "$target" --locked "$@"
