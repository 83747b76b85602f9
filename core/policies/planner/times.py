"""Which rasters an expression's ``when`` means, and the periods that dates are grouped by."""

from __future__ import annotations

import datetime as dt
from calendar import month_name
from collections.abc import Callable, Collection, Mapping, Sequence

from treeline.core.policies.planner.layers import Item
from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.policies.planner.values import Mark
from treeline.core.query.expression import Period, Span, When
from treeline.core.query.titles import short_title

# From December on; those of the north, as questions name them.
_SEASONS = ("winter", "spring", "summer", "autumn")
_NEAREST = 4


def holds(when: When, date: dt.datetime | None, found: frozenset[dt.date] | None = None) -> bool:
    """Return whether a date counts, before one of several is picked.

    Parameters
    ----------
    found : frozenset of date, optional
        What ``when.at`` gave.
    """
    if date is None:
        return not when.spans and not when.months and found is None
    day = date.date()
    inside = not when.spans or any(_within(span, day) for span in when.spans)
    fits = inside and (not when.months or day.month in when.months) and (found is None or day in found)
    return fits and not (when.without is not None and holds(when.without, date))


def _within(span: Span, day: dt.date) -> bool:
    return (span.first is None or span.first <= day) and (span.last is None or day <= span.last)


def select(
    when: When, items: Sequence[Item], role: str, found: frozenset[dt.date] | None = None
) -> tuple[Item, ...]:
    """Return the rasters of the dates that are meant.

    Raises
    ------
    CannotAnswer
        There is none then; names the nearest dates. Or a single date has two images.
    """
    kept = tuple(item for item in items if holds(when, item.date, found))
    if not kept:
        raise no_dates_error(when, items, role)
    missing = _spans_without(when, kept)
    if missing:
        raise no_dates_error(When((missing[0],)), items, role)
    kept = pick(when, kept, role)
    if when.single and len(kept) > 1:
        raise _two_images(kept, items, role)
    return kept


def _two_images(kept: Sequence[Item], items: Sequence[Item], role: str) -> CannotAnswer:
    """Say which images one day has, and what asks for them: a stretch of days that holds no other."""
    day = next(item.date.date() for item in kept if item.date is not None)
    first, last = day - dt.timedelta(days=1), day + dt.timedelta(days=1)
    near = [item for item in items if item.date is not None and first <= item.date.date() <= last]
    alike = len({item.label for item in kept}) == 1
    names = [item.address.rpartition("/")[2] if alike else item.label for item in kept]
    mean = f", or ask for their mean over the dates from {first} to {last}" if len(near) == len(kept) else ""
    return CannotAnswer(
        f"There are {len(kept)} rasters of {short_title(role)} on that date: {', '.join(names)}.",
        f"Give only the file that is meant{mean}.",
    )


def pick(when: When, kept: tuple[Item, ...], role: str) -> tuple[Item, ...]:
    """Return the rasters of the date that is picked of several; all where none is.

    Raises
    ------
    CannotAnswer
        There are not so many.
    """
    pick = when.pick
    if not pick:
        return kept
    days = list(dict.fromkeys(item.date.date() for item in kept if item.date))
    position = pick - 1 if pick > 0 else len(days) + pick
    if not 0 <= position < len(days):
        raise CannotAnswer(f"There are only {len(days)} dates of {short_title(role)} to count through.")
    return tuple(item for item in kept if item.date and item.date.date() == days[position])


def _spans_without(when: When, kept: Sequence[Item]) -> list[Span]:
    """Return the spans of several in which there is nothing: leaving one out would not be said."""
    if len(when.spans) < 2 or len(when.spans) > 60:
        return []
    days = [item.date.date() for item in kept if item.date]
    return [span for span in when.spans if not any(_within(span, day) for day in days)]


def no_dates_error(when: When, items: Sequence[Item], role: str) -> CannotAnswer:
    """Return what to raise where there is no raster of the dates that are meant."""
    dated = [item for item in items if item.date is not None]
    title = short_title(role)
    if not dated:
        label = items[0].label if items else "nothing"
        return CannotAnswer(
            f"There is no {title} {period_text(when)}.", f"What there is has no date: {label}."
        )
    first, last = dated[0], dated[-1]
    target = next((d for span in when.spans for d in (span.first, span.last) if d), None)
    if target is not None:
        dated.sort(key=lambda item: abs((item.date.date() if item.date else target) - target))
    labels = ", ".join(sorted(item.label for item in dated[:_NEAREST]))
    word = "date is" if len(dated) == 1 else "dates are"
    return CannotAnswer(
        f"There is no {title} {period_text(when)}.",
        f"The nearest {word} {labels}; there are {len(dated)} from {first.label} to {last.label}.",
    )


def period_text(when: When) -> str:
    """Return dates in words, with the preposition."""
    parts = []
    if when.spans:
        parts.append(" and ".join(_span(span) for span in when.spans[:3]))
        if len(when.spans) > 3:
            parts.append(f"and {len(when.spans) - 3} more periods")
    if when.months:
        parts.append("in " + ", ".join(month_name[month] for month in when.months))
    if when.without is not None:
        parts.append(f"except {period_text(when.without)}")
    return " ".join(parts) or "then"


def _span(span: Span) -> str:
    if span.is_day:
        return f"on {span.first}"
    if span.first is None or span.last is None:
        return f"from {span.first} on" if span.first else f"until {span.last}"
    if (span.first.month, span.first.day, span.last.month, span.last.day) == (1, 1, 12, 31):
        years = {span.first.year, span.last.year}
        return f"in {min(years)}" if len(years) == 1 else f"from {min(years)} to {max(years)}"
    next_day = span.last + dt.timedelta(days=1)
    if span.first.day != 1 or next_day.day != 1:
        return f"from {span.first} to {span.last}"
    first, last = (f"{month_name[day.month]} {day.year}" for day in (span.first, span.last))
    if first == last:
        return f"in {first}"
    begin = first.split()[0] if span.first.year == span.last.year else first
    return f"in {begin}\u2013{last}"


# --- Periods --------------------------------------------------------------------------------------


def _season(date: dt.datetime) -> str:
    year = date.year + (date.month == 12)
    return f"{_SEASONS[date.month % 12 // 3]} {year}"


_PERIODS: Mapping[str, Callable[[dt.datetime], str]] = {
    "day": lambda date: f"{date:%Y-%m-%d}",
    "month": lambda date: f"{date:%Y-%m}",
    "quarter": lambda date: f"{date.year} Q{(date.month + 2) // 3}",
    "season": _season,
    "year": lambda date: f"{date:%Y}",
    "calendar_month": lambda date: month_name[date.month],
}


def period_label(date: dt.datetime, period: Period) -> str:
    """Return the month, season or year of a date, as it is written."""
    return _PERIODS[period](date)


# How many months such a period has, and in which month of a year, counted from 0, one of them begins.
_LENGTHS = {"month": (1, 0), "quarter": (3, 0), "season": (3, 2)}


def moment_of(mark: Mark) -> dt.datetime | None:
    """Return the date of a mark; of a month, quarter or season its first day, whenever its images were."""
    if mark.date is None:
        return None
    for period, (length, offset) in _LENGTHS.items():
        if _PERIODS[period](mark.date) == mark.label:
            months = 12 * mark.date.year + mark.date.month - 1
            begin = months - (months - offset) % length
            return dt.datetime(begin // 12, begin % 12 + 1, 1)
    return mark.date


# The first month of a period, counted from that of a date, and how many months it has.
_MONTHS: Mapping[str, Callable[[int], tuple[int, int]]] = {
    "quarter": lambda month: ((month - 1) // 3 * 3 + 1, 3),
    "season": lambda month: (month // 3 * 3 or 12, 3),
    "year": lambda month: (1, 12),
}


def partly_covered(
    groups: Sequence[tuple[Mark, list[int]]],
    marks: Sequence[Mark],
    period: Period,
    months: Collection[int] = (),
) -> str:
    """Return in a sentence that the images begin within the first period, or end within the last one.

    Parameters
    ----------
    groups : sequence of (Mark, list of int)
        As :func:`group` returns them.
    marks : sequence of Mark
        The dates that were grouped.
    period : str
    months : collection of int
        The calendar months that count; all where there are none.
    """
    if period not in _MONTHS or not groups:
        return ""
    told = []
    for (mark, members), end in ((groups[0], False), (groups[-1], True)):
        dates = sorted(date for n in members if (date := marks[n].date) is not None)
        begin, count = _MONTHS[period](dates[0].month)
        covered = [(begin + n - 1) % 12 + 1 for n in range(count)]
        wanted = [month for month in covered if not months or month in months]
        if not end and dates[0].month in wanted and dates[0].month != wanted[0]:
            told.append(f"of {mark.label} from {dates[0]:%Y-%m-%d} on")
        if end and dates[-1].month in wanted and dates[-1].month != wanted[-1]:
            told.append(f"of {mark.label} until {dates[-1]:%Y-%m-%d}")
    return f"There are images {' and '.join(told)}." if told else ""


def months_between(first: dt.datetime, last: dt.datetime) -> list[Mark]:
    """Return a day of each month from one date to another, both included."""
    numbers = range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    days = [dt.datetime(number // 12, number % 12 + 1, 1) for number in numbers]
    return [Mark(str(day.date()), day) for day in days]


def group(marks: Sequence[Mark], period: Period) -> list[tuple[Mark, list[int]]]:
    """Return for each period its mark and the positions of the dates in it, in order of time.

    Raises
    ------
    CannotAnswer
        A date is not known.
    """
    label_of = _PERIODS[period]
    groups: dict[str, list[int]] = {}
    for position, mark in enumerate(marks):
        if mark.date is None:
            raise CannotAnswer(f"{mark.label} has no date, so it belongs to no {period}.")
        groups.setdefault(label_of(mark.date), []).append(position)
    found = [(Mark(label, marks[members[0]].date), members) for label, members in groups.items()]
    if period == "calendar_month":
        found.sort(key=lambda group: list(month_name).index(group[0].label))
    return found
