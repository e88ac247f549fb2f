#!/usr/bin/env python3
"""Prints the import graph of the Rust packages: arrows between packages, and circles of files inside each.

Usage: tests/import_graph.py [--max N] [PACKAGE_DIRECTORY]...   (default: every package below server)

An arrow is a path in code that begins with `crate::`, `self::`, `super::` or the name of a child module; text in comments, strings
and tests does not count. A circle is a strongly connected component of more than one file. With `--max N` the exit status is 1
if a circle has more than N files.
"""

import argparse
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOISE = re.compile(r"""//[^\n]*|'(?:\\.[^']*|[^'\\])'|r(#+)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*\"""")
PATH = re.compile(r"(?<![\w:$])\w+(?:::\w+)*")


def code(path):
    """The text of a file without comments, strings and tests, with each group of a path written out."""
    text = NOISE.sub('""', path.read_text())
    text = re.split(r"#\[cfg\(test\)\]\s*mod tests\s*{", text)[0]
    group = re.compile(r"((?:\w+::)+)\{([^{}]*)\}")
    while group.search(text):
        text = group.sub(lambda m: ", ".join(m[1] + item.strip() for item in m[2].split(",") if item.strip()), text)
    return text


def modules(package):
    """The files of a package without its tests, by module path."""
    source = package / "src"
    found = {}
    for path in sorted(source.rglob("*.rs")):
        parts = path.relative_to(source).with_suffix("").parts
        if not {"tests", "testing", "properties", "fuzz"} & set(parts):
            found[() if parts in (("lib",), ("main",)) else parts] = path
    return found


def imports(files):
    """For each module the modules of its package that it names, and the names of our packages with their counts."""
    arrows, packages = {name: set() for name in files}, {}
    for name, path in files.items():
        text = code(path)
        children = {other[-1] for other in files if other[:-1] == name and other}
        for match in PATH.finditer(text):
            first, *rest = match[0].split("::")
            if first.startswith("pathfinder_"):
                packages[first] = packages.get(first, 0) + 1
                continue
            if not rest:
                continue
            at = {"crate": (), "self": name, "super": name[:-1]}.get(first)
            if at is None:
                if first not in children:
                    continue
                at = name + (first,)
            while rest and rest[0] == "super":
                at, rest = at[:-1], rest[1:]
            target = at + tuple(rest)
            while target and target not in files:
                target = target[:-1]
            if target in files and target != name:
                arrows[name].add(target)
    return arrows, packages


def circles(arrows):
    """The strongly connected components of more than one module, the largest first (Tarjan's algorithm)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(arrows[node]):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return sorted((group for group in found if len(group) > 1), key=lambda group: (-len(group), group))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--max", type=int)
    arguments.add_argument("packages", nargs="*", metavar="PACKAGE_DIRECTORY")
    options = arguments.parse_args()
    manifests = [ROOT / name / "Cargo.toml" for name in options.packages]
    manifests = manifests or [ROOT / "server" / "Cargo.toml", *sorted((ROOT / "server").glob("*/Cargo.toml"))]
    sys.setrecursionlimit(10_000)
    too_large = 0
    for manifest in manifests:
        package = tomllib.loads(manifest.read_text())["package"]["name"]
        files = modules(manifest.parent)
        arrows, packages = imports(files)
        print(f"{package}: {len(files)} files, {sum(map(len, arrows.values()))} arrows inside")
        for other, count in sorted(packages.items()):
            print(f"  → {other.replace('_', '-')}  {count}")
        for group in circles(arrows):
            too_large += options.max is not None and len(group) > options.max
            print(f"  circle of {len(group)}: {', '.join('::'.join(name) or '(root)' for name in group)}")
    sys.exit(1 if too_large else 0)


if __name__ == "__main__":
    main()
