"""Which stretches of time a question compares."""

from __future__ import annotations

import calendar
import re
from dataclasses import replace
from datetime import datetime, timedelta

from treeline.core.policies.planner import phrases
from treeline.core.policies.planner.intent import ALWAYS, Operation, Period
from treeline.core.policies.planner.periods import Times, When
from treeline.core.policies.planner.text import Reading

# What has changed has done so from the first date to the last, where the question names no time.
_ENDS = (
    When(replace(ALWAYS, label="the first date"), "first"),
    When(replace(ALWAYS, label="the last date"), "last"),
)


def with_whole_year(reading: Reading, times: Times) -> tuple[When, ...]:
    """Return the year and its part for "the annual average and the summer average"; else the part alone."""
    period = times.whole.period
    year = period.first.year if period.first else 0
    if not (
        reading.has(phrases.WHOLE_YEAR) and within_a_year(period) and not period.is_day
    ) or period.label == str(year):
        return (times.whole,)
    whole = Period(datetime(year, 1, 1), datetime(year, 12, 31, 23, 59, 59), label=str(year))
    return (When(whole), times.whole)


def compared_times(reading: Reading, times: Times, operation: Operation, comparing: bool) -> tuple[When, ...]:
    """Return the stretches of time that are compared; the whole one where none are."""
    whole = (times.whole,)
    if operation in ("trend", "extreme", "spikes", "change_points", "seasonality", "series"):
        return whole
    if times.kind == "several":
        return times.parts
    if operation == "value" and times.kind == "always" and reading.has(phrases.CHANGED):
        return _ENDS
    if operation == "value" and comparing and len(with_whole_year(reading, times)) > 1:
        return with_whole_year(reading, times)
    if operation in ("value", "variation") and comparing and (ends := times.years or times.months):
        return ends
    if times.kind in ("between", "range") and comparing and operation in ("value", "variation"):
        return times.parts
    return whole


def is_comparing(reading: Reading) -> bool:
    """Return whether a question sets things against each other."""
    return any(reading.has(words) for words in (phrases.COMPARING, phrases.RATIO, phrases.FACTOR))


def in_order(reading: Reading, parts: tuple[When, ...]) -> tuple[When, ...]:
    """Return two stretches of time so that the change is the second less the first.

    The earlier comes first, unless the question itself says which is taken from which.
    """
    if len(parts) != 2 or reading.has(phrases.RATIO):
        return parts
    if reading.has(r"\bminus\b") or re.search(phrases.HIGHER_THAN, reading.timeless):
        return parts[::-1]
    if reading.has(r"\bsubtract\w*\b[^.?;]*\bfrom\b") or not all(map(_dated, parts)):
        return parts
    return tuple(sorted(parts, key=_beginning))


def _dated(when: When) -> bool:
    return when.which != "" or when.period.first is not None or when.period.last is not None


def _beginning(when: When) -> datetime:
    if when.which:
        return datetime.min if when.which == "first" else datetime.max
    return when.period.first or datetime.min


def within_a_year(period: Period) -> bool:
    """Return whether a period is bounded and no longer than a year."""
    return bool(period.first and period.last and (period.last - period.first).days < 366)


_OTHERS = (
    r"\b(?:other|remaining|rest of the|previous|preceding|earlier|all) (?:\w+ )?"
    r"(?P<w>years|dates|months|scenes|images|acquisitions)\b"
)
_USUAL = (
    r"\b(?:long-term|multi-?year|climatological) (?:mean|average)\b"
    r"|\banomaly\b|\banomalies of\b|\banomalous(?:ly)?\b|\bthan (?:usual|normal)\b"
)


def against_others(reading: Reading, times: Times) -> tuple[When, ...]:
    """Return the other times and the one that is set against them; empty where that is not asked.

    Other years are the same months of them, as July 2022 against July of the other years.
    """
    match = re.search(_OTHERS, reading.text) or re.search(_USUAL, reading.text)
    period = times.whole.period
    if match is None or times.kind not in ("single", "range") or period.first is None or period.last is None:
        return ()
    if match[0].startswith("all ") and not is_comparing(reading):
        return ()
    within_year = within_a_year(period) and (period.last - period.first).days < 360
    what = match.groupdict().get("w") or "years"
    years = what == "years"
    months: tuple[int, ...] = ()
    if years and within_year:
        span = (period.last.year - period.first.year) * 12 + period.last.month - period.first.month
        months = tuple((period.first.month - 1 + i) % 12 + 1 for i in range(span + 1))
    earlier = re.match(r"previous|preceding|earlier", match[0])
    word = "earlier" if earlier else "other"
    names = " to ".join(dict.fromkeys(calendar.month_name[m] for m in (months[:1] + months[-1:])))
    label = f"{names} of the {word} years" if months else f"the {word} {what}"
    last = period.first - timedelta(microseconds=1) if earlier else None
    return When(Period(None, last, months, label, period)), times.whole
