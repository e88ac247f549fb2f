#!/usr/bin/env python3
"""Reading a history for its renames: time and memory beside `git log -M --name-status`.

  tests/bench/oracle.py --bin target/release/pathfinder [--runs N] GITDIR...

Each repository (a bare one will do) is read in a clone without files, so that there is next to nothing to walk: with
nothing kept, from what that run kept, and without any history, which is what the process costs by itself. Peak memory is
that of the whole process.
"""
import argparse, os, pathlib, statistics, subprocess, tempfile, time

GIT = ["git", "-c", "diff.renameLimit=400", "log", "-M", "--no-merges", "--diff-filter=R", "--name-status"]


def measure(command, where):
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command}: status {status}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--runs", type=int, default=5)
    ap.add_argument("repositories", nargs="+", type=pathlib.Path)
    a = ap.parse_args()
    for repository in a.repositories:
        with tempfile.TemporaryDirectory() as scratch:
            tree = os.path.join(scratch, "tree")
            subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", repository.resolve(), tree], check=True)
            counted = lambda *args: subprocess.run(["git", "rev-list", "--count", *args, "HEAD"], cwd=tree, capture_output=True, text=True, check=True).stdout.strip()
            print(f"{repository}: {counted()} commits, {counted('--no-merges')} of them no merges")
            rows = {"read": [], "kept": [], "no history": [], "git log -M": []}
            for run in range(a.runs):
                index = [a.bin, "index", "--cache-dir", f"{scratch}/cache{run}", "--history-ms"]
                # Side by side: what else the machine does falls on all of them.
                rows["read"].append(measure([*index, "600000"], tree))
                rows["kept"].append(measure([*index, "600000"], tree))
                rows["no history"].append(measure([*index, "0"], tree))
                rows["git log -M"].append(measure(GIT, tree))
            for name, row in rows.items():
                times, memory = zip(*row)
                print(f"  {name:12} {statistics.median(times):7.3f} s ({min(times):.3f}–{max(times):.3f})  {max(memory):6.0f} MB")


if __name__ == "__main__":
    main()
