#!/usr/bin/env python3
"""First answers of `pathfinder resolve` to bare names with an intent, in trees with their contents.

    tests/bench/intents.py --bin PATH [--bin PATH]... --mirror DIR [--scratch DIR] [--repo OWNER/NAME]... [--each N] [--history]
        CASES.jsonl

A case of `intent.jsonl` has a bare name that several files share, and the subject of a commit that changed one of them. Each
is asked in the tree before that commit, laid out without history from DIR/OWNER+NAME/repo (a bare repository); a blob that is
not there is an empty file. Commits go by their subject and the expected path; cases without one are counted as `no commit`.
Repositories of the public benchmark of `path_find` are left out. `--each`: every Nth case. `--history`: the tree is a
checkout of that commit, with the commits before it and none after it.

Prints for each binary and signal: cases, share of right first answers, share of cases answered `resolved`, and the number of
these that are wrong; the same again for halves of the repositories, in the order of their names.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import tempfile
import zlib

# Their questions judge `path_find`: nothing is looked up in them.
LEFT_OUT = {"encode/httpx", "expressjs/express", "fastapi/fastapi", "libuv/libuv", "pallets/flask", "reduxjs/redux"}
FIELDS = ("id", "failed_path", "op", "intent_text", "root_hint", "from_file", "history")


def git(directory, *arguments, **options):
    return subprocess.run(["git", "-C", directory, *arguments], capture_output=True, text=True, errors="replace", **options)


def commits_before(directory, rows):
    """Returns the rows whose commit is known, each with its parent, oldest first."""
    wanted = collections.defaultdict(list)
    form = "--format=%x01%H%x00%P%x00%ct%x00%s"
    log = git(directory, "log", "--all", "--no-merges", "--name-only", "--no-renames", form).stdout
    subjects = {row["intent_text"] for row in rows}
    for entry in log.split("\x01")[1:]:
        head, _, files = entry.partition("\n")
        _, parents, seconds, subject = head.split("\x00", 3)
        if subject in subjects and parents:
            wanted[subject].append((int(seconds), parents.split()[0], set(files.split("\n"))))
    found = []
    for row in rows:
        for seconds, parent, files in reversed(wanted[row["intent_text"]]):
            is_there = lambda path: git(directory, "cat-file", "-e", f"{parent}:{path}").returncode == 0  # noqa: E731
            if set(row["expected"]) & files and is_there(row["expected"][0]):
                found.append((seconds, parent, row))
                break
    return sorted(found, key=lambda one: one[:2])


def with_all_blobs(directory, parents, scratch):
    """Returns a repository over `directory` in which each missing blob is empty."""
    own = os.path.join(scratch, "git")
    subprocess.run(["git", "init", "-q", "--bare", own], check=True)
    with open(os.path.join(own, "objects/info/alternates"), "w") as alternates:
        alternates.write(os.path.join(os.path.realpath(directory), "objects") + "\n")
    listed = ["rev-list", "--objects", "--missing=print", "--no-walk", "--stdin"]
    for line in git(own, *listed, input="\n".join(parents)).stdout.splitlines():
        if line.startswith("?"):
            name = line[1:].split()[0]
            os.makedirs(f"{own}/objects/{name[:2]}", exist_ok=True)
            with open(f"{own}/objects/{name[:2]}/{name[2:]}", "wb") as blob:
                blob.write(zlib.compress(b"blob 0\0"))
    return own


def judge(row, answer):
    """Returns whether the first answer is right, and whether it is `resolved`."""
    is_sure = answer.get("status") in ("exists", "resolved")
    first = [answer["path"]] if is_sure else [one["path"] for one in answer.get("candidates") or []][:1]
    return bool(first) and first[0] in row["expected"], is_sure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", action="append", required=True)
    parser.add_argument("--mirror", required=True)
    parser.add_argument("--scratch")
    parser.add_argument("--repo", action="append", default=[])
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--history", action="store_true")
    parser.add_argument("cases")
    given = parser.parse_args()
    by_repository = collections.defaultdict(list)
    with open(given.cases, encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["repo"] not in LEFT_OUT and (not given.repo or row["repo"] in given.repo):
                by_repository[row["repo"]].append(row)
    results, missed = collections.defaultdict(list), collections.Counter()
    for number, (repository, rows) in enumerate(sorted(by_repository.items())):
        directory = os.path.join(given.mirror, repository.replace("/", "+"), "repo")
        if not os.path.isdir(directory):
            missed["no repository"] += len(rows)
            continue
        known = commits_before(directory, rows)
        missed["no commit"] += len(rows) - len(known)
        with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
            own = with_all_blobs(directory, {one[1] for one in known}, scratch)
            tree, index = os.path.join(scratch, "tree"), os.path.join(scratch, "index")
            subprocess.run(["git", "init", "-q", tree], check=True)
            if given.history:
                index = os.path.join(tree, ".git/index")
                with open(os.path.join(tree, ".git/objects/info/alternates"), "w") as alternates:
                    alternates.writelines(os.path.join(os.path.realpath(one), "objects\n") for one in (own, directory))
            for _, parent, row in known[:: given.each]:
                place = ["git", "--git-dir", own, "--work-tree", tree, "read-tree", "--reset", "-u", parent]
                subprocess.run(place, env={**os.environ, "GIT_INDEX_FILE": index}, check=True, capture_output=True)
                if given.history:
                    with open(os.path.join(tree, ".git/HEAD"), "w") as head:
                        head.write(parent + "\n")
                request = json.dumps({field: row[field] for field in FIELDS if row.get(field)}) + "\n"
                for binary in given.bin:
                    home = os.path.join(scratch, "home", binary.strip("/").replace("/", "+"))
                    environment = {**os.environ, "XDG_CACHE_HOME": home, "HOME": home}
                    command = [binary, "resolve", "--batch", "--root", tree]
                    run = subprocess.run(command, input=request, capture_output=True, text=True, env=environment)
                    right, is_sure = judge(row, json.loads(run.stdout))
                    half = "even" if number % 2 == 0 else "odd"
                    for part in ("all", half):
                        results[binary, part, row["category"]].append((right, is_sure))
            shutil.rmtree(tree)
        print(repository, len(known), flush=True)
    for (binary, part, signal), answers in sorted(results.items()):
        right, sure = sum(one[0] for one in answers), sum(one[1] for one in answers)
        wrong = sum(is_sure and not is_right for is_right, is_sure in answers)
        count = len(answers)
        print(f"{binary} {part:4} {signal:20} {count:4}  first {right / count:.3f}  resolved {sure / count:.3f}  wrong {wrong}")
    print(*(f"{count} {reason}" for reason, count in missed.items()), sep=", ")


if __name__ == "__main__":
    main()
