#!/usr/bin/env python3
"""Writes the table of headers that systems and libraries have: server/languages/src/c/headers.txt.

  models/literals/headers.py --least N CONTENTS-amd64.gz CONTENTS-all.gz SOURCES.xz > server/languages/src/c/headers.txt

The inputs are Debian's own indices of one release:
  https://deb.debian.org/debian/dists/bookworm/main/Contents-{amd64,all}.gz   every file of every package
  https://deb.debian.org/debian/dists/bookworm/main/source/Sources.xz         what each source package is built with
What is kept are names that programs write between quotes without a directory: a header that lies in a directory which compilers
search (`/usr/include`, that of the architecture, those of cross compilers: Windows by mingw-w64, microcontrollers by avr-libc
and newlib), or one directory below it, which `pkg-config` adds. A package counts if at least N source packages are built with
it; those of compilers and C libraries always do. Names are in small letters, without duplicates, sorted by bytes.
"""
import argparse, collections, gzip, lzma, re

# The C libraries and the headers of other systems: programs are built with them without saying so.
ALWAYS = re.compile(r"^(libc6-dev|linux-libc-dev|libstdc\+\+-\d+-dev|libgcc-\d+-dev|mingw-w64-common|mingw-w64-.*-dev|avr-libc|libnewlib-dev|musl-dev|libbsd-dev)$")
# A directory that a compiler searches, and what lies in it, at most one directory deep.
PLACE = re.compile(r"^usr/(?:include|lib/avr/include|share/mingw-w64/include|lib/gcc/[^/]+/[^/]+/include|[^/]*-[^/]*/include)/"
                   r"(?:x86_64-linux-gnu/|newlib/|c\+\+/\d+/)?(?:[^/]+/)?([^/]+\.(?:h|hh|hpp|hxx|inc))$")


def main():
    a = argparse.ArgumentParser(); a.add_argument("--least", type=int, default=5)
    a.add_argument("contents", nargs=2); a.add_argument("sources"); a = a.parse_args()
    users = collections.Counter()
    for stanza in lzma.open(a.sources, "rt", encoding="utf-8").read().split("\n\n"):
        fields = dict(re.findall(r"^(Build-Depends(?:-Arch|-Indep)?):((?:.*\n?(?:[ \t].*\n?)*))", stanza, re.M))
        users.update({re.split(r"[\s(\[<:]", name.strip())[0] for field in fields.values() for name in re.split(r"[,|]", field)})
    names = set()
    for path in a.contents:
        for line in gzip.open(path, "rt", encoding="utf-8"):
            file, _, packages = line.rstrip().rpartition(" ")
            found = PLACE.match(file.strip())
            packages = [package.rsplit("/", 1)[-1] for package in packages.split(",")]
            if found and any(ALWAYS.match(package) or users[package] >= a.least for package in packages):
                names.add(found[1].lower())
    print("\n".join(sorted(name for name in names if re.fullmatch(r"[a-z0-9_.+-]+", name))))


main()
