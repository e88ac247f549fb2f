#!/usr/bin/env python3
"""Merges what server/content/examples/pairs.rs wrote into arrays that models/vectors/train.py reads: one vocabulary, words as numbers.

    models/vectors/merge.py PAIRS OUT

PAIRS has NAME.words, NAME.docs and NAME.queries of each repository. OUT gets vocabulary.txt, the most frequent word first, and one
compressed array for each field. A repository gives at most 26,000 questions, a third of them names, and the same words at most three times.
"""

import collections
import lzma
import pathlib
import sys

import numpy as np

SEED = 31
MOST = 26_000
# Kinds of questions, as in pairs.rs: comment, name, title of a test, subject of a commit, heading, comment of a file.
QUOTAS = {1: MOST, 2: MOST // 3, 3: MOST // 4, 4: MOST // 2, 5: MOST // 5, 6: MOST // 5}
# A word is learned if it is in so many texts and repositories.
MIN_TEXTS, MIN_REPOSITORIES = 6, 3
# Words of a text that are kept: of its path, its name and its body; and of a question.
MOST_WORDS, MOST_QUERY_WORDS = (8, 5, 51), 18


def starts(flat, head, lengths):
    """Returns where each record begins: `head` numbers, of which those at `lengths` count the words that follow."""
    places, at = [], 0
    while at < len(flat):
        places.append(at)
        at += head + sum(flat[at + length] for length in lengths)
    return np.array(places, np.int64)


def chosen(flat, places, chance):
    """Returns the questions of a repository that are kept, in order."""
    seen, kept, left = collections.Counter(), [], dict(QUOTAS)
    for number in chance.permutation(len(places)):
        at = places[number]
        words = tuple(flat[at + 3 : at + 3 + flat[at + 2]])
        if left[flat[at]] > 0 and seen[words] < 3:
            seen[words] += 1
            left[flat[at]] -= 1
            kept.append(number)
    kept = np.array(kept, np.int64)
    return np.sort(kept if len(kept) <= MOST else chance.choice(kept, MOST, replace=False))


def read(directory, name, chance):
    words = pathlib.Path(directory, name + ".words").read_text(encoding="utf-8").split("\n")
    docs, queries = (np.fromfile(pathlib.Path(directory, f"{name}.{kind}"), "<u4").astype(np.int64) for kind in ("docs", "queries"))
    doc_places = starts(docs.tolist(), 3, (0, 1, 2))
    flat = queries.tolist()
    query_places = starts(flat, 3, (2,))
    kept = query_places[chosen(flat, query_places, chance)]
    used = np.unique(queries[kept + 1])
    fields = lambda at: np.split(docs[at + 3 : at + 3 + docs[at : at + 3].sum()], np.cumsum(docs[at : at + 2]))  # noqa: E731
    texts = [fields(doc_places[number]) for number in used]
    asked = [(queries[at], np.searchsorted(used, queries[at + 1]), queries[at + 3 : at + 3 + queries[at + 2]]) for at in kept]
    return words, texts, asked


def in_order(words):
    """Returns the smallest number and the distances between the others: a text is a set, and distances take
    seven tenths of the place when packed."""
    return np.diff(np.sort(words), prepend=np.uint16(0))


def main():
    directory, out = sys.argv[1:]
    chance = np.random.default_rng(SEED)
    names = sorted(place.stem for place in pathlib.Path(directory).glob("*.docs") if place.with_suffix(".queries").stat().st_size)
    repositories = [read(directory, name, chance) for name in names]
    texts_with, spread = collections.Counter(), collections.Counter()
    for words, texts, asked in repositories:
        counts = np.zeros(len(words), np.int64)
        for fields in texts:
            counts[np.concatenate(fields)] += 1
        for _, _, own in asked:
            counts[own] += 1
        for number in np.nonzero(counts)[0]:
            texts_with[words[number]] += int(counts[number])
            spread[words[number]] += 1
    vocabulary = [word for word, count in texts_with.items() if count >= MIN_TEXTS and spread[word] >= MIN_REPOSITORIES]
    vocabulary.sort(key=lambda word: (-texts_with[word], word))
    numbers = {word: number + 1 for number, word in enumerate(vocabulary)}
    columns = collections.defaultdict(list)
    before = 0
    for number, (words, texts, asked) in enumerate(repositories):
        known = np.array([numbers.get(word, 0) for word in words], np.uint16)
        for fields in texts:
            fields = [in_order(known[field][known[field] > 0][:most]) for field, most in zip(fields, MOST_WORDS)]
            columns["doc_words"] += fields
            columns["doc_lengths"].append([len(field) for field in fields])
            columns["doc_repository"].append(number)
        for kind, doc, own in asked:
            own = in_order(known[own][known[own] > 0][:MOST_QUERY_WORDS])
            if len(own) >= 2:
                columns["query_words"].append(own)
                columns["query_lengths"].append(len(own))
                columns["query_kind"].append(kind)
                columns["query_doc"].append(before + doc)
        before += len(texts)
    kinds = dict(doc_lengths=np.uint8, doc_repository=np.uint16, query_lengths=np.uint8, query_kind=np.uint8, query_doc=np.uint32)
    for name, column in columns.items():
        array = np.array(column, kinds[name]) if name in kinds else np.concatenate(column)
        pathlib.Path(out, f"{name}.{array.dtype}.xz").write_bytes(lzma.compress(array.tobytes(), preset=3))
    pathlib.Path(out, "vocabulary.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    print(len(vocabulary), "words,", len(columns["query_kind"]), "questions,", before, "texts,", len(names), "repositories")


if __name__ == "__main__":
    main()
