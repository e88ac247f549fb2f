#!/usr/bin/env bash
# Programs of a Debian suite and all that they need, unpacked into a folder: debian.sh SUITE FOLDER PACKAGE...
# Nothing of this machine is changed, and of its libraries nothing is used: `run` starts the programs with those of the folder.
# The folder is there as a whole or not at all.
set -euo pipefail

suite=$1
folder=$2
shift 2
[ ! -e "$folder/versions" ] || exit 0

die() { echo "tests/clients: $*" >&2; exit 1; }
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || die "editors are installed on x86_64 Linux only; this is $(uname -s) on $(uname -m)"
for tool in apt-get dpkg-deb flock; do
    command -v "$tool" >/dev/null || die "$tool is needed: editors come from Debian's archive, and are installed on Debian only"
done
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$key" ] || die "$key is needed: apt-get install debian-archive-keyring"

# Lists and packages are shared by all folders of a suite, and fetched by one at a time.
apt=$(dirname "$folder")/apt-$suite
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/none"
exec 9>"$apt/lock"
flock 9
[ ! -e "$folder/versions" ] || exit 0
part=$folder.part
trap 'rm -rf "$part"' EXIT
rm -rf "$part" "$folder"
mkdir "$part"

: >"$apt/status" # of a machine that has nothing, so that the C library comes too
echo "deb [signed-by=$key] http://deb.debian.org/debian $suite main" >"$apt/sources.list"
quietly=(
    -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/none"
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts="$apt/none"
    -o Dir::State="$apt" -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache"
    -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o APT::Install-Recommends=false -o APT::Sandbox::User=
    -o Acquire::Languages=none -o Acquire::Retries=3 -o Acquire::PDiffs=false -o Debug::NoLocking=true
)
apt-get "${quietly[@]}" update || die "the lists of Debian $suite could not be fetched"
apt-get "${quietly[@]}" --download-only --yes install "$@" || die "$* of Debian $suite could not be fetched"
# What was fetched for another folder may be in the cache as well: the plan says what belongs to this one.
apt-get "${quietly[@]}" --simulate install "$@" | sed -nE 's/^Inst ([^ ]+) \(([^ ]+) .*\[([a-z0-9]+)\].*/\1 \2 \3/p' >"$part/plan"
[ -s "$part/plan" ] || die "apt-get has no plan for $*"
while read -r package version architecture; do
    deb=$apt/cache/archives/${package}_${version//:/%3a}_$architecture.deb
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$part" --no-same-owner \
        --exclude=./usr/share/doc/* --exclude=./usr/share/man/* --exclude=./usr/share/locale/* --exclude=./usr/share/info/*
done <"$part/plan"
# Suites that were not merged yet have libraries at two places.
if [ -d "$part/lib" ] && [ ! -L "$part/lib" ]; then
    cp -a "$part/lib/." "$part/usr/lib/"
    rm -rf "$part/lib"
fi
libraries=$part/usr/lib/x86_64-linux-gnu
[ -e "$libraries/ld-linux-x86-64.so.2" ] || die "no loader in $libraries"
mv "$part/plan" "$part/versions"
mv -T "$part" "$folder"
rm -f "$apt"/cache/archives/*.deb "$apt"/cache/*.bin
