"""Options that a question names itself: "Which is larger? A) forest B) grassland"."""

from __future__ import annotations

import re
from itertools import pairwise

# A letter with its bracket or point, at the beginning of a line or after a space: "A)", "(b)", "C.", "d:".
_MARK = re.compile(r"(?:(?<=\s)|^)(?:\((?P<round>[A-Ha-h])\)|(?P<plain>[A-Ha-h])[).:])(?=\s)")
# What may stand before the first option: the end of a sentence or of a line, or what leads to options.
_LEAD = re.compile(r"(?:[?.:;!]|\n|\boptions|\bchoices)[ \t]*$", re.IGNORECASE)


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
        Without their letters, at least two: those of A, B, C, ... in this order.
    """
    marks = list(_MARK.finditer(text))
    for first, mark in enumerate(marks):
        several = marks[first:]
        letters = [(found["round"] or found["plain"]).upper() for found in several]
        question = text[: mark.start()].rstrip()
        if len(letters) < 2 or letters != [chr(ord("A") + n) for n in range(len(letters))]:
            continue
        ends = [after.start() for _, after in pairwise(several)] + [len(text)]
        options = [text[m.end() : end].strip(" \t\r\n,;") for m, end in zip(several, ends, strict=True)]
        if question and _LEAD.search(text[: mark.start()]) and all(options):
            return re.sub(r"\s*(?:options|choices)\s*:?$", "", question, flags=re.IGNORECASE), tuple(options)
    return text, ()
