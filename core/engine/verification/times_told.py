"""Times that a text tells as numbers: what lies between two dates, days of the year, days as weeks.

And how many dates each year has, as a policy is told at the start.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from treeline.core.engine.checks import COUNT
from treeline.core.engine.verification.claims import Claim, dates_in
from treeline.core.engine.verification.evidence import Evidence

DAYS_OF = {"week": 7.0, "month": 365.25 / 12, "year": 365.25}
_DAY_OF_YEAR = re.compile(r"\bday (\d{1,3}) of the year\b", re.I)
_SPAN = re.compile(r"\b(day|month|year)s?\b", re.I)
_OF_A_MONTH = 7
_RASTERS = re.compile(r"^(?P<handles>@.*?): rasters of (?P<years>.*?)(?:;|$)", re.M)
_YEAR = re.compile(r"(\d{4}): (\d+)")


def is_span(claim: Claim, text: str, named: Sequence[str]) -> bool:
    """Return whether a number of days, months or years is what lies between two dates that are named."""
    match = _SPAN.search(text)
    if claim.unit not in ("", COUNT, "day", "days") or match is None:
        return False
    if match[1].casefold() == "day":
        days = [day for date in named if (day := _day(date)) is not None]
        return any(abs((one - other).days) == claim.number for one in days for other in days if one != other)
    places = {12 * int(date[:4]) + int(date[5:7] or 1) for date in named if len(date) >= _OF_A_MONTH}
    apart = {abs(one - other) for one in places for other in places if one != other}
    return claim.number * (12 if match[1].casefold() == "year" else 1) in apart


def is_day_of_year(claim: Claim, text: str, evidence: Evidence) -> bool:
    """Return whether a number is told as the day of the year of a date that is named and was found."""
    told = {float(match[1]) for match in _DAY_OF_YEAR.finditer(text)}
    days = [day for date in dates_in(text) if date in evidence.dates and (day := _day(date))]
    return claim.number in told and any(day.timetuple().tm_yday == claim.number for day in days)


def is_found_as_day(date: str, text: str, evidence: Evidence) -> bool:
    """Return whether a date of a year that was looked at is a day of the year that a result tells."""
    day = _day(date)
    if day is None or not any(known.startswith(date[:4]) for known in evidence.dates):
        return False
    number = float(day.timetuple().tm_yday)
    days = re.search(r"\b(?:day \d|days? of the year|DOY)", text, re.I) is not None
    return days and any(abs(n - number) < 1 for n in evidence.numbers)


def is_length_of_time(claim: Claim, evidence: Evidence) -> bool:
    """Return whether a number of weeks, months or years is a result in days, rounded as it is told."""
    days = DAYS_OF.get((claim.thing or claim.unit).rstrip("s"), 0.0)
    own = [n for n, units in evidence.units.items() if {"day", "days"} & set(units)]
    return days > 0 and any(abs(n / days - claim.number) <= claim.half for n in own)


def count_dates_of_years(told: str) -> dict[str, int]:
    """Return of how many dates of each year there are rasters, as a policy was told; the least of several."""
    found: dict[str, int] = {}
    for match in _RASTERS.finditer(told):
        for year, count in _YEAR.findall(match["years"]):
            found[year] = min(int(count), found.get(year, int(count)))
    return found


def _day(text: str) -> dt.date | None:
    """Return the day of a date; ``None`` for a month, a year, or what is none."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None
