#!/usr/bin/env python3
"""Hook events that are no events: each one of the corpus cut at 50 places, doubled, with values of another type, and very large.

    tests/bench/bad_events.py PROGRAM ROOT

Runs `PROGRAM hook AGENT` for each. A hook must end with status 0 and print nothing or one JSON object, whatever it is given. Prints
how many events there were, those that were answered otherwise, and the memory (peak) for events of 16 and 100 MB.
"""
import json, os, pathlib, subprocess, sys, tempfile, time

AGENTS = ["claude-code", "codex", "gemini", "copilot", "opencode"]
CORPUS = pathlib.Path(__file__).parent.parent / "fuzz/corpus/hook-events"
OTHER = [None, True, -1, 1e308, "", "\0", [], [[]], {}, {"a": None}]


def changed(value):
    """The event with each of its values, at any depth, replaced by one of another type."""
    if isinstance(value, dict):
        for key, inside in value.items():
            yield {name: it for name, it in value.items() if name != key}
            for other in [*OTHER, *changed(inside)]:
                yield value | {key: other}
    elif isinstance(value, list):
        yield from ([other] for other in OTHER)


def events():
    for file in sorted(CORPUS.iterdir()):
        data = file.read_bytes()
        agent, text = AGENTS[data[0] % len(AGENTS)], data[1:]
        event = json.loads(text)
        yield from ((agent, "cut", text[: len(text) * at // 50]) for at in range(50))
        yield agent, "doubled", text + text
        yield agent, "doubled", json.dumps([event, event]).encode()
        yield from ((agent, "of another type", json.dumps(other).encode()) for other in [*OTHER, *changed(event)])


def answer(program, root, agent, text):
    start = time.monotonic()
    run = subprocess.run([program, "hook", agent], input=text, cwd=root, capture_output=True, timeout=60)
    took = time.monotonic() - start
    out = run.stdout.strip()
    try:
        is_fine = run.returncode == 0 and (not out or isinstance(json.loads(out), dict))
    except ValueError:
        is_fine = False
    return is_fine and b"panicked" not in run.stderr, took, run


def peak(program, root, agent, size):
    """MB that one event of so many bytes takes at most, and how it is answered."""
    event = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": {"stdout": "@"}}
    before, after = json.dumps(event).encode().split(b"@")
    line = rb"src/a.rs:3:5: error: no such file or directory: src/cleint.rs\n"
    with tempfile.TemporaryFile() as file:
        # In pieces: a child process begins with the memory of this one.
        file.write(before)
        for _ in range((size - len(before) - len(after)) // len(line)):
            file.write(line)
        file.write(after)
        file.seek(0)
        child = subprocess.Popen([program, "hook", agent], stdin=file, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
    return usage.ru_maxrss // 1024, usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status), len(out)


def main():
    program, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    os.environ["PATHFINDER_CACHE_DIR"] = tempfile.mkdtemp()
    counts, slowest, bad = {}, 0.0, []
    for agent, what, text in events():
        is_fine, took, run = answer(program, root, agent, text)
        counts[what] = counts.get(what, 0) + 1
        slowest = max(slowest, took)
        if not is_fine:
            bad.append((agent, what, text[:200], run.returncode, run.stdout[:200], run.stderr[:200]))
    print(f"{sum(counts.values())} events {counts}, slowest {slowest * 1000:.0f} ms, {len(bad)} answered otherwise")
    for case in bad[:10]:
        print(*case, sep="\n    ")
    for size in (1 << 10, 1 << 24, (1 << 24) + 1000, 100_000_000):
        memory, cpu, status, out = peak(program, root, "claude-code", size)
        print(f"an event of {size:,} bytes: {memory} MB at most, {cpu:.2f} s of CPU time, status {status}, {out} bytes of answer")


if __name__ == "__main__":
    main()
