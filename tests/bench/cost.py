#!/usr/bin/env python3
"""What `pathfinder check` costs: CPU seconds of whole repositories, and of the file that costs most in each.

    tests/bench/cost.py --bin target/release/pathfinder REPOSITORY OTHER...

Each repository is a checkout, with its history. All of the history is read; nothing is cached from earlier runs. Prints files, CPU
seconds, CPU seconds per 1,000 files and the file that took most; at the end, the first one against the median of the others. CPU time is
that of the process and of git, which it runs; the clock of a busy machine says nothing. One thread, so that the time of a file is its own.
"""
import argparse, json, os, re, statistics, subprocess, tempfile

FILE = re.compile(rb"file checked file=\"?(.*?)\"? cpu_us=(\d+)")


def measure(program, root):
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryFile() as log:
        environment = dict(os.environ) | {
            "PATHFINDER_CACHE_DIR": cache, "PATHFINDER_HISTORY_MS": "600000", "PATHFINDER_LOG": "pathfinder::check=trace", "RAYON_NUM_THREADS": "1",
        }
        before = os.times()
        run = subprocess.run([program, "check", "--root", root, "--format", "json"], cwd=root, env=environment, stdout=subprocess.PIPE, stderr=log)
        after = os.times()
        assert run.returncode in (0, 1), run.returncode
        log.seek(0)
        files = [(int(cpu), name.decode(errors="replace")) for name, cpu in FILE.findall(log.read())]
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(run.stdout.splitlines()[-1])["summary"], cpu, max(files)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", required=True, type=os.path.abspath)
    options.add_argument("repositories", nargs="+", help="the first is held against the median of the others")
    options = options.parse_args()
    each = {}
    print("| repository | files | missing | CPU s | CPU s per 1,000 files | slowest file, CPU s |\n|---|---|---|---|---|---|")
    for root in options.repositories:
        name = os.path.basename(os.path.abspath(root))
        summary, cpu, (most, slowest) = measure(options.bin, os.path.abspath(root))
        each[name] = cpu / summary["files"] * 1000
        print(f"| {name} | {summary['files']:,} | {summary['missing']} | {cpu:.2f} | {each[name]:.2f} | {most / 1e6:.3f} {slowest} |", flush=True)
    first, *others = each.values()
    if others:
        median = statistics.median(others)
        print(f"{next(iter(each))}: {first:.2f}, {first / median:.2f} times the median of the others, {median:.2f}")


if __name__ == "__main__":
    main()
