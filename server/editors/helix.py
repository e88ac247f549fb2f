"""Writes helix.toml: helix.py LANGUAGES.TOML..., the files of that name of several versions of Helix.

Helix has no way to add a server to the servers of a language, so each language has to list all of them. A language or server that one
of the versions lacks is left out: Helix refuses a configuration with a language that it does not know.
"""

import fnmatch
import json
import pathlib
import sys
import tomllib

HERE = pathlib.Path(__file__).parent
# Servers that complete paths themselves: each would be listed twice.
COMPLETES = {
    "clangd", "dart", "gopls", "marksman", "rust-analyzer", "texlab", "typescript-language-server", "vscode-css-language-server",
    "vscode-html-language-server", "zls",
}
# Languages with an ending of another one: `.inc` of PHP, `.m` of Objective-C, `.pl` of Perl, `.sc` of Scala.
OTHERS = {"matlab", "pascal", "prolog", "supercollider"}


def checked_names():
    """Names of files that pathfinder checks, an example of each kind."""
    lines = (HERE / "../../tests/zed/kinds.txt").read_text().splitlines()
    rows = (line.split(":", 1)[1].split() for line in lines if line and not line.startswith("#"))
    return [name for row in rows for name in row if name != "not"]


def has_type(name, file_type):
    """Whether a language's file type, an extension or a glob, is of this file."""
    if isinstance(file_type, str):
        return name.endswith(f".{file_type}")
    return fnmatch.fnmatch(name, file_type["glob"]) or fnmatch.fnmatch(f"x/{name}", file_type["glob"])


def main():
    versions = [tomllib.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    shared = set.intersection(*({it["name"] for it in version["language"]} for version in versions))
    servers = set.intersection(*(set(version["language-server"]) for version in versions))
    names = checked_names()
    print("# pathfinder for all languages of Helix that it checks. Made by helix.py: merge it into `languages.toml` of your configuration.")
    print('\n[language-server.pathfinder]\ncommand = "pathfinder"\nargs = ["lsp"]')
    print("# Beside servers that report broken imports themselves; fixes are still offered:")
    print('# config = { disable = ["ts", "rust.mod", "c.include"] }')
    for language in versions[-1]["language"]:
        if language["name"] not in shared - OTHERS:
            continue
        if not any(has_type(name, kind) for name in names for kind in language["file-types"]):
            continue
        own = [name for name in language.get("language-servers", []) if name in servers]
        doubled = any(name in COMPLETES for name in own)
        ours = '{ name = "pathfinder", except-features = ["completion"] }' if doubled else '"pathfinder"'
        listed = ", ".join([*map(json.dumps, own), ours])
        print(f'\n[[language]]\nname = "{language["name"]}"\nlanguage-servers = [{listed}]')


main()
