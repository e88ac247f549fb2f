"""Makes the site of Markdown pages that lie in the repository, and of what the program says of itself: docs/build calls it.

markdown-it-py reads them as GitHub does, where they are read as well. MkDocs reads another Markdown, which makes other anchors and lists of
the same text, and mdBook takes minutes to compile. Nothing on the site comes from another host: it works from a folder.
"""

import argparse
import html
import json
import os
import re
import shutil
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

import generated
from pages import HOME, SECTIONS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REPOSITORY = re.search(r'^repository = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
SITE = re.search(r'^homepage = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
SCHEMA = "server/pathfinder.schema.json"
# As pages of extensions name pictures and other pages: a gallery has neither.
OWN = (f"{REPOSITORY}/raw/main/", f"{REPOSITORY}/blob/main/")


class Page:
    """A page: its Markdown, the file that this is from, and its place on the site."""

    def __init__(self, section, source, place, text, name=None):
        self.section, self.source, self.place, self.text = section, source, place, text
        self.title = re.search(r"^# (.*)$", text, re.MULTILINE)[1].replace("`", "")
        self.name = name or self.title

    def to(self, place):
        """The address of a place on the site, from this page."""
        return os.path.relpath(place, PurePosixPath(self.place).parent)


def slug(title):
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def collect(program):
    """All pages, in the order of the menu."""
    pages = []
    for section, sources in SECTIONS.items():
        for source, place, *name in sources:
            pages.append(Page(section, source, place, (ROOT / source).read_text(), *name))
        pages += [Page(section, *made) for made in generated.pages(section, program)]
    return pages


def link(page, address, places):
    """The address on the site for one of a file: of another page, of a picture, else on GitHub."""
    base = PurePosixPath(page.source).parent
    for own in OWN:
        if address.startswith(own):
            base, address = PurePosixPath(), address.removeprefix(own)
    if re.match(r"[a-z]+:|#|$", address):
        return address
    path, _, anchor = address.partition("#")
    path = os.path.normpath(base / PurePosixPath(path))
    anchor = f"#{anchor}" if anchor else ""
    if path in places:
        return page.to(places[path]) + anchor
    if path.startswith("docs/pictures/"):
        return page.to(path.removeprefix("docs/"))
    if not (ROOT / path).exists():
        raise SystemExit(f"{page.source} names {path}, which is not there")
    return f"{REPOSITORY}/{'tree' if (ROOT / path).is_dir() else 'blob'}/main/{path}{anchor}"


def render(page, places):
    """The HTML of a page's Markdown, and its headings."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(anchors_plugin, max_level=4, slug_func=slug)
    tokens = markdown.parse(page.text)
    headings = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            headings.append((int(token.tag[1]), token.attrs["id"], re.sub(r"[`*]", "", tokens[at + 1].content)))
        for one in [token, *(token.children or [])]:
            if one.type in ("html_block", "html_inline"):
                one.content = re.sub(r'((?:src|srcset|href)=")([^"]*)"', lambda found: f'{found[1]}{link(page, found[2], places)}"', one.content)
            for name in ("href", "src"):
                if name in one.attrs:
                    one.attrs[name] = link(page, one.attrs[name], places)
    body = markdown.renderer.render(tokens, markdown.options, {})
    # Tables and code may be wider than a small screen, and scroll by themselves, with the keyboard too.
    body = re.sub(r"<table>(.*?)</table>", r'<div class="wide" tabindex="0"><table>\1</table></div>', body, flags=re.DOTALL)
    return body.replace("<pre>", '<pre tabindex="0">'), headings


def menu(page, pages):
    """The menu: each section with its pages. Of one with many pages, the first stands for all."""
    out = []
    for section in SECTIONS:
        own = [one for one in pages if one.section == section]
        if section in generated.LISTED:
            own = own[:1]
        rows = "".join(f'<li><a href="{page.to(one.place)}"{" aria-current=page" if one is page else ""}>{html.escape(one.name)}</a></li>' for one in own)
        out.append(f"<h2>{section}</h2><ul>{rows}</ul>")
    return "".join(out)


def llms(pages):
    """The list of pages for language models (llmstxt.org)."""
    out = [f"# {pages[0].title}", "", f"> {re.sub(r'[*`]', '', pages[0].text.split(chr(10) * 2)[1])}"]
    for section in SECTIONS:
        out += ["", f"## {section}", ""]
        out += [f"- [{page.name}]({SITE}/{page.place})" for page in pages if page.section == section]
    return "\n".join([*out, ""])


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()
    pages = collect(options.program.resolve())
    places = {page.source: page.place for page in pages} | {SCHEMA: PurePosixPath(SCHEMA).name}
    shutil.rmtree(options.out, ignore_errors=True)
    template = (HERE / "page.html").read_text()
    index = []
    for page in pages:
        body, headings = render(page, places)
        index += [[title if level == 1 else f"{page.title}: {title}", page.place + ("" if level == 1 else f"#{name}")] for level, name, title in headings if level < 4]
        back = "" if page.place == HOME else f'<p class="back"><a href="{page.to(HOME)}">pathfinder</a> › {page.section}</p>'
        values = {"title": html.escape(page.title), "root": page.to("."), "menu": menu(page, pages), "back": back, "body": body}
        target = options.out / page.place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template))
    for name in ("style.css", "search.js"):
        shutil.copyfile(HERE / name, options.out / name)
    (options.out / "search-index.js").write_text(f"const INDEX = {json.dumps(index, ensure_ascii=False)};\n")
    (options.out / "llms.txt").write_text(llms(pages))
    shutil.copyfile(ROOT / SCHEMA, options.out / places[SCHEMA])
    (options.out / "pictures").mkdir()
    for picture in sorted((ROOT / "docs/pictures").iterdir()):
        if picture.suffix in (".svg", ".png", ".gif"):
            shutil.copyfile(picture, options.out / "pictures" / picture.name)
    print(f"{len(pages)} pages in {options.out}")


if __name__ == "__main__":
    main()
