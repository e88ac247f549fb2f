"""Judges models over the engine's full ranking, by the cases; prints top 1 and mean reciprocal rank with intervals.

  judge.py --cache DIR NAME...      NAME of CACHE/models, or NAME:int8, NAME:fp16, NAME:fp32 for what was exported; a
                                    directory with such a file, as models/path:int8, for what is shipped

The engine's score + slope × similarity orders the candidates within reach; the similarity is the encoder's, or, for
orientation, BM25 or trigrams of intent and path. The slope is fitted on the repositories to choose by
(repositories.txt; rows `fresh` below, so those are no check of it) and judged on the cases', which neither the model nor
the slope has seen. The intervals (95 %) are by bootstrap over repositories, of the difference to the ranking alone.
Cases whose answer is no candidate count as missed. A model that reads the intent alone is asked of bare names only, as in
the program.
"""
import argparse, collections, json, math, pathlib

import numpy as np
import torch

import tokens
from lists import of, read, repositories
from model import Encoder
from words import words

SETS = {
    "intent u+t": lambda row: row["set"] == "intent" and row["category"] in ("signal unique-best", "signal tied-best"),
    "unique-best": lambda row: row["category"] == "signal unique-best",
    "tied-best": lambda row: row["category"] == "signal tied-best",
    "none": lambda row: row["category"] == "signal none",
    "intent all": lambda row: row["set"] == "intent",
    "rename": lambda row: row["set"] == "rename",
    "agent": lambda row: row["set"] == "agent",
    "bare_intent": lambda row: row["category"] == "bare_intent",
    "mutated": lambda row: row["set"] == "mutated",
    "fresh bare": lambda row: row["kind"] == "bare",
    "fresh u+t": lambda row: row["kind"] == "bare" and row["signal"] in ("unique-best", "tied-best"),
    "fresh none": lambda row: row["kind"] == "bare" and row["signal"] == "none",
    "fresh other": lambda row: row["kind"] in ("mistake", "moved"),
}
# Points per unit of similarity that are tried; 0 is the ranking alone.
SLOPES = [0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 26, 32, 40]
# A candidate so many points behind the best is out of reach: the ranking is sure.
REACH = 4.0
SAMPLES = 2000


def load(cache):
    lists = cache / "lists"
    rows = [row for name in ("intent", "rename", "agent", "mutated") for row in read(lists / f"cases-{name}.jsonl.gz")]
    for name in repositories("choose"):
        rows += [row | dict(set="fresh", category="", repo=name) for row in of(name, lists)]
    for row in rows:
        row["kind"] = row.get("kind", "")
        row["pool"] = [at for at, points in enumerate(row["base"]) if points >= row["base"][0] - REACH]
    return rows


class Neural:
    """Similarities by a model as it will run: one text at a time, vectors of unit length."""

    def __init__(self, cache, name):
        name, _, precision = name.partition(":")
        folder = pathlib.Path(name) if "/" in name else cache / "models" / name
        asked = json.loads((folder / "onnx_config.json").read_text())["pathfinder"]["query"] if precision else ""
        kept = {} if precision else torch.load(folder / "weights.pt")
        self.tokenizer, self.seen = tokens.load(folder), {}
        self.with_path = kept.get("with_path", "{path}" in asked)
        if precision:
            import onnxruntime
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            session = onnxruntime.InferenceSession(folder / f"model_{precision}.onnx", options)
            self.run = lambda ids: session.run(None, {"input_ids": np.array([ids])})[0][0].astype(np.float32)
        else:
            encoder = Encoder(self.tokenizer.get_vocab_size(), kept["dim"], kept["layers"])
            encoder.load_state_dict(kept["encoder"])
            self.run = lambda ids: encoder(torch.tensor([ids]))[0].numpy()

    def vectors(self, ids):
        key = tuple(ids)
        if key not in self.seen:
            found = self.run(ids)
            self.seen[key] = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-6)
        return self.seen[key]

    def __call__(self, row):
        query = tokens.queries(self.tokenizer, [row], self.with_path)[0]
        blind = not self.with_path and "/" in row["failed_path"].strip("/")
        if len(query) < 2 or blind:
            return np.zeros(len(row["pool"]))
        query = self.vectors(query)
        paths = [row["paths"][at] for at in row["pool"]]
        return np.array([(query @ self.vectors(ids).T).max(1).mean() for ids in tokens.documents(self.tokenizer, paths)])


def bm25(row):
    """Of the intent's words in the paths of the pool, which is also what rarity is counted in."""
    texts = [words(row["paths"][at]) for at in row["pool"]]
    count, mean = collections.Counter(word for text in texts for word in set(text)), sum(map(len, texts)) / max(1, len(texts))
    def score(text):
        its = collections.Counter(text)
        return sum(math.log(1 + (len(texts) - count[word] + 0.5) / (count[word] + 0.5)) * its[word] * 2.2
                   / (its[word] + 1.2 * (0.25 + 0.75 * len(text) / mean)) for word in set(words(row["intent_text"])))
    return np.array([score(text) for text in texts]) / 4


def trigrams(row):
    def grams(text):
        text = " ".join(["", *words(text), ""])
        return {text[at : at + 3] for at in range(len(text) - 2)}
    said = grams(row["intent_text"])
    return np.array([len(said & grams(row["paths"][at])) / max(1, len(said)) for at in row["pool"]])


def ranks(rows, similarities, slope):
    """Reciprocal rank of each row's answer; ties keep the engine's order."""
    out = np.zeros(len(rows))
    for index, (row, found) in enumerate(zip(rows, similarities)):
        right = row["right"]
        if right is not None and right in row["pool"]:
            points = np.array(row["base"])[row["pool"]] + slope * found
            place = row["pool"].index(right)
            out[index] = 1 / (1 + (points > points[place] + 1e-9).sum() + (np.abs(points[:place] - points[place]) <= 1e-9).sum())
        elif right is not None:
            out[index] = 1 / (1 + right)
    return out


def fitted(rows, table):
    """The slope that is best for the repositories to choose by; bare names and other mistakes count the same."""
    groups = [np.array([belongs(row) for row in rows]) for belongs in (SETS["fresh bare"], SETS["fresh other"])]
    return max(SLOPES, key=lambda slope: sum(table[slope][group].mean() for group in groups))


def interval(difference, repositories_of):
    """Of a mean difference, by drawing repositories with replacement."""
    names = sorted(set(repositories_of))
    sums = np.array([difference[repositories_of == name].sum() for name in names])
    counts = np.array([(repositories_of == name).sum() for name in names])
    drawn = np.random.default_rng(12).integers(len(names), size=(SAMPLES, len(names)))
    return np.percentile(sums[drawn].sum(1) / counts[drawn].sum(1), [2.5, 97.5])


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cache", required=True, type=pathlib.Path)
    ap.add_argument("--curves", action="store_true", help="also what every slope gives, all repositories together")
    ap.add_argument("--slope", type=float, choices=SLOPES, help="judge this one, instead of fitting it")
    ap.add_argument("names", nargs="+")
    a = ap.parse_args()
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    rows = load(a.cache)
    for kind in ("fitting", "checking"):
        print(f"{kind}:", *sorted({row["repo"] for row in rows if (row["set"] == "fresh") == (kind == "fitting")}))
    plain = ranks(rows, [np.zeros(len(row["pool"])) for row in rows], 0)
    where = np.array([row["repo"] for row in rows])
    for name in a.names:
        similar = {"bm25": bm25, "trigrams": trigrams}.get(name) or Neural(a.cache, name)
        similarities = [similar(row) for row in rows]
        table = {slope: ranks(rows, similarities, slope) for slope in SLOPES}
        chosen = fitted(rows, table) if a.slope is None else a.slope
        found = table[chosen]
        print(f"\n{name}: slope {chosen}")
        for title, belongs in SETS.items():
            these = np.array([belongs(row) for row in rows])
            print(f"  {title:12} {these.sum():5}", end="")
            for what, before, after in ("top 1", plain == 1, found == 1), ("MRR", plain, found):
                low, high = interval((after * 1.0 - before)[these], where[these])
                print(f"  {what} {before[these].mean():.4f} → {after[these].mean():.4f} [{low:+.4f}, {high:+.4f}]", end="")
            print()
            if a.curves:
                print("     ", *(f"{slope}:{table[slope][these].mean():.4f}" for slope in SLOPES))


if __name__ == "__main__":
    main()
