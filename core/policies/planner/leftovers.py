"""Numbers and names of a question that no reader took up."""

from __future__ import annotations

import re

from treeline.core.policies.planner.names import read_names, words_of
from treeline.core.policies.planner.text import Reading
from treeline.core.policies.planner.vocabulary import Lexicon

_MEANT_OTHERWISE = (
    r"percentile|\bp\d\d?\b|\b(?:top|best|worst|first|last|two|both)\b|\bgsd\b|\bepsg\b|sentinel|landsat|modis|"
    r"\bband|\bb\d|\bresolution|\bpixels? of\b|\blevel\b|\bz[- ]?score|\bconfidence|\bsigma"
)
_NUMBER = re.compile(r"(?<![\w.#@_/-])\d+(?:[.,]\d+)*(?![\w#@_/-])")


def unread_numbers(reading: Reading, taken: bool) -> tuple[str, ...]:
    """Return in a sentence which numbers were left unread; none where they name something, or were taken."""
    if taken or re.search(_MEANT_OTHERWISE, reading.text):
        return ()
    found = dict.fromkeys(match[0] for match in _NUMBER.finditer(reading.rest))
    if not found:
        return ()
    listed = ", ".join(found)
    return (f"I made no use of the number{'s' if len(found) > 1 else ''} {listed} in the question.",)


_NAMED = re.compile(
    r"\b(?:of|in|at|near|around|for|over) (?P<n>[A-Z\u00c0-\u017d][\w\u00c0-\u017e'-]*[a-z\u00df-\u017e])\b"
)
_NO_PLACE = (
    r"(?i)^(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|spring|summer|autumn|winter|monday|"
    r"celsius|kelvin|fahrenheit|sentinel|landsat|modis|mann|kendall|sen|january|pearson|spearman|the)"
)


def names_a_place(reading: Reading, lexicon: Lexicon) -> bool:
    """Return whether a question speaks of a place by its name, known or not."""
    if read_names(reading.text, lexicon.roles_at):
        return True
    named = re.finditer(r"(?<=[a-z,'] )[A-Z\u00c0-\u017d][a-z\u00df-\u017e][\w'-]*", reading.original)
    return any(not re.match(_NO_PLACE, match[0]) for match in named)


def unknown_place(reading: Reading, lexicon: Lexicon, zoned: bool) -> tuple[str, ...]:
    """Return in a sentence that a place which the question names is not known to the workspace."""
    if zoned:
        return ()
    known = {word for place in (*lexicon.roles_at, *lexicon.sensors) for word in words_of(place)}
    for match in _NAMED.finditer(reading.original):
        name = match["n"]
        if not re.match(_NO_PLACE, name) and not known & set(words_of(name)):
            return (
                f"Nothing in the workspace tells where \u201c{name}\u201d lies: all pixels were counted.",
            )
    return ()
