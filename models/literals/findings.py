#!/usr/bin/env python3
"""Fits server/check/src/probability/weights.txt: how likely a missing literal is broken, by what is seen of it.

  models/literals/findings.py EVIDENCE.jsonl... [--write] [--precision 0.97] [--recall 0.9] [--misses]

EVIDENCE is made by tests/bench/findings.py: findings in healthy repositories that were read, literals that real commits had to mend,
and slips. The model is a logistic regression over named observations, with a quadratic penalty: the table can be read. Signs and
orders that are known beforehand are kept (SIGNS, LADDERS): that more literals of a form resolve never speaks against one being broken.

Weights of cases: the findings of one repository are a few causes, made n times. Those of a label weigh 1 + ln n together. Literals of
commits and slips are broken by construction and unlike in number to what a user meets: all of each weigh what SHARES says, and every
repository weighs the same in it. PRIOR are the plain cases of a project that has nothing to compare with, PRIOR_FALSE plain ones that history speaks against.

What is printed is out of sample, unless it says otherwise: repositories are dealt to five parts, and each part is judged by a table
fitted to the other four. The bar of `report` is the lowest with the precision asked for; where the recall is below what is asked
for there, the lowest of those with the best precision that keep it. Both are means by repository.
"""
import argparse, collections, json, math, pathlib
import numpy as np

TABLE = pathlib.Path(__file__).parents[2] / "server/check/src/probability/weights.txt"
PARTS = 5
SHARES = {"broken": 20.0, "slips": 15.0}
PENALTY = 1.0
# What was thought of each observation before the fit, after the causes of labelled.jsonl were read. The penalty draws towards it:
# of a few observations there are too few false findings. So "out of sample" is that of the fit, not of these numbers.
HAND = {
    "bias": 3.0,
    "construct-anchor": 4.0,
    "construct-attribute": 4.0,
    "construct-page-file": 0.5,
    "construct-page-name": -1.0,
    "construct-directive": -0.5,
    "construct-relative-import": 0.5,
    "construct-named-import": -0.5,
    # A rule knows the mocks that stand for no module; the tests of a runner fail on all others.
    "construct-mock": -0.9,
    "construct-configuration": 0.0,
    "construct-value": -3.9,
    "construct-named-value": -1.5,
    "construct-string": -1.0,
    "severity-error": 0.5,
    "severity-warning": 0.0,
    "severity-hint": -1.0,
    "form-resolves-below-0.3": -3.0,
    "form-resolves-below-0.7": -1.5,
    "form-resolves-below-0.9": -0.7,
    "form-resolves-below-0.98": 0.0,
    "form-resolves-nearly-all": 0.7,
    "form-is-unknown": 0.0,
    "prefix-resolves": 0.2,
    "prefix-does-not-resolve": -1.5,
    "file-resolves": 0.5,
    "file-resolves-in-part": -0.3,
    "file-has-few-others": -0.3,
    "file-does-not-resolve": -1.0,
    "file-has-no-others": 0.0,
    "one-other-file-misses-it": -0.3,
    "several-other-files-miss-it": -1.0,
    "several-other-files-miss-its-directory": -2.0,
    "history-had-it": 4.0,
    "history-had-its-directory": 0.5,
    "history-never-had-it": -1.5,
    "recent-history-never-had-it": -0.7,
    "target-is-known": 4.0,
    "one-edit-from-a-path": 4.0,
    "two-edits-from-a-path": 2.0,
    "that-path-is-named-already": -1.5,
    "one-file-has-its-name-and-directory": 2.0,
    "one-file-has-its-name": 1.5,
    "several-files-have-its-name": 0.0,
    "exists-with-another-extension": -0.5,
    "directory-is-missing": -0.5,
    "directories-are-missing": -1.0,
    "in-the-own-directory": 0.0,
    "in-a-fixture": -2.0,
    "in-a-test": -1.5,
    "in-a-test-that-runs": -0.9,
    "in-an-example": -0.7,
    "a-checker-is-silenced": -3.0,
    "a-build-file-names-it": -1.5,
    # Set after the findings of 2026-11-25 were read (tests/bench/runs/2026-11-25/restraint.md), and never fitted.
    "a-script-names-it-with-the-file": -5.0,
    "a-build-file-names-what-git-had": -8.0,
    "a-readme-links-to-it": 3.4,
    "all-links-of-its-file-broke-with-a-move": -8.0,
    "many-files-differ-in-case": -12.0,
    "it-has-stood-in-other-case": -4.0,
    "it-has-stood-for-a-month": -5.0,
    "git-knows-no-such-path": -1.05,
    "nothing-explains-it": -4.5,
    "files-have-other-names-by-a-rule": -4.0,
    "its-document-is-a-part-of-a-page": -8.0,
    "a-twin-of-the-file-has-it": -8.0,
    "a-rule-calls-it-optional": -0.8,
    "a-rule-says-a-tool-writes-it": -1.5,
    "a-rule-cannot-decide-it": -1.0,
    "one-digit-from-a-path": 2.0,
    "one-digit-from-several-paths": 1.0,
    "one-step-from-a-path": 1.6,
    "others-beside-it-moved-to-the-same-place": 0.8,
    "links-like-it-lead-to-files": 0.8,
}
# Each is at least as much evidence of a broken literal as the one before it.
LADDERS = [
    ["form-resolves-below-0.3", "form-resolves-below-0.7", "form-resolves-below-0.9", "form-resolves-below-0.98", "form-resolves-nearly-all"],
    ["file-does-not-resolve", "file-resolves-in-part", "file-resolves"],
    ["several-other-files-miss-it", "one-other-file-misses-it", None],
    ["history-never-had-it", "recent-history-never-had-it", None, "history-had-its-directory", "history-had-it"],
    [None, "two-edits-from-a-path", "one-edit-from-a-path"],
    ["severity-hint", "severity-warning", "severity-error"],
    ["prefix-does-not-resolve", None, "prefix-resolves"],
    ["several-other-files-miss-its-directory", None],
    ["that-path-is-named-already", None],
    ["construct-mock", None],
    ["in-a-fixture", None],
    ["in-a-test", None],
    ["in-an-example", None],
    ["a-checker-is-silenced", None],
    ["a-build-file-names-it", None],
    ["a-script-names-it-with-the-file", None],
    ["a-build-file-names-what-git-had", None],
    [None, "a-readme-links-to-it"],
    ["all-links-of-its-file-broke-with-a-move", None],
    ["many-files-differ-in-case", None],
    ["it-has-stood-in-other-case", None],
    ["it-has-stood-for-a-month", None],
    ["git-knows-no-such-path", None],
    ["nothing-explains-it", None],
    ["files-have-other-names-by-a-rule", None],
    ["its-document-is-a-part-of-a-page", None],
    ["a-twin-of-the-file-has-it", None],
    ["a-rule-calls-it-optional", None],
    ["a-rule-says-a-tool-writes-it", None],
    ["a-rule-cannot-decide-it", None],
    [None, "one-digit-from-several-paths", "one-digit-from-a-path"],
    [None, "others-beside-it-moved-to-the-same-place"],
    [None, "links-like-it-lead-to-files"],
    [None, "target-is-known"],
]
PRIOR = [
    (["construct-relative-import", "severity-error", "form-is-unknown", "file-has-no-others"], 4.0),
    (["construct-relative-import", "severity-error", "form-is-unknown", "file-has-no-others", "in-the-own-directory"], 4.0),
    (["construct-page-file", "severity-warning", "form-is-unknown", "file-has-no-others", "in-the-own-directory"], 4.0),
    (["construct-page-file", "severity-warning", "form-is-unknown", "file-has-no-others"], 4.0),
    (["construct-page-file", "severity-warning", "form-resolves-nearly-all", "file-resolves"], 4.0),
    (["construct-configuration", "severity-error", "form-is-unknown", "file-has-no-others"], 4.0),
    (["construct-attribute", "severity-warning", "form-is-unknown", "file-has-no-others"], 4.0),
    (["construct-named-import", "severity-error", "form-is-unknown", "file-has-no-others"], 3.0),
    (["construct-directive", "severity-error", "form-is-unknown", "file-has-no-others"], 3.0),
    (["construct-anchor", "severity-warning", "form-is-unknown", "file-has-no-others"], 3.0),
]

# Of unexplained findings whose target git's history never had 709 were false and 13 true, by reading, when the labelled ones were
# collected. Most of the false ones are no longer missing by the languages' rules, so that the labelled rows do not say it any more.
PRIOR_FALSE = [
    (["construct-relative-import", "severity-error", "form-resolves-nearly-all", "file-resolves"], 3.0),
    (["construct-named-import", "severity-error", "form-resolves-nearly-all", "file-resolves"], 3.0),
    (["construct-page-file", "severity-warning", "form-resolves-nearly-all", "file-resolves"], 3.0),
    (["construct-configuration", "severity-error", "form-resolves-nearly-all", "file-resolves"], 3.0),
]
NEVER = ["history-never-had-it", "recent-history-never-had-it"]


def load(paths):
    rows = [json.loads(line) for path in paths for line in open(path)]
    count = collections.Counter((r["source"], r["repo"], r["broken"]) for r in rows)
    repos = collections.Counter(source for source, _, _ in count)
    for r in rows:
        n = count[r["source"], r["repo"], r["broken"]]
        r["weight"] = (1 + math.log(n)) / n if r["source"] == "labelled" else SHARES[r["source"]] / repos[r["source"]] / n
    return rows


def steps(names):
    """(map, least): weights are map @ steps, where steps[i] >= least[i]. A step of a ladder is one rung's height above the next."""
    on = {name for ladder in LADDERS for name in ladder if name}
    columns, least = [], []
    at = {name: i for i, name in enumerate(names)}

    def add(members, low, sign=1.0):
        column = np.zeros(len(names) + 1)
        for name in members:
            column[at[name]] = sign
        columns.append(column)
        least.append(low)

    for ladder in LADDERS:
        zero = ladder.index(None) if None in ladder else None
        if zero is None:
            add(ladder, -np.inf)
            zero = 0
        for i in range(zero):
            add(ladder[: i + 1], 0.0, -1.0)
        for i in range(zero + 1, len(ladder)):
            add(ladder[i:], 0.0)
    for name in names:
        if name not in on:
            add([name], -np.inf)
    columns.append(np.eye(len(names) + 1)[-1])
    least.append(-np.inf)
    return np.array(columns).T, np.array(least)


def matrix(rows, names):
    at = {name: i for i, name in enumerate(names)}
    x = np.zeros((len(rows), len(names) + 1))
    x[:, -1] = 1
    for i, r in enumerate(rows):
        for name in r["evidence"]:
            x[i, at[name]] = 1
    return x


def history(rows):
    """Literals of commits and slips are laid out in clones whose history is hardly read, findings of healthy repositories are not; that
    says nothing. So each counts half with what a history says that is known: of a slip that it never had it; the old place of a file
    that a commit moved was there."""
    out = []
    for r in rows:
        read = any(name.startswith("history-") or name == "target-is-known" for name in r["evidence"])
        if r["source"] == "labelled" or read or "construct-anchor" in r["evidence"]:
            out.append(r)
            continue
        says = "history-never-had-it" if r["source"] == "slips" else "history-had-it"
        out += [dict(r, weight=r["weight"] / 2), dict(r, weight=r["weight"] / 2, evidence=[*r["evidence"], says])]
    return out


def fit(rows, names):
    rows = rows + [dict(evidence=evidence, broken=True, weight=weight) for evidence, weight in PRIOR]
    rows += [dict(evidence=[*evidence, never], broken=False, weight=weight) for evidence, weight in PRIOR_FALSE for never in NEVER]
    x = matrix(rows, names)
    y = np.array([float(r["broken"]) for r in rows])
    s = np.array([r["weight"] for r in rows])
    to_weights, least = steps(names)
    z = x @ to_weights
    ridge = np.full(x.shape[1], 2 * PENALTY)
    ridge[-1] = 1e-6
    ridge = to_weights.T @ (ridge[:, None] * to_weights)
    middle = np.linalg.solve(to_weights, np.array([HAND[name] for name in [*names, "bias"]]))

    def loss(u):
        return s @ np.logaddexp(0, -(2 * y - 1) * (z @ u)) + (u - middle) @ ridge @ (u - middle) / 2

    u = np.maximum(middle, least)
    for _ in range(200):  # Newton's steps on what its bound does not hold: a convex problem of fifty numbers
        p = 1 / (1 + np.exp(-np.clip(z @ u, -30, 30)))
        gradient = z.T @ (s * (p - y)) + ridge @ (u - middle)
        free = (u > least) | (gradient < 0)
        hessian = (z * (s * p * (1 - p) + 1e-9)[:, None]).T @ z + ridge + 1e-6 * np.eye(len(u))
        step = np.zeros_like(u)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        length, before = 1.0, loss(u)
        while length > 1e-6 and loss(np.maximum(u - length * step, least)) > before:
            length /= 2
        new = np.maximum(u - length * step, least)
        change, u = np.abs(new - u).max(), new
        if change < 1e-6:
            break
    return to_weights @ u


def probabilities(rows, names, w):
    return 1 / (1 + np.exp(-np.clip(matrix(rows, names) @ w, -30, 30)))


def by_repository(rows, bar):
    """The share that is kept of every repository."""
    of = collections.defaultdict(list)
    for r in rows:
        of[r["repo"]].append(r["p"] >= bar)
    return [sum(kept) / len(kept) for _, kept in sorted(of.items())]


# Less precision than this between two bars is chance: the one that keeps more is taken.
NEAR = 0.005
# From this probability on a fix may be preferred. Fixes have a bar of their own, so this one need not be as high as theirs.
CERTAIN = 0.9
BARS = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.99]


def table(rows):
    """Prints what each bar keeps; (bar, precision, recall) of each."""
    print(f"{'bar':>6}{'precision':>11}{'false kept':>12}{'by repo':>9}{'true kept':>11}{'by repo':>9}{'median':>8}{'broken':>8}{'slips':>8}")
    labelled = [r for r in rows if r["source"] == "labelled"]
    true, false = [r for r in labelled if r["broken"]], [r for r in labelled if not r["broken"]]
    mean = lambda of: sum(of) / max(1, len(of))
    out = []
    for bar in BARS:
        kept = [r for r in labelled if r["p"] >= bar]
        precision = sum(r["weight"] for r in kept if r["broken"]) / max(1e-9, sum(r["weight"] for r in kept))
        shares = [mean(by_repository([r for r in rows if r["source"] == source], bar)) for source in SHARES]
        recalls = by_repository(true, bar)
        print(f"{bar:>6}{precision:>11.3f}{mean([r['p'] >= bar for r in false]):>12.3f}{mean(by_repository(false, bar)):>9.3f}"
              f"{mean([r['p'] >= bar for r in true]):>11.3f}{mean(recalls):>9.3f}{np.median(recalls):>8.3f}" + "".join(f"{x:>8.3f}" for x in shares))
        out.append((bar, precision, min([mean(recalls), *shares])))
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("evidence", nargs="+")
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--precision", type=float, default=0.97)
    ap.add_argument("--recall", type=float, default=0.9)
    ap.add_argument("--bar", type=float, help="report from this probability on, instead of the lowest that the figures allow")
    ap.add_argument("--misses", action="store_true")
    a = ap.parse_args()
    names = [line.split()[0] for line in TABLE.read_text().splitlines() if line and line[0] != "#"][3:]
    read = load(a.evidence)
    rows = history(read)
    repos = sorted({r["repo"] for r in rows}, key=lambda repo: (-sum(r["weight"] for r in rows if r["repo"] == repo), repo))
    part = {repo: at % PARTS for at, repo in enumerate(repos)}
    w = fit(rows, names)
    for r, p in zip(rows, probabilities(rows, names, w)):
        r["p"] = float(p)
    print(f"{len(rows)} cases of {len(repos)} repositories, IN sample")
    table(rows)
    for held in range(PARTS):
        test = [r for r in rows if part[r["repo"]] == held]
        for r, p in zip(test, probabilities(test, names, fit([r for r in rows if part[r["repo"]] != held], names))):
            r["p"] = float(p)
    print(f"{len(rows)} cases of {len(repos)} repositories, out of sample in {PARTS} parts")
    bars = table(rows)
    report = next((bar for bar, precision, _ in bars if precision >= a.precision), None)
    recall = {bar: recall for bar, _, recall in bars}
    if not report or recall[report] < a.recall:
        enough = [(bar, precision) for bar, precision, kept in bars if kept >= a.recall] or [(0.5, 0.0)]
        best = max(precision for _, precision in enough)
        report = next(bar for bar, precision in enough if precision >= best - NEAR)
    report = a.bar or report
    certain = max(CERTAIN, report)
    if a.misses:
        bad = collections.Counter((r["repo"], r["source"], r["group"][:60], r["broken"]) for r in rows if (r["p"] >= report) != r["broken"])
        total = collections.Counter((r["repo"], r["source"], r["group"][:60], r["broken"]) for r in rows)
        for key, n in bad.most_common(60):
            one = next(r for r in rows if (r["repo"], r["source"], r["group"][:60], r["broken"]) == key and (r["p"] >= report) != r["broken"])
            print(n, "of", total[key], *key, f"{one['p']:.2f}", one["file"], one["literal"], " ".join(one["evidence"]))
    print("report", report, "certain", certain)
    sources = collections.Counter(r["source"] for r in read)
    note = f"# Fitted by models/literals/findings.py to {len(read)} missing literals of {len(repos)} repositories ("
    note += ", ".join(f"{n} {source}" for source, n in sorted(sources.items())) + ").\n"
    chosen = next(line for line in bars if line[0] == report)
    note += f"# Out of sample in {PARTS} parts by repository: precision {chosen[1]:.3f}, kept {chosen[2]:.3f} of the broken ones, the lowest of the sources.\n"
    note += "# Where there is little evidence they stay near numbers set by hand, after the causes of the labelled findings were read: fresh\n"
    note += f"# repositories can come out worse than this. The labelled findings hold false ones of {len({r['repo'] for r in rows if not r['broken']})} repositories only.\n"
    text = note + "# From these probabilities on a literal is reported, and is certain.\n" + f"report {report}\ncertain {certain}\n"
    text += "# What each observation adds to the logarithm of the odds.\n"
    text += "".join(f"{name:40}{value + 0.0:8.3f}\n" for name, value in zip(["bias", *names], [w[-1], *w[:-1]]))
    print(text, end="")
    if a.write:
        TABLE.write_text(text)


if __name__ == "__main__":
    main()
