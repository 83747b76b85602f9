"""What an answer sets beside itself: what it lists twice, and times that end before they begin."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from itertools import pairwise

from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import dates_in
from treeline.core.engine.verification.clauses import sentences
from treeline.core.engine.verification.labels import Named, names_at_places
from treeline.core.engine.verification.phrases import is_range, multiplies, says_change, way
from treeline.core.engine.verification.statistic_words import find_statistics

_DATE = r"\d{4}(?:-\d\d){0,2}"
_ISO = re.compile(rf"(?<![\d.,-]){_DATE}(?![\d.,]*\d|-\d)")
_NUMBER = r"[-+\u2212]?\d[\d.,]*(?: ?(?:[^\s\d\w]|K|ha|km\S?|mm?|m\S|\u00b0C)(?!\w))?"
# What stands between two of a list, with the number of the one or the other.
_LISTS = re.compile(
    rf"(?: ?\([^()]*\)| ?:? ?{_NUMBER})?(?:\*\*)? ?(?:, |; |/| ?> ?| (?:and|or|nor|&) )"
    rf"(?:(?:about )?{_NUMBER} )?(?:(?:in|on|for|at|of) )?(?:the )?(?:\*\*)?",
    re.I,
)
# What sets one thing against another.
_AGAINST = re.compile(
    r"\b(?:than|exceeds?|exceeded|surpass\w*|outweighs?|ahead of|(?<!lags )behind|bec(?:a|o)mes?|"
    r"as \w+ as|turned into)\b|^ as (?:the |that of )?$",
    re.I,
)
_ITSELF = re.compile(
    r"\b(?:before|earlier|else|elsewhere|other|rest|previous|itself|when|where|masked|that from)\b", re.I
)
# Of those that are named first, one is named again.
_OF_THOSE = re.compile(r"\W*(?:of|among|between|with|compared)\b", re.I)
# From when to when.
_FROM = re.compile(
    rf"\bfrom (?:{_NUMBER} )?(?:(?:on|in) )?(?P<first>{_DATE}) (?:to|until|till|through|up to) "
    rf"(?:{_NUMBER} )?(?:(?:on|in) )?(?P<last>{_DATE})(?!\d|-\d)",
    re.I,
)
_BETWEEN = re.compile(rf"\bbetween (?P<first>{_DATE}) and (?P<last>{_DATE})(?!\d|-\d)", re.I)
_COMPARES = re.compile(r"\b(?:ratios?|compar\w+|differ\w*|back)\b", re.I)


def find_repetitions(answer: AnswerColumns) -> Iterator[str]:
    """Yield what an answer lists twice, holds against itself, or lets end before it begins."""
    for sentence in sentences(answer.text):
        yield from _turned_times(sentence)
        named = _mentions(answer, sentence)
        run: list[Named] = []
        for one, other in pairwise([*named, Named(len(sentence), "", "")]):
            run.append(one)
            between = sentence[one.place + len(one.word) : other.place]
            alike = one.label == other.label and _is_same_word(one, other)
            if alike and _AGAINST.search(between) and not _tells_apart(sentence, between):
                yield f"{one.label} is held against itself: {sentence.strip()!r}."
            if _LISTS.fullmatch(between):
                continue
            pairs = itertools.combinations(run, 2)
            twice = [a.label for a, b in pairs if a.label == b.label and _is_same_word(a, b)]
            twice = [] if _OF_THOSE.match(sentence) else twice
            yield from (f"{label} is listed twice: {sentence.strip()!r}." for label in twice[:1])
            run = []


def _is_same_word(one: Named, other: Named) -> bool:
    """Return whether two words are one, as built-up and built up land: urban is another word for them."""
    a, b = (named.word.replace("-", " ").rstrip("s") for named in (one, other))
    return a.startswith(b) or b.startswith(a)


def _mentions(answer: AnswerColumns, sentence: str) -> list[Named]:
    """Return the names and the dates of a sentence in its order."""
    dates = [Named(match.start(), match[0], match[0]) for match in _ISO.finditer(sentence)]
    known = {date for each in dates for date in dates_in(each.word)}
    dates = [each for each in dates if each.word in known]
    return sorted((*dates, *names_at_places(sentence, answer.columns)), key=lambda each: each.place)


def _tells_apart(sentence: str, between: str) -> bool:
    """Return whether two things of one name are told apart: by a statistic, or as what it was before."""
    return len(find_statistics(sentence)) > 1 or _ITSELF.search(sentence) is not None


def _turned_times(sentence: str) -> Iterator[str]:
    """Yield times that end before they begin, or where they begin."""
    if _COMPARES.search(sentence) or is_range(sentence):  # values range from the lowest day to the highest
        return
    moves = way(sentence) or says_change(sentence) or multiplies(sentence)
    for match in (*_FROM.finditer(sentence), *_BETWEEN.finditer(sentence)):
        first, last = match["first"], match["last"]
        turned = first > last and (match.re is _FROM or moves)
        if len(first) == len(last) and (turned or first == last):
            yield f"{first} is not before {last}, where it is told to begin."
