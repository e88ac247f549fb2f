"""Asks the program many requests at once: shared by the programs that judge its answers."""
import json, os, subprocess, sys


def ask(binary, root, requests, cache, history_ms):
    """One answer per request. `cache` is the directory of kept histories, `None` for the user's."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    env = os.environ | ({"PATHFINDER_CACHE_DIR": cache} if cache else {}) | {"PATHFINDER_HISTORY_MS": str(history_ms)}
    command = [binary, "resolve", "--batch", "--root", str(root)]
    run = subprocess.run(command, input=lines, text=True, capture_output=True, check=False, env=env)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(requests):
        sys.exit(f"{root}: {len(requests)} requests, {len(answers)} answers\n{run.stderr[-2000:]}")
    return answers
