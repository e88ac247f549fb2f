#!/usr/bin/env python3
"""The language server on real repositories: how soon it says what, and whether that is what `check` says.

    tests/bench/lsp.py keys [--rounds N]          keystroke to diagnostics, at 200, 5,000 and 20,000 lines
    tests/bench/lsp.py scan REPOSITORY...         first diagnostics, all of them, memory then and when all has been read
    tests/bench/lsp.py same REPOSITORY...         findings beside those of `check`
    tests/bench/lsp.py silent                     hover while 64 requests of the server wait for the client

REPOSITORY is a checkout. Needs target/release/pathfinder.
"""

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote, unquote

BINARY = Path(__file__).parents[2] / "target/release/pathfinder"
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True}, "codeAction": {"codeActionLiteralSupport": {}}},
    "workspace": {"workspaceEdit": {"documentChanges": True}, "applyEdit": True},
}


class Server:
    """One server, and its messages that were not read yet."""

    def __init__(self, root, capabilities=CAPABILITIES, options=None):
        self.cache = tempfile.mkdtemp()
        environment = {**os.environ, "PATHFINDER_CACHE_DIR": self.cache}
        self.process = subprocess.Popen(
            [BINARY, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, env=environment
        )
        self.said, self.number, self.silent = queue.Queue(), 0, False
        self.open_requests = 0
        threading.Thread(target=self.read, daemon=True).start()
        uri = uri_of(root)
        self.request("initialize", {
            "processId": os.getpid(), "rootUri": uri, "workspaceFolders": [{"uri": uri, "name": "root"}],
            "capabilities": capabilities, "initializationOptions": options or {},
        })
        self.send({"method": "initialized", "params": {}})

    def read(self):
        while True:
            length = None
            while (line := self.process.stdout.readline()) not in (b"", b"\r\n"):
                name, value = line.split(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if length is None:
                return self.said.put((time.perf_counter(), None))
            self.said.put((time.perf_counter(), json.loads(self.process.stdout.read(length))))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def wait(self, fits, patience=300):
        """The next message that fits, and when it came. The others are dropped, requests answered."""
        end = time.perf_counter() + patience
        while True:
            at, message = self.said.get(timeout=max(0.01, end - time.perf_counter()))
            if message is None:
                raise EOFError("the server is gone")
            if "method" in message and "id" in message:
                self.open_requests += 1
                if not self.silent:
                    result = [None] if message["method"] == "workspace/configuration" else None
                    self.send({"id": message["id"], "result": result})
            if fits(message):
                return at, message

    def request(self, method, params=None, patience=300):
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, **({} if params is None else {"params": params})})
        return self.wait(lambda message: message.get("id") == number and "method" not in message, patience)

    def published(self, uri, version=None, patience=300):
        def fits(message):
            params = message.get("params") or {}
            told = message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri
            return told and version in (None, params.get("version"))
        return self.wait(fits, patience)

    def state(self, state, patience=600):
        return self.wait(lambda it: it.get("method") == "pathfinder/status" and it["params"]["state"] == state, patience)

    def memory(self):
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return {name: int(text.split(f"{name}:")[1].split()[0]) / 1024 for name in ("VmRSS", "RssAnon", "VmHWM")}

    def idle(self, quiet=25, patience=600):
        """Waits until the server has used no processor for so many seconds: it closes repositories 10 to 20 after the last use."""
        end, since, last = time.perf_counter() + patience, time.perf_counter(), None
        while time.perf_counter() < end and time.perf_counter() - since < quiet:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks = int(fields[11]) + int(fields[12])
            if last is None or ticks > last + 1:
                since = time.perf_counter()
            last = ticks
            try:
                self.wait(lambda message: False, 1)
            except queue.Empty:
                pass

    def end(self):
        self.request("shutdown")
        self.send({"method": "exit"})
        self.process.wait(30)
        shutil.rmtree(self.cache, ignore_errors=True)


def uri_of(path):
    return "file://" + quote(str(path))


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


SAMPLES = {
    "a.ts": ("import {{ a{0} }} from './m{1}';\n", "export const x{0} = a{0} + {1}; // é\n", "m{}.ts"),
    "a.py": ("from .m{1} import a{0}\n", "x{0} = a{0} + {1}  # é\n", "m{}.py"),
    "a.rs": ("mod m{1};\n", "const X{0}: u32 = {1}; // é\n", "a/m{}.rs"),
    "a.c": ('#include "m{1}.h"\n', "int x{0} = {1}; /* é */\n", "m{}.h"),
    "a.md": ("See [m](m{1}.md) there.\n", "Some text {0} of {1} words, é.\n", "m{}.md"),
}


def text_of(file, lines):
    """A text of so many lines; each twentieth has a literal, of which one in ten is broken."""
    literal, plain, _ = SAMPLES[file]
    out = []
    for line in range(lines):
        which = line // 20 % 20
        is_literal = line % 20 == 0 and (line < 4000 or not file.endswith(".rs"))
        out.append(literal.format(line, which if which % 10 else which + 100) if is_literal else plain.format(line, which))
    return "".join(out)


def keys(rounds):
    print("file    lines   after the pause: p50 ms   p95 ms   max ms   diagnostics")
    for file in SAMPLES:
        for lines in (200, 5000, 20000):
            root = Path(tempfile.mkdtemp())
            for number in range(20):
                target = root / SAMPLES[file][2].format(number)
                target.parent.mkdir(exist_ok=True)
                target.write_text("")
            (root / "package.json").write_text("{}")
            (root / "__init__.py").write_text("")
            text = text_of(file, lines)
            (root / file).write_text(text)
            # The pause itself is the user's choice; what is measured is what comes after it.
            server = Server(root, options={"debounceMs": 0, "workspaceDiagnostics": False})
            server.state("ready")
            uri = uri_of(root / file)
            document = {"uri": uri, "languageId": "x", "version": 0, "text": text}
            server.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
            server.published(uri, 0)
            times, count = [], 0
            for version in range(1, rounds + 1):
                line = version * 37 % lines
                place = {"line": line, "character": 0 if version % 2 else 3}
                change = {"range": {"start": place, "end": place}, "text": "z" if version % 3 else "zz"}
                if version % 2 == 0:
                    change = {"range": {"start": {**place, "character": 0}, "end": {**place, "character": 1}}, "text": ""}
                start = time.perf_counter()
                server.send({"method": "textDocument/didChange", "params": {
                    "textDocument": {"uri": uri, "version": version}, "contentChanges": [change],
                }})
                at, message = server.published(uri, version)
                times.append((at - start) * 1000)
                count = len(message["params"]["diagnostics"])
            print(f"{file:6} {lines:6} {percentile(times, .5):24.1f} {percentile(times, .95):8.1f} {max(times):8.1f} {count:9}")
            server.end()
            shutil.rmtree(root)


def scan(repositories):
    print("repository           files  ready s  first s  all s  diagnostics  files with any  RSS MiB  peak MiB  idle MiB  own MiB  check s")
    for root in repositories:
        root = Path(root).resolve()
        start = time.perf_counter()
        server = Server(root)
        first, told, files = None, {}, 0
        while True:
            at, message = server.wait(lambda it: it.get("method") in ("textDocument/publishDiagnostics", "pathfinder/status"), 600)
            params = message["params"]
            if message["method"] == "pathfinder/status":
                files = params["files"]
                if params["state"] == "ready":
                    ready = at - start
                    break
            elif params["diagnostics"]:
                first = first or at - start
                told[params["uri"]] = len(params["diagnostics"])
        memory = server.memory()
        server.idle()
        idle = server.memory()
        server.end()
        start = time.perf_counter()
        subprocess.run([BINARY, "check", "--root", root, "--format", "json"], stdout=subprocess.DEVNULL)
        check = time.perf_counter() - start
        print(f"{root.name:18} {files:7} {ready:8.1f} {first or 0:8.1f} {ready:6.1f} {sum(told.values()):12} {len(told):15} "
              f"{memory['VmRSS']:8.0f} {idle['VmHWM']:9.0f} {idle['VmRSS']:9.1f} {idle['RssAnon']:8.1f} {check:8.1f}")


def same(repositories):
    wrong = 0
    for root in repositories:
        root = Path(root).resolve()
        lines = subprocess.run([BINARY, "check", "--root", root, "--format", "json"], capture_output=True, text=True).stdout
        expected = set()
        for line in map(json.loads, lines.splitlines()):
            if "file" in line:
                fixes = tuple((fix["literal"], fix["path"], fix["preferred"]) for fix in line["fixes"])
                expected.add((line["file"], line["line"], line["literal"], line["code"], line["severity"], fixes))
        server = Server(root)
        told = {}
        while True:
            _, message = server.wait(lambda it: it.get("method") in ("textDocument/publishDiagnostics", "pathfinder/status"), 600)
            params = message["params"]
            if message["method"] == "textDocument/publishDiagnostics":
                told[params["uri"]] = params["diagnostics"]
            elif params["state"] == "ready":
                # Then the history is read, and what it says is looked at.
                try:
                    while True:
                        _, message = server.wait(lambda it: it.get("method") == "textDocument/publishDiagnostics", 5)
                        told[message["params"]["uri"]] = message["params"]["diagnostics"]
                except queue.Empty:
                    break
        def key(uri, it):
            file = str(Path(unquote(uri.removeprefix("file://"))).relative_to(root))
            severity = {1: "error", 2: "warning", 4: "hint"}[it["severity"]]
            fixes = tuple((fix["literal"], fix["path"], fix["preferred"]) for fix in it["data"]["fixes"])
            return file, it["range"]["start"]["line"] + 1, it["data"]["literal"], it["code"], severity, fixes
        on_disk = {key(uri, it) for uri, diagnostics in told.items() for it in diagnostics}
        # The same files, opened: what is said of a text is what is said of the file.
        opened = set()
        for uri in list(told):
            path = Path(unquote(uri.removeprefix("file://")))
            text = path.read_bytes().decode("utf-8", "replace")
            document = {"uri": uri, "languageId": "x", "version": 7, "text": text}
            server.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
            _, message = server.published(uri, 7)
            diagnostics = message["params"]["diagnostics"]
            # Fixes come later.
            opened |= {key(uri, it)[:-1] for it in diagnostics}
        server.end()
        for name, found, wanted in (("unopened", on_disk, expected), ("opened", opened, {it[:-1] for it in expected})):
            missing, more = wanted - found, found - wanted
            wrong += len(missing) + len(more)
            print(f"{root.name:18} {name:9} check {len(wanted):5}  lsp {len(found):5}  only check {len(missing):3}  only lsp {len(more):3}")
            for it in sorted(missing)[:3] + sorted(more)[:3]:
                print("   ", it)
    sys.exit(1 if wrong else 0)


def silent():
    root = Path(tempfile.mkdtemp())
    (root / "a.md").write_text("[x](b.md)\n")
    server = Server(root, {**CAPABILITIES, "window": {"showDocument": {"support": True}}})
    server.state("ready")
    uri = uri_of(root / "a.md")
    server.send({"method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": uri, "languageId": "markdown", "version": 0, "text": "[x](b.md)\n"}}})
    server.published(uri, 0)
    server.silent = True
    for number in range(64):
        argument = {"edit": {"changes": {}}}
        server.send({"id": 1000 + number, "method": "workspace/executeCommand",
                     "params": {"command": "pathfinder.apply", "arguments": [argument]}})
    while server.open_requests < 64:
        server.wait(lambda it: it.get("method") == "workspace/applyEdit")
    times = []
    for _ in range(20):
        start = time.perf_counter()
        at, answer = server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}})
        times.append((at - start) * 1000)
        assert "is broken" in str(answer), answer
    print(f"hover with {server.open_requests} unanswered requests: p50 {percentile(times, .5):.1f} ms, max {max(times):.1f} ms")
    server.process.kill()
    shutil.rmtree(root)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["keys", "scan", "same", "silent"])
    parser.add_argument("repositories", nargs="*")
    parser.add_argument("--rounds", type=int, default=60)
    arguments = parser.parse_args()
    print("load", *os.getloadavg())
    if arguments.what == "keys":
        keys(arguments.rounds)
    elif arguments.what == "silent":
        silent()
    else:
        {"scan": scan, "same": same}[arguments.what](arguments.repositories)


if __name__ == "__main__":
    main()
