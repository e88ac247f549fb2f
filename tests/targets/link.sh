#!/usr/bin/env bash
# Builds and links the program for each target of this machine's zig (.ci/cross): link.sh CACHE. They are CACHE/cross/TARGET/debug/pathfinder.
# One after the other, 5 to 6 CPU-minutes each the first time; afterwards only what has changed.
set -uo pipefail

cache=$1
cd "$(dirname "$0")/../.." || exit 2
# Windows is built for gnu, because Microsoft's libraries cannot be had here.
targets=(
    {x86_64,aarch64}-unknown-linux-{gnu,musl}
    {x86_64,aarch64}-apple-darwin
    x86_64-pc-windows-gnu
)
# Tables of a debugger are most of the work of linking.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0
failed=0
for target in "${targets[@]}"; do
    start=$SECONDS
    variable=CARGO_TARGET_$(tr a-z- A-Z_ <<<"$target")_RUSTFLAGS
    if flags=$(bash tests/std.sh "$target" "$cache/std") &&
        env "$variable=$flags" .ci/cross zigbuild "$target" --quiet --target-dir "$cache/cross"; then
        echo "$target: linked in $((SECONDS - start)) s"
    else
        echo "$target: not linked" >&2
        # A test must not find the program of another commit.
        rm -f "$cache/cross/$target/debug/"pathfinder{,.exe}
        failed=1
    fi
done
exit "$failed"
