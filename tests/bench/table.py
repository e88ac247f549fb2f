#!/usr/bin/env python3
"""The table of speed: every row beside its peer, in turns, in one run.

    tests/bench/table.py --bin target/release/pathfinder [--before OLD] [--fd FD] [--trees TREE...] [--bench BENCH] REPOSITORY...

TREE are tops of repositories that shared/perf/mktree.py makes; REPOSITORY are checkouts with their history. BENCH is `pathfinder-bench` of
`cargo build --release -p pathfinder-bench --features peers`. Rows without a peer on this machine are left out. Each figure is the median
of `--runs` runs after one that does not count: the clock, then CPU (user and system) in brackets, in milliseconds. The ratio to the peer
is that of the clock and, in brackets, of CPU: on a busy machine only the second says something.
"""
import argparse, json, os, pathlib, shutil, statistics, subprocess, tempfile, time


def run(command, cwd, cache):
    """Clock and CPU of a command, in milliseconds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=cwd, env=dict(os.environ, PATHFINDER_CACHE_DIR=cache), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return (time.perf_counter() - start) * 1e3, (used.ru_utime + used.ru_stime) * 1e3


def in_turns(runs, commands, cwd, prepare):
    """Medians of clock and CPU of commands by name, which run in turns. `prepare` makes the cache directory of a run ready."""
    times = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as scratch:
        for turn in range(runs + 1):
            for name, command in commands.items():
                cache = os.path.join(scratch, "cache")
                shutil.rmtree(cache, ignore_errors=True)
                prepare(name, cache)
                spent = run(command, cwd, cache)
                if turn:
                    times[name].append(spent)
    return {name: tuple(map(statistics.median, zip(*all))) for name, all in times.items()}


def show(row, medians, peer):
    cells = []
    for name in ("before", "now", "peer"):
        cells.append("{:.1f} ({:.1f})".format(*medians[name]) if name in medians else "–")
    if "peer" in medians:
        ratios = [" ({:.2f})".format(medians[name][1] / medians["peer"][1]) for name in ("before", "now") if name in medians]
        clocks = ["{:.2f}".format(medians[name][0] / medians["peer"][0]) for name in ("before", "now") if name in medians]
        cells.append(", ".join(clock + ratio for clock, ratio in zip(clocks, ratios)))
    else:
        cells.append("–")
    print(f"| {row} | {' | '.join(cells)} | {peer} |", flush=True)


def with_cache(program, root):
    """A cache directory that holds only the listing of a root."""
    cache = tempfile.mkdtemp()
    run([program, "index", "--root", root, "--history-ms", "0"], root, cache)
    return cache


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", required=True, type=os.path.abspath)
    options.add_argument("--before", type=os.path.abspath)
    options.add_argument("--fd", default=shutil.which("fd"))
    options.add_argument("--bench", type=os.path.abspath)
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("--trees", nargs="*", default=[], type=os.path.abspath)
    options.add_argument("repositories", nargs="*", type=os.path.abspath)
    options = options.parse_args()
    programs = {"before": options.before, "now": options.bin} if options.before else {"now": options.bin}
    print(f"load {os.getloadavg()[0]:.1f}\n\n| | before | now | peer | ratio before, now | |\n|---|---|---|---|---|---|")

    for tree in options.trees:
        files = len(subprocess.run(["git", "ls-files", "-z"], cwd=tree, capture_output=True, check=True).stdout.split(b"\0")) - 1
        commands = {name: [program, "index", "--format", "json", "--root", tree] for name, program in programs.items()}
        if options.fd:
            commands["peer"] = [options.fd, "--hidden", ".", tree]
        show(f"index, nothing cached, {files:,} tracked files", in_turns(options.runs, commands, tree, lambda *_: None), "fd")
        for name, program in programs.items():
            with tempfile.TemporaryDirectory() as cache:
                told = json.loads(subprocess.run([program, "index", "--format", "json", "--root", tree], capture_output=True, check=True,
                                                 env=dict(os.environ, PATHFINDER_CACHE_DIR=cache)).stdout)
            print(f"| index, bytes a path, {name} | {told['roots'][0]['bytes_per_path']} | | | | |", flush=True)

    for root in options.repositories:
        name_of = os.path.basename(root)
        caches = {name: with_cache(program, root) for name, program in programs.items()}
        copy = lambda name, cache: name in caches and shutil.copytree(caches[name], cache) or os.makedirs(cache, exist_ok=True)
        commands = {name: [program, "check", "--root", root, "--format", "json", "--history-ms", "0"] for name, program in programs.items()}
        if shutil.which("rg"):
            commands["peer"] = ["rg", "-c", "", "./"]
        show(f"check, {name_of}", in_turns(options.runs, commands, root, copy), "`rg -c ''`")
        files = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
        path = pathlib.PurePath(files[len(files) // 2])
        slip = f"{path.parent}/x{path.name}"
        commands = {name: [program, "resolve", "--root", root, slip] for name, program in programs.items()}
        commands["peer"] = [options.bin, "resolve", "--root", root, "--history-ms", "0", slip]
        caches["peer"] = caches["now"]
        show(f"resolve, only the listing cached, {name_of}", in_turns(options.runs, commands, root, copy), "`--history-ms 0`")
        for cache in set(caches.values()):
            shutil.rmtree(cache)

    if options.bench:
        for name, program in programs.items():
            print(f"\nQuestions, {name}:\n", flush=True)
            subprocess.run([options.bench, "--only", "query", "--sizes", "3261,100000", "--program", program], check=True)


if __name__ == "__main__":
    main()
