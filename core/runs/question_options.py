"""Options that a question names itself, with letters or without.

"Which is larger? A) forest B) grassland", "1) forest 2) ...", "How many dates are there: 4, 6 or 8?",
"Is the mean closest to 0.5, 0.6 or 0.7?".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

# A letter with its bracket or point, at the beginning of a line or after a space: "A)", "(b)", "C.", "d:";
# or a number with its bracket: "1)", "(2)".
_MARK = re.compile(
    r"(?:(?<=\s)|^)(?:\((?P<round>[A-Ha-h1-8])\)|(?P<plain>[A-Ha-h](?=[).:])|[1-8](?=\)))[).:])(?=\s)"
)
_ROWS = ("ABCDEFGH", "12345678")
_OWN_LETTER = re.compile(r"^\s*\(?[A-Ha-h][).:]\s+")
# What may stand before the first option: the end of a sentence or of a line, or what leads to options.
_LEAD = re.compile(r"(?:[?.:;!]|\n|\boptions|\bchoices)[ \t]*$", re.IGNORECASE)

# Numbers may also count what is asked for ("tell me: 1) the mean 2) the area"): less may lead to them.
_LEAD_OF_NUMBERS = re.compile(r"(?:\?|\boptions:?|\bchoices:?)\s*$", re.IGNORECASE)

_NUMBER = (
    r"[-+]?\d+(?:[.,]\d+)*"
    r"(?:\s?(?:%|ha|km2|km\u00b2|m2|m\u00b2|km|m|K|\u00b0C|\u00b0|days|dates|pixels|images)(?!\w))?"
)
_TIME = r"(?:19|20)\d\d(?:-\d\d-\d\d)?(?![\d.,]\d)"
_LIMIT = (
    rf"(?:(?:below|under|above|over|less than|fewer than|more than|at least|at most)\s+{_NUMBER}"
    rf"|(?:between\s+)?{_NUMBER}\s*(?:-|\u2013|to|and)\s*{_NUMBER}|{_NUMBER}\s+or\s+(?:more|less|above|below))"
)

# "Was the mean NDVI on 14 August (a) below 0.5 (b) ...": it only leads to limits.
_OPEN = re.compile(r"^(?:is|was|are|were)\s+(?!.*\?)", re.IGNORECASE)
# "Is the mean NDVI closest to A) 0.5 B) 0.6 or C) 0.7?", "The mean NDVI is closest to: A) 0.5 ..."
_CLOSEST = re.compile(
    r"^(?:(?:is|was)\s+(?P<asked>.+?)|(?P<told>.+?)\s+(?:is|was))\s+"
    r"(?:closest|nearest|closer|nearer)\s+to\s*:?$",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\s*\b(?:options|choices)\s*:?$", re.IGNORECASE)
# "The mean lies in: A) 0.5-0.6 B) ...", "in which range is".
_IN_A_RANGE = re.compile(
    r"\s*\b(?:lies|lay|is|was|falls|fell)\s+(?:in|between|within)(?:\s+the\s+(?:range|interval|class))?\s*:?$",
    re.IGNORECASE,
)
# What waits for more is no question by itself: its "options" are a part of what is asked.
_WAITS = re.compile(
    r"\b(?:in|on|at|of|for|to|from|by|than|with|above|below|over|under|between|within|during|and|or)\s*:?$",
    re.IGNORECASE,
)


def split_options(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a question and the options that it ends with.

    Parameters
    ----------
    text : str

    Returns
    -------
    question : str
        Without its options; the text itself where it names none.
    options : tuple of str
        Without their letters or numbers, at least two: those of A, B, C, ... or 1, 2, 3, ... in this order;
        or numbers, ranges and days of which one is to be chosen ("4, 6 or 8").
    """
    found = _with_letters(text) or _without_letters(text)
    if found is None:
        return text, ()
    question, options = found
    asked = _without_lead(question, options)
    return (text, ()) if _WAITS.search(asked) else (asked, options)


def with_options(question: str, options: Sequence[str]) -> str:
    """Return a question with its options, as it can be asked again.

    Parameters
    ----------
    question : str
    options : sequence of str
        With or without letters of their own.

    Returns
    -------
    str
        :func:`split_options` finds the same options in it; the question alone where it would not.
    """
    lead = "" if _LEAD.search(question.rstrip()) else "?"
    text = f"{question.rstrip()}{lead} {list_options(options)}"
    bare = tuple(_OWN_LETTER.sub("", each) for each in options)
    return text if bare and split_options(text)[1] == bare else question


def list_options(options: Sequence[str]) -> str:
    """Return options in one line, each with its letter: "A) 3 B) 30 C) 300"."""
    bare = (_OWN_LETTER.sub("", each) for each in options)
    return " ".join(f"{chr(ord('A') + number)}) {each}" for number, each in enumerate(bare))


def _with_letters(text: str) -> tuple[str, tuple[str, ...]] | None:
    marks = list(_MARK.finditer(text))
    for first, mark in enumerate(marks):
        several = marks[first:]
        letters = [(found["round"] or found["plain"]).upper() for found in several]
        question = text[: mark.start()].rstrip()
        if len(letters) < 2 or not any(row.startswith("".join(letters)) for row in _ROWS):
            continue
        ends = [after.start() for _, after in pairwise(several)] + [len(text)]
        options = [_trim(text[m.end() : end]) for m, end in zip(several, ends, strict=True)]
        lead = _LEAD_OF_NUMBERS if letters[0].isdigit() else _LEAD
        led = bool(lead.search(text[: mark.start()])) or _leads_to_limits(question, options)
        if question and all(options) and (led or _leads_to_numbers(question, options)):
            return question, tuple(options)
    return None


def _trim(option: str) -> str:
    """Return an option without what joins it to the next: "0.7 to 0.8, or"."""
    return re.sub(r"[\s,;]+(?:or|and)$", "", option.strip(" \t\r\n,;?"), flags=re.IGNORECASE)


def _leads_to_limits(question: str, options: Sequence[str]) -> bool:
    return _OPEN.search(question) is not None and _are_limits(options)


def _leads_to_numbers(question: str, options: Sequence[str]) -> re.Match[str] | None:
    """Return what asks which of the options is nearest, where these are numbers; ``None`` where nothing."""
    return _CLOSEST.search(question) if all(re.fullmatch(_NUMBER, each) for each in options) else None


def _are_limits(options: Sequence[str]) -> bool:
    """Return whether options are ranges of a number, and no times: of 2015-2016 a time is asked."""
    return all(
        re.fullmatch(_LIMIT, option, re.IGNORECASE) and not re.search(rf"\b{_TIME}", option)
        for option in options
    )


def _without_lead(question: str, options: Sequence[str]) -> str:
    """Return a question without what only leads to its options."""
    if (nearest := _leads_to_numbers(question, options)) is not None:
        return nearest["asked"] or nearest["told"]
    asked = _CALLED.sub("", question)
    if not _are_limits(options):
        return asked
    asked = _IN_A_RANGE.sub("", asked)
    return _OPEN.sub("", asked)


def _list_of(item: str, least: int) -> str:
    """Return the pattern of at least so many items with commas and a last "or"."""
    return rf"(?P<options>{item}(?:\s*,\s*{item}){{{least - 2},}}\s*,?\s+or\s+{item})\s*\?*\s*$"


_ONE = rf"(?:{_TIME}|{_LIMIT}|{_NUMBER})"
_WITHOUT_LETTERS = (
    # "How many dates have a mean above 0.7: 4, 6 or 8?"
    re.compile(
        rf"^(?P<question>(?:which|what|how|when|is|was|in|on)\b[^:?]*)[:?]\s*{_list_of(_ONE, 2)}",
        re.IGNORECASE,
    ),
    # "Is the mean closest to 0.5, 0.6 or 0.7?"
    re.compile(
        rf"^(?:is|was)\s+(?P<question>.+?)\s+(?:closest|nearest|closer|nearer)\s+to\s+{_list_of(_NUMBER, 2)}",
        re.IGNORECASE,
    ),
    # "Was it below 0.5, between 0.5 and 0.7 or above 0.7?"
    re.compile(rf"^(?P<question>(?:is|was)\s.+?)\s+{_list_of(_LIMIT, 3)}", re.IGNORECASE),
)
# Times are chosen from where a time is asked for: "which year was greenest: 2015, 2016 or 2017".
_ASKS_FOR_A_TIME = re.compile(r"\b(?:years?|dates?|days?|when)\b(?!\s+(?:are|were)\b)", re.IGNORECASE)


def _without_letters(text: str) -> tuple[str, tuple[str, ...]] | None:
    for pattern in _WITHOUT_LETTERS:
        if (found := pattern.search(text.strip())) is not None:
            question = found["question"].rstrip()
            options = tuple(re.findall(_ONE, found["options"], re.IGNORECASE))
            times = any(re.fullmatch(_TIME, option) for option in options)
            counts = question.lower().startswith("how")
            if not times or not counts and _ASKS_FOR_A_TIME.search(question):
                return question, options
    return None
