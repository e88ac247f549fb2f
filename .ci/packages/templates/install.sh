#!/bin/sh
# Installs {{name}} below a prefix: its program, manual page and completions. Nothing is changed before the checksum was compared.
#   curl -fsSL {{repository}}/releases/latest/download/install.sh | sh
# PREFIX (~/.local), VERSION ({{version}}), TARGET (this machine's) and DOWNLOADS (a mirror's folder) can be set.
set -eu

name={{name}}
version=${VERSION:-{{version}}}
prefix=${PREFIX:-$HOME/.local}
downloads=${DOWNLOADS:-{{repository}}/releases/download/v$version}

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

detect() {
    case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there is no program for $(uname -m); build it from {{repository}}" ;;
    esac
    case $(uname -s) in
    Darwin) echo "$machine-apple-darwin" ;;
    Linux)
        # The program for musl is static: it runs without any library, and with a glibc older than 2.17.
        case $(getconf GNU_LIBC_VERSION 2>/dev/null || true) in
        "" | *" 2."[0-9] | *" 2."[0-9].* | *" 2.1"[0-6]*) echo "$machine-unknown-linux-musl" ;;
        *) echo "$machine-unknown-linux-gnu" ;;
        esac
        ;;
    *) fail "there is no program for $(uname -s); on Windows use install.ps1" ;;
    esac
}

get() {
    if command -v curl >/dev/null; then
        curl -fsSL --retry 2 -o "$2" "$1"
    elif command -v wget >/dev/null; then
        wget -q -O "$2" "$1"
    else
        fail "curl or wget is needed"
    fi || fail "$1 could not be downloaded"
}

checksum() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1"
    else
        fail "sha256sum or shasum is needed"
    fi | cut -d ' ' -f 1
}

main() {
    target=${TARGET:-$(detect)}
    mkdir -p "$prefix/bin" 2>/dev/null && [ -w "$prefix/bin" ] || fail "$prefix/bin cannot be written; choose another place: PREFIX=DIR"
    # In the place itself: the last step is then a rename, and a running program keeps its file.
    work=$(mktemp -d "$prefix/bin/.$name.XXXXXX") || fail "$prefix/bin cannot be written; choose another place: PREFIX=DIR"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' INT TERM HUP
    get "$downloads/$name-$target.gz" "$work/$name.gz"
    get "$downloads/$name-$target.sha256" "$work/sha256"
    expected=$(cut -d ' ' -f 1 "$work/sha256")
    gzip -dc "$work/$name.gz" >"$work/$name" 2>/dev/null || fail "$name-$target.gz is incomplete or broken; run this again"
    found=$(checksum "$work/$name")
    [ -n "$expected" ] && [ "$found" = "$expected" ] || fail "the checksum of $name-$target is $found, not $expected; nothing was installed"
    chmod 755 "$work/$name"
    "$work/$name" --version >/dev/null || fail "the program for $target does not start here, perhaps for an older C library; build it from {{repository}}"
    older=$("$prefix/bin/$name" --version 2>/dev/null || true)
    mv -f "$work/$name" "$prefix/bin/$name" || fail "$prefix/bin/$name cannot be replaced"

    place() {
        mkdir -p "$prefix/share/$1" 2>/dev/null && "$prefix/bin/$name" $3 >"$prefix/share/$1/$2" 2>/dev/null || echo "not written: $prefix/share/$1/$2" >&2
    }
    place man/man1 "$name.1" man
    place bash-completion/completions "$name" "completions bash"
    place zsh/site-functions "_$name" "completions zsh"
    place fish/vendor_completions.d "$name.fish" "completions fish"

    echo "$("$prefix/bin/$name" --version) is installed: $prefix/bin/$name${older:+ (before: $older)}"
    first=$(command -v "$name" || true)
    if [ -z "$first" ]; then
        echo "add it to the PATH: export PATH=\"$prefix/bin:\$PATH\""
    elif [ "$first" != "$prefix/bin/$name" ]; then
        echo "another one comes first on the PATH: $first ($("$first" --version 2>/dev/null || echo 'it does not start'))"
    fi
}

# At the end: half of this script does nothing.
main
