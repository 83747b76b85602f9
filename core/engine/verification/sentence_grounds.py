"""What sentences are held against: columns with their units, and how numbers change between two dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from treeline.core.engine.verification.claims import Claim, dates_in, is_until, months_in
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.labels import columns_for, names_at_places
from treeline.core.engine.verification.percent import part_of_one
from treeline.core.engine.verification.phrases import is_overall
from treeline.core.engine.verification.readings import readings_of

ALL_BUT = re.compile(r"\b(?:all|every|each)\b[^.;]{0,30}?\b(?:but|except(?: for)?|apart from) (\w+)\b", re.I)
# No ground is as cold in kelvin and none as hot in degrees Celsius, so it tells the two scales apart.
_COLDEST_KELVIN = 150.0
_SIZES = {"ha", "km2", "m2"}
# What a reader takes for no change: a twentieth of the larger number, or a degree.
STEADY, STEADY_DEGREES = 0.05, 1.0
# What lies just beyond a limit is as near to it, in parts of it.
CLOSE = 0.15
# A time with one end that is named: since 2016-05, from 2016-05 on, until 2016-05.
_OPEN = re.compile(
    r"\b(?:(?P<first>since|from(?= [\d-]+ on(?:wards?)?\b)|(?P<apart>after))|until|till|up to|before) "
    r"[\d-]{4,10}\b",
    re.I,
)


_AGAIN = re.compile(r"\b(?:again|once more|still further|further still)\b", re.I)


@dataclass(frozen=True, slots=True)
class Ends:
    """The numbers of two dates, and the class or zone that they are of."""

    first: float
    last: float
    dates: tuple[str, str]
    of: str = ""

    @property
    def change(self) -> float:
        """How much it changes."""
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a sentence is true, what the results hold, and how many, or how many times, that is."""

    true: bool
    held: str
    count: float | None = None


@dataclass(frozen=True)
class Grounds:
    """What sentences are held against.

    Attributes
    ----------
    columns : sequence of Column
    units : mapping
        The units that their numbers are known to have.
    heights : sequence of float
        What calls were told to measure by: a share of what lies above 0.6 is itself not above it.
    usual : sequence of float
        What tools measured by where they were told nothing: ground below 8 % is level.
    dates, names : sequence of str
        Those of the question, which a sentence speaks of that names none.
    """

    columns: Sequence[Column]
    units: Mapping[float, tuple[str, ...]]
    dates: Sequence[str] = ()
    names: Sequence[str] = ()
    question: str = ""
    heights: Sequence[float] = ()
    usual: Sequence[float] = ()

    @cached_property
    def shares(self) -> frozenset[float]:
        """The numbers that are parts of something, in per cent."""
        return frozenset(n for c in self.columns if c.unit == "%" for n in c.numbers.values())

    def readings(self, limit: Claim, number: float) -> list[float]:
        """Return a number in the unit of a limit; empty where it is of another quantity."""
        units = self.units.get(number, ())
        return list(readings_of(limit, number, units))[:1] if units and limit.unit else [number]

    def count_beyond(self, limit: Claim, numbers: Sequence[float], direction: int) -> tuple[int, int] | None:
        """Return how many numbers lie beyond a limit, without and with those at the limit itself."""
        sizes = all(n % 1 == 0 or set(self.units.get(n, ())) & _SIZES for n in numbers) and any(numbers)
        if limit.number % 1 and not limit.unit and sizes:
            return None  # of counts and areas no part of one is a limit
        measured = [reading for n in numbers for reading in self.readings(limit, n)]
        if len(measured) < len(numbers):
            return None
        # All numbers of a series are in one unit: where that of some is not known, none is converted.
        of_unit = bool(limit.unit) and all(self.units.get(n) for n in numbers)
        measured = measured if of_unit else [*numbers]
        height = limit.number if of_unit else _limit_in_unit_of(limit.number, numbers)
        return (
            sum((n - height) * direction > 0 for n in measured),
            sum((n - height) * direction >= 0 for n in measured),
        )


def _limit_in_unit_of(limit: float, values: Sequence[float]) -> float:
    """Return a limit in the unit of a series: degrees Celsius beside kelvin, per cent beside shares."""
    if min(values) > _COLDEST_KELVIN and limit < _COLDEST_KELVIN:
        return limit + 273.15
    if limit > _COLDEST_KELVIN > max(values):
        return limit - 273.15
    return part_of_one(limit) if limit > 1 >= max(values) else limit


def is_no_change(first: float, last: float, units: Sequence[str]) -> bool:
    """Return whether a reader would take two numbers for no change."""
    if {"K", "degC"} & set(units):
        return abs(last - first) <= STEADY_DEGREES
    return abs(last - first) <= STEADY * max(abs(first), abs(last))


def ends_of(grounds: Grounds, sentence: str) -> Iterator[Ends]:
    """Yield the numbers of the two dates that a sentence, or a column of two, is of.

    What is said of a whole series goes from its first to its last date, where its slope goes that way too.
    """
    told = dates_in(sentence)
    named = [date for date in told if not any(o != date and o.startswith(date) for o in told)]
    if len(named) > 1 and re.search(rf"\b(?:by|on) {named[0]}\W+and {named[1]}", sentence, re.I):
        return  # both are later than what it is compared with
    again = len(named) == 1 and _AGAIN.search(sentence) is not None
    if not named or not again and len(named) == 1 < len(grounds.dates) and _is_of(named[0], grounds.dates):
        named = list(grounds.dates)
    for column in columns_for(sentence, grounds.columns):
        if (
            column.is_profile and len(places := names_at_places(sentence, [column])) == 2
        ):  # from place to place
            one, other = (each.label for each in places)
            yield Ends(column.numbers[one], column.numbers[other], (one, other))
        if not column.dated:
            continue
        dates = sorted(column.numbers) if not named and len(column.numbers) == 2 else sorted(named)
        if not named and not months_in(sentence) and is_overall(sentence) and _goes_one_way(column):
            dates = [min(column.numbers), max(column.numbers)]
        if again and (before := max((d for d in column.numbers if d < named[0]), default="")):
            dates = [before, named[0]]  # it goes on from where it was before
        if len(dates) == 2:
            first, last = column.under(dates[0]), column.under(dates[1])
            if len(first) == len(last) == 1:
                yield Ends(first[0], last[0], (dates[0], dates[1]), column.of)


def _is_of(date: str, dates: Sequence[str]) -> bool:
    """Return whether a date is one of several, or the month or year of one."""
    return any(each.startswith(date) for each in dates)


def _goes_one_way(column: Column) -> bool:
    """Return whether the slope of a column goes the way that its last number lies from its first."""
    numbers = [column.numbers[date] for date in sorted(column.numbers)]
    middle = (len(numbers) - 1) / 2
    slope = sum((place - middle) * n for place, n in enumerate(numbers))
    return slope * (numbers[-1] - numbers[0]) > 0


def changes_of_labels(columns: Sequence[Column], dates: Sequence[str]) -> list[Column]:
    """Return how much each class or zone changes between two dates, by its name.

    Parameters
    ----------
    dates : sequence of str
        Those that are spoken of; of others than two the first and the last of each column count.
    """
    found: dict[str, list[dict[str, float]]] = {}
    for column in columns:
        if column.dated and column.of and column.has_several:
            if len(dates) > len(("first", "last")) < len(column.numbers):
                continue  # of which two is not told
            ends = sorted(dates) if len(dates) == 2 else [min(column.numbers), max(column.numbers)]
            first, last = (column.under(date) for date in ends)
            if len(first) == len(last) == 1:
                known = found.setdefault(column.quantity, [])  # what was measured anew is another column
                row = next((row for row in known if column.of not in row), None)
                if row is None:
                    known.append(row := {})
                row[column.of] = last[0] - first[0]
    return [
        Column(row, quantity=quantity) for quantity, rows in found.items() for row in rows if len(row) > 1
    ]


def labels_between(column: Column, sentence: str, labels: Sequence[str]) -> set[str]:
    """Return the dates of a time that a sentence names by its ends, or by the one that it has."""
    if column.dated and len(labels) == 1 and (end := _OPEN.search(sentence)):
        date = labels[0]
        inside = {d for d in column.numbers if (d >= date if end["first"] else is_until(d, date))}
        return {d for d in inside if not (end["apart"] and d.startswith(date))}
    if not column.dated or len(labels) != 2 or not re.search(r"\b(?:from|between|since)\b", sentence, re.I):
        return set()
    first, last = min(labels), max(labels)
    return {date for date in column.numbers if first <= date and is_until(date, last)}
