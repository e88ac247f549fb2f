#!/usr/bin/env python3
"""Fixes of real broken literals: is the right one offered, is it first, and is the one called sure the right one?

  tests/bench/fixes.py --bin target/release/pathfinder --mirror DIR [--history] [--sample N]
                       [--gone] [--repositories A/B,C/D] [--kinds a,b] [--dump OUT.jsonl] [--misses OUT.jsonl] CASES.jsonl...

A case is a real commit that moved a file and mended a literal (see shared/cases). The tree after that commit is laid out
with the old literal put back, once per case, and `check` is asked about the file.

  found      a finding covers the place           first   its first fix is the right one (the new literal, or the same target)
  preferred  its first fix is called sure         wrong   ... and is not the right one

A second table holds what first fixes say against how many are right. With --gone the target itself is taken away, so that no fix
is right: what is still shown is said of nothing.

Without --history git's past is not read. With it the past up to that commit is: the commit that moved the file is known.
--dump writes every fix with its signals and whether it is right, for models/literals/fit.py. DIR holds bare repositories as
DIR/OWNER+NAME/repo. Only cases fit for gating are taken: code, the whole value, the rest of the line unchanged; generic
strings are left out.
"""
import argparse, collections, json, os, pathlib, random, subprocess, sys, tempfile


# First fixes are counted together from each of these probabilities on.
BINS = [0.995, 0.99, 0.97, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0]


def git(*args, **kw):
    return subprocess.run(["git", *args], check=True, capture_output=True, **kw)


class Checkout:
    """One repository, laid out at one commit after the other. Files whose contents the clone lacks are left empty."""

    def __init__(self, bare, root):
        self.bare, self.root, self.there = bare, root, {}
        git("clone", "-q", "--shared", "--no-checkout", str(bare), str(root))
        self.cat = subprocess.Popen(["git", "cat-file", "--batch"], cwd=bare, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def contents(self, name):
        self.cat.stdin.write(name + b"\n")
        self.cat.stdin.flush()
        head = self.cat.stdout.readline().split()
        if head[-1] == b"missing":
            return b""
        data = self.cat.stdout.read(int(head[-1]))
        self.cat.stdout.read(1)
        return data

    def move(self, commit):
        listing = git("ls-tree", "-r", "-z", commit, cwd=self.bare).stdout
        wanted = {}
        for entry in filter(None, listing.split(b"\0")):
            meta, path = entry.split(b"\t", 1)
            mode, kind, name = meta.split()
            if kind == b"blob":
                wanted[path] = (mode, name)
        for path in [path for path, entry in self.there.items() if wanted.get(path) != entry]:
            file = os.path.join(os.fsencode(self.root), path)
            if os.path.lexists(file):
                os.remove(file)
            while (file := os.path.dirname(file)) != os.fsencode(self.root) and os.path.isdir(file) and not os.listdir(file):
                os.rmdir(file)
        for path, entry in wanted.items():
            if self.there.get(path) == entry:
                continue
            file, data = os.path.join(os.fsencode(self.root), path), self.contents(entry[1])
            os.makedirs(os.path.dirname(file), exist_ok=True)
            if entry[0] == b"120000":
                os.symlink(data or b"missing", file)
            else:
                with open(file, "wb") as out:
                    out.write(data)
        self.there = wanted
        git("update-ref", "--no-deref", "HEAD", commit, cwd=self.root)
        git("read-tree", commit, cwd=self.root)


def literal_at(root, case, old, new):
    file = root / case["file"]
    lines = file.read_bytes().decode().split("\n")
    at, text = case["col"] - 1, lines[case["line"] - 1]
    assert text[at:at + len(old)] == old, f"{case['id']}: position does not hold {old!r}"
    lines[case["line"] - 1] = text[:at] + new + text[at + len(old):]
    file.write_bytes("\n".join(lines).encode())


def ask(a, root, file, explain):
    command = [a.bin, "check", "--format", "json", "--history-ms", "60000" if a.history else "0"]
    run = subprocess.run([*command, *(["--explain"] if explain else []), file], cwd=root, text=True, capture_output=True, timeout=300)
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr[-500:])
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return [row for row in rows if "fixes" in row]


def is_right(case, fix):
    same = (fix.get("path") or "").rstrip("/") == case["expected_target"].rstrip("/")
    return fix["literal"] == case["new_literal"] or same


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="+")
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--mirror", required=True, type=lambda p: pathlib.Path(p).absolute())
    ap.add_argument("--history", action="store_true")
    ap.add_argument("--gone", action="store_true")
    ap.add_argument("--sample", type=int, default=0)
    ap.add_argument("--repositories")
    ap.add_argument("--kinds")
    ap.add_argument("--dump")
    ap.add_argument("--misses")
    a = ap.parse_args()
    cases = [json.loads(line) for file in a.files for line in open(file)]
    fit = lambda c: c["context"] == "code" and c["whole_value"] and c["line_otherwise_unchanged"] and c["detectable"]
    cases = [c for c in cases if fit(c) and not c["kind"].startswith("str_path")]
    if a.repositories:
        cases = [c for c in cases if c["repo"] in a.repositories.split(",")]
    if a.kinds:
        cases = [c for c in cases if c["kind"] in a.kinds.split(",")]
    random.Random(7).shuffle(cases)
    cases = sorted(cases[: a.sample or None], key=lambda c: (c["repo"], c["commit"]))
    table, not_run, dump, misses = collections.defaultdict(collections.Counter), 0, [], []
    said = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory(prefix="pathfinder-fixes-") as scratch:
        place, checkout, at = None, None, None
        for case in cases:
            bare = a.mirror / case["repo"].replace("/", "+") / "repo"
            if place != case["repo"]:
                place, at = case["repo"], None
                if checkout:
                    subprocess.run(["rm", "-rf", checkout.root])
                checkout = Checkout(bare, pathlib.Path(scratch) / place.replace("/", "+")) if (bare / "HEAD").exists() else None
            try:
                if at != case["commit"]:
                    checkout.move(case["commit"])
                    at = case["commit"]
                literal_at(checkout.root, case, case["new_literal"], case["old_literal"])
            except (AttributeError, subprocess.CalledProcessError, OSError, AssertionError) as error:
                print("not run:", case["id"], error, file=sys.stderr)
                not_run += 1
                continue
            target = checkout.root / case["expected_target"]
            hidden = a.gone and target.exists() and case["file"] != case["expected_target"]
            if a.gone and not hidden:
                continue
            try:
                if hidden:
                    kept = (target.stat().st_mode, target.read_bytes()) if target.is_file() else None
                    if kept is None:
                        continue
                    target.unlink()
                findings = ask(a, checkout.root, case["file"], a.dump)
            finally:
                if hidden and kept:
                    target.write_bytes(kept[1])
                    target.chmod(kept[0])
                literal_at(checkout.root, case, case["old_literal"], case["new_literal"])
            start, end = case["byte_col0"] + 1, case["byte_col0"] + 1 + len(case["old_literal"].encode())
            here = [f for f in findings if f["line"] == case["line"] and f["column"] < end
                    and f["column"] + len(f["literal"].encode()) > start]
            fixes = here[0]["fixes"] if here else []
            right = [is_right(case, fix) for fix in fixes]
            if here:
                place_of = lambda confidence: next(b for b in BINS if confidence >= b)
                bin = place_of(fixes[0]["confidence"]) if fixes else -1.0
                said[bin].update(n=1, right=any(right[:1]), preferred=bool(fixes and fixes[0]["preferred"]), sum=fixes[0]["confidence"] if fixes else 0)
            row = dict(n=1, found=bool(here), first=any(right[:1]), among=any(right[:5]),
                       preferred=bool(fixes and fixes[0]["preferred"]), wrong=bool(fixes and fixes[0]["preferred"] and not right[0]))
            groups = [case["kind"], "ALL"]
            if case["target_basename_kept"] or case["target_same_basename_in_tree"] == 1:
                groups.append("ALL decidable")
            for group in groups:
                table[group].update(row)
            if fixes and a.dump:
                dump.append(dict(repo=case["repo"], kind=here[0]["kind"], id=case["id"], code=here[0]["code"],
                                 fixes=[dict(fix["signals"], right=is_right(case, fix)) for fix in fixes]))
            if not any(right[:1]) or row["wrong"]:
                misses.append(dict(case=case, findings=here))
    print(f"{'':24}{'n':>6}{'found':>8}{'first':>8}{'among':>8}{'preferred':>11}{'wrong':>7}")
    for group, sums in sorted(table.items(), key=lambda x: (x[0].startswith("ALL"), x[0])):
        n = sums["n"]
        shares = "".join(f"{sums[key] / n:>8.3f}" for key in ("found", "first", "among"))
        print(f"{group:24}{n:>6}{shares}{sums['preferred']:>11}{sums['wrong']:>7}")
    print(f"\n{'said from':>10}{'n':>6}{'mean':>8}{'right':>8}{'preferred':>11}")
    for bin, sums in sorted(said.items()):
        name = "no fix" if bin < 0 else f"{bin:.3f}"
        print(f"{name:>10}{sums['n']:>6}{sums['sum'] / sums['n']:>8.3f}{sums['right'] / sums['n']:>8.3f}{sums['preferred']:>11}")
    if not_run:
        print(f"not run: {not_run}")
    for path, rows in ((a.dump, dump), (a.misses, misses)):
        if path:
            pathlib.Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
