"""The words of a text in lower case, as `words` in server/rerank/src/text.rs splits them (`split_words` in a model's
configuration)."""
import re

BORDERS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(text):
    if text.isascii():
        return [word.lower() for word in BORDERS.findall(text)]
    out, before = [], None
    for at, letter in enumerate(text):
        if not letter.isalnum():
            before = None
            continue
        small_next = text[at + 1 : at + 2].islower()
        if (before is None or before.isnumeric() != letter.isnumeric()
                or letter.isupper() and (before.islower() or before.isupper() and small_next)):
            out.append("")
        out[-1] += letter.lower()
        before = letter
    return out
