#!/usr/bin/env python3
"""Asks `pathfinder find` what is sampled from a repository, and counts how often it is right.

    tests/ranking/sample.py [--number N] [--seed N] [--misses] [--formulas] DIRECTORY...

Each line of the table is a kind of question, each with an answer that the tree itself gives:

symbol        `where is X implemented` for names of at least four letters that exactly one place declares; right is the
              declaring file first, or, where that is a header, the source file of the same name
symbol typo   the same with one letter dropped, added, changed or swapped with the next; names of at least six letters
stem 1 typo   the stem of a file that no other file has, be it as its whole name (at least five letters) with one typo: first
stem 2 typos  the same (at least eight letters) with two typos: among the first three
two words     two words of a path (three letters or more, one of them of the stem) that no more than three files have
              both, as words of the path or as extension, none of them `with` or the like (see `FUNCTION_WORDS`): among
              the first five, in either order
cut words     the first three letters of two words of a path (four or more, one of them of the stem), where no more than three files
              have words that begin so: among the first ten
joined        a directory and the stem in it without a sign between them (eight letters or more): among the first ten
nonsense      one to three made-up words of seven to eleven letters: none

`--formulas` asks two formulas of pickers the same, on the paths alone: *cascade* (the name equals the query, begins with it, contains it,
every word is a part of the path, the letters are in order, at most two edits; shorter paths first) and *subsequence* (letters in order in
the path, the tightest and shortest first). Nothing is published of the formulas of the project that this one follows; it describes such a cascade.

A typo that makes the name of something else that is there is drawn again. Not sampled: what is no name (headings, keys).
"""

import argparse
import collections
import json
import os
import random
import re
import string
import subprocess

PROGRAM = os.environ.get("PATHFINDER", "target/release/pathfinder")
HEADERS = {"h", "hh", "hpp", "hxx", "mli", "pyi"}
# English words of three letters or more that only make a sentence: no file is searched by one of them.
FUNCTION_WORDS = set(
    "about all also and any are because been but can could did does for from had has have how into its not our should some "
    "than that the their them there these they this those was were what when where which who whose why will with would you "
    "your".split()
)
NO_NAMES = {"heading", "section", "target", "implementation", "prototype"}


def words(text):
    """As `server/core/src/words.rs` splits them, near enough."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", text)]


def key(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def typo(random, name):
    at = random.randrange(1, len(name) - 1)
    letter = random.choice(string.ascii_lowercase)
    how = random.randrange(4)
    if how == 0:
        return name[:at] + name[at + 1:]
    if how == 1:
        return name[:at] + letter + name[at:]
    if how == 2:
        return name[:at] + letter + name[at + 1:]
    return name[:at] + name[at + 1] + name[at] + name[at + 2:]


def mistyped(random, name, times, known):
    for _ in range(20):
        wrong = name
        for _ in range(times):
            wrong = typo(random, wrong)
        if key(wrong) not in known:
            return wrong
    return None


def nonsense(random):
    def word():
        letters = []
        for at in range(random.randrange(7, 12)):
            letters.append(random.choice("aeiou" if at % 2 else "bcdfghjklmnpqrstvwxyz"))
        return "".join(letters)
    return " ".join(word() for _ in range(random.randrange(1, 4)))


def cut_words(chance, files, beginning):
    """Yields files, each with the beginnings of two words of its path that few files have together."""
    for file in files:
        long = lambda text: sorted({word for word in words(text) if len(word) > 3 and word.isalpha()})  # noqa: E731
        own, around = long(os.path.splitext(os.path.basename(file))[0]), long(os.path.splitext(file)[0])
        pairs = [(one[:3], other[:3]) for one in own for other in around if one[:3] != other[:3]]
        pairs = [pair for pair in pairs if len(beginning[pair[0]] & beginning[pair[1]]) <= 3]
        if pairs:
            yield file, *chance.choice(pairs)


def questions(directory, number, seed):
    chance = random.Random(seed)
    listed = subprocess.run([PROGRAM, "index", "--list-symbols", "--root", directory], capture_output=True, text=True)
    places = collections.defaultdict(set)
    for line in listed.stdout.splitlines():
        found = re.match(r"(.*?):(\d+) (\w+) (.*)$", line)
        if found and found[3] not in NO_NAMES and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{3,}", found[4]):
            places[found[4]].add((found[1], found[2]))
    files = subprocess.run(["git", "-C", directory, "ls-files"], capture_output=True, text=True).stdout.splitlines()
    files = [file for file in files if not file.startswith('"')]
    symbols = [(name, next(iter(at))[0]) for name, at in places.items() if len(at) == 1]
    symbols.sort()
    chance.shuffle(symbols)
    by_stem = collections.defaultdict(list)
    having = collections.defaultdict(set)
    for at, file in enumerate(files):
        by_stem[key(os.path.splitext(os.path.basename(file))[0])].append(file)
        for word in {*words(os.path.splitext(file)[0]), os.path.splitext(file)[1][1:].lower()}:
            having[word].add(at)
    known = {key(name) for name in places} | set(by_stem)
    # What snapshots are called (`a.spec.ts.snap`) is another file's whole name.
    names = {key(os.path.basename(file)) for file in files}
    stems = [(stem, found[0]) for stem, found in by_stem.items() if len(found) == 1 and stem not in names]
    stems.sort()
    chance.shuffle(stems)

    def right(file):
        start, extension = os.path.splitext(file)
        if extension[1:] in HEADERS:
            stem = os.path.basename(start)
            return {file} | {other for other in by_stem[key(stem)] if os.path.splitext(other)[1][1:] not in HEADERS}
        return {file}

    for name, file in symbols[:number]:
        yield "symbol", f"where is {name} implemented", right(file), 1
    for name, file in [one for one in symbols if len(key(one[0])) >= 6][:number]:
        wrong = mistyped(chance, name, 1, known)
        if wrong:
            yield "symbol typo", f"where is {wrong} implemented", right(file), 1
    for label, times, least, first in [("stem 1 typo", 1, 5, 1), ("stem 2 typos", 2, 8, 3)]:
        for stem, file in [one for one in stems if len(one[0]) >= least][:number]:
            wrong = mistyped(chance, os.path.splitext(os.path.basename(file))[0], times, known)
            if wrong:
                yield label, wrong, {file}, first
    chance.shuffle(files)
    asked = 0
    for file in files:
        own = {word for word in words(os.path.splitext(os.path.basename(file))[0]) if len(word) > 2 and word.isalpha()}
        around = {word for word in words(os.path.splitext(file)[0]) if len(word) > 2 and word.isalpha()}
        pairs = [(one, other) for one in sorted(own) for other in sorted(around) if one != other]
        chance.shuffle(pairs)
        for one, other in pairs:
            if len(having[one] & having[other]) <= 3 and not {one, other} & FUNCTION_WORDS:
                both = [one, other]
                chance.shuffle(both)
                yield "two words", " ".join(both), {file}, 5
                asked += 1
                break
        if asked == number:
            break
    beginning = collections.defaultdict(set)
    for word, at in having.items():
        if len(word) >= 3:
            beginning[word[:3]] |= at
    for file, one, other in list(cut_words(chance, files, beginning))[:number]:
        yield "cut words", f"{one} {other}", {file}, 10
    joined = collections.defaultdict(list)
    for file in files:
        directory, name = os.path.split(os.path.splitext(file)[0])
        if directory and len(key(os.path.basename(directory) + name)) >= 8:
            joined[key(os.path.basename(directory) + name)].append(file)
    for text, found in [one for one in sorted(joined.items()) if len(one[1]) == 1 and one[0] not in known][:number]:
        yield "joined", text, set(found), 10
    for _ in range(number // 4):
        yield "nonsense", nonsense(chance), set(), 0


def edits_within(left, right, most):
    """Optimal string alignment distance, up to `most`; None beyond."""
    if abs(len(left) - len(right)) > most:
        return None
    before, row = None, list(range(len(right) + 1))
    for at, letter in enumerate(left, 1):
        last, before, row = before, row, [at]
        for to, other in enumerate(right, 1):
            cost = min(before[to] + 1, row[-1] + 1, before[to - 1] + (letter != other))
            if last and to > 1 and letter == right[to - 2] and left[at - 2] == other:
                cost = min(cost, last[to - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def letters_in_order(wanted, text):
    """Returns the shortest stretch of a text that has the letters in order, by a walk forwards and back as fzf does; None without one."""
    at = -1
    for letter in wanted:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
    end, at = at, at + 1
    for letter in reversed(wanted):
        at = text.rfind(letter, 0, at)
    return end - at


def cascade(query, path):
    stem = key(os.path.splitext(os.path.basename(path))[0])
    wanted, parts = key(query), [key(part) for part in query.split()]
    if wanted in (stem, key(os.path.basename(path))):
        return 0
    if stem.startswith(wanted):
        return 1
    if wanted in stem:
        return 2
    if all(part in path.lower() for part in parts) and any(part in stem for part in parts):
        return 3
    if letters_in_order(wanted, stem) is not None:
        return 4
    return None if edits_within(wanted, stem, 2) is None else 5


def by_formula(formula, query, files):
    """Returns the first ten files by a formula."""
    if formula == "cascade":
        places = [(cascade(query, file), file) for file in files]
    else:
        places = [(letters_in_order(key(query), key(os.path.splitext(file)[0])), file) for file in files]
    ranked = sorted((place, len(file), file) for place, file in places if place is not None)
    return [file for _, _, file in ranked[:10]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=1000, help="questions of each kind, a quarter of it nonsense")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--formulas", action="store_true")
    parser.add_argument("directories", nargs="+")
    given = parser.parse_args()
    for directory in given.directories:
        asked = list(questions(directory, given.number, given.seed))
        lines = "".join(json.dumps({"id": at, "query": query}) + "\n" for at, (_, query, _, _) in enumerate(asked))
        command = [PROGRAM, "find", "--batch", "--root", directory]
        answers = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
        counts, times = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(list)
        for (kind, query, right, first), line in zip(asked, answers, strict=True):
            answer = json.loads(line)
            paths = [hit["path"] for hit in answer.get("results", [])]
            good = bool(right & set(paths[:first])) if right else not paths
            counts[kind][0] += good
            counts[kind][1] += 1
            times[kind].append(answer.get("elapsed_us", 0))
            if not good and given.misses:
                hits = [f"{hit['path']} ({hit['why']}, {hit['score']})" for hit in answer.get("results", [])[:3]]
                print(f"  {kind}: {query} -> {sorted(right)}: {'; '.join(hits) or 'none'}")
        formulas = ("cascade", "subsequence") if given.formulas else ()
        files = subprocess.run(["git", "-C", directory, "ls-files"], capture_output=True, text=True).stdout.splitlines()
        shares = collections.defaultdict(lambda: [0] * len(formulas))
        for kind, query, right, first in asked:
            name = query.removeprefix("where is ").removesuffix(" implemented")
            for at, formula in enumerate(formulas):
                paths = by_formula(formula, name, files)
                shares[kind][at] += bool(right & set(paths[:first])) if right else not paths
        print(os.path.basename(os.path.normpath(directory)))
        for kind, (good, all) in counts.items():
            middle = sorted(times[kind])[len(times[kind]) // 2]
            others = "".join(f"   {formula} {100 * share / all:.1f} %" for formula, share in zip(formulas, shares[kind]))
            print(f"  {kind:<13} {100 * good / all:6.1f} %  of {all:5}   p50 {middle / 1000:.2f} ms{others}")


if __name__ == "__main__":
    main()
