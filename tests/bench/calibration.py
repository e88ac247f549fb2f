#!/usr/bin/env python3
"""What `resolve` says of its first candidate, and how often that is right.

  tests/bench/calibration.py --bin target/release/pathfinder [--cases ../shared/cases] [--rows ROWS.json] [CHECKOUT...]

A table for the cases of shared/cases (all sets, requests that mean nothing included), and one for requests that unseen.py makes of
each CHECKOUT, a repository that nothing was fitted to: slips, wrong directories, bare and partial names, and files that are gone.
A row is a tenth of the confidence: requests, what was said of them in the mean, and the share whose first candidate was meant.
Answers without a candidate say nothing and are not counted. What exists is left out: it is in no doubt. --rows keeps the answers, for
models/ranking/reported.py.
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


def ask(arguments, root, requests):
    """The answers, with their signals where these are kept: then candidates that are not shown otherwise are counted too."""
    keys = ("id", "failed_path", "op", "intent_text", "root_hint", "from_file", "history")
    lines = "".join(json.dumps({key: one[key] for key in keys if one.get(key)}) + "\n" for one in requests)
    explain = ["--explain"] if arguments.rows else []
    run = subprocess.run([arguments.bin, "resolve", "--batch", *explain, "--root", root], input=lines, text=True, capture_output=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def said(tree, answer, expected):
    """The confidence of the first candidate, and if it is right; `None` without one, or if the path exists."""
    first = answer.get("path") or next((candidate["path"] for candidate in answer["candidates"]), None)
    if first is None or answer["status"] == "exists":
        return None
    signals = answer.get("signals") or {}
    return {"tree": tree, "said": answer["confidence"], "unmapped": signals.get("unmapped", 1), "most": signals.get("most", 0), "right": first in expected}


def table(name, pairs):
    bins = collections.defaultdict(list)
    for pair in pairs:
        bins[min(int(pair["said"] * 10), 9)].append((pair["said"], pair["right"]))
    print(f"{name}: {len(pairs)} answers with a candidate")
    for at, rows in sorted(bins.items()):
        mean, right = sum(row[0] for row in rows) / len(rows), sum(row[1] for row in rows) / len(rows)
        verdict = "" if len(rows) < ENOUGH else "ok" if abs(mean - right) <= MOST else "OFF"
        print(f"  {at / 10:.1f} {len(rows):6} said {mean:.3f} right {right:.3f} {right - mean:+.3f} {verdict}")


def of_cases(arguments):
    directory = arguments.cases
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
                pairs[name] += filter(None, (said("cases", answer, case["expected"]) for case, answer in zip(cases, ask(arguments, root, cases), strict=True)))
    return pairs


def of_checkout(arguments, checkout):
    listed = subprocess.run(["git", "-C", checkout, "ls-files", "-z"], capture_output=True, check=True).stdout
    paths = [path for path in listed.decode(errors="surrogateescape").split("\0") if path and path.isascii()]
    pairs = []
    with tempfile.TemporaryDirectory() as scratch:
        root = unseen.lay_out(paths, pathlib.Path(scratch) / "whole")
        for made in unseen.mistakes(paths).values():
            answers = ask(arguments, root, [{"failed_path": asked} for asked, _ in made])
            pairs += [said(checkout.name, answer, [meant]) for answer, (_, meant) in zip(answers, made, strict=True)]
        gone = unseen.order(paths, "gone")[: unseen.GONE]
        root = unseen.lay_out([path for path in paths if path not in set(gone)], pathlib.Path(scratch) / "gone")
        pairs += [said(checkout.name, answer, []) for answer in ask(arguments, root, [{"failed_path": path} for path in gone])]
    return [pair for pair in pairs if pair]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--cases", type=pathlib.Path, default=pathlib.Path("../shared/cases"))
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("checkouts", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    pairs = of_cases(arguments)
    for name, rows in pairs.items():
        table(name, rows)
    cases = [row for rows in pairs.values() for row in rows]
    table("all cases", cases)
    fresh = [row for checkout in arguments.checkouts for row in of_checkout(arguments, checkout)]
    if fresh:
        table("checkouts", fresh)
        table("all", cases + fresh)
    if arguments.rows:
        arguments.rows.write_text(json.dumps(cases + fresh))


if __name__ == "__main__":
    main()
