#!/usr/bin/env python3
"""Moves of files that real commits made: does `fix`, after the move, write what the commit wrote?

  tests/bench/moves.py --bin target/release/pathfinder --mirror DIR --per N OWNER/NAME...

DIR/OWNER+NAME/repo is a bare clone. Commits are taken that rename files and edit path literals in others: a line in which nothing
but the moved path changed. Each is laid out at its parent, its renames are made on disk and recorded in a commit, and `fix --all`
is run (CLI), or the language server is asked `workspace/willRenameFiles` before them (LSP).

  same   lines of the commit that were written as the commit did        other   lines that were edited otherwise
  extra  lines edited that the commit left as they were: each is read before it is called wrong (--extra prints them)
"""
import argparse, collections, difflib, json, os, pathlib, re, subprocess, tempfile, urllib.parse

MAX_RENAMES = 40  # more is a reorganisation in which other things change too
MAX_EDITS = 200


def git(at, *args, check=True):
    run = subprocess.run(["git", "-C", str(at), "-c", "user.name=a", "-c", "user.email=a@b", *args], capture_output=True, check=check)
    return run.stdout.decode(errors="replace")


def moves(repo, commit):
    lines = git(repo, "diff-tree", "-r", "-M90%", "--name-status", "-z", commit + "^", commit).split("\0")
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
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "replace" and b - a == d - c:
            out.update({a + i: after[c + i] for i in range(b - a)})
    return out


def is_literal(old, new, renames):
    """Whether a line differs in a path that was moved: all that is new in it is in a new path, all that is old in an old one."""
    split = lambda text: re.split(r"[^A-Za-z0-9_-]+", text)
    gone, come = collections.Counter(split(old)) - collections.Counter(split(new)), collections.Counter(split(new)) - collections.Counter(split(old))
    words = lambda paths: {word for path in paths for word in split(path)}
    near = {"", *words(a for a, _ in renames), *words(b for _, b in renames)}
    return (gone or come) and set(gone) <= near and set(come) <= near and bool(re.search(r"""["'`(<]|^\s*(use|import|from|mod|include)\b""", new))


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
                return message.get("result")
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})

    def close(self):
        self.run.kill()


def by_server(binary, root, renames):
    server = Server(binary, root)
    uri = lambda path: pathlib.Path(root, path).as_uri()
    answer = server.ask("workspace/willRenameFiles", {"files": [{"oldUri": uri(a), "newUri": uri(b)} for a, b in renames]}) or {}
    server.close()
    changes = dict(answer.get("changes") or {})
    for change in answer.get("documentChanges") or []:
        if "edits" in change:
            changes[change["textDocument"]["uri"]] = change["edits"]
    out = {}
    for name, edited in changes.items():
        path = os.path.relpath(urllib.parse.unquote(name[7:]), root)
        lines = pathlib.Path(root, path).read_bytes().split(b"\n")
        for edit in sorted(edited, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
            start, end = edit["range"]["start"], edit["range"]["end"]
            line = lines[start["line"]]
            lines[start["line"]] = line[: start["character"]] + edit["newText"].encode() + line[end["character"] :]
        out[path] = [line.decode(errors="replace").rstrip("\r") for line in lines]
    return out


def by_fix(binary, root, renames):
    for old, new in renames:
        pathlib.Path(root, new).parent.mkdir(parents=True, exist_ok=True)
        os.rename(os.path.join(root, old), os.path.join(root, new))
    git(root, "add", "-A")
    git(root, "commit", "-q", "--no-verify", "-m", "move")
    subprocess.run([binary, "fix", "--root", root], capture_output=True, cwd=root, timeout=600)
    changed = git(root, "diff", "--name-only", "-z").split("\0")[:-1]
    back = {new: old for old, new in renames}
    return {back.get(path, path): pathlib.Path(root, path).read_text(errors="replace").splitlines() for path in changed}


def one(a, repo, commit, renames, how):
    names = dict(renames)
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.join(os.path.realpath(scratch), "tree")
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(repo), root], check=True, capture_output=True)
        git(root, "update-ref", "--no-deref", "HEAD", commit + "^")
        git(root, "read-tree", "HEAD")
        git(root, "checkout-index", "-a", "-q", "-f", check=False)
        # All lines, also of files that were moved, by the name before the move.
        touched = [line for line in git(repo, "diff-tree", "-r", "-M90%", "--diff-filter=MR", "--name-status", commit + "^", commit).splitlines()]
        expect = {}
        for line in touched:
            old, new = line.split("\t")[1], line.split("\t")[-1]
            before, after = lines_of(repo, commit + "^", old), lines_of(repo, commit, new)
            expect[old] = {at: text for at, text in edits(before, after).items() if is_literal(before[at], text, renames)}
        got = (by_server if how == "lsp" else by_fix)(a.bin, root, renames)
    count = collections.Counter()
    for path, wanted in expect.items():
        before = lines_of(repo, commit + "^", path)
        now = edits(before, got.get(path, before)) if path in got else {}
        for at, text in wanted.items():
            count["same" if now.get(at) == text else "other" if at in now else "left"] += 1
            if a.misses and now.get(at) != text:
                print("  miss", path, at + 1, before[at].strip(), "→", now.get(at, "(left)").strip(), "for", text.strip())
    for path, lines in got.items():
        before = lines_of(repo, commit + "^", path)
        extra = {at: text for at, text in edits(before, lines).items() if at not in expect.get(path, {})}
        after = lines_of(repo, commit, names.get(path, path))
        # A line that the commit has as well: it was edited together with others.
        extra = {at: text for at, text in extra.items() if text not in after}
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
    ap.add_argument("--misses", action="store_true")
    ap.add_argument("--extra", action="store_true")
    ap.add_argument("--how", choices=["fix", "lsp"], action="append")
    ap.add_argument("repos", nargs="+")
    a = ap.parse_args()
    total = collections.defaultdict(collections.Counter)
    for name in a.repos:
        repo = a.mirror / name.replace("/", "+") / "repo"
        n = 0
        for commit in git(repo, "log", "--no-merges", "--format=%H", "--diff-filter=R", "-M90%", "-n", "400").split():
            if n >= a.per:
                break
            renames = moves(repo, commit)
            if not 0 < len(renames) <= MAX_RENAMES:
                continue
            edited = 0
            for line in git(repo, "diff-tree", "-r", "-M90%", "--diff-filter=MR", "--name-status", commit + "^", commit).splitlines()[:MAX_EDITS]:
                old, new = line.split("\t")[1], line.split("\t")[-1]
                before, after = lines_of(repo, commit + "^", old), lines_of(repo, commit, new)
                edited += sum(is_literal(before[at], text, renames) for at, text in edits(before, after).items())
            if not edited:
                continue
            n += 1
            for how in a.how or ["fix", "lsp"]:
                count = one(a, repo, commit, renames, how)
                total[how].update(count)
                total[how]["moves"] += 1
                print(name, commit[:9], how, f"{len(renames)} renames,", dict(count), flush=True)
    for how, count in total.items():
        wanted = count["same"] + count["other"] + count["left"]
        print(f"ALL {how}: {count['moves']} moves, {wanted} literals, same {count['same']} ({count['same'] / max(1, wanted):.2f}), "
              f"other {count['other']}, left {count['left']}, extra {count['extra']}")


if __name__ == "__main__":
    main()
