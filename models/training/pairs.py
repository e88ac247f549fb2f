"""Cheap lists to begin with: commit subject and name → path among its namesakes, without asking the engine.

  pairs.py --mirrors DIR --cache DIR [--small]

There are ten times more of them than lists of the engine (lists.py), which matters to a table of thousands of words.
In place of the engine's score stands the number of words said that the path has: what matches by letters is known.
"""
import argparse, collections, concurrent.futures, pathlib, random

import histories
from lists import repositories, write
from words import words

# Of each repository at most: a large one should not be all that is learned.
PAIRS_MAX = 12_000
NAME_MAX = 400
# Wrong ones: namesakes, others of the same extension beside them, and such others where there is no namesake.
NAMESAKES, OTHERS, ALONE = 6, 2, 5
# Points for a word said that the path has, about as the engine's (`intent_directory`), and of how many.
WORD, WORDS_MAX = 1.0, 3


def base(said, path):
    return WORD * min(WORDS_MAX, len(said & set(words(path))))


def pairs_of(commits, paths, dice):
    there, used = set(paths), collections.Counter()
    by_name, by_extension = collections.defaultdict(list), collections.defaultdict(list)
    for path in paths:
        by_name[path.rsplit("/", 1)[-1]].append(path)
        by_extension[path.rpartition(".")[2]].append(path)
    for commit in commits:
        mine = [path for path in commit.paths if path in there]
        for path in dice.sample(mine, min(3, len(mine))):
            name = path.rsplit("/", 1)[-1]
            namesakes = [other for other in by_name[name] if other not in mine]
            alike = by_extension[path.rpartition(".")[2]]
            others = [other for other in dice.sample(alike, min(8, len(alike))) if other not in mine]
            wrong = dice.sample(namesakes, min(NAMESAKES, len(namesakes))) + others[: OTHERS if namesakes else ALONE]
            if wrong and used[name] < NAME_MAX:
                used[name] += 1
                said, its = set(words(commit.subject)), [path] + wrong
                points = [base(said, one) for one in its]
                yield dict(kind="pair", failed_path=name, intent_text=commit.subject, paths=its, base=points, right=0)


def of(name, mirrors, out, small):
    repository, dice, rows = histories.at(mirrors, name), random.Random("pairs" + name), []
    for block in histories.blocks(repository, small):
        rows += pairs_of(block, histories.tree(repository, block[len(block) // 2].id), dice)
    most = PAIRS_MAX // 4 if small else PAIRS_MAX
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
