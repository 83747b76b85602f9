"""What an answer says of all that a result is of: a mean over the dates, that all are valid."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in, months_in
from treeline.core.engine.verification.clauses import is_negated
from treeline.core.engine.verification.clouds import cloud_covers
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.degree_words import extreme
from treeline.core.engine.verification.facts import SHARE, Fact
from treeline.core.engine.verification.labels import find_dates, labels_in
from treeline.core.engine.verification.notation import COUNTABLE
from treeline.core.engine.verification.phrases import is_range, side
from treeline.core.engine.verification.results import tells_gaps
from treeline.core.engine.verification.statistic_words import find_statistics

# Two dates are both ends: what is said of them is no statement on a course.
_FEWEST = 3
# A mean of what are several: "averages 0.4 over the dates", "on average 0.4 in 2016".
_AVERAGED = re.compile(
    r"\b(?:averag(?:es|ed|ing)\b|on average\b|"
    r"(?:average|mean)\b.*\b(?:over|across|of) (?:all |the |these |those |all the |all of the )?"
    r"(?:\d+ |\w+ )?(?:dates|days|scenes|images|months|years|acquisitions|period)\b)",
    re.I,
)
# A mean of all classes or zones: "averaging over the five classes", "the average of all regions".
_OF_CLASSES = re.compile(
    r"\b(?:averag\w+|mean)\b.{0,20}?\b(?:over|across|of|for) (?:all |the |all the |all of the )+"
    r"(?:\d+ |\w+ )?(?:class(?:es)?|categories|zones|regions|districts|types|covers|fields|parcels)\b",
    re.I,
)
_COMPLETE = re.compile(
    r"\b(?:all|every|each)\b(?: (?:of|the|these|those|one|\d+|\w+)){0,3} "
    r"(?:dates?|days?|scenes?|images?|rasters?|acquisitions?|files?)\b.{0,20}? "
    r"(?:ha(?:s|ve|d)|contains?|provides?|gives?|(?:are|is|were|was)) (?:\w+ )?"
    r"(?:valid|usable|(?P<clear>clear|cloud[- ]free)|data|values?|a value)\b",
    re.I,
)
_NONE_LOST = re.compile(
    r"\b(?:no|none of the|not a single|not one) (?:date|day|scene|image|raster|acquisition)s? "
    r"(?:(?:is|are|was|were|had to be|has|have) )(?:lost|missing|excluded|left out|masked|empty)\b",
    re.I,
)
# What was done with all of the data, or had to be done with none.
_TIMES = r"(?P<times>dates?|days?|images?|scenes?|rasters?|acquisitions?)"
_NONE_OUT = re.compile(
    rf"\b(?:no|none of the|not a single|not one) (?:\w+ ){{0,2}}?(?:{_TIMES}|pixels?|clouds?|values?) "
    r"(?:\w+ ){0,3}?(?:masked|removed|excluded|left out|discarded|dropped)\b",
    re.I,
)
_ALL_IN = re.compile(
    rf"\b(?:all|every|each)(?: (?:of|the|\d+))* (?:{_TIMES}|pixels?)\b(?P<of>[^.;,]{{0,40}}?) "
    r"(?:is|are|was|were) (?:\w+ )?(?:used|included|averaged|considered|pooled|processed)\b",
    re.I,
)
# All of the ground of a class, or none of it, on one side of a limit.
_BEYOND = r"(?:above|below|over|under|beyond|than|exceeds?|exceeded|reach(?:es|ed))"
_PIXELS = r"(?:single )?pixels?"
_ALL_GROUND = (
    r"\b(?:(?P<none>no|none of the|not any|not a|not one)|all(?: of)?(?: the)?|each|every|"
    r"every (?:bit|part|pixel|hectare|patch) of(?: the)?|(?:the )?(?:whole|entire)) {label} "
    r"(?=(?:lies?|lay|is|was|exceed|reach|rises?|goes|ha[sd]|have|stay|remain)\w*\b)"
    rf"(?=.*?\b{_BEYOND} (?:an? \w+ of )?(?:that|this|it|the (?:mean|average)|\d))"
)
# What makes an answer to a question of a mean another one than one mean of all.
_OF_OTHERS = re.compile(
    r"\b(?:each|every|per|both|by (?:date|month|year)|respectively|compar\w+|chang\w+|differ\w*|"
    r"which|when|where|than|if|above|below|rank|order|list|show|plot)\b",
    re.I,
)
_TELLING = frozenset({"mean", "median", "min", "max", SHARE})
_ON_AVERAGE = re.compile(r"\bon average\b|\b(?:mean|average) (?!is\b)\w+", re.I)
_OF_MIDDLE = frozenset({"mean", "median"})
_SCENE = re.compile(r"\bof (?:the |this )?(?:whole |entire )?(?:scene|image|area|raster)\b", re.I)


def false_wholes(answer: AnswerColumns) -> Iterator[str]:
    """Find numbers of one date that are told as a mean of several, and missing ones told as there."""
    for part in answer.clauses:
        yield from _false_averages(answer, part)
        yield from _false_averages_of_classes(answer, part)
        yield from _false_completeness(answer, part)
        yield from _false_work(answer, part)
        yield from _of_all_ground(answer, part)
    yield from _false_mean_of_time(answer)


def _false_averages(answer: AnswerColumns, part: str) -> Iterator[str]:
    match = _AVERAGED.search(part)
    claims = [c for c in claims_in(part) if not c.limit and c in answer.claims and c.thing not in COUNTABLE]
    if match is None or len(claims) != 1 or extreme(part) or is_range(part):
        return
    labels = labels_in(part, answer.columns)
    columns = [column for column in answer.columns if column.dated and len(column.numbers) >= _FEWEST]
    holding = [(column, own) for column in columns if (own := _label_with(answer, claims[0], column))]
    apart = set(answer.evidence.numbers) - {n for column, _ in holding for n in column.numbers.values()}
    if (
        not holding
        or answer.shows(claims[0], list(apart))
        or any(_is_mean(answer, claims[0], c, labels) for c in columns)
    ):
        return
    column, own = holding[0]
    asked = labels_in(answer.question, answer.columns)
    if len(asked) == 1 and column.is_under(own, asked[0]):
        return  # the mean of the pixels on the day that the question is of
    if all(len(column.under(label)) != 1 for label in labels):
        yield f"{claims[0].text} is of {own}, and no mean of several dates."


def _false_mean_of_time(answer: AnswerColumns) -> Iterator[str]:
    """Find the number of one date that answers a question after the mean of a time with several."""
    question = answer.question
    named = find_statistics(question)
    if named != {"mean"} or extreme(question) or _OF_OTHERS.search(question):
        return
    told = [c for c in (*answer.claims, answer.value) if c and not c.limit and c.thing not in COUNTABLE]
    for column in answer.columns if len({claim.number for claim in told}) == 1 else ():
        own = _label_with(answer, told[0], column) if column.dated else ""
        scopes = list(_times_asked(answer, column))
        if not own or not scopes or len(labels_in(answer.text, [column])) == 1:
            continue
        apart = set(answer.evidence.numbers) - set(column.numbers.values())
        means = [mean for scope in scopes for mean in (statistics.fmean(scope), statistics.median(scope))]
        if not answer.shows(told[0], [*apart, *means]):
            yield f"{told[0].text} is of {own}, and no mean of several dates."
            return


def _times_asked(answer: AnswerColumns, column: Column) -> Iterator[list[float]]:
    """Yield the numbers of a column in each time with several of them that a question may ask a mean of."""
    months, periods = months_in(answer.question), find_dates(answer.question, [column])
    rows = [column.under(period) for period in periods]
    rows += [[n for day, n in column.numbers.items() if day[5:7] in months]] if months else []
    rows += [[*column.numbers.values()]] if _AVERAGED.search(answer.question) else []
    if periods and min(len(column.under(period)) for period in periods) == 1:
        return  # one day is asked of
    yield from (row for row in rows if len(row) > 1)


def _false_averages_of_classes(answer: AnswerColumns, part: str) -> Iterator[str]:
    """Find the number of one class or zone that is told as the average of them all."""
    claims = [
        claim for claim in claims_in(part) if not claim.limit and claim.unit != COUNT and not claim.thing
    ]
    if not _OF_CLASSES.search(part) or len(claims) != 1 or labels_in(part, answer.columns):
        return
    columns = [c for c in answer.columns if not c.dated and len(c.numbers) >= _FEWEST and not c.is_of_ranks]
    holding = [(column, own) for column in columns if (own := _label_with(answer, claims[0], column))]
    if holding and not any(_is_mean(answer, claims[0], column, ()) for column in columns):
        yield f"{claims[0].text} is of {holding[0][1]}, and no mean of them all."


def _label_with(answer: AnswerColumns, claim: Claim, column: Column) -> str:
    return next((label for label, n in column.numbers.items() if answer.shows(claim, [n])), "")


def _is_mean(answer: AnswerColumns, claim: Claim, column: Column, labels: Sequence[str]) -> bool:
    """Return whether a number is the mean or the median of a column, or of what labels name of it."""
    rows = [list(column.numbers.values()), *(column.under(label) for label in labels)]
    return any(
        answer.shows(claim, [statistics.fmean(row), statistics.median(row)]) for row in rows if len(row) > 1
    )


def _of_all_ground(answer: AnswerColumns, part: str) -> Iterator[str]:
    """Find what is said of all ground, or of none, of which only a mean is known, or the end denies it."""
    if _ON_AVERAGE.search(part):
        return
    names = [label for label in labels_in(part, answer.columns) if not dates_in(label)]
    for name in [*names, _PIXELS]:
        match = re.search(_ALL_GROUND.format(label=name if name == _PIXELS else re.escape(name)), part, re.I)
        if match is None or side(part) == 0 and name == _PIXELS:
            continue
        own = [f for f in answer.facts if f.number not in answer.evidence.noted and f.statistic in _TELLING]
        own = [f for f in own if name in f.names] if name in names else _of_dates(own, dates_in(part))
        if own and all(fact.statistic in _OF_MIDDLE for fact in own):
            yield f"{own[0].number:.6g} is the {own[0].statistic}, and tells nothing of all ground."
        else:
            yield from _beyond_end(answer, part, own, is_none=match["none"] is not None)


def _beyond_end(answer: AnswerColumns, part: str, own: Sequence[Fact], *, is_none: bool) -> Iterator[str]:
    """Find an end that lies where none is said to lie, or not where all are."""
    direction = side(part)
    name = "max" if (direction > 0) is is_none else "min"
    ends, limits = [f.number for f in own if f.statistic == name], [c for c in claims_in(part) if c.limit]
    for limit in limits if ends and direction and len(limits) == 1 else ():
        rounded = limit.half * direction * (1 if is_none else -1)
        counts = answer.ground.count_beyond(replace(limit, number=limit.number + rounded), ends, direction)
        if counts and (counts[0] > 0 if is_none else counts[1] < len(ends)):
            yield f"The {name} is {ends[0]:.6g}."


def _of_dates(facts: Sequence[Fact], dates: Sequence[str]) -> list[Fact]:
    """Return the facts of some dates; all where none is named."""
    return [f for f in facts if not dates or any(own.startswith(date) for own in f.dates for date in dates)]


def _false_completeness(answer: AnswerColumns, part: str) -> Iterator[str]:
    match = _COMPLETE.search(part) or _NONE_LOST.search(part)
    if match is None or is_negated(part, match.start()):
        return
    for step in answer.steps:
        if tells_gaps(step):
            yield f"Step {step.number} says that rasters have no valid pixel."
            return
        if match.groupdict().get("clear") and any(cloud_covers(step)):
            yield f"Step {step.number} gives clouds."
            return
        value = step.observation.value
        missing = value.count(None) if isinstance(value, list) else 0
        if missing:
            yield f"Step {step.number} has no value for {missing} of {len(value)}."
            return


def _false_work(answer: AnswerColumns, part: str) -> Iterator[str]:
    """Find what is said to have been done with all of the data, or none, which the steps did otherwise."""
    left_in, taken = _NONE_OUT.search(part), _ALL_IN.search(part)
    work = left_in or taken
    if work is None:
        return
    facts = [
        f for f in answer.facts if any(answer.shows(c, [f.number]) for c in answer.claims)
    ] or answer.facts
    if work["times"]:
        dates = frozenset[str]().union(*(fact.origin.dates for fact in facts))
        years = {date[:4] for date in dates}
        there = sum(answer.years.get(year, 0) for year in years)
        if 1 < len(dates) < there:
            yield f"{len(dates)} of {there} dates were read."
    elif left_in and facts and all(fact.origin.is_clear for fact in facts):
        yield "The cited steps took clouds out."
    elif taken and facts and _SCENE.search(taken["of"]) and all(fact.origin.names for fact in facts):
        yield f"The cited steps are of {' and '.join(sorted(facts[0].origin.names))}."
