"""Lists of paths, and trees of empty files made from them: shared by the programs that make requests."""
import gzip


def paths_of(source):
    """The paths of a list (`.txt.gz`), one a line."""
    with gzip.open(source, "rt", encoding="utf-8", errors="surrogateescape") as lines:
        return [line.rstrip("\n") for line in lines]


def lay_out(paths, root):
    """Makes an empty file for each path below the root."""
    made = set()
    for path in paths:
        path = root / path
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        path.touch()
