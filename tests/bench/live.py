#!/usr/bin/env python3
"""How soon a running server knows of a change, and what a storm of them does to answers.

  tests/bench/live.py --bin target/release/pathfinder TREE...

Each TREE is the top of a repository (shared/perf/mktree.py makes some of any size). A server is started on it; the time until all is
watched is told by its log. Then files come, move and go, one at a time, and the server is asked for each until it says so: the time
from the change to the first answer that knows of it, p50, p95 and largest, in ms, beside the time of an answer alone. Then so many files
come at once, while the same question is asked without end, and go again. Before the server is started the same files come and go without
it: a disk may need longer for them than the server. Last the same question is asked while history, declarations and vectors are read, with
nothing kept, and --background says how often.
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
    ap.add_argument("--background", type=int, default=0)
    ap.add_argument("trees", nargs="+")
    a = ap.parse_args()
    for tree in a.trees:
        for measured in [measure] + [background] * bool(a.background):
            cache = tempfile.mkdtemp()
            try:
                measured(a, pathlib.Path(tree).resolve(), cache)
            finally:
                shutil.rmtree(cache)


def measure(a, root, cache):
    directory = root / "live-bench"
    directory.mkdir()
    start = time.perf_counter()
    come_at_once(a, directory)
    alone_ms = (time.perf_counter() - start) * 1e3
    shutil.rmtree(directory)
    server = Server(a.bin, root, cache, "--history-ms", "0", log="info,pathfinder::workspace=debug")
    line = server.wait_for(" watching ") or "watched=false"
    ready = (time.perf_counter() - server.start) * 1e3
    [counted] = server.call("roots_list")["roots"]
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
    if a.storm and "watched=true" in line:
        storm(a, server, directory, counted["files"], alone_ms)
    elif a.storm:
        print("  no storm: no change source")
        shutil.rmtree(directory)
    server.close()


def come_at_once(a, directory):
    for at in range(a.storm):
        if at % 20 == 0:
            os.mkdir(directory / f"package{at // 20}")
        (directory / f"package{at // 20}" / f"module{at}.js").touch()


def storm(a, server, directory, files, alone_ms):
    """`files` are there without it."""

    def counted():
        [now] = server.call("roots_list")["roots"]
        return now["files"]

    def happens(what, action, expect):
        since = len(server.log)
        # What went last is known by a stat, and may be told of later.
        while counted() != files + a.storm - expect:
            time.sleep(0.01)
        child = os.fork()
        if not child:
            action()
            os._exit(0)
        answers, start, ended = [], time.perf_counter(), None
        while True:
            asked = time.perf_counter()
            server.call("path_resolve", failed_path="live-bench/packge1/modul23.js")
            answers.append((time.perf_counter() - asked) * 1e3)
            if ended is None and os.waitpid(child, os.WNOHANG)[0]:
                ended = time.perf_counter()
            if ended is not None and (counted() == files + expect or time.perf_counter() - ended > 60):
                break
        known = (time.perf_counter() - ended) * 1e3
        wrong = "" if counted() == files + expect else ", NOT ALL KNOWN"
        looks = sum(int(found) for line in server.log[since:] for found in re.findall(r"changes applied .*rescans=(\d+)", line))
        took = (ended - start) * 1e3
        print(f"  {a.storm} files {what} in {took:.0f} ms, all known {known:.0f} ms later{wrong}, looked {looks} times; {len(answers)} answers meanwhile: {quantiles(answers)}", flush=True)

    print(f"  without a server {a.storm} files come in {alone_ms:.0f} ms")
    happens("come", lambda: come_at_once(a, directory), a.storm)
    happens("go", lambda: shutil.rmtree(directory), 0)


def background(a, root, cache):
    """Answers while all is read that is read in the background, and after."""
    path = next(path for path in root.rglob("*.*") if path.is_file() and ".git" not in path.parts)
    asked = f"x{path.relative_to(root)}"
    server = Server(a.bin, root, cache, rerank="on")
    server.call("path_resolve", failed_path=asked)
    first = (time.perf_counter() - server.start) * 1e3

    def times():
        found = []
        for _ in range(a.background):
            start = time.perf_counter()
            server.call("path_resolve", failed_path=asked)
            found.append((time.perf_counter() - start) * 1e3)
            time.sleep(0.005)
        return quantiles(found)

    busy = times()
    while True:
        before = processor(server)
        time.sleep(2)
        if processor(server) - before < 0.1:
            break
    print(f"  background: first answer {first:.0f} ms after the start; {a.background} answers from then on: {busy}; when nothing is left to do: {times()}", flush=True)
    server.close()


def processor(server):
    """Seconds that the server has used."""
    fields = pathlib.Path("/proc", str(server.process.pid), "stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
