"""The growing season of a series of dates."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np

from treeline.toolkit.analysis.kit import ANALYSIS
from treeline.toolkit.errors import InputError
from treeline.toolkit.series import Numbers, valid_pairs
from treeline.toolkit.tool import Gives, tool

# Of the amplitude, the threshold of White et al. 1997.
HALF = 0.5


@tool(
    kit=ANALYSIS,
    source="White, Thornton & Running 1997, Glob. Biogeochem. Cycles 11:217 (half of the amplitude); Jonsson "
    "& Eklundh 2004, Comput. Geosci. 30:833 (the amplitude).",
    gives=Gives("table", "growing_season"),
    formula="first to last date at or above the limit; limit = min + (max - min) / 2 where none is given",
)
def growing_season(values: Numbers, dates: list[str], limit: float | None = None) -> dict[str, Any]:
    """Growing season of a series: from the first to the last date at or above a limit.

    The dates are those of images; nothing is interpolated between them, so that start and end are as
    exact as the images are close. Give the dates of one year: a dip below the limit between the two does
    not end the season.

    Parameters
    ----------
    values : list of float
        At least three numbers in the order of time, such as mean NDVI; missing ones (null) are left out.
    dates : list of str
        Their dates, such as ``2021-07-12``.
    limit : float, optional
        Default: half way between the lowest and the highest value.

    Returns
    -------
    dict
        ``start`` and ``end`` (first and last date at or above the limit), ``length`` in days from the one
        to the other, ``peak`` (date of the highest value) and ``peak_value``, ``amplitude`` (that value less
        the mean of the lowest before and the lowest after it), and the ``limit``;
        ``start_day``, ``end_day``, ``peak_day``: those dates as days of the year, from 1.
    """
    if len(dates) != len(values):
        raise InputError(
            f"There are {len(values)} values and {len(dates)} dates.", "Give one date for each value."
        )
    positions, known = valid_pairs(values, "values", at_least=3)
    days = [date.fromisoformat(dates[position][:10]) for position in positions]
    low, high = float(known.min()), float(known.max())
    bound = low + HALF * (high - low) if limit is None else limit
    above = np.flatnonzero(known >= bound)
    peak = int(known.argmax())
    if not above.size:
        raise InputError(f"No value reaches {bound:g}; the highest is {high:.4g}.", "Give a lower limit.")
    first, last = days[above[0]], days[above[-1]]
    return {
        "start": first.isoformat(),
        "end": last.isoformat(),
        "length": (last - first).days,
        "peak": days[peak].isoformat(),
        "peak_value": high,
        "amplitude": high - (float(known[: peak + 1].min()) + float(known[peak:].min())) / 2,
        "limit": bound,
        "start_day": first.timetuple().tm_yday,
        "end_day": last.timetuple().tm_yday,
        "peak_day": days[peak].timetuple().tm_yday,
    }
