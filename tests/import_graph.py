#!/usr/bin/env python3
"""Prints the import graph of the Rust packages: arrows between packages, and circles of files inside each.

Usage: tests/import_graph.py [--max N] [PACKAGE_DIRECTORY]...   (default: every package below server)
       tests/import_graph.py --lines                            (lines of the shipped packages, without comments and blank ones)
       tests/import_graph.py --svg FILE                         (a picture of the packages; `-` is stdout)

An arrow is a path in code that begins with `crate::`, `self::`, `super::` or the name of a child module; text in comments, strings
and tests does not count. A circle is a strongly connected component of more than one file. With `--max N` the exit status is 1
if a circle has more than N files. The picture has the arrows of the manifests, without those that follow from others.
"""

import argparse
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOISE = re.compile(r"""//[^\n]*|'(?:\\.[^']*|[^'\\])'|r(#+)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*\"""")
TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod tests\s*{")
PATH = re.compile(r"(?<![\w:$])\w+(?:::\w+)*")


def code(path):
    """The text of a file without comments, strings and tests, with each group of a path written out."""
    text = NOISE.sub('""', path.read_text())
    text = TESTS.split(text)[0]
    group = re.compile(r"((?:\w+::)+)\{([^{}]*)\}")
    while group.search(text):
        text = group.sub(lambda m: ", ".join(m[1] + item.strip() for item in m[2].split(",") if item.strip()), text)
    return text


def code_lines(path):
    """The number of lines of a file without its tests, comments and blank lines."""
    lines = TESTS.split(path.read_text())[0].splitlines()
    return sum(not line.lstrip().startswith("//") for line in lines if line.strip())


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


def manifest_arrows(manifests):
    """For each package the packages of ours that its manifest names, without those that another of them brings along."""
    names = {tomllib.loads(path.read_text())["package"]["name"]: path for path in manifests}
    direct = {name: {other for other in tomllib.loads(path.read_text())["dependencies"] if other in names} for name, path in names.items()}

    def reachable(name):
        return direct[name].union(*map(reachable, direct[name]))

    return {name: {other for other in direct[name] if not any(other in reachable(via) for via in direct[name])} for name in direct}


def picture(arrows):
    """An SVG with a row per layer; an importer stands above what it imports."""
    importers = {name: sorted(other for other in arrows if name in arrows[other]) for name in arrows}
    names = sorted(name for name in arrows if arrows[name] or importers[name])

    def layer(name):
        return 1 + max(map(layer, importers[name]), default=-1)

    rows, column = {}, {}
    for name in names:
        rows.setdefault(layer(name), []).append(name)
    for _, row in sorted(rows.items()):
        row.sort(key=lambda name: (sum(column[other] for other in importers[name]) / max(1, len(importers[name])), name))
        column.update({name: (at + 1) / (len(row) + 1) for at, name in enumerate(row)})
    width, height, box, step = 560, 60 * len(rows), (96, 26), 60
    at = {name: (round(column[name] * width), step * layer(name) + step // 2) for name in names}
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="13" text-anchor="middle">',
             '<title>Packages: an arrow goes from a package to one that it imports</title>',
             '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
             '<path d="M0 0L8 4L0 8z" fill="#777"/></marker>',
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for name in names:
        for other in sorted(arrows[name]):
            (x, y), (to_x, to_y) = at[name], at[other]
            y, to_y = y + box[1] // 2, to_y - box[1] // 2
            bend = step // 2
            lines.append(f'<path d="M{x} {y}C{x} {y + bend} {to_x} {to_y - bend} {to_x} {to_y}" fill="none" stroke="#777" marker-end="url(#tip)"/>')
    for name in names:
        x, y = at[name]
        lines.append(f'<rect x="{x - box[0] // 2}" y="{y - box[1] // 2}" width="{box[0]}" height="{box[1]}" rx="4" fill="#eef3fb" stroke="#456"/>')
        lines.append(f'<text x="{x}" y="{y + 4}">{name.removeprefix("pathfinder-")}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--max", type=int)
    arguments.add_argument("--lines", action="store_true")
    arguments.add_argument("--svg", metavar="FILE")
    arguments.add_argument("packages", nargs="*", metavar="PACKAGE_DIRECTORY")
    options = arguments.parse_args()
    manifests = [ROOT / name / "Cargo.toml" for name in options.packages]
    manifests = manifests or [ROOT / "server" / "Cargo.toml", *sorted((ROOT / "server").glob("*/Cargo.toml"))]
    if options.svg:
        text = picture(manifest_arrows(manifests))
        _ = sys.stdout.write(text) if options.svg == "-" else pathlib.Path(options.svg).write_text(text)
        return
    if options.lines:
        shipped = [path for manifest in manifests if manifest.parent.name != "bench" for path in modules(manifest.parent).values()]
        print(sum(map(code_lines, shipped)))
        return
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
