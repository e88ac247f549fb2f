#!/usr/bin/env python3
"""Whether the next start is right when the one before was killed while it wrote what it keeps.

  tests/bench/kill.py --bin target/release/pathfinder --rounds 200 TREE

TREE is copied. In each round something changes in it, `index` is started and killed at a random moment around its end, when it writes;
then another one has to count what there is.
"""
import argparse, json, os, pathlib, random, shutil, subprocess, sys, tempfile, time


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--rounds", type=int, default=200)
    ap.add_argument("tree")
    a = ap.parse_args()
    place = pathlib.Path(tempfile.mkdtemp())
    try:
        root, cache = place / "root", place / "cache"
        shutil.copytree(a.tree, root, symlinks=True)
        command = [a.bin, "index", "--format=json", "--root", str(root)]
        env = dict(os.environ, PATHFINDER_CACHE_DIR=str(cache), PATHFINDER_LOG="warn")

        def index():
            run = subprocess.run(command, env=env, capture_output=True, text=True)
            return (json.loads(run.stdout)["files"] if run.returncode == 0 else None), run.stderr

        start = time.perf_counter()
        files, _ = index()
        took = time.perf_counter() - start
        dice, wrong, killed, broken, left = random.Random(1), 0, 0, 0, 0
        for number in range(a.rounds):
            for file in cache.glob("*.listing"):
                if number % 2:
                    file.unlink()
            (root / f"new{number}.rs").touch()
            files += 1
            child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(took * dice.uniform(0.5, 1.1))
            child.kill()
            killed += child.wait() != 0
            left += any(cache.glob("*.new"))
            found, said = index()
            wrong += found != files
            broken += "broken" in said
        print(f"{a.rounds} rounds, {killed} killed before their end, {left} while they wrote; {broken} files were broken; {wrong} counts were wrong")
        sys.exit(1 if wrong else 0)
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    main()
