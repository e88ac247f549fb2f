"""Makes a wheel of the released program, as a back end of PEP 517: `pip install git+…`, and so pre-commit.

PATHFINDER_PROGRAM names a program that is there; else the one of this version is downloaded and compared with its checksum.
PATHFINDER_DOWNLOADS is a mirror's folder.
"""

import gzip
import os
import platform
import sys
import urllib.request
import zlib
from pathlib import Path

import formats
import release


def target():
    """The target of the Python that runs this."""
    machine = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}.get(platform.machine().lower())
    libc = "gnu" if platform.libc_ver()[0] == "glibc" else "musl"
    system = {"darwin": "apple-darwin", "win32": "pc-windows-msvc", "linux": f"unknown-linux-{libc}"}.get(sys.platform)
    found = f"{machine}-{system}"
    if found not in release.TARGETS:
        libc = " with musl" if "musl" in found else ""
        raise SystemExit(f"there is no {release.NAME} for {platform.machine()} on {sys.platform}{libc}; build it from {release.REPOSITORY}")
    return found


def program():
    """The program's bytes, of which the checksum was compared."""
    given = os.environ.get("PATHFINDER_PROGRAM")
    if given:
        return Path(given).read_bytes()
    asset = f"{os.environ.get('PATHFINDER_DOWNLOADS', release.DOWNLOADS)}/{release.NAME}-{target()}"
    try:
        with urllib.request.urlopen(f"{asset}.sha256", timeout=60) as answer:
            expected = answer.read().split()[0].decode()
        with urllib.request.urlopen(f"{asset}.gz", timeout=600) as answer:
            data = gzip.decompress(answer.read())
    except (OSError, EOFError, IndexError, zlib.error) as error:
        raise SystemExit(f"{asset}.gz could not be downloaded: {error}") from error
    if release.sha256(data) != expected:
        raise SystemExit(f"{asset}.gz has the checksum {release.sha256(data)}, not {expected}")
    return data


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The wheel of this machine; returns its file name."""
    del config_settings, metadata_directory
    documents = {"README.md": release.portable("README.md")} | {path: (release.ROOT / path).read_bytes() for path in release.LICENSES}
    name, data = formats.wheel(target(), program(), documents)
    Path(wheel_directory, name).write_bytes(data)
    return name
