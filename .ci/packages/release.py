"""Facts about a release: names, version, metadata, the documents that each package includes, and what a program needs to run.

Names and targets are in `names.json`, all else in Cargo.toml: publishers edit these two files only.
"""

import hashlib
import json
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAMES = json.loads((HERE / "names.json").read_text())
NAME = NAMES["name"]
TARGETS = NAMES["targets"]
# Shells that `completions` knows, and the file that each of them looks for.
COMPLETIONS = {"bash": NAME, "zsh": f"_{NAME}", "fish": f"{NAME}.fish", "elvish": f"{NAME}.elv", "powershell": f"_{NAME}.ps1"}
LICENSES = ("LICENSE-MIT", "LICENSE-APACHE")


def _field(manifest, key):
    found = re.search(rf'^{key} = "(.*)"$', (ROOT / manifest).read_text(), re.MULTILINE)
    if not found:
        raise SystemExit(f"{manifest} has no {key}")
    return found[1]


VERSION = _field("Cargo.toml", "version")
LICENSE = _field("Cargo.toml", "license")
REPOSITORY = _field("Cargo.toml", "repository")
SUMMARY = _field("server/Cargo.toml", "description")
DOWNLOADS = f"{REPOSITORY}/releases/download/v{VERSION}"


def program_name(target):
    """The program's file name on `target`."""
    return f"{NAME}.exe" if "windows" in target else NAME


def timestamp():
    """The time that all packed files carry, so that the same sources make the same bytes."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    # Archives of sources have no history; zip files begin in 1980.
    return int(log.stdout) if log.returncode == 0 and log.stdout.strip() else 315532800


def sha256(data):
    """The checksum as text."""
    return hashlib.sha256(data).hexdigest()


def glibc(program):
    """The lowest version of glibc that has all symbols the ELF `program` asks for, or None for a static one."""
    versions = {tuple(map(int, found)) for found in re.findall(rb"GLIBC_(\d+)\.(\d+)(?:\.\d+)?\0", program)}
    return max(versions, default=None)


def needs_loader(program):
    """Whether `program` is an ELF that starts by a loader of libraries: it has a header of type `PT_INTERP`."""
    if program[:5] != b"\x7fELF\x02":
        return False
    first, size, count = (int.from_bytes(program[at : at + width], "little") for at, width in ((32, 8), (54, 2), (56, 2)))
    return any(program[first + size * header : first + size * header + 4] == b"\x03\0\0\0" for header in range(count))


def host_target():
    """The target of this machine's compiler."""
    version = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    return re.search(r"^host: (.*)$", version, re.MULTILINE)[1]


def portable(path):
    """The bytes of a Markdown page at the top of the repository, with links that lead to this version on the web: a package has no other pages."""
    pictures = (".svg", ".png", ".gif")

    def absolute(address):
        if re.match(r"[a-z]+:|#", address):
            return address
        kind = "raw" if address.endswith(pictures) else "blob"
        return f"{REPOSITORY}/{kind}/v{VERSION}/{address}"

    lines, is_code = [], False
    for line in (ROOT / path).read_text().splitlines(keepends=True):
        is_code ^= line.startswith("```")
        if not is_code:
            line = re.sub(r"(?<=\]\()([^)\s]+)(?=\))", lambda found: absolute(found[0]), line)
            line = re.sub(r'((?:src|srcset|href)=")([^"]+)', lambda found: found[1] + absolute(found[2]), line)
        lines.append(line)
    return "".join(lines).encode()


def documents(program):
    """Files of every package: licences, notices, manual page and completions. `program` runs on this machine and prints the last two."""
    def run(*arguments):
        done = subprocess.run([program, *arguments], capture_output=True, check=False)
        if done.returncode != 0 or not done.stdout:
            raise SystemExit(f"{program} {' '.join(arguments)} failed: {done.stderr.decode(errors='replace')}")
        return done.stdout

    said = run("--version").decode().strip()
    if said != f"{NAME} {VERSION}":
        raise SystemExit(f"{program} says it is {said!r}, and Cargo.toml has version {VERSION}")
    files = {name: (ROOT / name).read_bytes() for name in LICENSES} | {name: portable(name) for name in ("README.md", "CHANGELOG.md")}
    files["THIRD-PARTY.txt"] = third_party()
    files[f"man/{NAME}.1"] = run("man")
    files |= {f"completions/{name}": run("completions", shell) for shell, name in COMPLETIONS.items()}
    return files


def third_party():
    """Licences of the libraries inside the program, which most of them ask to be passed on. Each text stands once."""
    # Of all targets: the file is in the packages of each.
    command = ["cargo", "metadata", "--format-version", "1", "--locked", *(f"--filter-platform={target}" for target in TARGETS)]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    wanted, seen = [next(id for id, package in packages.items() if package["name"] == NAME)], set()
    while wanted:
        one = wanted.pop()
        if one not in seen:
            seen.add(one)
            # Tools of a build and of tests are not part of the program.
            linked = (dep["pkg"] for dep in nodes[one]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"]))
            wanted.extend(linked)
    names, texts = [], {}
    for one in sorted((packages[id] for id in seen), key=lambda package: (package["name"], package["version"])):
        if one["source"] is None:
            continue
        label = f"{one['name']} {one['version']}"
        names.append(f"{label}: {one['license'] or 'see below'}")
        for path in sorted(Path(one["manifest_path"]).parent.iterdir()):
            if re.match(r"(?i)(licen[cs]e|copying|notice|unlicense)", path.name) and path.is_file():
                texts.setdefault(path.read_text(errors="replace").strip(), []).append(label)
    parts = [f"Libraries in {NAME} {VERSION}, and their licences.", "\n".join(names)]
    parts += [f"{', '.join(sorted(set(labels)))}\n\n{text}" for text, labels in texts.items()]
    return ("\n\n" + "-" * 80 + "\n\n").join(parts).encode() + b"\n"


def fill(template, values):
    """The text of a template: `{{key}}` stands for a value. A key without a value is an error."""
    text = (HERE / "templates" / template).read_text()

    def value(found):
        if found[1] not in values:
            raise SystemExit(f"{template}: no value for {found[0]}")
        return str(values[found[1]])

    return re.sub(r"\{\{([a-z0-9_.-]+)\}\}", value, text)
