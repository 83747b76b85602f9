"""How two numbers of a text are told to stand to one another, held against the numbers themselves.

Which results they are of is looked at elsewhere: here it is 10.1 against 5.5 that is no less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treeline.core.engine.verification.claims import Claim, claims_at, without_dates
from treeline.core.engine.verification.clauses import is_negated, sentences
from treeline.core.engine.verification.degree_words import COMPARATIVE, LESS, MORE
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.phrases import way

# So much of a text belongs to what it says of one number.
_NAME = 60
_UNIT = r"(?: ?[^\s\d,;.()]{1,12})?"
_FROM_TO = re.compile(
    rf"(?P<before>[^.;:,(\n]*?)\bfrom (?:about |around |roughly )?(?P<one>[-\u2212]?\d[\d.,]*){_UNIT}"
    r"(?: \([^()]*\))?[^\d;:(\n]{0,40}? to (?:about |around |only |just )?(?P<other>[-\u2212]?\d[\d.,]*\d|\d)"
)
# By how much something changed, with both numbers behind it: "gained 7.3 K (301.8 to 309.1 K)".
_MARGIN_FROM_TO = re.compile(
    rf"(?P<margin>[-+\u2212]?\d[\d.,]*){_UNIT} \((?:from )?(?P<one>[-\u2212]?\d[\d.,]*){_UNIT} to "
    r"(?P<other>[-\u2212]?\d[\d.,]*)"
)
_CHANGE_OF = re.compile(
    r"[^\d.;]{0,20}, an? (?:\w+ )?(?P<noun>gain|rise|increase|loss|fall|drop|decrease|decline) of\b", re.I
)
# A change with its sign: "rises (+0.016 per year)".
_SIGNED = re.compile(r"(?P<before>[^.;,:(\n]*)\((?P<sign>[-+\u2212])\d[\d.,]*(?! ?\S{0,3} to\b)")
_AGAINST = re.compile(r"\b(?:as )?(?:against|versus|vs\.?|compared (?:with|to)|as opposed to)\s", re.I)
_BEYOND = re.compile(r"\b(?P<above>above|over|higher than)\b|\b(?:below|under|lower than)\b", re.I)
_OF_NUMBER = re.compile(r"(?:the |its |a |that |an )*(?:\w+ ){0,2}?\(?$", re.I)
_AND = re.compile(r";|\b(?:and|but|while|whereas)\b", re.I)
_HOLDS_ZERO = re.compile(
    r"\b(?:(?P<out>exclud\w+|leav\w+ out|rules? out|clear of|away from|miss\w+)|"
    r"includ\w+|contain\w*|cover\w*|spans?|straddl\w+|cross\w*|reach\w*) (?:the )?(?:zero|0)\b(?!\.\d)",
    re.I,
)
_HALF_AS = re.compile(r"\bhalf (?:as|that|the size)\b", re.I)
_SO_MANY_TIMES = re.compile(r"\b(?:twice|double|times) (?:as|the|that)\b", re.I)
_THAN = re.compile(r"\bthan [^,;.()]*")
_SMALL_WORDS = re.compile(
    r"the|and|with|while|whereas|thus|hence|than|from|for|are|was|were|its|has|had|only|about|some|roughly|that|"
    r"this|those|these|ones?|mean|areas?|covers?|extends?|over|gives?|finds?|step"
)
_WORD = re.compile(r"[a-z][a-z-]{2,}")


_PER_LENGTH = re.compile(r"\bper (?:\d+ ?)?(?:k?m|met(?:re|er)s?|kilomet(?:re|er)s?)\b", re.I)


def find_false_own_standings(text: str) -> Iterator[str]:
    """Yield which two numbers of a text do not stand to one another as it tells, in sentences.

    Parameters
    ----------
    text : str
        An answer, whole: what one sentence tells may be of numbers of the one before, or of a table.
    """
    told = sentences(text)
    for place, sentence in enumerate(told):
        if _PER_LENGTH.search(sentence):  # so much per metre, and so much less per 100 m
            continue
        numbers = claims_at(sentence)
        yield from _false_ways(sentence, numbers)
        yield from _false_changes(sentence, numbers)
        yield from _false_signs(sentence)
        yield from _false_sides(sentence, numbers)
        yield from _false_pairs(sentence, numbers)
        yield from _false_intervals(sentence, numbers)
        yield from _false_margins(sentence, "\n".join(told[: place + 1]))


def _false_ways(sentence: str, numbers: Mapping[int, Claim]) -> Iterator[str]:
    """Find what is told to rise from a number to a smaller one, or to fall to a larger one."""
    plain = in_plain_digits(without_dates(sentence))
    for match in _FROM_TO.finditer(plain):
        one, other = (numbers.get(match.start(name)) for name in ("one", "other"))
        said = way(match["before"][-_NAME:])
        if one is None or other is None or not said or not _are_alike(one, other):
            continue
        if (other.number - one.number) * said < 0:
            yield f"From {one.text} to {other.text} it {'falls' if said > 0 else 'rises'}."
        noun = _CHANGE_OF.match(plain, match.end())
        if noun and (other.number - one.number) * way(noun["noun"]) < 0:
            yield f"From {one.text} to {other.text} it is no {noun['noun']}."


def _false_changes(sentence: str, numbers: Mapping[int, Claim]) -> Iterator[str]:
    """Find a gain that is told with its two numbers, of which the first one is larger; or a loss."""
    plain = in_plain_digits(without_dates(sentence))
    for match in _MARGIN_FROM_TO.finditer(plain):
        margin, one, other = (numbers.get(match.start(name)) for name in ("margin", "one", "other"))
        said = way(_AND.split(plain[: match.start()])[-1][-_NAME:])
        if margin is None or one is None or other is None or not said or not _are_alike(one, other):
            continue
        apart = other.number - one.number
        far = abs(abs(apart) - abs(margin.number)) <= one.half + other.half + margin.half
        if far and apart * said < 0:
            yield f"From {one.text} to {other.text} it {'falls' if said > 0 else 'rises'}."


def _false_signs(sentence: str) -> Iterator[str]:
    """Find a change whose sign in brackets is not the way that the words before tell."""
    plain = in_plain_digits(without_dates(sentence))
    for match in _SIGNED.finditer(plain):
        said, sign = way(match["before"][-_NAME:]), 1 if match["sign"] == "+" else -1
        if said * sign < 0 and not is_negated(plain, match.start("sign")):
            yield f"What {'rises' if said > 0 else 'falls'} has no number of that sign: {match[0].strip()!r}."


def _false_sides(sentence: str, numbers: Mapping[int, Claim]) -> Iterator[str]:
    """Find a number that is told to lie above or below another one of its sentence, and does not."""
    plain, places = in_plain_digits(without_dates(sentence)), sorted(numbers)
    for match in _BEYOND.finditer(plain):
        behind = next((place for place in places if place >= match.end()), None)
        before = [place for place in places if place < match.start()]
        if behind is None or not before or is_negated(plain, match.start()):
            continue
        other = numbers[behind]
        if not re.fullmatch(rf" {_OF_NUMBER.pattern}", plain[match.end() : behind]):
            continue
        margin = numbers[before[-1]]
        apart = re.fullmatch(rf"{_UNIT} ", plain[before[-1] + len(margin.text) : match.start()])
        if not apart or len(before) < len(("one", "margin")):
            continue
        one = numbers[before[-2]]
        far = abs(abs(one.number - other.number) - margin.number) <= one.half + other.half + margin.half
        if _are_alike(one, other) and far and not _stand(one, other, 1 if match["above"] else -1):
            yield f"{one.text} is not {match[0]} {other.text}."


def _false_pairs(sentence: str, numbers: Mapping[int, Claim]) -> Iterator[str]:
    """Find something that is told to be more, where its number is the smaller one: "larger: 5 against 10"."""
    plain, places = in_plain_digits(without_dates(sentence)), sorted(numbers)
    match = _AGAINST.search(plain)
    if match is None or re.search(r"\bthan\b", plain):
        return
    before = [place for place in places if place < match.start()]
    behind = next((place for place in places if place >= match.end()), None)
    if not before or behind is None:
        return
    one, other = numbers[before[-1]], numbers[behind]
    # What stands behind a number tells of the other one: "41 ha against 58 for the larger".
    start, end = max(0, before[0] - _NAME), before[0]
    if len(before) > 1 and plain[: before[-1]].endswith("("):  # of a pair in brackets the words right before
        start, end = before[-2] + len(numbers[before[-2]].text), before[-1]
    told = plain[start:end]
    if re.search(r"[.;]\s", told) or not _are_alike(one, other):
        return
    more, less = MORE.search(told), LESS.search(told)
    said = 0 if (more is None) == (less is None) else 1 if more else -1
    found = more or less
    if _HALF_AS.search(told):
        said, found = -1, _HALF_AS.search(told)
    elif _SO_MANY_TIMES.search(told):
        said, found = 1, _SO_MANY_TIMES.search(told)
    if said and found and not is_negated(told, found.start()) and not _stand(one, other, said):
        yield f"{one.text} is {'less' if said > 0 else 'more'} than {other.text}."


def _false_intervals(sentence: str, numbers: Mapping[int, Claim]) -> Iterator[str]:
    """Find an interval that is told to hold zero, or not to, and that its ends tell otherwise."""
    match = _HOLDS_ZERO.search(sentence)
    if match is None or "interval" not in sentence.casefold():
        return
    holds = (match["out"] is None) is not is_negated(sentence, match.start())
    ends = [claim.number for place, claim in sorted(numbers.items()) if not claim.limit and claim.number][-2:]
    if len(ends) == len(("lower", "upper")) and (min(ends) < 0 < max(ends)) is not holds:
        yield f"Zero lies {'outside' if holds else 'within'} {min(ends):g} to {max(ends):g}."


def _false_margins(sentence: str, told: str) -> Iterator[str]:
    """Find what is told to be more by how far two numbers lie apart, of which it has the smaller."""
    plain = in_plain_digits(without_dates(sentence))
    for place, margin in claims_at(sentence).items():
        behind = re.match(
            rf"{_UNIT}(?:,? or [\d.]+ ?%,?)? (?P<how>{COMPARATIVE})", plain[place + len(margin.text) :]
        )
        if behind is None or margin.limit or is_negated(plain, place):
            continue
        said = 1 if MORE.search(behind["how"]) else -1
        # What it was held against before is none of it: 14 K hotter than water and 12 K hotter than forest.
        subject = _words(_THAN.sub(" ", plain[max(0, place - _NAME) : place]))
        named = [each for each in _named(told) if each[0] is not margin and _are_alike(each[0], margin)]
        pairs = [
            (one, other)
            for one, names in named
            for other, others in named
            if one.number != other.number
            and names & subject - others
            and not others & subject - names
            and abs(abs(one.number - other.number) - margin.number) <= one.half + other.half + margin.half
        ]
        if pairs and not any(_stand(one, other, said) for one, other in pairs):
            one, other = pairs[0]
            yield f"{one.text} is {'less' if said > 0 else 'more'} than {other.text}."


def _named(text: str) -> list[tuple[Claim, frozenset[str]]]:
    """Return the numbers of a text with the words that stand before each, as far as the one before it."""
    plain, found, end = in_plain_digits(without_dates(text)), list[tuple[Claim, frozenset[str]]](), 0
    for place, claim in claims_at(text).items():
        found.append((claim, _words(plain[max(end, place - _NAME) : place])))
        end = place + len(claim.text)
    return found


def _words(text: str) -> frozenset[str]:
    last = re.split(r"[;.\n]|\b(?:but|while|whereas)\b", text.casefold())[-1]
    return frozenset(word for word in _WORD.findall(last) if not _SMALL_WORDS.fullmatch(word))


def _are_alike(one: Claim, other: Claim) -> bool:
    """Return whether two numbers measure the same: a limit, a share and what is told for a time do not."""
    return (
        (one.unit == other.unit or not one.unit or not other.unit)
        and not (one.limit or other.limit or one.per or other.per)
        and "1" not in (one.unit, other.unit)
    )


def _stand(one: Claim, other: Claim, said: int) -> bool:
    """Return whether a number is more (1), or less (-1), than another, as far as their rounding goes."""
    return (one.number - other.number) * said > 0
