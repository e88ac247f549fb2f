#!/usr/bin/env python3
"""How long one query of `pathfinder find` takes, beside `fzf --filter` and nucleo on the same list, in one run.

    tests/bench/find.py [--bin target/release/pathfinder] [--harness PERF_HARNESS] [--number N] DIRECTORY...

Asks N names of files, N of them with a typo, N pairs of words of a path, and N / 10 of nonsense, of one process
(`--batch`); the times are its own (`elapsed_us`), without starting and reading. Beside it, each query after the other:

- fzf, where it is on the PATH, gets the list of paths on stdin for each query: its time is that of a process, and the row
  `no paths` says how much of it starting takes.
- nucleo, as its `serve PATHS nucleo THREADS` of the harness answers: the list is loaded, the time is its own.

Neither knows typos, declarations or contents; they are what people use. First stands what reading declarations took and
holds, with an empty cache directory.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ranking"))
from sample import nonsense, typo, words  # noqa: E402


def files_of(directory):
    """As they are indexed: what git tracks, or would."""
    command = ["git", "-C", directory, "-c", "core.quotePath=off", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout
    return sorted(file for file in listed.splitlines() if not file.startswith('"'))


def queries(files, number):
    chance = random.Random(1)
    stems = [os.path.splitext(os.path.basename(file))[0] for file in files]
    stems = [stem for stem in stems if len(stem) > 5]
    pairs = [words(os.path.splitext(file)[0]) for file in files]
    pairs = [pair for pair in pairs if len(pair) > 1]
    yield "name", [chance.choice(stems) for _ in range(number)]
    yield "typo", [typo(chance, chance.choice(stems)) for _ in range(number)]
    yield "words", [" ".join(chance.sample(chance.choice(pairs), 2)) for _ in range(number)]
    yield "nonsense", [nonsense(chance) for _ in range(max(number // 10, 1))]


def middle(times):
    ordered = sorted(times)
    return f"{statistics.median(ordered):8.2f} {ordered[int(0.99 * (len(ordered) - 1))]:9.2f}"


def ours(given, directory, asked, cache):
    lines = "".join(json.dumps({"query": query}) + "\n" for query in asked)
    command = [given.bin, "find", "--batch", "--root", directory]
    environment = {**os.environ, "PATHFINDER_CACHE_DIR": cache}
    out = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, env=environment).stdout
    return [json.loads(line).get("elapsed_us", 0) / 1000 for line in out.splitlines()]


def fzf(listed, asked):
    times = []
    for query in asked:
        start = time.perf_counter()
        subprocess.run(["fzf", "--filter", query], input=listed, capture_output=True, check=False)
        times.append(1000 * (time.perf_counter() - start))
    return times


def nucleo(given, files, asked):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", errors="replace") as paths:
        paths.write("\n".join(files) + "\n")
        paths.flush()
        command = [given.harness, "serve", paths.name, "nucleo", str(os.cpu_count())]
        out = subprocess.run(command, input="\n".join(asked) + "\n", capture_output=True, text=True, check=True).stdout
    return [json.loads(line)["elapsed_us"] / 1000 for line in out.splitlines()[1:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/pathfinder")
    parser.add_argument("--harness", help="a program that serves nucleo, as the text above says")
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("directories", nargs="+")
    given = parser.parse_args()
    for directory in given.directories:
        files = files_of(directory)
        with tempfile.TemporaryDirectory() as cache:
            command = [given.bin, "index", "--symbols", "--format", "json", "--root", directory]
            environment = {**os.environ, "PATHFINDER_CACHE_DIR": cache}
            spent = []
            for _ in range(2):
                out = subprocess.run(command, capture_output=True, check=True, env=environment).stdout
                report = json.loads(out)
                spent.append(report["symbols_ms"])
            symbols = report["roots"][0]["symbols"]
            each = symbols["bytes"] / max(symbols["files"], 1)
            load = " ".join(f"{load:.1f}" for load in os.getloadavg())
            print(f"{directory}: {len(files)} files, load {load}")
            print(f"  declarations: {symbols['symbols']} in {symbols['files']} files, {spent[0]:.0f} ms, kept {spent[1]:.0f} ms, "
                  f"{each:.0f} bytes a file")
            print(f"  {'':<20} {'p50 ms':>8} {'p99 ms':>9}")
            listed = ("\n".join(files) + "\n").encode("utf-8", "replace")
            for kind, asked in queries(files, given.number):
                few = asked[: max(given.number // 4, 1)]
                print(f"  {kind:<9}{'pathfinder':<12}{middle(ours(given, directory, asked, cache))}")
                if given.harness:
                    print(f"  {kind:<9}{'nucleo':<12}{middle(nucleo(given, files, asked))}")
                if shutil.which("fzf"):
                    print(f"  {kind:<9}{'fzf':<12}{middle(fzf(listed, few))}")
            if shutil.which("fzf"):
                print(f"  {'no paths':<9}{'fzf':<12}{middle(fzf(b'', ['x'] * 20))}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
