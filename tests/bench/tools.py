#!/usr/bin/env python3
"""`pathfinder check` beside the tool that a language has itself, on one healthy repository and on the same one broken.

  tests/bench/tools.py --bin target/release/pathfinder --mirror DIR --tools DIR [--runs N] [--seed N] [LANGUAGE...]

LANGUAGE: ts (tsc), py (pyright), rust (cargo check), c (gcc -fsyntax-only), go (go list); all of them if none is named. DIR of
--mirror holds bare repositories as OWNER+NAME/repo. DIR of --tools holds node_modules with typescript and pyright, and
usr/lib/go-1.19 (Debian's packages golang-1.19-{go,src}, unpacked); what lacks its tool is left out. Cargo needs the crates.

Broken: files of several directories, chosen at random from the seed, are moved with `git mv` and nothing is mended: every
second one gets another name at its place, the others keep theirs and go into a new directory beside. What that breaks is
known from a plain reading of the sources (regular expressions, Python's own parser), neither by the tool nor by us: the
references that led to a file before and lead to none now, those of the moved files included. A place is a file and a line.

Prints for each a table: wall and processor seconds (medians), references found of those broken, further findings (new
ones, not there before the moves, and those of the healthy tree), and of how many moves anything is said. Of a tool's errors
only those count that say a path or module of the repository's own is not there. Then each reference that only one of both found, and each further finding, to be read.
"""
import argparse, ast, collections, concurrent.futures, json, os, pathlib, random, re, resource, shutil, statistics, subprocess, time

SCRATCH = pathlib.Path("/tmp/tools-work")


def files(root, *endings):
    listing = subprocess.run(["git", "ls-files"], cwd=root, text=True, capture_output=True, check=True).stdout
    return [f for f in listing.splitlines() if f.endswith(endings) and (root / f).is_file()]


def text(root, file):
    return (root / file).read_text(errors="replace")


def matches(root, file, pattern):
    """Line and match of a pattern, where the line is none of a comment."""
    contents = text(root, file)
    for m in re.finditer(pattern, contents, re.M):
        start = contents.rfind("\n", 0, m.start(1)) + 1
        if not contents[start:].lstrip().startswith(("//", "*", "/*", "#!")):
            yield contents.count("\n", 0, m.start(1)) + 1, m


def first(root, candidates):
    return next((c for c in map(os.path.normpath, candidates) if (root / c).is_file()), None)


def output(command, root, **environment):
    run = subprocess.run(command, cwd=root, text=True, capture_output=True, env=dict(os.environ) | environment)
    return run.stdout + run.stderr


class TypeScript:
    name, repository, endings = "tsc --noEmit", "vuejs+core", (".ts", ".tsx")
    other = SCRATCH / "tsconfig"

    def references(self, root):
        for file in files(root, *self.endings):
            for line, m in matches(root, file, r"""(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}/[^'"?]+)['"]"""):
                p = os.path.join(os.path.dirname(file), m[1])
                yield file, line, m[1], first(root, [p, p + ".ts", p + ".tsx", p + ".d.ts", p + ".js", p + "/index.ts"])

    def run(self, root, tools):
        # Missing packages with types end the compiler before it looks at anything, so none is asked for.
        self.other.mkdir(exist_ok=True)
        options = {"types": [], "composite": False, "isolatedDeclarations": False}
        (self.other / "tsconfig.json").write_text(json.dumps({"extends": str(root / "tsconfig.json"), "compilerOptions": options}))
        said = output([tools / "node_modules/.bin/tsc", "--noEmit", "--pretty", "false", "-p", self.other], root)
        for m in re.finditer(r"^(\S+?)\((\d+),\d+\): error TS(2307|2792|6053|6142|7016|2882): .*?'([^']+)'", said, re.M):
            if m[4].startswith((".", "/")) or m[4].startswith("@vue/"):
                yield os.path.relpath(os.path.join(root, m[1]), root), int(m[2]), m[4]


class Python:
    name, repository, endings, own = "pyright", "pallets+flask", (".py",), "flask"

    def references(self, root):
        for file in files(root, *self.endings):
            try:
                tree = ast.parse(text(root, file))
            except SyntaxError:
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.Import):
                    for a in node.names:
                        yield file, a.lineno, a.name, self.module(root, a.name)
                elif isinstance(node, ast.ImportFrom):
                    up = pathlib.PurePath(file).parts[: -node.level] if node.level else ()
                    base = ".".join(filter(None, [".".join(up), node.module]))
                    target = self.module(root, base) if node.module else None
                    if target:
                        yield file, node.lineno, "." * node.level + node.module, target
                    for a in node.names:
                        # A name is a module's only where its package does not define the name itself.
                        yield file, a.lineno, f"{'.' * node.level}{node.module or ''}:{a.name}", self.module(root, f"{base}.{a.name}")
                    if node.module and not target:
                        yield file, node.lineno, "." * node.level + node.module, None

    def module(self, root, dotted):
        p = dotted.replace(".", "/")
        return first(root, [below + p + end for below in ("", "src/") for end in (".py", "/__init__.py", ".pyi")])

    def run(self, root, tools):
        config = root / "pyrightconfig.json"
        # Only the system's Python: one with the repository's own package installed would resolve what is broken.
        config.write_text(json.dumps({"include": ["."], "typeCheckingMode": "basic"}))
        said = output([tools / "node_modules/.bin/pyright", "--outputjson"], root, PATH="/usr/bin:/bin")
        config.unlink()
        for d in json.loads(said[said.index("{"):])["generalDiagnostics"]:
            named = re.search(r'"([^"]+)"', d["message"])
            own = named and (named[1].startswith(".") or named[1].split(".")[0] in (self.own, "tests"))
            unknown = "unknown import symbol" in d["message"]
            if own and d.get("rule") in ("reportMissingImports", "reportMissingModuleSource") or unknown:
                yield os.path.relpath(d["file"], root), d["range"]["start"]["line"] + 1, named[1]


class Rust:
    name, repository, endings = "cargo check", "BurntSushi+ripgrep", (".rs",)

    def references(self, root):
        for file in files(root, *self.endings):
            here, stem = os.path.dirname(file), pathlib.Path(file).stem
            for line, m in matches(root, file, r"^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;"):
                places = [here] if stem in ("mod", "lib", "main") else [f"{here}/{stem}", here]
                yield file, line, m[1], first(root, [f"{p}/{m[1]}{end}" for p in places for end in (".rs", "/mod.rs")])
            for line, m in matches(root, file, r'\binclude(?:_str|_bytes)?!\(\s*"([^"]+)"'):
                yield file, line, m[1], first(root, [f"{here}/{m[1]}"])

    def run(self, root, tools):
        # The crates it needs stay built, the repository's own are checked anew.
        for file in files(root, ".rs"):
            os.utime(root / file)
        said = output(["cargo", "check", "--workspace", "--all-targets", "--keep-going", "--ignore-rust-version", "--message-format",
                       "json"], root, CARGO_TARGET_DIR=str(SCRATCH / "cargo"))
        assert "compiler-artifact" in said, said[-2000:]
        for message in (json.loads(line) for line in said.splitlines() if line.startswith("{")):
            m = message.get("message")
            if m and m["level"] == "error" and ((m.get("code") or {}).get("code") == "E0583" or "couldn't read" in m["message"]):
                for span in m["spans"]:
                    yield span["file_name"], span["line_start"], m["message"]


class C:
    name, repository, endings = "gcc -fsyntax-only", "libuv+libuv", (".c", ".h")
    directories = ["include", "src", "src/unix", "src/win", "test"]

    def references(self, root):
        for file in files(root, *self.endings):
            for line, m in matches(root, file, r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"'):
                yield file, line, m[1], first(root, [f"{d}/{m[1]}" for d in [os.path.dirname(file), *self.directories]])

    def run(self, root, tools):
        flags = ["-w", "-D_GNU_SOURCE", *(f"-I{d}" for d in ("include", "src", "test"))]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            said = "".join(pool.map(lambda f: output(["gcc", "-fsyntax-only", *flags, f], root), files(root, ".c")))
        for file, line, named in sorted(set(re.findall(r"^(\S+?):(\d+):\d+: fatal error: (.*?): No such file", said, re.M))):
            if re.search(r'include\s*"', text(root, file).split("\n")[int(line) - 1]):
                yield os.path.normpath(file), int(line), named


class Go:
    name, repository, endings, own = "go list", "caddyserver+caddy", (".go",), "github.com/caddyserver/caddy/v2"

    def prepare(self, root):
        # Debian's Go is older than the repository wants, which changes nothing for the imports.
        mod = text(root, "go.mod")
        (root / "go.mod").write_text(re.sub(r"^(toolchain|tool|godebug) .*\n", "", re.sub(r"^go .*", "go 1.19", mod, flags=re.M), flags=re.M))

    def references(self, root):
        for file in files(root, *self.endings):
            for line, m in matches(root, file, rf'^\s*(?:import\s+)?(?:[\w.]+\s+)?"({re.escape(self.own)}/[^"]+)"\s*(?://.*)?$'):
                inside = sorted((root / m[1][len(self.own) + 1:]).glob("*.go"))
                yield file, line, m[1], str(inside[0].relative_to(root)) if inside else None

    def run(self, root, tools):
        go = tools / "usr/lib/go-1.19"
        said = output([go / "bin/go", "list", "-e", "-test", "-json=ImportPath,DepsErrors,Error", "./..."], root, GOROOT=str(go),
                      GOPATH=str(SCRATCH / "gopath"), GOCACHE=str(SCRATCH / "gocache"), GOPROXY="off", GOFLAGS="-mod=mod")
        found = set()
        for at in re.findall(r'"Pos": "([^"]+):(\d+):\d+",\s*"Err": "(?:[^"\\]|\\.)*"', said):
            line = text(root, at[0]).split("\n")[int(at[1]) - 1] if (root / at[0]).is_file() else ""
            if f'"{self.own}' in line:
                found.add((at[0], int(at[1]), line.strip()))
        yield from found


LANGUAGES = {"ts": TypeScript(), "py": Python(), "rust": Rust(), "c": C(), "go": Go()}


def pathfinder(binary, root):
    said = subprocess.run([binary, "check", "--root", root, "--format", "json"], cwd=root, text=True, capture_output=True)
    assert said.returncode in (0, 1), said.stderr
    for row in map(json.loads, said.stdout.splitlines()):
        if "summary" not in row:
            yield row["file"], row["line"], f"{row['literal']} [{row['kind']}]"


def timed(runs, *jobs):
    """Median wall and processor seconds of each, run in turn, and what each last gave."""
    times, given = [[] for _ in jobs], [None] * len(jobs)
    for _ in range(runs):
        for at, job in enumerate(jobs):
            used, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            given[at] = {(file, line): what for file, line, what in job()}
            now = resource.getrusage(resource.RUSAGE_CHILDREN)
            times[at].append((time.perf_counter() - start, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime))
    return [tuple(statistics.median(column) for column in zip(*rows)) for rows in times], given


def lay_out(language, mirror, root):
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    archive = subprocess.Popen(["git", f"--git-dir={mirror / language.repository / 'repo'}", "archive", "HEAD"], stdout=subprocess.PIPE)
    subprocess.run(["tar", "x", "-C", root], stdin=archive.stdout, check=True)
    if hasattr(language, "prepare"):
        language.prepare(root)
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    for command in (["init", "-q"], ["add", "-A", "-f"], ["commit", "-q", "-m", "healthy"]):
        subprocess.run([*git, *command], cwd=root, check=True)


def break_it(language, root, before, random_):
    """Moves files until at least 25 references lead nowhere; gives the truth, and what each place's file was called before."""
    wanted = collections.defaultdict(set)
    for file, line, _, target in before:
        if target and os.path.dirname(target) and not re.search(r"(^|/)(index\.ts|__init__\.py|mod\.rs|lib\.rs)$", target):
            wanted[os.path.dirname(target) if language.name == "go list" else target].add((file, line))
    # What everything imports would alone be the whole benchmark.
    targets = sorted(t for t, places in wanted.items() if len(places) <= 4)
    random_.shuffle(targets)
    count, seen, moved = 0, collections.Counter(), {}
    for target in targets:
        if count >= 25:
            break
        directory, name = os.path.split(target)
        if seen[directory] >= 3:
            continue
        seen[directory] += 1
        stem, dot, end = name.partition(".")
        if len(moved) % 2:
            new = os.path.join(directory, "moved", name)
        else:
            new = os.path.join(directory, f"{stem}_renamed{dot}{end}")
        (root / new).parent.mkdir(exist_ok=True)
        subprocess.run(["git", "mv", target, new], cwd=root, check=True)
        moved[target] = new
        count += len(wanted[target])
    return moved


def new_place(moved, file):
    for old, new in moved.items():
        if file == old or file.startswith(old + "/"):
            return new + file[len(old):]
    return file


def compare(language, a):
    root = SCRATCH / language.repository.split("+")[1]
    lay_out(language, a.mirror, root)
    jobs = lambda: (lambda: language.run(root, a.tools), lambda: pathfinder(a.bin, root))
    before = list(language.references(root))
    for job in jobs():  # reads everything once, and has cargo build what the repository needs
        list(job())
    healthy_times, healthy = timed(a.runs, *jobs())
    moved = break_it(language, root, before, random.Random(a.seed))
    led = {(new_place(moved, file), line, spec) for file, line, spec, target in before if target}
    truth = {(file, line): spec for file, line, spec, target in language.references(root)
             if not target and (file, line, spec) in led}
    broken_times, broken = timed(a.runs, *jobs())
    was = [{(new_place(moved, file), line) for file, line in findings} for findings in healthy]
    names = [language.name, "pathfinder"]
    print(f"\n## {language.repository}: {len(before)} references, {sum(1 for r in before if r[3])} lead to a file; "
          f"{len(moved)} moves break {len(truth)}; load {os.getloadavg()[0]:.1f}")
    print("| tool | healthy: wall s | processor s | findings | broken: wall s | processor s | found | other new findings | moves noticed |")
    print("|---|---|---|---|---|---|---|---|---|")
    for at, name in enumerate(names):
        new = set(broken[at]) - was[at] - set(truth)
        # A move is noticed where something is said in a moved file, or of what has its name.
        said = [f"{place[0]} {truth.get(place, '')} {broken[at][place]}" for place in set(broken[at]) - was[at]]
        stems = {old: pathlib.PurePath(old).name.split(".")[0] for old in moved}
        noticed = sum(any(re.search(rf"\b{re.escape(stems[old])}(_renamed)?\b", words) for words in said) for old in moved)
        print(f"| {name} | {healthy_times[at][0]:.2f} | {healthy_times[at][1]:.2f} | {len(healthy[at])} | {broken_times[at][0]:.2f} | "
              f"{broken_times[at][1]:.2f} | {len(set(truth) & set(broken[at]))} of {len(truth)} | {len(new)} | {noticed} of {len(moved)} |")
    for old, new in moved.items():
        print(f"  moved {old} -> {new}")
    for at, name in enumerate(names):
        for place in sorted(set(truth) & set(broken[at]) - set(broken[1 - at])):
            print(f"  only {name}: {place[0]}:{place[1]} {truth[place]}")
    for place in sorted(set(truth) - set(broken[0]) - set(broken[1])):
        print(f"  neither: {place[0]}:{place[1]} {truth[place]}")
    for at, name in enumerate(names):
        for place, what in sorted(healthy[at].items()):
            print(f"  healthy, {name}: {place[0]}:{place[1]} {what}")
        for place in sorted(set(broken[at]) - was[at] - set(truth)):
            print(f"  other new, {name}: {place[0]}:{place[1]} {broken[at][place]}")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--mirror", required=True, type=pathlib.Path)
    ap.add_argument("--tools", required=True, type=lambda p: pathlib.Path(p).resolve())
    ap.add_argument("--runs", type=int, default=3)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("languages", nargs="*", metavar="LANGUAGE")
    a = ap.parse_args()
    for name in a.languages or LANGUAGES:
        compare(LANGUAGES[name], a)


if __name__ == "__main__":
    main()
