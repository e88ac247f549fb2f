#!/usr/bin/env python3
"""How long it takes to read what files declare, what that costs in memory, and how right it is.

  tests/bench/symbols.py [--bin PATH] [--runs N] [--show N] DIRECTORY...

Each directory is a checkout. Time is the least of N runs of `index --symbols`,
CPU time the mean of them and includes the walk. What is right is judged with a regular
expression per language that finds lines which declare something beyond doubt (`RULES`), in lines that are no comment:
"found" is the share of these with a symbol of that name on that line; "named" the share of all symbols whose name stands
on the line that is told. `--show N` prints N of the lines that were missed.
"""
import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

# By language: extensions, and what a line that declares looks like. Only what needs no context to be sure.
RULES = {
    "Rust": ("rs", r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:fn|struct|enum|trait|union)\s+(\w+)"),
    "C": ("c", r"^(?!return|else|typedef)[a-z_][\w\s\*]*?[\s\*](\w+)\([^;{}]*\)\s*\{\s*$"),
    "C++": ("cc cpp cxx hpp hh", r"^\s*(?:class|struct|enum class)\s+(?:[A-Z_]+_(?:API|EXPORT)\s+)?(\w+)\s*(?:final\s*)?(?::[^;:]*)?\{"),
    "Python": ("py", r"^\s*(?:async\s+def|def|class)\s+(\w+)\s*[\(:\[]"),
    "JavaScript": ("js mjs cjs jsx", r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\s*\*?|class)\s+(\w+)\s*[\({e]"),
    "TypeScript": ("ts tsx mts", r"^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function|class|interface|enum|type(?=\s+\w+\s*[=<]))\s+(\w+)\s*[\(<{=e]"),
    "Go": ("go", r"^(?:func\s+(?:\([^)]*\)\s*)?|type\s+)(\w+)"),
    "Java": ("java", r"^\s*(?:(?:public|private|protected|static|final|abstract|sealed)\s+)*(?:class|interface|enum|record)\s+(\w+)"),
    "Kotlin": ("kt kts", r"^\s*(?:(?:public|private|internal|open|abstract|override|suspend|data|sealed|inline|operator|protected)\s+)*(?:class|interface|object|fun(?!\s+interface))\s+(?:<[^>]*>\s*)?(?:[\w<>?]+\.)*`?(\w+)"),
    "C#": ("cs", r"^\s*(?:(?:public|private|protected|internal|static|abstract|sealed|partial|readonly)\s+)*(?:class|interface|enum|struct)\s+(\w+)"),
    "C# methods": ("cs", r"^\s*(?:public|private|protected|internal)\s+(?:(?:static|async|override|virtual|abstract|sealed)\s+)*[\w<>\[\],.?]+\s+(\w+)\("),
    "Swift": ("swift", r"^\s*(?:@\w+\s+)?(?:(?:public|private|internal|open|fileprivate|final|static|override|mutating)\s+)*(?:class(?!\s+(?:func|var))|struct|enum|protocol|func|actor)\s+(\w+)"),
    "Scala": ("scala", r"^\s*(?:(?:private|protected|final|sealed|abstract|override|implicit|case)(?:\[\w+\])?\s+)*(?:class|object|trait)\s+(\w+)"),
    "Ruby": ("rb", r"^\s*(?:def\s+(?:self\.)?|class\s+(?:\w+::)*|module\s+(?:\w+::)*)([A-Za-z_]\w*[?!=]?)"),
    "PHP": ("php", r"^\s*(?:(?:abstract|final|public|private|protected|static|readonly)\s+)*(?:function|class|interface|trait)\s+&?(?!__construct)(\w+)"),
    "Elixir": ("ex exs", r"^\s*(?:defmodule|defprotocol)\s+(?:\w+\.)*(\w+)\s+do|^\s*defp?\s+(\w+[?!]?)"),
    "Haskell": ("hs", r"^(?:data|newtype|type)\s+(?!family|instance)([A-Z]\w*)|^([a-z]\w*)\s+::"),
    "Lua": ("lua", r"^\s*(?:local\s+)?function\s+(?:\w+[.:])*(\w+)"),
    "Bash": ("sh bash", r"^(?:function\s+)?([\w:-]+)\s*\(\)\s*\{"),
    "Dart": ("dart", r"^(?:abstract\s+|final\s+|sealed\s+|base\s+)*(?:class|mixin|enum)\s+(\w+)"),
    "Zig": ("zig", r"^\s*(?:pub\s+)?(?:inline\s+|export\s+)?fn\s+(\w+)"),
    "Protobuf": ("proto", r"^\s*(?:message|enum|service|rpc)\s+(\w+)"),
    "SQL": ("sql", r"(?i)^\s*create\s+(?:or\s+replace\s+)?(?:table|view|function)\s+(?:if\s+not\s+exists\s+)?[`\"]?(?:\w+\.)?(\w+)"),
    "Markdown": ("md", r"^##?\s+([A-Za-z]\w*)"),
    "Make": ("mk", r"^([a-z][\w-]*):(?!=|:)"),
}


def run(binary, directory, *flags):
    """With nothing kept of before: what is kept is not read again."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PATHFINDER_CACHE_DIR": cache}
        command = [binary, "index", "--root", directory, *flags]
        return subprocess.run(command, capture_output=True, check=True, env=environment).stdout


def code_lines(path):
    """(number, text) of lines that no comment, docstring or fence covers, as far as is seen without parsing."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read((1 << 20) - 1)
    except (OSError, UnicodeDecodeError):
        return []
    lines, end = [], None
    openers = {"py": [('"""', '"""'), ("'''", "'''")], "md": [("```", "```")], "rb": [("=begin", "=end"), ("<<", None)],
               "hs": [("{-", "-}")], "lua": [("--[[", "]]")], "ex": [('"""', '"""')], "exs": [('"""', '"""')]}
    pairs = openers.get(path.rsplit(".", 1)[-1], [("/*", "*/")])
    for number, line in enumerate(text.split("\n"), 1):
        if end:
            end = None if end in line else end
            continue
        opened = False
        for start, close in pairs:
            at = line.find(start)
            if at >= 0 and close is None:
                mark = re.search(r"<<[~-]?['\"]?([A-Z]\w*)", line)
                if mark:
                    end = mark.group(1)
            elif at >= 0 and close not in line[at + len(start):]:
                end, opened = close, True
                break
        if opened or re.match(r"\s*(//|#(?!#?\s)|--|\*|;)", line):
            continue
        lines.append((number, line))
    return lines


OPTIONS = {
    "directories": dict(nargs="+"),
    "--bin": dict(default="target/release/pathfinder"),
    "--runs": dict(type=int, default=3),
    "--show": dict(type=int, default=0),
}


def arguments():
    """What is measured: (directories, program, runs, missed lines to show)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, options in OPTIONS.items():
        parser.add_argument(name, **options)
    return parser.parse_args()


def main():
    args = arguments()
    load = os.getloadavg()[0]
    print(f"load {load:.1f}, {os.cpu_count()} processors\n")
    print("| repository | files read | KB | ms | CPU ms | KB/CPU ms | symbols | bytes each | bytes a file | named |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    found, total, missed = {}, {}, {}
    for directory in args.directories:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        reports = [json.loads(run(args.bin, directory, "--symbols", "--format", "json")) for _ in range(args.runs)]
        took = min(report["symbols_ms"] for report in reports)
        worked = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        worked *= 1e3 / args.runs
        stats = reports[0]["roots"][0]["symbols"]
        by_file, named, all_symbols = {}, 0, 0
        for line in run(args.bin, directory, "--list-symbols").decode("utf-8", "replace").splitlines():
            place = re.match(r"(.*?):(\d+) (\w+) (.*)", line)
            if place:
                by_file.setdefault(place[1], {}).setdefault(int(place[2]), []).append((place[3], place[4]))
        size = 0
        tracked = subprocess.run(["git", "-C", directory, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True).stdout.split("\n")
        for file in tracked:
            path = os.path.join(directory, file)
            symbols = by_file.get(file, {})
            # Links are not followed.
            if os.path.islink(path):
                continue
            if symbols:
                size += os.path.getsize(path)
                with open(path, encoding="utf-8", errors="replace") as text:
                    lines = text.read().split("\n")
                for number, there in symbols.items():
                    for kind, name in there:
                        all_symbols += 1
                        named += kind == "heading" or name in lines[number - 1]
            for language, (extensions, rule) in RULES.items():
                if not os.path.isfile(path) or file.rsplit(".", 1)[-1] not in extensions.split() or ".min." in file:
                    continue
                for number, line in code_lines(path):
                    match = re.match(rule, line)
                    if not match or number == 0:
                        continue
                    name = next(group for group in match.groups() if group)
                    total[language] = total.get(language, 0) + 1
                    # Clauses of one function are one symbol, on the line of the first.
                    near = symbols.get(number, []) if language not in ("Elixir",) else [s for t in symbols.values() for s in t]
                    if any(other == name or kind == "heading" and name in other or other.startswith(name + " ") for kind, other in near):
                        found[language] = found.get(language, 0) + 1
                    else:
                        missed.setdefault(language, []).append(f"{path}:{number}: {line.strip()[:100]}")
        name = os.path.basename(os.path.normpath(directory))
        files = max(stats["files"], 1)
        print(f"| {name} | {stats['files']} | {size // 1024} | {took:.0f} | {worked:.0f} | {size / 1024 / worked:.1f} | {stats['symbols']} "
              f"| {stats['bytes_per_symbol']} | {stats['bytes'] / files:.0f} | {named / max(all_symbols, 1):.4f} |")
        sys.stdout.flush()
    print("\n| language | declarations | found |")
    print("|---|---|---|")
    for language in RULES:
        if language in total:
            print(f"| {language} | {total[language]} | {found.get(language, 0) / total[language]:.4f} |")
    if args.show:
        random.seed(13)
        for language, lines in missed.items():
            print(f"\n{language}: {len(lines)} missed")
            for line in random.sample(lines, min(args.show, len(lines))):
                print("  " + line)


main()
