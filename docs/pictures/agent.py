"""Sessions of Claude Code on the shop, with a stand-in for its model: it reads a file that is not there, and repeats what it was told."""

import json
import subprocess
from pathlib import Path

import terminal

HERE = Path(__file__).resolve().parent
COLUMNS, ROWS = 92, 22
QUESTION = "What does the button export?"


def session(shop, env, before):
    """The screens of one session: the command lines `before` it, the question, and the end."""
    model = subprocess.Popen(["node", HERE / "model.mjs", f"{shop}/src/component/Buton.tsx"], stdout=subprocess.PIPE, text=True)
    env = env | {"ANTHROPIC_BASE_URL": model.stdout.readline().strip(), "ANTHROPIC_API_KEY": "none", "DISABLE_AUTOUPDATER": "1",
                 "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    try:
        with terminal.Terminal(COLUMNS, ROWS, shop, env) as shell:
            for line in before:
                shell.run(line)
            screens = [shell.screen()] if before else []
            shell.type("clear; claude --verbose --permission-mode default")
            shell.press("Enter")
            shell.wait("❯")
            shell.type(QUESTION)
            shell.press("Enter")
            shell.wait("does not exist")
            return [*screens, shell.screen()]
    finally:
        model.terminate()


def record(claude, shop, env):
    """The screens without the hook, and with it."""
    home = Path(env["HOME"])
    (home / ".claude.json").write_text(json.dumps({
        "hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": {"approved": ["none"], "rejected": []},
        "projects": {str(shop): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }))
    (home / "bin/claude").symlink_to(claude)
    return [*session(shop, env, []), *session(shop, env, ["pathfinder hook install claude-code"])]
