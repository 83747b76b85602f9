"""From the moments of a question to the periods that are meant."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from treeline.core.policies.planner.intent import ALWAYS, Period
from treeline.core.policies.planner.joining import (
    crossed,
    grouped_moments,
    named_once,
    without_glosses,
    years_and_months,
)
from treeline.core.policies.planner.moments import (
    PARTS_OF_MONTH,
    PARTS_OF_YEAR,
    SEASON_MONTHS,
    Moment,
    read_moments,
    with_years,
)
from treeline.core.policies.planner.text import Reading

_BETWEEN = re.compile(r"\bbetween (?:the )?(?:year |years |dates? |months? )?(?:of )?$")
_SINCE = re.compile(r"\b(?:since|after|starting (?:in|on|from)|later than)(?: the)? $")
_UNTIL = re.compile(r"\b(?:before|until|till|up to|prior to|earlier than|by)(?: the)? $")


@dataclass(frozen=True, slots=True)
class When:
    """A period, or one end of the series."""

    period: Period
    which: Literal["", "first", "last"] = ""


@dataclass(frozen=True, slots=True)
class Times:
    """When a question is about.

    Attributes
    ----------
    kind : str
        ``always``, ``single``, ``range`` (from a to b), ``between`` (a and b) or ``several``.
    parts : tuple of When
        In the order of the question.
    notes : tuple of str
        How words such as "growing season" were read.
    """

    kind: Literal["always", "single", "range", "between", "several"]
    parts: tuple[When, ...]
    notes: tuple[str, ...] = ()

    @property
    def years(self) -> tuple[When, ...]:
        """The first and the last year of "August 2020 to 2022" and the like; empty for other periods."""
        period = self.parts[0].period
        if len(self.parts) > 1 or not (period.months and period.first and period.last):
            return ()
        if period.first.year == period.last.year:
            return ()
        return tuple(When(_months_of_year(period, year)) for year in (period.first.year, period.last.year))

    @property
    def months(self) -> tuple[When, ...]:
        """The first and the last month of "May to August" of any year; empty for other periods."""
        period = self.parts[0].period
        if len(self.parts) > 1 or " to " not in period.label or len(period.months) < 2:
            return ()
        if period.first or period.last:
            return ()
        ends = (period.months[0], period.months[-1])
        return tuple(When(Period(months=(month,), label=calendar.month_name[month])) for month in ends)

    @property
    def whole(self) -> When:
        """The stretch from the beginning of the first part to the end of the last."""
        return self.parts[0] if len(self.parts) == 1 else _joined(self.parts[0], self.parts[-1])


def read_times(reading: Reading, southern: bool = False) -> Times:
    """Return when a question is about; "all dates" where it does not say.

    Parameters
    ----------
    southern : bool
        The rasters lie south of the equator, where the seasons are opposite.
    """
    moments = without_glosses(reading, read_moments(reading))
    if not moments:
        return Times("always", (When(ALWAYS),))
    groups = named_once(grouped_moments(reading, moments), moments)
    years, months = years_and_months(groups)
    if years and months:
        groups = [crossed(month, year) for year in years for month in months]
    whens = list(dict.fromkeys(_when(reading, group, southern) for group in groups))
    notes = tuple(dict.fromkeys(_season_note(m, southern) for m in moments if m.season in SEASON_MONTHS))
    notes += tuple(dict.fromkeys(_part_note(m) for m in moments if m.part))
    groups, whens = _inner(groups, _finest(whens))
    kind = _kind(reading, groups, whens)
    if kind in ("range", "between") and not whens[0].period.months:
        ends = with_years([m for group in groups for m in group])
        whens = [When(_period(m, southern), m.which) for m in ends]
    return Times(kind, tuple(dict.fromkeys(whens)), notes)


def _months_of_year(period: Period, year: int) -> Period:
    first, last = period.months[0], period.months[-1]
    day = calendar.monthrange(year, last)[1]
    names = calendar.month_name[first] + (f" to {calendar.month_name[last]}" if last != first else "")
    return Period(datetime(year, first, 1), datetime(year, last, day, 23, 59, 59), label=f"{names} {year}")


def _finest(whens: list[When]) -> list[When]:
    """Leave out whole years that repeat periods already given within them."""
    fine = [w for w in whens if not _whole_year(w.period)]
    coarse = [w for w in whens if _whole_year(w.period)]
    repeated = len(fine) == len(coarse) > 1 and all(
        any(_holds(c.period, f.period) for f in fine) for c in coarse
    )
    return fine if repeated else whens


def _inner(
    groups: list[tuple[Moment, ...]], whens: list[When]
) -> tuple[list[tuple[Moment, ...]], list[When]]:
    """Leave out a stretch of years that only frames those that are asked for, as "data from 1980 to 2025"."""
    for frame in whens:
        others = [when for when in whens if when is not frame]
        years = re.fullmatch(r"\d{4}(?:-\d\d-\d\d)? to \d{4}(?:-\d\d-\d\d)?", frame.period.label)
        inside = all(o.period.first and o.period.last and _holds(frame.period, o.period) for o in others)
        ranges = len(others) > 1 or all(" to " in o.period.label for o in others)
        if years and others and inside and ranges and len(groups) == len(whens):
            place = whens.index(frame)
            return [g for i, g in enumerate(groups) if i != place], others
    return groups, whens


def _whole_year(period: Period) -> bool:
    return re.fullmatch(r"\d{4}", period.label) is not None


def _holds(outer: Period, inner: Period) -> bool:
    return outer.holds(inner.first) and outer.holds(inner.last)


def _kind(
    reading: Reading, groups: list[tuple[Moment, ...]], whens: list[When]
) -> Literal["single", "range", "between", "several"]:
    if len(groups) == 1 and len(groups[0]) == 2:
        return "single" if whens[0].period.months else "range"
    if len(groups) == 2 and all(len(g) == 1 for g in groups):
        before = reading.text[: groups[0][0].span.start]
        if _BETWEEN.search(before) and _touching(reading, groups[0][0], groups[1][0]):
            return "between"
    return "single" if len(set(whens)) == 1 else "several"


def _touching(reading: Reading, first: Moment, second: Moment) -> bool:
    return re.match(r"^\s*(?:and|-|to)\s*(?:the )?$", reading.between(first.span, second.span)) is not None


def _same_months(group: tuple[Moment, ...]) -> bool:
    """Return whether a pair such as "Aug 2020-2022" means the same months of several years."""
    first, last = group
    return bool((first.month or first.season) and last.only_year and first.day is None)


def _when(reading: Reading, group: tuple[Moment, ...], southern: bool) -> When:
    if len(group) == 2:
        if _same_months(group):
            inner = _period(group[0], southern)
            months = _months(group[0], southern)
            years = _period(group[1], southern)
            label = f"{inner.label} to {years.label}"
            return When(
                Period(datetime(inner.first.year, 1, 1) if inner.first else None, years.last, months, label)
            )
        return _joined(*(When(_period(m, southern), m.which) for m in group))
    moment = group[0]
    period = _period(moment, southern)
    before = reading.text[: moment.span.start]
    if _SINCE.search(before) and period.first:
        return When(replace(period, last=None, label=f"since {period.label}"))
    if _UNTIL.search(before) and period.first:
        return When(replace(period, first=None, label=f"until {period.label}"))
    return When(period, moment.which)


def _joined(first: When, last: When) -> When:
    a, b = first.period, last.period
    if a.first and b.last and a.first > b.last:
        a, b = b, a
    if a.months and b.months:
        span = tuple(month for month in _wrapped(a.months[0], b.months[-1]))
        return When(Period(a.first, b.last, span, f"{a.label} to {b.label}"))
    return When(Period(a.first, b.last, (), f"{a.label} to {b.label}"))


def _wrapped(first: int, last: int) -> list[int]:
    return list(range(first, last + 1)) if first <= last else [*range(first, 13), *range(1, last + 1)]


def _months(moment: Moment, southern: bool) -> tuple[int, ...]:
    if moment.season:
        if moment.season in PARTS_OF_YEAR:
            return PARTS_OF_YEAR[moment.season]
        months = SEASON_MONTHS[moment.season]
        return tuple((m + 5) % 12 + 1 for m in months) if southern else months
    return (moment.month,) if moment.month else ()


def _period(moment: Moment, southern: bool) -> Period:
    if moment.which:
        return replace(ALWAYS, label=f"the {moment.which} date")
    months = _months(moment, southern)
    label = _label(moment)
    if moment.year is None:
        return Period(months=months, label=label)
    if not months:
        return Period(datetime(moment.year, 1, 1), datetime(moment.year, 12, 31, 23, 59, 59), label=label)
    if moment.part and moment.month:
        first, last = PARTS_OF_MONTH[moment.part]
        last = min(last, calendar.monthrange(moment.year, moment.month)[1])
        return Period(
            datetime(moment.year, moment.month, first),
            datetime(moment.year, moment.month, last, 23, 59, 59),
            label=label,
        )
    if moment.day and moment.month:
        day = datetime(moment.year, moment.month, moment.day)
        return Period(day, day.replace(hour=23, minute=59, second=59), label=label)
    # A season that crosses the turn of the year bears the year that it ends in.
    first_year = moment.year - 1 if months[0] > months[-1] else moment.year
    last_day = calendar.monthrange(moment.year, months[-1])[1]
    return Period(
        datetime(first_year, months[0], 1),
        datetime(moment.year, months[-1], last_day, 23, 59, 59),
        label=label,
    )


def _label(moment: Moment) -> str:
    if moment.season in PARTS_OF_YEAR:
        name = moment.season.upper() if len(moment.season) == 2 else f"the {moment.season} of"
        return f"{name} {moment.year or 'the year'}"
    if moment.season:
        return f"{moment.season} {moment.year}" if moment.year else moment.season
    if moment.day and moment.month and moment.year:
        return f"{moment.year}-{moment.month:02d}-{moment.day:02d}"
    if moment.month:
        name = f"{moment.part} {calendar.month_name[moment.month]}".strip()
        return f"{name} {moment.year}" if moment.year else name
    return str(moment.year)


def _part_note(moment: Moment) -> str:
    first, last = PARTS_OF_MONTH[moment.part]
    end = "its end" if last == 31 else f"day {last}"
    label = _label(moment)
    return f"{label[0].upper()}{label[1:]} was read as from day {first} to {end}."


def _season_note(moment: Moment, southern: bool) -> str:
    months = _months(moment, southern)
    where = "southern" if southern else "northern"
    names = f"{calendar.month_name[months[0]]} to {calendar.month_name[months[-1]]}"
    return f"{moment.season.capitalize()} was read as {names} ({where} hemisphere)."
