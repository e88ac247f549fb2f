#!/usr/bin/env python3
"""Requests with two slips, one in a directory and one in the name, made from any repository.

  tests/bench/two_slips.py --bin target/release/pathfinder [--each 500] REPOSITORY...

A repository is a checkout, a bare one, or a list of paths (`.txt.gz`). Its tree is laid out as empty files without git:
no history, no contents. The same files are asked for each time, with the same slips, by a hash of their paths. Prints
for each repository how many were right first, resolved, and resolved wrong.
"""
import argparse, json, pathlib, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "models/ranking"))
import trees
from slips import seeded, two_slips


def paths_of(repository):
    if repository.name.endswith(".txt.gz"):
        return trees.paths_of(repository)
    command = ["git", "-C", repository, "ls-tree", "-r", "-z", "--name-only", "HEAD"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout
    return [path for path in listed.decode(errors="surrogateescape").split("\0") if path]


def requests(paths, each):
    """Pairs of what is asked for and what is meant."""
    there, pairs = set(paths), []
    for path in sorted((path for path in paths if path.isascii()), key=lambda path: seeded("order", path).random()):
        asked = two_slips(path, seeded("slips", path))
        if asked and asked not in there:
            pairs.append((asked, path))
        if len(pairs) == each:
            break
    return pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/pathfinder")
    parser.add_argument("--each", type=int, default=500, help="requests of each repository")
    parser.add_argument("--misses", action="store_true", help="print what is not resolved right")
    parser.add_argument("repositories", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    total = [0, 0, 0, 0]
    for repository in arguments.repositories:
        paths = paths_of(repository)
        pairs = requests(paths, arguments.each)
        with tempfile.TemporaryDirectory() as scratch:
            trees.lay_out(paths, pathlib.Path(scratch))
            lines = "".join(json.dumps({"failed_path": asked}) + "\n" for asked, _ in pairs)
            command = [arguments.bin, "resolve", "--batch", "--root", scratch]
            run = subprocess.run(command, input=lines, text=True, capture_output=True, check=True)
        counts = [len(pairs), 0, 0, 0]
        for (asked, meant), line in zip(pairs, run.stdout.splitlines(), strict=True):
            answer = json.loads(line)
            first = answer.get("path") or next((one["path"] for one in answer["candidates"]), None)
            resolved = answer["status"] == "resolved"
            counts[1] += first == meant
            counts[2] += resolved
            counts[3] += resolved and first != meant
            if arguments.misses and not (resolved and first == meant):
                print(f"  {asked} | {meant} | {answer['status']} {answer.get('confidence', 0):.2f} {first}")
        total = [sum(pair) for pair in zip(total, counts)]
        show(str(repository), counts)
    show("all", total)


def show(name, counts):
    asked, first, resolved, wrong = counts
    share = lambda number: number / max(1, asked)
    print(f"{name}: {asked} asked, right first {share(first):.3f}, resolved {share(resolved):.3f}, of these wrong {wrong / max(1, resolved):.4f}")


if __name__ == "__main__":
    main()
