#!/usr/bin/env python3
"""How long the first answer takes: with nothing kept from before, and with what the last run kept.

  tests/bench/start.py --bin target/release/pathfinder [--fd fdfind] TREE...

Each TREE is the top of a repository on disk (shared/perf/mktree.py makes some of any size). In turns: `resolve` of a misspelt path
without and with a listing in the cache, after one file has come, and `git ls-files`, and `fd` if it is given. Medians, wall and processor time in
milliseconds, from the start of the process to its end, and of one with a listing also until it has said the path. Beside that the first answer of a server that is started then, over MCP, which does not
wait until all was looked at, its handshake included.
"""
import argparse, glob, os, pathlib, resource, shutil, statistics, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(__file__))
from mcp import Server


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--runs", type=int, default=9)
    ap.add_argument("--fd")
    ap.add_argument("trees", nargs="+")
    a = ap.parse_args()
    for tree in a.trees:
        files = subprocess.run(["git", "ls-files"], cwd=tree, capture_output=True, text=True, check=True).stdout.splitlines()

        def is_sure(name):
            said = subprocess.run([a.bin, "resolve", f"{name.parent}/x{name.name}"], cwd=tree, capture_output=True, text=True).stderr
            return said.startswith("resolved")

        # One that a server is sure of before it has looked.
        name = next(filter(is_sure, map(pathlib.PurePath, files[len(files) // 2:])))
        asked = [a.bin, "resolve", "--history-ms", "0", f"{name.parent}/x{name.name}"]
        with tempfile.TemporaryDirectory() as cache:
            env = dict(os.environ, PATHFINDER_CACHE_DIR=cache)
            times = {"nothing kept": [], "kept": [], "kept, until it is said": [], "kept, a server": [], "a server, nothing kept": [], "one file more": [], "git ls-files": []} | ({"fd": []} if a.fd else {})

            def run(what, command, answer=None):
                before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
                with subprocess.Popen(command, env=env, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                    process.stdout.readline()
                    said = time.perf_counter() - start
                    process.communicate()
                wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
                processor = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3
                times[what].append((wall * 1e3, processor))
                if answer:
                    times[answer].append((said * 1e3, processor))

            def serve(what):
                server = Server(a.bin, pathlib.Path(tree).resolve(), cache, "--history-ms", "0", log="warn")
                answer = server.call("path_resolve", failed_path=asked[-1])
                wall = time.perf_counter() - server.start
                assert answer["status"] == "resolved", answer
                server.close()
                times[what].append((wall * 1e3, 0))

            for _ in range(a.runs):
                shutil.rmtree(cache)
                serve("a server, nothing kept")
                shutil.rmtree(cache)
                run("nothing kept", asked)
                run("kept", asked, answer="kept, until it is said")
                serve("kept, a server")
                run("git ls-files", ["git", "ls-files"])
                if a.fd:
                    run("fd", [a.fd, "--hidden", "--exclude", ".git"])
            # Afterwards: what has changed within ten seconds is looked at again, and would count above.
            for _ in range(a.runs):
                new = pathlib.Path(tree, name.parent, "came-just-now.txt")
                new.touch()
                run("one file more", asked)
                new.unlink()
            size = sum(map(os.path.getsize, glob.glob(f"{cache}/*.listing")))
        shown = (f"{what} {statistics.median(w for w, _ in t):.1f} ({statistics.median(c for _, c in t):.1f})" for what, t in times.items())
        print(f"{tree}: {len(files)} files, {size} bytes kept; wall (processor) ms: " + ", ".join(shown), flush=True)


if __name__ == "__main__":
    main()
