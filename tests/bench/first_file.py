#!/usr/bin/env python3
"""Tokens until an agent has read the first right file: `path_find` beside `rg` and reading.

    tests/bench/first_file.py --bin PROGRAM --mirror DIR [--questions 50] [--json OUT] QUESTIONS.jsonl

QUESTIONS and DIR are those of ../shared/cases/find_score.py; of the questions with an answer, equally many steps apart are taken. The first
file of `relevant` or `secondary` that is read ends a question.

*path_find*: the text that the tool answers, then its files as `Read` prints them, in the order of the answer.
*rg*: of the words of the question that tell something (no stop words, three letters or more), the three that fewest files have, a word
that no file has aside: the agent is taken to choose them well at once. It pays for the lines of `rg -c -i --sort path 'one|two|three'`, cut
at 100 as tools cut them, then reads files: first those with most of the three words, then by number of lines.
*rg, code only*: the same without tests, documents and data, as an agent that chooses well reads.

`Read` prints at most 2,000 lines. A token is four bytes. After 20 files that are not right the question is given up: what was read until
then is its cost, and it is counted as not found. An answer of none is followed by the way of `rg`, and costs both.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../models/content")]
from features import lay_out  # noqa: E402
from mcp import Server  # noqa: E402

# Words that no agent greps for.
STOP = set("""a about after all also an and any are as at be because been before being between but by can could did do does doing done each
etc every for from get given has have how if in into is it its of on only or other over so such than that the their them then there these
they this to under up use used uses using was way were what when where whether which while who why will with would code file files function
class does""".split())
MOST_FILES = 20
MOST_LINES = 2000
LISTED = 100
# Files that such an agent leaves aside.
NOT_CODE = re.compile(r"(^|/)(tests?|__tests__|spec|docs?|examples?|testdata|fixtures?|vendor)/|[._-](test|spec)s?\.|\.(md|rst|txt|json|ya?ml|toml|lock|svg|html|css|snap)$")


def tokens_of(path):
    """Returns the tokens that reading a file costs."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)[:MOST_LINES]
    except OSError:
        return 0
    return sum(map(len, lines)) // 4


def read_until_right(top, paths, right):
    """Returns the tokens that were read, and the number of files until the right one; None if it was given up."""
    cost = 0
    for number, path in enumerate(paths[:MOST_FILES], 1):
        cost += tokens_of(top / path)
        if path in right:
            return cost, number
    return cost, None


def grep(top, pattern):
    """Returns the lines with a match by file."""
    run = subprocess.run(["rg", "-c", "-i", "--sort", "path", pattern, "."], cwd=top, capture_output=True, text=True, errors="replace", check=False)
    pairs = (line.removeprefix("./").rpartition(":") for line in run.stdout.splitlines())
    return {path: int(count) for path, _, count in pairs}


def by_rg(top, query, right, is_code_only):
    """Returns tokens and files of the way by `rg`."""
    words = dict.fromkeys(word for word in re.findall(r"\w{3,}", query.lower()) if word not in STOP)
    having = {word: grep(top, re.escape(word)) for word in words}
    rarest = sorted((word for word in having if having[word]), key=lambda word: (len(having[word]), word))[:3]
    if not rarest:
        return 0, None
    lines = grep(top, "|".join(map(re.escape, rarest)))
    cost = sum(len(path) + len(str(count)) + 2 for path, count in list(lines.items())[:LISTED]) // 4
    rank = lambda path: (-sum(path in having[word] for word in rarest), -lines[path], path)  # noqa: E731
    order = [path for path in sorted(lines, key=rank) if not (is_code_only and NOT_CODE.search(path))]
    read, files = read_until_right(top, order, right)
    return cost + read, files


def by_find(server, top, query, right):
    """Returns tokens and files of the way by `path_find`."""
    answer = server._request("tools/call", {"name": "path_find", "arguments": {"query": query}})["result"]
    cost = sum(len(part.get("text", "").encode()) for part in answer["content"]) // 4
    paths = [re.sub(r":\d+$", "", one.partition("  ")[0]) for one in answer["structuredContent"].get("results") or []]
    if not paths:
        more, files = by_rg(top, query, right, False)
        return cost + more, files
    read, files = read_until_right(top, paths, right)
    return cost + read, files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.abspath)
    parser.add_argument("--mirror", required=True)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--json")
    parser.add_argument("cases")
    given = parser.parse_args()
    with open(given.cases, encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["relevant"]]
    rows.sort(key=lambda row: (row["repo"], row["id"]))
    taken = min(given.questions, len(rows))
    rows = [rows[number * len(rows) // taken] for number in range(taken)]
    ways, costs, found = ("path_find", "rg", "rg, code only"), collections.defaultdict(list), collections.defaultdict(list)
    for repository in dict.fromkeys(row["repo"] for row in rows):
        own = [row for row in rows if row["repo"] == repository]
        git = pathlib.Path(given.mirror) / repository.replace("/", "+") / "repo"
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
            top, cache = pathlib.Path(work, "tree").resolve(), pathlib.Path(work, "cache")
            top.mkdir()
            lay_out(git, own[0]["revision"], top)
            subprocess.run(["git", "init", "-q", top], check=True)
            server = Server(given.bin, top, cache, "--history-ms", "0")
            server.call("path_find", query=own[0]["query"])
            if not server.wait_for("contents read", patience=600):
                sys.exit(f"{repository}: contents are not read after 10 minutes")
            for row in own:
                right = {*row["relevant"], *(row.get("secondary") or [])}
                asked = by_find(server, top, row["query"], right), by_rg(top, row["query"], right, False), by_rg(top, row["query"], right, True)
                for way, (cost, files) in zip(ways, asked):
                    costs[way].append(cost)
                    found[way].append(files)
            server.close()
        print(repository, len(own), *(statistics.median(costs[way][-len(own):]) for way in ways), flush=True)
    print(f"{len(rows)} questions: tokens at the median, the mean and p90; found within {MOST_FILES} files; files until it, median of those found")
    for way in ways:
        times = [files for files in found[way] if files]
        print(f"{way:14} {statistics.median(costs[way]):8.0f} {statistics.mean(costs[way]):8.0f} {sorted(costs[way])[int(.9 * (len(rows) - 1))]:8} "
              f"{len(times) / len(rows):.2f} {statistics.median(times):.0f}")
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(dict(ids=[row["id"] for row in rows], costs=costs, files=found)))


if __name__ == "__main__":
    main()
