#!/usr/bin/env python3
"""Fits the two tables of server/check/src/fixes to real broken literals: what speaks for a target, and how sure the first is.

  models/literals/fit.py DUMP.jsonl [--write server/check/src/fixes]

DUMP is made by `tests/bench/fixes.py --dump` with a binary of whatever weights: every fix that was offered (up to twenty),
its signals, and whether it is right.

Weights: a choice model (conditional logit, McFadden 1974): the chance of a fix is exp(points) among those offered and "none of
them", which has points of its own. Confidence: a logistic curve over the logarithm of the odds of the first. The weights have a
small quadratic penalty.

Everything printed is out of sample: repositories are dealt to five parts, and each part is judged by tables fitted to the
other four. `--write` then fits to all of them. What history or the disk's own spelling knows (`told`) takes no part.
"""
import argparse, collections, json, pathlib
import numpy as np

# `told` stands for itself: history and the disk leave nothing to weigh.
TOLD = 1000.0
# What the cases cannot teach, as each of them has one broken literal: that another broken literal of the file is right after
# the same change makes a target likelier by this many points, as much as a name that fits.
# What a construct takes as it is written has an ending only if that is written: few constructs are so, and few cases are of
# these.
# A slip of one letter that only one path fits outweighs what speaks for any other: the cases have moved files, hardly a slip.
FIXED = {"together": 2.0, "ending": -1.0, "slip": 8.0}
PARTS = 5
# The signals, in the order in which the program has them.
TABLE = pathlib.Path(__file__).parents[2] / "server/check/src/fixes/weights.txt"


def load(path):
    cases = [json.loads(line) for line in open(path)]
    names = [name for name in cases[0]["fixes"][0] if name != "right"]
    order = [line.split()[0] for line in TABLE.read_text().splitlines() if line and line[0] != "#"]
    assert sorted(names) == sorted(order), sorted(set(names) ^ set(order))
    rows = []
    for case in cases:
        x = np.array([[fix[name] for name in order] for fix in case["fixes"]])
        right = np.array([fix["right"] for fix in case["fixes"]])
        if x[:, 0].any():
            continue
        rows.append(dict(x=x, right=right, repo=case["repo"], kind=case["kind"]))
    return order, rows


def fit_weights(rows, order, penalty=0.001, steps=800):
    """Gradient ascent (Adam) on the likelihood of what is right, be it none; the last number is that of none."""
    n = len(order)
    most = max(len(row["right"]) for row in rows) + 1
    x, right, there = np.zeros((len(rows), most, n + 1)), np.zeros((len(rows), most)), np.zeros((len(rows), most), bool)
    for at, row in enumerate(rows):
        count = len(row["right"])
        x[at, :count, :n], right[at, :count], there[at, :count] = row["x"], row["right"], True
        x[at, most - 1, n], right[at, most - 1], there[at, most - 1] = 1, not row["right"].any(), True
    w, m, v = np.zeros(n + 1), np.zeros(n + 1), np.zeros(n + 1)
    free = np.array([name not in FIXED for name in order] + [True])
    w[:n][~free[:n]] = [FIXED[name] for name in order if name in FIXED]
    for step in range(1, steps + 1):
        points = np.where(there, x @ w, -np.inf)
        p = np.exp(points - points.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        chosen = p * right
        chosen /= np.maximum(chosen.sum(axis=1, keepdims=True), 1e-300)
        gradient = np.einsum("ij,ijk->k", chosen - p, x) / len(rows) - penalty * np.r_[w[:n], 0]
        m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
        w += free * 0.05 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    w[0] = 0
    return w


def ranked(row, w):
    order = np.argsort(-(row["x"] @ w[:-1]), kind="stable")
    return row["x"][order], row["right"][order]


def curve_row(x, w):
    points = x @ w[:-1]
    return [1.0, -np.log(np.exp(points[1:] - points[0]).sum() + np.exp(w[-1] - points[0]))]


def fit_curve(rows, w, steps=2500):
    pairs = [ranked(row, w) for row in rows]
    a = np.array([curve_row(x, w) for x, _ in pairs])
    y = np.array([float(right[0]) for _, right in pairs])
    b, m, v = np.zeros(2), np.zeros(2), np.zeros(2)
    for step in range(1, steps + 1):
        p = 1 / (1 + np.exp(-a @ b))
        gradient = a.T @ (y - p) / len(y)
        m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
        b += 0.02 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return b


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dump")
    ap.add_argument("--write", type=pathlib.Path)
    a = ap.parse_args()
    order, rows = load(a.dump)
    repos = sorted({row["repo"] for row in rows}, key=lambda repo: (-sum(row["repo"] == repo for row in rows), repo))
    part = {repo: at % PARTS for at, repo in enumerate(repos)}
    judged = []
    for held in range(PARTS):
        train = [row for row in rows if part[row["repo"]] != held]
        test = [row for row in rows if part[row["repo"]] == held]
        w = fit_weights(train, order)
        curve = fit_curve(train, w)
        for row in test:
            x, right = ranked(row, w)
            sure = 1 / (1 + np.exp(-np.dot(curve_row(x, w), curve)))
            judged.append((sure, bool(right[0]), bool(right[:5].any()), bool(row["right"][0]), row["repo"]))
    n = len(judged)
    print(f"{n} cases with fixes, {len(repos)} repositories, out of sample in {PARTS} parts")
    print(f"first: as offered {sum(j[3] for j in judged) / n:.3f}, fitted {sum(j[1] for j in judged) / n:.3f}; among five {sum(j[2] for j in judged) / n:.3f}")
    print(f"{'bar':>6}{'preferred':>11}{'wrong':>7}{'share':>8}")
    for bar in (0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99):
        above = [right for sure, right, *_ in judged if sure >= bar]
        wrong = above.count(False)
        print(f"{bar:>6}{len(above):>11}{wrong:>7}{wrong / max(len(above), 1):>8.4f}")
    edges = [0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 1.0001]
    print("calibration: " + ", ".join(
        f"{low:.2f}: {np.mean([j[1] for j in judged if low <= j[0] < high]):.2f} of {sum(low <= j[0] < high for j in judged)}"
        for low, high in zip(edges, edges[1:]) if any(low <= j[0] < high for j in judged)))
    w = fit_weights(rows, order)
    curve = fit_curve(rows, w)
    w[0] = TOLD
    note = f"# Fitted by models/literals/fit.py to {n} broken literals of {len(repos)} repositories that had fixes. BENCHMARKS.md has what it is worth.\n"
    weights = note + "# signal     points per unit\n" + "".join(f"{name:12}{value:9.3f}\n" for name, value in zip(order, w))
    confidence = note + "".join(f"{name:12}{value:9.3f}\n" for name, value in zip(["none", "bias", "odds"], [w[-1], *curve]))
    print(weights + confidence, end="")
    if a.write:
        (a.write / "weights.txt").write_text(weights)
        (a.write / "confidence.txt").write_text(confidence)


if __name__ == "__main__":
    main()
