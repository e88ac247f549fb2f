"""Requests made from trees by rule, with and without an answer, for calibrate.py.

With an answer: slips, other directories, parts of paths, bare names. Without one: files that are left out of the tree,
names of other repositories, names with an extension of another family, and siblings that a project may be about to get.
"""
import collections

from convention import split_extension
from slips import seeded, slip_name, slip, two_slips

# Files of a tree from which requests are made, of each kind.
EACH = 12
# Small trees are directories of large ones: as many of each tree, with so many files.
SMALL, SMALL_FILES = 2, (5, 60)
FIXTURES = set("test tests spec specs fixture fixtures testdata example examples sample samples demo demos doc docs vendor third_party templates playground".split())


FAMILIES = [
    set(family.split())
    for family in (
        "ts tsx mts cts js jsx mjs cjs vue svelte astro", "c cc cpp cxx h hh hpp hxx inl ipp inc m mm cu",
        "yml yaml json json5 jsonc toml ini cfg conf properties xml", "md mdx markdown rst txt adoc html htm",
        "py pyi pyx ipynb", "css scss sass less styl", "png jpg jpeg gif svg webp avif ico", "sh bash zsh fish ps1 bat cmd",
        "java kt kts scala groovy gradle",
    )
]


class Pool:
    """What repositories have: names, and how many have them."""

    def __init__(self, trees):
        """`trees`: repository → all paths of its states."""
        self.paths = {repo: sorted(set(paths)) for repo, paths in trees.items()}
        self.names = {repo: {path.rsplit("/", 1)[-1].lower() for path in paths} for repo, paths in self.paths.items()}
        self.count = collections.Counter(name for names in self.names.values() for name in names)
        # Short paths, as they are asked for: names at the root, and in one directory.
        shallow = collections.defaultdict(set)
        for repo, paths in self.paths.items():
            for path in paths:
                if path.count("/") <= 1 and path.isascii():
                    shallow[path].add(repo)
        self.shallow = sorted((path, frozenset(repos)) for path, repos in shallow.items())
        self.common = [(path, repos) for path, repos in self.shallow if len(repos) >= 2]

    def foreign(self, repo, there, draw, common):
        """A path of another repository and that repository; its name is nowhere in the tree."""
        for _ in range(50):
            path, repos = draw.choice(self.common if common else self.shallow)
            others = sorted(repos - {repo})
            if others and path.rsplit("/", 1)[-1].lower() not in there:
                return path, draw.choice(others)
        return None, None


def order(paths, salt):
    return sorted(paths, key=lambda path: seeded(salt, path).random())


def small_trees(paths, salt):
    """Directories of the tree as trees of their own."""
    below = collections.defaultdict(list)
    for path in paths:
        parts = path.split("/")
        for depth in range(1, len(parts)):
            below["/".join(parts[:depth])].append("/".join(parts[depth:]))
    fit = [directory for directory, files in below.items() if SMALL_FILES[0] <= len(files) <= SMALL_FILES[1]]
    for directory in order(fit, "small" + salt)[:SMALL]:
        yield directory, below[directory]


def positives(paths):
    """(kind, asked, meant) of each kind of mistake."""
    names = collections.Counter(path.rsplit("/", 1)[-1] for path in paths)
    directories = sorted({part for path in paths for part in path.split("/")[:-1]})
    plain = [path for path in paths if path.isascii() and "#" not in path]
    deep = [path for path in plain if "/" in path]
    for path in order(deep, "two")[: 2 * EACH]:
        yield "two slips", two_slips(path, seeded("two slips", path)), path
    for path in order(plain, "one")[:EACH]:
        head, _, name = path.rpartition("/")
        name = slip_name(name, seeded("one slip", path))
        yield "name slip", name and (f"{head}/{name}" if head else name), path
    for path in order(deep, "bare slip")[:EACH]:
        name = path.rsplit("/", 1)[-1]
        if names[name] == 1:
            yield "bare slip", slip_name(name, seeded("bare slip", path)), path
    for path in order(deep, "directory slip")[: EACH // 2]:
        draw = seeded("directory slip", path)
        parts = path.split("/")
        at = draw.randrange(len(parts) - 1)
        wrong = slip(parts[at], draw)
        yield "directory slip", wrong and "/".join([*parts[:at], wrong, *parts[at + 1 :]]), path
    for path in order(deep, "twice")[: EACH // 2]:
        head, _, name = path.rpartition("/")
        draw = seeded("twice", path)
        once = slip_name(name, draw)
        twice = once and slip_name(once, draw)
        yield "two in the name", twice and len(name) > 9 and f"{head}/{twice}", path
    for path in order(deep, "wrong directory")[: EACH // 2]:
        draw = seeded("wrong directory", path)
        parts = path.split("/")
        parts[draw.randrange(len(parts) - 1)] = draw.choice(directories)
        yield "wrong directory", "/".join(parts), path
    for path in order(deep, "part")[: EACH // 2]:
        yield "part", "/".join(path.split("/")[-2:]), path
    # Of those that share a name one is meant, and nothing says which.
    shared = [path for path in deep if 2 <= names[path.rsplit("/", 1)[-1]] <= 5]
    for path in order(shared, "shared")[: EACH // 2]:
        yield "shared name", path.rsplit("/", 1)[-1], path
    for path in order([path for path in deep if names[path.rsplit("/", 1)[-1]] == 1], "bare")[: EACH // 2]:
        yield "bare name", path.rsplit("/", 1)[-1], path
    for path in order([path for path in deep if "_" in path.rsplit("/", 1)[-1].strip("_")], "separator")[: EACH // 3]:
        parts = path.split("/")
        if len(parts) >= 2 and parts[-2] not in ("src", "lib"):
            yield "separator", "/".join([*parts[:-2], f"{parts[-2]}_{parts[-1]}"]), path


def readings(paths):
    """(kind, asked, meant): what surrounds a path, or is another form of it."""
    plain = [path for path in paths if path.isascii() and "/" in path and " " not in path]
    stems = collections.Counter((path.rpartition("/")[0], split_extension(path.rsplit("/", 1)[-1])[0].lower()) for path in paths)
    for path in order(plain, "near extension")[: 3 * EACH]:
        head, _, name = path.rpartition("/")
        stem, extension = split_extension(name)
        others = sorted(next((members for members in FAMILIES if extension in members), set()) - {extension})
        if others and stems[head, stem.lower()] == 1:
            yield "near extension", f"{head}/{stem}.{seeded('near', path).choice(others)}", path
    for path in [path for path in paths if "/" not in path and path.isascii()]:
        stem, extension = split_extension(path)
        family = next((members for members in FAMILIES if extension in members), set())
        if family and stems["", stem.lower()] == 1 and seeded("root twin", path, str(len(paths))).randrange(3) == 0:
            yield "root twin", f"{stem}.{seeded('near', path).choice(sorted(family - {extension}))}", path
        if extension in ("md", "txt", "rst") and stems["", stem.lower()] == 1:
            yield "root twin", stem, path
    root = [path for path in paths if "/" not in path and path.isascii()]
    for path in order(root, "root slip")[:EACH]:
        yield "root slip", slip_name(path, seeded("root slip", path)), path
    for path in order(root, "root case")[: EACH // 2] + order(plain, "case")[: EACH // 4]:
        head, slash, name = path.rpartition("/")
        yield "case", head + slash + (name.lower() if name != name.lower() else name.capitalize()), path
    for path in order(root, "extension slip")[: EACH // 2] + order(plain, "extension slip")[: EACH // 4]:
        stem, extension = split_extension(path)
        wrong = len(extension) >= 3 and slip(extension + "    ", seeded("extension slip", path))
        yield "extension slip", wrong and f"{stem}.{wrong.strip()}", path
    for path in order(plain, "frame")[: EACH // 3]:
        draw = seeded("frame", path)
        part = "/".join(path.split("/")[draw.randrange(2) :])
        yield "frame", draw.choice(FRAMES).format(part), path
    for path in order(plain, "nested")[: EACH // 3]:
        parts = path.split("/")
        parts.insert(seeded("nested", path).randrange(len(parts)), seeded("nest", path).choice(["src", "lib", "core", "internal", "main"]))
        yield "nested", "/".join(parts), path
    directories = collections.Counter(path.rpartition("/")[0] for path in plain)
    names = collections.Counter(directory.rsplit("/", 1)[-1] for directory in directories)
    for directory in order([one for one in directories if "/" in one and names[one.rsplit("/", 1)[-1]] == 1], "bare directory")[: EACH // 3]:
        yield "bare directory", directory.rsplit("/", 1)[-1], directory
        yield "bare directory", "/".join(directory.split("/")[-2:]), directory
    for path in order([path for path in plain if path.endswith((".py", ".rs"))], "module")[:EACH]:
        parts = split_extension(path)[0].split("/")
        dropped = parts.index("src") + 1 if "src" in parts[:-1] else 0
        if path.endswith(".rs") and not dropped:
            continue
        name = "::".join(["crate", *parts[dropped:]]) if path.endswith(".rs") else ".".join(parts[dropped:])
        if len(parts) - dropped >= 2 and parts[-1] not in ("__init__", "mod", "main", "lib"):
            yield "module", name, path
    for path in order([path for path in plain if path.endswith(INDEXES)], "index form")[: EACH // 2]:
        head, _, name = path.rpartition("/")
        if head:
            yield "index form", f"{head}.{split_extension(name)[1]}", path


FRAMES = [
    'File "/app/{0}", line 12, in run', "    at handler (/app/{0}:12:5)", "{0}:12:5", "{0}#L20", "{0}(12,5)", "--> {0}:3:9",
    "/home/someone/work/project/{0}", "https://github.com/acme/project/blob/main/{0}#L3",
]
INDEXES = ("/mod.rs", "/__init__.py", "/index.ts", "/index.js", "/index.tsx")


def left_out(paths):
    """(kind, asked, paths that are taken out): nothing is right then."""
    plain = [path for path in paths if path.isascii() and "#" not in path]
    for path in order(plain, "left out")[: 2 * EACH]:
        draw = seeded("left out", path)
        kind = draw.randrange(4)
        head, _, name = path.rpartition("/")
        if kind == 2 and head:
            yield "left out, bare", name, path
        elif kind == 3:
            name = slip_name(name, draw)
            if name:
                yield "left out, slip", f"{head}/{name}" if head else name, path
        else:
            yield "left out", path, path


def absent(paths, repo, pool):
    """(kind, asked, repository that it is from): nothing of the tree is right."""
    there = {path.rsplit("/", 1)[-1].lower() for path in paths}
    stems = {split_extension(name)[0] for name in there}
    outside = {path.rsplit("/", 1)[-1].lower() for path in paths if not FIXTURES & set(path.lower().split("/")[:-1])}
    size = str(len(paths))
    for number in range(3 * EACH):
        draw = seeded("foreign", repo, size, str(number))
        path, source = pool.foreign(repo, there, draw, common=number % 3 > 0)
        # The same stem at the same place is a twin, and may well be meant.
        if path and not any(split_extension(other.lower())[0] == split_extension(path.lower())[0] for other in paths):
            yield "foreign", path, source
    # What exists in fixtures and examples only is not what one asks for at the root.
    for number in range(EACH // 2):
        draw = seeded("fixture", repo, size, str(number))
        path, source = pool.foreign(repo, outside, draw, common=True)
        if path and path.rsplit("/", 1)[-1].lower() in there and path not in paths:
            yield "foreign fixture", path, source
    name_of = lambda path: path.rsplit("/", 1)[-1].lower()
    hidden = {name_of(path): path for path in paths if name_of(path) not in outside and pool.count[name_of(path)] >= 3 and "/" in path}
    for path in order(hidden.values(), "fixture name")[: EACH // 2]:
        yield "fixture name", path.rsplit("/", 1)[-1], None
    # An existing stem with an extension of another family.
    extensions = sorted({split_extension(name)[1] for names in pool.names.values() for name in list(names)[:200]} - {""})
    for path in order([path for path in paths if path.isascii()], "family")[:EACH]:
        draw = seeded("family", repo, path)
        head, _, name = path.rpartition("/")
        stem, own = split_extension(name)
        other = draw.choice(extensions)
        if own and family(other) != family(own.lower()) and f"{stem}.{other}".lower() not in there:
            asked = f"{stem}.{other}"
            yield "other family", asked if draw.randrange(2) or not head else f"{head}/{asked}", None
    # A sibling: one word of a name is another's.
    words = sorted({word for name in stems for word in name.replace("-", "_").split("_") if len(word) >= 4 and word.isalpha()})
    for path in order([path for path in paths if path.isascii() and "_" in path.rsplit("/", 1)[-1].replace("-", "_")], "sibling")[: EACH // 2]:
        draw = seeded("sibling", path)
        head, _, name = path.rpartition("/")
        stem, extension = split_extension(name)
        mark = "-" if "-" in stem else "_"
        parts = stem.split(mark)
        if len(parts) < 2 or not words:
            continue
        parts[draw.randrange(len(parts))] = draw.choice(words)
        made = mark.join(parts)
        if made.lower() not in stems and extension:
            yield "sibling", f"{head}/{made}.{extension}" if head else f"{made}.{extension}", None


def family(extension):
    return next((at for at, members in enumerate(FAMILIES) if extension in members), extension)
