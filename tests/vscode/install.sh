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

# The browser is packed; its own way of unpacking it puts it into a directory that others can write to.
mkdir "$part/chromium"
node -e '
    const { brotliDecompressSync } = require("node:zlib"), { readFileSync, writeFileSync } = require("node:fs");
    const [from, to] = process.argv.slice(1);
    for (const name of ["chromium", "al2023.tar", "swiftshader.tar", "fonts.tar"])
        writeFileSync(`${to}/${name}`, brotliDecompressSync(readFileSync(`${from}/${name}.br`)), { mode: 0o755 });
' "$part/node_modules/@sparticuz/chromium/bin" "$part/chromium" || die "the browser could not be unpacked"
for archive in al2023 swiftshader fonts; do
    tar -x -C "$part/chromium" -f "$part/chromium/$archive.tar" --no-same-owner && rm "$part/chromium/$archive.tar"
done
printf '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>%s</dir><dir>/usr/share/fonts</dir></fontconfig>\n' \
    "$folder/chromium/fonts" >"$part/chromium/fonts.conf"
touch "$part/installed"
mv -T "$part" "$folder"
