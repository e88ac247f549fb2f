#!/usr/bin/env python3
"""What `check --since` finds of real moves whose references are left as they were.

  tests/bench/since.py --bin target/release/pathfinder --mirror DIR [--commits 30] [--besides OUT.jsonl] CASES.jsonl...

For each of some commits that moved files and mended literals (see shared/cases): the tree before it is laid out, the files it
moved are moved and nothing is mended, that is committed, and `check --since HEAD~1` is asked about the whole root. Every
literal that the real commit had to mend should be found. What is found besides is told apart by what the real commit made of it:

  mended   the real commit wrote it anew or removed it as well, so it was broken (the cases list only some kinds, one line each)
  lost     the real commit removed or moved the whole file that it stands in
  left     the real commit left it as it is: broken by it and forgotten, or a false report. These are for reading.

--besides writes them all with their line and reason.
"""
import argparse, collections, json, os, pathlib, random, subprocess, sys, tempfile


def git(*args, cwd):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "advice.detachedHead=false", *args]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout


def fate(root, commit, finding):
    """What the real commit made of a literal that was reported."""
    show = subprocess.run(["git", "show", f"{commit}:{finding['file']}"], cwd=root, capture_output=True)
    if show.returncode != 0:
        return "lost"
    here, there = (root / finding["file"]).read_bytes(), show.stdout
    if there == here:
        return "left"
    # How often that literal stands in lines like its own.
    line = here.split(b"\n")[finding["line"] - 1].strip()
    lines = lambda text: [one.strip() for one in text.split(b"\n")].count(line)
    return "left" if lines(there) >= lines(here) else "mended"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="+")
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--mirror", required=True, type=lambda p: pathlib.Path(p).absolute())
    ap.add_argument("--commits", type=int, default=30)
    ap.add_argument("--besides")
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
    expected = found = done = 0
    fates, listed = collections.Counter(), []
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
                # Through unused names, because moves can be chained or swapped.
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
            findings = [row for row in map(json.loads, run.stdout.splitlines()) if "literal" in row]
            is_it = lambda row, want: row["file"] == want[0] and (row["literal"] in want[1] or want[1] in row["literal"])
            hit = {want for want in wanted if any(is_it(row, want) for row in findings)}
            more = [row for row in findings if not any(is_it(row, want) for want in wanted)]
            for row in more:
                row.update(repo=repo, commit=commit, fate=fate(root, commit, row))
                row["text"] = (root / row["file"]).read_bytes().split(b"\n")[row["line"] - 1].decode(errors="replace").strip()[:300]
            fates.update(row["fate"] for row in more)
            listed += more
            expected, found, done = expected + len(wanted), found + len(hit), done + 1
            print(f"{repo} {commit[:10]}: {len(moves)} moved, {len(hit)} of {len(wanted)} found, {len(more)} besides", flush=True)
            for miss in sorted(wanted - hit):
                print("    missed:", *miss)
    told = ", ".join(f"{count} {name}" for name, count in sorted(fates.items()))
    print(f"{done} commits: {found} of {expected} literals found, {len(listed)} besides ({told})")
    if a.besides:
        keys = ("repo", "commit", "file", "line", "literal", "kind", "severity", "reason", "fate", "text")
        rows = [json.dumps({key: row.get(key) for key in keys}) + "\n" for row in listed]
        pathlib.Path(a.besides).write_text("".join(rows))


if __name__ == "__main__":
    main()
