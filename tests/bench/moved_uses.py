#!/usr/bin/env python3
"""CPU time of `check` and `fix` after the move of a directory of which many files use each file.

  tests/bench/moved_uses.py --bin PROGRAM [--bin PROGRAM] [--files 300] [--users 20] [--only LANGUAGE]

Makes a repository for each language in a temporary directory: FILES files in one directory, USERS files that use each of them, and a
commit that moves the directory. Programs are run in turns, each with an empty cache. The time of a `fix` that takes more than
LIMIT seconds is not known.
"""
import argparse, os, pathlib, resource, shutil, subprocess, tempfile

LIMIT = 300  # seconds
# Text of a file, use of it, name of the file, name of the user's file; `NR` is the number of the file, `MR` that of its user.
LANGUAGES = {
    "c": ("int f{NR}(void);\n", '#include "../old/m{NR}.h"\n', "m{NR}.h", "u{MR}.c"),
    "markdown": ("# Page {NR}\n", "* [{NR}](../old/p{NR}.md)\n", "p{NR}.md", "u{MR}.md"),
    "python": ("def f{NR}(): return {NR}\n", "from app.old.m{NR} import f{NR}\n", "m{NR}.py", "u{MR}.py"),
    "ruby": ("def f{NR}; {NR}; end\n", "require_relative '../old/m{NR}'\n", "m{NR}.rb", "u{MR}.rb"),
    "sass": ("$f{NR}: {NR};\n", "@use '../old/m{NR}';\n", "_m{NR}.scss", "u{MR}.scss"),
    "typescript": ("export const f{NR} = {NR}\n", "import {{ f{NR} }} from '../old/m{NR}'\n", "m{NR}.ts", "u{MR}.ts"),
}


def git(root, *args):
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *author, *args], cwd=root, check=True, capture_output=True)


def make(root, language, files, users):
    text, use, name, user = LANGUAGES[language]
    (root / "app/old").mkdir(parents=True)
    (root / "app/use").mkdir()
    for nr in range(files):
        # Git tells the files apart by more than a line.
        words = "".join(f"word{nr * line} " for line in range(20))
        comment = {"c": "//", "sass": "//", "typescript": "//", "markdown": ""}.get(language, "#")
        (root / "app/old" / name.format(NR=nr)).write_text(text.format(NR=nr) + f"{comment} {words}\n")
    for mr in range(users):
        (root / "app/use" / user.format(MR=mr)).write_text("".join(use.format(NR=nr) for nr in range(files)))
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "files")
    (root / "app/in").mkdir()
    git(root, "mv", "app/old", "app/in/new")
    git(root, "commit", "-qm", "move")


def cpu(command, root):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        out = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=LIMIT).stdout
    except subprocess.TimeoutExpired:
        return None, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", action="append", required=True)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--only", choices=LANGUAGES)
    options = parser.parse_args()
    for language in [options.only] if options.only else LANGUAGES:
        for program in options.bin:
            with tempfile.TemporaryDirectory() as place:
                root = pathlib.Path(place, "tree")
                make(root, language, options.files, options.users)
                os.environ |= {"PATHFINDER_CACHE_DIR": f"{place}/cache", "PATHFINDER_HISTORY_MS": "60000"}
                check, out = cpu([program, "check", "--format", "json"], root)
                shutil.rmtree(f"{place}/cache", ignore_errors=True)
                fix, said = cpu([program, "fix"], root)
                shown = " ".join("-" if seconds is None else f"{seconds:.2f}" for seconds in (check, fix))
                sure = out.count('"preferred":true')
                print(language, os.path.basename(program), "check fix:", shown, "s; sure:", sure, "|", *said.splitlines()[-1:])


main()
