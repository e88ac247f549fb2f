"""Cheap lists to begin with: commit subject and name → path among its namesakes, without asking the engine.

  pairs.py --mirrors DIR --cache DIR [--small]

There are ten times more of them than lists of the engine (lists.py), which matters to a table of thousands of words.
In place of the engine's score stands the number of words said that the path has: what matches by letters is known.
"""
import argparse, collections, concurrent.futures, pathlib, random

import histories
from lists import STATES, repositories, write
from words import words

# Of each repository at most: a large one should not be all that is learned.
PAIRS_MAX = 12_000
NAME_MAX = 400
NAMESAKES, OTHERS = 6, 2
# Points for a word said that the path has, about as the engine's (`intent_directory`), and of how many.
WORD, WORDS_MAX = 1.0, 3


def base(said, path):
    return WORD * min(WORDS_MAX, len(said & set(words(path))))


def pairs_of(commits, paths, dice):
    there, by_name, by_extension, used = set(paths), collections.defaultdict(list), collections.defaultdict(list), collections.Counter()
    for path in paths:
        by_name[path.rsplit("/", 1)[-1]].append(path)
        by_extension[path.rpartition(".")[2]].append(path)
    for commit in commits:
        mine = [path for path in commit.paths if path in there]
        for path in dice.sample(mine, min(3, len(mine))):
            name = path.rsplit("/", 1)[-1]
            namesakes = [other for other in by_name[name] if other not in mine]
            others = [other for other in dice.sample(by_extension[path.rpartition(".")[2]][:], min(8, len(by_extension[path.rpartition(".")[2]]))) if other not in mine]
            wrong = dice.sample(namesakes, min(NAMESAKES, len(namesakes))) + others[:OTHERS if namesakes else 5]
            if wrong and used[name] < NAME_MAX:
                used[name] += 1
                said, its = set(words(commit.subject)), [path] + wrong
                yield dict(kind="pair", failed_path=name, intent_text=commit.subject, paths=its, base=[base(said, one) for one in its], right=0)


def of(name, mirrors, out, small):
    repository = mirrors / name.replace("/", "+") / "repo"
    repository = repository / ".git" if (repository / ".git").is_dir() else repository
    commits, dice, rows = list(histories.commits(repository)), random.Random("pairs" + name), []
    size = -(-len(commits) // STATES)
    for at in range(0, len(commits), size):
        block = commits[at : at + size]
        rows += pairs_of(block, histories.tree(repository, block[len(block) // 2].id), dice)
    most = PAIRS_MAX // 5 if small else PAIRS_MAX
    write(out / f"{name.replace('/', '+')}.jsonl.gz", dice.sample(rows, min(most, len(rows))))
    return name, len(rows)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--mirrors", required=True, type=pathlib.Path)
    ap.add_argument("--cache", required=True, type=pathlib.Path)
    ap.add_argument("--small", action="store_true")
    a = ap.parse_args()
    out = a.cache / "pairs"
    out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for job in [pool.submit(of, name, a.mirrors, out, a.small) for name in repositories("train")]:
            print(*job.result(), flush=True)


if __name__ == "__main__":
    main()
