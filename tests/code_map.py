#!/usr/bin/env python3
"""Prints the code map: each Rust file of the product with the first sentence of its module comment.

Usage: tests/code_map.py [DIRECTORY]   (default: server)
"""

import pathlib
import re
import sys


def purpose(path):
    """The first sentence of a file's `//!` comment, on one line."""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("//! "):
            break
        lines.append(line[4:].strip())
    return re.split(r"(?<=\.)\s", " ".join(lines), maxsplit=1)[0]


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    top = root / (sys.argv[1] if len(sys.argv) > 1 else "server")
    if not top.is_dir():
        sys.exit(f"{top} is not a directory. Name one below {root}.")
    for path in sorted(top.rglob("*.rs")):
        if "target" not in path.parts:
            print(f"{path.relative_to(root)}  {purpose(path)}")


if __name__ == "__main__":
    main()
