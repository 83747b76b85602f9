"""When rasters are of: how many dates, from when to when, and how far apart."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from itertools import pairwise
from statistics import fmean, median
from typing import Annotated, Any

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import sources
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import Gives, Reads, tool


@tool(
    kit=STATISTICS,
    source="Calendar arithmetic (proleptic Gregorian).",
    gives=Gives("value", "dates"),
    formula="interval = later date - earlier date, of dates that follow one another",
)
def summarize_dates(file_list: Annotated[list[str], Reads()]) -> dict[str, Any]:
    """Number of images, first and last date, longest gap and usual interval between images.

    Rasters of one moment are one image here, such as the bands of a scene; images of one day are of one date.

    Parameters
    ----------
    file_list : list of str
        Rasters with dates.

    Returns
    -------
    dict
        ``count`` of images, ``dates``, ``first``, ``last``, ``span_days``, ``longest_gap_days``,
        ``longest_gap_from``, ``longest_gap_to``, ``mean_interval_days``, ``median_interval_days``,
        ``by_year``, ``by_month`` (images; months between the first and the last that have none as well);
        intervals are between dates, and null for a single one.
    """
    known = [source.description.date for source in sources(list(file_list))]
    moments = sorted({moment for moment in known if moment is not None})
    if not moments:
        raise InputError("None of the rasters has a date.", "Dates are read from names and metadata.")
    days = sorted({moment.date() for moment in moments})
    without = sum(moment is None for moment in known)
    if without:
        current_context().warn(f"{without} of {len(known)} rasters have no date and are left out.")
    return {
        "count": len(moments),
        "dates": len(days),
        "first": str(days[0]),
        "last": str(days[-1]),
        "span_days": (days[-1] - days[0]).days,
        **_intervals(days),
        "by_year": dict(Counter(f"{moment:%Y}" for moment in moments)),
        "by_month": _by_month(moments),
    }


def _by_month(moments: list[datetime]) -> dict[str, int]:
    counts = Counter((moment.year, moment.month) for moment in moments)
    first, last = (moment.year * 12 + moment.month - 1 for moment in (moments[0], moments[-1]))
    months = [(number // 12, number % 12 + 1) for number in range(first, last + 1)]
    return {f"{year:04}-{month:02}": counts[year, month] for year, month in months}


def _intervals(days: list[date]) -> dict[str, Any]:
    apart = [((later - earlier).days, earlier, later) for earlier, later in pairwise(days)]
    # Of gaps of one length the first is told.
    gap, start, end = max(apart, key=lambda one: one[0]) if apart else (None, None, None)
    return {
        "longest_gap_days": gap,
        "longest_gap_from": str(start) if start else None,
        "longest_gap_to": str(end) if end else None,
        "mean_interval_days": fmean(one[0] for one in apart) if apart else None,
        "median_interval_days": float(median(one[0] for one in apart)) if apart else None,
    }
