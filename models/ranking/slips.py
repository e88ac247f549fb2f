"""Slips of the keyboard, and where they can be made: shared by the programs that make requests."""
import hashlib, random

ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# Shorter words have too many neighbours of their own to be misspelt recognisably.
LETTERS_LEAST = 4


def seeded(*parts):
    """A generator of random numbers that is the same for the same parts, on every machine."""
    return random.Random(hashlib.md5("\0".join(parts).encode(errors="surrogateescape")).digest())


def neighbours(letter):
    row = next((row for row in ROWS if letter in row), "")
    at = row.find(letter)
    return row[max(0, at - 1) : at] + row[at + 1 : at + 2] if row else ""


def slip(word, draw):
    """The word with one slip behind its first letter: two letters swapped, one left out, doubled or its neighbour's."""
    places = [at for at in range(1, len(word)) if word[at].isalpha() and word[at].isascii()]
    if len(places) < LETTERS_LEAST - 1:
        return None
    for _ in range(20):
        at, kind = draw.choice(places), draw.randrange(4)
        if kind == 0 and at + 1 < len(word) and word[at + 1].isalpha():
            made = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        elif kind == 1:
            made = word[:at] + word[at + 1 :]
        elif kind == 2:
            made = word[:at] + word[at] + word[at:]
        else:
            near = neighbours(word[at].lower())
            made = word[:at] + draw.choice(near) + word[at + 1 :] if near else word
        if made != word:
            return made
    return None


def slip_name(name, draw):
    """A name with a slip in its stem."""
    stem, dot, rest = name.partition(".") if not name.startswith(".") else (name, "", "")
    made = slip(stem, draw)
    return made and made + dot + rest


def two_slips(path, draw):
    """A path with a slip in its name and one in a directory; None where it has no words long enough."""
    *directories, name = path.split("/")
    long = [at for at, directory in enumerate(directories) if len(directory) >= LETTERS_LEAST]
    if not long:
        return None
    at = draw.choice(long)
    directory, name = slip(directories[at], draw), slip_name(name, draw)
    if not directory or not name:
        return None
    return "/".join([*directories[:at], directory, *directories[at + 1 :], name])
