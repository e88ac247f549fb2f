"""Where a model is asked, and what is right without one: on either side of what is sure and of what is plausible.

    tests/bench/doubt.py --bin target/release/pathfinder --model DIR [--cases ../shared/cases] [--every N]

Cases and their layout are those of `../shared/cases/score.py`. For each set: answers that are sure (the original's 50 points and
more), a choice (between 30 and 50), or nothing plausible (30 and less), their share, and the share of them in which the first
candidate, or one of ten, is right without a model. The last column is the share whose order the model changed; the rest of the
answers must be the same with it.
"""

import argparse
import collections
import importlib.util
import json
import os
import pathlib
import tempfile

PLACES = {"exists": "sure", "resolved": "sure", "ambiguous": "choice", "not_found": "nothing"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/pathfinder")
    parser.add_argument("--cases", type=pathlib.Path, default=pathlib.Path("../shared/cases"))
    parser.add_argument("--model", required=True)
    parser.add_argument("--every", type=int, default=1, help="only each N-th case")
    arguments = parser.parse_args()
    spec = importlib.util.spec_from_file_location("score", arguments.cases / "score.py")
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    counts = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("agent", "mutated", "rename", "intent"):
            cases = [json.loads(line) for line in open(arguments.cases / f"{name}.jsonl")][:: arguments.every]
            by_tree = collections.defaultdict(list)
            for case in cases:
                by_tree[case["tree"]].append(case)
            for tree, cases in sorted(by_tree.items()):
                root = score.lay_out(tree, arguments.cases / "trees" / f"{tree}.txt.gz", pathlib.Path(scratch))
                os.environ["RESOLVE_RERANK"] = "off"
                plain, _ = score.ask(arguments.bin, root, cases, 3600)
                os.environ |= {"RESOLVE_RERANK": "on", "RESOLVE_MODEL_DIR": arguments.model}
                asked, _ = score.ask(arguments.bin, root, cases, 3600)
                for case, before, after in zip(cases, plain, asked):
                    if not case["expected"]:
                        continue
                    place, first = PLACES[before["status"]], before.get("path") or (before["candidates"] or [{"path": None}])[0]["path"]
                    count = counts[name, place]
                    count["n"] += 1
                    count["right"] += first in case["expected"]
                    listed = [candidate["path"] for candidate in before["candidates"]]
                    count["among"] += any(path in listed for path in case["expected"])
                    count["reordered"] += bool(after.get("reranked"))
                    # What a model can at most change is the order; nothing else may differ where it is not asked.
                    if place != "choice" and {**before, "elapsed_us": 0} != {**after, "elapsed_us": 0}:
                        raise SystemExit(f"{case['id']}: {place}, and not the same with a model")
    for name in ("agent", "mutated", "rename", "intent"):
        total = sum(counts[name, place]["n"] for place in ("sure", "choice", "nothing"))
        for place in ("sure", "choice", "nothing"):
            count = counts[name, place]
            n = max(count["n"], 1)
            print(f"| {name} | {place} | {count['n']} | {count['n'] / max(total, 1):.3f} | {count['right'] / n:.3f} | {count['among'] / n:.3f} | {count['reordered'] / n:.3f} |")


if __name__ == "__main__":
    main()
