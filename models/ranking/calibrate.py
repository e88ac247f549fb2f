#!/usr/bin/env python3
"""Fits the model of confidence to rows that collect.py wrote, and prints its table; needs numpy and scikit-learn.

  models/ranking/calibrate.py ROWS.jsonl.gz > server/core/src/decide/confidence.txt

Confidence is the product of two probabilities, each a sum of small decision trees (gradient boosting, logistic loss):

  present   one of the candidates is the one meant, and not *none of these*: fitted to all requests;
  first     if one is, it is the first: fitted to requests whose answer is among the candidates.

Each signal may speak in one direction only, where only one makes sense: without it, signals that nearly say the same get
opposite effects, and a better match can come out less sure.

reported.py adds what is said of this product.

Repositories are split into four parts by a hash of their name. Each part is judged by the model fitted to the others
(printed on stderr: that is the honest figure); the printed table is fitted to all.
"""
import argparse, gzip, hashlib, json, pathlib, sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

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
    words_used=-1, places_alike=-1, extension_used=-1, extension_there=-1, subtrees_alike=-1,
    stem_style=1, stem_exact=1, name_style=1, name_case=1, name_exact=1, stem_edit=1, stem_typo=1, words_kept=1,
    words_asked=1, stem_contained=1, numbers_differ=-1, extension_same=1, extension_near=1, counterpart=-1,
    extension_none=0, extension_usual=0, directory_cost=-1, directory_share=-1, parent_same=1, directories_exact=1,
    depth_difference=-1, kind_conflict=-1, index_form=1, entry_form=0, name_test=-1, depth=0, reading_cost=-1,
    history_self=-1, told=0,
)
# Kinds of fit that are signals themselves.
SIGNALS = list(DIRECTION)

# The weight of each set, whatever its size: about the proportions that agents meet, 39 with an answer to 26 without. With 3 for convention,
# `readme.md` was no longer `README.md` in small trees.
SHARE = {"mutated": 3.0, "agent": 0.5, "rename": 1.5, "rename untold": 0.5, "intent": 1.5, "convention": 1.5, "made": 3.0, "made small": 1.5}
# Of the kinds those that are met less or more often than they are made. What nothing can tell weighs little.
RARE = {"case": 3.0, "foreign fixture": 4.0, "convention_fixture": 8.0, "fixture name": 0.15, "shared name": 0.5, "sibling": 0.5, "wrong directory": 0.7, "two in the name": 0.5}

TREES = dict(present=110, first=80)
PARTS = 4


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
    arguments = parser.parse_args()
    rows = read(arguments.rows)
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


if __name__ == "__main__":
    main()
