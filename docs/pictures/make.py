#!/usr/bin/env python3
"""Makes the pictures of docs/ from runs of the program: docs/pictures/make.py [NAME]...

Needs tmux, git and node, and the packages of requirements.txt beside it. PATHFINDER_BIN is the program (default: target/debug/pathfinder),
PATHFINDER_CLIENTS the folder of Neovim (tests/run neovim), PATHFINDER_VSCODE that of VS Code (tests/run vscode), PATHFINDER_ZED_HOST and
PATHFINDER_ZED_COMPONENT the test program and the extension that tests/run zed builds, CLAUDE the program of Claude Code (npm:
@anthropic-ai/claude-code-linux-x64).
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

import agent
import plots
import terminal

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = Path(os.environ.get("PATHFINDER_BIN", ROOT / "target/debug/pathfinder")).resolve()
# The output names them, so they are the same each time.
SHOP, HOME = Path("/tmp/shop"), Path("/tmp/me")
# More colours of an editor cannot be told apart.
COLORS = 96
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_NAME": "shop", "GIT_COMMITTER_NAME": "shop", "EMAIL": "shop@example.com"}


@contextlib.contextmanager
def stage():
    """The shop, and an environment with the program in its PATH and nothing of this user."""
    shutil.rmtree(SHOP, ignore_errors=True)
    subprocess.run([HERE / "shop.sh", SHOP], check=True)
    shutil.rmtree(HOME, ignore_errors=True)
    (HOME / "bin").mkdir(parents=True)
    (HOME / "bin/pathfinder").symlink_to(PROGRAM)
    home = str(HOME)
    try:
        yield {"HOME": home, "PATH": f"{home}/bin:{os.environ['PATH']}", "PATHFINDER_CACHE_DIR": f"{home}/cache", "SHELL": "/bin/sh"} | GIT
    finally:
        for folder in (SHOP, HOME):
            shutil.rmtree(folder, ignore_errors=True)


def write(name, text):
    """Writes a picture, and says its size."""
    (HERE / name).write_text(text)
    print(f"{len(text.encode()):>8} docs/pictures/{name}")


def printed(shell):
    """The screen without the prompt that waits for the next line."""
    screen = shell.screen()
    return screen[:max(row for row, cells in enumerate(screen) if "".join(cell.data for cell in cells).strip())]


def commands(name, title, columns, lines, cwd=SHOP):
    """One picture of command lines and their output."""
    with stage() as env, terminal.Terminal(columns, 60, cwd, env) as shell:
        # Else the answers would say so.
        while "still being read" in subprocess.run([PROGRAM, "resolve", "engin.rs"], cwd=cwd, env=env, capture_output=True, text=True, check=False).stderr:
            pass
        for line in lines:
            shell.run(line)
        write(name, terminal.svg([printed(shell)], title))


def resolve():
    """Wrong paths, and a question."""
    commands("resolve.svg", "pathfinder resolve and find in a terminal", 92, [
        "pathfinder resolve core/src/engin.rs", "pathfinder resolve src/scan.rs", "pathfinder find where is ServerState implemented 2>/dev/null",
    ], ROOT)


def check():
    """Two findings, and their fixes."""
    commands("check.svg", "pathfinder check and fix in a terminal", 98, ["pathfinder check", "pathfinder fix", "pathfinder check"])


def ci():
    """The findings of a change."""
    commands("ci.svg", "pathfinder check --since main after a directory was moved", 92, [
        "pathfinder fix >/dev/null; git commit -qam 'fix paths'", "git switch -qc move; git mv src/components src/ui; git commit -qm 'move ui'",
        "pathfinder check --since main",
    ])


def neovim():
    """Neovim with the settings of editors.md: a diagnostic, and the menu of fixes."""
    folder = Path(os.environ["PATHFINDER_CLIENTS"]).resolve() / "neovim-forky"
    libraries = folder / "usr/lib/x86_64-linux-gnu"
    settings = (ROOT / "docs/editors.md").read_text().split("## Neovim")[1].split("```lua\n")[1].split("```")[0]
    with stage() as env:
        start = Path(env["HOME"]) / "init.lua"
        start.write_text(f"vim.o.termguicolors = true\nvim.o.number = true\nvim.diagnostic.config({{ virtual_lines = true }})\n{settings}")
        (Path(env["HOME"]) / "bin/nvim").write_text(
            f"#!/bin/sh\nexec {libraries}/ld-linux-x86-64.so.2 --library-path {libraries} {folder}/usr/bin/nvim -i NONE"
            f" --cmd 'set rtp^={folder}/usr/lib/nvim' -u {start} \"$@\"\n")
        # Started in two parts: by itself it would start the second one without these libraries.
        (Path(env["HOME"]) / "bin/edit").write_text(
            "#!/bin/sh\nnvim --headless --listen $HOME/nvim \"$@\" &\nuntil [ -e $HOME/nvim ]; do sleep 0.1; done\nexec nvim --server $HOME/nvim --remote-ui\n")
        for name in ("nvim", "edit"):
            (Path(env["HOME"]) / "bin" / name).chmod(0o755)
        with terminal.Terminal(112, 15, SHOP, env | {"VIMRUNTIME": str(folder / "usr/share/nvim/runtime")}) as shell:
            shell.type("clear; edit src/main.ts")
            shell.press("Enter")
            shell.wait("Broken path")
            shell.type("f/gra")
            shell.wait("Change to")
            write("neovim.svg", terminal.svg([shell.screen()], "Neovim: a broken import, and the menu of fixes"))


def zed():
    """The Zed extension in the tests' host: what it starts, a diagnostic, its fixes, the agent's tool."""
    host = Path(os.environ["PATHFINDER_ZED_HOST"]).resolve()
    with stage() as env:
        (Path(env["HOME"]) / "bin/zed-host").write_text(f"#!/bin/sh\nexec {host} --exact session::a_session --nocapture 2>&1 >/dev/null | grep -v ^component\n")
        (Path(env["HOME"]) / "bin/zed-host").chmod(0o755)
        env["PATHFINDER_BIN"] = str(PROGRAM)
        env["PATHFINDER_ZED_COMPONENT"] = os.environ["PATHFINDER_ZED_COMPONENT"]
        with terminal.Terminal(96, 30, SHOP, env) as shell:
            shell.run("zed-host")
            write("zed.svg", terminal.svg([printed(shell)], "The Zed extension in the tests' host: what it starts, a diagnostic, its fixes, the agent's tool"))


def claude():
    """An agent that reads a file by a wrong path."""
    with stage() as env:
        screens = agent.record(Path(os.environ["CLAUDE"]).resolve(), SHOP, env)
        write("agent.svg", terminal.svg(screens, "Claude Code reads a file by a wrong path, and gets the right one", [4, 2, 6]))


def screenshots(pattern):
    """What the suite of VS Code shows, by name: of its tests whose name has the pattern."""
    with tempfile.TemporaryDirectory(prefix="picture-") as kept:
        env = os.environ | {"PATHFINDER_BIN": str(PROGRAM), "PATHFINDER_VSCODE_KEPT": kept}
        subprocess.run(["node", "--test", f"--test-name-pattern={pattern}", HERE / "vscode.mjs"], env=env, check=True)
        return {path.stem: Image.open(path).convert("RGB") for path in Path(kept).glob("*.png")}


def vscode():
    """VS Code, light and dark, and an animation of its quick fix."""
    pictures = screenshots("^theme ")
    for theme in ("light", "dark"):
        save(f"vscode-{theme}.png", pictures[f"{theme}-menu"])
    frames = [pictures[f"dark-{step}"].quantize(COLORS, dither=Image.Dither.NONE) for step in ("broken", "menu", "fixed")]
    save("vscode.gif", frames[0], save_all=True, append_images=frames[1:], duration=[1800, 2600, 2600], loop=0, optimize=True)


def views():
    """The main views of VS Code."""
    for name, picture in screenshots("^views ").items():
        save(f"view-{name}.png", picture)


def save(name, image, **options):
    """Writes an image of few colours, and says its size."""
    image.quantize(COLORS, dither=Image.Dither.NONE).save(HERE / name, optimize=True, **options) if not options else image.save(HERE / name, **options)
    print(f"{(HERE / name).stat().st_size:>8} docs/pictures/{name}")


def calibration():
    """Said and right."""
    write("calibration.svg", plots.calibration())


def latency():
    """Times by the size of the tree."""
    write("latency.svg", plots.latency())


def growth():
    write("growth.svg", plots.growth())
    write("memory.svg", plots.memory())


PICTURES = {made.__name__: made for made in (resolve, check, ci, neovim, zed, claude, vscode, views, calibration, latency, growth)}

if __name__ == "__main__":
    os.environ.setdefault("NODE_NO_WARNINGS", "1")
    for wanted in sys.argv[1:] or PICTURES:
        PICTURES[wanted]()
