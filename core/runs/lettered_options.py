"""Options that a question names itself: "Which is larger? A) forest B) grassland" or "1) forest 2) ..."."""

from __future__ import annotations

import re
from itertools import pairwise

# A letter with its bracket or point, at the beginning of a line or after a space: "A)", "(b)", "C.", "d:";
# or a number with its bracket: "1)", "(2)".
_MARK = re.compile(
    r"(?:(?<=\s)|^)(?:\((?P<round>[A-Ha-h1-8])\)|(?P<plain>[A-Ha-h](?=[).:])|[1-8](?=\)))[).:])(?=\s)"
)
_ROWS = ("ABCDEFGH", "12345678")
# What may stand before the first option: the end of a sentence or of a line, or what leads to options.
_LEAD = re.compile(r"(?:[?.:;!]|\n|\boptions|\bchoices)[ \t]*$", re.IGNORECASE)

# Numbers may also count what is asked for ("tell me: 1) the mean 2) the area"): less may lead to them.
_LEAD_OF_NUMBERS = re.compile(r"(?:\?|\boptions:?|\bchoices:?)\s*$", re.IGNORECASE)


def split_options(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a question and the lettered options that it ends with.

    Parameters
    ----------
    text : str

    Returns
    -------
    question : str
        Without its options; the text itself where it names none.
    options : tuple of str
        Without their letters or numbers, at least two: those of A, B, C, ... or 1, 2, 3, ... in this order.
    """
    marks = list(_MARK.finditer(text))
    for first, mark in enumerate(marks):
        several = marks[first:]
        letters = [(found["round"] or found["plain"]).upper() for found in several]
        question = text[: mark.start()].rstrip()
        if len(letters) < 2 or not any(row.startswith("".join(letters)) for row in _ROWS):
            continue
        ends = [after.start() for _, after in pairwise(several)] + [len(text)]
        options = [text[m.end() : end].strip(" \t\r\n,;") for m, end in zip(several, ends, strict=True)]
        lead = _LEAD_OF_NUMBERS if letters[0].isdigit() else _LEAD
        if question and lead.search(text[: mark.start()]) and all(options):
            return re.sub(r"\s*(?:options|choices)\s*:?$", "", question, flags=re.IGNORECASE), tuple(options)
    return text, ()
