"""Wrong paths for a file that is there: the mistakes that ../../../shared/DESIGN.md §8 and the cases name.

Each takes the path's segments, the directories of the tree and a random generator, and gives a path or None.
"""
# What is written for what: both ways, as the engine's families of extensions.
EXTENSIONS = [("js", "ts"), ("jsx", "tsx"), ("js", "jsx"), ("ts", "tsx"), ("js", "mjs"), ("yml", "yaml"), ("md", "mdx"),
              ("c", "cpp"), ("h", "hpp"), ("cc", "cpp"), ("md", "rst"), ("json", "yaml"), ("css", "scss"), ("kt", "java")]


def bare(segments, directories, random):
    return segments[-1] if len(segments) > 1 else None


def typo(segments, directories, random):
    stem, dot, extension = segments[-1].partition(".")
    if len(stem) < 5:
        return None
    at = random.randrange(1, len(stem) - 1)
    kind = random.randrange(4)
    if kind == 0:
        stem = stem[:at] + stem[at + 1] + stem[at] + stem[at + 2 :]
    elif kind == 1:
        stem = stem[:at] + stem[at + 1 :]
    elif kind == 2:
        stem = stem[:at] + stem[at] + stem[at:]
    else:
        stem = stem[:at] + random.choice("aeionrst") + stem[at + 1 :]
    return "/".join(segments[:-1] + [stem + dot + extension])


def wrong_directory(segments, directories, random):
    if len(segments) < 2:
        return None
    at = random.randrange(len(segments) - 1)
    return "/".join(segments[:at] + [random.choice(directories)] + segments[at + 1 :])


def missing_directory(segments, directories, random):
    if len(segments) < 3:
        return None
    at = random.randrange(len(segments) - 1)
    return "/".join(segments[:at] + segments[at + 1 :])


def tail(segments, directories, random):
    return "/".join(segments[-2:]) if len(segments) > 2 else None


def wrong_extension(segments, directories, random):
    stem, dot, extension = segments[-1].rpartition(".")
    others = [pair[1 - pair.index(extension)] for pair in EXTENSIONS if extension in pair]
    return "/".join(segments[:-1] + [stem + dot + random.choice(others)]) if others else None


def style(segments, directories, random):
    stem, dot, extension = segments[-1].partition(".")
    other = stem.replace("_", "-") if "_" in stem else stem.replace("-", "_") if "-" in stem else stem.swapcase()
    return "/".join(segments[:-1] + [other + dot + extension]) if other != stem else None


ALL = [typo, wrong_directory, missing_directory, tail, wrong_extension, style]
