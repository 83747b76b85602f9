"""Moments that a question joins: ranges, lists, months that several years share."""

from __future__ import annotations

import re
from dataclasses import replace

from treeline.core.policies.planner.moments import Moment, with_years
from treeline.core.policies.planner.text import Reading

_RANGE = re.compile(r"^\s*(?:,\s*)?(?:-|to|through|until|till|up to)\s*(?:the )?$")
_LIST = re.compile(r"^[^.;?!:]{0,45}$")


def grouped_moments(reading: Reading, moments: list[Moment]) -> list[tuple[Moment, ...]]:
    """Return single moments, and pairs that a range word joins, with years and months lent in lists."""
    filled = with_years(moments)
    groups: list[tuple[Moment, ...]] = []
    index = 0
    while index < len(filled):
        here = filled[index]
        following = filled[index + 1] if index + 1 < len(filled) else None
        ranging = following and _RANGE.match(reading.between(here.span, following.span))
        paired = ranging or _same_months_of_years(reading, moments, filled, index)
        if following and paired and bool(here.which) == bool(following.which):
            groups.append((here, following))
            index += 2
            continue
        groups.append(_lent(reading, groups, here))
        index += 1
    return groups


def _same_months_of_years(reading: Reading, moments: list[Moment], filled: list[Moment], index: int) -> bool:
    """Return whether two months are meant together for several years: "June and July of 2020 and 2021"."""
    if index + 2 >= len(filled) or moments[index].year is not None or not filled[index + 2].only_year:
        return False
    first, last, year = filled[index : index + 3]
    joined = re.fullmatch(r" (?:and|&|/) ", reading.between(first.span, last.span))
    listed = re.fullmatch(r",? (?:and|&|versus|vs) (?:of |in )?", reading.between(last.span, year.span))
    return bool(joined and listed and first.month and last.month == first.month + 1 and last.day is None)


def _lent(reading: Reading, groups: list[tuple[Moment, ...]], here: Moment) -> tuple[Moment, ...]:
    """Give a bare year the months or the season that it is listed with."""
    if not groups or not here.only_year:
        return (here,)
    before = groups[-1][-1]
    linked = _LIST.match(reading.between(before.span, here.span))
    if linked and (before.month or before.season) and before.year:
        return tuple(replace(m, year=here.year, span=here.span) for m in groups[-1])
    return (here,)


def without_glosses(reading: Reading, moments: list[Moment]) -> list[Moment]:
    """Leave out a season that months in brackets explain, as in "autumn (September-November)"."""
    kept: list[Moment] = []
    season: Moment | None = None
    lists = [match.span() for match in re.finditer(r"\b(?:seasons|months) \([^)]*\)", reading.text)]
    moments = [m for m in moments if not any(a <= m.span.start < b for a, b in lists)]
    moments = _specific(moments)
    for index, moment in enumerate(moments):
        following = moments[index + 1] if index + 1 < len(moments) else None
        if (
            moment.season
            and following
            and following.month
            and reading.between(moment.span, following.span) in (" (", ": ")
        ):
            season = moment
            continue
        explained = season is not None and moment.year is None and moment.month is not None
        kept.append(replace(moment, year=season.year) if explained and season else moment)
    return kept


def _specific(moments: list[Moment]) -> list[Moment]:
    """Leave out a season without a year that merely comments on months that are given with one."""
    dated = any(m.month and m.year for m in moments)
    return [m for m in moments if not (m.season and m.year is None and dated)]


def named_once(groups: list[tuple[Moment, ...]], moments: list[Moment]) -> list[tuple[Moment, ...]]:
    """Leave out months without a year that only take up those of other groups again."""
    bare = {m.span for m in moments if m.year is None and not m.which}
    dated = [group for group in groups if any(m.span not in bare for m in group)]
    named = {(m.month, m.day, m.season) for group in dated for m in group}
    again = [g for g in groups if g not in dated and {(m.month, m.day, m.season) for m in g} <= named]
    return [group for group in groups if group not in again]


def years_and_months(
    groups: list[tuple[Moment, ...]],
) -> tuple[list[tuple[Moment, ...]], list[tuple[Moment, ...]]]:
    """Return the groups that are bare years and those that are months without a year."""
    years = [g for g in groups if all(m.only_year for m in g)]
    months = [g for g in groups if all(m.year is None and (m.month or m.season) for m in g)]
    return (years, months) if len(years) + len(months) == len(groups) else ([], [])


def crossed(month: tuple[Moment, ...], year: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """Return months without a year as those of a year, or of the years from one to another."""
    if len(year) == 2 and len(month) == 1:
        return (replace(month[0], year=year[0].year), year[1])
    if len(year) == 2:
        return (replace(month[0], year=year[0].year), replace(month[-1], year=year[1].year))
    return tuple(replace(m, year=year[0].year) for m in month)
