#!/usr/bin/env python3
"""Whether the index of a running server stays what the disk is, whatever happens to the tree.

  tests/bench/churn.py --bin target/release/pathfinder [--operations 100000] [--seed 1]

A server is started on a repository, and so many things happen there by dice: files and directories are made, removed, renamed and
exchanged, permissions and ignore rules change, files are tracked and forgotten, branches switched, repositories made inside it.
In between the server is asked, while nothing happens: no path that it states may be denied by a look at the disk. At the end its
index has to become what a walk by another process finds, and reading everything again has to find no difference.
"""
import argparse, collections, os, pathlib, random, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(__file__))
from mcp import Server

WORDS = "api app auth build cache client core data db docs error event file form hook index item job key lib log main map model net node parse path plan queue read route rule run scan server session store sync task test token tool tree type user util view wire work".split()
ENDINGS = ".py .rs .ts .md .json .log .tmp .o".split()
RULES = ["*.log", "*.tmp", "*.o", "build", "cache/", "/log", "!keep.log", "data/*", "!data/api.py", "tmp"]


class Tree:
    def __init__(self, root, dice):
        self.root, self.dice, self.branches = root, dice, []
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "churn")
        self.git("config", "user.email", "churn@example.org")
        for _ in range(300):
            self.make()
        self.git("add", "-A")
        self.git("commit", "-qm", "first")
        self.branches.append("main")

    def git(self, *args, at=None):
        return subprocess.run(["git", *args], cwd=at or self.root, capture_output=True).returncode == 0

    def directories(self):
        found = [self.root]
        for at, names, _ in os.walk(self.root):
            names[:] = [name for name in names if name != ".git"]
            found += [os.path.join(at, name) for name in names if not os.path.islink(os.path.join(at, name))]
        return found

    def directory(self):
        """Some directory, found by going down: as quick in a large tree."""
        at = str(self.root)
        while self.dice.random() < 0.75:
            below = [entry.path for entry in os.scandir(at) if entry.is_dir(follow_symlinks=False) and entry.name != ".git"]
            if not below:
                break
            at = self.dice.choice(below)
        return at

    def entry(self):
        at = self.directory()
        names = [entry.path for entry in os.scandir(at) if entry.name != ".git" and entry.name != ".gitignore"]
        return self.dice.choice(names) if names else None

    def name(self):
        word = self.dice.choice(WORDS)
        return word + self.dice.choice(ENDINGS) if self.dice.random() < 0.7 else word

    def new(self):
        return os.path.join(self.directory(), self.name())

    def make(self):
        path = self.new()
        if not os.path.lexists(path):
            if "." in os.path.basename(path):
                pathlib.Path(path).write_text(os.path.basename(path))
            else:
                os.mkdir(path)

    def make_deep(self):
        path = os.path.join(self.directory(), *(self.dice.choice(WORDS) for _ in range(self.dice.randint(2, 5))))
        os.makedirs(path)
        pathlib.Path(path, self.name() + ".txt").touch()

    def remove(self):
        path = self.entry()
        if path and os.path.isdir(path) and not os.path.islink(path):
            # Now and then only: there should be something left.
            if self.dice.random() < 0.2:
                shutil.rmtree(path)
        elif path:
            os.unlink(path)

    def rename(self):
        path = self.entry()
        if path:
            os.rename(path, self.new())

    def exchange(self):
        one, other = self.entry(), self.entry()
        if one and other and not other.startswith(one) and not one.startswith(other):
            aside = str(self.root) + ".aside"
            os.rename(one, aside)
            try:
                os.rename(other, one)
            finally:
                os.rename(aside, other if not os.path.lexists(other) else one)

    def save(self):
        """As editors do: beside it, then in its place."""
        path = self.entry()
        if path and os.path.isfile(path):
            aside = path + "~"
            pathlib.Path(aside).write_text("saved")
            os.rename(aside, path)

    def link(self):
        path = self.new()
        if not os.path.lexists(path):
            os.symlink(self.dice.choice([".", "nowhere", str(self.root), "../api.py"]), path)

    def permit(self):
        path = self.entry()
        if path and not os.path.islink(path):
            os.chmod(path, self.dice.choice([0o755, 0o700, 0o775]))

    def ignore(self):
        path = pathlib.Path(self.directory(), self.dice.choice([".gitignore", ".gitignore", ".ignore"]))
        if path.exists() and self.dice.random() < 0.5:
            path.unlink()
        else:
            path.write_text("\n".join(self.dice.sample(RULES, self.dice.randint(1, 3))) + "\n")

    def track(self):
        path = self.entry()
        if path:
            self.git("add", "-f", path) if self.dice.random() < 0.6 else self.git("rm", "-rq", "--cached", path)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "more")

    def branch(self):
        if len(self.branches) < 5:
            self.branches.append(f"branch{len(self.branches)}")
            self.git("checkout", "-qb", self.branches[-1])
        else:
            self.commit()
            self.git("checkout", "-qf", self.dice.choice(self.branches))

    def nest(self):
        at = self.directory()
        if at != str(self.root):
            if os.path.exists(os.path.join(at, ".git")):
                shutil.rmtree(os.path.join(at, ".git")) if self.dice.random() < 0.5 else self.git("add", "-A", at=at)
            else:
                self.git("init", "-q", at=at)


# How often each happens, of a thousand.
HAPPENS = [("make", 330), ("make_deep", 40), ("remove", 230), ("rename", 170), ("exchange", 40), ("save", 60), ("link", 30),
           ("permit", 50), ("ignore", 20), ("track", 17), ("commit", 4), ("branch", 4), ("nest", 5)]


def stated(root, answer):
    """The paths that an answer states."""
    paths = [answer["path"]] if answer.get("status") in ("exists", "resolved") else []
    paths += [candidate["path"] for candidate in answer.get("candidates", [])]
    return paths


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--operations", type=int, default=100_000)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    dice = random.Random(a.seed)
    place = pathlib.Path(tempfile.mkdtemp(prefix="pathfinder-churn-"))
    try:
        sys.exit(churn(a, dice, place))
    finally:
        shutil.rmtree(place, ignore_errors=True)


def churn(a, dice, place):
    os.environ |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "HOME": str(place / "home")}
    root = place / "root"
    root.mkdir()
    tree = Tree(root, dice)
    server = Server(a.bin, root, place / "cache", "--history-ms", "0")
    if server.wait_for(" watching ") is None:
        print("nothing is watched:", "".join(server.log), file=sys.stderr)
        return 1
    done, denied, asked, took = collections.Counter(), [], 0, []
    kinds, weights = zip(*HAPPENS)
    start = time.monotonic()
    remembered = collections.deque(maxlen=200)
    for number in range(a.operations):
        kind = dice.choices(kinds, weights)[0]
        try:
            getattr(tree, kind)()
            done[kind] += 1
        except OSError:
            done["refused"] += 1
        if number % 7 == 0:
            path = tree.entry()
            if path:
                remembered.append(os.path.relpath(path, root))
        if number % 20 == 0 and remembered:
            failed = dice.choice(remembered)
            failed = failed if dice.random() < 0.5 else failed[:-1]
            if not failed:
                continue
            before = time.perf_counter()
            answer = server.call("path_resolve", failed_path=failed)
            took.append((time.perf_counter() - before) * 1e3)
            asked += 1
            denied += [(failed, path) for path in stated(root, answer) if not os.path.lexists(root / path)]
    happened = time.monotonic() - start
    # Changes are processed in order: a server that knows this file knows all earlier ones.
    (root / "the_last_one.rs").touch()
    expect = counts(a.bin, root, place)
    settled = time.monotonic()
    while (now := of_server(server)) != expect and time.monotonic() - settled < 60:
        time.sleep(0.05)
    settled = time.monotonic() - settled
    mark = len(server.log)
    server.call("reindex_paths")
    line = server.wait_for("reread while watching", mark) or "no longer watching"
    server.close()
    corrected = [line for line in server.log if "corrected=" in line and "corrected=0" not in line]
    drift = line.strip().rsplit("drift=", 1)[-1]
    took.sort()
    print(f"{a.operations} operations in {happened:.1f} s ({dict(done)}); {expect[0]} files, {expect[1]} directories at the end")
    print(f"asked {asked} times, p50 {took[len(took) // 2]:.1f} ms, p99 {took[int(len(took) * .99)]:.1f} ms; denied by a stat: {len(denied)} {denied[:3]}")
    print(f"the index has {now}, a walk finds {expect}, after {settled:.2f} s; different when read again: {drift}; corrected by itself: {len(corrected)}")
    return 0 if not denied and now == expect and drift == "0" and not corrected else 1


def counts(binary, root, place):
    """What a process finds that knows nothing."""
    import json
    env = dict(os.environ, PATHFINDER_CACHE_DIR=str(place / "other"))
    run = subprocess.run([binary, "index", "--format=json", "--root", str(root)], env=env, capture_output=True, text=True, check=True)
    report = json.loads(run.stdout)
    return report["files"], report["directories"]


def of_server(server):
    [root] = server.call("roots_list")["roots"]
    return root["files"], root["directories"]


if __name__ == "__main__":
    main()
