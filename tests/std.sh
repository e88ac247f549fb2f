#!/usr/bin/env bash
# How to compile for another target on this machine: std.sh TARGET FOLDER prints the flags that rustc needs for it, which are none
# where the toolchain has the target or rustup can add it. Else the target's standard library is built once from Debian's
# packages of the compiler's own sources; FOLDER keeps it, by version. Nothing of this machine is changed. TARGET is wasm32-wasip2 or one of
# Linux, macOS and x86_64-pc-windows-gnu, which is linked by the program that cargo's variable names, or by zig (.ci/cross).
set -euo pipefail

target=$1
keep=$2
case $target in
wasm32-wasip2)
    crates=std,panic_abort
    packages=(wasi-libc/trixie)
    ;;
*-apple-darwin | *-unknown-linux-gnu | *-unknown-linux-musl | x86_64-pc-windows-gnu)
    crates=std,panic_abort,panic_unwind
    packages=()
    ;;
*)
    echo "tests/std.sh: it is not known how to build the standard library of $target" >&2
    exit 2
    ;;
esac

die() { echo "tests/std.sh: $*" >&2; exit 1; }
toolchain=$(rustc --print sysroot)
has() { compgen -G "$1/lib/rustlib/$target/lib/libstd-*.rlib" >/dev/null; }
release=$(rustc --version | cut -d' ' -f2)
host=$(rustc --version --verbose | sed -n 's/^host: //p')

# What was built before is not looked for elsewhere again.
sysroot=$keep/$target-$release
flags="--sysroot=$sysroot"
if [ -e "$sysroot/complete" ]; then echo "$flags"; exit 0; fi
if ! has "$toolchain" && command -v rustup >/dev/null; then
    # Where static.rust-lang.org cannot be reached this would wait for minutes.
    timeout 60 rustup target add "$target" >/dev/null 2>&1 || true
fi
if has "$toolchain"; then exit 0; fi
echo "tests/std.sh: rustup cannot add $target here: building its standard library from Debian's rust-src (once)" >&2

without="add the target where the network allows it: rustup target add $target"
for tool in apt-get apt-cache dpkg-deb flock; do
    command -v "$tool" >/dev/null || die "$target is not installed, and without Debian's $tool it cannot be built; $without"
done
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$key" ] || die "$key is needed (apt-get install debian-archive-keyring), or $without"

mkdir -p "$keep"
exec 9>"$keep/lock"
flock 9
if [ -e "$sysroot/complete" ]; then echo "$flags"; exit 0; fi
work=$keep/work
rm -rf "$work" "$sysroot"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,cache/archives/partial,none,debs,unpacked,empty/src}

: >"$work/status"
printf 'deb [signed-by=%s] http://deb.debian.org/debian %s main\n' "$key" trixie "$key" trixie-backports "$key" sid >"$work/sources.list"
quietly=(
    -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts="$work/none"
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts="$work/none"
    -o Dir::State="$work" -o Dir::State::Lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache"
    -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o APT::Sandbox::User=
    -o Acquire::Languages=none -o Acquire::Retries=3 -o Debug::NoLocking=true
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
)
apt-get "${quietly[@]}" update >&2 || die "the lists of Debian could not be fetched; $without"
# The sources must be the compiler's own: a library of another version does not compile with it.
sources=$(apt-cache "${quietly[@]}" madison rust-src | awk -F' *\\| *' -v release="$release" 'index($2, release "+") == 1 { print $2; exit }')
[ -n "$sources" ] || die "Debian has no rust-src of $release ($(apt-cache "${quietly[@]}" madison rust-src | awk -F' *\\| *' '{ printf "%s ", $2 }')); $without"
(cd "$work/debs" && apt-get "${quietly[@]}" download "rust-src=$sources" "${packages[@]}") >&2 || die "rust-src $sources could not be fetched; $without"
for deb in "$work"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/unpacked" --no-same-owner
done
library=$work/unpacked/usr/src/rustc-$release/library
libc=$work/unpacked/usr/lib/$target
[ -e "$library/Cargo.toml" ] || die "rust-src $sources has no $library"
if [ "$target" = wasm32-wasip2 ]; then
    [ -e "$libc/libc.a" ] || die "wasi-libc has no $libc/libc.a"
    export CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS="-L native=$libc"
fi

printf '[package]\nname = "empty"\nedition = "2024"\n[workspace]\n' >"$work/empty/Cargo.toml"
: >"$work/empty/src/lib.rs"
# The one step that a stable compiler does not offer: afterwards all builds are plain ones.
(cd "$work/empty" && RUSTC_BOOTSTRAP=1 __CARGO_TESTS_ONLY_SRC_ROOT=$library \
    cargo build --quiet --release --target "$target" "-Zbuild-std=$crates" --target-dir "$work/target") >&2 ||
    die "the standard library of $release could not be built for $target; $without"

part=$work/sysroot
mkdir -p "$part/lib/rustlib/$target/lib/self-contained"
ln -s "$toolchain/lib/rustlib/$host" "$part/lib/rustlib/$host"
rm -f "$work/target/$target/release/deps"/libempty*
cp "$work/target/$target/release/deps"/lib*.rlib "$part/lib/rustlib/$target/lib/"
if [ "$target" = wasm32-wasip2 ]; then
    cp "$libc"/{libc.a,crt1-command.o,crt1-reactor.o} "$part/lib/rustlib/$target/lib/self-contained/"
elif [ "$target" = x86_64-pc-windows-gnu ]; then
    # What stands at both ends of each program, so that its stack can be unwound.
    for end in rsbegin rsend; do
        RUSTC_BOOTSTRAP=1 rustc --sysroot "$part" --target "$target" --emit obj \
            -o "$part/lib/rustlib/$target/lib/$end.o" "$library/rtstartup/$end.rs" >&2
    done
fi
has "$part" || die "no libstd came out of the build for $target"
touch "$part/complete"
mv -T "$part" "$sysroot"
echo "$flags"
