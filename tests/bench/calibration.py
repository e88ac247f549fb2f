#!/usr/bin/env python3
"""What `resolve` says of its first candidate, and how often that is right.

  tests/bench/calibration.py --bin target/release/pathfinder [--cases ../shared/cases] [CHECKOUT...]

A table for the cases of shared/cases (all sets, requests that mean nothing included), and one for requests that unseen.py makes of
each CHECKOUT, a repository that nothing was fitted to: slips, wrong directories, bare and partial names, and files that are gone.
A row is a tenth of the confidence: requests, what was said of them in the mean, and the share whose first candidate was meant.
Answers without a candidate say nothing and are not counted. What exists is left out: it is in no doubt.
"""
import argparse, collections, importlib.util, json, pathlib, subprocess, tempfile

import unseen

SETS = ("agent", "mutated", "rename", "intent", "convention")
ENOUGH = 100  # Of fewer, the share itself is uncertain by more than 0.05.
MOST = 0.05


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def said(answer, expected):
    """(confidence, whether it is right) of the first candidate; `None` without one, or if the path exists."""
    first = answer.get("path") or next((candidate["path"] for candidate in answer["candidates"]), None)
    if first is None or answer["status"] == "exists":
        return None
    return answer["confidence"], first in expected


def table(name, pairs):
    bins = collections.defaultdict(list)
    for confidence, is_right in pairs:
        bins[min(int(confidence * 10), 9)].append((confidence, is_right))
    print(f"{name}: {len(pairs)} answers with a candidate")
    for at, rows in sorted(bins.items()):
        mean, right = sum(row[0] for row in rows) / len(rows), sum(row[1] for row in rows) / len(rows)
        verdict = "" if len(rows) < ENOUGH else "ok" if abs(mean - right) <= MOST else "OFF"
        print(f"  {at / 10:.1f} {len(rows):6} said {mean:.3f} right {right:.3f} {right - mean:+.3f} {verdict}")


def of_cases(binary, directory):
    score = loaded(directory / "score.py")
    pairs = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in SETS:
            by_tree = collections.defaultdict(list)
            for line in open(directory / f"{name}.jsonl", encoding="utf-8"):
                case = json.loads(line)
                by_tree[case["tree"]].append(case)
            pairs[name] = []
            for tree, cases in sorted(by_tree.items()):
                root = score.lay_out(tree, directory / "trees" / f"{tree}.txt.gz", pathlib.Path(scratch))
                answers, _ = score.ask(binary, root, cases, 3600)
                pairs[name] += filter(None, (said(answer, case["expected"]) for case, answer in zip(cases, answers)))
    return pairs


def of_checkout(binary, checkout):
    listed = subprocess.run(["git", "-C", checkout, "ls-files", "-z"], capture_output=True, check=True).stdout
    paths = [path for path in listed.decode(errors="surrogateescape").split("\0") if path and path.isascii()]
    pairs = []
    with tempfile.TemporaryDirectory() as scratch:
        root = unseen.lay_out(paths, pathlib.Path(scratch) / "whole")
        for made in unseen.mistakes(paths).values():
            answers = unseen.ask(binary, root, [asked for asked, _ in made], "")
            pairs += [said(answer, [meant]) for answer, (_, meant) in zip(answers, made)]
        gone = unseen.order(paths, "gone")[: unseen.GONE]
        root = unseen.lay_out([path for path in paths if path not in set(gone)], pathlib.Path(scratch) / "gone")
        pairs += [said(answer, []) for answer in unseen.ask(binary, root, gone, "")]
    return [pair for pair in pairs if pair]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--cases", type=pathlib.Path, default=pathlib.Path("../shared/cases"))
    parser.add_argument("checkouts", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    pairs = of_cases(arguments.bin, arguments.cases)
    for name, rows in pairs.items():
        table(name, rows)
    cases = [row for rows in pairs.values() for row in rows]
    table("all cases", cases)
    fresh = [row for checkout in arguments.checkouts for row in of_checkout(arguments.bin, checkout)]
    if fresh:
        table("checkouts", fresh)
        table("all", cases + fresh)


if __name__ == "__main__":
    main()
