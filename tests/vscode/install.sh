#!/usr/bin/env bash
# A VS Code, a browser for it, and the packages that the extension is built with: install.sh FOLDER
# All of it comes from npm. The folder is there as a whole or not at all.
set -euo pipefail

folder=$1
[ ! -e "$folder/installed" ] || exit 0
here=$(cd "$(dirname "$0")" && pwd)
die() { echo "tests/vscode: $*" >&2; exit 1; }
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || die "the browser is for x86_64 Linux only; this is $(uname -s) on $(uname -m)"
for tool in npm node flock tar; do command -v "$tool" >/dev/null || die "$tool is needed"; done

mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock 9
[ ! -e "$folder/installed" ] || exit 0
part=$folder.part
trap 'rm -rf "$part"' EXIT
rm -rf "$part" "$folder"
mkdir -p "$part/extension"
quietly=(--ignore-scripts --no-audit --no-fund --loglevel=error)

cp "$here/package.json" "$here/package-lock.json" "$part"
(cd "$part" && npm ci "${quietly[@]}" >&2) || die "the packages of tests/vscode could not be had"
# What VS Code itself needs is no dependency of the package: its script would fetch it, and compile what is not needed here.
# Not `npm ci`: the list of versions that comes with it lacks one package (tslib).
(cd "$part/node_modules/code-server/lib/vscode" && npm install --omit=dev "${quietly[@]}" >&2) || die "VS Code's own packages could not be had"
cp "$here/../../vscode-extension/package.json" "$here/../../vscode-extension/package-lock.json" "$part/extension"
(cd "$part/extension" && npm ci "${quietly[@]}" >&2) || die "the packages of vscode-extension could not be had"

bash "$here/../chromium.sh" "$part" "$folder" || die "the browser could not be unpacked"
touch "$part/installed"
mv -T "$part" "$folder"
