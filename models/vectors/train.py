#!/usr/bin/env python3
"""Trains the word vectors of server/content/src/meaning from the arrays of models/vectors/merge.py.

    models/vectors/train.py ARRAYS OUT [SECONDS]

A text is the sum of the vectors of its words, each once. Of 4,096 questions each has to find its own text among all, and each text
its question; eight blocks of 512 are of one repository each, so that most wrong texts are near. Of the words that a question shares with
its text three in ten are left out of the text: words that are equal are found without vectors. OUT gets words.txt and vectors.bin.
"""

import lzma
import math
import pathlib
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

SEED = 31
NUMBERS = 128
LEFT_OUT = 0.3
BLOCK, BLOCKS = 512, 8
RATE = 3e-3
# Words of a text that are read: of its path, its name and its body.
MOST_WORDS = (8, 5, 51)
MOST_QUERY_WORDS = 18
NAME_FIELD, NAME_QUERY = 2, 2
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


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
        cut = np.minimum(lengths[:, field], limit)
        row, column = np.nonzero(np.arange(limit)[None, :] < cut[:, None])
        rows[row, filled[row] + column] = words[begins[row, field] + column]
        fields[row, filled[row] + column] = field + 1
        filled += cut
    return torch.tensor(rows, device=DEVICE), torch.tensor(fields, device=DEVICE)


def batches(repository_of, chance):
    """Yields questions in blocks of one repository each, what is left in mixed ones."""
    while True:
        blocks, rest = [], []
        for repository in range(int(repository_of.max()) + 1):
            own = np.nonzero(repository_of == repository)[0]
            chance.shuffle(own)
            whole = len(own) // BLOCK * BLOCK
            blocks += list(own[:whole].reshape(-1, BLOCK))
            rest.append(own[whole:])
        rest = np.concatenate(rest)
        chance.shuffle(rest)
        blocks += list(rest[: len(rest) // BLOCK * BLOCK].reshape(-1, BLOCK))
        order = chance.permutation(len(blocks))
        for at in range(0, len(order) - BLOCKS + 1, BLOCKS):
            yield torch.tensor(np.concatenate([blocks[one] for one in order[at : at + BLOCKS]]), device=DEVICE)


def write(table, vocabulary, out):
    """Writes int8 numbers with one scale for all: only directions of sums are compared."""
    scale = np.percentile(np.abs(table), 99.95) / 127
    numbers = np.clip((table / scale).round(), -127, 127).astype(np.int8)
    kept = [at for at, word in enumerate(vocabulary) if np.abs(numbers[at]).max() >= 4 and not any("\u4e00" <= letter <= "\u9fff" for letter in word)]
    kept.sort(key=lambda at: vocabulary[at].encode())
    pathlib.Path(out, "words.txt").write_text("".join(vocabulary[at] + "\n" for at in kept), encoding="utf-8")
    numbers[kept].tofile(pathlib.Path(out, "vectors.bin"))


def main():
    directory, out = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 24
    torch.manual_seed(SEED)
    chance = np.random.default_rng(SEED)
    data = dict(arrays(directory))
    vocabulary = pathlib.Path(directory, "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    texts, fields = padded(data["doc_words"], data["doc_lengths"], MOST_WORDS)
    queries, _ = padded(data["query_words"], data["query_lengths"], (MOST_QUERY_WORDS,))
    kind_of, text_of = (torch.tensor(data[name].astype(np.int64), device=DEVICE) for name in ("query_kind", "query_doc"))
    rarity = torch.log((len(texts) + 1) / (torch.bincount(texts.reshape(-1), minlength=len(vocabulary) + 1) + 1)).clamp(min=0)
    rarity[0] = 0
    table = torch.nn.Parameter(torch.randn(len(vocabulary) + 1, NUMBERS, device=DEVICE) * 0.1 * rarity[:, None] / math.sqrt(NUMBERS))
    sharpness = torch.nn.Parameter(torch.tensor(math.log(20.0), device=DEVICE))
    optimizer = torch.optim.Adam([dict(params=[table], lr=RATE), dict(params=[sharpness], lr=1e-3)], betas=(0.9, 0.99))
    direction = lambda words: F.normalize(F.embedding(words, table).sum(1), dim=-1)  # noqa: E731
    start, step = time.time(), 0
    for own in batches(data["doc_repository"][data["query_doc"]], chance):
        part = (time.time() - start) / seconds
        if part >= 1:
            break
        for group, rate in zip(optimizer.param_groups, (RATE, 1e-3)):
            group["lr"] = rate * min(1, step / 50 + 0.02) * (0.5 + 0.5 * math.cos(math.pi * part))
        query, text, field = queries[own], texts[text_of[own]].clone(), fields[text_of[own]]
        text[(kind_of[own] == NAME_QUERY)[:, None] & (field == NAME_FIELD)] = 0
        shared = (text[:, :, None] == query[:, None, :]).any(-1)
        text[shared & (torch.rand(text.shape, device=DEVICE) < LEFT_OUT)] = 0
        near = direction(query) @ direction(text).T * sharpness.exp().clamp(max=60)
        same = text_of[own][:, None] == text_of[own][None, :]
        near = near.masked_fill(same.fill_diagonal_(False), -1e4)
        right = torch.arange(len(own), device=DEVICE)
        loss = (F.cross_entropy(near, right) + F.cross_entropy(near.T, right)) / 2
        optimizer.zero_grad()
        loss.backward()
        table.grad[0] = 0
        optimizer.step()
        step += 1
        if step % 100 == 0:
            print(step, f"{loss.item():.3f}", flush=True)
    write(table.detach()[1:].cpu().numpy(), vocabulary, out)


if __name__ == "__main__":
    main()
