"""Pages that no file has: what the program prints of itself, and what the typed kinds and the tests' fixtures say of each language."""

import collections
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Sections of which the menu has the first page only, which lists the others.
LISTED = ("Diagnostics", "Languages and formats")
# Examples of one kind and reason: enough to see what is meant.
MAX_EXAMPLES = 2
# Longer ones are fixtures of limits.
MAX_LITERAL = 48
# Names of what stands before the first dot of a kind. A kind without one ends the build.
NAMES = {
    "adoc": "AsciiDoc", "bazel": "Bazel", "block": "Code in documents", "c": "C and C++", "cmake": "CMake", "code": "Documentation in code", "cs": ".NET projects", "css": "CSS", "dart": "Dart", "docker": "Docker",
    "ex": "Elixir", "go": "Go", "gradle": "Gradle", "groovy": "Groovy", "haskell": "Haskell", "html": "HTML", "java": "Java", "js": "JavaScript",
    "json": "JSON", "kotlin": "Kotlin", "less": "Less", "list": "Lists of paths", "lua": "Lua", "make": "Make", "maven": "Maven", "md": "Markdown", "mdx": "MDX", "nix": "Nix", "php": "PHP",
    "proto": "Protocol Buffers", "py": "Python", "rst": "reStructuredText", "ruby": "Ruby", "rust": "Rust", "scala": "Scala", "scss": "SCSS",
    "sh": "Shell", "svg": "SVG", "swift": "Swift", "template": "Templates", "tex": "LaTeX", "tf": "Terraform", "toml": "TOML", "ts": "TypeScript", "vue": "Vue",
    "url": "Addresses on the host of the code", "words": "Files without rules of their own",
    "xcode": "Xcode", "yaml": "YAML", "zig": "Zig",
}
SILENCE = """
## Silence it

A comment with `pathfinder-ignore` covers its line and the next one. In all files, by the entry `ignore_literals` for one path, or for the code:

```toml
[check]
severity = {{ {code} = "off" }}
```

[More ways](../../../../docs/check.md#silence-a-finding).
"""


def pages(section, program):
    """The generated pages of a section: the file each stands for, its place, and its Markdown."""
    made = {"Reference": help_pages, "Diagnostics": rules, "Languages and formats": languages}.get(section)
    return made(program) if made else []


def _run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{program} {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def commands(program, *parents):
    """All commands with their help, as `(words, text)`: the program's own, and those below it."""
    text = _run(program, *parents, "--help")
    yield parents, text
    listed = re.search(r"^Commands:\n((?:  .*\n|\n(?=  ))*)", text, re.MULTILINE)
    for name in re.findall(r"^  ([a-z][a-z-]*)(?:  |$)", listed[1] if listed else "", re.MULTILINE):
        if name != "help":
            yield from commands(program, *parents, name)


def help_pages(program):
    """The help of every command, from the program."""
    out = ["# Every command and option", "", "The help of each command, as the program prints it. [The command line](cli.md) says how they belong together.", ""]
    for words, text in commands(program):
        out += [f"## {' '.join(['pathfinder', *words])}", "", "```text", text.rstrip(), "```", ""]
    out += ["## Settings", "", "```text", _run(program, "help", "settings").rstrip(), "```", ""]
    yield "docs/help", "help.html", "\n".join(out)


def rules(program):
    """A page for each diagnostic code, from the program, and their list."""
    rows = dict(re.findall(r"^(\S+) +(.*)$", _run(program, "rule"), re.MULTILINE))
    out = ["# Diagnostic codes", "", "Each links to its page, which `pathfinder rule CODE` prints as well.", "", "| code | |", "|---|---|"]
    out += [f"| [`{code}`](rules/{code}.md) | {summary} |" for code, summary in rows.items()]
    # As if it lay beside their folder.
    yield "server/check/src/rules.md", "rules/index.html", "\n".join([*out, ""])
    for code in rows:
        text = re.sub(r"\nhttps://\S+\n$", "", _run(program, "rule", code))
        yield f"server/check/src/rules/{code}.md", f"rules/{code}.html", text + SILENCE.format(code=code)


def _kinds():
    """`{language: {kind: description}}`, as a test of the typed kinds writes it."""
    found = collections.defaultdict(dict)
    for kind, description in re.findall(r"^\| `([^`]+)` \| (.*) \|$", (ROOT / "docs/kinds.md").read_text(), re.MULTILINE):
        found[kind.split(".")[0]][kind] = description
    return found


def _reasons():
    """`{reason: description}` of the typed reasons for which nothing is reported."""
    text = (ROOT / "server/literals/src/checked.rs").read_text()
    body = re.search(r"pub enum Reason \{(.*?)\n\}", text, re.DOTALL)[1]
    described = re.findall(r"/// (.*)\n\s+(\w+)", body)
    names = dict(re.findall(r'Self::(\w+)(?:\(_\))? => "([a-z-]+)"', text))
    # Only `--explain` shows the text beside a reason.
    return {names[name]: re.sub(r"[.;] ?[Tt]he text .*$", ".", description) for description, name in described}


def _fixtures(kinds):
    """`{kind: {verdict: [literals]}}`: rows of the tests, which compare each with what `check` says."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in sorted((ROOT / "server/languages/src").rglob("*.rs")):
        for line in path.read_text().replace("\\n", "\n").replace('\\"', '"').split("\n"):
            row = re.search(r"([a-z]+\.[a-z][\w.-]*) (\S+) → (unknown [a-z-]+|missing)\b", line)
            if row and row[1] in kinds and len(row[2]) <= MAX_LITERAL and "`" not in row[2] and "\\" not in row[2]:
                rows = found[row[1]][row[3].removeprefix("unknown ")]
                if row[2] not in rows:
                    rows.append(row[2])
    return found


def languages(_program):
    """A page for each language and format, and their list."""
    kinds, reasons = _kinds(), _reasons()
    fixtures = _fixtures({kind for own in kinds.values() for kind in own})
    titles = sorted(kinds, key=lambda name: NAMES[name].lower())
    out = ["# Languages and formats", "", "What is read in each, and what is never reported. The names of all kinds are in [one table](../docs/kinds.md).", ""]
    out += [f"- [{NAMES[name]}](languages/{name}.md): {len(kinds[name])} {'kind' if len(kinds[name]) == 1 else 'kinds'} of literals" for name in titles]
    yield "site/languages.md", "languages/index.html", "\n".join([*out, ""])
    for name in titles:
        yield f"site/languages/{name}.md", f"languages/{name}.html", _language(name, kinds[name], fixtures, reasons)


def _code(literals):
    return ", ".join("`{}`".format(literal.replace("|", "\\|")) for literal in sorted(set(literals), key=lambda text: (len(text), text))[:MAX_EXAMPLES])


def _language(name, kinds, fixtures, reasons):
    out = [f"# {NAMES[name]}", "", "## What is read", "", "Examples are literals of the tests that name no file there.", "", "| kind | literal | reported, for example |", "|---|---|---|"]
    out += [f"| `{kind}` | {description} | {_code(fixtures[kind]['missing'])} |" for kind, description in kinds.items()]
    out += ["", "## What is never reported, and why", ""]
    rows = [f"| {reason} | {text} | {_code(literals)} |" for reason, text in reasons.items()
            if (literals := [literal for kind in kinds for literal in fixtures[kind][reason]])]
    if rows:
        out += ["`pathfinder check --explain` lists such literals of your files with their reasons.", "", "| reason | | for example |", "|---|---|---|", *rows]
    out += ["", "Nothing is said of a literal that is ignored by git, lies in a submodule that is not checked out, or is not likely enough to be broken.", "",
            "[How to silence a finding](../../docs/check.md#silence-a-finding).", ""]
    return "\n".join(out)
