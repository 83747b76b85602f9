"""Times that are counted in units since a moment, by the CF conventions (version 1.11, section 4.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

_SECONDS = {
    "s": 1.0,
    "sec": 1.0,
    "second": 1.0,
    "min": 60.0,
    "minute": 60.0,
    "h": 3600.0,
    "hr": 3600.0,
    "hour": 3600.0,
    "d": 86400.0,
    "day": 86400.0,
    "msec": 1e-3,
    "millisecond": 1e-3,
}
_DAY = 86400
# The calendar of CF where a file names none is the Julian one up to 4 October 1582 and the Gregorian one from
# the next day on, the 15th.
MIXED = ("standard", "gregorian", "")
# GPM calls the Julian what is counted from 1970 as everywhere else.
GREGORIAN = (*MIXED, "proleptic_gregorian", "julian")
# Those of models, whose years have 365 days; each of their dates is one of the Gregorian calendar too.
WITHOUT_LEAP_DAYS = ("noleap", "365_day")
_REFORM = date(1582, 10, 15)
_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
SINCE = re.compile(
    r"(?P<unit>[a-z]+)\s+since\s+(?P<year>\d{1,4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
    r"(?:(?:T|\s+)(?P<clock>\d{1,2}(?::\d{1,2}){0,2}(?:\.\d*)?))?(?P<zone>.*)",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r"\s*(?:Z|UTC|GMT|(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?)?\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Start:
    """A day as its calendar numbers it, and the seconds that are counted from its midnight in UTC."""

    year: int
    month: int
    day: int
    seconds: int


def seconds_of_unit(units: str) -> float | None:
    """Return how long the unit of ``UNIT since MOMENT`` is; ``None`` of one that has no fixed length."""
    found = SINCE.match(units.strip())
    return _SECONDS.get(re.sub("s$", "", found["unit"].lower()) or "s") if found else None


def is_readable(units: str, calendar: str) -> bool:
    """Return whether moments in such units and such a calendar can be dates of the Gregorian calendar."""
    known = calendar.lower() in (*GREGORIAN, *WITHOUT_LEAP_DAYS)
    return known and seconds_of_unit(units) is not None


def moments_of(values: Iterable[float], units: str, calendar: str) -> tuple[datetime, ...]:
    """Return moments that are counted since another one, as naive UTC.

    Parameters
    ----------
    units : str
        Such as ``days since 1850-01-01``, which :func:`is_readable` with the calendar.
    calendar : str
        Of CF; empty where a file names none.

    Raises
    ------
    ValueError
        There is no such moment, or none of the Gregorian calendar.
    """
    start, seconds, name = _start(units), seconds_of_unit(units), calendar.lower()
    if start is None or seconds is None or not is_readable(units, calendar):
        raise ValueError(f"{units!r} of the calendar {calendar!r} is not read")
    midnight = _ordinal_of(start, mixed=name in MIXED)
    found = []
    for value in values:
        later = round(float(value) * seconds) + start.seconds
        if name in WITHOUT_LEAP_DAYS:
            found.append(_without_leap_days(start, later))
            continue
        days, rest = divmod(later, _DAY)
        moment = datetime.combine(date.fromordinal(midnight + days), datetime.min.time())
        if name in MIXED and moment.date() < _REFORM:
            raise ValueError(f"{moment:%Y-%m-%d} was before the Gregorian calendar")
        found.append(moment + timedelta(seconds=rest))
    return tuple(found)


def _start(units: str) -> _Start | None:
    found = SINCE.match(units.strip())
    zone = _ZONE.fullmatch(found["zone"]) if found else None
    if found is None or zone is None:
        return None
    hours, minutes, seconds = [*(float(part) for part in (found["clock"] or "0").split(":")), 0.0, 0.0][:3]
    # East of Greenwich it is later than in UTC.
    shift = 3600 * int(zone["hours"] or 0) + 60 * int(zone["minutes"] or 0)
    shift = -shift if zone["sign"] == "-" else shift
    clock = int(3600 * hours + 60 * minutes + seconds)
    return _Start(int(found["year"]), int(found["month"]), int(found["day"]), clock - shift)


def _ordinal_of(start: _Start, *, mixed: bool) -> int:
    """Return the number of a day in the Gregorian calendar that goes on before 1582, 1 of 0001-01-01."""
    if mixed and (start.year, start.month, start.day) < (_REFORM.year, _REFORM.month, _REFORM.day):
        # Every fourth year was a leap year; 1 January of the year 1 lies two days before that of the other.
        leap = start.year % 4 == 0 and start.month > 2
        before = 365 * (start.year - 1) + (start.year - 1) // 4
        return before + _BEFORE_MONTH[start.month - 1] + leap + start.day - 2
    if start.year == 0:  # a leap year of the calendar without reform
        leap = start.month > 2
        return _BEFORE_MONTH[start.month - 1] + leap + start.day - 366
    return date(start.year, start.month, start.day).toordinal()


def _without_leap_days(start: _Start, seconds: int) -> datetime:
    """Return a moment so many seconds after the midnight of a day, where every year has 365 days."""
    days, rest = divmod(seconds, _DAY)
    passed = 365 * start.year + _BEFORE_MONTH[start.month - 1] + start.day - 1 + days
    year, day = divmod(passed, 365)
    month = max(number for number, before in enumerate(_BEFORE_MONTH, start=1) if before <= day)
    return datetime(year, month, day - _BEFORE_MONTH[month - 1] + 1) + timedelta(seconds=rest)
