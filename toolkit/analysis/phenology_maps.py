"""Start, peak, end, length and amplitude of the growing season of each pixel."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.series_kit import SERIES, stack_of
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, map_many
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool

Floats = NDArray[np.floating]
# Days from 1 January of the year of the first date: a season may begin or end in another year.
_DAYS = (-366.0, 1098.0)
START = Variable("season_start", "Start of the season", "day of year", _DAYS)
PEAK = Variable("season_peak", "Peak of the season", "day of year", _DAYS)
END = Variable("season_end", "End of the season", "day of year", _DAYS)
LENGTH = Variable("season_length", "Length of the season", "days", (0.0, 1098.0))
AMPLITUDE = Variable("season_amplitude", "Amplitude of the season", "")
BANDS = (START, PEAK, END, LENGTH, AMPLITUDE)
GREEN = ("ndvi", "evi", "evi2", "savi", "msavi", "lai", "fpar")
# A season and what lies before and after it: in two years each threshold is crossed twice.
LONGEST_DAYS = 550
FEWEST = 6


@tool(
    kit=SERIES,
    source="White, Thornton & Running 1997, Glob. Biogeochem. Cycles 11:217; Jonsson & Eklundh 2004, Comput. "
    "Geosci. 30:833 (thresholds of the amplitude on either side of the peak)",
    gives=Gives("raster", "season_start"),
    formula="days when the line through the dates crosses low + share (peak - low) before and after the "
    "peak; low the least value on that side",
)
def calculate_phenology_map(
    file_list: Annotated[list[str], Reads(*GREEN)],
    output_path: Annotated[str, Writes(START.role, further=tuple(b.role for b in BANDS[1:]), declares=BANDS)],
    share: float = 0.5,
    minimum_amplitude: float = 0.1,
) -> str:
    """Phenology of each pixel in one season: start, peak, end, length in days, and amplitude.

    Smooth noisy series first (``smooth_series``): a single high value is taken for the peak.

    Parameters
    ----------
    file_list : list of str
        A vegetation index on six dates or more of one season (18 months at most), clouds masked; dates known.
    output_path : str
        GeoTIFF to write: bands start, peak and end in days of the year of the first date (366 and more in the
        next), length in days, amplitude (peak less the mean of the two lows) in the unit of the index.
    share : float
        Share of the amplitude at which the season starts and ends, above 0 and below 1.
    minimum_amplitude : float
        Pixels whose amplitude is less have no season; in the unit of the index.

    Returns
    -------
    str
        Result saved at PATH; nodata where there is no season, or where the series does not reach its start
        or end.
    """
    stack, days = season_stack(file_list, share)

    def phenology(stack: Floats) -> Floats:
        return season(stack.astype(np.float64), days, share, minimum_amplitude)

    product = map_many(phenology, {"stack": stack}, output_path, role=[band.role for band in BANDS])
    if not product.valid_share:
        current_context().warn("No pixel has a season of that amplitude whose start lies within the series.")
    return report_saved(product)


def season_stack(file_list: list[str], share: float) -> tuple[list[Source], Floats]:
    """Return the rasters of one season in the order of time, and their days.

    Raises
    ------
    InputError
        There are too few, they span more than a season, or the share is none.
    """
    if not 0 < share < 1:
        raise InputError(f"The argument 'share' is {share:g}.", "Give a number between 0 and 1.")
    stack, days = in_order(stack_of(file_list, FEWEST, GREEN))
    if days[-1] - days[0] > LONGEST_DAYS:
        raise InputError(
            f"The series spans {days[-1] - days[0]:.0f} days; one season has {LONGEST_DAYS} at most.",
            "Give the dates of one season.",
        )
    return stack, days


def season(values: Floats, days: Floats, share: float, least: float) -> Floats:
    """Return start, peak, end, length and amplitude of each pixel of a stack (n, rows, columns)."""
    count = len(values)
    there = ~np.isnan(values)
    enough = there.sum(axis=0) >= FEWEST
    # The first of equal peaks.
    peak = np.where(there, values, -np.inf).argmax(axis=0)
    high = np.take_along_axis(values, peak[np.newaxis], 0)[0]
    places = np.arange(count).reshape(-1, 1, 1)
    sides = []
    for side, order in ((places <= peak, range(count - 2, -1, -1)), (places >= peak, range(1, count))):
        low = np.fmin.reduce(np.where(side, values, np.nan))
        sides.append((low, _crossing(values, days, peak, low + share * (high - low), order)))
    (before, start), (after, end) = sides
    amplitude = high - (before + after) / 2
    found = np.stack([start, days[peak], end, end - start, amplitude])
    kept = enough & (amplitude >= least) & ~np.isnan(start) & ~np.isnan(end)
    return np.where(kept, found, np.nan)


def _crossing(values: Floats, days: Floats, peak: NDArray[np.intp], limit: Floats, order: range) -> Floats:
    """Return the day at which the line falls below a limit, going away from the peak; NaN if it does not."""
    step = 1 if order.step > 0 else -1
    found = np.full(limit.shape, np.nan)
    known, day = np.take_along_axis(values, peak[np.newaxis], 0)[0], days[peak]
    open_ = np.ones(limit.shape, dtype=bool)
    for place in order:
        value = values[place]
        reached = (place - peak) * step > 0
        here = open_ & reached & ~np.isnan(value)
        crossed = here & (value < limit)
        weight = (known - limit) / np.where(known > value, known - value, np.nan)
        found = np.where(crossed, day + weight * (days[place] - day), found)
        open_ &= ~crossed
        known, day = np.where(here, value, known), np.where(here, days[place], day)
    return found


def in_order(stack: list[Source]) -> tuple[list[Source], Floats]:
    """Return a stack sorted by date, and the days of its dates from 1 January of the first one's year (1).

    Raises
    ------
    InputError
        A raster has no date.
    """
    dates = [band.description.date for band in stack]
    known = [date for date in dates if date is not None]
    if len(known) < len(dates):
        raise InputError(f"{stack[dates.index(None)].name} has no date.", "State its date.")
    first = datetime(min(known).year, 1, 1, tzinfo=min(known).tzinfo)
    days = np.array([(date - first).total_seconds() / 86400 + 1 for date in known])
    order = np.argsort(days, kind="stable")
    return [stack[place] for place in order], days[order]
