"""Limits in a question: "above 0.7", "at least 25 degC", "below 85 % of the mean", "from 295 to 305 K"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from treeline.core.policies.planner.intent import Threshold
from treeline.core.policies.planner.text import NUMBER, Reading, Span, number

Side = Literal["above", "below"]

_ABOVE = (
    r"(?:above|over|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|>|in excess of|beyond|"
    r"(?:is |are |was |were )?(?:greater|more|higher|larger|hotter|warmer|wetter|greener|steeper|"
    r"brighter) than)"
)
_BELOW = (
    r"(?:below|under|(?:is |are |was |were )?(?:less|lower|smaller|fewer|colder|cooler|drier|"
    r"flatter|darker) than|<|"
    r"(?:falls?|fell|drops?|dropped) (?:below|under))"
)
_AT_LEAST = (
    r"(?:at least|>=|no(?:t)? (?:less|lower|fewer|smaller) than|a minimum of|"
    r"(?:greater|more|higher) than or equal to)"
)
_AT_MOST = (
    r"(?:at most|<=|no(?:t)? (?:more|greater|higher|larger) than|a maximum of|"
    r"(?:less|lower) than or equal to)"
)
_UNIT = r"(?P<unit>%|degc|degf|degrees?\b|k(?![a-z])|c(?![a-z])|ha\b|km2|m2|mm\b|m\b(?!w)|mw\b|db\b|ntu\b)?"
_WHOSE = (
    r"(?:the |its |their |this |that )?(?:(?:\w+(?:ly)?|whole|overall|annual|monthly|period) ){0,2}"
    r"(?:mean|average)(?: value)?"
)

_SIDES: tuple[tuple[str, Side, bool], ...] = (
    (rf"(?<![a-z]){_AT_LEAST}", "above", True),
    (rf"(?<![a-z]){_AT_MOST}", "below", True),
    (rf"(?<![a-z]){_ABOVE}", "above", False),
    (rf"(?<![a-z]){_BELOW}", "below", False),
)


@dataclass(frozen=True, slots=True)
class Limit:
    """A threshold and where it stands in the question."""

    span: Span
    threshold: Threshold


def read_limits(reading: Reading) -> list[Limit]:
    """Return the limits of a question in its order, and consume them."""
    found: list[Limit] = []
    for pattern, build in _FORMS:
        for match in list(reading.find(pattern)):
            found.append(Limit(Span(*match.span()), build(match)))
            for span in _own_words(match):
                reading.consume(span)
    return sorted(found, key=lambda limit: limit.span.start)


def _own_words(match: re.Match[str]) -> tuple[Span, ...]:
    """Return the pieces of a limit without the variable that may stand in its middle."""
    if "variable" not in match.groupdict():
        return (Span(*match.span()),)
    return (Span(match.start(), match.start("variable")), Span(match.end("variable"), match.end()))


_WRITTEN = {"k": "K", "c": "degC", "degf": "degF", "degrees": "degree", "db": "dB", "mw": "MW", "ntu": "NTU"}


def _unit(match: re.Match[str]) -> str:
    unit = match["unit"] or ""
    return _WRITTEN.get(unit, unit).replace("degc", "degC")


def _plain(side: Side, inclusive: bool) -> Callable[[re.Match[str]], Threshold]:
    return lambda match: Threshold(side, number(match["n"]), _unit(match), inclusive=inclusive)


def _of_mean(side: Side, inclusive: bool) -> Callable[[re.Match[str]], Threshold]:
    def build(match: re.Match[str]) -> Threshold:
        factor = number(match["n"]) / (100.0 if match["percent"] else 1.0)
        return Threshold(side, of_mean=factor, inclusive=inclusive)

    return build


def _percent_beyond(side: Side) -> Callable[[re.Match[str]], Threshold]:
    sign = 1.0 if side == "above" else -1.0
    return lambda match: Threshold(side, of_mean=1.0 + sign * number(match["n"]) / 100.0)


def _mean_itself(side: Side, inclusive: bool) -> Callable[[re.Match[str]], Threshold]:
    return lambda match: Threshold(side, of_mean=1.0, inclusive=inclusive)


def _twice(side: Side, inclusive: bool) -> Callable[[re.Match[str]], Threshold]:
    return lambda match: Threshold(side, of_mean=2.0 if match["w"] == "twice" else 0.5, inclusive=inclusive)


def _within(match: re.Match[str]) -> Threshold:
    low, high = number(match["n"]), number(match["m"])
    return Threshold("above", min(low, high), _unit(match), inclusive=True, upper=max(low, high))


def _or_more(match: re.Match[str]) -> Threshold:
    side: Side = "below" if match["o"] in ("less", "lower", "below", "fewer") else "above"
    return Threshold(side, number(match["n"]), _unit(match), inclusive=True)


def _named(match: re.Match[str]) -> Threshold:
    return Threshold("above", number(match["n"]), _unit(match))


def _forms() -> list[tuple[str, Callable[[re.Match[str]], Threshold]]]:
    factor = rf"(?P<n>{NUMBER})\s*(?:(?P<percent>%) of|times|x|\*)\s*{_WHOSE}"
    forms: list[tuple[str, Callable[[re.Match[str]], Threshold]]] = []
    for words, side, inclusive in _SIDES:
        forms.append((rf"{words}\s*(?:a |the )?{factor}", _of_mean(side, inclusive)))
        forms.append((rf"{words}\s*(?P<w>twice|half)(?: of)? {_WHOSE}", _twice(side, inclusive)))
    forms += [
        (
            rf"(?P<n>{NUMBER})\s*%\s*(?:\w+ )?(?:above|higher than|more than|greater than|over) {_WHOSE}",
            _percent_beyond("above"),
        ),
        (
            rf"(?P<n>{NUMBER})\s*%\s*(?:\w+ )?(?:below|lower than|less than|under) {_WHOSE}",
            _percent_beyond("below"),
        ),
        (
            r"(?:between|in the range(?: of)?|within|\bfrom(?= [\d-])) (?:an? )?"
            r"(?P<variable>(?:(?!bands?\b)[a-z]+ ){0,2}?)"
            rf"(?P<n>{NUMBER})\s*(?:k|degc)?\s*(?:and|to|-)\s*(?P<m>{NUMBER})\s*{_UNIT}",
            _within,
        ),
    ]
    for words, side, inclusive in _SIDES:
        guard = r"(?!\s*(?:dates|days|images|scenes|times))"
        lead = r"(?:a |the )?(?:value of |threshold(?: value)? of |threshold |limit of )?"
        value = rf"{lead}(?P<n>{NUMBER})\s*{_UNIT}{guard}"
        forms.append((rf"{words}\s*(?:or equal to )?{value}", _plain(side, inclusive)))
    for words, side, inclusive in _SIDES:
        variable = r"(?:an?|the)? ?(?P<variable>(?:[a-z][\w-]* ){1,3}?)(?:value )?(?:of |= )?"
        named = rf"{variable}(?P<n>{NUMBER})\s*{_UNIT}(?!\s*dates)"
        forms.append((rf"{words} {named}", _plain(side, inclusive)))
    for words, side, inclusive in _SIDES:
        forms.append((rf"{words} {_WHOSE}(?! of)", _mean_itself(side, inclusive)))
    forms.append(
        (
            rf"(?P<n>{NUMBER})\s*{_UNIT}\s*(?:or|and) "
            r"(?P<o>more|higher|above|greater|less|lower|below|fewer)\b",
            _or_more,
        )
    )
    forms.append((rf"threshold(?: value)?(?: of| =|:)? (?P<n>{NUMBER})\s*{_UNIT}", _named))
    return forms


_FORMS = _forms()
