"""Times that are counted since a moment, against the tables of the calendars."""

from __future__ import annotations

from datetime import datetime

import pytest

from treeline.toolkit.counted_times import is_readable, moments_of


@pytest.mark.parametrize(
    ("value", "units", "calendar", "moment"),
    [
        (0, "days since 1850-01-01", "proleptic_gregorian", datetime(1850, 1, 1)),
        (0, "days since 1850-1-1 00:00:00", "standard", datetime(1850, 1, 1)),
        (15.5, "days since 1850-01-01 00:00:00.000000", "", datetime(1850, 1, 16, 12)),
        (1e6, "seconds since 1970-01-01T00:00:00Z", "standard", datetime(1970, 1, 12, 13, 46, 40)),
        (60, "minutes since 2020-06-01 0:0:0.0", "gregorian", datetime(2020, 6, 1, 1)),
        # The Julian day 2451545.0 is 2000-01-01 12:00 (Meeus, Astronomical Algorithms, 7), and 1 January
        # of the year 1 of the Julian calendar is 1721423.5.
        (2451545.0 - 1721423.5, "days since 1-1-1", "standard", datetime(2000, 1, 1, 12)),
        (24 * (2451545.0 - 1721423.5), "hours since 1-1-1 00:00:0.0", "", datetime(2000, 1, 1, 12)),
        # Without the reform it is 1721425.5; the year 0 is 366 days long in it.
        (2451545.0 - 1721425.5, "days since 0001-01-01", "proleptic_gregorian", datetime(2000, 1, 1, 12)),
        (2451545.0 - 1721059.5, "days since 0000-01-01", "proleptic_gregorian", datetime(2000, 1, 1, 12)),
        # 4 October 1582 was followed by 15 October.
        (1, "days since 1582-10-04", "standard", datetime(1582, 10, 15)),
        (366, "days since 1582-10-04", "standard", datetime(1583, 10, 15)),
        (365 * 1850 + 59, "days since 0000-01-01", "noleap", datetime(1850, 3, 1)),
        (365 * 2000 + 58, "days since 0000-01-01 00:00:00", "365_day", datetime(2000, 2, 28)),
        # A clock that shows 6 h more than that of Greenwich shows 0 h when it is 18 h there.
        (2, "hours since 2020-06-01 00:00:00 +06:00", "standard", datetime(2020, 5, 31, 20)),
        (2, "hours since 2020-06-01 00:00:00 -6:30", "standard", datetime(2020, 6, 1, 8, 30)),
        (2, "hours since 2020-06-01 00:00:00 UTC", "julian", datetime(2020, 6, 1, 2)),
    ],
)
def test_a_moment_is_that_of_its_calendar(value: float, units: str, calendar: str, moment: datetime) -> None:
    assert is_readable(units, calendar)
    assert moments_of((value,), units, calendar) == (moment,)


@pytest.mark.parametrize(
    ("units", "calendar"),
    [
        ("days since 1850-01-01", "360_day"),
        ("days since 1850-01-01", "all_leap"),
        ("months since 1960-01-01", "standard"),
        ("day as %Y%m%d.%f", "proleptic_gregorian"),
        ("years since 1900-01-01", ""),
    ],
)
def test_what_has_no_day_of_the_gregorian_calendar_is_not_read(units: str, calendar: str) -> None:
    assert not is_readable(units, calendar)
    with pytest.raises(ValueError, match="is not read"):
        moments_of((1.0,), units, calendar)


@pytest.mark.parametrize(
    ("value", "units"),
    [(10, "days since 0001-01-01"), (0, "days since 2020-02-30"), (0, "days since 2020-01-01 0:0:0 EST")],
)
def test_a_moment_that_is_not_certain_is_refused(value: float, units: str) -> None:
    with pytest.raises(ValueError, match=r"before the Gregorian|day is out of range|not read"):
        moments_of((value,), units, "standard")
