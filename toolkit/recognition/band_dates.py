"""Dates of the bands of one file, whose bands are then a series and not those of one scene."""

from __future__ import annotations

from datetime import datetime

from treeline.toolkit.recognition.dates import find_date
from treeline.toolkit.recognition.sample import Header
from treeline.toolkit.recognition.tags import acquisition, counted_moment

DatedBand = tuple[datetime, str]


def find_band_dates(header: Header) -> tuple[DatedBand, ...]:
    """Return date and precision of each band of a series.

    Parameters
    ----------
    header : Header
        Of the file; a band's own tag of acquisition weighs more than its description.

    Returns
    -------
    tuple of (datetime, str)
        By band; empty unless each band is dated and they are of more than one date.
    """
    if header.count < 2:
        return ()
    found = [_date_of(header, place) for place in range(header.count)]
    dates = tuple(each for each in found if each is not None)
    # One date in all bands is that of a scene; and a series has a date in every band.
    several = len({date for date, _ in dates}) > 1
    return dates if several and len(dates) == header.count else ()


def _date_of(header: Header, place: int) -> DatedBand | None:
    counted = counted_moment(header.band_tags[place], header.tags)
    stated = None if counted is not None else acquisition(header.band_tags[place])
    moment = stated[0] if stated is not None else counted
    if moment is not None:
        return moment, precision_of(moment)
    found = find_date(header.descriptions[place] or "")
    return (found.date, found.precision) if found is not None else None


def precision_of(moment: datetime) -> str:
    """Return how precisely a moment is known that a tag states: midnight stands for its day."""
    return "day" if (moment.hour, moment.minute, moment.second) == (0, 0, 0) else "instant"
