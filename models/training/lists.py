"""Ranked lists to learn from and to be judged by: a request, its candidates with the engine's score, which one is right.

  lists.py train --bin PATHFINDER --mirrors DIR --cache DIR     from the histories of repositories.txt, one file each
  lists.py cases --bin PATHFINDER --cases DIR --cache DIR       from the cases

`--small` reads a quarter of the commits of each repository. Everything is kept in CACHE/lists/OWNER+NAME.jsonl.gz, and
made again only where it is missing. The trees are laid out as empty files, as for the cases: no contents, no git.
"""
import argparse, collections, concurrent.futures, gzip, json, os, pathlib, random, shutil, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "ranking"))
import histories, mistakes
from trees import lay_out
from words import words

HERE = pathlib.Path(__file__).parent
# Requests of each state, by what they are. Bare names are where the ranking ties, so they are most.
SHARES = {"bare": 360, "mistake": 140, "moved": 100}
# Of one name at most this many in each state, or `package.json` would be half of all.
NAME_MAX = 25
# Candidates kept: the rerank pool's most (../shared/DESIGN.md §3).
POOL = 64
# Share of requests with a history, and its length, about as in the cases.
HISTORY, HISTORY_MAX = 0.7, 8
# What is learned is what the ranking lacks without a model.
PLAIN = os.environ | {"RESOLVE_RERANK": "off"}
KEYS = ("id", "failed_path", "op", "intent_text", "root_hint", "from_file", "history")


def repositories(role):
    lines = (line.split() for line in open(HERE / "repositories.txt") if not line.startswith("#"))
    return [name for name, its in lines if role in (its, "all")]


def signal(intent, right, namesakes):
    """What plain word overlap of the intent with the paths of one name says: as the cases' categories, roughly."""
    said = set(words(intent))
    count = {path: len(said & set(words(path.rpartition("/")[0]))) for path in namesakes}
    best = max(count.values())
    if best == 0:
        return "none"
    if count[right] < best:
        return "beaten"
    return "tied-best" if sum(value == best for value in count.values()) > 1 else "unique-best"


def requests_of(commits, paths, dice):
    """Requests of one state of a repository."""
    there, by_name = set(paths), collections.defaultdict(list)
    for path in paths:
        by_name[path.rsplit("/", 1)[-1]].append(path)
    directories = sorted({part for path in paths for part in path.split("/")[:-1]}) or ["src"]
    previous, used, made, old = {}, collections.Counter(), collections.defaultdict(list), {}
    for commit in reversed(commits):
        old |= {new: path for path, new in commit.moves if path not in there and new in there}
        mine = [path for path in commit.paths if path in there]
        history = previous.get(commit.author, [])[:HISTORY_MAX] if dice.random() < HISTORY else []
        previous[commit.author] = mine or previous.get(commit.author, [])
        for path in dice.sample(mine, min(2, len(mine))):
            name, segments = path.rsplit("/", 1)[-1], path.split("/")
            request = dict(intent_text=commit.subject, op="read", expected=[path], history=history)
            if path in old:
                made["moved"].append(request | dict(failed_path=old.pop(path)))
            if len(by_name[name]) >= 3 and used[name] < NAME_MAX:
                used[name] += 1
                its = signal(commit.subject, path, by_name[name])
                made["bare"].append(request | dict(failed_path=name, signal=its))
            failed = dice.choice(mistakes.ALL)(segments, directories, dice)
            if failed and failed not in there:
                intent = commit.subject if dice.random() < 0.6 else ""
                made["mistake"].append(request | dict(failed_path=failed, intent_text=intent))
    for kind, count in SHARES.items():
        for request in dice.sample(made[kind], min(count, len(made[kind]))):
            yield request | dict(kind=kind)


def ask(binary, root, requests):
    """The lists of some requests: candidates as the engine ranks them, its score in points, which is right (or none)."""
    lines = "".join(json.dumps({k: r[k] for k in KEYS if r.get(k)} | {"limit": POOL}) + "\n" for r in requests)
    command = [binary, "resolve", "--batch", "--explain", "--root", root]
    run = subprocess.run(command, input=lines, text=True, capture_output=True, check=True, env=PLAIN)
    for request, line in zip(requests, run.stdout.splitlines(), strict=True):
        candidates = json.loads(line).get("candidates") or []
        paths = [candidate["path"] for candidate in candidates]
        right = next((at for at, path in enumerate(paths) if path in request["expected"]), None)
        base = [round(sum(candidate["explain"].values()), 3) for candidate in candidates]
        kept = {k: request[k] for k in ("kind", "signal", "failed_path", "intent_text") if k in request}
        yield kept | dict(paths=paths, base=base, right=right)


def write(file, rows):
    with gzip.open(file.with_suffix(".part"), "wt", compresslevel=3) as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    file.with_suffix(".part").rename(file)


def read(file):
    with gzip.open(file, "rt") as lines:
        return [json.loads(line) for line in lines]


def of(repository, folder):
    """The lists of a repository as kept in a folder."""
    return read(folder / f"{repository.replace('/', '+')}.jsonl.gz")


def from_history(name, binary, mirrors, out, small):
    file = out / f"{name.replace('/', '+')}.jsonl.gz"
    if file.exists():
        return file.name, "kept"
    repository = histories.at(mirrors, name)
    dice, rows = random.Random(name), []
    for block in histories.blocks(repository, small):
        paths = histories.tree(repository, block[len(block) // 2].id)
        requests = list(requests_of(block, paths, dice))
        root = pathlib.Path(tempfile.mkdtemp(prefix="pathfinder-training-"))
        lay_out(paths, root)
        rows += [row for row in ask(binary, root, requests) if row["right"] is not None]
        shutil.rmtree(root)
    write(file, rows)
    return file.name, dict(collections.Counter(row["kind"] for row in rows))


def from_cases(binary, cases, out):
    """One file for each set of cases, with everything the table of results needs."""
    for file in (cases / f"{name}.jsonl" for name in ("intent", "rename", "agent", "mutated")):
        by_tree, rows, kept = collections.defaultdict(list), [], out / f"cases-{file.stem}.jsonl.gz"
        if kept.exists():
            continue
        for case in map(json.loads, open(file, encoding="utf-8")):
            if case["expected"]:
                by_tree[case["tree"]].append(case)
        for tree, its in sorted(by_tree.items()):
            root = pathlib.Path(tempfile.mkdtemp(prefix="pathfinder-training-"))
            with gzip.open(cases / "trees" / f"{tree}.txt.gz", "rt", errors="surrogateescape") as lines:
                lay_out([line.rstrip("\n") for line in lines], root)
            for case, row in zip(its, ask(binary, root, its)):
                rows.append(row | dict(set=file.stem, category=case["category"], repo=case["repo"]))
            shutil.rmtree(root)
        write(kept, rows)
        print(file.stem, len(rows), "lists", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("what", choices=["train", "cases"])
    ap.add_argument("--bin", required=True, type=pathlib.Path)
    ap.add_argument("--mirrors", type=pathlib.Path)
    ap.add_argument("--cases", type=pathlib.Path)
    ap.add_argument("--cache", required=True, type=pathlib.Path)
    ap.add_argument("--small", action="store_true")
    a = ap.parse_args()
    out = a.cache / "lists"
    out.mkdir(parents=True, exist_ok=True)
    if a.what == "cases":
        return from_cases(a.bin, a.cases, out)
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(from_history, name, a.bin, a.mirrors, out, a.small) for name in repositories("all")]
        for job in concurrent.futures.as_completed(jobs):
            print(*job.result(), flush=True)


if __name__ == "__main__":
    main()
