#!/usr/bin/env python3
"""How soon a running server knows of a change, and what a storm of them does to answers.

  tests/bench/live.py --bin target/release/pathfinder TREE...

Each TREE is the top of a repository (shared/perf/mktree.py makes some of any size). A server is started on it; the time until all is
watched is told by its log. Then files come, move and go, one at a time, and the server is asked for each until it says so: the time
from the change to the first answer that knows of it, p50, p95 and largest, in ms, beside the time of an answer alone. Then so many files
come at once, while the same question is asked without end.
"""
import argparse, os, pathlib, re, shutil, statistics, sys, tempfile, time

sys.path.insert(0, os.path.dirname(__file__))
from mcp import Server


def quantiles(times):
    times = sorted(times)
    return f"p50 {statistics.median(times):.1f}, p95 {times[int(len(times) * .95)]:.1f}, largest {times[-1]:.1f} ms"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--rounds", type=int, default=100)
    ap.add_argument("--storm", type=int, default=20_000)
    ap.add_argument("trees", nargs="+")
    a = ap.parse_args()
    for tree in a.trees:
        cache = tempfile.mkdtemp()
        try:
            measure(a, pathlib.Path(tree).resolve(), cache)
        finally:
            shutil.rmtree(cache)


def measure(a, root, cache):
    server = Server(a.bin, root, cache, "--history-ms", "0")
    line = server.wait_for(" watching ") or "watched=false"
    ready = (time.perf_counter() - server.start) * 1e3
    [counted] = server.call("roots_list")["roots"]
    directory = root / "live-bench"
    directory.mkdir()
    while server.call("path_resolve", failed_path="live-bench").get("status") != "exists":
        pass
    come, moved, gone, alone = [], [], [], []

    def until(failed, known):
        start = time.perf_counter()
        while not known(server.call("path_resolve", failed_path=failed)):
            pass
        return (time.perf_counter() - start) * 1e3

    for number in range(a.rounds):
        # A slip in the name: what is there exactly as asked is found without an index.
        file, other = directory / f"arrival{number:04}quokka.rs", directory / f"departure{number:04}wombat.rs"
        file.touch()
        come.append(until(f"arrival{number:04}quoka.rs", lambda answer: answer.get("path", "").endswith(file.name)))
        file.rename(other)
        moved.append(until(f"departure{number:04}wombt.rs", lambda answer: answer.get("path", "").endswith(other.name)))
        other.unlink()
        gone.append(until(f"departure{number:04}wombt.rs", lambda answer: not answer.get("path", "").endswith(other.name)))
        start = time.perf_counter()
        server.call("path_resolve", failed_path=f"departure{number:04}wombt.rs")
        alone.append((time.perf_counter() - start) * 1e3)
    print(f"{root}: {counted['files']} files, {counted['directories']} directories; {re.sub(r'.*watching ', '', line.strip())}, {ready:.0f} ms after the start")
    print(f"  come: {quantiles(come)}; moved: {quantiles(moved)}; gone: {quantiles(gone)}; an answer alone: {quantiles(alone)}", flush=True)
    if a.storm:
        storm(a, server, directory)
    shutil.rmtree(directory)
    server.close()


def storm(a, server, directory):
    # That a file is gone is seen on disk before the index knows of it.
    server.call("reindex_paths")
    [before] = server.call("roots_list")["roots"]
    if not os.fork():
        for at in range(a.storm):
            if at % 20 == 0:
                os.mkdir(directory / f"package{at // 20}")
            (directory / f"package{at // 20}" / f"module{at}.js").touch()
        os._exit(0)
    answers, start = [], time.perf_counter()
    ended = None
    while True:
        asked = time.perf_counter()
        server.call("path_resolve", failed_path="live-bench/packge1/modul23.js")
        answers.append((time.perf_counter() - asked) * 1e3)
        if ended is None and os.waitpid(-1, os.WNOHANG)[0]:
            ended = time.perf_counter()
        if ended is not None:
            [now] = server.call("roots_list")["roots"]
            if now["files"] == before["files"] + a.storm or time.perf_counter() - ended > 60:
                break
    known = (time.perf_counter() - ended) * 1e3
    print(f"  {a.storm} files come in {(ended - start) * 1e3:.0f} ms, all known {known:.0f} ms later; {len(answers)} answers meanwhile: {quantiles(answers)}", flush=True)


if __name__ == "__main__":
    main()
