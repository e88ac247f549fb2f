#!/usr/bin/env python3
"""Fits the table of weights to cases, or shows what each family of features and each generator is worth; needs numpy.

  models/ranking/fit.py --bin target/release/pathfinder CASES.jsonl... > server/core/src/rank/weights.txt
  models/ranking/fit.py --bin target/release/pathfinder --ablate CASES.jsonl...

Cases as in calibrate.py; those without an expected path are left out. Each is asked through `resolve --batch --explain`
with a limit of 200, so that one case is a list of candidates with their features, one of them expected.

The fit is listwise: the probability of the expected candidate under a softmax over its list (ListNet's top-one loss),
by projected gradient descent from the present weights, each kept to its sign, with a ridge penalty on the distance from
them. Half of the repositories is fitted, the other half judged, and the reverse (printed on stderr): if the other half
does not gain, the present table is the better one. Top 1 is what counts; the loss only stands in for it.

Without a generator: candidates that it alone proposed are taken away, and the others have one less to agree on them.
What it would have crowded out of the limit of 200 does not come back.
"""
import argparse, collections, hashlib, json, os, pathlib, subprocess, sys, tempfile

import numpy as np

from calibrate import lay_out, paths_of

WEIGHTS = pathlib.Path(__file__).parents[2] / "server/core/src/rank/weights.txt"
# The features are judged without a model, which is asked after them.
PLAIN = os.environ | {"RESOLVE_RERANK": "off"}
# Candidates of each case that are fitted: those further down never matter.
LIST_MAX = 80
# Penalty on the squared relative distance from the present weights.
RIDGE = 0.002
GENERATORS = "path name stem typo words place intent".split()
# As the feature counts them (server/core/src/features/schema.rs).
AGREEMENT_MAX = 4
FAMILIES = {
    "exactness of the name": "stem_style stem_exact name_style name_case name_exact",
    "similarity of the name": "stem_edit stem_typo words_kept words_asked stem_contained numbers_differ",
    "extension": "extension_same extension_near counterpart extension_none extension_usual",
    "directories": "directory_cost directory_share parent_same directories_exact depth_difference",
    "intent": "intent_directory intent_name intent_vague intent_tight intent_telling intent_rivals intent_whole",
    "rarity among rivals of what is said": "intent_rivals intent_whole",
    "history of the request": "history_parent history_near history_self",
    "kind and form": "kind_conflict index_form entry_form name_test",
    "prior": "test_unasked test_missing aside_unasked depth link",
    "agreement of generators": "agreement",
}


def table():
    lines = [line.split("#")[0].split() for line in open(WEIGHTS)]
    return {line[0]: float(line[1]) for line in lines if line}


def lists(binary, files, weights, scratch):
    keys = ("id", "failed_path", "op", "intent_text", "root_hint", "from_file", "history")
    position = {name: at for at, name in enumerate(weights)}
    for file in files:
        by_tree = collections.defaultdict(list)
        for line in open(file, encoding="utf-8"):
            case = json.loads(line)
            if case["expected"]:
                by_tree[case["tree"]].append(case)
        for tree, cases in sorted(by_tree.items()):
            root = lay_out(tree, paths_of(file.parent / "trees" / (tree + ".txt.gz")), scratch)
            lines = [json.dumps({k: c[k] for k in keys if c.get(k)} | {"limit": 200}) + "\n" for c in cases]
            run = subprocess.run([binary, "resolve", "--batch", "--explain", "--root", root], input="".join(lines),
                                 text=True, capture_output=True, check=True, env=PLAIN)
            for case, answer in zip(cases, map(json.loads, run.stdout.splitlines())):
                candidates = answer.get("candidates") or []
                right = next((at for at, c in enumerate(candidates) if c["path"] in case["expected"]), None)
                x = np.zeros((len(candidates), len(weights)), np.float32)
                by = np.zeros((len(candidates), len(GENERATORS)), bool)
                for at, candidate in enumerate(candidates):
                    by[at] = [name in candidate["generators"] for name in GENERATORS]
                    for name, points in candidate["explain"].items():
                        x[at, position[name]] = points / weights[name]
                half = int(hashlib.md5(case["repo"].encode()).hexdigest(), 16) % 2
                yield file.stem, half, x, right, by


def top1(rows, w):
    hits = collections.defaultdict(list)
    for name, _, x, right, *_ in rows:
        hits[name].append(right is not None and len(x) > 0 and int((x @ w).argmax()) == right)
    return {name: float(np.mean(hit)) for name, hit in sorted(hits.items())}


def without(rows, generator, agreement):
    """The rows as they would be without a generator; `agreement` is the column of that feature."""
    for name, half, x, right, by in rows:
        rest = by.copy()
        rest[:, generator] = False
        kept = rest.any(1)
        x = x[kept].copy()
        x[:, agreement] = np.minimum(rest[kept].sum(1), AGREEMENT_MAX) / AGREEMENT_MAX
        gone = right is None or not kept[right]
        yield name, half, x, None if gone else int(kept[:right].sum())


def fit(rows, start):
    rows = [(name, x[:LIST_MAX], right) for name, _, x, right, _ in rows if right is not None and right < LIST_MAX]
    size = collections.Counter(name for name, _, _ in rows)
    share = np.array([1 / size[name] for name, _, _ in rows]) / len(size)
    x = np.concatenate([x for _, x, _ in rows])
    begin = np.cumsum([0] + [len(x) for _, x, _ in rows])
    right = begin[:-1] + np.array([right for _, _, right in rows])
    owner = np.repeat(np.arange(len(rows)), np.diff(begin))
    w, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    scale = np.abs(start) + 0.3
    for step in range(1, 301):
        s = x @ w
        e = np.exp(s - np.maximum.reduceat(s, begin[:-1])[owner])
        p = e / np.add.reduceat(e, begin[:-1])[owner] * share[owner]
        gradient = x.T @ p - (x[right] * share[:, None]).sum(0) + 2 * RIDGE * (w - start) / scale**2
        first, second = 0.9 * first + 0.1 * gradient, 0.99 * second + 0.01 * gradient**2
        w = w - 0.03 * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        w = np.where(w * start < 0, 0, w)
    return w


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True)
    ap.add_argument("--ablate", action="store_true")
    ap.add_argument("files", nargs="+", type=pathlib.Path)
    a = ap.parse_args()
    weights = table()
    start = np.array(list(weights.values()))
    with tempfile.TemporaryDirectory() as scratch:
        rows = list(lists(a.bin, a.files, weights, pathlib.Path(scratch)))
    show = lambda name, values: " | ".join([name] + [f"{value:.3f}" for value in values.values()])
    if a.ablate:
        print(show("all", top1(rows, start)))
        for family, names in FAMILIES.items():
            kept = np.array([0.0 if name in names.split() else 1.0 for name in weights])
            print(show("without " + family, top1(rows, start * kept)))
        for at, generator in enumerate(GENERATORS):
            print(show("without generator " + generator, top1(without(rows, at, list(weights).index("agreement")), start)))
        return
    for half in (0, 1):
        fitted = fit([row for row in rows if row[1] == half], start)
        others = [row for row in rows if row[1] != half]
        print(f"judged on half {1 - half}:", show("present", top1(others, start)), file=sys.stderr)
        print(f"judged on half {1 - half}:", show("fitted", top1(others, fitted)), file=sys.stderr)
    print("# Made by models/ranking/fit.py from", ", ".join(file.name for file in a.files))
    print("# feature            points per unit")
    for name, value in zip(weights, fit(rows, start)):
        print(f"{name:20}{value:6.2f}")


if __name__ == "__main__":
    main()
