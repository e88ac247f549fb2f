#!/usr/bin/env python3
"""What it is worth to know which files git changed lately: bare names at many commits of real repositories.

  tests/bench/recent.py --bin target/release/pathfinder [--cases N] GITDIR...

Goes back through the newest commits of each repository (a bare one will do). For each file that a commit changed and
whose name at least three files have, the tree before the commit is asked for that name, once with the commit's subject
as the intent and once without any, with and without the history (`--history-ms`). Right is the file that the commit
changed; where it changed several of the name, each of them.
"""
import argparse, collections, json, os, pathlib, subprocess, tempfile


def git(where, *args):
    run = subprocess.run(["git", *args], cwd=where, capture_output=True, check=True)
    return run.stdout.decode(errors="surrogateescape")


def questions(where, commit, parent):
    names = collections.defaultdict(list)
    for path in git(where, "ls-tree", "-r", "-z", "--name-only", parent).split("\0"):
        names[path.rsplit("/", 1)[-1]].append(path)
    changed = git(where, "diff-tree", "-r", "-z", "--no-renames", "--diff-filter=M", "--name-only", parent, commit)
    changed = [path for path in changed.split("\0") if path]
    # A commit on many files has a subject that says little of any.
    if not 0 < len(changed) <= 10:
        return []
    subject = git(where, "log", "-1", "--format=%s", commit).strip()
    asked = {path.rsplit("/", 1)[-1] for path in changed}
    right = lambda name: [path for path in changed if path.rsplit("/", 1)[-1] == name]
    return [(name, subject, right(name)) for name in sorted(asked) if len(names[name]) >= 3]


def ask(binary, root, history_ms, names, intent):
    lines = "".join(json.dumps({"failed_path": name, "intent_text": subject if intent else ""}) + "\n" for name, subject, _ in names)
    with tempfile.TemporaryDirectory() as cache:
        command = [binary, "resolve", "--batch", "--root", root, "--history-ms", str(history_ms), "--cache-dir", cache]
        run = subprocess.run(command, input=lines, text=True, capture_output=True, check=True, errors="surrogateescape")
    return [json.loads(line) for line in run.stdout.splitlines()]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=lambda path: os.path.abspath(path))
    ap.add_argument("--cases", type=int, default=200, help="of each repository")
    ap.add_argument("repositories", nargs="+", type=pathlib.Path)
    a = ap.parse_args()
    for repository in a.repositories:
        counts, total = collections.defaultdict(lambda: [0, 0, 0]), 0
        with tempfile.TemporaryDirectory() as scratch:
            git(scratch, "clone", "-q", "--shared", "--no-checkout", repository.resolve(), "tree")
            root = os.path.join(scratch, "tree")
            for line in git(root, "log", "--no-merges", "-n", "2000", "--format=%H %P").splitlines():
                commit, *parents = line.split()
                names = questions(root, commit, parents[0]) if len(parents) == 1 else []
                if not names:
                    continue
                git(root, "checkout", "-q", "--force", "--detach", parents[0])
                for intent in (True, False):
                    for history_ms in (0, 60000):
                        count = counts[intent, history_ms > 0]
                        for (_, _, right), answer in zip(names, ask(a.bin, root, history_ms, names, intent)):
                            first = answer.get("path") or (answer["candidates"] or [{}])[0].get("path")
                            count[0] += first in right
                            count[1] += answer["status"] == "resolved"
                            count[2] += answer["status"] == "resolved" and first not in right
                total += len(names)
                if total >= a.cases:
                    break
        print(f"{repository}: {total} names")
        for (intent, history), (first, resolved, wrong) in sorted(counts.items()):
            print(f"  intent {'yes' if intent else 'no ':3} history {'yes' if history else 'no ':3}",
                  f"first {first / total:.3f} resolved {resolved / total:.3f} of these wrong {wrong / max(1, resolved):.3f}")


if __name__ == "__main__":
    main()
