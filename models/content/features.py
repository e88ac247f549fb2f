#!/usr/bin/env python3
"""Collects the features that models/content/fit.py learns from: every question, asked of the index of its repository.

    models/content/features.py --ask target/release/examples/ask --mirrors DIR --out OUT QUESTIONS.jsonl

QUESTIONS is ../shared/cases/questions.jsonl: 18 repositories at pinned commits, questions with the files that answer them, and
questions without an answer. DIR/OWNER+NAME/repo is a repository with that commit; a blob that it lacks is an empty file.
`cargo build --release -p pathfinder-content --example ask` builds the program that is asked. It writes OUT/plain/OWNER+NAME.jsonl
without the subjects of commits, and OUT/history/OWNER+NAME.jsonl with those of the 4,000 commits before the pinned one.

Beside its own, each repository is asked those of all others (`foreign:`), 24 about far subjects (`far:`) and 24 of invented
words (`invented:`): none of them has to have an answer there.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import tempfile

# Candidates with features, as the program describes at most.
CANDIDATES = 200
FAR = """how long does sourdough have to rise
deduct the cost of a home office from income tax
castle on the queen's side after the rook moved
prune apple trees in late winter
change the brake pads of a bicycle
tuning a violin by perfect fifths
symptoms of an allergy to pollen
opening hours of the public swimming pool
which wine goes with grilled salmon
knit a sweater with raglan sleeves
how tall is the highest mountain of Peru
remove red wine stains from a carpet
apply for a visa to Japan
offside rule in indoor football
distance from the earth to the moon in miles
how many eggs for a sponge cake
plant tomatoes on a balcony facing north
train a puppy not to bark
mortgage rates for first time buyers
lyrics of an old sailors' song
conjugate irregular French verbs
the capital cities of central Asia
treat a sprained ankle
fold a paper crane""".splitlines()


def invented(chance):
    """A question of three words that no language has."""
    syllable = lambda: chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") + chance.choice(["", "k", "x", "rn"])  # noqa: E731
    return " ".join("".join(syllable() for _ in range(chance.randint(2, 4))) for _ in range(3))


def lay_out(git, revision, directory):
    """Writes the files of a commit."""
    listed = subprocess.run(["git", "-C", git, "ls-tree", "-rz", revision], capture_output=True, check=True).stdout
    reader = subprocess.Popen(["git", "-C", git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for entry in listed.decode(errors="surrogateescape").split("\0"):
        meta, _, path = entry.partition("\t")
        if not path or meta.split()[0] not in ("100644", "100755"):
            continue
        reader.stdin.write(meta.split()[2].encode() + b"\n")
        reader.stdin.flush()
        header = reader.stdout.readline().split()
        data = b"" if header[1] == b"missing" else reader.stdout.read(int(header[2]) + 1)[:-1]
        place = pathlib.Path(directory, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    reader.stdin.close()
    reader.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ask", required=True)
    parser.add_argument("--mirrors", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("questions")
    given = parser.parse_args()
    by_repository = collections.defaultdict(list)
    with open(given.questions, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        by_repository[row["repo"]].append(row)
    for kind in ("plain", "history"):
        pathlib.Path(given.out, kind).mkdir(parents=True, exist_ok=True)
    for repository, own in sorted(by_repository.items()):
        chance = random.Random(repository)
        git = os.path.join(given.mirrors, repository.replace("/", "+"), "repo")
        others = [row for row in rows if row["repo"] != repository and row["category"] in ("semantic", "architecture")]
        asked = [(row["id"], row["query"]) for row in own]
        asked += [("foreign:" + row["id"], row["query"]) for row in others]
        asked += [(f"far:{at}", text) for at, text in enumerate(FAR)]
        asked += [(f"invented:{at}", invented(chance)) for at in range(len(FAR))]
        lines = "".join(json.dumps(dict(id=name, query=text)) + "\n" for name, text in asked)
        revision = own[0]["revision"]
        with tempfile.TemporaryDirectory() as scratch:
            tree, log = os.path.join(scratch, "tree"), os.path.join(scratch, "log")
            os.mkdir(tree)
            lay_out(git, revision, tree)
            form = ["log", "--no-merges", "-n", "4000", "--format=%x01%s", "--name-only", revision]
            with open(log, "wb") as file:
                subprocess.run(["git", "-C", git, "-c", "core.quotePath=off", *form], stdout=file, check=False)
            for kind, more in (("plain", []), ("history", [log])):
                command = [given.ask, tree, str(CANDIDATES), *more]
                run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
                place = pathlib.Path(given.out, kind, repository.replace("/", "+") + ".jsonl")
                place.write_text(run.stdout, encoding="utf-8")
        print(repository, len(asked), flush=True)


if __name__ == "__main__":
    main()
