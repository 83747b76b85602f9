"""What a sentence tells of what was asked: the most or the least, an order, yes or no."""

from __future__ import annotations

import re

from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.degree_words import comparison, extreme, is_superlative
from treeline.core.engine.verification.question_words import asks_either, asks_yes_or_no, polarity

_RANKS = re.compile(r"\brank\w*\b|\bin (?:the |what )?order\b", re.I)
_SO = re.compile(r"^\W*(?:so|thus|hence|therefore|then|in short|overall|and|but)\b,? ", re.I)


def tells_what_is_asked(question: str, sentence: str) -> bool:
    """Return whether a sentence tells the most, an order, what has more or yes or no, as a question asks."""
    of_two = asks_yes_or_no(question) or asks_either(question)
    if of_two and (comparison(sentence) is not None or _is_told(sentence)):
        return True
    if _RANKS.search(question) and _RANKS.search(sentence):
        return True
    return is_most(sentence) and bool(of_two or _RANKS.search(question) or is_most(question))


def leaves_out_what_is_asked(question: str, rest: str) -> bool:
    """Return whether a question asks for the most, the least, or yes or no, and a text does not tell it."""
    kept = sentences(rest)
    asked = (asks for asks in (is_most, _is_told) if asks(question))
    return bool(_extremes_in(question) - _extremes_in(rest)) or any(not any(map(a, kept)) for a in asked)


def is_most(text: str) -> bool:
    """Return whether a text names the most or the least of something, whichever way."""
    return extreme(text) != 0 or is_superlative(text)


def _is_told(text: str) -> bool:
    """Return whether a text asks, or tells, yes or no."""
    return asks_yes_or_no(text) or polarity(_SO.sub("", text)) is not None


def _extremes_in(text: str) -> set[int]:
    """Return which extremes the sentences of a text are about: the largest (1), the smallest (-1)."""
    return {extreme(sentence) for sentence in sentences(text)} - {0}
