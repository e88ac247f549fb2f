#!/usr/bin/env python3
"""How cost grows with the number of files: index, question, check, update and memory.

    tests/bench/growth.py --bin target/release/pathfinder DATA

DATA has a directory tN for each size N, made by shared/perf/mktree.py --disk --git. Prints a table; docs/pictures/plots.py draws it. Times
are CPU (user and system) in milliseconds, medians of `--runs` runs after one that does not count, because the clock of a busy machine says
nothing. A question: the share of one in a batch of the tree's own questions, less the cost of starting with none. Update: `index` after
one file has come, with the listing cached. Memory: the peak of `index` with nothing cached, and of a batch, in MB.
Needs GNU time.
"""
import argparse, os, pathlib, re, shutil, statistics, subprocess, tempfile


def run(command, cache, stdin=b""):
    """CPU in milliseconds and the peak of memory in MB."""
    with tempfile.TemporaryFile() as file, tempfile.NamedTemporaryFile() as peak:
        file.write(stdin)
        file.seek(0)
        # The system counts the memory of this interpreter too, from which a process of its own is copied. GNU time is small.
        timed = ["/usr/bin/time", "-q", "-f", "%M", "-o", peak.name, *command]
        process = subprocess.Popen(timed, env=dict(os.environ, PATHFINDER_CACHE_DIR=cache, RESOLVE_RERANK="off"), stdin=file,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        return (used.ru_utime + used.ru_stime) * 1e3, int(peak.read()) / 1024


def measure(program, data, runs, checks):
    tree, lines = str(data / "tree"), (data / "queries.ndjson").read_bytes().splitlines(keepends=True)
    more = data / "tree" / "one-file-more.txt"
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        index, batch = [program, "index", "--root", tree], [program, "resolve", "--batch", "--history-ms", "0", "--root", tree]
        for turn in range(runs + 1):
            cache = os.path.join(scratch, "cache")
            shutil.rmtree(cache, ignore_errors=True)
            spent = {"index": run(index, cache)}
            none, all = run(batch, cache), run(batch, cache, b"".join(lines))
            spent["question"] = ((all[0] - none[0]) / len(lines), all[1])
            try:
                more.write_text("")
                spent["update"] = run(index, cache)
            finally:
                more.unlink()
            if checks:
                spent["check"] = run([program, "check", "--root", tree, "--history-ms", "0"], cache)
            if turn:
                for name, figures in spent.items():
                    found.setdefault(name, []).append(figures)
    return {name: tuple(map(statistics.median, zip(*all))) for name, all in found.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", required=True, type=os.path.abspath)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--check-up-to", type=int, default=1_000_000, help="the largest tree that is checked")
    options.add_argument("data", type=pathlib.Path)
    options = options.parse_args()
    trees = {int(path.name[1:]): path for path in options.data.iterdir() if re.fullmatch(r"t\d+", path.name)}
    each = {size: measure(options.bin, trees[size], options.runs, size <= options.check_up_to) for size in sorted(trees)}
    print(f"load {os.getloadavg()[0]:.1f}\n\n| | {' | '.join(f'{size:,}' for size in each)} |\n|---|{'---|' * len(each)}")
    rows = {"index": "index", "question": "question", "update": "update", "check": "check"}
    for row, name in rows.items():
        print(f"| {row} | {' | '.join(f'{figures[name][0]:,.2f}' if name in figures else '–' for figures in each.values())} |")
    for row, name in {"memory of index": "index", "memory of questions": "question"}.items():
        print(f"| {row} | {' | '.join(f'{figures[name][1]:,.1f}' for figures in each.values())} |")


if __name__ == "__main__":
    main()
