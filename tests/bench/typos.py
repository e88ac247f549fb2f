#!/usr/bin/env python3
"""A typo in one literal of a file, of whatever construct: is it reported, and is the first fix what stood there before?

    tests/bench/typos.py [--bin PATH] [--per N] [--misses OUT] REPOSITORY...

REPOSITORY is a checkout, which is not changed. The language server says which literals lead to files (`textDocument/documentLink`).
Per ending of file up to --per files get a typo in one of them: a letter of the last name is left out. Names of fewer than five letters
are passed over. Unlike `slips.py` of the cases this knows no construct, so that it also shows those of which no typo is ever found.

  reported    a finding covers the literal      right    its first fix writes the old one
  preferred   the first fix is marked           wrong    a marked fix writes something else
"""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys

import lsp

# Endings of languages that write modules with dots.
DOTTED = (".py", ".java", ".kt", ".scala", ".groovy", ".hs", ".ex", ".exs")


def mistyped(written, ending):
    """The literal without a letter of its last name, or nothing where a name is short or no plain one."""
    path = re.split(r"[#?]", written)[0]
    start = max(path.rfind(mark) for mark in "/\\:" + ("." if ending in DOTTED else "")) + 1
    stem = path[start:].split(".")[0]
    at = start + len(stem) // 2
    if not re.fullmatch(r"[A-Za-z0-9_-]{5,}", stem) or not path[at].isalpha() or path[at] == path[at - 1]:
        return None
    return written[:at] + written[at + 1:]


def links(server, root, file, text):
    """The literals of a file that lead somewhere: (line, start, end), in code units."""
    uri = lsp.uri_of(os.path.join(root, file))
    server.send({"method": "textDocument/didOpen", "params": {
        "textDocument": {"uri": uri, "languageId": "plaintext", "version": 1, "text": text}}})
    _, answer = server.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    server.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
    ranges = [one["range"] for one in answer.get("result") or []]
    return [(one["start"], one["end"]) for one in ranges if one["start"]["line"] == one["end"]["line"]]


def judge(binary, root, file, text, place, old, new):
    """The outcome of one typo."""
    lines = text.split("\n")
    line, start = place
    lines[line] = lines[line][:start] + new + lines[line][start + len(old):]
    command = [binary, "check", "--format", "json", "--stdin-filename", file]
    run = subprocess.run(command, cwd=root, input="\n".join(lines).encode(), capture_output=True, timeout=300)
    column = len(lines[line][:start].encode()) + 1
    rows = [json.loads(row) for row in run.stdout.decode().splitlines() if row.strip()]
    here = [row for row in rows if row.get("line") == line + 1
            and row["column"] < column + len(new.encode()) and row["column"] + len(row["literal"].encode()) > column]
    first = next((fix for row in here for fix in row.get("fixes", [])), {})
    is_right = first.get("literal") == old
    return {"n": 1, "reported": bool(here), "right": is_right, "preferred": is_right and first["preferred"],
            "wrong": bool(first.get("preferred")) and not is_right}


def measure(binary, root, per, random_, misses):
    """The outcomes of one repository, by the ending of the file."""
    files = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout.decode().split("\0")
    files = sorted(filter(None, files))
    random_.shuffle(files)
    server, all_ = lsp.Server(root), collections.defaultdict(collections.Counter)
    asked = collections.Counter()
    for file in files:
        ending = os.path.splitext(file)[1] or os.path.basename(file)
        # A format without literals is not read on and on.
        if all_[ending]["n"] >= per or asked[ending] >= 10 * per:
            continue
        asked[ending] += 1
        try:
            text = open(os.path.join(root, file), encoding="utf-8").read()
        except (OSError, UnicodeDecodeError):
            continue
        if not text.isascii() or "\r" in text or len(text) > 200_000:
            continue
        places = [((start["line"], start["character"]), text.split("\n")[start["line"]][start["character"]:end["character"]])
                  for start, end in links(server, root, file, text)]
        places = [(place, old, mistyped(old, ending)) for place, old in places if mistyped(old, ending)]
        if places:
            place, old, new = random_.choice(places)
            outcome = judge(binary, root, file, text, place, old, new)
            all_[ending].update({key: int(value) for key, value in outcome.items()})
            if misses and not outcome["preferred"]:
                print(json.dumps({"root": root, "file": file, "line": place[0] + 1, "old": old, "new": new, **outcome}), file=misses)
    server.end()
    return all_


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=str(lsp.BINARY))
    parser.add_argument("--per", type=int, default=8)
    parser.add_argument("--misses", type=argparse.FileType("w"))
    parser.add_argument("repositories", nargs="+")
    arguments = parser.parse_args()
    lsp.BINARY = arguments.bin
    total = collections.defaultdict(collections.Counter)
    for root in map(os.path.abspath, arguments.repositories):
        for ending, counts in measure(arguments.bin, root, arguments.per, random.Random(1), arguments.misses).items():
            total[ending].update(counts)
            total["ALL"].update(counts)
        print(root, dict(total["ALL"]), file=sys.stderr)
    for ending, counts in sorted(total.items(), key=lambda item: (item[0] == "ALL", -item[1]["n"])):
        if n := counts["n"]:
            reported = max(1, counts["reported"])
            print(f"{ending:20} {n:5} {counts['reported'] / n:.3f} {counts['right'] / reported:.3f} "
                  f"{counts['preferred'] / reported:.3f} {counts['wrong']}")


if __name__ == "__main__":
    main()
