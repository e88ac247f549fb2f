"""Plots of measured numbers, read from the documents that hold them.

Written by hand: matplotlib's SVG has letters as outlines, and is larger than all other pictures together.
"""

import math
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The output of tests/bench/calibration.py.
CALIBRATION = ROOT / "tests/bench/runs/2026-11-23/calibration.md"
# Its tables, with what they are called in the plot, and a colour each.
TABLES = {"all": ("all answers", "#0550ae"), "checkouts": ("of these, requests made of three repositories", "#bc4c00")}
BENCHMARKS = ROOT / "BENCHMARKS.md"
# Rows of its table of speed, with a colour each, all of them apart in grey as well.
ROWS = {"index, nothing cached": "#0550ae", "index, cached": "#1a7f37", "a question": "#bc4c00", "a hook, with a shared engine": "#6639ba"}
# The output of tests/bench/growth.py, with a colour for each row.
GROWTH = ROOT / "tests/bench/runs/2026-11-25/growth.md"
COSTS = {"index": "#0550ae", "check": "#6639ba", "update": "#1a7f37", "question": "#bc4c00"}
MEMORY = {"memory of index": "#0550ae", "memory of questions": "#bc4c00"}
WIDTH, HEIGHT = 620, 400
LEFT, TOP, RIGHT, BOTTOM = 70, 20, 20, 55


def _frame(title, x_name, y_name, body):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>{title}</title>", "<style>text{font:13px system-ui,sans-serif;fill:#1f2328}</style>",
        f'<rect width="100%" height="100%" rx="8" fill="#ffffff"/>', *body,
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{x_name}</text>',
        f'<text transform="translate(18 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">{y_name}</text>', "</svg>\n"])


def _line(x1, y1, x2, y2, color, more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"{more}/>'


def _axes(x, y, x_ticks, y_ticks):
    out = []
    for at, name in x_ticks:
        out += [_line(x(at), TOP, x(at), HEIGHT - BOTTOM, "#d0d7de"), f'<text x="{x(at):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{name}</text>']
    for at, name in y_ticks:
        out += [_line(LEFT, y(at), WIDTH - RIGHT, y(at), "#d0d7de"), f'<text x="{LEFT - 8}" y="{y(at) + 4:.1f}" text-anchor="end">{name}</text>']
    return out


def calibration():
    """The confidence of first candidates and the share that is right, by tenth. A circle's area grows with the number of answers."""
    text = CALIBRATION.read_text()
    x = lambda value: LEFT + value * (WIDTH - LEFT - RIGHT)
    y = lambda value: HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM)
    ticks = [(at / 5, f"{at / 5:.1f}") for at in range(6)]
    body = [*_axes(x, y, ticks, ticks), _line(x(0), y(0), x(1), y(1), "#57606a", ' stroke-dasharray="5 4"')]
    for at, (name, (label, color)) in enumerate(TABLES.items()):
        table = text.split(f"\n{name}: ")[1].split("\n```")[0].split(" answers with")[1]
        rows = re.findall(r"^ +[\d.]+ +(\d+) said ([\d.]+) right ([\d.]+)", re.split(r"\n\w", table)[0], re.MULTILINE)
        for number, said, right in (map(float, row) for row in rows):
            body.append(f'<circle cx="{x(said):.1f}" cy="{y(right):.1f}" r="{2 + math.sqrt(number) / 6:.1f}" fill="{color}" fill-opacity=".7"/>')
        body += [f'<circle cx="{LEFT + 20}" cy="{TOP + 20 + 20 * at}" r="5" fill="{color}" fill-opacity=".7"/>', f'<text x="{LEFT + 32}" y="{TOP + 24 + 20 * at}">{label}</text>']
    return _frame("Share of right answers by the confidence that was said", "confidence that was said", "share that was right", body)


def _exponent(sizes, values):
    """The exponent of the power of the size that fits the values best: the slope on logarithmic scales, by least squares."""
    xs, ys = [[math.log(value) for value in column] for column in (sizes, values)]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)


def _table(text):
    """The sizes in the head of a table of tests/bench/growth.py, and the numbers of each row by its name and size."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    sizes = [int(cell.replace(",", "")) for cell in rows[0][1:]]
    # A size at which a row was not measured is left out.
    return sizes, {row[0]: {size: float(cell.replace(",", "")) for size, cell in zip(sizes, row[1:]) if cell != "–"} for row in rows[2:]}


def _growth(title, y_name, rows):
    """Rows of that table by the number of files, both on logarithmic scales, and the power of the number that fits each row."""
    sizes, table = _table(GROWTH.read_text())
    values = [value for name in rows for value in table[name].values()]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    x = lambda value: LEFT + 20 + (math.log10(value / sizes[0]) / math.log10(sizes[-1] / sizes[0])) * (WIDTH - LEFT - RIGHT - 60)
    y = lambda value: HEIGHT - BOTTOM - (math.log10(value) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)
    tens = [size for size in sizes if math.log10(size).is_integer()]
    body = _axes(x, y, [(size, f"{size:,}") for size in tens], [(10.0 ** at, f"{10.0 ** at:g}") for at in range(low, high + 1)])
    for name, color in rows.items():
        points = [(x(size), y(value)) for size, value in table[name].items()]
        body += [_line(*one, *two, color, ' stroke-width="2"') for one, two in zip(points, points[1:])]
        body += [f'<circle cx="{at:.1f}" cy="{height:.1f}" r="4" fill="{color}"/>' for at, height in points]
        at, height = points[-2]
        body.append(f'<text x="{at - 10:.1f}" y="{height - 9:.1f}" text-anchor="end" style="fill:{color}">{name}: '
                    f'n<tspan dy="-4" font-size="10">{_exponent(*zip(*table[name].items())):.2f}</tspan></text>')
    return _frame(title, "files", y_name, body)


def growth():
    """CPU of index, check, update and question."""
    return _growth("Milliseconds of CPU by the number of files", "milliseconds of CPU", COSTS)


def memory():
    """The peak of memory of index and of a process that answers questions."""
    return _growth("Megabytes by the number of files", "MB at the peak", MEMORY)


def latency():
    """Milliseconds by the number of files, both on logarithmic scales, and the power of the number that fits each row."""
    table = BENCHMARKS.read_text().split("\n## Speed\n")[1]
    sizes = [int(re.sub(r"\D", "", cell)) for cell in re.search(r"^\| +\|(.*)\| command \|$", table, re.MULTILINE)[1].split("|")]
    x = lambda value: LEFT + 20 + (math.log10(value / sizes[0]) / math.log10(sizes[-1] / sizes[0])) * (WIDTH - LEFT - RIGHT - 60)
    y = lambda value: HEIGHT - BOTTOM - (math.log10(value) + 1) / 5 * (HEIGHT - TOP - BOTTOM)
    body = _axes(x, y, [(size, f"{size:,}") for size in sizes], [(10.0 ** at, f"{10.0 ** at:g}") for at in range(-1, 5)])
    for name, color in ROWS.items():
        values = [float(cell.replace(",", "")) for cell in re.search(rf"^\| {name} \|(.*)\|[^|]*\|$", table, re.MULTILINE)[1].split("|")]
        points = [(x(size), y(value)) for size, value in zip(sizes, values, strict=True)]
        body += [_line(*one, *two, color, ' stroke-width="2"') for one, two in zip(points, points[1:])]
        body += [f'<circle cx="{at:.1f}" cy="{height:.1f}" r="4" fill="{color}"/>' for at, height in points]
        # Two lines lie close together on the left, and two on the right.
        (at, height), anchor = (points[2], "start") if name.startswith("a hook") else (points[1], "end")
        body.append(f'<text x="{at - 10:.1f}" y="{height - 9:.1f}" text-anchor="{anchor}" style="fill:{color}">{name}: '
                    f'n<tspan dy="-4" font-size="10">{_exponent(sizes, values):.2f}</tspan></text>')
    return _frame("Milliseconds by the number of files", "files", "milliseconds (p50)", body)
