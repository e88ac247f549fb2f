#!/usr/bin/env python3
"""What an agent gets when its call fails: real failed calls replayed as hook events and as MCP calls, and how long a hook takes.

  tests/bench/hooks.py --bin target/release/pathfinder --cases DIR/agent.jsonl
  tests/bench/hooks.py --bin target/release/pathfinder --tree TREE... [--runs N] [--against OTHER]

A case is one JSON object per line with `failed_path`, `op`, `intent_text`, `expected` (empty: nothing was meant) and `tree`, the name of
trees/<tree>.txt.gz beside the file: every path of a repository, one per line, laid out as empty files in a repository of its own.

Replayed in four ways: as Claude Code's PostToolUseFailure of the tool for the operation, with the intent as `description` (agents
say it for shell commands) and without; as its PreToolUse; and as the tool call of MCP (`tool_retry_with_resolve`, a session per case). An answer has the right path if
it names an expected one as a word of its own. It asserts a path if it says "It is" it, reads it instead, or answers `resolved`; it is wrong if
that is not an expected one. Tokens are those of o200k with --packages (npm install --prefix DIR gpt-tokenizer@4.0.0), else bytes / 4.

TREE is the top of a repository on disk (shared/perf/mktree.py makes some of any size). In turns: an event about a path that is
there, and one about a misspelt path, with nothing kept from before and with what was kept; then as an installed hook meets it: nothing kept, a
session begins, and the first misspelt path comes as soon as the tree was read for it (*ready*: how long that takes, from the end of the event
about the session on). Milliseconds of the whole process, wall (p50 and p99) and processor (p50; of *ready* not known). Another program takes its turn after each
misspelt path of which the tree is kept, with a cache of its own.
"""
import argparse, collections, fcntl, gzip, json, os, pathlib, re, resource, shutil, statistics, subprocess, tempfile, time

TOOLS = {"read": ("Read", "file_path"), "list": ("LS", "path"), "stat": ("Read", "file_path"), "edit": ("Read", "file_path"),
         "write": ("Read", "file_path")}


def counted(packages, texts):
    """How many tokens each text has."""
    if not packages:
        return "bytes / 4", [len(text.encode()) // 4 for text in texts]
    script = "const c = require('gpt-tokenizer/encoding/o200k_base'); console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0)).map((t) => c.countTokens(t))))"
    run = subprocess.run(["node", "-e", script], input=json.dumps(texts), text=True, capture_output=True, cwd=packages, check=True)
    return "o200k tokens", json.loads(run.stdout)


def lay_out(listing, root):
    with gzip.open(listing, "rt", encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            path = root / line.rstrip("\n")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    (root / ".git").mkdir(exist_ok=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    for below in ("objects", "refs"):
        (root / ".git" / below).mkdir(exist_ok=True)


def hook(program, root, event, env):
    run = subprocess.run([program, "hook", "claude-code"], input=json.dumps(event), text=True, capture_output=True, env=env, cwd=root)
    assert run.returncode == 0, run.stderr
    return run.stdout


def mcp(a, root, case, env):
    op = case["op"] if case["op"] in ("read", "list", "stat") else "read"
    arguments = {"failed_path": case["failed_path"], "op": op, "intent_text": case.get("intent_text", "")}
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    messages = [{"id": 1, "method": "initialize", "params": client}, {"method": "notifications/initialized"},
                {"id": 2, "method": "tools/call", "params": {"name": "tool_retry_with_resolve", "arguments": arguments}}]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    with subprocess.Popen([a.bin, "mcp", "--root", root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, env=env) as server:
        server.stdin.write(lines)
        server.stdin.flush()
        answer = {}
        while answer.get("id") != 2:
            answer = json.loads(server.stdout.readline())
        server.stdin.close()
    return answer["result"]["content"][0]["text"]


def asserted(way, root, text):
    """The path that an answer says is the one."""
    if not text:
        return None
    if way.startswith("mcp"):
        answer = json.loads(text)
        return answer["path"] if answer.get("status") == "resolved" else None
    specific = json.loads(text)["hookSpecificOutput"]
    if "updatedInput" in specific:
        return next(specific["updatedInput"][name] for name in ("file_path", "path") if name in specific["updatedInput"])
    found = re.search(r'does not exist\. It is "(.*?)" \(', specific["additionalContext"])
    return found and found[1]


def names(text, path):
    return bool(re.search(rf'(?<![\w./-]){re.escape(path)}(?![\w/-]|\.\w)', text))


def replay(a):
    by_tree = collections.defaultdict(list)
    for line in open(a.cases, encoding="utf-8"):
        case = json.loads(line)
        by_tree[case["tree"]].append(case)
    ways = ("failure", "failure with intent", "before", "mcp")
    right, wrong, silent, total = (collections.Counter() for _ in range(4))
    texts, wrongs, misses = collections.defaultdict(list), [], []
    for tree, cases in sorted(by_tree.items()):
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch, "root").resolve()
            root.mkdir()
            lay_out(pathlib.Path(a.cases).parent / "trees" / f"{tree}.txt.gz", root)
            env = dict(os.environ, PATHFINDER_CACHE_DIR=f"{scratch}/cache")
            for case in cases:
                total["meant" if case["expected"] else "absent"] += 1
                tool, field = TOOLS[case["op"]]
                base = {"session_id": "s", "transcript_path": "", "cwd": str(root), "tool_name": tool, "tool_use_id": "t"}
                failure = {**base, "hook_event_name": "PostToolUseFailure", "error": "File does not exist."}
                named = {field: case["failed_path"]}
                answers = {
                    "failure": hook(a.bin, root, {**failure, "tool_input": named}, env),
                    "failure with intent": hook(a.bin, root, {**failure, "tool_input": {**named, "description": case.get("intent_text", "")}}, env),
                    "before": hook(a.bin, root, {**base, "hook_event_name": "PreToolUse", "tool_input": named}, env),
                    "mcp": mcp(a, root, case, env),
                }
                for way, text in answers.items():
                    shown = text.replace("\\n", "\n")
                    if text:
                        texts[way].append(text)
                    else:
                        silent[way] += 1
                    if case["expected"] and any(names(shown, path) for path in case["expected"]):
                        right[way] += 1
                    elif case["expected"]:
                        misses.append((way, case["failed_path"], case["expected"], text.strip()[:300]))
                    said = asserted(way, root, text)
                    said = said and (said[len(str(root)) + 1:] if said.startswith(str(root)) else said)
                    if said and said not in case["expected"]:
                        wrong[way] += 1
                        wrongs.append((way, case["failed_path"], said, case["expected"]))
    unit, sizes_of = "", {}
    for way in ways:
        unit, sizes_of[way] = counted(a.packages, texts[way])
    print(f"{total['meant']} with a path that was meant, {total['absent']} without; load {os.getloadavg()[0]:.1f}")
    print(f"| way | right path in the answer | wrong assertions | nothing said | {unit}: median | p95 | most |\n|---|---|---|---|---|---|---|")
    for way in ways:
        sizes = sorted(sizes_of[way]) or [0]
        p95 = sizes[min(len(sizes) - 1, int(len(sizes) * .95))]
        print(f"| {way} | {right[way]} of {total['meant']} | {wrong[way]} of {sum(total.values())} | {silent[way]} | {statistics.median(sizes):.0f} | {p95} | {sizes[-1]} |")
    for way, asked, said, expected in wrongs:
        print(f"  wrong, {way}: {asked} -> {said}, meant {expected}")
    for way, asked, expected, text in misses:
        if way != "before":
            print(f"  missed, {way}: {asked}, meant {expected}: {text}")


def latency(a):
    for tree in a.tree:
        files = subprocess.run(["git", "ls-files"], cwd=tree, capture_output=True, text=True, check=True).stdout.splitlines()
        name = pathlib.PurePath(files[len(files) // 2])
        event = lambda path, which: {"session_id": "s", "transcript_path": "", "cwd": os.path.abspath(tree), "hook_event_name": which,
                                     "tool_name": "Read", "tool_use_id": "t", "error": "", "tool_input": {"file_path": path}}
        times = collections.defaultdict(list)
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as others:
            env, of_other = (dict(os.environ, PATHFINDER_CACHE_DIR=directory, PATHFINDER_SHARE="off") for directory in (cache, others))

            def run(what, path, which="PostToolUseFailure", program=a.bin, env=env):
                before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
                hook(program, tree, event(path, which), env)
                wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
                times[what].append((wall * 1e3, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3))

            for at in range(a.runs):
                run("path is there", str(name), "PreToolUse")
                if at < 9:
                    shutil.rmtree(cache)
                    run("nothing kept", f"{name.parent}/x{name.name}")
                    shutil.rmtree(cache)
                    run("a session begins", "", "SessionStart")
                    start = time.perf_counter()
                    while not list(pathlib.Path(cache).glob("*.listing")):
                        assert time.perf_counter() < start + 60, "nothing was read ahead"
                        time.sleep(.002)
                    times["ready"].append(((time.perf_counter() - start) * 1e3, 0))
                    run("the first one then", f"{name.parent}/x{name.name}")
                    # The process goes on with git's history.
                    with open(next(pathlib.Path(cache).glob("*.ahead"))) as lock:
                        fcntl.flock(lock, fcntl.LOCK_EX)
                run("kept", f"{name.parent}/x{name.name}")
                if a.against:
                    run("kept, the other", f"{name.parent}/x{name.name}", program=a.against, env=of_other)
                run("kept, before", f"{name.parent}/x{name.name}", "PreToolUse")
        for what, took in times.items():
            wall = sorted(wall for wall, _ in took)
            p99, used = wall[min(len(wall) - 1, int(len(wall) * .99))], statistics.median(used for _, used in took)
            print(f"| {len(files)} | {what} | {len(took)} | {statistics.median(wall):.1f} | {p99:.1f} | {used:.1f} |", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True, type=os.path.abspath)
    ap.add_argument("--cases")
    ap.add_argument("--packages")
    ap.add_argument("--tree", nargs="+", default=[])
    ap.add_argument("--runs", type=int, default=100)
    ap.add_argument("--against", type=os.path.abspath)
    a = ap.parse_args()
    if a.cases:
        replay(a)
    if a.tree:
        print(f"load {os.getloadavg()[0]:.1f}\n| files | event | runs | p50 ms | p99 ms | processor ms |\n|---|---|---|---|---|---|")
        latency(a)


if __name__ == "__main__":
    main()
