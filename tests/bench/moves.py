#!/usr/bin/env python3
"""Moves of files that real commits made: does `fix`, after the move, write what the commit wrote?

  tests/bench/moves.py --bin target/release/pathfinder --mirror DIR --per N OWNER/NAME...

DIR/OWNER+NAME/repo is a bare clone. Commits are taken that rename files and edit path literals: a line in which nothing but the
path of what moved changed. Each is laid out at its parent, its renames are made on disk and recorded in a commit, and `fix --all`
is run (CLI), or the language server is asked `workspace/willRenameFiles` before them (LSP).

  same   lines of the commit that were written as the commit did        other   lines that were edited otherwise
  extra  lines edited that the commit left as they were: each is read before it is called wrong (--extra prints them)
  also   lines edited that the commit changed in more than the literal, or took away, or that are no import
  whole  of those, lines that the commit has exactly so
  anyway lines that `fix` edits before the move as well

A relative literal that named nothing before the move is not counted, nor is one that still leads to its file after the move, if it
was left: the move did not break them. Of the others, as found in the trees of both commits (only literals that begin with a dot or
a slash, or that `/` or `.` separates, can be found so):
  equal  lines of `other` whose literal leads to the same file as the commit's
  undecided lines of `left` and `other` whose new literal in the commit does not lead to where the file of the old one went
  type   lines of `left` and `other` that the commit has with the name of a type that it renames with its file (LSP; for `fix` it is
         renamed before)
"""
import argparse, collections, difflib, json, os, pathlib, re, subprocess, tempfile, time, urllib.parse

MAX_RENAMES = 40  # more is a reorganisation in which other things change too
MAX_EDITS = 200
READING = 6  # times that a server is asked


def git(at, *args, check=True):
    run = subprocess.run(["git", "-C", str(at), "-c", "user.name=a", "-c", "user.email=a@b", *args], capture_output=True, check=check)
    return run.stdout.decode(errors="replace")


def moves(repo, commit):
    """All renames of a commit as git sees them, also of files that it edited much: what they name has moved along."""
    lines = git(repo, "diff-tree", "-r", "-M", "--name-status", "-z", commit + "^", commit).split("\0")
    out, at = [], 0
    while at < len(lines) - 1:
        if lines[at].startswith("R"):
            out.append((lines[at + 1], lines[at + 2]))
            at += 3
        else:
            at += 2
    return out


def lines_of(repo, revision, path):
    return git(repo, "show", f"{revision}:{path}", check=False).splitlines()


def edits(before, after):
    """{line of `before`: the new line} of lines that were replaced one by one."""
    out = {}
    # Most of a file is left, and the comparison takes the square of its lines.
    start = len(os.path.commonprefix([before, after]))
    end = len(os.path.commonprefix([before[start:][::-1], after[start:][::-1]]))
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "replace" and b - a == d - c:
            out.update({start + a + i: after[c + i] for i in range(b - a)})
    return out


def token(line, start, end, signs=r"[\w./@~+-]"):
    """The part of a line that could be one path, around a place."""
    while start and re.match(signs, line[start - 1]):
        start -= 1
    while end < len(line) and re.match(signs, line[end]):
        end += 1
    return start, end


def modules(text):
    """The modules in a path of Rust, as a path; empty if it is none."""
    names = [name for name in text.split("::") if name not in ("crate", "self", "super")]
    while names and not re.fullmatch(r"[a-z_][a-z0-9_]*", names[-1]):
        names.pop()
    return names


def names_module(text, path):
    """Whether a path of Rust names a moved module: two of its segments, or all, are the last ones of the path."""
    stem = re.sub(r"(/mod)?\.rs$", "", path).rstrip("/").split("/")
    said = modules(text)
    ends = [said[:n] for n in range(1, len(said) + 1)]
    return any(end[-2:] == stem[-2:] or len(end) == 1 and end == stem[-1:] for end in ends)


def names(text, path):
    """Whether a literal can name a path: its last segments are the path's, with or without the ending or the name of an index."""
    stem = re.sub(r"\.[^./]+$", "", path) if not path.endswith("/") else path[:-1]
    ways = {path.rstrip("/"), stem, re.sub(r"(^|/)_", r"\1", stem), re.sub(r"(\.d|\.[a-z]+)$", "", stem)}
    if re.search(r"/(index|__init__|mod|init|README|_index|main)$", stem):
        ways.add(stem.rsplit("/", 1)[0])
    plain = re.sub(r"\.[^./]+$", "", text) if "/" in text else text
    for way in ways:
        last = way.split("/")
        for said in (text, plain, text.replace(".", "/") if "/" not in text else text):
            segments = [part for part in said.split("/") if part not in ("", ".", "..")]
            if segments and segments == last[-len(segments):]:
                return True
            if len(segments) > 1 and len(last) > 1 and segments[-2:] == last[-2:]:
                return True
    return False


# What names a path by its construct: other strings and prose may mean anything.
IMPORT = re.compile(r"""^\s*(pub(\([a-z]+\))? )?(use|import|from|mod|include|require|export)\b|^\s*\.\. [\w-]+::|#\s*include|@import|@use|@forward|url\(|src=|href=|load\(|\]\(|^\[.*\]:|\b(from|import|require|include\w*|mock|require_\w+|include_\w+!?)\s*\(?\s*["'<]|\bpath\s*=|\bextends\b""")
CLASS_USE = re.compile(r"^use [\w\\]+( as \w+)?;$")  # PHP
SYMBOLS = re.compile(r"""\s*(import|export)\b.*\}\s*from\s*["']""")  # JavaScript
COMMENT = re.compile(r"^\s*(//|\*|--|#(?!\s*include))")


def is_literal(old, new, renames, rust=False):
    """Whether a line differs in one path that was moved and in nothing else, so that the new path is in it for the old one."""
    start = len(os.path.commonprefix([old, new]))
    end = len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]]))
    a, b = token(old, start, len(old) - end)
    c, d = token(new, start, len(new) - end)
    was, now = old[a:b].strip("./") , new[c:d].strip("./")
    if CLASS_USE.match(old) and CLASS_USE.match(new):
        (a, b), (c, d) = token(old, start, len(old) - end, r"[\w\\]"), token(new, start, len(new) - end, r"[\w\\]")
        was, now = old[a:b].replace("\\", "/"), new[c:d].replace("\\", "/")
    if rust and IMPORT.search(new) and not COMMENT.match(new):
        (a, b), (c, d) = token(old, start, len(old) - end, r"[\w:]"), token(new, start, len(new) - end, r"[\w:]")
        was, now = old[a:b], new[c:d]
        if "::" in was and re.fullmatch(r"[\w:]+", was + now) and old[:a] == new[:c] and old[b:] == new[d:]:
            tail = lambda text: text.split("::")[-1] if re.search(r"::[A-Z]\w*$", text) else ""
            return tail(was) == tail(now) and any(names_module(was, x) and names_module(now, y) for x, y in renames if x.endswith(".rs"))
    if not was or not now or old[:a] != new[:c] or old[b:] != new[d:] or not IMPORT.search(new):
        return False
    # Two changes in one line, such as an imported name and its module.
    if re.search(r"[\s\"'`,;(){}<>]", old[a:b] + new[c:d]):
        return False
    # The rest of a URL: another server has the file.
    if old[a:b].startswith("//"):
        return False
    if COMMENT.match(new) and "](" not in new or (a and old[a - 1] == "`"):
        return False
    # A name that JavaScript imports is that of a file by chance only.
    if SYMBOLS.match(old) and a < old.rindex("}"):
        return False
    if "/" not in old[a:b] + new[c:d] and not re.search(r"\.\w+$", now) and not re.match(r"\s*(pub |use|import|from|mod)", new):
        return False
    return any(names(was, x) and names(now, y) for x, y in renames) or was.split("/")[-1] == now.split("/")[-1] and set(old[a:b] + new[c:d]) >= {".", "/"} and old[a:b].startswith(".") and new[c:d].startswith(".")


def place_of_module(files, path, text):
    """The file of the last module in a path of Rust from the crate root or from the module of its file; `None` if it has none."""
    names, stem = text.split("::"), re.sub(r"/(mod|lib|main)\.rs$|\.rs$", "", path)
    at = path[: path.rfind("src/") + 3] if "src/" in path else None
    if names[0] != "crate":
        at = stem
    while at is not None and names and names[0] in ("crate", "self", "super"):
        at = os.path.dirname(at) if names.pop(0) == "super" else at
    found = None
    while at is not None and names and (file := next((way for way in (f"{at}/{names[0]}.rs", f"{at}/{names[0]}/mod.rs") if way in files), None)):
        at, found = f"{at}/{names.pop(0)}", file
    return found


def place(files, path, text):
    """The file or directory that a literal with a path names, as `files` (a set of files and directories) has it; `None` if it names none."""
    if path.endswith(".rs") and re.match(r"(crate|self|super)::", text):
        return place_of_module(files, path, text)
    text = urllib.parse.unquote(re.split(r"[#?]", text)[0])
    starts = [os.path.dirname(path)] if text.startswith(".") else ["", os.path.dirname(path)]
    for start in starts:
        at = os.path.normpath(os.path.join(start, text.lstrip("/") if not text.startswith(".") else text))
        stem = re.sub(r"\.[cm]?jsx?$", "", at)
        for way in (at, *(base + end for base in (at, stem) for end in ENDINGS)):
            if way in files:
                return way
    if re.fullmatch(r"[\w-]+([./][\w-]+)+", text):  # A module of Python, or of Lua, which takes both signs.
        at = text.replace(".", "/")
        ends = ["{}.lua", "{}/init.lua", "lua/{}.lua", "src/{}.lua"] if path.endswith(".lua") else ["{}.py", "{}/__init__.py"] if "/" not in text else []
        return next((way for way in (end.format(at) for end in ends) if way in files), None)
    return None


ENDINGS = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".vue", ".md", ".mdx", ".rb", ".php", ".dart", ".scss", ".css", "/index.ts", "/index.tsx", "/index.js",
           "/index.jsx", "/README.md", "/index.md"]


def words(old, new):
    """The part of each line that differs, as far as it can be one path."""
    start = len(os.path.commonprefix([old, new]))
    end = len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]]))
    signs = r"[\w:]" if "::" in old and "::" in new else r"[\w./@~+-]"
    a, b = token(old, start, max(start, len(old) - end), signs)
    c, d = token(new, start, max(start, len(new) - end), signs)
    return old[a:b], new[c:d]


def same_address(a, b):
    """Whether two addresses of a site differ only in the name of the index that one of them omits."""
    plain = lambda text: re.sub(r"(^|/)(index(\.html|\.md)?)?(?=$|[#?])", r"\1", text)
    return a.startswith("/") and plain(a) == plain(b)


def tree_of(repo, revision):
    files = set(git(repo, "ls-tree", "-r", "-t", "--name-only", "-z", revision).split("\0"))
    return files - {""}


def with_directories(repo, commit, renames):
    """The renames of files, and of directories of which all files went to one that was not there."""
    out, there, moved = list(renames), {}, {old for old, _ in renames}
    files = git(repo, "ls-tree", "-r", "--name-only", "-z", commit + "^").split("\0")
    is_whole = lambda path: all(file in moved for file in files if file.startswith(path + "/"))
    for side in (commit + "^", commit):
        there[side] = {path for path in git(repo, "ls-tree", "-r", "-d", "--name-only", "-z", side).split("\0") if path}
    for a, b in renames:
        while "/" in a and "/" in b and a.rsplit("/", 1)[1] == b.rsplit("/", 1)[1]:
            a, b = a.rsplit("/", 1)[0], b.rsplit("/", 1)[0]
            if a in there[commit + "^"] and a not in there[commit] and b not in there[commit + "^"] and is_whole(a):
                out.append((a + "/", b + "/"))
    return out


VENDORED = re.compile(r"(^|/)(vendor|node_modules|third_party)/")
PACKAGE = re.compile(r"^\s*(package|namespace)\s(?!.*//)")  # The import comment of Go is a path.


DECLARED = r"\b(class|interface|object|trait|enum|record|struct|typealias|module)\s+%s\b"


def renamed_type(old, new, before, after):
    """The name of the type that a file is called after, and the one that it has after the move; `None` if that stays."""
    was, now = (re.sub(r"\..*", "", os.path.basename(path)) for path in (old, new))
    declares = lambda lines, name: any(re.search(DECLARED % re.escape(name), line) for line in lines)
    return (was, now) if was != now and declares(before, was) and declares(after, now) and not declares(after, was) else None


class Server:
    def __init__(self, binary, root):
        self.run = subprocess.Popen([binary, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root)
        self.id = 0
        files = {"willRename": True}
        uri = pathlib.Path(root).as_uri()
        self.ask("initialize", {"processId": None, "rootUri": uri, "workspaceFolders": [{"uri": uri, "name": "r"}],
                                "capabilities": {"workspace": {"fileOperations": files, "workspaceEdit": {"documentChanges": True}}, "general": {"positionEncodings": ["utf-8"]}}})
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.run.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.run.stdin.flush()

    def ask(self, method, params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        while True:
            size = 0
            while (line := self.run.stdout.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            message = json.loads(self.run.stdout.read(size)) if size else {}
            if not size:
                return None
            if message.get("id") == self.id and "method" not in message:
                assert "error" not in message, message
                return message.get("result")
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})

    def close(self):
        self.run.kill()


def by_server(binary, root, renames):
    server = Server(binary, root)
    uri = lambda path: pathlib.Path(root, path).as_uri()
    params = {"files": [{"oldUri": uri(a), "newUri": uri(b)} for a, b in renames]}
    # A tree that is not read yet within the time that the server waits has no answer.
    for _ in range(READING):
        if answer := server.ask("workspace/willRenameFiles", params):
            break
        time.sleep(5)
    answer = answer or {}
    server.close()
    changes = dict(answer.get("changes") or {})
    for change in answer.get("documentChanges") or []:
        if "edits" in change:
            changes[change["textDocument"]["uri"]] = change["edits"]
    out = {}
    for name, edited in changes.items():
        path = os.path.relpath(urllib.parse.unquote(name[7:]), root)
        # As editors, which do not count a byte order mark.
        text = pathlib.Path(root, path).read_bytes()
        shown = text.removeprefix(b"\xef\xbb\xbf")
        lines = shown.split(b"\n")
        for edit in sorted(edited, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
            start, end = edit["range"]["start"], edit["range"]["end"]
            line = lines[start["line"]]
            lines[start["line"]] = line[: start["character"]] + edit["newText"].encode() + line[end["character"] :]
        # A file ends with its last line, as `splitlines` says.
        lines = lines[:-1] if lines[-1] == b"" else lines
        lines[:1] = [text[: len(text) - len(shown)] + first for first in lines[:1]]
        out[path] = [line.decode(errors="replace").rstrip("\r") for line in lines]
    return out


def fixed(binary, root):
    """{file: its lines} of the files that `fix` edits, as they are afterwards."""
    subprocess.run([binary, "fix", "--root", root], capture_output=True, cwd=root, timeout=600)
    changed = git(root, "diff", "--name-only", "-z").split("\0")[:-1]
    return {path: pathlib.Path(root, path).read_text(errors="replace").splitlines() for path in changed}


def by_fix(binary, root, renames):
    for old, new in renames:
        pathlib.Path(root, new).parent.mkdir(parents=True, exist_ok=True)
        os.rename(os.path.join(root, old), os.path.join(root, new))
    git(root, "add", "-A")
    git(root, "commit", "-q", "--no-verify", "-m", "move")
    back = {new: old for old, new in renames}
    return {back.get(path, path): lines for path, lines in fixed(binary, root).items()}


def one(a, repo, commit, renames, places, how):
    names = dict(renames)
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.join(os.path.realpath(scratch), "tree")
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(repo), root], check=True, capture_output=True)
        git(root, "update-ref", "--no-deref", "HEAD", commit + "^")
        git(root, "read-tree", "HEAD")
        git(root, "checkout-index", "-a", "-q", "-f", check=False)
        # A snapshot lacks the blobs of large files, and their names are all that counts.
        for old, _ in renames:
            if not os.path.lexists(os.path.join(root, old)):
                pathlib.Path(root, old).parent.mkdir(parents=True, exist_ok=True)
                pathlib.Path(root, old).touch()
        # All lines, also of files that were moved, by the name before the move.
        touched = [line for line in git(repo, "diff-tree", "-r", "-M", "--diff-filter=MR", "--name-status", commit + "^", commit).splitlines()]
        expect = {}
        for line in touched:
            old, new = line.split("\t")[1], line.split("\t")[-1]
            before, after = lines_of(repo, commit + "^", old), lines_of(repo, commit, new)
            expect[old] = {at: text for at, text in edits(before, after).items() if is_literal(before[at], text, places, old.endswith(".rs"))}
        # A relative literal that named nothing was broken before.
        files = tree_of(repo, commit + "^")
        after_files = tree_of(repo, commit)
        for old, lines in expect.items():
            before = lines_of(repo, commit + "^", old)
            for at, text in list(lines.items()):
                was, _ = words(before[at], text)
                if was.startswith(".") and "/" in was and not re.fullmatch(r"[./]+", was) and place(files, old, was) is None:
                    del lines[at]
        # What is broken without the move is edited in any case.
        anyway = {}
        if how == "fix":
            git(root, "add", "-A")
            git(root, "commit", "-q", "--no-verify", "--allow-empty", "-m", "before")
            anyway = fixed(a.bin, root)
            git(root, "checkout", "-q", ".")
        # What a file declares itself to be is no path literal: the author changes it with the move.
        types, declared_anew = {}, {}
        for old, new in renames:
            lines, after = lines_of(repo, commit + "^", old), lines_of(repo, commit, new)
            declared, had = ([line for line in text if PACKAGE.match(line)] for text in (after, lines))
            # The clauses of Scala follow each other, so that they can be exchanged as a whole.
            at = lines.index(had[0]) if had else 0
            text = lines[:at] + declared + lines[at + len(had):] if had and declared and lines[at : at + len(had)] == had else lines
            if type := renamed_type(old, new, lines, after):
                types[type[0]] = type[1]
                # A literal has the name of the file, which is what `fix` is asked for.
                literals = {lines[at] for at in expect.get(old, {}) if at < len(lines)}
                text = [line if line in literals else re.sub(rf"\b{re.escape(type[0])}\b", type[1], line) for line in text]
            if how == "fix" and text != lines:
                declared_anew[old] = text
                pathlib.Path(root, old).write_text("\n".join(text) + "\n")
        got = (by_server if how == "lsp" else by_fix)(a.bin, root, renames)
    moved_path = lambda path: next((b.rstrip("/") + path[len(a.rstrip("/")):] for a, b in sorted(places, key=lambda it: -len(it[0]))
                                    if path == a.rstrip("/") or path.startswith(a.rstrip("/") + "/")), path)
    count = collections.Counter()
    for path, wanted in expect.items():
        before = lines_of(repo, commit + "^", path)
        now = edits(before, got.get(path, before)) if path in got else {}
        for at, text in wanted.items():
            kind = "same" if now.get(at) == text else "other" if at in now else "left"
            was = words(before[at], text)[0]
            target = place(files, path, was)
            if kind == "left" and target and place(after_files, names.get(path, path), was) == moved_path(target):
                continue
            count[kind] += 1
            label = ""
            if kind != "same":
                new_path = names.get(path, path)
                was, theirs = words(before[at], text)
                from_, to = place(files, path, was), place(after_files, new_path, theirs)
                if from_ and re.search("[/.]", was + theirs):
                    if to != moved_path(from_):
                        label = "undecided"
                    elif kind == "other" and place(after_files, new_path, words(before[at], now[at])[1]) == to:
                        label = "equal"
                # A server shows the index at the address of its directory.
                if kind == "other" and not label and same_address(words(before[at], now[at])[1], theirs):
                    label = "equal"
                # The editor moves the file before its type is renamed, so the import stays right.
                if how == "lsp" and re.sub(r"\w+", lambda word: types.get(word[0], word[0]), now.get(at, before[at])) == text:
                    label = "type"
                if label:
                    count[label] += 1
            if a.misses and now.get(at) != text:
                print("  miss", label, path, at + 1, before[at].strip(), "→", now.get(at, "(left)").strip(), "for", text.strip())
    for path, lines in got.items():
        before = declared_anew.get(path) or lines_of(repo, commit + "^", path)
        extra = {at: text for at, text in edits(before, lines).items() if at not in expect.get(path, {}) and not PACKAGE.match(text)}
        after = lines_of(repo, commit, names.get(path, path))
        # A line that the commit has as well, or one of which it changed more than the literal.
        text = "\n".join(after)
        there = lambda old, new: new[slice(*token(new, start := len(os.path.commonprefix([old, new])), start))] in text
        kept = set(after)
        also = {at for at, line in extra.items() if line in kept or there(before[at], line) or before[at] not in kept}
        count["also"] += len(also)
        count["whole"] += len({at for at in also if extra[at] in kept and extra[at] not in before})
        if a.extra:
            for at in also:
                print("  also", path, at + 1, before[at].strip(), "→", extra[at].strip())
        extra = {at: line for at, line in extra.items() if at not in also}
        unmoved = {at for at, line in extra.items() if line in anyway.get(path, [])}
        count["anyway"] += len(unmoved)
        if a.extra:
            for at in unmoved:
                print("  anyway", path, at + 1, before[at].strip(), "→", extra[at].strip())
        extra = {at: line for at, line in extra.items() if at not in unmoved}
        count["extra"] += len(extra)
        if a.extra:
            for at, text in extra.items():
                print("  extra", path, at + 1, before[at].strip(), "→", text.strip())
    return count


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--mirror", required=True, type=pathlib.Path)
    ap.add_argument("--per", type=int, default=3)
    ap.add_argument("--most", type=int, default=400, help="commits with renames that are looked at, the newest first")
    ap.add_argument("--ending", help="only commits that rename files with this ending")
    ap.add_argument("--misses", action="store_true")
    ap.add_argument("--extra", action="store_true")
    ap.add_argument("--how", choices=["fix", "lsp"], action="append")
    ap.add_argument("repos", nargs="+")
    a = ap.parse_args()
    total = collections.defaultdict(collections.Counter)
    for name in a.repos:
        repo = a.mirror / name.replace("/", "+") / "repo"
        n = 0
        for commit in git(repo, "log", "--no-merges", "--format=%H", "--diff-filter=R", "-M90%", "-n", str(a.most), check=False).split():
            if n >= a.per:
                break
            if not git(repo, "rev-parse", "--verify", "-q", commit + "^", check=False).strip():
                continue
            renames = moves(repo, commit)
            if not 0 < len(renames) <= MAX_RENAMES or any(VENDORED.search(path) for pair in renames for path in pair):
                continue
            if a.ending and not any(path.endswith(a.ending) for path, _ in renames):
                continue
            places = with_directories(repo, commit, renames)
            edited = 0
            for line in git(repo, "diff-tree", "-r", "-M", "--diff-filter=MR", "--name-status", commit + "^", commit).splitlines()[:MAX_EDITS]:
                old, new = line.split("\t")[1], line.split("\t")[-1]
                before, after = lines_of(repo, commit + "^", old), lines_of(repo, commit, new)
                edited += sum(is_literal(before[at], text, places, old.endswith(".rs")) for at, text in edits(before, after).items())
            if not edited:
                continue
            n += 1
            for how in a.how or ["fix", "lsp"]:
                count = one(a, repo, commit, renames, places, how)
                total[how].update(count)
                total[how]["moves"] += 1
                print(name, commit[:9], how, f"{len(renames)} renames,", dict(count), flush=True)
    for how, count in total.items():
        wanted = count["same"] + count["other"] + count["left"]
        right, decidable = count["same"] + count["equal"], wanted - count["undecided"] - count["type"]
        print(f"ALL {how}: {count['moves']} moves, {wanted} literals, same {count['same']} ({count['same'] / max(1, wanted):.2f}), "
              f"equal {count['equal']}, undecided {count['undecided']}, type {count['type']}, right {right}/{decidable} ({right / max(1, decidable):.2f}), "
              f"other {count['other']}, left {count['left']}, also {count['also']} (whole {count['whole']}), extra {count['extra']}, anyway {count['anyway']}")


if __name__ == "__main__":
    main()
