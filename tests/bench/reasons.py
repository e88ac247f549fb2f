#!/usr/bin/env python3
"""Whether what answers say of git's history is so: each "moved", "became" and "deleted" against git itself.

  tests/bench/reasons.py --bin target/release/pathfinder [--count 100] [--cache DIR] [--show 10] ROOT...

Asks for paths that commits of each ROOT took away and that are not there any more (the same ones for the same ROOT, count and
seed), and for names below directories that are gone. An answer's reason is held against `git log -M --raw`:

  moved to X in C        commit C renamed a file to X, and renames lead from the asked path to that file
  `A/` became `B/` in C  commit C renamed files from A/ to B/, and no file of A/ was kept
  `A/` partly moved to `B/` in C   commit C renamed files from A/ to B/
  deleted in C           commit C deleted the asked path, or the file that renames lead to from it

Where several files that are gone have the same contents, git's choice of the one that became a new file is arbitrary, and
another order of paths gives another one: one that is gone and one that is new are a rename here if git pairs files with these
contents, whatever other files have them as well. Empty files are not asked for.

Prints per root: asked, answers with such a reason, and how many of these are not so. Exit status 1 if any is not.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys

from batch import ask

# The id of a file without contents.
EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

MOVED = re.compile(r"moved to (?P<to>.+?) in (?P<commit>[0-9a-f]{7,})(?: \(|$)")
BECAME = re.compile(
    r"(?:`(?P<a>[^`]+)/`|the root) (?P<how>became|partly moved to) (?:`(?P<b>[^`]+)/`|the root) in (?P<commit>[0-9a-f]{7,})"
)
DELETED = re.compile(r"deleted in (?P<commit>[0-9a-f]{7,})")


def git(root, *args):
    """What a git command prints."""
    run = subprocess.run(["git", "-c", "core.quotePath=false", *args], cwd=root, capture_output=True, check=True)
    return run.stdout.decode("utf-8", "surrogateescape")


class Past:
    """What git says of all commits with one parent: renames and deletions."""

    def __init__(self, root):
        self.root = root
        self.renames, self.deletions = collections.defaultdict(list), collections.defaultdict(set)
        self.to, self.empty, self.contents = collections.defaultdict(set), set(), {}
        self.pairs = collections.defaultdict(set)
        log = ["log", "--no-merges", "-M", "-l1000", "--raw", "--no-abbrev", "-z", "--diff-filter=RD", "--format=%x01%H"]
        for part in git(root, *log).split("\x01")[1:]:
            commit, _, rest = part.partition("\0")
            fields = iter(field.lstrip("\n") for field in rest.split("\0"))
            for kind in fields:
                before = kind.startswith(":") and kind.split(" ")[2]
                if before and " R" in kind:
                    old, new = next(fields), next(fields)
                    self.renames[commit].append((old, new))
                    self.contents[commit, new] = before
                    self.pairs[commit].add((before, kind.split(" ")[3]))
                    self.to[old].add(new)
                elif before:
                    old = next(fields)
                    self.deletions[commit].add(old)
                if before:
                    self.contents[commit, old] = before
                if before == EMPTY:
                    self.empty.add(old)

    def full(self, commit):
        """The whole id of a commit."""
        return git(self.root, "rev-parse", commit + "^{commit}").strip()

    def names(self, path):
        """The path, and all that renames lead to from it."""
        found, left = {path}, [path]
        while left:
            for name in self.to[left.pop()] - found:
                found.add(name)
                left.append(name)
        return found

    def files(self, commit, directory):
        """The files below a directory (`""` or with a slash at its end) in a commit: their contents by their paths below it."""
        lines = git(self.root, "ls-tree", "-r", "-z", commit, "--", *([directory] if directory else [])).split("\0")
        start = len(directory)
        return {line.partition("\t")[2][start:]: line.split()[2] for line in lines if line}

    def is_so(self, path, why):
        """Whether a reason is what git says; `None` if it says nothing of history."""
        became, moved, deleted = BECAME.search(why), MOVED.search(why), DELETED.match(why)
        if became:
            commit = self.full(became["commit"])
            a, b = [became[it] + "/" if became[it] else "" for it in "ab"]
            some = any(
                old.startswith(a) and new.startswith(b) and old[len(a):].split("/")[-1] == new[len(b):].split("/")[-1]
                for old, new in self.renames[commit]
            )
            before = self.files(commit + "^", a)
            if not some:
                after = self.files(commit, b)
                some = any((before[it], after[it]) in self.pairs[commit] for it in before.keys() & after)
            kept = set()
            if became["how"] == "became":
                kept = self.files(commit, a).keys() & before
            then = MOVED.search(why, became.end())
            return some and not kept and (not then or self.was_moved(None, then))
        if moved:
            return self.was_moved(path, moved)
        if deleted:
            return bool(self.deletions[self.full(deleted["commit"])] & self.names(path))
        return None

    def was_moved(self, path, moved):
        """Whether the commit renamed a file to that path: one that renames lead to from `path`, if that is given."""
        names = self.names(path) if path else None
        commit = self.full(moved["commit"])
        contents = {self.contents.get((commit, name)) for name in names or []} - {None}
        return any(
            new == moved["to"] and (names is None or old in names or self.contents[commit, new] in contents)
            for old, new in self.renames[commit]
        )


def questions(past, count, seed):
    """Paths that are gone: of files that moved, of files that were deleted, and of files that never existed."""
    there = set(git(past.root, "ls-files", "-z").split("\0")) | past.empty
    moved = sorted({old for renames in past.renames.values() for old, _ in renames} - there)
    deleted = sorted(set().union(*past.deletions.values()) - there)
    directories = sorted({path.rpartition("/")[0] for path in moved if "/" in path})
    unknown = [f"{it}/unknown_{at}.txt" for at, it in enumerate(directories)] + directories
    rng = random.Random(f"{seed}/{past.root.resolve().name}")
    parts = [(moved, count // 2), (deleted, count // 4), (unknown, count - count // 2 - count // 4)]
    return [path for paths, share in parts for path in rng.sample(paths, min(share, len(paths)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.abspath)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--cache", help="where histories are kept between runs")
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("roots", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    kinds = ["moved", "became", "partly", "deleted"]
    total = collections.Counter()
    print(f"{'root':24}{'asked':>7}{'reasons':>9}{'wrong':>7}" + "".join(f"{kind:>9}" for kind in kinds))
    for root in args.roots:
        past = Past(root)
        asked = questions(past, args.count, args.seed)
        counts, wrong = collections.Counter(asked=len(asked)), []
        for path, answer in zip(asked, ask(args.bin, root, [{"failed_path": path} for path in asked], args.cache, 600_000)):
            why = answer.get("why", "")
            so = past.is_so(path, why)
            if so is None:
                continue
            counts["reasons"] += 1
            counts["partly" if "partly moved" in why else "became" if "` became" in why else why.split(" ")[0]] += 1
            if not so:
                wrong.append((path, answer))
        counts["wrong"] = len(wrong)
        total += counts
        print(f"{root.name:24}" + f"{counts['asked']:7}{counts['reasons']:9}{counts['wrong']:7}"
              + "".join(f"{counts[kind]:9}" for kind in kinds))
        for path, answer in wrong[: args.show]:
            print(f"    {path} -> {answer.get('path')}: {answer['why']}")
    print(f"{'all':24}{total['asked']:7}{total['reasons']:9}{total['wrong']:7}" + "".join(f"{total[kind]:9}" for kind in kinds))
    sys.exit(1 if total["wrong"] else 0)


if __name__ == "__main__":
    main()
