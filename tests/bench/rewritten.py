#!/usr/bin/env python3
"""Paths that exist, written as other machines, forges and tools write them: each must come back as itself.

  tests/bench/rewritten.py --bin target/release/pathfinder [--count 1750] [--cache DIR] [--show 20] ROOT...

Requests are made from the tracked files of each ROOT by rule: a prefix (a container, a home, a CI directory, a drive, an
address at a forge) and a decoration (a line number, an anchor, quotes, a stack frame, a diff prefix). The same ROOT, count
and seed give the same requests. A request whose text has a longer existing suffix than the file it was made from is left out,
as that longer path is the right answer.

Prints per root: requests, right (resolved to the file), wrong (resolved to another path), moved (the answer claims a move),
first (the file is the first candidate of an unsure answer), none (anything else). Exit status 1 if anything is wrong or moved.
"""
import argparse
import collections
import os
import pathlib
import random
import subprocess
import sys

from batch import ask


def prefixes(rng, name):
    """Directories in which other machines keep a project called `name`, and the kind of each."""
    user = rng.choice(["x", "dev", "maria", "jenkins"])
    project = rng.choice([name, "proj", "checkout", f"{name}-main"])
    number = rng.randrange(1, 90)
    return [
        ("container", "/app/"),
        ("container", "/workspace/"),
        ("container", "/usr/src/app/"),
        ("container", f"/workspaces/{project}/"),
        ("container", "/testbed/"),
        ("container", "/repo/"),
        ("home", f"/home/{user}/{project}/"),
        ("home", f"/home/{user}/src/{project}/"),
        ("home", f"/Users/{user}/code/{project}/"),
        ("home", f"/root/{project}/"),
        ("home", f"~/projects/{project}/"),
        ("ci", f"/home/runner/work/{name}/{name}/"),
        ("ci", f"/builds/group/{name}/"),
        ("ci", f"/__w/{name}/{name}/"),
        ("ci", f"/var/lib/jenkins/workspace/{name}/"),
        ("ci", f"/azp/_work/{number}/s/"),
        ("ci", f"/tmp/{name}-{number}/"),
        ("ci", f"/opt/buildagent/work/{number:x}c0ffee/"),
        ("drive", f"C:\\Users\\{user}\\source\\repos\\{project}\\"),
        ("drive", f"D:\\a\\{name}\\{name}\\"),
        ("drive", f"C:/work/{project}/"),
        ("drive", f"/mnt/c/Users/{user}/{project}/"),
        ("share", f"\\\\server\\share\\{project}\\"),
        ("uri", f"file:///home/{user}/{project}/"),
        ("uri", f"file:///C:/Users/{user}/{project}/"),
        ("relative", f"{name}/"),
        ("relative", "./"),
        ("relative", ""),
        ("relative", ""),
    ]


def addresses(rng, name):
    """Addresses of a repository's files at forges: what stands before the path, and behind it."""
    owner = rng.choice(["acme", "octo-org", name])
    revision = rng.choice(["main", "master", "v1.2.0", "3fce3b5bb0236da2df6d99672afb8a719642eca7", "release/2.x"])
    line = rng.randrange(1, 400)
    return [
        (f"https://github.com/{owner}/{name}/blob/{revision}/", rng.choice(["", f"#L{line}", f"#L{line}-L{line + 9}"])),
        (f"https://github.com/{owner}/{name}/raw/{revision}/", ""),
        (f"https://raw.githubusercontent.com/{owner}/{name}/{revision}/", ""),
        (f"https://gitlab.example.com/group/{owner}/{name}/-/blob/{revision}/", rng.choice(["", f"#L{line}"])),
        (f"https://bitbucket.org/{owner}/{name}/src/{revision}/", rng.choice(["", f"#lines-{line}"])),
        (f"https://codeberg.org/{owner}/{name}/src/branch/{revision}/", ""),
        (f"https://sourcegraph.com/github.com/{owner}/{name}@{revision}/-/blob/", rng.choice(["", f"?L{line}"])),
        (f"https://git.example.org/cgit/{name}.git/tree/", "?h=master"),
        (f"https://cdn.jsdelivr.net/gh/{owner}/{name}@{revision}/", ""),
    ]


def decorations(rng, path):
    """What tools put around a path, with the kind of each."""
    line, column = rng.randrange(1, 900), rng.randrange(1, 80)
    is_relative = not path.startswith(("/", "~", ".", "file:")) and "\\" not in path and path[1:2] != ":"
    made = [
        ("plain", path),
        ("plain", path),
        ("line", f"{path}:{line}"),
        ("line", f"{path}:{line}:{column}"),
        ("line", f"{path}#L{line}"),
        ("line", f"{path}({line},{column})"),
        ("line", f"{path}:{line}: error: expected a value"),
        ("quotes", f'"{path}"'),
        ("quotes", f"`{path}`"),
        ("quotes", f"({path})"),
        ("quotes", f"{path},"),
        ("frame", f'File "{path}", line {line}, in main'),
        ("frame", f"    at run ({path}:{line}:{column})"),
        ("frame", f"  --> {path}:{line}:{column}"),
        ("frame", f"#{column} main () at {path}:{line}"),
        ("frame", f"\t{path}:{line} +0x1d"),
        ("frame", f"#0 {path}({line}): call()"),
        ("frame", f"cat: {path}: No such file or directory"),
    ]
    if is_relative:
        made += [("diff", f"a/{path}"), ("diff", f"b/{path}"), ("diff", f"+++ b/{path}"), ("revision", f"HEAD:{path}")]
        made += [("mention", f"@{path}")] if "/" in path else []
    return made


def longer(text, path, there):
    """Whether a longer suffix of the text than the path is there as well."""
    flat = text.replace("\\", "/")
    at = flat.rfind(path)
    before = [part for part in flat[:at].split("/") if part] if at > 0 else []
    return any("/".join([*before[-many:], path]) in there for many in range(1, len(before) + 1))


def requests(root, count, seed):
    """(kind, text, path) of each request."""
    listed = subprocess.run(["git", "ls-files", "-s", "-z"], cwd=root, capture_output=True, check=True).stdout
    files = []
    for entry in listed.decode("utf-8", "surrogateescape").split("\0"):
        mode, _, path = entry.partition("\t")
        # Links and submodules are not asked for, nor are names that no tool writes without escapes.
        if mode.startswith("100") and path.isascii() and not set(path) & set(" \"'`()[]{}<>*?:#%\\$&;|!~^,"):
            files.append(path)
    there = set(files)
    there |= {"/".join(path.split("/")[:at]) for path in files for at in range(1, path.count("/") + 1)}
    name = root.resolve().name
    rng = random.Random(f"{seed}/{name}")
    made, seen = [], set()
    for _ in range(count * 20):
        if len(made) == count:
            break
        path = rng.choice(files)
        if rng.random() < 0.25:
            before, behind = rng.choice(addresses(rng, name))
            kind, text = "address", before + path + behind
        else:
            kind, prefix = rng.choice(prefixes(rng, name))
            written = path.replace("/", "\\") if "\\" in prefix else path
            decoration, text = rng.choice(decorations(rng, prefix + written))
            kind = f"{kind}+{decoration}"
        if text != path and text not in seen and text not in there and not longer(text, path, there):
            seen.add(text)
            made.append((kind, text, path))
    return made


def outcome(answer, path):
    """What became of a request."""
    if answer["status"] in ("exists", "resolved"):
        if answer["path"] != path:
            return "wrong"
        return "moved" if answer.get("why", "").startswith("moved to") else "right"
    candidates = answer.get("candidates") or []
    return "first" if candidates and candidates[0]["path"] == path else "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.abspath)
    parser.add_argument("--count", type=int, default=1750)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--cache", help="where histories are kept between runs")
    parser.add_argument("--show", type=int, default=0, help="print so many of those that are not right, of each root")
    parser.add_argument("roots", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    outcomes = ["right", "wrong", "moved", "first", "none"]
    total, kinds = collections.Counter(), collections.defaultdict(collections.Counter)
    print(f"{'root':24}{'n':>7}" + "".join(f"{name:>8}" for name in outcomes))
    for root in args.roots:
        made = requests(root, args.count, args.seed)
        answers = ask(args.bin, root, [{"failed_path": text, "op": "read"} for _, text, _ in made], args.cache, 60_000)
        counts, missed = collections.Counter(), []
        for (kind, text, path), answer in zip(made, answers):
            name = outcome(answer, path)
            counts[name] += 1
            kinds[kind][name] += 1
            if name != "right":
                missed.append((["wrong", "moved", "none", "first"].index(name), name, text, path, answer))
        total += counts
        print(f"{root.name:24}{len(made):7}" + "".join(f"{counts[name]:8}" for name in outcomes))
        for _, name, text, path, answer in sorted(missed, key=lambda it: it[0])[: args.show]:
            print(f"    {name:6} {text!r} -> {answer.get('path')} [{answer['confidence']}] {answer.get('why')}")
    print(f"{'all':24}{sum(total.values()):7}" + "".join(f"{total[name]:8}" for name in outcomes))
    print()
    for kind, counts in sorted(kinds.items()):
        print(f"{kind:24}{sum(counts.values()):7}" + "".join(f"{counts[name]:8}" for name in outcomes))
    sys.exit(1 if total["wrong"] + total["moved"] else 0)


if __name__ == "__main__":
    main()
