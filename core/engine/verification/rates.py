"""How fast results say that something changes: per year, per month, from one image to the next."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from treeline.core.engine.actions import Observation
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import STEP, Claim, dates_in, dates_of_file
from treeline.core.engine.verification.columns import columns_of
from treeline.core.engine.verification.readings import units_of

# The mean year of the calendar; a season and a month are parts of it, as rates are told of no certain one.
_YEAR = 365.2425
_DAYS: Mapping[str, float] = {
    "second": 1 / 86400,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": _YEAR / 12,
    "season": _YEAR / 4,
    "year": _YEAR,
    "decade": 10 * _YEAR,
    "century": 100 * _YEAR,
}
_SLOPES = frozenset({"slope", "lower", "upper", "standard_error", "seasonal_slope", "sen_slope"})
_IN_UNIT = re.compile(r"(?:/\s?|\bper )(second|s|hour|hr|h|day|d|week|month|season|year|yr|a|decade)\b", re.I)
_MENTIONS = {
    "year": r"year|annual|p\.a\.",
    "day": r"\bdays?\b|daily",
    "step": r"\bstep|per image",
    "second": r"/\s?s\b|\bper s(?:econd)?\b",
    "hour": r"hour|/\s?hr?\b|\bper hr?\b",
}
_ADJECTIVES = {"year": "annual|yearly|p\\.a\\.", "day": "daily", "step": "per image"}
_SHORT = {"s": "second", "h": "hour", "hr": "hour", "d": "day", "yr": "year", "a": "year"}
# Pairs grow with the square of the dates, and with them the chance that some pair bears any number out.
_MOST_DATES, _FEW_DATES = 24, 12
# How much the gaps between images may differ to be called even: months do by a tenth.
_EVEN = 1.15
# How far the days between dates may lie from those that parts of a year tell: some years have one more.
_LEAP_DAYS = 2.0


def rates_of(steps: Sequence[Step]) -> dict[float, float]:
    """Return the numbers of results that are rates, with the days that they are told for.

    0 is of images whose distance in time is not known, or not even.
    """
    found = {}
    for step in steps:
        for number, unit in units_of(step.observation):
            if match := _IN_UNIT.search(unit):
                name = match[1].casefold()
                found[number] = _DAYS[_SHORT.get(name, name)]
        if slopes := slopes_of(step.observation):
            found |= dict.fromkeys(slopes, _days_of_step(step.observation, steps))
    return found


def slopes_of(observation: Observation) -> tuple[float, ...]:
    """Return the slopes of a result, with the ends of their intervals and their errors."""
    value = observation.value
    if not isinstance(value, dict) or "slope" not in value:
        return ()
    return tuple(
        float(n) for key in sorted(_SLOPES & value.keys()) if isinstance(n := value[key], int | float)
    )


def changes_of(steps: Sequence[Step]) -> tuple[tuple[float, float], ...]:
    """Return how much dated numbers change, each to each later one, with the days between them."""
    found = []
    for column in columns_of(steps, {}):
        days = {label: _day(label) for label in sorted(column.numbers)[:_MOST_DATES]} if column.dated else {}
        labels = list(days)
        # Among the pairs of many dates some change by any number.
        ends = [*itertools.pairwise(labels), (labels[0], labels[-1])] if len(labels) > _FEW_DATES else None
        for one, other in ends or itertools.combinations(labels, 2):
            between = (days[other] - days[one]).days
            found += [(column.numbers[other] - column.numbers[one], float(between))] if between else []
    return tuple(found)


def readings_per(
    claim: Claim,
    rates: Mapping[float, float],
    changes: Iterable[tuple[float, float]],
    numbers: Iterable[float],
) -> Iterator[float]:
    """Yield what rates, changes and plain numbers come to for the time of a claim.

    A plain number can be one per year that is told per decade.
    """
    wanted = _DAYS.get(claim.per, 0.0)
    for number, days in rates.items():
        if days and wanted:
            yield number * wanted / days
        elif claim.per == STEP:
            yield number
    spans = set(rates.values())
    if wanted and len(spans) == 1 and 0.0 not in spans:
        # A mean of rates is one, and so is a median: it lies between them; and so are their differences.
        factor = wanted / spans.pop()
        between = (n for n in numbers if n not in rates and min(rates) <= n <= max(rates))
        yield from (n * factor for n in between)
        few = sorted(rates)[:_MOST_DATES]
        yield from ((one - other) * factor for one, other in itertools.permutations(few, 2))
    # What a rate tells for another time is no change that happens to be as fast.
    other = any(abs(abs(n) - abs(claim.number)) <= claim.half for n, days in rates.items() if days != wanted)
    for change, days in changes if wanted and not other else ():
        yield change * wanted / days
    slopes = {float(f"{number:.6g}") for number in rates}
    if wanted > _YEAR:
        yield from (n * wanted / _YEAR for n in numbers if float(f"{n:.6g}") not in slopes)


def lasts_about(days: float, per: str) -> bool:
    """Return whether so many days are about one of a unit of time, as those between images are even."""
    wanted = _DAYS.get(per, 0.0)
    return not wanted or wanted / _EVEN < days < wanted * _EVEN


def name_time(days: float) -> str:
    """Return the unit of time that has so many days; empty for other times."""
    return next((name for name, length in _DAYS.items() if length == days), "")


def mentions(per: str, text: str) -> bool:
    """Return whether a text speaks of a unit of time."""
    return re.search(_MENTIONS.get(per, per), text, re.I) is not None


def asks_rate(per: str, text: str) -> bool:
    """Return whether a text speaks of so much in a unit of time, as mm per day; not of each year."""
    adjective = _ADJECTIVES.get(per, f"{per}ly")
    return re.search(rf"(?:\bper |/ ?|\ba )(?:{per}|{per[:1]}\b)|{adjective}", text, re.I) is not None


def _days_of_step(observation: Observation, steps: Sequence[Step]) -> float:
    """Return the days that a slope is told for: a year where it was given dates, or nothing tells it."""
    arguments = observation.arguments or {}
    times = arguments.get("times", arguments.get("x") if "y" in arguments else None)
    if times:
        told = [
            f"{time:g}" if isinstance(time, float) else str(time) for time in times
        ]  # years may be 2015.0
        if all(dates_in(text) for text in told):
            return _YEAR
        dates = _dates_of([arguments.get("y", arguments.get("x"))], steps)
        return _days_of_one(times, dates) if _are_numbers(times) and len(times) == len(dates) else 0.0
    series = [item for item in arguments.values() if _are_numbers(item)]
    return _even_gap(_dates_of(series, steps)) if series else _YEAR


def _days_of_one(times: Sequence[float], dates: Sequence[str]) -> float:
    """Return the days that 1 stands for in the times of dates; 0 where they are no times, or are too few.

    Of two dates any two numbers may be the times.
    """
    between, span = (_day(dates[-1]) - _day(dates[0])).days, times[-1] - times[0]
    days = between / span if span and len(dates) > 2 else 0.0
    passed = [
        abs((_day(d) - _day(dates[0])).days - (t - times[0]) * days)
        for t, d in zip(times, dates, strict=True)
    ]
    if max(passed) > _LEAP_DAYS:
        return 0.0
    # Leap years lengthen a year by less than a hundredth.
    return next((length for length in _DAYS.values() if abs(days - length) < length / 100), days)


def _dates_of(handed: Sequence[Any], steps: Sequence[Step]) -> list[str]:
    """Return the dates of the series that a calculation was handed, where an earlier result is it."""
    for column in columns_of(steps, {}):
        known = [[n for n in item if n is not None] for item in handed if _are_numbers(item)]
        if column.dated and list(column.numbers.values()) in known:
            return list(column.numbers)
    # Of two images of one day a column shows neither.
    for step in steps:
        lists = (step.observation.arguments or {}).values()
        files = next((each for each in lists if isinstance(each, list)), [])
        dates = [date for file in files for date in dates_of_file(str(file))[:1]]
        if step.observation.value in handed and len(dates) == len(files):
            return dates
    return []


def _are_numbers(item: Any) -> bool:
    return (
        isinstance(item, list)
        and len(item) > 1
        and all(n is None or isinstance(n, int | float) for n in item)
    )


def _even_gap(dates: Sequence[str]) -> float:
    """Return the days between even dates, those of months and years as such; 0 where they are not even."""
    days = [_day(text) for text in dates]
    gaps = [(later - earlier).days for earlier, later in itertools.pairwise(days)]
    if not gaps or max(gaps) > _EVEN * min(gaps):
        return 0.0
    mean = sum(gaps) / len(gaps)
    return next((length for length in _DAYS.values() if mean / _EVEN < length < mean * _EVEN), mean)


def _day(label: str) -> dt.date:
    """Return the first day of a date."""
    try:
        return dt.date.fromisoformat(f"{label}-01-01"[:10])
    except ValueError:  # the 31st of June
        return dt.date.fromisoformat(f"{label[:7]}-01")
