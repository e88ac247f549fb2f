#!/usr/bin/env python3
"""Collects what is seen of missing literals that are known to be broken or not, for models/literals/findings.py.

  tests/bench/findings.py --bin target/release/pathfinder --mirror DIR --out EVIDENCE.jsonl
                          [--labelled labelled.jsonl] [--broken CASES.jsonl]... [--sample N] [--slips SLIPS.py] [--only A/B]... [--skip A/B]...

A line is {repo, source, group, kind, broken, evidence}. `labelled` are findings in healthy repositories that were read; `broken` are
literals that a real commit had to mend, with the old text put back; `slips` are mistyped literals in the labelled repositories.
DIR/OWNER+NAME/repo is a bare clone. Lines are appended as they come, so that a long run can be cut short.
"""
import argparse, collections, importlib.util, json, os, pathlib, random, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(__file__))
import fixes

LIMIT = 600.0  # seconds of one check; --limit sets it


def check(binary, root, *args, history=True):
    command = [binary, "check", "--root", root, "--format", "json", "--explain", *([] if history else ["--history-ms", "0"]), *args]
    try:
        run = subprocess.run(command, capture_output=True, text=True, cwd=root, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        print("too slow:", root, file=sys.stderr, flush=True)
        return []
    return [json.loads(line) for line in run.stdout.splitlines() if '"evidence"' in line]


def lay_out(git, commit, at):
    checkout = fixes.Checkout(git, pathlib.Path(at))
    checkout.move(commit)


def labelled(a, out):
    by = collections.defaultdict(list)
    for line in open(a.labelled):
        row = json.loads(line)
        by[row["repo"]].append(row)
    for repo, rows in sorted(by.items(), key=lambda x: x[1][0]["literals"]):
        git = a.mirror / repo.replace("/", "+") / "repo"
        if a.only and repo not in a.only or repo in a.skip or not any(r["file"] for r in rows) or not (git / "HEAD").exists():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            root = os.path.join(os.path.realpath(scratch), "tree")
            lay_out(git, rows[0]["commit"], root)
            key = lambda x: (x["file"], x["line"], x["literal"], x["kind"])
            known = {key(row): row for row in rows}
            n = 0
            for x in check(a.bin, root):
                row = known.get(key(x))
                if row and row["label"] != "unsure":
                    n += 1
                    write(out, repo, "labelled", f"{row['kind']} {row['why']}", x, row["label"] == "true")
            print(repo, n, "of", len(rows), file=sys.stderr, flush=True)


def broken(a, out):
    cases = [json.loads(line) for file in a.broken for line in open(file)]
    fit = lambda c: c["context"] == "code" and c["whole_value"] and c["line_otherwise_unchanged"] and c["detectable"]
    cases = [c for c in cases if fit(c) and not c["kind"].startswith("str_path")]
    cases = [c for c in cases if not (a.only and c["repo"] not in a.only or c["repo"] in a.skip)]
    random.Random(11).shuffle(cases)
    of, some = collections.Counter(), []
    for c in cases:  # As many of every repository.
        of[c["repo"]] += 1
        some += [c] if not a.sample or of[c["repo"]] <= a.sample else []
    order = random.Random(11).sample(sorted(of), len(of))
    cases = sorted(some, key=lambda c: (order.index(c["repo"]), c["commit"]))
    with tempfile.TemporaryDirectory() as scratch:
        place, checkout, at = None, None, None
        for case in cases:
            git = a.mirror / case["repo"].replace("/", "+") / "repo"
            if not (git / "HEAD").exists():
                continue
            try:
                if place != case["repo"]:
                    if checkout:
                        subprocess.run(["rm", "-rf", str(checkout.root)])
                    place, at = case["repo"], None
                    checkout = fixes.Checkout(git, pathlib.Path(scratch) / place.replace("/", "+"))
                if at != case["commit"]:
                    checkout.move(case["commit"])
                    at = case["commit"]
                fixes.literal_at(checkout.root, case, case["new_literal"], case["old_literal"])
            except (subprocess.CalledProcessError, OSError, AssertionError) as error:
                print("not run:", case["id"], error, file=sys.stderr)
                continue
            rows = check(a.bin, str(checkout.root), case["file"], history=random.Random(case["id"]).random() < 0.5)
            fixes.literal_at(checkout.root, case, case["old_literal"], case["new_literal"])
            start, end = case["byte_col0"] + 1, case["byte_col0"] + 1 + len(case["old_literal"].encode())
            for x in rows:
                if x["line"] == case["line"] and x["column"] < end and x["column"] + len(x["literal"].encode()) > start:
                    write(out, case["repo"], "broken", case["kind"], x, True)
                    break


def slips(a, out):
    """As slips.py does it: its kinds and its slips, with what is seen instead of what is reported."""
    text = pathlib.Path(a.slips).read_text().rsplit("\nmain()", 1)[0]
    s = importlib.util.module_from_spec(importlib.util.spec_from_loader("slips", None))
    exec(compile(text, a.slips, "exec"), s.__dict__)
    for repo in a.only:
        git = a.mirror / repo.replace("/", "+") / "repo"
        if not (git / "HEAD").exists():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            root = os.path.join(os.path.realpath(scratch), "tree")
            lay_out(git, "HEAD", root)
            paths = set(subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True).stdout.splitlines())
            by_name = collections.defaultdict(list)
            for n in paths:
                by_name[n.rsplit("/", 1)[-1]].append(n)
            placed, rng = {}, random.Random(f"{repo}{a.seed}")
            for kind, (exts, rx, how) in s.KINDS.items():
                files = sorted(n for n in paths if n.endswith(exts) and n not in placed and not s.SKIP.search(n) and not (kind in s.TEXTS and s.ASIDE.search(n)))
                rng.shuffle(files)
                n = 0
                for f in files:
                    if n >= a.per:
                        break
                    try:
                        text = open(os.path.join(root, f), encoding="utf-8", newline="").read()
                    except (UnicodeDecodeError, OSError):
                        continue
                    found = [m for m in rx.finditer(text) if s.exists(paths, os.path.dirname(f), m["lit"], how, by_name)]
                    if not found or len(text) > 400_000:
                        continue
                    m = rng.choice(found)
                    bad = s.slip(rng, m["lit"])
                    if not bad or s.exists(paths, os.path.dirname(f), bad, how, by_name):
                        continue
                    open(os.path.join(root, f), "w", encoding="utf-8", newline="").write(text[:m.start("lit")] + bad + text[m.end("lit"):])
                    placed[f, text.count("\n", 0, m.start("lit")) + 1] = (kind, bad)
                    n += 1
            n = 0
            for x in check(a.bin, root):
                kind, bad = placed.get((x["file"], x["line"]), (None, ""))
                if kind and x["literal"] and (bad in x["literal"] or x["literal"] in bad):
                    write(out, repo, "slips", kind, x, True)
                    n += 1
            print(repo, n, "of", len(placed), file=sys.stderr, flush=True)


def write(out, repo, source, group, x, is_broken):
    fix = (x.get("fixes") or [{}])[0]
    row = dict(repo=repo, source=source, group=group, kind=x["kind"], file=x["file"], line=x["line"], literal=x["literal"], broken=is_broken,
               evidence=sorted(x["evidence"]), code=x.get("code"), fix=fix.get("literal"), sure=fix.get("confidence"), preferred=fix.get("preferred"))
    out.write(json.dumps(row) + "\n")
    out.flush()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--mirror", required=True, type=lambda p: pathlib.Path(p).absolute())
    ap.add_argument("--out", required=True)
    ap.add_argument("--labelled")
    ap.add_argument("--broken", action="append", default=[])
    ap.add_argument("--slips")
    ap.add_argument("--sample", type=int, default=0, help="at most so many literals of commits of each repository")
    ap.add_argument("--limit", type=float, default=LIMIT, help="seconds of one check")
    ap.add_argument("--per", type=int, default=20)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--only", action="append", default=[])
    ap.add_argument("--skip", action="append", default=[])
    a = ap.parse_args()
    globals().update(LIMIT=a.limit)
    with open(a.out, "a") as out:
        if a.labelled:
            labelled(a, out)
        if a.broken:
            broken(a, out)
        if a.slips:
            slips(a, out)


if __name__ == "__main__":
    main()
