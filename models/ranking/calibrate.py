#!/usr/bin/env python3
"""Fits the table of confidence to cases and prints it; needs numpy.

  models/ranking/calibrate.py --bin target/release/pathfinder CASES.jsonl... > server/core/src/decide/confidence.txt

A case is one JSON object per line with `tree` (trees/<tree>.txt.gz beside the file: every path, one a line),
`repo`, `failed_path`, `op`, `intent_text`, `history`, and `expected` (accepted answers; [] = nothing is right).
Each is asked through `resolve --batch --explain`; the signals of the answer and whether its first candidate is
expected make one row of a logistic regression.

Renames are also asked without their intent. From each tree a few files are also left out and asked for by their own names: a deleted or planned file's siblings
must not be mistaken for it.

Repositories are split into eight parts by a hash of their name. Each part is judged by the table fitted to the
others (printed on stderr: that is the honest figure); the printed table is fitted to all.
"""
import argparse, collections, gzip, hashlib, json, os, pathlib, subprocess, sys, tempfile

import numpy as np

# Signals that may weigh, and the only sign that makes sense for each: without it, signals that nearly say the same
# get opposite weights, and a better match can come out less sure. That a request has an intent or a history is no
# signal; what these say of the first candidate beside its rivals is (server/core/src/decide/said.rs).
SIGNALS = {
    "bias": 0, "margin": 1, "narrow": -1, "rivals": -1, "parent_fits": 1, "elsewhere": -1, "entry_elsewhere": -1, "common": -1,
    "extension_at_home": -1, "stem_exact": 1, "name_case": 1, "name_exact": 1, "stem_edit": 1, "stem_typo": 1,
    "words_kept": 1, "words_asked": 1, "stem_contained": 1, "numbers_differ": -1, "extension_same": 1,
    "extension_near": 1, "counterpart": -1, "extension_none": 1, "directory_cost": -1, "directory_share": -1,
    "directories_exact": 1, "kind_conflict": -1, "index_form": 1, "name_test": -1, "alone": 1, "namesakes": -1,
    "in_place": -1, "said_lead": 1, "said_strong": 1, "said_against": -1, "said_share": 1, "said_only": 1,
    "said_nothing": -1, "used_lead": 1, "used": 1, "history_self": -1,
}
FITS = ["bare", "equal", "typo", "other", "bare_told", "equal_told"]
# The later ones weigh only where there are cases enough to say what they are worth; the others do so everywhere.
ONLY = {
    "bare": "used_lead used history_self",
    "equal": "namesakes in_place",
    "typo": "namesakes in_place said_share said_nothing",
    "other": "",
    "bare_told": "said_lead said_strong said_share said_only said_nothing used_lead used history_self",
    "equal_told": "alone namesakes in_place said_against said_share said_nothing",
}
LATER = set(" ".join(ONLY.values()).split())
MAY = np.array([[s not in LATER or s in ONLY[f].split() for s in SIGNALS] for f in FITS])
SIGN = np.array(list(SIGNALS.values()))

# Ridge penalty on standardised weights, and what one truly absent case weighs against one that has an answer:
# a wrong answer given with confidence is worse than none.
RIDGE, ABSENT = 1.0, 2.0

# What each set counts together, whatever its size. Renames and bare names with a commit's subject are mostly not
# decidable from paths alone, and nearly all that there is with an intent in a person's words: the kinds with an intent
# learn caution from them. Left-out files count little: people ask for what is gone less often than they misspell.
SHARE = {"mutated": 3.0, "agent": 1.0, "rename": 2.5, "intent": 2.5, "rename untold": 0.7, "left out": 0.2, "slips": 0.3}
# Files of each tree that are left out and asked for.
LEFT_OUT = 12
# Bare names, two in three with a slip, of each tree: the sets have none that is alone in its tree, and people type them.
SLIPS = 6
# All weights add up to this many cases: what RIDGE is measured against.
CASES = 5000
PARTS = 8
# Whether a model is asked: `--model`.
MODEL = "off"


def paths_of(source):
    with gzip.open(source, "rt", encoding="utf-8", errors="surrogateescape") as lines:
        return [line.rstrip("\n") for line in lines]


def lay_out(name, paths, scratch):
    root = scratch / name
    if not (scratch / (name + ".done")).exists():
        for path in paths:
            path = root / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        (scratch / (name + ".done")).touch()
    return root


def left_out(paths, count):
    """A few files, the same ones each time, that are left out of the tree and asked for: nothing is right then."""
    order = sorted(paths, key=lambda path: hashlib.md5(path.encode(errors="surrogateescape")).digest())
    return [path for path in order if path.isascii()][:count]


def ask(binary, root, cases):
    keys = ("id", "failed_path", "op", "intent_text", "root_hint", "from_file", "history")
    lines = "".join(json.dumps({k: c[k] for k in keys if c.get(k)}) + "\n" for c in cases)
    run = subprocess.run([binary, "resolve", "--batch", "--explain", "--root", root], input=lines, text=True,
                         capture_output=True, check=True, env=os.environ | {"RESOLVE_RERANK": MODEL})
    return [json.loads(line) for line in run.stdout.splitlines()]


def slips(paths):
    """Bare names of files whose name is alone in the tree: in another style, with two letters swapped, or as it is."""
    names = collections.Counter(path.rsplit("/", 1)[-1].lower() for path in paths)
    asked = []
    for path in left_out(paths, 8 * SLIPS)[LEFT_OUT:]:
        name = path.rsplit("/", 1)[-1]
        stem, dot, extension = name.partition(".")
        if names[name.lower()] > 1 or len(stem) < 6 or not stem.isidentifier() or "/" not in path:
            continue
        middle = len(stem) // 2
        swapped = stem[: middle - 1] + stem[middle] + stem[middle - 1] + stem[middle + 1 :]
        slip = (stem.swapcase(), swapped, stem)[len(asked) % 3]
        if names[(slip + dot + extension).lower()] == (len(asked) % 3 != 1) and (slip != stem or len(asked) % 3 == 2):
            asked.append(dict(id=path, failed_path=slip + dot + extension, expected=[path], category="bare slip"))
        if len(asked) == SLIPS:
            break
    return asked


def rows(binary, files, scratch):
    seen = set()
    for file in files:
        by_tree = {}
        for line in open(file, encoding="utf-8"):
            case = json.loads(line)
            by_tree.setdefault(case["tree"], []).append(case)
        for tree, cases in sorted(by_tree.items()):
            paths = paths_of(file.parent / "trees" / (tree + ".txt.gz"))
            root = lay_out(tree, paths, scratch)
            asked = list(zip(cases, ask(binary, root, cases)))
            if file.stem == "rename":
                silent = [dict(case, intent_text="", category="rename untold") for case in cases]
                asked += zip(silent, ask(binary, root, silent))
            if tree not in seen:
                seen.add(tree)
                missing = left_out(paths, LEFT_OUT)
                repo = cases[0]["repo"]
                gone = [dict(id=path, failed_path=path, repo=repo, expected=[], category="left out") for path in missing]
                root = lay_out(tree + ".left-out", [path for path in paths if path not in missing], scratch)
                asked += zip(gone, ask(binary, root, gone))
                bare = [dict(case, repo=repo) for case in slips(paths)]
                asked += zip(bare, ask(binary, lay_out(tree, paths, scratch), bare))
            for case, answer in asked:
                if answer.get("signals"):
                    first = answer["candidates"][0]["path"]
                    signals = [answer["signals"][name] for name in SIGNALS]
                    part = int(hashlib.md5(("x" + case["repo"]).encode()).hexdigest(), 16) % PARTS
                    fit = next(at for at, name in enumerate(FITS) if name in answer["signals"])
                    name = {"left out": "left out", "bare slip": "slips", "rename untold": "rename untold"}.get(case["category"], file.stem)
                    yield name, part, not case["expected"], signals, first in case["expected"], case["category"], fit, answer["signals"]["most"], answer["signals"]["bar"]


def fit(x, y, weight, may):
    """Weights by projected gradient descent (Adam) on standardised columns, given back for the columns as they are."""
    all_columns, x, sign = np.zeros(x.shape[1]), x[:, may], SIGN[may]
    mean, spread = x.mean(0), x.std(0) + 1e-6
    mean[0], spread[0] = 0, 1
    z, w = (x - mean) / spread, np.zeros(x.shape[1])
    first, second = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, 4001):
        p = 1 / (1 + np.exp(-z @ w))
        gradient = (z.T @ ((p - y) * weight) + RIDGE * w) / weight.sum()
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        rate = 0.02 if step < 3000 else 0.002
        w -= rate * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
        w = np.where(w * sign < 0, 0, w)
    w = w / spread
    w[0] -= (w[1:] * mean[1:]).sum()
    all_columns[may] = w
    return all_columns


def judge(p, bar, y, sets, absent, categories):
    """Prints what is answered and wrong of it, by set and by category, and how often what was said was right."""
    def line(name, s, least, auto):
        auto = s & auto
        print(f"{name:24} at {least}: answered {(auto & ~absent).sum() / max(1, (s & ~absent).sum()):.3f}",
              f"wrong {(auto & (y == 0)).sum() / max(1, auto.sum()):.4f}",
              f"absent refused {1 - (auto & absent).sum() / max(1, (s & absent).sum()):.4f}", file=sys.stderr)

    groups = {name: [name] for name in sorted(set(sets))}
    groups |= {"mutated + agent": ["mutated", "agent"], "rename + intent": ["rename", "intent"]}
    for name, those in groups.items():
        s = np.isin(sets, those)
        for least in (0.8, 0.82, 0.85, 0.9, 0.92, 0.94, 0.96):
            line(name, s, least, p >= least)
        line(name, s, "the bar", p >= bar)
    for name in sorted(set(categories)):
        line(name, categories == name, "the bar", p >= bar)
    for low in np.arange(0, 1, 0.1):
        s = (p >= low) & (p < low + 0.1)
        said = f"said {low:.1f}–{low + 0.1:.1f}: {s.sum():5} cases, mean said {p[s].mean():.3f}, right {y[s].mean():.3f}"
        print(said, file=sys.stderr)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True)
    ap.add_argument("--model", action="store_true", help="with the model that is built in, where it is asked")
    ap.add_argument("files", nargs="+", type=pathlib.Path)
    a = ap.parse_args()
    global MODEL
    MODEL = "on" if a.model else "off"
    with tempfile.TemporaryDirectory() as scratch:
        table = list(rows(a.bin, a.files, pathlib.Path(scratch)))
    sets = np.array([row[0] for row in table])
    part, absent = np.array([row[1] for row in table]), np.array([row[2] for row in table])
    x, y = np.array([row[3] for row in table]), np.array([row[4] for row in table], float)
    size = {name: (sets == name).sum() for name in set(sets)}
    weight = np.array([SHARE.get(name, 1.0) / size[name] for name in sets]) * np.where(absent, ABSENT, 1.0)
    weight *= CASES / weight.sum()
    kind = np.array([row[6] for row in table])
    p = np.zeros(len(y))
    for one in range(PARTS):
        for k in range(len(FITS)):
            fitted, judged = (part != one) & (kind == k), (part == one) & (kind == k)
            if judged.any():
                w = fit(x[fitted], y[fitted], weight[fitted], MAY[k])
                p[judged] = 1 / (1 + np.exp(-x[judged] @ w))
    # What decide adds: candidates that nothing tells apart share, and some mistakes have a limit of their own.
    p = np.minimum(p, [row[7] for row in table])
    bar = np.array([row[8] for row in table])
    judge(p, bar, y, sets, absent, np.array([row[5] for row in table]))
    print("# Logistic regression; made by models/ranking/calibrate.py from", ", ".join(f.name for f in a.files))
    for k, kind_name in enumerate(FITS):
        here = kind == k
        for name, value in zip(SIGNALS, fit(x[here], y[here], weight[here], MAY[k])):
            if abs(value) >= 0.005:
                print(f"{kind_name + '.' + name:28}{value:9.3f}")


if __name__ == "__main__":
    main()
