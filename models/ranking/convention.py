#!/usr/bin/env python3
"""Learns which names projects have by convention, and prints the table; needs nothing but Python.

  models/ranking/convention.py TREES... > server/core/src/decide/convention.txt

TREES are folders of path lists OWNER__NAME@COMMIT.txt.gz, every path of a repository, one a line. Several states of one
repository count once. Names are folded to lower case. Counted are the repositories that have

  name            a file of this name in any directory,
  directory/name  in a directory of that name,
  /name           at the root,
  stem.*          a file of this stem with any extension.

A line is printed where at least LEAST repositories have it. The first line, `*`, is their number.
"""
import collections, gzip, pathlib, re, sys

# A stem fits more names than one, and pairs are many; what two projects have at their root is no coincidence.
LEAST = {"name": 4, "root": 2, "pair": 4, "stem": 6}
EXTENSION_MAX = 16


def split_extension(name):
    """As server/core/src/words.rs has it."""
    stem, dot, extension = name.rpartition(".")
    plausible = dot and stem and len(extension) <= EXTENSION_MAX and re.fullmatch(r"(?=.*[A-Za-z])[A-Za-z0-9_-]+", extension)
    return (stem, extension) if plausible else (name, "")


def keys_of(path):
    """The table's keys that a path counts for, each with its kind."""
    *directories, name = path.lower().split("/")
    yield "name", name
    if directories:
        yield "pair", f"{directories[-1]}/{name}"
    else:
        yield "root", f"/{name}"
    yield "stem", f"{split_extension(name)[0]}.*"


def read(folders):
    """For each repository the set of its keys."""
    repositories = collections.defaultdict(set)
    for file in sorted(file for folder in folders for file in pathlib.Path(folder).glob("*.txt.gz")):
        repository = file.name.split("@")[0].replace("__", "/")
        with gzip.open(file, "rt", encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                repositories[repository].update(keys_of(line.rstrip("\n")))
    return repositories


def is_plain(key):
    """Whether a key can stand in a table of columns."""
    return key.isascii() and not re.search(r"[\s#]", key)


def count(repositories):
    counts = collections.Counter(key for keys in repositories.values() for key in keys)
    return {key: number for (kind, key), number in counts.items() if number >= LEAST[kind] and is_plain(key)}


def main():
    repositories = read(sys.argv[1:])
    table = count(repositories)
    print("# Names that projects have by convention: numbers of repositories. Made by models/ranking/convention.py from")
    print("# " + "\n# ".join(sorted(repositories, key=str.lower)))
    print(f"* {len(repositories)}")
    for key, number in sorted(table.items(), key=lambda line: (-line[1], line[0])):
        print(f"{key} {number}")


if __name__ == "__main__":
    main()
