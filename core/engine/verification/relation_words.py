"""What a text says of relations and tests: significant or not, positive or negative, strong or weak."""

from __future__ import annotations

import re

from treeline.core.engine.verification.clauses import is_affirmed, is_negated
from treeline.core.engine.verification.degree_words import LESS, LESSES, MORES

# Under these a record has how two things go together.
RELATIONS = ("r", "correlation", "pearson", "spearman", "rho")

_SIGN = re.compile(
    r"\b(?P<one>positive|negative)(?:ly)?\W+(?:\w+\W+){0,2}?(?:correlat|slope|trend|relat|associat|link)|"
    r"\b(?:correlation|slope|trend|relation\w*|association)\b\W+(?:\w+\W+){0,2}?"
    r"(?P<other>positive|negative)\b",
    re.I,
)
_NO_RELATION = re.compile(
    r"\bno (?:\w+ ){0,2}?(?:correlation|relation\w*|link|association|dependence)\b|\b(?:uncorrelated|"
    r"unrelated)\b",
    re.I,
)
_TOGETHER = re.compile(
    r"\b(?:together|jointly|in (?:step|tandem|parallel)|hand in hand)\b|"
    rf"\b(?P<one>{MORES})\b[^.;]{{1,40}}?\b(?P<other>{MORES}|{LESSES})\b",
    re.I,
)
# The warmer, the greener; what is clearer has fewer clouds.
_FEWER = rf"(?:{LESSES}|clearer|sunnier)"
_THE_MORE = re.compile(
    rf"\bthe (?:(?P<more>{MORES})|{_FEWER})\b[^.;]{{0,40}}?,? the (?:(?P<other>{MORES})|{_FEWER})\b", re.I
)
_OPPOSITE = re.compile(r"\b(?:invers\w*|opposite)\b", re.I)
_SIGNIFICANT = re.compile(
    r"\b(in)?significan\w*|\b(?:distinguishable|differs?|different)(?: \w+ly)? from (?:zero|0)\b", re.I
)
# A null hypothesis that is rejected says that something is significant.
_NULL = re.compile(
    r"(?P<kept>\b(?:not|cannot|can't|\w+n't|never|fail\w* to|unable to|no \w+ to)\s+(?:be\s+)?(?:\w+ly\s+)?)?"
    r"\breject\w*",
    re.I,
)
_LEVEL = re.compile(
    r"(?P<before>\bnot (?:\w+ )?)?\b(?:at|on|to) (?:the |a )?(?P<level>\d+(?:\.\d+)?) ?(?P<unit>%|per ?cent)?"
    r"(?P<named>[- ]?(?:significance |confidence )?level)?",
    re.I,
)
# What is significant "at 5 %" is so at that level, and what lies "at 5 %" is not.
_SIGNIFICANT_BEFORE = re.compile(r"\bsignifican\w*,?(?: (?:[\w-]+|%),?){0,8} at (?:the |a )?$", re.I)
_STRONG = re.compile(
    r"\bstrongly\b(?=\W+(?:\w+\W+){0,2}?r\b)|"
    r"\b(?:strong|close|tight|high|marked|pronounced|clear)(?:ly)?\W+(?:\w+\W+){0,2}?(?:correlat|relat|link|associat)",
    re.I,
)
_WEAK = re.compile(
    r"\b(?:weak|loose|poor|slight|hard|faint)(?:ly)?\W+(?:\w+\W+){0,2}?(?:correlat|relat|link|associat)", re.I
)

# Not one that can be called so.
_NOT_ONE = re.compile(r"\b(?:not (?:one|any|a single)|none) (?:\w+ ){0,4}(?:that|which)\b[^.;:]*$", re.I)


def significance(text: str) -> bool | None:
    """Return whether a text says that something is significant; ``None`` where it says nothing of it."""
    if "null" in text.casefold() and (rejected := _NULL.search(text)):
        return not rejected["kept"]
    if _NO_RELATION.search(text):
        return False
    match = _SIGNIFICANT.search(text)
    return (
        None
        if match is None
        else not (match[1] or is_negated(text, match.start()) or _NOT_ONE.search(text[: match.start()]))
    )


def sign(text: str) -> int:
    """Return whether a text calls a relation or a slope positive (1) or negative (-1); 0 where neither."""
    match = _SIGN.search(text)
    if match is None or is_negated(text, match.start()):
        return 0
    return 1 if (match["one"] or match["other"]).casefold() == "positive" else -1


def relation(text: str) -> int:
    """Return whether a text says that two things go together (1) or against each other (-1); else 0."""
    if _OPPOSITE.search(text):
        return -1
    if match := _THE_MORE.search(text):
        return 1 if (match["more"] is None) is (match["other"] is None) else -1
    match = _TOGETHER.search(text)
    if match is None or " than " in text:
        return 0
    return -1 if match["other"] and LESS.fullmatch(match["other"]) else 1


def goes_by_degrees(text: str) -> bool:
    """Return whether a text says that the more of one thing there is, the more or less of another."""
    return _THE_MORE.search(text) is not None


def denies_relation(text: str) -> bool:
    """Return whether a text says that two things have nothing to do with each other."""
    return _NO_RELATION.search(text) is not None


def is_sure(text: str) -> bool:
    """Return whether a text calls a change a clear one."""
    return (
        re.search(
            r"\b(?:clear|marked|pronounced|definite|unmistakable|evident|robust|genuine|undeniable|confirmed|"
            r"reliabl|conclusive|proven|certain(?! )|beyond doubt)\w*\b",
            text,
            re.I,
        )
        is not None
    )


def levels_of_significance(text: str) -> list[tuple[float, bool]]:
    """Return the levels at which a text calls something significant, or not: 0.05 of "at the 95 % level"."""
    found = []
    for match in _LEVEL.finditer(text):
        if not match["named"] and not _SIGNIFICANT_BEFORE.search(text[: match.start("level")]):
            continue
        level = float(match["level"]) / (100 if match["unit"] else 1)
        negated = match["before"] or is_negated(text, match.start())
        found.append((1 - level if level > 0.5 else level, not negated))
    return [(round(level, 6), said) for level, said in found if level > 0]


def strength(text: str) -> int:
    """Return whether a text calls a relation strong (1) or weak (-1); 0 where neither."""
    strong, weak = (is_affirmed(pattern, text) for pattern in (_STRONG, _WEAK))
    return strong - weak
