"""Makes every package of a release: package all [--out FOLDER] [--assets FOLDER] [--program TARGET=FILE]... [--site FOLDER] [--level N]

Programs are those named by `--program`, the assets `NAME-TARGET.gz` of `--assets`, or target/release's. Manual page and completions
come from the program of this machine, which must be among them. `--assets` is for a release: a target that is missing there is an
error. Without it the packages of other targets are left out. `--site` has what docs/build made; the archives include it.
"""

import argparse
import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import formats
import release
from release import NAME, NAMES, TARGETS, VERSION, sha256


def programs(options):
    """`{target: bytes}` of the programs that are to be packed."""
    found = {}
    for option in options.program:
        target, _, path = option.partition("=")
        found[target] = Path(path).read_bytes()
    if options.assets:
        for path in sorted(Path(options.assets).glob(f"{NAME}-*.gz")):
            target = path.name[len(NAME) + 1 : -len(".gz")]
            if target in TARGETS:
                found[target] = gzip.decompress(path.read_bytes())
                said = path.with_suffix(".sha256").read_text().split()[0]
                if said != sha256(found[target]):
                    raise SystemExit(f"{path} is not what {path.with_suffix('.sha256')} says")
        missing = [target for target in TARGETS if target not in found]
        if missing:
            raise SystemExit(f"a release has all targets of names.json; {options.assets} has no {', '.join(missing)}")
    if not found:
        built = release.ROOT / "target/release" / NAME
        if not built.exists():
            raise SystemExit(f"there is no {built}; build it first: cargo build --release")
        found[release.host_target()] = built.read_bytes()
    unknown = [target for target in found if target not in TARGETS]
    if unknown:
        raise SystemExit(f"not in names.json: {', '.join(unknown)}")
    for target, program in found.items():
        if target.endswith("-musl") and release.needs_loader(program):
            raise SystemExit(f"the program for {target} is not static: build it with .ci/cross")
    return found


def own(found):
    """A file with the program of this machine, in a folder of its own."""
    if release.host_target() not in found:
        raise SystemExit(f"no program for this machine ({release.host_target()}): it prints the manual page and the completions")
    path = Path(tempfile.mkdtemp(prefix="package-")) / NAME
    path.write_bytes(found[release.host_target()])
    path.chmod(0o755)
    return path


def pages(site):
    """`{path: bytes}` of the site's files."""
    files = sorted(path for path in site.rglob("*") if path.is_file()) if site else []
    return {f"site/{path.relative_to(site).as_posix()}": path.read_bytes() for path in files}


def values(made, found):
    """Values that templates may name. A target that was not built, as in tests, has the checksum of no file: no installer accepts it."""
    summary = release.SUMMARY.rstrip(".")
    known = {
        "name": NAME, "version": VERSION, "summary": summary, "license": release.LICENSE,
        # `brew audit` wants no article before it.
        "summary.homebrew": re.sub(r"^(?:an?|the) (.)", lambda found: found[1].upper(), summary, flags=re.IGNORECASE),
        "repository": release.REPOSITORY, "downloads": release.DOWNLOADS, "author": NAMES["author"], "class": NAMES["homebrew"],
        "winget": NAMES["winget"]["identifier"], "publisher": NAMES["winget"]["publisher"], "pypi": NAMES["pypi"], "npm": NAMES["npm"]["name"],
        "packages": json.dumps({"-".join(TARGETS[target]["npm"]): formats.npm_name(target) for target in TARGETS}),
    }
    for target in TARGETS:
        archive, wheel = formats.archive_name(target), formats.wheel_name(target, found.get(target, b""))
        known |= {f"archive.{target}": archive, f"wheel.{target}": wheel}
        known[f"sha256.{target}"] = sha256(made[archive]) if target in found else "0" * 64
        known[f"wheel.sha256.{target}"] = sha256(made[wheel]) if target in found else "0" * 64
    return known


def make(found, documents, site, is_release):
    """`{file name: bytes}` of all packages."""
    made = {}
    for target, program in found.items():
        name = f"{NAME}-{target}"
        made[f"{name}.gz"] = gzip.compress(program, formats.level, mtime=0)
        # As .ci/package writes it: editors' extensions and the install scripts read both.
        made[f"{name}.sha256"] = f"{sha256(program)}  {release.program_name(target)}\n".encode()
        pairs = [formats.archive(target, program, documents | site), formats.wheel(target, program, documents)]
        pairs.append(formats.npm_platform(target, program, documents))
        if "debian" in TARGETS[target]:
            if shutil.which("dpkg-deb"):
                pairs.append(formats.debian(target, program, documents))
            elif is_release:
                raise SystemExit(f"no Debian package for {target}: dpkg-deb is missing")
            else:
                print(f"no Debian package for {target}: dpkg-deb is missing", file=sys.stderr)
        made |= dict(pairs)
    known = values(made, found)
    launcher = release.fill("npm.js", known)
    made |= [formats.npm_main(TARGETS, launcher, documents)]
    for template in sorted((release.HERE / "templates").iterdir()):
        if template.name != "npm.js":
            made[template.name.replace("NAME", NAME).replace("WINGET", known["winget"])] = release.fill(template.name, known).encode()
    return made


def main():
    """The command line."""
    parser = argparse.ArgumentParser(prog=".ci/package all", description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="target/packages", type=Path)
    parser.add_argument("--assets")
    parser.add_argument("--program", action="append", default=[], metavar="TARGET=FILE")
    parser.add_argument("--site", type=Path)
    parser.add_argument("--level", type=int, default=formats.level, help="of compression, 1 to 9")
    options = parser.parse_args()
    formats.level = options.level
    found = programs(options)
    printer = own(found)
    try:
        made = make(found, release.documents(printer), pages(options.site), bool(options.assets))
    finally:
        shutil.rmtree(printer.parent)
    for name in made:
        # A release has each file once: another gzip makes other bytes of the same program.
        if options.assets and (Path(options.assets) / name).exists():
            made[name] = (Path(options.assets) / name).read_bytes()
    options.out.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        (options.out / name).write_bytes(data)
    sums = "".join(f"{sha256(data)}  {name}\n" for name, data in sorted(made.items()))
    (options.out / "SHA256SUMS").write_text(sums)
    for name, data in sorted(made.items()):
        print(f"{len(data):>10} {name}")


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f".ci/package: {error}") from None
