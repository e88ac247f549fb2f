#!/usr/bin/env python3
"""As `score.py broken` of the cases, but with the history that users have: `check` sees the commits up to the one of the case.

    tests/bench/broken.py --bin PATH --cases DIR --mirror DIR [--kind KIND]... [--per N] [--misses OUT] CASES.jsonl

--cases has literals/score.py. --per limits the cases of a repository, chosen by a fixed seed. Prints found, first and preferred.
OUT gets the cases that are not found.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile


def git(at, *arguments):
    subprocess.run(["git", "-C", at, *arguments], check=True, capture_output=True)


def holds(root, case):
    """Whether the line has the mended literal: links, and files that are no UTF-8, are left out."""
    file = root / case["file"]
    if file.is_symlink():
        return False
    try:
        line = file.read_bytes().decode().split("\n")[case["line"] - 1]
    except (OSError, UnicodeDecodeError, IndexError):
        return False
    return line.encode()[case["byte_col0"]:].startswith(case["new_literal"].encode())


def judge(score, binary, root, case):
    """Puts the old literal back, and returns whether it is found, and whether its first fix is right and preferred."""
    score.swap(root, case, case["new_literal"], case["old_literal"])
    try:
        command = [binary, "check", "--format", "json", "--history-ms", "60000", case["file"]]
        run = subprocess.run(command, cwd=root, text=True, capture_output=True, timeout=300)
    finally:
        score.swap(root, case, case["old_literal"], case["new_literal"])
    start = case["byte_col0"] + 1
    end = start + len(case["old_literal"].encode())
    rows = [json.loads(line) for line in run.stdout.splitlines() if line.strip()]
    here = [
        row
        for row in rows
        if row.get("line") == case["line"]
        and row["column"] < end
        and row["column"] + len(row["literal"].encode()) > start
    ]
    first = next((fix for row in here for fix in row.get("fixes", [])), None)
    target = case["expected_target"].rstrip("/")
    is_right = bool(first) and (first["literal"] == case["new_literal"] or (first.get("path") or "").rstrip("/") == target)
    return bool(here), is_right, bool(first and first["preferred"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.abspath)
    parser.add_argument("--cases", required=True, type=pathlib.Path)
    parser.add_argument("--mirror", required=True, type=pathlib.Path)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--per", type=int)
    parser.add_argument("--misses", type=pathlib.Path)
    parser.add_argument("file")
    options = parser.parse_args()
    sys.path.insert(0, str(options.cases / "literals"))
    import score

    by_repository = collections.defaultdict(list)
    for line in open(options.file):
        case = json.loads(line)
        if not options.kind or case["kind"] in options.kind:
            by_repository[case["repo"]].append(case)
    total, missed = [], []
    for repository, cases in sorted(by_repository.items()):
        bare = score.bare(options.mirror, repository)
        if not bare:
            continue
        random.Random(7).shuffle(cases)
        rows, at = [], None
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place).resolve()
            os.environ["PATHFINDER_CACHE_DIR"] = str(place / "cache")
            history, root = place / "history", place / "tree"
            subprocess.run(["git", "clone", "-q", "--shared", "--bare", str(bare), str(history)], check=True)
            for case in sorted(cases[: options.per], key=lambda case: case["commit"]):
                if at != case["commit"]:
                    if at:
                        os.rename(root / ".git", history)
                    at = case["commit"]
                    score.check_out(str(history), at, root)
                    shutil.rmtree(root / ".git")
                    os.rename(history, root / ".git")
                    git(root, "config", "core.bare", "false")
                    git(root, "update-ref", "--no-deref", "HEAD", at)
                    git(root, "read-tree", at)
                if not holds(root, case):
                    continue
                rows.append(judge(score, options.bin, root, case))
                if not rows[-1][0]:
                    missed.append(case)
        total += rows
        if rows:
            print(repository, len(rows), *(f"{sum(column) / len(rows):.3f}" for column in zip(*rows)), flush=True)
    if options.misses:
        options.misses.write_text("".join(json.dumps(case) + "\n" for case in missed))
    print("ALL", len(total), *(f"{sum(column) / max(1, len(total)):.3f}" for column in zip(*total)))


main()
