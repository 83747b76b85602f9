"""Which stretches of time a question compares."""

from __future__ import annotations

import re
from datetime import datetime

from core.policies.planner import phrases
from core.policies.planner.intent import Operation, Period
from core.policies.planner.periods import Times, When
from core.policies.planner.text import Reading


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
    if operation == "value" and comparing and len(with_whole_year(reading, times)) > 1:
        return with_whole_year(reading, times)
    if operation in ("value", "variation") and comparing and times.years:
        return times.years
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
