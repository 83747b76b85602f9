"""Dates as months, seasons and years."""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from treeline.core.policies.planner.intent import Grouping, Period, Subject
from treeline.core.policies.planner.layers import Item

_SEASONS = {12: "winter", 1: "winter", 2: "winter", 3: "spring", 4: "spring", 5: "spring",
            6: "summer", 7: "summer", 8: "summer", 9: "autumn", 10: "autumn", 11: "autumn"}  # fmt: skip
_MONTHS_OF = {"winter": (12, 1, 2), "spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11)}


@dataclass(frozen=True, slots=True)
class Group:
    """Dates that belong together.

    Attributes
    ----------
    item : Item
        Stands for the group in a series: its label and its first date.
    """

    item: Item
    period: Period
    count: int


def groups_of(items: Iterable[Item], grouping: Grouping, *, merge_years: bool = False) -> list[Group]:
    """Return the groups of dates in the order of time; undated items are left out.

    Parameters
    ----------
    merge_years : bool
        The same month or season of several years is one group.
    """
    members: dict[str, list[Item]] = {}
    periods: dict[str, Period] = {}
    dated = sorted(
        (item for item in items if item.date is not None), key=lambda item: item.date or datetime.max
    )
    one_year = len({item.date.year for item in dated if item.date}) == 1
    for item in dated:
        assert item.date is not None
        period = _period(item.date, grouping, merge_years=merge_years and not one_year)
        members.setdefault(period.label, []).append(item)
        periods[period.label] = period
    ordered = sorted(members, key=lambda label: periods[label].months or (0,))
    return [
        Group(replace(members[label][0], label=label), periods[label], len(members[label]))
        for label in ordered
    ]


def grouped(subject: Subject, group: Group) -> Subject:
    """Return a subject limited to a group, within the period that it had."""
    whole, part = subject.period, group.period
    first = max((m for m in (whole.first, part.first) if m is not None), default=None)
    last = min((m for m in (whole.last, part.last) if m is not None), default=None)
    months = part.months or whole.months
    return replace(subject, period=Period(first, last, months, part.label))


def _period(date: datetime, grouping: Grouping, *, merge_years: bool) -> Period:
    if grouping == "year":
        return Period(
            datetime(date.year, 1, 1), datetime(date.year, 12, 31, 23, 59, 59), label=str(date.year)
        )
    if grouping == "season":
        return _season(date, merge_years)
    if merge_years:
        return Period(months=(date.month,), label=calendar.month_name[date.month])
    last = calendar.monthrange(date.year, date.month)[1]
    first_day, last_day = (
        datetime(date.year, date.month, 1),
        datetime(date.year, date.month, last, 23, 59, 59),
    )
    return Period(first_day, last_day, label=f"{date:%Y-%m}")


def _season(date: datetime, merge_years: bool) -> Period:
    name = _SEASONS[date.month]
    months = _MONTHS_OF[name]
    if merge_years:
        return Period(months=months, label=name)
    # Winter bears the year of its January.
    year = date.year + 1 if date.month == 12 else date.year
    first = datetime(year - 1 if name == "winter" else year, months[0], 1)
    last = datetime(year, months[-1], calendar.monthrange(year, months[-1])[1], 23, 59, 59)
    return Period(first, last, label=f"{name} {year}")
