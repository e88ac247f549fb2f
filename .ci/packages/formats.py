"""Packages in the formats of others, as bytes: archives, wheels, npm packages, Debian packages. Nothing but Python's own library is needed."""

import base64
import gzip
import hashlib
import io
import json
import subprocess
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

from release import LICENSE, LICENSES, NAME, NAMES, REPOSITORY, SUMMARY, TARGETS, VERSION, glibc, program_name, timestamp

# Smallest; `--level` of all.py is for tests, which need no small packages.
level = 9
# Distributions before it have no Rust; a program that asks for less runs on it as well.
OLDEST_GLIBC = (2, 17)


def tar_gz(files):
    """A compressed tar of `{path: (bytes, is_executable)}`."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, (data, is_executable) in files.items():
            entry = tarfile.TarInfo(path)
            entry.size, entry.mtime, entry.mode = len(data), timestamp(), 0o755 if is_executable else 0o644
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), level, mtime=0)


def zipped(files):
    """A zip of `{path: (bytes, is_executable)}`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for path, (data, is_executable) in files.items():
            entry = zipfile.ZipInfo(path, time.gmtime(timestamp())[:6])
            # As on Unix: a regular file with its mode, which installers keep.
            entry.create_system, entry.external_attr = 3, (0o100755 if is_executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()


def archive_name(target):
    """The file name of a target's archive."""
    return f"{NAME}-{VERSION}-{target}.{'zip' if 'windows' in target else 'tar.gz'}"


def archive(target, program, documents):
    """The archive of a target and its file name: a zip for Windows, else a tar."""
    folder = f"{NAME}-{VERSION}-{target}"
    files = {f"{folder}/{program_name(target)}": (program, True)}
    files |= {f"{folder}/{path}": (data, False) for path, data in documents.items()}
    return archive_name(target), zipped(files) if "windows" in target else tar_gz(files)


def wheel_platform(target, program):
    """The platform tag of a wheel: on Linux from the symbols that the program asks for."""
    known = TARGETS[target]
    if "wheel" in known:
        return known["wheel"]
    major, minor = max(glibc(program) or OLDEST_GLIBC, OLDEST_GLIBC)
    return f"manylinux_{major}_{minor}_{known['machine']}"


def wheel_name(target, program):
    """The file name of a target's wheel."""
    return f"{NAMES['pypi'].replace('-', '_')}-{VERSION}-py3-none-{wheel_platform(target, program)}.whl"


def wheel(target, program, documents):
    """A Python wheel that holds the program as a script, and its file name."""
    name = NAMES["pypi"].replace("-", "_")
    tags = [f"py3-none-{tag}" for tag in wheel_platform(target, program).split(".")]
    info, data = f"{name}-{VERSION}.dist-info", f"{name}-{VERSION}.data"
    readme = documents["README.md"].decode()
    included = [path for path in (*LICENSES, "THIRD-PARTY.txt") if path in documents]
    head = ["Metadata-Version: 2.4", f"Name: {NAMES['pypi']}", f"Version: {VERSION}", f"Summary: {SUMMARY}", f"Author: {NAMES['author']}",
            f"License-Expression: {LICENSE}", *(f"License-File: {path}" for path in included), f"Project-URL: Repository, {REPOSITORY}",
            "Requires-Python: >=3.8", "Description-Content-Type: text/markdown", "", readme]
    body = ["Wheel-Version: 1.0", f"Generator: {NAME}", "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in tags), ""]
    files = {f"{data}/scripts/{program_name(target)}": (program, True)}
    share = {f"man/{NAME}.1": f"man/man1/{NAME}.1", f"completions/{NAME}": f"bash-completion/completions/{NAME}",
             f"completions/_{NAME}": f"zsh/site-functions/_{NAME}", f"completions/{NAME}.fish": f"fish/vendor_completions.d/{NAME}.fish"}
    files |= {f"{data}/data/share/{place}": (documents[path], False) for path, place in share.items() if path in documents}
    files |= {f"{info}/licenses/{path}": (documents[path], False) for path in included}
    files[f"{info}/METADATA"] = ("\n".join(head).encode(), False)
    files[f"{info}/WHEEL"] = ("\n".join(body).encode(), False)

    def digest(content):
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

    rows = [f"{path},sha256={digest(content)},{len(content)}" for path, (content, _) in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*rows, f"{info}/RECORD,,", ""]).encode(), False)
    return wheel_name(target, program), zipped(files)


def _npm(manifest, files):
    texts = {"package.json": json.dumps(manifest, indent=2).encode() + b"\n"}
    packed = {f"package/{path}": (data, path.startswith("bin/")) for path, data in (texts | files).items()}
    return f"{manifest['name'].lstrip('@').replace('/', '-')}-{VERSION}.tgz", tar_gz(packed)


def _npm_head(name):
    return {"name": name, "version": VERSION, "description": SUMMARY, "license": LICENSE, "author": NAMES["author"],
            "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"}}


def npm_name(target):
    """The npm package that holds the program for `target`."""
    return f"{NAMES['npm']['scope']}/{NAME}-{'-'.join(part for part in TARGETS[target]['npm'] if part != 'glibc')}"


def npm_platform(target, program, documents):
    """The npm package of one platform, and its file name."""
    system, processor, *libc = TARGETS[target]["npm"]
    manifest = _npm_head(npm_name(target)) | {"os": [system], "cpu": [processor]} | ({"libc": libc} if libc else {})
    return _npm(manifest, {f"bin/{program_name(target)}": program} | documents)


def npm_main(targets, launcher, documents):
    """The npm package that users install, and its file name: it starts the program of the platform's package."""
    manifest = _npm_head(NAMES["npm"]["name"]) | {
        "bin": {NAME: f"bin/{NAME}.js"},
        # Nothing newer is used, and older versions of npm ignore `libc`.
        "engines": {"node": ">=16"},
        # In a table, so that node_modules of another platform fail with a message that names what is missing.
        "optionalDependencies": {npm_name(target): VERSION for target in targets},
        "man": [f"./man/{NAME}.1"],
    }
    return _npm(manifest, {f"bin/{NAME}.js": launcher.encode()} | documents)


def debian(target, program, documents):
    """The Debian package of a target, and its file name."""
    name, architecture = NAMES["debian"], TARGETS[target]["debian"]
    needs = glibc(program)
    major, minor = max(needs or OLDEST_GLIBC, OLDEST_GLIBC)
    depends = [f"libc6 (>= {major}.{minor})", *(["libgcc-s1"] if b"libgcc_s.so.1\0" in program else [])] if needs else []
    doc = f"usr/share/doc/{name}"

    def squeezed(data):
        return gzip.compress(data, level, mtime=0)

    files = {
        f"usr/bin/{NAME}": program,
        f"usr/share/man/man1/{NAME}.1.gz": squeezed(documents[f"man/{NAME}.1"]),
        f"usr/share/bash-completion/completions/{NAME}": documents[f"completions/{NAME}"],
        f"usr/share/zsh/vendor-completions/_{NAME}": documents[f"completions/_{NAME}"],
        f"usr/share/fish/vendor_completions.d/{NAME}.fish": documents[f"completions/{NAME}.fish"],
        f"{doc}/copyright": b"\n\n".join(documents[path] for path in LICENSES),
        f"{doc}/THIRD-PARTY.txt.gz": squeezed(documents["THIRD-PARTY.txt"]),
        f"{doc}/changelog.gz": squeezed(documents["CHANGELOG.md"]),
    }
    control = [f"Package: {name}", f"Version: {VERSION}", f"Architecture: {architecture}", f"Maintainer: {NAMES['maintainer']}",
               f"Installed-Size: {sum(map(len, files.values())) // 1024}", *([f"Depends: {', '.join(depends)}"] if depends else []),
               "Section: devel", "Priority: optional", f"Homepage: {REPOSITORY}", f"Description: {SUMMARY.rstrip('.')}", ""]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        for path, data in (files | {"DEBIAN/control": "\n".join(control).encode()}).items():
            place = tree / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            place.chmod(0o755 if path.startswith("usr/bin/") else 0o644)
        for place in tree.rglob("*"):
            if place.is_dir():
                place.chmod(0o755)
        # The mode of a folder that `tempfile` made is not one to install.
        tree.chmod(0o755)
        package = Path(folder, "package.deb")
        # gzip: dpkg of the oldest systems reads no zstd.
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", f"-z{level}", "--build", tree, package], check=True, stdout=subprocess.DEVNULL)
        return f"{name}_{VERSION}_{architecture}.deb", package.read_bytes()
