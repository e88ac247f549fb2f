#!/usr/bin/env python3
"""Speed of `pathfinder check` on real repositories, beside `rg -c ''`, which reads every file and does nothing with it.

  tests/bench/check.py --bin target/release/pathfinder [--runs N] GITDIR...

Lays out the newest commit of each repository (a bare one will do; a file whose contents the clone lacks is left empty) and
checks all of it with one thread and with two, in turn with rg, so that what else the machine does falls on all of them.
Without git's history: what is measured is reading the tree and checking. Prints medians and the ratio to rg of two threads.
"""
import argparse, json, os, pathlib, statistics, subprocess, tempfile, time


def lay_out(repository, root):
    listing = subprocess.run(["git", "ls-tree", "-r", "-z", "HEAD"], cwd=repository, capture_output=True, check=True).stdout
    cat = subprocess.Popen(["git", "cat-file", "--batch"], cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for entry in filter(None, listing.split(b"\0")):
        meta, path = entry.split(b"\t", 1)
        mode, kind, name = meta.split()
        if kind != b"blob" or mode == b"120000":
            continue
        cat.stdin.write(name + b"\n")
        cat.stdin.flush()
        head = cat.stdout.readline().split()
        data = b""
        if head[-1] != b"missing":
            data = cat.stdout.read(int(head[-1]))
            cat.stdout.read(1)
        file = os.path.join(os.fsencode(root), path)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as out:
            out.write(data)
    cat.stdin.close()
    cat.wait()


def timed(command, root, threads=None):
    environment = dict(os.environ) | ({"RAYON_NUM_THREADS": str(threads)} if threads else {})
    start = time.perf_counter()
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True)
    assert run.returncode in (0, 1), run.stderr
    return time.perf_counter() - start, run.stdout


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--runs", type=int, default=7)
    ap.add_argument("repositories", nargs="+", type=pathlib.Path)
    a = ap.parse_args()
    for repository in a.repositories:
        with tempfile.TemporaryDirectory() as root:
            lay_out(repository, root)
            check = [a.bin, "check", "--root", root, "--format", "json", "--history-ms", "0"]
            times = {"one": [], "two": [], "rg": []}
            for _ in range(a.runs):
                times["one"].append(timed(check, root, 1)[0])
                elapsed, output = timed(check, root, 2)
                times["two"].append(elapsed)
                times["rg"].append(timed(["rg", "-c", "", "--threads", "2", "--no-messages"], root)[0])
            summary = json.loads(output.splitlines()[-1])["summary"]
            one, two, rg = (statistics.median(times[name]) for name in ("one", "two", "rg"))
            literals = summary["literals"] + summary["unknown"]
            print(f"{repository}: {summary['files']} files, {literals} literals;",
                  f"1 thread {one * 1000:.0f} ms, 2 threads {two * 1000:.0f} ms, rg {rg * 1000:.0f} ms ({two / rg:.1f} x);",
                  f"{summary['files'] / two:.0f} files/s, {literals / two:.0f} literals/s")


if __name__ == "__main__":
    main()
