#!/usr/bin/env python3
"""Literals that real commits mended since the file that they name moved, as cases for `score.py broken` of the cases.

  tests/bench/mended.py --mirror DIR --per N OWNER/NAME... > CASES.jsonl

DIR/OWNER+NAME/repo is a bare clone. Of each repository the newest N commits that rename files are taken in which a line outside of
a comment differs in nothing but a path that moved, as in `moves.py`, but in any construct. A case is such a line with the old path
put back. At most `PER_COMMIT` lines of a commit become cases, each of another file or another literal.
"""
import argparse, json, os, pathlib, re

import moves

PER_COMMIT = 6  # one move of a directory would be most of the cases
MAX_LINE = 2000  # characters; people write no such lines


def case_of(name, commit, path, at, old, new, renames, files):
    """The case of a line that differs in one moved path; `None` if it differs in more, or names no path."""
    start = len(os.path.commonprefix([old, new]))
    end = len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]]))
    a, b = moves.token(old, start, len(old) - end)
    c, d = moves.token(new, start, len(new) - end)
    was, now = old[a:b], new[c:d]
    # Longer lines are written by programs, and `</Name>` closes an element.
    if len(new) > MAX_LINE or was.startswith("/") and old[:a].endswith("<"):
        return None
    if not was or not now or old[:a] != new[:c] or old[b:] != new[d:] or moves.COMMENT.match(new) or was.startswith("//"):
        return None
    is_import = moves.IMPORT.search(new)
    if "/" not in was + now and not (is_import and re.search(r"[./]", was + now)):
        return None
    # A name that JavaScript imports is that of a file by chance only.
    if moves.SYMBOLS.match(old) and a < old.rindex("}"):
        return None
    pair = next(((x, y) for x, y in renames if moves.names(was.strip("./"), x) and moves.names(now.strip("./"), y)), None)
    # A copy, or a literal that leads to a file of the old name in its new place as well.
    if not pair or pair[0] in files or moves.place(files, path, was):
        return None
    base = os.path.basename(pair[1].rstrip("/"))
    return {
        "id": f"{name}:{commit[:9]}:{path}:{at + 1}", "repo": name, "commit": commit, "file": path, "line": at + 1, "col": a + 1,
        "byte_col0": len(old[:a].encode()), "old_literal": was, "new_literal": now, "kind": os.path.splitext(path)[1] or os.path.basename(path),
        "expected_target": pair[1], "old_target": pair[0], "context": "code", "whole_value": True, "line_otherwise_unchanged": True, "detectable": True,
        "target_basename_kept": os.path.basename(pair[0].rstrip("/")) == base,
        "target_same_basename_in_tree": sum(os.path.basename(file) == base for file in files),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirror", required=True, type=pathlib.Path)
    parser.add_argument("--per", type=int, default=5)
    parser.add_argument("--most", type=int, default=400, help="commits with renames that are looked at, the newest first")
    parser.add_argument("repos", nargs="+")
    options = parser.parse_args()
    for name in options.repos:
        repo = options.mirror / name.replace("/", "+") / "repo"
        log = moves.git(repo, "log", "--no-merges", "--format=%H", "--diff-filter=R", "-M90%", "-n", str(options.most), check=False)
        taken = 0
        for commit in log.split():
            if taken >= options.per:
                break
            if not moves.git(repo, "rev-parse", "--verify", "-q", commit + "^", check=False).strip():
                continue
            renames = moves.moves(repo, commit)
            if not 0 < len(renames) <= moves.MAX_RENAMES or any(moves.VENDORED.search(path) for pair in renames for path in pair):
                continue
            places, files = moves.with_directories(repo, commit, renames), moves.tree_of(repo, commit)
            found, seen = [], set()
            changed = moves.git(repo, "diff-tree", "-r", "-M", "--diff-filter=MR", "--name-status", commit + "^", commit)
            for row in changed.splitlines()[: moves.MAX_EDITS]:
                old_path, path = row.split("\t")[1], row.split("\t")[-1]
                before, after = moves.lines_of(repo, commit + "^", old_path), moves.lines_of(repo, commit, path)
                for at, text in moves.edits(before, after).items():
                    # `edits` numbers the lines of the parent; those before it in the commit may be more or fewer.
                    places_of = [i for i, line in enumerate(after) if line == text]
                    case = case_of(name, commit, path, places_of[0], before[at], text, places, files) if len(places_of) == 1 else None
                    if case and (case["old_literal"], case["kind"]) not in seen:
                        seen.add((case["old_literal"], case["kind"]))
                        found.append(case)
            for case in found[:PER_COMMIT]:
                print(json.dumps(case), flush=True)
            taken += bool(found)


if __name__ == "__main__":
    main()
