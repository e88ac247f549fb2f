"""Facts about a program of any system, as JSON: facts.py FILE"""

import json
import re
import sys

import lief


def elf(program):
    """Facts about a program of Linux."""
    wanted = {entry.name for need in program.symbols_version_requirement for entry in need.get_auxiliary_symbols()}
    versions = [tuple(map(int, found[1].split("."))) for found in (re.fullmatch(r"GLIBC_([\d.]+)", name) for name in wanted) if found]
    return {
        "machine": program.header.machine_type.name,
        "loader": program.interpreter if program.has_interpreter else None,
        "libraries": list(program.libraries),
        "glibc": ".".join(map(str, max(versions))) if versions else None,
    }


def mach(program):
    """Facts about a program of macOS."""
    version = program.build_version.minos if program.has_build_version else program.version_min.version
    return {
        "machine": program.header.cpu_type.name,
        "libraries": [library.name for library in program.libraries],
        "system": ".".join(map(str, version[:2])),
        # Each symbol names the library that has it: none is looked for in all of them.
        "is_bound": lief.MachO.Header.FLAGS.TWOLEVEL in program.header.flags_list,
        "imported": len(program.imported_symbols),
    }


def pe(program):
    """Facts about a program of Windows."""
    return {"machine": program.header.machine.name, "libraries": [one.name.lower() for one in program.imports], "subsystem": program.optional_header.subsystem.name}


def main(path):
    """Prints the facts of one file."""
    program = lief.parse(path)
    if program is None:
        raise SystemExit(f"{path} is no program")
    readers = {lief.ELF.Binary: elf, lief.MachO.Binary: mach, lief.PE.Binary: pe}
    print(json.dumps(readers[type(program)](program)))


if __name__ == "__main__":
    main(sys.argv[1])
