#!/usr/bin/env python3
"""Asks all requests that confidence is fitted to, and writes one row of signals for each; needs nothing but Python.

  models/ranking/collect.py --bin target/release/pathfinder --cases DIR [--more DIR]... --out ROWS.jsonl.gz

DIR of --cases has agent, mutated, rename, intent and convention.jsonl, and the trees that they speak of (trees/). A case is
one JSON object per line with `tree`, `repo`, `failed_path`, `op`, `intent_text`, `history`, and `expected` (accepted answers;
[] = nothing is right). --more are folders of further path lists OWNER__NAME@COMMIT.txt.gz. Beside the cases, requests are
made by rule from all trees (generate.py). Each is asked through `resolve --batch --explain`, without a model.

How conventional a name is, is written as a table learned without the repository that is asked, and without the one that the
name is from, would say it.
"""
import argparse, collections, gzip, json, math, os, pathlib, shutil, subprocess, sys, tempfile

import convention
import generate
from trees import lay_out, paths_of

SETS = "agent mutated rename intent convention".split()
# Trees with more files take long to lay out, and say little that smaller ones do not.
FILES_MAX = 12_000
# Files of each tree of the cases that are left out and asked for by their own paths, as before there was generate.py.
LEFT_OUT = 12


def kept(name, paths, scratch):
    """The tree of this name in the scratch folder, laid out the first time."""
    root, done = scratch / name, scratch / (name + ".done")
    if not done.exists():
        lay_out(paths, root)
        done.touch()
    return root


def ask(binary, root, cases):
    keys = ("id", "failed_path", "op", "intent_text", "root_hint", "from_file", "history")
    lines = "".join(json.dumps({k: c[k] for k in keys if c.get(k)}) + "\n" for c in cases)
    run = subprocess.run([binary, "resolve", "--batch", "--explain", "--root", root], input=lines, text=True,
                         capture_output=True, check=True, env=os.environ | {"RESOLVE_RERANK": "off"})
    return [json.loads(line) for line in run.stdout.splitlines()]


class Prior:
    """The table of conventional names without some repositories."""

    def __init__(self, folders):
        self.repositories = convention.read(folders)
        self.counts = collections.Counter(key for keys in self.repositories.values() for key in keys)

    def share(self, kind, key, without):
        if not convention.is_plain(key):
            return 0.0
        count = self.counts[kind, key] - sum((kind, key) in self.repositories.get(repo, ()) for repo in without)
        return math.log1p(count if count >= convention.LEAST[kind] else 0) / math.log1p(len(self.repositories))

    def signals(self, asked, first, without):
        *directories, name = asked.lower().split("/")
        pair = ("pair", f"{directories[-1]}/{name}") if directories else ("root", f"/{name}")
        stem = convention.split_extension(name)[0]
        own, other = self.share("name", name, without), self.share("name", first.lower().rsplit("/", 1)[-1], without)
        return {
            "convention_name": own,
            "convention_path": self.share(*pair, without),
            "convention_stem": self.share("stem", f"{stem}.*", without),
            "convention_first": other,
            "convention_gain": max(0.0, other - own),
        }


def made(repo, paths, pool):
    """(tree's suffix, its paths, requests) by rule from one tree."""
    there = set(paths)
    plain = [dict(category=kind, failed_path=asked, expected=[meant]) for kind, asked, meant in [*generate.positives(paths), *generate.readings(paths)]
             if asked and asked not in there]
    for case in plain:
        if case["category"] == "bare directory":
            case["op"] = "list"
    plain += [dict(category=kind, failed_path=asked, expected=[], source=source)
              for kind, asked, source in generate.absent(paths, repo, pool) if asked not in there]
    yield "", paths, plain
    gone = list(generate.left_out(paths))
    taken = {path for _, _, path in gone}
    rest = [path for path in paths if path not in taken]
    there = set(rest)
    yield ".gone", rest, [dict(category=kind, failed_path=asked, expected=[]) for kind, asked, _ in gone if asked not in there]


def groups(arguments):
    """(set, layout's name, paths, requests): what is asked together."""
    trees = arguments.cases / "trees"
    files = sorted(trees.glob("*.txt.gz"))
    states = collections.defaultdict(list)
    for file in files + sorted(file for folder in arguments.more for file in folder.glob("*.txt.gz")):
        states[file.name.split("@")[0].replace("__", "/")].append((file, paths_of(file)))
    lists = {file.name.removesuffix(".txt.gz"): paths for those in states.values() for file, paths in those}
    for name in SETS:
        by_tree = collections.defaultdict(list)
        for line in open(arguments.cases / f"{name}.jsonl", encoding="utf-8"):
            case = json.loads(line)
            by_tree[case["tree"]].append(case)
        for tree, cases in sorted(by_tree.items()):
            yield name, tree, lists[tree], cases
            if name == "rename":
                yield "rename untold", tree, lists[tree], [dict(case, intent_text="") for case in cases]
    pool = generate.Pool({repo: [path for _, paths in those for path in paths] for repo, those in states.items()})
    for repo, those in sorted(states.items()):
        fit = sorted((those_paths for those_paths in those if len(those_paths[1]) <= FILES_MAX), key=lambda one: len(one[1]))
        for file, paths in {file: (file, paths) for file, paths in (fit[:1] + fit[-1:])}.values():
            tree = file.name.removesuffix(".txt.gz")
            wholes = [("", paths)] + [(f"+{number}", below) for number, (_, below) in enumerate(generate.small_trees(paths, tree))]
            for suffix, whole in wholes:
                for kind, laid, requests in made(repo, whole, pool):
                    for request in requests:
                        request |= dict(repo=repo, id=request["failed_path"])
                    name = "made small" if suffix else "made"
                    yield name, tree + suffix + kind, laid, requests


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--cases", type=pathlib.Path, required=True)
    parser.add_argument("--more", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--scratch", type=pathlib.Path, help="keep the trees here, for another time")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    prior = Prior([arguments.cases / "trees", *arguments.more])
    scratch = arguments.scratch or pathlib.Path(tempfile.mkdtemp())
    rows = 0
    with gzip.open(arguments.out, "wt", encoding="utf-8", errors="surrogateescape") as out:
        for name, tree, paths, requests in groups(arguments):
            # Nothing is left of a tree whose files are all taken out.
            if not requests or not paths:
                continue
            root = kept(tree, paths, scratch)
            for request, answer in zip(requests, ask(arguments.bin, root, requests), strict=True):
                rows += 1
                if not answer.get("signals"):
                    continue
                listed = [candidate["path"] for candidate in answer["candidates"]]
                without = [request["repo"], *filter(None, [request.get("source")])]
                # Where the program read another name out of the request, the table's own value stays.
                whole = prior.signals(request["failed_path"], listed[0], [])
                honest = prior.signals(request["failed_path"], listed[0], without)
                same = {name for name, value in whole.items() if abs(value - answer["signals"].get(name, 0)) < 2e-3}
                signals = answer["signals"] | {name: honest[name] for name in same}
                right = next((at for at, path in enumerate(listed) if path in request["expected"]), None)
                row = dict(set=name, category=request["category"], repo=request["repo"], asked=request["failed_path"],
                           absent=not request["expected"], right=right, first=listed[0], signals=signals,
                           confidence=answer["confidence"], status=answer["status"])
                out.write(json.dumps(row) + "\n")
            print(f"\r{rows} requests, {tree:60}", end="", file=sys.stderr)
    if not arguments.scratch:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
