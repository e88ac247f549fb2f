#!/usr/bin/env bash
# Unpacks the browser of the npm package @sparticuz/chromium: chromium.sh FOLDER [PLACE]
# FOLDER has the package in node_modules and gets `chromium`; PLACE is where FOLDER is to lie in the end. It needs no library of the system.
set -euo pipefail

folder=$1
[ ! -e "$folder/chromium/fonts.conf" ] || exit 0
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || { echo "the browser is for x86_64 Linux only" >&2; exit 1; }
part=$folder/chromium.part
rm -rf "$part" "$folder/chromium"
mkdir "$part"
# Its own way of unpacking puts it into a directory that others can write to.
node -e '
    const { brotliDecompressSync } = require("node:zlib"), { readFileSync, writeFileSync } = require("node:fs");
    const [from, to] = process.argv.slice(1);
    for (const name of ["chromium", "al2023.tar", "swiftshader.tar", "fonts.tar"])
        writeFileSync(`${to}/${name}`, brotliDecompressSync(readFileSync(`${from}/${name}.br`)), { mode: 0o755 });
' "$folder/node_modules/@sparticuz/chromium/bin" "$part"
for archive in al2023 swiftshader fonts; do
    tar -x -C "$part" -f "$part/$archive.tar" --no-same-owner && rm "$part/$archive.tar"
done
printf '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>%s</dir><dir>/usr/share/fonts</dir></fontconfig>\n' \
    "${2:-$folder}/chromium/fonts" >"$part/fonts.conf"
mv -T "$part" "$folder/chromium"
