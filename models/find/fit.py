#!/usr/bin/env python3
"""Learns what the features of find are worth, from questions sampled of repositories.

    models/find/fit.py [--number N] [--seed N] [--hold DIRECTORY]... [--pull P] [--write] DIRECTORY...

Each question of `tests/ranking/sample.py` is asked with `--explain`; every candidate that is not the right one makes a pair
with the one that is, and the weights are moved so that the right one is ahead (logistic loss over differences of points,
gradient descent), but are held to what they were: thresholds (`LEAST`, `STRONG`) are in points, and nonsense is in no pair.
Signs stay as they are. What was learned from DIRECTORY... is judged on each `--hold`, by pairs in the right order, before and
after; `--write` puts the weights into `server/core/src/find/weights.txt`.

Repositories to learn from and to judge by have to be others than those that BENCHMARKS.md judges by.
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tests/ranking"))
import sample  # noqa: E402

TABLE = os.path.join(HERE, "../../server/core/src/find/weights.txt")
# Points in which a pair is as good as decided: what a word more or less in a name comes to.
SCALE = 4.0
# Candidates of one question that the right one is held against: candidates further behind say nothing.
RIVALS = 12
LINE = re.compile(r"^([a-z_]+)(\s+)(-?[0-9.]+)$")


def table():
    with open(TABLE, encoding="utf-8") as text:
        rows = [LINE.match(line.rstrip("\n")) for line in text]
    return {row[1]: float(row[3]) for row in rows if row}


def pairs(directory, number, seed, weights):
    """Differences of features, the right candidate less another, each with what it counts for."""
    asked = [one for one in sample.questions(directory, number, seed) if one[2]]
    lines = "".join(json.dumps({"query": query, "limit": 40, "explain": True}) + "\n" for _, query, _, _ in asked)
    command = [sample.PROGRAM, "find", "--batch", "--root", directory]
    answers = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    for (_, _, right, _), line in zip(asked, answers, strict=True):
        hits = json.loads(line).get("results", [])
        values = [{name: points / weights[name] for name, points in hit["explain"].items()} for hit in hits]
        good = [vector for hit, vector in zip(hits, values) if hit["path"] in right]
        others = [vector for hit, vector in zip(hits, values) if hit["path"] not in right][:RIVALS]
        for other in others if good else []:
            names = good[0].keys() | other.keys()
            difference = {name: good[0].get(name, 0.0) - other.get(name, 0.0) for name in names}
            yield {name: value for name, value in difference.items() if value}, 1.0 / len(others)


def margin(weights, difference):
    return sum(weights[name] * value for name, value in difference.items())


def ordered(weights, data):
    total = sum(count for _, count in data)
    return sum(count for difference, count in data if margin(weights, difference) > 0) / max(total, 1e-9)


def learned(weights, data, pull, rounds=40):
    """Gradient descent on mean loss + pull × squared relative distance from where it began."""
    now, chance = dict(weights), random.Random(1)
    total = sum(count for _, count in data)
    for turn in range(rounds):
        slope = dict.fromkeys(weights, 0.0)
        chance.shuffle(data)
        for difference, count in data:
            wrong = count / (1.0 + math.exp(min(60.0, margin(now, difference) / SCALE)))
            for name, value in difference.items():
                slope[name] += wrong * value / SCALE
        rate = 1.0 / (1.0 + turn / 10)
        for name, began in weights.items():
            size = max(abs(began), 1.0)
            step = size * size * (slope[name] / total) - pull * (now[name] - began)
            now[name] += rate * step
            if now[name] * began < 0:
                now[name] = 0.0
    return now


def write(weights):
    with open(TABLE, encoding="utf-8") as text:
        lines = text.read().splitlines()
    rows = [(LINE.match(line), line) for line in lines]
    out = [line if not row else f"{row[1]:<17} {weights[row[1]]:>6.2f}" for row, line in rows]
    with open(TABLE, "w", encoding="utf-8") as text:
        text.write("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=600)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--hold", action="append", default=[])
    parser.add_argument("--pull", type=float, default=0.1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("directories", nargs="+")
    given = parser.parse_args()
    weights = table()
    read = lambda directories: [  # noqa: E731
        pair for directory in directories for pair in pairs(directory, given.number, given.seed, weights)
    ]
    data, held = read(given.directories), read(given.hold)
    after = learned(weights, data, given.pull)
    for name, weight in weights.items():
        print(f"{name:<17} {weight:>7.2f} {after[name]:>7.2f}")
    for label, those in [("learned from", data), ("held", held)]:
        if those:
            print(f"{label}: {len(those)} pairs, in the right order {ordered(weights, those):.4f}, then {ordered(after, those):.4f}")
    if given.write:
        write(after)


if __name__ == "__main__":
    main()
