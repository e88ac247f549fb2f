#!/usr/bin/env python3
"""What it is worth that an editor's server and agents share one engine: memory of all of them, and how long a question takes.

  tests/bench/share.py --bin target/release/pathfinder [--agents 2] [--calls 300] [--runs 60] TREE...

Each TREE is the top of a repository (shared/perf/mktree.py makes some of any size). A language server is opened on it, then so many MCP
servers, each is asked so often, and memory (VmRSS; of it, what is the process's own: RssAnon) is read when all is quiet: once with
engines shared, once with `--share off`. With the shared one also: single commands, and an agent's hook about a wrong path, as whole processes, beside the
same without a live engine (what was read before is kept on disk in both cases).
"""
import argparse, json, os, pathlib, shutil, statistics, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(__file__))
from mcp import Server


class Editor:
    """A language server that is told of one root."""

    def __init__(self, binary, root, cache, *args):
        env = dict(os.environ, PATHFINDER_CACHE_DIR=cache)
        self.process = subprocess.Popen([binary, "lsp", "--history-ms", "0", "--rerank", "off", *args], cwd=root, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.send({"id": 1, "method": "initialize", "params": {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": {}}})
        self.send({"method": "initialized", "params": {}})
        while True:
            message = self.read()
            if message.get("method") == "pathfinder/status" and message["params"]["state"] == "ready":
                return
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def read(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))


def memory(process):
    """Megabytes: all, and the process's own."""
    lines = dict(line.split(":", 1) for line in open(f"/proc/{process.pid}/status") if line.startswith("Rss") or line.startswith("VmRSS"))
    return tuple(int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon"))


def settle(processes):
    """Waits until none of them computes any more."""
    ticks = lambda: sum(sum(map(int, open(f"/proc/{p.pid}/stat").read().rsplit(")", 1)[1].split()[11:13])) for p in processes)
    before, quiet = ticks(), 0
    while quiet < 4:
        time.sleep(0.5)
        now = ticks()
        before, quiet = now, quiet + 1 if now == before else 0


def quantiles(times):
    times = sorted(times)
    return f"p50 {statistics.median(times):.2f}, p99 {times[min(len(times) - 1, int(len(times) * .99))]:.2f} ms"


def timed(run):
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1e3


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--agents", type=int, default=2)
    ap.add_argument("--calls", type=int, default=300)
    ap.add_argument("--runs", type=int, default=60)
    ap.add_argument("trees", nargs="+")
    a = ap.parse_args()
    for tree in a.trees:
        root = pathlib.Path(tree).resolve()
        files = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
        wrong = [str(pathlib.PurePath(name).parent / f"x{pathlib.PurePath(name).name}") for name in files[:: max(1, len(files) // a.calls)]][: a.calls]
        print(f"{root}: {len(files)} files, load {os.getloadavg()[0]:.1f}", flush=True)
        for share in ("on", "off"):
            cache = tempfile.mkdtemp()
            try:
                measure(a, root, cache, share, wrong)
            finally:
                shutil.rmtree(cache)


def measure(a, root, cache, share, wrong):
    editor = Editor(a.bin, root, cache, "--share", share)
    time.sleep(0.5)  # it looks for its roots five times a second
    agents = []
    for _ in range(a.agents):
        start = time.perf_counter()
        agents.append(Server(a.bin, root, cache, "--history-ms", "0", "--share", share))
        agents[-1].call("path_resolve", failed_path=wrong[0])
        first = (time.perf_counter() - start) * 1e3
    processes = [editor.process, *(agent.process for agent in agents)]
    ask = lambda: [timed(lambda: agents[-1].call("path_resolve", failed_path=path)) for path in wrong]
    # An engine still reads declarations and contents when it first answers, and has both cores for that.
    reading = ask()
    settle(processes)
    times = ask()
    settle(processes)
    held = [memory(process) for process in processes]
    shown = " + ".join(f"{all_:.0f} ({own:.0f})" for all_, own in held)
    print(f"  share {share}: memory in MB (own) {shown} = {sum(all_ for all_, _ in held):.0f} ({sum(own for _, own in held):.0f}); an agent's first answer {first:.0f} ms after its start; a call while contents are read {quantiles(reading)}, afterwards {quantiles(times)}", flush=True)
    if share == "on":
        env = dict(os.environ, PATHFINDER_CACHE_DIR=cache)
        event = json.dumps({"hook_event_name": "PostToolUseFailure", "cwd": str(root), "tool_name": "Read", "tool_input": {"file_path": str(root / wrong[0])}, "error": "File does not exist."})
        run = lambda args, **how: subprocess.run([a.bin, *args], cwd=root, env=env, capture_output=True, **how)
        run(["resolve", "--share", "off", wrong[0]])
        for what, args, how in (("resolve", ["resolve"], {}), ("hook", ["hook", "claude-code"], {"input": event.encode()})):
            rows = {"live engine": [], "none": []}
            for at in range(a.runs):
                path = [wrong[at % len(wrong)]] if what == "resolve" else []
                rows["live engine"].append(timed(lambda: run([*args, *path], **how)))
                rows["none"].append(timed(lambda: run([*args, "--share", "off", *path], **how)))
            print(f"    {what}: " + "; ".join(f"{name} {quantiles(times)}" for name, times in rows.items()), flush=True)
    for agent in agents:
        agent.close()
    editor.process.stdin.close()
    editor.process.wait()


if __name__ == "__main__":
    main()
