#!/usr/bin/env python3
"""Puts one typo into the name of an included file, in languages that only `words` reads, and looks whether `check` reports it.

    tests/bench/slip_includes.py --bin PATH --mirror DIR [--per 12] OWNER/NAME...

DIR holds bare repositories as DIR/OWNER+NAME/repo. A file has at most one typo, chosen by a fixed seed. Prints the misses, and counts:
reported, the first fix is what was written, it is preferred, another fix is preferred.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile

ENDINGS = {"bicep", "cr", "erl", "graphql", "jl", "jsonnet", "libsonnet", "pl", "r", "rkt", "sol", "sv", "svh", "thrift", "typ", "v", "vh"}
INCLUSION = re.compile(r"^[^\"'\n]*\b(?:include|import|source|require|module|load)\b[^\"'\n]*[\"']([\w./+-]+)[\"']", re.M)
# In a shorter name one letter makes another name.
LETTERS_MIN = 5


def typo(stem, chance):
    at = chance.randrange(1, len(stem) - 1)
    return chance.choice(
        [stem[:at] + stem[at + 1 :], stem[:at] + stem[at + 1] + stem[at] + stem[at + 2 :], stem[:at] + stem[at] + stem[at:]]
    )


def mistype(file, text, chance):
    """Returns the range of an included path, the path, and the path with a typo; None if the file includes nothing that is there."""
    found = list(INCLUSION.finditer(text))
    chance.shuffle(found)
    for match in found:
        written = match.group(1)
        name = written.rsplit("/", 1)[-1]
        stem = name.split(".")[0]
        target = file.parent / written
        if len(stem) < LETTERS_MIN or not (target.is_file() or target.with_name(name + file.suffix).is_file()):
            continue
        bad = written[: len(written) - len(name)] + typo(stem, chance) + name[len(stem) :]
        if bad != written and not (file.parent / bad).exists():
            return match.span(1), written, bad
    return None


def judge(binary, root, file, slip, count):
    text = file.read_text()
    (start, end), written, bad = slip
    file.write_text(text[:start] + bad + text[end:])
    command = [binary, "check", "--format", "json", "--root", root, file]
    run = subprocess.run(command, text=True, capture_output=True, timeout=300)
    file.write_text(text)
    count["n"] += 1
    hits = [line for line in map(json.loads, run.stdout.splitlines()) if line.get("literal") == bad]
    if not hits:
        print(f"missed: {file.relative_to(root)}: {written}, written {bad}")
        return
    count["reported"] += 1
    fixes = hits[0]["fixes"]
    if fixes and fixes[0]["literal"] == written:
        count["first"] += 1
        count["preferred"] += fixes[0]["preferred"]
    elif fixes and fixes[0]["preferred"]:
        count["wrong preferred"] += 1
        print(f"wrong: {file.relative_to(root)}: {bad}, fixed to {fixes[0]['literal']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--mirror", required=True, type=pathlib.Path)
    parser.add_argument("--per", type=int, default=12)
    parser.add_argument("repositories", nargs="+")
    given = parser.parse_args()
    all_counts = collections.Counter()
    for repository in given.repositories:
        with tempfile.TemporaryDirectory() as place:
            os.environ["PATHFINDER_CACHE_DIR"] = f"{place}/cache"
            root = pathlib.Path(place).resolve() / "tree"
            bare = given.mirror / repository.replace("/", "+") / "repo"
            subprocess.run(["git", "clone", "-q", "--shared", bare, root], check=True)
            listed = subprocess.run(["git", "-C", root, "ls-files"], text=True, capture_output=True, check=True)
            files = [root / line for line in listed.stdout.splitlines() if line.rsplit(".", 1)[-1].lower() in ENDINGS]
            chance, count = random.Random(5), collections.Counter()
            chance.shuffle(files)
            for file in files:
                slip = mistype(file, file.read_text(errors="replace"), chance)
                if slip and count["n"] < given.per:
                    judge(given.bin, root, file, slip, count)
            print(repository, dict(count))
            all_counts += count
    print("all", dict(all_counts))


if __name__ == "__main__":
    main()
