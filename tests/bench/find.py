#!/usr/bin/env python3
"""How long one query of `pathfinder find` takes, beside `fzf --filter` on the same list, in one run.

    tests/bench/find.py [--bin target/release/pathfinder] [--number N] DIRECTORY...

Asks N names of files, N of them with a typo, and N pairs of words of a path, of one process (`--batch`); the times are
its own (`elapsed_us`), without starting and reading. fzf, where it is on the PATH, gets the list of paths on stdin for
each query: its time is that of a process, of which it says how long an empty one takes. fzf knows no typos and no
declarations; it is what people use.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ranking"))
from sample import typo, words  # noqa: E402


def files_of(directory):
    for at, directories, names in os.walk(directory):
        directories[:] = sorted(name for name in directories if name != ".git")
        for name in sorted(names):
            yield os.path.relpath(os.path.join(at, name), directory)


def queries(files, number):
    chance = random.Random(1)
    stems = [os.path.splitext(os.path.basename(file))[0] for file in files]
    stems = [stem for stem in stems if len(stem) > 5]
    pairs = [words(os.path.splitext(file)[0]) for file in files]
    pairs = [pair for pair in pairs if len(pair) > 1]
    yield "name", [chance.choice(stems) for _ in range(number)]
    yield "typo", [typo(chance, chance.choice(stems)) for _ in range(number)]
    yield "words", [" ".join(chance.sample(chance.choice(pairs), 2)) for _ in range(number)]


def middle(times):
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered):8.2f} ms   p99 {ordered[int(0.99 * (len(ordered) - 1))]:8.2f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/pathfinder")
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("directories", nargs="+")
    given = parser.parse_args()
    print("load", *(f"{load:.1f}" for load in os.getloadavg()))
    for directory in given.directories:
        files = list(files_of(directory))
        print(f"{directory}: {len(files)} files")
        for kind, asked in queries(files, given.number):
            lines = "".join(json.dumps({"query": query}) + "\n" for query in asked)
            command = [given.bin, "find", "--batch", "--root", directory]
            out = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
            times = [json.loads(line).get("elapsed_us", 0) / 1000 for line in out.splitlines()]
            print(f"  {kind:<6} pathfinder  {middle(times)}")
            if shutil.which("fzf"):
                listed = "\n".join(files)
                times = []
                for query in asked[: given.number // 4]:
                    start = time.perf_counter()
                    subprocess.run(["fzf", "--filter", query], input=listed, capture_output=True, text=True, check=False)
                    times.append(1000 * (time.perf_counter() - start))
                print(f"  {kind:<6} fzf         {middle(times)}")


if __name__ == "__main__":
    main()
