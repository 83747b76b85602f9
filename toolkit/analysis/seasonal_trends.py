"""Seasonal Mann-Kendall: a monotonic trend within each season of the year, of a list and of each pixel."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.kit import ANALYSIS
from treeline.toolkit.analysis.series_kit import SERIES, stack_of
from treeline.toolkit.analysis.trend_maps import BANDS as OF_TREND
from treeline.toolkit.compilation import compile_function
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, map_many
from treeline.toolkit.results import report_saved
from treeline.toolkit.series import SIGNIFICANCE, Numbers, valid_pairs
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.units import slope_unit

Floats = NDArray[np.floating]
HIRSCH = "Hirsch, Slack & Smith 1982, Water Resour. Res. 18:107"
FORMULA = (
    "S and var S summed over the seasons, each of its own years; slope the median of the slopes between "
    "years of one season"
)
# What a seasonal trend has of the other: no value at the first date and no interval of the slope.
BANDS = tuple(role for role in OF_TREND if role in {"trend_slope", "trend_z", "trend_p", "trend_tau"})
_compiled: dict[str, Any] = {}


@tool(kit=ANALYSIS, source=HIRSCH, gives=Gives("table", "trend"), formula=FORMULA)
def seasonal_mann_kendall_test(values: Numbers, period: int = 12) -> dict[str, Any]:
    """Seasonal Mann-Kendall test for a trend in a series with seasons, with the seasonal Sen slope.

    Parameters
    ----------
    values : list of float
        Numbers at even steps, of two periods or more; missing ones (null) are left out.
    period : int
        Steps in a year: 12 for months.

    Returns
    -------
    dict
        ``trend`` (``increasing``, ``decreasing`` or ``no trend`` at 5 %), two-sided ``p``, ``z``,
        ``tau``, ``s``,
        ``variance``, and ``slope`` per period.
    """
    if not 2 <= period <= len(values) // 2:
        raise InputError(
            f"The argument 'period' is {period} for {len(values)} values.",
            "Give 2 or more, and a series of two periods or more.",
        )
    positions, known = valid_pairs(values, "values", at_least=4)
    every = np.full(len(values), np.nan)
    every[positions] = known
    seasons, years = np.arange(len(values)) % period, np.arange(len(values)) // period
    slope, z, p, tau, s, variance = _test(every.reshape(-1, 1), seasons, years.astype(np.float64))[
        :, 0
    ].tolist()
    if math.isnan(p):
        raise InputError("No season has values of two years.", "Give a longer series.")
    trend = "no trend" if p >= SIGNIFICANCE or s == 0 else "increasing" if s > 0 else "decreasing"
    return {"trend": trend, "p": p, "z": z, "tau": tau, "s": s, "variance": variance, "slope": slope}


@tool(kit=SERIES, source=HIRSCH, gives=Gives("raster", "trend_slope"), formula=FORMULA)
def calculate_seasonal_trend_map(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("trend_slope", further=BANDS[1:])],
    seasons: int = 12,
) -> str:
    """Seasonal trend of each pixel: Sen slope per year and Mann-Kendall significance within each season.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable with known dates over three years or more; the first decides the grid.
    output_path : str
        GeoTIFF to write: bands slope per year, z, two-sided p and tau; nodata where no season has two years.
    seasons : int
        Into how many equal parts the year is divided: 12 for months, 4 for quarters.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not 1 <= seasons <= 366:
        raise InputError(f"The argument 'seasons' is {seasons}.", "Give 1 to 366.")
    stack = sorted(stack_of(file_list, at_least=4), key=lambda band: band.description.date is None)
    numbers, years = _seasons_of(stack, seasons)
    if len(np.unique(years)) < 3:
        raise InputError(
            f"The rasters are of {len(np.unique(years))} years.", "Give three years or more of each season."
        )

    def trend(stack: Floats) -> Floats:
        flat = stack.reshape(len(stack), -1).astype(np.float64)
        return _test(flat, numbers, years)[:4].reshape(4, *stack.shape[1:])

    tags = {"TREELINE_SLOPE_UNIT": slope_unit(stack[0].unit, "year")}
    return report_saved(map_many(trend, {"stack": stack}, output_path, role=BANDS, extra_tags=tags))


def _seasons_of(stack: list[Source], seasons: int) -> tuple[NDArray[np.intp], Floats]:
    numbers, years = [], []
    for band in stack:
        date = band.description.date
        if date is None:
            raise InputError(f"{band.name} has no date, so its season is unknown.", "State its date.")
        # Seasons that divide the months follow the calendar, whose months are not equally long.
        part = (date.month - 1) / 12 if 12 % seasons == 0 else (date.timetuple().tm_yday - 1) / 366
        numbers.append(int(part * seasons + 1e-9))
        years.append(float(date.year))
    return np.array(numbers, dtype=np.intp), np.array(years)


def _test(values: Floats, seasons: NDArray[np.intp], years: Floats) -> Floats:
    """Return slope, z, p, tau, s and var s of each column of (n, pixels)."""
    if "test" not in _compiled:
        _compiled["test"] = compile_function(_loop)
    # Sorted by season and then by year, so that the loop meets the values of one season in a row.
    order = np.lexsort((years, seasons))
    return _compiled["test"](np.ascontiguousarray(values[order]), seasons[order], years[order])


def _loop(values, seasons, years):  # type: ignore[no-untyped-def]
    count, pixels = values.shape
    result = np.full((6, pixels), np.nan)
    slopes = np.empty(count * (count - 1) // 2)
    same = np.empty(count)
    for pixel in range(pixels):
        s, variance, pairs, compared = 0.0, 0.0, 0, 0
        start = 0
        while start < count:
            stop = start
            while stop < count and seasons[stop] == seasons[start]:
                stop += 1
            n = 0
            for i in range(start, stop):
                one = values[i, pixel]
                if one != one:
                    continue
                same[n] = one
                n += 1
                for j in range(i + 1, stop):
                    other = values[j, pixel]
                    if other != other or years[j] == years[i]:
                        continue
                    compared += 1
                    s += (other > one) - (other < one)
                    slopes[pairs] = (other - one) / (years[j] - years[i])
                    pairs += 1
            if n > 1:
                part = same[:n]
                part.sort()
                ties, first = 0.0, 0
                for i in range(1, n + 1):
                    if i == n or part[i] != part[first]:
                        t = i - first
                        ties += t * (t - 1.0) * (2 * t + 5)
                        first = i
                variance += (n * (n - 1.0) * (2 * n + 5) - ties) / 18
            start = stop
        if pairs == 0:
            continue
        z = 0.0
        if s != 0 and variance > 0:
            z = (s - (1.0 if s > 0 else -1.0)) / math.sqrt(variance)
        result[0, pixel] = np.median(slopes[:pairs])
        result[1, pixel] = z
        result[2, pixel] = math.erfc(abs(z) / math.sqrt(2.0))
        result[3, pixel] = s / compared
        result[4, pixel] = s
        result[5, pixel] = variance
    return result
