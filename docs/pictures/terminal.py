"""A terminal (tmux) with a program in it, and its screen as SVG.

pyte reads the colours. rich and svg-term write SVG of streams and casts, not of one screen, and name a font of another host.
"""

import html
import os
import re
import subprocess
import tempfile
import time

import pyte

# Width and height of a cell, in pixels at a font size of 14.
CELL = (8.4, 18)
PADDING = 14
BACKGROUND, FOREGROUND = "#0d1117", "#e6edf3"
COLORS = {
    "black": "#484f58", "red": "#ff7b72", "green": "#3fb950", "brown": "#d29922", "yellow": "#d29922", "blue": "#58a6ff", "magenta": "#bc8cff",
    "cyan": "#39c5cf", "white": "#b1bac4", "brightblack": "#8b949e", "brightred": "#ffa198", "brightgreen": "#56d364", "brightbrown": "#e3b341",
    "brightyellow": "#e3b341", "brightblue": "#79c0ff", "brightmagenta": "#d2a8ff", "brightcyan": "#56d4dd", "brightwhite": "#ffffff",
}
# A program that has not shown a text until then has failed.
LIMIT_S = 60


class Terminal:
    """A tmux session of its own; `with` ends it."""

    def __init__(self, columns, rows, cwd, env):
        self.columns, self.rows = columns, rows
        self.place = tempfile.TemporaryDirectory(prefix="picture-")
        self.env = env | {"TMUX_TMPDIR": self.place.name, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        self.tmux("-u", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(cwd), "env PS1='$ ' bash --norc --noprofile")
        self.tmux("set", "-g", "default-terminal", "tmux-256color")
        self.tmux("set", "-g", "status", "off")
        self.wait_for_prompt()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")
        self.place.cleanup()

    def tmux(self, *arguments):
        """Runs one command of tmux, and returns what it prints."""
        done = subprocess.run(["tmux", "-L", "picture", "-f", os.devnull, *arguments], env=self.env, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"tmux {arguments[0]}: {done.stderr}")
        return done.stdout

    def type(self, text):
        """Types a text."""
        self.tmux("send-keys", "-l", text)

    def press(self, *keys):
        """Presses keys, by tmux's names."""
        self.tmux("send-keys", *keys)

    def wait_for_prompt(self):
        """Waits until the shell can be told something."""
        self.wait("$", str.endswith)

    def wait(self, text, holds=str.__contains__):
        """Waits until the screen has a text, in however many lines, and does not change any more."""
        end, before = time.monotonic() + LIMIT_S, None
        while True:
            now = self.tmux("capture-pane", "-p").rstrip()
            if holds(" ".join(now.split()), text) and now == before:
                return
            if time.monotonic() > end:
                raise SystemExit(f"no {text!r} on the screen:\n{now}")
            before = now
            time.sleep(0.4)

    def run(self, command):
        """Types a command line, and waits for its end."""
        self.type(command)
        self.press("Enter")
        self.wait_for_prompt()

    def screen(self):
        """The cells of the screen: a list of rows of pyte's characters."""
        screen = pyte.Screen(self.columns, self.rows)
        text = self.tmux("capture-pane", "-e", "-p").rstrip("\n").replace("\n", "\r\n")
        # The colours of underlines; pyte would take their numbers for others.
        pyte.Stream(screen).feed(re.sub(r"(?<=[\x1b\[;])58[:;]2[:;]+\d+[:;]\d+[:;]\d+;?|58[:;]5[:;]\d+;?|(?<=;|\[)4:\d", lambda found: "4" if found[0].startswith("4:") else "", text))
        return [[screen.buffer[row][column] for column in range(self.columns)] for row in range(self.rows)]


def _color(name, otherwise):
    if name == "default":
        return otherwise
    return COLORS.get(name) or f"#{name}"


def _row(cells, y):
    """One row as SVG, with one element for each stretch of one style."""
    out, at = [], 0
    while at < len(cells):
        end = at
        style = lambda cell: (cell.fg, cell.bg, cell.bold, cell.italics, cell.underscore, cell.reverse)
        while end < len(cells) and style(cells[end]) == style(cells[at]):
            end += 1
        cell, text = cells[at], "".join(cell.data for cell in cells[at:end])
        ink, paper = _color(cell.fg, FOREGROUND), _color(cell.bg, None)
        if cell.reverse:
            ink, paper = paper or BACKGROUND, ink
        x, width = PADDING + at * CELL[0], (end - at) * CELL[0]
        if paper:
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{CELL[1]}" fill="{paper}"/>')
        stripped = text.strip()
        if stripped:
            x += (len(text) - len(text.lstrip())) * CELL[0]
            more = "".join([' font-weight="bold"' * cell.bold, ' font-style="italic"' * cell.italics, ' text-decoration="underline"' * cell.underscore])
            fill = "" if ink == FOREGROUND else f' fill="{ink}"'
            out.append(f'<text x="{x:.1f}" y="{y + 13.5}" textLength="{len(stripped) * CELL[0]:.1f}"{fill}{more}>{html.escape(stripped, quote=False)}</text>')
        at = end
    return "".join(out)


def _height(screens):
    used = max((row + 1 for screen in screens for row, cells in enumerate(screen) if any(cell.data.strip() or cell.bg != "default" for cell in cells)), default=1)
    return used


def svg(screens, title, seconds=()):
    """One picture of screens: with several, each is shown for its seconds, over and over. Where motion is not wanted, the last one stays."""
    columns, rows = len(screens[0][0]), _height(screens)
    width, height = columns * CELL[0] + 2 * PADDING, rows * CELL[1] + 2 * PADDING
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">',
           f"<title>{html.escape(title)}</title>",
           "<style>text{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}"]
    total, start = sum(seconds), 0.0
    for at, length in enumerate(seconds):
        begin, end = 100 * start / total, 100 * (start + length) / total
        out.append(f"@keyframes k{at}{{0%{{visibility:hidden}}{begin:.2f}%{{visibility:visible}}{end:.2f}%,100%{{visibility:hidden}}}}"
                   if begin else f"@keyframes k{at}{{0%{{visibility:visible}}{end:.2f}%,100%{{visibility:hidden}}}}")
        out.append(f".k{at}{{animation:k{at} {total}s step-end infinite}}")
        start += length
    if seconds:
        still = "".join(f".k{at}{{visibility:hidden}}" for at in range(len(seconds) - 1))
        out.append(f"@media (prefers-reduced-motion:reduce){{g{{animation:none!important}}{still}}}")
    out.append(f'</style><rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/><g fill="{FOREGROUND}">')
    for at, screen in enumerate(screens):
        body = "\n".join(filter(None, (_row(cells, PADDING + row * CELL[1]) for row, cells in enumerate(screen[:rows]))))
        out.append(f'<g class="k{at}">{body}</g>' if seconds else body)
    return "\n".join([*out, "</g></svg>\n"])
