#!/usr/bin/env python3
"""Trains the word vectors of server/content/src/meaning from the arrays of models/vectors/merge.py.

    models/vectors/train.py ARRAYS OUT [--numbers N] [--rounds N] [--words N]

A text is the sum of the vectors of its words, each once. Of 4,096 questions each has to find its own text among all, and each text
its question; eight blocks of 512 are of one repository each, so that most wrong texts are near. Of the words that a question shares with
its text three in ten are left out of the text: words that are equal are found without vectors. OUT gets words.txt and vectors.bin, with
half a byte a number.

One repository in 36 is kept out and judges: MRR is the mean of one over the rank of a question's text among 64 of the repository.
"""

import argparse
import lzma
import math
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F

SEED = 31
RATE = 3e-3
JUDGES = 36
AMONG = 64
# Steps up and down from zero.
STEPS = 7
# Words of a text that are read: of its path, its name and its body; as merge.py keeps them.
MOST_WORDS = (8, 5, 51)
MOST_QUERY_WORDS = 18
NAME_FIELD, NAME_QUERY = 2, 2
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def options(given=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arrays")
    parser.add_argument("out")
    parser.add_argument("--numbers", type=int, default=128)
    parser.add_argument("--rounds", type=float, default=2, help="how often each question is asked: of repositories that were kept out, more is worse")
    parser.add_argument("--words", type=int, default=20_480, help="words that are written: the most frequent")
    parser.add_argument("--left-out", type=float, default=0.3)
    parser.add_argument("--block", type=int, default=512)
    parser.add_argument("--blocks", type=int, default=8)
    return parser.parse_args(given)


def arrays(directory):
    for place in sorted(pathlib.Path(directory).glob("*.xz")):
        name, kind, _ = place.name.split(".")
        yield name, np.frombuffer(lzma.decompress(place.read_bytes()), kind)


def padded(words, lengths, most):
    """Returns a row of words for each text, and the field of each word from 1; 0 is no word."""
    lengths = lengths.astype(np.int64).reshape(-1, len(most))
    begins = np.concatenate([[0], np.cumsum(lengths.reshape(-1))])[:-1].reshape(lengths.shape)
    rows, fields = np.zeros((len(lengths), sum(most)), np.int32), np.zeros((len(lengths), sum(most)), np.uint8)
    filled = np.zeros(len(lengths), np.int64)
    for field, limit in enumerate(most):
        row, column = np.nonzero(np.arange(limit)[None, :] < lengths[:, field, None])
        distances = np.zeros((len(lengths), limit), np.int32)
        distances[row, column] = words[begins[row, field] + column]
        rows[row, filled[row] + column] = np.cumsum(distances, 1)[row, column]
        fields[row, filled[row] + column] = field + 1
        filled += lengths[:, field]
    return torch.tensor(rows, device=DEVICE), torch.tensor(fields, device=DEVICE)


class Pairs:
    """Texts and questions on the device."""

    def __init__(self, directory):
        data = dict(arrays(directory))
        self.vocabulary = pathlib.Path(directory, "vocabulary.txt").read_text(encoding="utf-8").split("\n")
        self.texts, self.fields = padded(data["doc_words"], data["doc_lengths"], MOST_WORDS)
        self.queries, _ = padded(data["query_words"], data["query_lengths"], (MOST_QUERY_WORDS,))
        self.kind_of, self.text_of = (torch.tensor(data[name].astype(np.int64), device=DEVICE) for name in ("query_kind", "query_doc"))
        self.repository_of = data["doc_repository"][data["query_doc"]].astype(np.int64)
        self.is_judge = self.repository_of % JUDGES == JUDGES - 1


def batches(pairs, given, chance):
    """Yields questions in blocks of one repository each, what is left in mixed ones; for ever."""
    while True:
        blocks, rest = [], []
        for repository in np.unique(pairs.repository_of[~pairs.is_judge]):
            own = np.nonzero(pairs.repository_of == repository)[0]
            chance.shuffle(own)
            whole = len(own) // given.block * given.block
            blocks += list(own[:whole].reshape(-1, given.block))
            rest.append(own[whole:])
        rest = np.concatenate(rest)
        chance.shuffle(rest)
        blocks += list(rest[: len(rest) // given.block * given.block].reshape(-1, given.block))
        order = chance.permutation(len(blocks))
        for at in range(0, len(order) - given.blocks + 1, given.blocks):
            yield torch.tensor(np.concatenate([blocks[one] for one in order[at : at + given.blocks]]), device=DEVICE)


def directions(words, table):
    return F.normalize(F.embedding(words, table).sum(1), dim=-1)


def own_texts(pairs, own):
    """Returns the words of the texts of these questions; a question that is a name has a text without it."""
    text, field = pairs.texts[pairs.text_of[own]].clone(), pairs.fields[pairs.text_of[own]]
    text[(pairs.kind_of[own] == NAME_QUERY)[:, None] & (field == NAME_FIELD)] = 0
    return text


def train(pairs, given):
    """Returns the vectors of all words, and how many batches it read."""
    torch.manual_seed(SEED)
    chance = np.random.default_rng(SEED)
    words = len(pairs.vocabulary) + 1
    rarity = torch.log((len(pairs.texts) + 1) / (torch.bincount(pairs.texts.reshape(-1), minlength=words) + 1)).clamp(min=0)
    rarity[0] = 0
    table = torch.nn.Parameter(torch.randn(words, given.numbers, device=DEVICE) * 0.1 * rarity[:, None] / math.sqrt(given.numbers))
    sharpness = torch.nn.Parameter(torch.tensor(math.log(20.0), device=DEVICE))
    optimizer = torch.optim.Adam([dict(params=[table], lr=RATE), dict(params=[sharpness], lr=1e-3)], betas=(0.9, 0.99))
    steps = int(given.rounds * (~pairs.is_judge).sum() / (given.block * given.blocks))
    for step, own in zip(range(steps), batches(pairs, given, chance)):
        for group, rate in zip(optimizer.param_groups, (RATE, 1e-3)):
            group["lr"] = rate * min(1, step / 50 + 0.02) * (0.5 + 0.5 * math.cos(math.pi * step / steps))
        query, text, same = pairs.queries[own], own_texts(pairs, own), pairs.text_of[own]
        shared = (text[:, :, None] == query[:, None, :]).any(-1)
        text[shared & (torch.rand(text.shape, device=DEVICE) < given.left_out)] = 0
        near = directions(query, table) @ directions(text, table).T * sharpness.exp().clamp(max=60)
        near = near.masked_fill((same[:, None] == same[None, :]).fill_diagonal_(False), -1e4)
        right = torch.arange(len(own), device=DEVICE)
        loss = (F.cross_entropy(near, right) + F.cross_entropy(near.T, right)) / 2
        optimizer.zero_grad()
        loss.backward()
        table.grad[0] = 0
        optimizer.step()
        if step % 500 == 0:
            print(step, f"{loss.item():.3f}", flush=True)
    return table.detach(), steps


def judge(pairs, table):
    """Returns the MRR of questions of repositories that were kept out."""
    chance, ranks = np.random.default_rng(SEED), []
    for repository in np.unique(pairs.repository_of[pairs.is_judge]):
        own = np.nonzero(pairs.repository_of == repository)[0]
        chance.shuffle(own)
        for block in own[: len(own) // AMONG * AMONG].reshape(-1, AMONG):
            block = torch.tensor(block, device=DEVICE)
            near = directions(pairs.queries[block], table) @ directions(own_texts(pairs, block), table).T
            same = pairs.text_of[block][:, None] == pairs.text_of[block][None, :]
            near = near.masked_fill(same.fill_diagonal_(False), -1)
            ranks.append(1 / (near >= near.diagonal()[:, None]).sum(1))
    return torch.cat(ranks).mean().item()


def packed(table):
    """Returns the numbers in steps of four bits, two in a byte, with one scale for all: only directions of sums are compared. Eight bits are no better."""
    steps = np.clip((table / (np.percentile(np.abs(table), 99) / STEPS)).round(), -STEPS, STEPS).astype(np.int8).view(np.uint8) & 15
    return steps[:, 0::2] | steps[:, 1::2] << 4


def write(table, vocabulary, words, out):
    numbers = packed(table[1:].cpu().numpy())
    kept = [at for at, word in enumerate(vocabulary[:words]) if numbers[at].any() and not any("\u4e00" <= letter <= "\u9fff" for letter in word)]
    kept.sort(key=lambda at: vocabulary[at].encode())
    pathlib.Path(out).mkdir(parents=True, exist_ok=True)
    pathlib.Path(out, "words.txt").write_text("".join(vocabulary[at] + "\n" for at in kept), encoding="utf-8")
    numbers[kept].tofile(pathlib.Path(out, "vectors.bin"))


def main():
    given = options()
    pairs = Pairs(given.arrays)
    start = time.time()
    table, steps = train(pairs, given)
    took = time.time() - start
    print(f"{len(pairs.vocabulary)} words, {steps} batches, {took:.0f} s, MRR {judge(pairs, table):.4f}")
    write(table, pairs.vocabulary, given.words, given.out)


if __name__ == "__main__":
    main()
