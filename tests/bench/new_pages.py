"""Broken links on new pages of a site: new_pages.py PROGRAM REPOSITORY...

Adds pages to copies of documentation sites, each with one link of the site and the same link mistyped, and counts what `check` reports.
The pages are removed again; the repositories must be git repositories that may be changed.
"""

import json
import pathlib
import random
import re
import subprocess
import sys

LINK = re.compile(r"\]\((/[\w-]+/[\w./-]*[\w-]|[\w./-]+\.html)/?(?:#[\w-]+)?\)")
PER_REPOSITORY = 60


def links(root):
    for page in sorted([*root.rglob("*.md"), *root.rglob("*.mdx")]):
        if "node_modules" not in page.parts and ".git" not in page.parts:
            for link in dict.fromkeys(LINK.findall(page.read_text(errors="replace"))):
                yield page.parent, link


def mistyped(link, rng):
    """The link with two letters of its last segment exchanged; None if it is too short for that."""
    last = link.rsplit("/", 1)[-1]
    stem = last.removesuffix(".html")
    if len(stem) < 6 or "." in stem:
        return None
    at = rng.randrange(1, len(stem) - 2)
    slip = stem[:at] + stem[at + 1] + stem[at] + stem[at + 2 :]
    return None if slip == stem else link[: len(link) - len(last)] + slip + last[len(stem) :]


def measure(program, root):
    rng = random.Random(1)
    found = list(links(root))
    rng.shuffle(found)
    pages = {}
    for directory, link in found:
        wrong = mistyped(link, rng)
        if wrong and len(pages) < PER_REPOSITORY:
            page = directory / f"zz-new-{len(pages)}.md"
            page.write_text(f"---\ntitle: New\n---\n\nSee [this]({wrong}) and [that]({link}).\n")
            pages[str(page.relative_to(root))] = link, wrong
    try:
        command = [program, "check", "--format", "json", *pages]
        out = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout if pages else ""
    finally:
        for page in pages:
            (root / page).unlink()
    reported = fixed = wrongly = 0
    for finding in map(json.loads, out.splitlines()):
        if finding.get("file") in pages and "literal" in finding:
            link, wrong = pages[finding["file"]]
            plain = [fix["literal"].split("#")[0].rstrip("/") for fix in finding["fixes"]]
            if finding["literal"].rstrip("/") == wrong:
                reported += 1
                fixed += plain[:1] == [link]
            else:
                wrongly += 1
    return len(pages), reported, fixed, wrongly


if __name__ == "__main__":
    print("| repository | new pages | slip reported | right fix first | right link reported |\n|---|---|---|---|---|")
    totals = [0, 0, 0, 0]
    for root in map(pathlib.Path, sys.argv[2:]):
        row = measure(sys.argv[1], root)
        totals = [total + value for total, value in zip(totals, row)]
        print("|", " | ".join([root.name, *map(str, row)]), "|", flush=True)
    print("| all |", " | ".join(map(str, totals)), "|")
