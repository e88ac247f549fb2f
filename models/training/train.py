"""Trains an encoder on what the engine's ranking lacks, and keeps it in CACHE/models/NAME.

  train.py --cache DIR --name NAME [--pairs] [--layers N] [--dim N] [--vocabulary N] [--without-path] [--from NAME]
           [--epochs N] [--most N]

First on many cheap lists (--pairs, of pairs.py), then from that model on lists of the engine (of lists.py).

A step takes requests with their candidates: the right one and the engine's own best wrong ones. The probability of the
right one is a softmax over heat × engine's score + slope × similarity, so nothing is learned that the engine already
knows. Heat and slope are learned with the rest. Seeds are fixed; one thread, so that sums are added in the same order.
"""
import argparse, pathlib, random, time

import torch
from torch.nn import functional

import tokens
from lists import of, repositories
from model import Encoder, similarity

# Candidates of a request in a step, beside the right one, the best wrong ones first; for the table, and for layers,
# which cost ten times more and learn more of more steps.
WRONG = {False: 11, True: 7}
BATCH = {False: 64, True: 32}
# Of the repositories to choose by every such request is enough to see which epoch is best.
CHOSEN = 3
# Rates of learning: the table's rows are met seldom and learn fast, the layers are met each time.
TABLE_RATE, LAYER_RATE = 2e-3, 1e-3
# Share of the query's tokens left out, so that no single word is relied on.
DROPPED = 0.25
# Points for one unit of similarity at the start; learned.
SLOPE = 10.0


def padded(rows):
    width = max(map(len, rows))
    ids = torch.tensor([row + [tokens.PAD] * (width - len(row)) for row in rows])
    return ids, ids != tokens.PAD


def examples(rows, tokenizer, with_path, most_wrong):
    queries = tokens.queries(tokenizer, rows, with_path)
    known = sorted({path for row in rows for path in row["paths"][: most_wrong + 1] + [row["paths"][row["right"]]]})
    document = dict(zip(known, tokens.documents(tokenizer, known)))
    for row, query in zip(rows, queries):
        if len(query) > 1 and len(row["paths"]) > 1:
            wrong = [at for at in range(len(row["paths"])) if at != row["right"]][:most_wrong]
            order = [row["right"]] + wrong
            yield query, [document[row["paths"][at]] for at in order], [row["base"][at] for at in order]


def score(encoder, scale, batch, dice=None):
    """Scores of a batch, the right one first; missing candidates are far below. Without an encoder the engine's own."""
    queries, documents, bases = zip(*batch)
    if dice:
        queries = [query[:1] + [id for id in query[1:] if dice.random() > DROPPED] for query in queries]
    width = max(map(len, documents))
    filled = [one for its in documents for one in its + [[tokens.DOCUMENT]] * (width - len(its))]
    query_ids, query_mask = padded(list(queries))
    ids, mask = padded(filled)
    base = torch.tensor([list(its) + [-1e4] * (width - len(its)) for its in bases])
    if encoder is None:
        return base
    vectors = encoder(ids, mask).reshape(len(batch), width, ids.shape[1], -1)
    found = similarity(encoder(query_ids, query_mask), query_mask, vectors, mask.reshape(len(batch), width, -1))
    return scale[0] * base + scale[1] * found


def loss_of(encoder, scale, data):
    """Mean loss, and mean reciprocal rank among the candidates of a step, ties halved."""
    with torch.no_grad():
        parts = [(score(encoder, scale, data[at : at + 256]), len(data[at : at + 256])) for at in range(0, len(data), 256)]
    rank = lambda part: 0.5 + (part > part[:, :1] + 1e-6).sum(1) + ((part - part[:, :1]).abs() <= 1e-6).sum(1) / 2
    top = sum((1 / rank(part)).sum().item() for part, _ in parts) / len(data)
    loss = sum(functional.cross_entropy(part, torch.zeros(n, dtype=torch.long)).item() * n for part, n in parts) / len(data)
    return loss, top


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cache", required=True, type=pathlib.Path)
    ap.add_argument("--name", required=True)
    ap.add_argument("--pairs", action="store_true")
    ap.add_argument("--layers", type=int, default=0)
    ap.add_argument("--dim", type=int, default=64)
    ap.add_argument("--vocabulary", type=int, default=8192)
    ap.add_argument("--without-path", action="store_true")
    ap.add_argument("--from", dest="start", help="begin with that model's table")
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--most", type=int, default=10**9, help="requests of an epoch, where time is short")
    a = ap.parse_args()
    torch.manual_seed(12)
    torch.set_num_threads(1)
    dice = random.Random(12)
    folders = dict(train="pairs" if a.pairs else "lists", choose="lists")
    lists = {role: [row for name in repositories(role) for row in of(name, a.cache / folder)] for role, folder in folders.items()}
    if a.start:
        tokenizer = tokens.load(a.cache / "models" / a.start)
    else:
        texts = sorted({text for row in lists["train"] for text in [row["intent_text"], *row["paths"][:12]]})
        tokenizer = tokens.make(texts, a.vocabulary)
    dice.shuffle(lists["train"])
    chosen = dict(train=lists["train"][: a.most], choose=lists["choose"][::CHOSEN])
    data = {role: list(examples(rows, tokenizer, not a.without_path, WRONG[a.layers > 0])) for role, rows in chosen.items()}
    encoder, scale = Encoder(tokenizer.get_vocab_size(), a.dim, a.layers), torch.nn.Parameter(torch.tensor([1.0, SLOPE]))
    if a.start:
        kept = torch.load(a.cache / "models" / a.start / "weights.pt")
        encoder.load_state_dict(kept["encoder"], strict=False)
        scale.data[1] = kept["slope"]
    rest = [value for name, value in encoder.named_parameters() if name != "table.weight"]
    optimiser = torch.optim.Adam([dict(params=[encoder.table.weight], lr=TABLE_RATE), dict(params=rest, lr=LAYER_RATE),
                                  dict(params=[scale], lr=0.01)])
    size = BATCH[a.layers > 0]
    steps = a.epochs * (len(data["train"]) // size)
    plan = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1, step / 50, 1.02 - step / steps))
    folder = a.cache / "models" / a.name
    folder.mkdir(parents=True, exist_ok=True)
    without = loss_of(None, None, data["choose"])
    print(a.name, {role: len(its) for role, its in data.items()}, "without: loss, MRR", without, flush=True)
    begun, best = time.process_time(), 1e9
    for epoch in range(a.epochs):
        dice.shuffle(data["train"])
        for at in range(0, len(data["train"]) - size + 1, size):
            scores = score(encoder, scale, data["train"][at : at + size], dice)
            loss = functional.cross_entropy(scores, torch.zeros(size, dtype=torch.long))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            plan.step()
        now, top = loss_of(encoder, scale, data["choose"])
        slope, spent = (scale[1] / scale[0]).item(), time.process_time() - begun
        print(f"  epoch {epoch + 1}: loss {now:.4f}, MRR {top:.4f}, slope {slope:.1f}, {spent:.0f} CPU-s", flush=True)
        if now < best:
            best = now
            form = dict(dim=a.dim, layers=a.layers, slope=slope, with_path=not a.without_path)
            torch.save(form | dict(encoder=encoder.state_dict()), folder / "weights.pt")
    tokens.save(tokenizer, folder)


if __name__ == "__main__":
    main()
