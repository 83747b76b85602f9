"""How many of several a statement speaks of: all, none, most, half, more than three, so many of them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from treeline.core.engine.verification.claims import Claim, dates_in, find_unit
from treeline.core.engine.verification.notation import COUNTABLE, COUNTED, in_plain_digits, number_in_words
from treeline.core.engine.verification.phrases import denies_side
from treeline.core.engine.verification.sentence_grounds import ALL_BUT

# How many of several fulfil it, and of how many.
Quantifier = Callable[[int, int], bool]
OF_TIME = (
    r"(?:dates?|days?|images?|rasters?|scenes?|acquisitions?|observations?|months?|years?|seasons?|times?)"
)
_THINGS = rf"(?:\w+ )?(?:{OF_TIME}|{COUNTED}|class|cover|zone|field|parcel|polygon|site|district|region)"
# What rows of a table are called: of pixels and of ground a part is another thing.
LABELLED = (
    r"(?:dates?|days?|images?|rasters?|scenes?|acquisitions?|observations?|overpasses|months?|years?|seasons?|"
    r"class(?:es)?|categor(?:y|ies)|covers?|types?|zones?|fields?|parcels?|polygons?|sites?|districts?|regions?|"
    r"areas(?= named)|basins?|municipalit(?:y|ies))"
)
_NOT_ALL = re.compile(r"\b(?:not|n't|hardly) (?:always|every|each|all|throughout|constantly)\b", re.I)
_MOSTLY = re.compile(r"(?<!at )\b(?:most|mostly|the majority)\b", re.I)
_NONE = re.compile(
    rf"\b(?:never|not once|at no time|nowhere|none|nothing|(?:no|not one|not a single) {_THINGS})\b", re.I
)
# "Not on any date", "neither May nor July", "not a single class": of none.
_NOT_ANY = re.compile(
    r"(?:\b(?:not|never|without|hardly)\b|n't\b)(?:[^.;]|\.\d)*?\b(?:any|either|a single)\b|"
    rf"\bnot (?:a|one) {LABELLED}\b|"
    r"\bneither\b(?: of\b|(?:[^.;]|\.\d)*?\bnor\b)",
    re.I,
)
_ALL = re.compile(
    rf"\b(?:always|throughout|constantly|consistently|everywhere|at all times|"
    rf"without (?:an? )?(?:exception|break)|all|(?:every|each) {_THINGS})\b",
    re.I,
)
# "Every one of the seven covers", of which one is no number.
_EVERY_ONE = re.compile(
    r"\b(?:(?:every|each) (?:single )?(?:one|1) of|each of (?:the|these|those|its|all)|each and every|"
    r"every last)\b",
    re.I,
)
_SOME = re.compile(rf"\b(?:ever|sometimes|at least once|some(?: of the)? {_THINGS}|any {_THINGS})\b", re.I)
_ONE = re.compile(
    rf"\b(?:only|just|exactly) (?:one|a single)(?: \w+)? {LABELLED}\b|"
    rf"\b(?:only|just|exactly) one (?:of (?:the|all|these|those)\b|(?=exceed|reach|stay|lie|lay|is|was)\w+)",
    re.I,
)
_SO_MANY = re.compile(
    rf"(?<![\d.])(\d+)(?:(?: of (?:the |all )?\d+)? (?:\w+ )?{COUNTED[:-1]}|date|day|month|year)\b|"
    r" of (?:the |all |these )?(?:\d+|[a-z]+) [a-z]+s\b)",
    re.I,
)
# Others are counted by a plural before a verb: 3 districts stay below it.
_SO_MANY_THINGS = re.compile(
    r"(?<![\d.,])(\d{1,3}) (?:[a-z]+ )?(?P<thing>[a-z]{3,}s)(?= (?:(?:that|which|only|all) )?"
    r"(?:stay|remain|lie|exceed|have|are|were|had|reach|keep|fall|average|show|surpass|rise|go|do)\w*\b)",
    re.I,
)
# What stands before the number of a limit, which is no number of things.
_AT_LIMIT = re.compile(
    r"(?:[<>\u2264\u2265]=?|\b(?:above|below|over|under|than|exceed\w*|least|most|to))\s*$", re.I
)
_BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "more than": operator.gt,
    "over": operator.gt,
    "at least": operator.ge,
    "less than": operator.lt,
    "fewer than": operator.lt,
    "under": operator.lt,
    "at most": operator.le,
    "no more than": operator.le,
    "up to": operator.le,
}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_BOUND = rf"(?:\b(?P<bound>{'|'.join(_BOUNDS)}) )?"
_PART_OF_THINGS = re.compile(
    rf"{_BOUND}(?P<rough>(?:about|around|roughly|nearly|almost|close to) )?"
    rf"\b(?:(?P<times>an?|one|two|three|four|five) )?(?P<part>{'|'.join(_PARTS)})s? (?:of )?"
    rf"(?:(?:all|the|these|those|its) )*(?:[\w-]+ ){{0,2}}?{LABELLED}\b",
    re.I,
)
_BOUNDED = re.compile(
    rf"\b(?P<bound>{'|'.join(_BOUNDS)}) (?P<number>\d{{1,3}}|an?|one|two|three|four) "
    rf"(?:of (?:the |all |these )?(?:\w+ )?)?(?:[a-z-]+ )?{LABELLED}\b",
    re.I,
)
# So coarsely a part is told that is no half of an even number.
_COARSE, _COARSER = 0.02, 0.06


def comparison_of(sentence: str) -> Quantifier | None:
    """Return what a sentence says of how many lie beyond its limit, or move; ``None`` where nothing."""
    plain = in_plain_digits(sentence)
    if match := ALL_BUT.search(plain):  # those that it names are left out of what it speaks of
        left = 0 if dates_in(match[1]) else number_in_words(match[1]) or 0
        return lambda count, of: count == of - left
    if _EVERY_ONE.search(plain):
        return lambda count, of: count == of
    if told := _of_part(plain) or _of_bound(plain):
        return told
    if _MOSTLY.search(plain):
        return lambda count, of: 2 * count > of
    if _NOT_ALL.search(plain):
        return lambda count, of: count < of
    if _NONE.search(plain) or _NOT_ANY.search(plain):
        return lambda count, of: count == 0
    if _ONE.search(plain):
        return lambda count, of: count == 1
    if told_counts := counted(plain):
        number = int(told_counts[0][1])
        return lambda count, of: count == number
    if _ALL.search(plain):
        return lambda count, of: count == of
    if _SOME.search(plain):
        return lambda count, of: count > 0
    if denies_side(plain):
        return lambda count, of: count == 0
    return None


def _of_part(plain: str) -> Quantifier | None:
    """Return what "more than half of the dates", "a third of the classes" say."""
    match = _PART_OF_THINGS.search(plain)
    if match is None:
        return None
    times = number_in_words(match["times"]) if match["times"] and match["times"][0] not in "aA" else 1
    part = (times or 1) / _PARTS[match["part"].casefold()]
    if match["bound"]:
        holds = _BOUNDS[match["bound"].casefold()]
        return lambda count, of: holds(count, part * of)
    coarse = _COARSER if match["rough"] else _COARSE
    return lambda count, of: (
        abs(count - part * of) <= max(coarse * of, 0.5 if of > 2 * _PARTS["tenth"] else 0)
    )


def _of_bound(plain: str) -> Quantifier | None:
    """Return what "more than 3 dates", "at most two classes" say."""
    match = _BOUNDED.search(plain)
    if match is None:
        return None
    number, holds = number_in_words(match["number"]) or 1, _BOUNDS[match["bound"].casefold()]
    return lambda count, of: holds(count, number)


def speaks_of_none(sentence: str) -> bool:
    """Return whether a sentence says of none of several that it lies somewhere."""
    return _NONE.search(sentence) is not None


def without_bounds(sentence: str) -> str:
    """Return a sentence in plain digits without "more than" before how many it speaks of."""
    plain = in_plain_digits(sentence)
    for pattern in (_PART_OF_THINGS, _BOUNDED):
        plain = pattern.sub(lambda match: match[0].removeprefix(match["bound"] or ""), plain)
    return plain


def is_of_things(sentence: str) -> bool:
    """Return whether a part in words is one of dates, classes or zones, and none of the ground."""
    return _PART_OF_THINGS.search(in_plain_digits(sentence)) is not None


def is_number_of_things(claim: Claim) -> bool:
    """Return whether a number tells how many dates, classes or zones there are: more than 3 dates."""
    return not claim.unit and claim.number % 1 == 0 and claim.thing in COUNTABLE - {"pixels"}


def counts_things(sentence: str) -> bool:
    """Return whether a sentence says how many lie beyond its limit."""
    return bool(counted(in_plain_digits(sentence)))


def counted(plain: str) -> list[re.Match[str]]:
    """Return where a sentence in plain digits says how many things there are."""
    things = [match for match in _SO_MANY_THINGS.finditer(plain) if not find_unit(match["thing"])]
    found = [*_SO_MANY.finditer(plain), *things]
    return [match for match in found if not _AT_LIMIT.search(plain[: match.start()])]
