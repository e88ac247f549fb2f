#!/usr/bin/env python3
"""Renames with the history: cases of `rename.jsonl`, each asked in a checkout of its tree's commit with full history.

  tests/bench/renames.py --bin target/release/pathfinder --clones DIR rename.jsonl

DIR has one clone per repository, bare or not, as OWNER+NAME or OWNER+NAME/repo; cases of others are left out. Prints, per
repository and in all: cases, right first, resolved, of these wrong, and how many answers a move that history knows gave.
"""
import argparse, collections, json, os, pathlib, shutil, subprocess, tempfile


def git(where, *args):
    return subprocess.run(["git", *map(str, args)], cwd=where, capture_output=True, check=True, text=True).stdout


def check_out(root, commit):
    """HEAD, index and the names of all files as at this commit. The contents stay empty: nothing looks at them here, and
    a clone may lack some."""
    commit = git(root, "rev-parse", commit).strip()
    for path in root.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    git(root, "update-ref", "--no-deref", "HEAD", commit)
    git(root, "read-tree", commit)
    for path in git(root, "ls-files", "-z").split("\0"):
        if path:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--clones", required=True, type=pathlib.Path)
    ap.add_argument("--misses", help="write the cases that did not come out right there")
    ap.add_argument("file", type=pathlib.Path)
    a = ap.parse_args()
    cases = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in open(a.file, encoding="utf-8"):
        case = json.loads(line)
        cases[case["repo"]][case["tree"].rsplit("@", 1)[1]].append(case)
    totals, misses = collections.Counter(), []
    for repo, trees in sorted(cases.items()):
        clone = a.clones / repo.replace("/", "+")
        clone = clone / "repo" if (clone / "repo").exists() else clone
        if not clone.exists():
            continue
        counts = collections.Counter()
        with tempfile.TemporaryDirectory() as scratch:
            git(scratch, "clone", "-q", "--shared", "--no-checkout", clone.resolve(), "tree")
            root = pathlib.Path(scratch, "tree")
            for commit, asked in sorted(trees.items()):
                check_out(root, commit)
                keys = ("id", "failed_path", "op", "intent_text")
                lines = "".join(json.dumps({k: case[k] for k in keys if case.get(k)}) + "\n" for case in asked)
                command = [a.bin, "resolve", "--batch", "--root", root, "--history-ms", "600000", "--cache-dir", f"{scratch}/cache"]
                run = subprocess.run(command, input=lines, text=True, capture_output=True, check=True)
                for case, answer in zip(asked, map(json.loads, run.stdout.splitlines())):
                    first = answer.get("path") or (answer["candidates"] or [{}])[0].get("path")
                    right, resolved = first in case["expected"], answer["status"] == "resolved"
                    counts.update(cases=1, first=right, resolved=resolved, wrong=resolved and not right,
                                  moved=answer["why"].startswith("moved to "))
                    if not (right and resolved):
                        misses.append({"case": case, "answer": answer})
        totals += counts
        print(repo, *(f"{name} {counts[name]}" for name in ("cases", "first", "resolved", "wrong", "moved")), flush=True)
    print("all", *(f"{name} {totals[name]}" for name in ("cases", "first", "resolved", "wrong", "moved")))
    if a.misses:
        pathlib.Path(a.misses).write_text("".join(json.dumps(miss) + "\n" for miss in misses))


if __name__ == "__main__":
    main()
