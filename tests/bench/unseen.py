#!/usr/bin/env python3
"""Wrong paths made from checkouts that nothing was fitted to, and files that are gone.

  tests/bench/unseen.py --bin target/release/pathfinder CHECKOUT...

For each checkout 100 files are asked for by each of five mistakes: two letters swapped in the name, one directory
replaced by another of the tree, the bare name, the last two segments, the last three
where they are of one file only. 200 further files are left out of the tree and
asked for by their own paths, so that nothing is right. The tree is laid out as empty files without git: no history,
no contents. The same files each time, by a hash of their paths.

With --intent TEXT every request says so: an intent that has nothing to do with it.
"""
import argparse, collections, hashlib, json, pathlib, subprocess, tempfile

EACH, GONE = 100, 200


def order(paths, salt):
    return sorted(paths, key=lambda path: hashlib.md5((salt + path).encode(errors="surrogateescape")).digest())


def swapped(name):
    stem, dot, extension = name.partition(".")
    middle = len(stem) // 2
    return stem[: middle - 1] + stem[middle] + stem[middle - 1] + stem[middle + 1 :] + dot + extension


def mistakes(paths):
    """For each kind pairs of what is asked for and what is meant."""
    directories = sorted({part for path in paths for part in path.split("/")[:-1]})
    long = [path for path in paths if path.count("/") >= 1 and len(path.rsplit("/", 1)[-1].partition(".")[0]) >= 5]
    typo = [(f"{path.rsplit('/', 1)[0]}/{swapped(path.rsplit('/', 1)[-1])}", path) for path in order(long, "typo")]
    wrong = []
    for at, path in enumerate(order(long, "directory")):
        parts = path.split("/")
        parts[len(parts) // 2 - 1] = directories[(7 * at + 3) % len(directories)]
        wrong.append(("/".join(parts), path))
    bare = [(path.rsplit("/", 1)[-1], path) for path in order(long, "bare")]
    partial = [("/".join(path.split("/")[-2:]), path) for path in order(long, "partial") if path.count("/") >= 2]
    ends = collections.Counter("/".join(path.split("/")[-3:]) for path in paths)
    long_end = [("/".join(path.split("/")[-3:]), path) for path in order(long, "prefix") if path.count("/") >= 3]
    prefix = [pair for pair in long_end if ends[pair[0]] == 1]
    there = set(paths)
    kinds = {"prefix left out": prefix, "typo": typo, "wrong directory": wrong, "bare name": bare, "partial path": partial}
    return {kind: [pair for pair in pairs if pair[0] not in there][:EACH] for kind, pairs in kinds.items()}


def lay_out(paths, root):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    return root


def ask(binary, root, asked, intent):
    lines = "".join(json.dumps({"failed_path": path, "intent_text": intent}) + "\n" for path in asked)
    run = subprocess.run([binary, "resolve", "--batch", "--root", root], input=lines, text=True, capture_output=True,
                         check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True)
    ap.add_argument("--intent", default="")
    ap.add_argument("checkouts", nargs="+", type=pathlib.Path)
    a = ap.parse_args()
    for checkout in a.checkouts:
        listed = subprocess.run(["git", "-C", checkout, "ls-files", "-z"], capture_output=True, check=True).stdout
        paths = [path for path in listed.decode(errors="surrogateescape").split("\0") if path and path.isascii()]
        print(f"{checkout.name}: {len(paths)} files")
        with tempfile.TemporaryDirectory() as scratch:
            root = lay_out(paths, pathlib.Path(scratch) / "whole")
            for kind, pairs in mistakes(paths).items():
                answers = ask(a.bin, root, [asked for asked, _ in pairs], a.intent)
                tops = [answer.get("path") or (answer["candidates"] or [{}])[0].get("path") for answer in answers]
                first = sum(top == meant for top, (_, meant) in zip(tops, pairs))
                given = [answer["path"] == meant for answer, (_, meant) in zip(answers, pairs) if answer["status"] == "resolved"]
                print(f"  {kind:16} {len(pairs):3} asked, {first} right first, {sum(given)} resolved right, {len(given) - sum(given)} wrong")
            gone = order(paths, "gone")[:GONE]
            root = lay_out([path for path in paths if path not in set(gone)], pathlib.Path(scratch) / "gone")
            answers = ask(a.bin, root, gone, a.intent)
            print(f"  {'gone':16} {len(gone):3} asked, {sum(answer['status'] == 'resolved' for answer in answers)} resolved")


if __name__ == "__main__":
    main()
