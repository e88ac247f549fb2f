#!/usr/bin/env python3
"""Fits the model of confidence to rows that collect.py wrote, and prints its table; needs numpy and scikit-learn.

  models/ranking/calibrate.py ROWS.jsonl.gz > server/core/src/decide/confidence.txt
  models/ranking/calibrate.py --map ROWS.jsonl.gz            only the lines `map`, for the table that the program has

Confidence is the product of two probabilities, each a sum of small decision trees (gradient boosting, logistic loss):

  present   one of the candidates is the one meant, and not *none of these*: fitted to all requests;
  first     if one is, it is the first: fitted to requests whose answer is among the candidates.

Each signal may speak in one direction only, where only one makes sense: without it, signals that nearly say the same get
opposite effects, and a better match can come out less sure.

The lines `map` are a monotone piecewise linear function from this product to the share of right answers (isotonic
regression; sets weigh what SHARE says, as in the fit). It is the identity at the bars, so it changes what is reported and no decision.
It is judged on one half of the repositories after a fit to the other.

Repositories are split into four parts by a hash of their name. Each part is judged by the model fitted to the others
(printed on stderr: that is the honest figure); the printed table is fitted to all.
"""
import argparse, gzip, hashlib, json, pathlib, sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.isotonic import IsotonicRegression

# The only direction in which a signal may speak; 0: either.
DIRECTION = dict(
    margin=1, narrow=-1, rivals=-1, parent_fits=1, elsewhere=-1, entry_elsewhere=-1, common=-1, extension_at_home=-1,
    alone=1, namesakes=-1, in_place=-1, tree_size=0, is_directory=0, family_changed=-1, second_edit=-1,
    said_lead=1, said_strong=1, said_against=-1, said_share=1, said_only=1, said_nothing=-1, used_lead=1, used=1,
    edits=-1, edits_share=-1, slip=1, slip_at_end=0, plural=0, same_initial=1, stem_length=1,
    directories_kept=1, directories_slipped=1, directories_missed=-1, directories_before=0, directories_between=-1,
    directories_behind=-1, dot_differs=-1, capitals_differ=-1, extension_slip=1,
    place_test=-1, place_fixture=-1, place_example=-1, place_vendored=-1, place_documentation=-1, place_generated=-1,
    place_translation=-1,
    convention_name=-1, convention_path=-1, convention_stem=-1, convention_first=0, convention_gain=1, asked_dot=-1, asked_capitals=-1,
    asked_plain=0, asked_depth=0,
    words_used=-1, places_alike=-1, extension_used=-1,
    stem_style=1, stem_exact=1, name_style=1, name_case=1, name_exact=1, stem_edit=1, stem_typo=1, words_kept=1,
    words_asked=1, stem_contained=1, numbers_differ=-1, extension_same=1, extension_near=1, counterpart=-1,
    extension_none=0, extension_usual=0, directory_cost=-1, directory_share=-1, parent_same=1, directories_exact=1,
    depth_difference=-1, kind_conflict=-1, index_form=1, entry_form=0, name_test=-1, depth=0, reading_cost=-1,
    history_self=-1, told=0,
)
# Kinds of fit that are signals themselves.
SIGNALS = list(DIRECTION)

# What each set counts together, whatever its size: about what agents meet, 39 with an answer to 26 without.
SHARE = {"mutated": 3.0, "agent": 0.5, "rename": 1.5, "rename untold": 0.5, "intent": 1.5, "convention": 1.5, "made": 3.0, "made small": 1.5}
# Of the kinds those that are met less or more often than they are made. What nothing can tell (UNDECIDABLE) weighs little.
RARE = {"foreign fixture": 4.0, "convention_fixture": 8.0, "fixture name": 0.15, "shared name": 0.5, "left out": 0.5, "left out, bare": 0.5, "left out, slip": 0.5, "sibling": 0.5, "wrong directory": 0.7, "two in the name": 0.5}

TREES = dict(present=110, first=80)
PARTS = 4

# Points of the map. From 0.78 on they are bars or between two of them; those at the bars stay (server/core/src/decide.rs).
POINTS = np.array([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.78, 0.86, 0.9, 1])
FIXED = (POINTS == 0) | (POINTS == 0.78) | (POINTS >= 0.9)
# A point speaks for the values this near to it, and needs so many of them.
NEAR, NEAR_LEAST = 0.03, 20
# The most that a point is raised: it is safer to say too little.
RAISE_MOST = 0.03
# Requests whose answer is one of several by construction; nothing could be known of it.
UNDECIDABLE = ("fixture name",)


def read(files):
    rows = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8", errors="surrogateescape") as lines:
            rows += [json.loads(line) for line in lines]
    return rows


def matrix(rows):
    def values(signals):
        told = any(name in signals for name in ("bare_told", "equal_told", "told"))
        signals = signals | {"told": float(told)}
        return [signals.get(name, 0.0) for name in SIGNALS]

    return np.array([values(row["signals"]) for row in rows], dtype=np.float32)


def weights(rows):
    names = np.array([row["set"] for row in rows])
    weight = np.array([RARE.get(row["category"], 1.0) for row in rows])
    for name in set(names):
        weight[names == name] *= SHARE[name] / weight[names == name].sum()
    return weight * len(rows) / weight.sum()


def fit(x, y, weight, trees):
    model = HistGradientBoostingClassifier(
        learning_rate=0.12, max_iter=trees, max_depth=3, max_leaf_nodes=8, min_samples_leaf=60, l2_regularization=3.0,
        monotonic_cst=[DIRECTION[name] for name in SIGNALS], early_stopping=False, random_state=0)
    return model.fit(x, y, sample_weight=weight)


def fit_both(x, present, first, weight):
    return (fit(x, present, weight, TREES["present"]), fit(x[present], first[present], weight[present], TREES["first"]))


def confidence(models, x):
    return models[0].predict_proba(x)[:, 1], models[1].predict_proba(x)[:, 1]


def part_of(repo):
    return int(hashlib.md5(("x" + repo).encode()).hexdigest(), 16) % PARTS


def cross(rows, x, present, first, weight):
    part = np.array([part_of(row["repo"]) for row in rows])
    p = np.zeros((2, len(rows)))
    for one in range(PARTS):
        if (part == one).any():
            models = fit_both(x[part != one], present[part != one], first[part != one], weight[part != one])
            p[:, part == one] = confidence(models, x[part == one])
    return p


def judge(rows, p, first):
    """Prints what is answered and wrong of it, by set and by category, and how often what was said was right."""
    sets, categories = np.array([row["set"] for row in rows]), np.array([row["category"] for row in rows])
    absent = np.array([row["absent"] for row in rows])
    say = lambda *text: print(*text, file=sys.stderr)

    def line(name, here):
        shown = []
        for least in (0.8, 0.83, 0.87, 0.9, 0.95, 0.98):
            given = here & (p >= least)
            shown.append(f"{least}: {(given & ~absent).sum() / max(1, (here & ~absent).sum()):.3f} {(given & ~first).sum() / max(1, given.sum()):.4f} {1 - (given & absent).sum() / max(1, (here & absent).sum()):.4f}")
        say(f"{name:24}{here.sum():6} " + " | ".join(shown))

    say("answered, wrong of these, absent refused")
    for name in sorted(set(sets)):
        line(name, sets == name)
    for name in sorted(set(categories)):
        line("  " + name, categories == name)
    for title, here in [("all", np.ones(len(p), bool)), ("cases", ~np.char.startswith(sets, "made")), ("made", np.char.startswith(sets, "made"))]:
        for low in np.arange(0, 1, 0.1):
            those = here & (p >= low) & (p < low + 0.1 + 1e-6)
            if those.any():
                say(f"{title}: said {low:.1f}–{low + 0.1:.1f}: {those.sum():5} cases, mean said {p[those].mean():.3f}, right {first[those].mean():.3f}")
    weight = weights(rows)
    q = np.clip(p, 1e-4, 1 - 1e-4)
    say("log loss", -(weight * np.where(first, np.log(q), np.log(1 - q))).mean())


def map_points(p, right, weight):
    """The values of the map at POINTS."""
    isotonic = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(p, right, sample_weight=weight)
    values = POINTS.copy()
    for at in np.flatnonzero(~FIXED):
        near = np.abs(p - POINTS[at]) < NEAR
        if near.sum() > NEAR_LEAST:
            values[at] = min(isotonic.predict(p[near]).mean(), POINTS[at] + RAISE_MOST)
    for at in np.flatnonzero(~FIXED):
        # Between the fixed points it may reach neither.
        values[at] = min(values[at], values[(POINTS > POINTS[at]) & FIXED][0] - 0.01)
    return np.maximum.accumulate(values)


def judge_map(rows, p, free, most, right, weight):
    """Prints said / right in tenths, for a map that is fitted to the other half of the repositories."""
    half = np.array([part_of(row["repo"]) % 2 for row in rows])
    reported = np.minimum(p, most)
    for one in (0, 1):
        there = free & (half == one)
        reported[there] = np.interp(p[there], POINTS, map_points(*(values[free & (half != one)] for values in (p, right, weight))))
    for low in np.arange(10) / 10:
        those = (reported >= low) & ((reported < low + 0.1) | (low == 0.9))
        if those.sum() >= 100:
            print(f"map: {low:.1f}: {those.sum():5} requests, said {reported[those].mean():.3f}, right {right[those].mean():.3f}", file=sys.stderr)


def fit_map(rows, p):
    """The lines of the map, for confidences before it. A confidence at its limit is reported as it is."""
    decidable = np.array([row["category"] not in UNDECIDABLE for row in rows])
    rows, p = [row for row in rows if row["category"] not in UNDECIDABLE], p[decidable]
    right, most = np.array([row["right"] == 0 for row in rows], float), np.array([row["signals"]["most"] for row in rows])
    free, weight = p < most, weights(rows)
    judge_map(rows, p, free, most, right, weight)
    return [f"map {at:g} {value:.3f}" for at, value in zip(POINTS, map_points(p[free], right[free], weight[free]))]


def written(model, name):
    """The trees of a model, one a line: `(signal <= number yes no)`, leaves are numbers."""
    def node(nodes, at):
        this = nodes[at]
        if this["is_leaf"]:
            return f"{this['value']:.3f}"
        signal = SIGNALS[this["feature_idx"]]
        return f"({signal} <= {this['num_threshold']:.4g} {node(nodes, this['left'])} {node(nodes, this['right'])})"

    yield f"{name} {float(np.ravel(model._baseline_prediction)[0]):.3f}"
    for (predictor,) in model._predictors:
        yield f"{name} {node(predictor.nodes, 0)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="+", type=pathlib.Path)
    parser.add_argument("--judge-only", action="store_true")
    parser.add_argument("--map", action="store_true", help="fit the map only, to what the program said")
    arguments = parser.parse_args()
    rows = read(arguments.rows)
    if arguments.map:
        print("\n".join(fit_map(rows, np.array([row["signals"]["unmapped"] for row in rows]))))
        return
    x, weight = matrix(rows), weights(rows)
    present, first = np.array([row["right"] is not None for row in rows]), np.array([row["right"] == 0 for row in rows])
    p = cross(rows, x, present, first, weight)
    judge(rows, p[0] * p[1], first)
    if arguments.judge_only:
        return
    repositories = sorted({row["repo"] for row in rows}, key=str.lower)
    print("# Trees of gradient boosting; made by models/ranking/calibrate.py from", len(rows), "requests to trees of")
    print("# " + "\n# ".join(repositories))
    for name, model in zip(TREES, fit_both(x, present, first, weight)):
        print("\n".join(written(model, name)))
    print("\n".join(fit_map(rows, p[0] * p[1])))


if __name__ == "__main__":
    main()
