#!/usr/bin/env python3
"""Whether the next start is right when the one before was killed while it wrote what it keeps.

  tests/bench/kill.py --bin target/release/pathfinder --rounds 200 TREE

TREE is copied. In each round something changes in it, `index` is started, and killed while it writes; then another one has to count what
there is. The system kills (SIGXFSZ, for a file that is longer than it allows) at exactly the byte that dice say. As that is only one way,
a tenth as often SIGKILL comes when the file is there and as long as dice say, for which many runs are too fast.
"""
import argparse, json, os, pathlib, random, resource, shutil, subprocess, sys, tempfile, time


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

        files, _ = index()
        [kept] = cache.glob("*.listing")
        size = kept.stat().st_size
        dice, runs, wrong, broken = random.Random(1), 0, 0, 0

        def killed(by_size):
            """What a run left that was killed; `None` if it was too fast."""
            nonlocal runs, wrong, broken, files
            runs += 1
            # Without one the tree is walked, and kept in any case.
            kept.unlink(missing_ok=True)
            for file in cache.glob("*.new"):
                file.unlink()
            (root / f"new{runs}.rs").touch()
            files += 1
            aim = dice.randrange(1, size)

            def limit():
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                resource.setrlimit(resource.RLIMIT_FSIZE, (aim, aim))

            child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit if by_size else None)
            if by_size:
                child.wait()
            else:
                beside = str(kept.with_suffix(f".{child.pid}.new"))
                while child.poll() is None and not kept.exists():
                    try:
                        if os.stat(beside).st_size >= aim:
                            break
                    except FileNotFoundError:
                        pass
                child.kill()
            if child.wait() == 0:
                return None
            left = [file.stat().st_size for file in cache.glob("*.new")]
            found, said = index()
            wrong += found != files
            broken += "broken" in said
            return left[0] if left else None

        by_size = [bytes for bytes in (killed(True) for _ in range(a.rounds)) if bytes is not None]
        by_time = []
        while len(by_time) < a.rounds // 10 and runs < a.rounds * 5:
            left = killed(False)
            by_time += [] if left is None else [left]
        left = by_size + by_time
        part = sum(0 < bytes < size * .99 for bytes in left)
        print(f"{runs} runs; killed while they wrote: {len(by_size)} by size, {len(by_time)} by SIGKILL; {part} left a part of {size} bytes; {broken} files were broken; {wrong} counts were wrong")
        sys.exit(1 if wrong or len(by_size) < a.rounds else 0)
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    main()
