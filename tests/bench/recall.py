#!/usr/bin/env python3
"""How often each candidate generator proposes the path that was meant, and which one could be missed.

A generator that nothing depends on costs time and adds wrong candidates; one that alone finds a kind of mistake must
stay. So for every category of cases this prints, of the cases whose expected path exists:

  n        cases
  recall   share of them whose expected path this generator proposed (`all`: any of them)
  without  share that is left when this generator is left out
  only     cases in which no other one proposed it

Candidates are counted after the pool was cut to its limit, so `all` is what the ranking can still find.

A case is one JSON object per line with `failed_path`, `op`, `intent_text`, `root_hint`, `from_file`, `history` as in a
request, and
  category  where it belongs in the tables
  tree      name of trees/<tree>.txt.gz beside the case file: every path of a repository, one per line
  expected  the paths that are right; [] where nothing was meant (such cases are left out)

Usage: recall.py --bin PATH [--group category|set] [--scratch DIR] CASES.jsonl...
"""
import argparse
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 200
REQUEST = ("id", "failed_path", "op", "intent_text", "root_hint", "from_file", "history")


def lay_out(tree, source, scratch):
    """The tree as empty files; a tree that is there already is used again."""
    root = scratch / tree
    done = scratch / (tree + ".done")
    if done.exists():
        return root
    with gzip.open(source, "rt", encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            path = root / line.rstrip("\n")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    done.touch()
    return root


def ask(binary, root, cases):
    """One answer per case, with all candidates and their generators."""
    requests = ({key: case[key] for key in REQUEST if case.get(key)} for case in cases)
    lines = "".join(json.dumps(request | {"limit": LIMIT, "explain": True}) + "\n" for request in requests)
    command = [binary, "resolve", "--batch", "--root", str(root)]
    run = subprocess.run(command, input=lines, text=True, capture_output=True, check=False)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(cases):
        sys.exit(f"{root.name}: {len(cases)} requests, {len(answers)} answers\n{run.stderr[-2000:]}")
    return answers


def proposed_by(case, answer):
    """Names of the generators that proposed an expected path; `disk` where it is there as asked."""
    expected = set(case["expected"])
    if answer["status"] == "exists" and answer["path"] in expected:
        return {"disk"}
    if answer["status"] == "error":
        sys.exit(f"{case['failed_path']}: {answer['message']}")
    return {name for it in answer["candidates"] if it["path"] in expected for name in it["generators"]}


def table(groups):
    width = max(map(len, groups)) + 2
    print(f"{'':{width}}{'generator':12}{'n':>6}{'recall':>9}{'without':>9}{'only':>6}")
    for group, found in groups.items():
        names = sorted(set().union(*found))
        n = len(found)
        line = lambda name, recall, rest: print(f"{group:{width}}{name:12}{n:6}{recall / n:9.4f}{rest}")
        every = sum(map(bool, found))
        line("all", every, "")
        for name in names:
            only = sum(by == {name} for by in found)
            line(name, sum(name in by for by in found), f"{(every - only) / n:9.4f}{only:6}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--group", default="category", choices=["category", "set"])
    parser.add_argument("--scratch", type=pathlib.Path, help="where trees are laid out, and kept for the next run")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        scratch = args.scratch or pathlib.Path(temporary)
        scratch.mkdir(parents=True, exist_ok=True)
        groups = collections.defaultdict(list)
        for file in args.files:
            by_tree = collections.defaultdict(list)
            with open(file, encoding="utf-8") as lines:
                for case in filter(lambda case: case["expected"], map(json.loads, lines)):
                    by_tree[case["tree"]].append(case)
            for tree, cases in sorted(by_tree.items()):
                root = lay_out(tree, file.parent / "trees" / (tree + ".txt.gz"), scratch)
                for case, answer in zip(cases, ask(args.bin, root, cases)):
                    group = file.stem if args.group == "set" else f"{file.stem}: {case['category']}"
                    groups[group].append(proposed_by(case, answer))
        table(groups)


if __name__ == "__main__":
    main()
