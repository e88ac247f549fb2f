#!/usr/bin/env python3
"""Fits the weights of the content ranking, the gate that says whether the first file fits at all, and the curve that says whether it is a strong answer.

    models/content/fit.py --features OUT [--write] [--write-gate] [--write-strength] QUESTIONS.jsonl...

OUT is what models/content/features.py wrote, run once for each file of questions. models/content/questions.jsonl are those of repositories
that were read in later rounds; rows with `held` only judge, and are not read here. Questions of one word (`symbol`) keep the weights of server/content's symbol.txt.

Weights (question.txt, history.txt): a listwise choice. The chance of a file is exp(points) among the candidates of its question;
the mean logarithm of the chances of the right files is made large, less a pull to where the weights began: the row of
candidates.txt, which was fitted to twelve other sets of questions (facts/find-content.md). Signs are held: evidence is never
against a file, its kind (a test, a document) never for it.

Gate (fit.txt): a logistic curve over the evidence that the first file is an answer, with the questions of OUT that have no answer.

Strength (strength.txt): the same over other evidence, with the questions whose words are there; below a bound an answer is marked weak
(`WEAK_BELOW` in `server/content/src/strength.rs`).

Everything printed is out of sample. Repositories are dealt in the order of their names: six parts, each judged by weights of
the other five, and two halves, each judged by weights of the other. `--write` then fits the weights to all of them, `--write-gate` the
gate, whose thresholds (`server/content/src/fit.rs`) then have to be set again, `--write-strength` the curve.
"""

import argparse
import json
import math
import pathlib
import re

import numpy as np
from scipy.optimize import minimize

WEIGHTS = pathlib.Path(__file__).parents[2] / "server/content/src/weights"
FOLDS = 6
# 26 repositories, each judged by weights of others, have 0.793 with 0.01 and 0.792 with 0.03; 0.1 is worse on eight of them. 0.03 keeps
# the weights nearer to where they began.
PULL = 0.03
# Points of the best candidate above the median one, mean over questions. The order of contents is the same at any scale; `find` adds them to
# points by name, and its factors (`server/project/src/find/merge.rs`) were chosen at this one.
SPREAD = 6.5
# These stay as they are: the gate needs them, the order of files does not.
KINDS = "test example document configuration foreign generated barrel types_only translation".split()
FREE = {"depth", "size"}
# What each kind of question counts in the gate. Of 30 of other repositories that were read one or two had an answer by chance.
COUNTS = {"own": 1.0, "absent": 2.0, "foreign": 0.0, "far": 0.5, "invented": 0.3}
# The gate refuses far subjects and invented words.
STRENGTH_COUNTS = {"own": 1.0, "absent": 2.0, "foreign": 0.0, "far": 0.0, "invented": 0.0}
LINE = re.compile(r"^([a-z_]+)(\s+)(-?[0-9.]+)$")


def table(name):
    rows = [LINE.match(line) for line in (WEIGHTS / name).read_text().splitlines()]
    return {row[1]: float(row[3]) for row in rows if row}


def write(name, values, head):
    body = [f"{key:<20} {value + 0.0:6.2f}" for key, value in values.items()]
    (WEIGHTS / name).write_text("\n".join([f"# {line}" for line in head] + body) + "\n")


def ndcg(paths, row, most=10):
    places = [at for at, path in enumerate(paths[:most]) if path in row["relevant"] or path in (row.get("secondary") or [])]
    count = min(most, len(row["relevant"]))
    return sum(1 / math.log2(at + 2) for at in places[:count]) / sum(1 / math.log2(at + 2) for at in range(count))


def load(directory, rows):
    """Returns the answers of each repository: kind, case, paths and features of the candidates, evidence for the first."""
    answers = {}
    for place in sorted(pathlib.Path(directory).glob("*.jsonl")):
        own = answers[place.stem] = []
        for line in place.open(encoding="utf-8"):
            answer = json.loads(line)
            kind, _, _ = answer["id"].partition(":")
            kind = kind if kind in COUNTS else ""
            row = rows.get(answer["id"])
            if not kind and row is None:
                continue
            kind = kind or ("absent" if row["category"] == "absent" else "symbol" if " " not in row["query"] else "own")
            features = np.array([one["features"] for one in answer["results"]])
            own.append((kind, row, [one["path"] for one in answer["results"]], features, answer["evidence"]))
    return answers


def fitted(lists, start, names):
    """Returns the weights of a listwise choice, from pairs of features and a mask of the right rows."""

    def loss(weights):
        total, slope = PULL * np.sum((weights - start) ** 2), 2 * PULL * (weights - start)
        for features, right in lists:
            points = features @ weights
            chances = np.exp(points - points.max())
            chances /= chances.sum()
            total -= np.log(chances[right] + 1e-12).mean() / len(lists) * 100
            slope = slope - (features[right].mean(0) - chances @ features) / len(lists) * 100
        return total, slope

    bounds = [(None, 0) if name in KINDS else (None, None) if name in FREE else (0, None) for name in names]
    return minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x


def scaled(answers, weights):
    """Returns the weights at the scale that `find` expects."""
    points = [row[3] @ weights for own in answers.values() for row in own if row[0] == "own" and len(row[3]) > 20]
    return weights * SPREAD / np.mean([one.max() - np.median(one) for one in points])


def rank(answers, weights):
    """Returns the mean NDCG@10 of each repository's questions with a blank."""
    means = {}
    for repository, own in answers.items():
        values = []
        for kind, row, paths, features, _ in own:
            if kind == "own":
                order = sorted(range(len(paths)), key=lambda at: (-float(features[at] @ weights), paths[at])) if paths else []
                values.append(ndcg([paths[at] for at in order], row))
        means[repository] = sum(values) / len(values)
    return means


def choices(answers, repositories):
    lists = []
    for repository in repositories:
        for kind, row, paths, features, _ in answers[repository]:
            right = np.array([path in row["relevant"] for path in paths], bool) if kind == "own" else np.zeros(0, bool)
            if right.any():
                lists.append((features, right))
    return lists


def judge(answers, start, names, parts):
    """Returns the mean over repositories, each part judged by weights of the others."""
    order, means = sorted(answers), []
    for part in range(parts):
        held = order[part::parts]
        weights = fitted(choices(answers, [one for one in order if one not in held]), start, names)
        means += rank({one: answers[one] for one in held}, weights).values()
    return float(np.mean(means))


def gate_rows(answers, weights, used):
    """Returns the evidence of each question, its kind, its repository, NDCG@10, and whether the first file is right."""
    values, kinds, places, gains, firsts = [], [], [], [], []
    for repository, own in answers.items():
        for kind, row, paths, features, evidence in own:
            if kind == "symbol":
                continue
            values.append([evidence.get(name, 0.0) for name in used] + [1.0])
            kinds.append(kind)
            places.append(repository)
            order = sorted(range(len(paths)), key=lambda at: (-float(features[at] @ weights), paths[at])) if kind == "own" and paths else []
            gains.append(ndcg([paths[at] for at in order], row) if kind == "own" else 0.0)
            right = set(row["relevant"]) | set(row.get("secondary") or []) if kind == "own" else set()
            firsts.append(bool(order) and paths[order[0]] in right)
    return np.array(values), np.array(kinds), np.array(places), np.array(gains), np.array(firsts)


def fit_gate(values, kinds, counts_of=COUNTS):
    """Returns the logistic weights."""
    sign = np.where(kinds == "own", 1.0, -1.0)
    counts = np.array([counts_of[kind] for kind in kinds])
    # Those of other repositories count together like those with an answer.
    counts[kinds == "foreign"] = np.sum(kinds == "own") / max(np.sum(kinds == "foreign"), 1)

    def loss(weights):
        margin = sign * (values @ weights)
        wrong = counts / (1 + np.exp(np.clip(margin, -60, 60)))
        free = np.append(weights[:-1], 0)
        return float(np.sum(counts * np.logaddexp(0, -margin)) + 0.05 * free @ free), -(values.T @ (wrong * sign)) + 0.1 * free

    return minimize(loss, np.zeros(values.shape[1]), jac=True, method="L-BFGS-B").x


def judge_gate(values, kinds, places, gains):
    """Returns the shares that are refused below a probability, and the NDCG@10 that this loses; halves, the other's table."""
    order, points = sorted(set(places)), np.zeros(len(kinds))
    for half in range(2):
        held = np.isin(places, order[half::2])
        points[held] = values[held] @ fit_gate(values[~held], kinds[~held])
    chances, lines = 1 / (1 + np.exp(-points)), []
    for least in (0.12, 0.15, 0.18, 0.25, 0.40, 0.80):
        shares = [f"{np.mean(chances[kinds == kind] < least):.2f}" for kind in COUNTS]
        lines.append(f"p < {least:.2f}  " + " / ".join(shares) + f"  {gains[chances < least].sum() / np.sum(kinds == 'own'):.3f}")
    return lines


def judge_strength(values, kinds, places, firsts):
    """Returns the shares that are weak below a probability; halves, the other's table."""
    order, points = sorted(set(places)), np.zeros(len(kinds))
    for half in range(2):
        held = np.isin(places, order[half::2])
        points[held] = values[held] @ fit_gate(values[~held], kinds[~held], STRENGTH_COUNTS)
    chances, lines = 1 / (1 + np.exp(-points)), []
    for least in (0.40, 0.45, 0.50, 0.55, 0.60):
        weak = chances < least
        shares = [weak[kinds == "own"], weak[(kinds == "own") & firsts], *(weak[kinds == kind] for kind in COUNTS if kind != "own")]
        lines.append(f"p < {least:.2f}  " + " / ".join(f"{np.mean(one):.2f}" for one in shares))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--write-gate", action="store_true")
    parser.add_argument("--write-strength", action="store_true")
    parser.add_argument("questions", nargs="+")
    given = parser.parse_args()
    texts = [line for place in given.questions for line in pathlib.Path(place).read_text(encoding="utf-8").splitlines()]
    rows = {row["id"]: row for row in map(json.loads, texts) if not row.get("held")}
    begin = table("candidates.txt")
    names = list(begin)
    start = np.array(list(begin.values()))
    for kind, name in (("plain", "question.txt"), ("history", "history.txt")):
        answers = load(pathlib.Path(given.features, kind), rows)
        now = np.array(list(table(name).values()))
        folds, halves = (judge(answers, start, names, parts) for parts in (FOLDS, 2))
        weights = scaled(answers, fitted(choices(answers, answers), start, names))
        means = [float(np.mean(list(rank(answers, one).values()))) for one in (start, now, weights)]
        print(f"{name}: start {means[0]:.3f}; today's table {means[1]:.3f} and a new one {means[2]:.3f} on what they are fitted to; "
              f"unseen, six parts {folds:.3f}, halves {halves:.3f}")
        if given.write:
            with_commits = "with" if kind == "history" else "without"
            write(name, dict(zip(names, weights)), [
                f"Weights of a question in a root {with_commits} known commits: models/content/fit.py, from the row of candidates.txt.",
                f"NDCG@10 of questions with a blank, mean over {len(answers)} repositories, each judged by weights of others: {folds:.3f}",
                f"(six parts), {halves:.3f} (halves).",
            ])
        if kind == "plain":
            used = [name for name in table("fit.txt") if name != "bias"]
            values, kinds, places, gains, _ = gate_rows(answers, now, used)
            lines = judge_gate(values, kinds, places, gains)
            heading = "refused own / absent / foreign / far / invented, and the NDCG@10 of questions with a blank that this loses"
            print(f"fit.txt: {heading}", *lines, sep="\n  ")
            if given.write_gate:
                head = [f"Logistic fit of \"the first file is an answer\": models/content/fit.py, {len(answers)} repositories. Halves, each",
                        f"judged by the other's table: {heading}"]
                write("fit.txt", dict(zip([*used, "bias"], fit_gate(values, kinds))), head + ["  " + line for line in lines])
        used = [name for name in table("strength.txt") if name != "bias"]
        values, kinds, places, _, firsts = gate_rows(answers, now, used)
        lines = judge_strength(values, kinds, places, firsts)
        heading = "weak own / own with a right first file / absent / foreign / far / invented"
        print(f"strength.txt, {kind}: {heading}", *lines, sep="\n  ")
        if given.write_strength and kind == "plain":
            head = [f"Logistic fit of \"the first file is an answer\" for answers that the gate lets pass: models/content/fit.py, {len(answers)} repositories",
                    f"without commits. Halves, each judged by the other's table: {heading}"]
            write("strength.txt", dict(zip([*used, "bias"], fit_gate(values, kinds, STRENGTH_COUNTS))), head + ["  " + line for line in lines])


if __name__ == "__main__":
    main()
