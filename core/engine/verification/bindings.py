"""What each number of an answer is: the result that it may be, and whether the words beside it fit that.

A result's number has a statistic, a variable, a date or class, and a thing that it counts. Words that name
another one make a true number a false statement.
"""

from __future__ import annotations

import calendar
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence

from treeline.core.engine.checks import COUNT
from treeline.core.engine.state import Step
from treeline.core.engine.verification.answer_columns import AnswerColumns
from treeline.core.engine.verification.claims import Claim, claims_in, dates_in, months_in
from treeline.core.engine.verification.clauses import is_negated
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.degree_words import extreme
from treeline.core.engine.verification.facts import statistic_of_call
from treeline.core.engine.verification.labels import labels_in
from treeline.core.engine.verification.notation import COUNTED, in_plain_digits
from treeline.core.engine.verification.percent import per_cent
from treeline.core.engine.verification.phrases import is_range, tells_difference, way
from treeline.core.engine.verification.results import is_number
from treeline.core.engine.verification.shares import shares_of
from treeline.core.engine.verification.statistic_words import find_statistics
from treeline.core.engine.verification.variables import find_other_variables

_OTHER_END = {-1: frozenset({"max", "mean", "median"}), 1: frozenset({"min", "mean", "median"})}
_END_NAMES = {"max": 1, "min": -1}
_OF_A_YEAR = len("2016")
# Clouds may leave out some: of three quarters and more one speaks as of all.
_MOST_LEFT_OUT = 0.75
# A number that counts: what stands behind it is what it counts.
_COUNTS = re.compile(
    rf"\s+(?:[a-z-]+\s+){{0,2}}?(?P<thing>{COUNTED[3:-1]}|trees?|houses?|clusters?|regions?|areas?)\b", re.I
)
_PIXELS = frozenset({"pixel", "pixels"})
_EVERYWHERE = re.compile(
    r"\b(?:everywhere|all over|"
    r"in (?:every|each|all) (?:of the )?(?:pixels?|places?|cells?|spots?|locations?)|"
    r"(?:every|each) (?:single )?(?:pixel|place|cell|spot|location))\b",
    re.I,
)
_SEASON = re.compile(
    r"\b(?:summer|winter|spring|autumn|fall of|season|month|first|second|half|quarter)s?\b", re.I
)
# What a share is told to be of, by the words right behind it.
_OF_BASE = re.compile(r"(?:%|per ?cent) of (?:the |all |all the )?(?P<name>\S+(?: \S+)?)", re.I)
# Only of some dates of a time is told that they are some.
_A_DAY = re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:{'|'.join(calendar.month_name[1:])})\b")
_OF_SOME = re.compile(
    r"\b(?:these|those|two|three|four|five|both|clear|cloud\w*|selected|examined|given|available|valid|"
    r"of the \d+|listed|measured)\b",
    re.I,
)
_RESTS_ON = re.compile(
    r"\b(?:based on|averaged over|computed from|calculated from|derived from|(?:mean|average|median) of) "
    r"(?:all |the |these )*(\d+) "
    r"(?:[a-z-]+ )?(dates|days|images|scenes|rasters|acquisitions|observations)\b",
    re.I,
)
_RASTERS = re.compile(r"^(?P<handles>@.*?): rasters of (?P<years>.*?)(?:;|$)", re.M)
_YEAR = re.compile(r"(\d{4}): (\d+)")
# Which part of a time a number is of: what tells one need not be the mean of all.
_PART_OF_TIME = re.compile(
    r"\b(?:early|late|mid|begin\w*|began|start\w*|end\w*|first|last|once|one|single|up to|as (?:high|low)|"
    r"reach\w*|some|winter|spring|summer|autumn|season|still|already|dates?|images?)\b",
    re.I,
)


def misfits(answer: AnswerColumns) -> Iterator[str]:
    """Yield which numbers of an answer are something else than the words beside them say."""
    for check in _CHECKS:
        yield from check(answer)
    yield from _find_unread_dates(answer, answer.years)


def _bases(answer: AnswerColumns) -> Iterator[str]:
    """Find a share of the whole that is told as one of another class: 29 % of the forest is grassland."""
    for part in answer.clauses:
        for claim in claims_in(part):
            base = _OF_BASE.search(part[part.find(claim.text) :]) if claim.unit == "%" else None
            names = labels_in(base["name"], answer.columns)[:1] if base else []
            others = (
                [label for label in labels_in(part, answer.columns) if label not in names] if names else []
            )
            for column in answer.columns:
                shares = shares_of(column)
                for other in others:
                    if names[0] not in shares or other not in shares or not shares[names[0]]:
                        continue
                    within = per_cent(shares[other], shares[names[0]])
                    if answer.shows(claim, [shares[other]]) and not answer.shows(claim, [within]):
                        yield f"{claim.text} % is the share of {other} in the whole, and not in {names[0]}."


def _other_counts(answer: AnswerColumns) -> Iterator[str]:
    """Find a number of pixels that is told as one of other things."""
    pixels = [n for column in answer.columns if column.quantity in _PIXELS for n in column.numbers.values()]
    for part in answer.clauses:
        for claim in claims_in(part):
            found = re.search(rf"(?<![\d.,]){re.escape(claim.text)}(?![\d])", part)
            thing = _COUNTS.match(part, found.end()) if found else None
            if thing is None or thing["thing"].casefold() in _PIXELS or claim.unit not in ("", COUNT):
                continue
            others = [n for n in answer.evidence.numbers if n not in pixels]
            counted = [*others, *answer.evidence.counts]
            if answer.shows(claim, pixels) and not answer.shows(claim, counted):
                yield f"{claim.text} is a number of pixels, not of {thing['thing'].casefold()}."


def _false_ends(answer: AnswerColumns) -> Iterator[str]:
    """Find an end of a range that a step gave as a mean, or as the other end."""
    for part in answer.clauses:
        claims = sorted((c for c in claims_in(part) if c in answer.claims), key=lambda claim: claim.number)
        if not is_range(part) or len(claims) != len(_OTHER_END):
            continue
        for claim, end in zip(claims, _OTHER_END, strict=True):
            giving = [step for step in answer.steps if _gives(answer, step, claim)]
            kinds = {statistic_of_call(step) for step in giving}
            if (
                giving
                and kinds <= _OTHER_END[end]
                and not answer.shows(claim, _numbers_beside(answer, giving))
            ):
                what = "smallest" if end < 0 else "largest"
                yield f"{claim.text} is the {kinds.pop()} of step {giving[0].number}, not the {what}."


def _gives(answer: AnswerColumns, step: Step, claim: Claim) -> bool:
    value = step.observation.value
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    return is_number(value) and answer.shows(claim, [value])


def _numbers_beside(answer: AnswerColumns, giving: Sequence[Step]) -> list[float]:
    own = [step.observation.value for step in giving]
    known = {n for value in own for n in (value if isinstance(value, list) else [value])}
    return [number for number in answer.evidence.numbers if number not in known]


def _whole_times(answer: AnswerColumns) -> Iterator[str]:
    """Find the number of one date that is told of a month or year of which several dates are there."""
    for part in answer.clauses:
        claims = [c for c in claims_in(part) if c in answer.claims and not c.limit]
        labels = labels_in(part, answer.columns)
        if len(claims) != 1 or len(labels) != 1 or extreme(part) or is_range(part):
            continue
        if _PART_OF_TIME.search(part) or tells_difference(part) or find_statistics(part) & _END_NAMES.keys():
            continue
        if months_in(answer.question):  # of a year that month is meant
            continue
        rows = [(c, c.under(labels[0])) for c in answer.columns if c.dated and len(c.under(labels[0])) > 1]
        if rows and not any(_is_of_all(answer, claims[0], row) for _, row in rows):
            yield from (
                told for column, row in rows[:1] for told in _of_one_date(answer, claims[0], column, row)
            )


def _is_of_all(answer: AnswerColumns, claim: Claim, row: Sequence[float]) -> bool:
    """Return whether a number is what several come to together, or each of them is it."""
    whole = [statistics.fmean(row), statistics.median(row), sum(row)]
    return answer.shows(claim, whole) or all(answer.shows(claim, [n]) for n in row)


def _of_one_date(answer: AnswerColumns, claim: Claim, column: Column, row: Sequence[float]) -> Iterator[str]:
    own = [date for date, n in column.numbers.items() if answer.shows(claim, [n])]
    facts = [fact for fact in answer.facts if answer.shows(claim, [fact.number])]
    if own and all(fact.dates == {own[0]} for fact in facts):
        yield f"{claim.text} is of {own[0]} alone, and {len(row)} dates are there."


_NEARLY = re.compile(r"\b(?:nearly|almost|practically|virtually) (?:everywhere|all|every)\b", re.I)


def _everywhere(answer: AnswerColumns) -> Iterator[str]:
    """Find what is said of every pixel where the results tell of all together, or of others the contrary."""
    for part in answer.clauses:
        match, direction = _EVERYWHERE.search(part), way(part)
        if match is None or not direction or is_negated(part, match.start()) or _NEARLY.search(part):
            continue
        products = [each for step in answer.steps for each in step.observation.products]
        ends = [
            end for each in products if (end := each.minimum if direction > 0 else each.maximum) is not None
        ]
        if not any(end * direction > 0 for end in ends):
            yield f"No cited step shows that it is so {match[0]!r}."


def _find_unread_dates(answer: AnswerColumns, held: Mapping[str, int]) -> Iterator[str]:
    """Find what is said of a whole year of which only some dates were read."""
    for part in answer.clauses:
        labels = labels_in(part, answer.columns)
        years = [label for label in labels if len(label) == _OF_A_YEAR and label in held]
        of_years = all(label.startswith(tuple(years)) for label in labels)
        told = f"{answer.question} {part}"
        if not years or not of_years or years[0] not in answer.text:
            continue
        said = part if extreme(part) else answer.text
        days = [date for date in dates_in(said) if date.startswith(years[0]) and date != years[0]]
        if days or _A_DAY.search(part) or _OF_SOME.search(part) or _SEASON.search(told) or months_in(told):
            continue
        columns = [c for c in answer.columns if c.dated and c.under(years[0])]
        if not extreme(part) and not find_statistics(part) & {"mean", "sum"}:
            continue
        most = max((len(c.under(years[0])) for c in columns), default=0)
        if 1 < most < _MOST_LEFT_OUT * held[years[0]]:
            yield f"Only {most} of {held[years[0]]} dates of {years[0]} were read."


def _find_unread_counts(answer: AnswerColumns) -> Iterator[str]:
    """Find on how many dates something is said to rest where the steps read other numbers of them."""
    for part in map(in_plain_digits, answer.clauses):
        match = _RESTS_ON.search(part)
        of_times = {float(len(c.under(date))) for c in answer.columns if c.dated for date in dates_in(part)}
        if match and float(match[1]) not in {*answer.evidence.counts, *of_times}:
            yield f"No cited step read {match[1]} {match[2].casefold()}."


def count_dates_of_years(told: str) -> dict[str, int]:
    """Return of how many dates of each year there are rasters, as a policy was told; the least of several."""
    found: dict[str, int] = {}
    for match in _RASTERS.finditer(told):
        for year, count in _YEAR.findall(match["years"]):
            found[year] = min(int(count), found.get(year, int(count)))
    return found


_CHECKS: tuple[Callable[[AnswerColumns], Iterator[str]], ...] = (
    _bases,
    _everywhere,
    _other_counts,
    find_other_variables,
    _false_ends,
    _whole_times,
    _find_unread_counts,
)
