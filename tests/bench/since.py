#!/usr/bin/env python3
"""What `check --since` finds of real moves whose references are left as they were.

  tests/bench/since.py --bin target/release/pathfinder --mirror DIR [--commits 30] CASES.jsonl...

For each of some commits that moved files and mended literals (see shared/cases): the tree before it is laid out, the files it
moved are moved and nothing is mended, that is committed, and `check --since HEAD~1` is asked about the whole root. Every
literal that the real commit had to mend should be found. What is found besides is listed: literals that the real commit broke
or removed, or false ones; each was found before the move and is missing after it, or the file is new.
"""
import argparse, json, os, pathlib, random, subprocess, sys, tempfile


def git(*args, cwd):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "advice.detachedHead=false", *args]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="+")
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--mirror", required=True, type=lambda p: pathlib.Path(p).absolute())
    ap.add_argument("--commits", type=int, default=30)
    a = ap.parse_args()
    commits = {}
    for file in a.files:
        for line in open(file):
            case = json.loads(line)
            fit = case["context"] == "code" and case["whole_value"] and case["detectable"] and not case["kind"].startswith("str_path")
            if fit and not case["missing_blobs_in_checkout"]:
                commits.setdefault((case["repo"], case["commit"]), []).append(case)
    order = sorted(commits)
    random.Random(7).shuffle(order)
    expected = found = besides = done = hints = 0
    with tempfile.TemporaryDirectory(prefix="pathfinder-since-") as scratch:
        for repo, commit in order:
            if done >= a.commits:
                break
            bare, root = a.mirror / repo.replace("/", "+") / "repo", pathlib.Path(scratch) / "tree"
            subprocess.run(["rm", "-rf", root])
            try:
                git("clone", "-q", "--shared", "--no-checkout", str(bare), str(root), cwd=scratch)
                git("checkout", "-q", "--detach", f"{commit}^", cwd=root)
                moves = git("diff", "-M", "--diff-filter=R", "--name-status", "HEAD", commit, cwd=root).splitlines()
                moves = [line.split("\t")[1:] for line in moves]
                # Through names that nobody has, as moves can be chained or exchanged.
                for at, (old, _) in enumerate(moves):
                    git("mv", old, f".moving-{at}", cwd=root)
                for at, (_, new) in enumerate(moves):
                    (root / new).parent.mkdir(parents=True, exist_ok=True)
                    git("mv", f".moving-{at}", new, cwd=root)
                git("commit", "-q", "-m", "moved", cwd=root)
            except (subprocess.CalledProcessError, OSError) as error:
                print(f"not run: {repo} {commit[:10]}: {error}", file=sys.stderr)
                continue
            files = set(git("ls-files", "-z", cwd=root).split("\0"))
            wanted = set()
            for case in commits[repo, commit]:
                text = (root / case["file"]).read_text(errors="replace") if case["file"] in files else ""
                if case["old_literal"] in text:
                    wanted.add((case["file"], case["old_literal"]))
            if not wanted or not moves:
                continue
            run = subprocess.run([a.bin, "check", "--since", "HEAD~1", "--format", "json"], cwd=root, text=True, capture_output=True)
            if run.returncode not in (0, 1):
                print(f"failed: {repo} {commit[:10]}: {run.stderr[-300:]}", file=sys.stderr)
                continue
            findings = {(row["file"], row["literal"]) for row in map(json.loads, run.stdout.splitlines()) if "literal" in row}
            hit = {want for want in wanted if any(f == want[0] and (l in want[1] or want[1] in l) for f, l in findings)}
            more = {f for f in findings if not any(f[0] == w[0] and (f[1] in w[1] or w[1] in f[1]) for w in wanted)}
            expected, found, besides, done = expected + len(wanted), found + len(hit), besides + len(more), done + 1
            print(f"{repo} {commit[:10]}: {len(moves)} moved, {len(hit)} of {len(wanted)} found, {len(more)} besides")
            for miss in sorted(wanted - hit):
                print("    missed:", *miss)
            for other in sorted(more)[:6]:
                print("    besides:", *other)
    print(f"{done} commits: {found} of {expected} literals found, {besides} besides")


if __name__ == "__main__":
    main()
