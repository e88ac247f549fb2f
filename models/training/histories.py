"""Reads a repository's history: the author, subject and paths of each commit.

Reads bare clones with git alone. Contents are never read, so clones without blobs will do.
"""
import dataclasses, os, subprocess

# Commits read of each repository, newest first: many repositories matter more than many commits of one.
COMMITS_MAX = 12_000
# States of each repository: the tree in the middle, and the commits around it.
STATES = 4
# A commit that touches more files says little of any of them.
FILES_MAX = 20


@dataclasses.dataclass
class Commit:
    id: str
    author: str
    subject: str
    paths: list  # added or modified
    moves: list  # pairs of old and new path, contents unchanged


def git(repository, *arguments):
    environment = os.environ | {"GIT_NO_LAZY_FETCH": "1"}  # a blob that is not there is not asked for
    command = ["git", "--git-dir", repository, *arguments]
    return subprocess.run(command, capture_output=True, check=True, env=environment).stdout.decode(errors="replace")


def commits(repository, most=COMMITS_MAX):
    """Commits without merges, newest first; those that touch too many files have no paths but keep their moves."""
    text = git(repository, "log", "HEAD", "--no-merges", f"-n{most}", "-M100%", "--name-status", "-z",
               "--format=%x01%H%x02%an%x02%s%x02")
    for part in text.split("\x01")[1:]:
        id, author, subject, rest = part.split("\x02", 3)
        fields, paths, moves = iter(rest.strip("\0\n").split("\0")), [], []
        for status in fields:
            status = status.strip("\n")
            if status.startswith("R"):
                moves.append((next(fields), next(fields)))
            elif status:
                path = next(fields, "")
                if status in "AM":
                    paths.append(path)
        yield Commit(id, author, subject, paths if len(paths) <= FILES_MAX else [], moves)


def blocks(repository, small):
    """The commits of each state; only the newest one where a small set will do."""
    if small:
        return [list(commits(repository, COMMITS_MAX // STATES))]
    read = list(commits(repository))
    size = -(-len(read) // STATES)
    return [read[at : at + size] for at in range(0, len(read), size)]


def at(mirrors, name):
    """The git directory of a repository among bare mirrors, or clones with a work tree."""
    repository = mirrors / name.replace("/", "+") / "repo"
    return repository / ".git" if (repository / ".git").is_dir() else repository


def tree(repository, commit):
    """All paths of a commit that any file system can hold."""
    paths = git(repository, "ls-tree", "-r", "-z", "--name-only", commit).split("\0")
    return [path for path in paths if path and path.isascii() and len(path) < 240]
