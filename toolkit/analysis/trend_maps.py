"""The trend of each pixel of a stack of rasters."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.pixel_kernels import theil_sen
from treeline.toolkit.analysis.series_kit import SERIES, stack_of
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, map_many
from treeline.toolkit.results import report_saved
from treeline.toolkit.series import Floats, decimal_year, times
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool
from treeline.toolkit.units import slope_unit

FURTHER = (
    Variable("trend_intercept", "Value at the first date by the trend", ""),
    Variable("trend_z", "Mann-Kendall z-score", "1"),
    Variable("trend_p", "Mann-Kendall p-value", "1", (0.0, 1.0)),
    Variable("trend_tau", "Kendall's tau", "1", (-1.0, 1.0)),
    Variable("trend_slope_low", "Lower end of the 95 % interval of the trend", "per year"),
    Variable("trend_slope_high", "Upper end of the 95 % interval of the trend", "per year"),
)
BANDS = ("trend_slope", *(each.role for each in FURTHER))
LINE_R2 = Variable("trend_r2", "Share of the variance that the line explains", "1", (0.0, 1.0))
LINE_ERROR = Variable("trend_standard_error", "Standard error of the trend", "per year", (0.0, math.inf))
LINE_BANDS = ("trend_slope", "trend_p", LINE_R2.role, LINE_ERROR.role)
# Below it the normal approximation of the test's statistic is poor, which the result says.
RELIABLE = 8


@tool(
    kit=SERIES,
    source="Sen 1968, J. Am. Stat. Assoc. 63:1379; Mann 1945, Econometrica 13:245; Kendall 1975.",
    gives=Gives("raster", "trend_slope"),
    formula="slope = median of (v_j - v_i) / (t_j - t_i); z = (S -+ 1) / sqrt(var S), corrected for ties; "
    "interval: the slopes of ranks (n +- 1.96 sqrt(var S)) / 2 of all n",
)
def calculate_trend_map(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("trend_slope", further=BANDS[1:], declares=FURTHER)],
    dates: list[float | str] | None = None,
    minimum_count: int = 4,
) -> str:
    """Trend of each pixel through time: Theil-Sen slope and Mann-Kendall significance.

    Seven bands: slope, intercept, z, two-sided p, tau, both ends of the slope's 95 % interval. The slope
    is per year where all dates are known, else per step.

    Parameters
    ----------
    file_list : list of str
        At least four rasters of one variable; the first decides the grid.
    output_path : str
        GeoTIFF to write.
    dates : list, optional
        Times of the rasters, as numbers or as dates such as ``2021-07-12``; default: the dates of
        the files, or 0, 1, 2, ... where one is unknown.
    minimum_count : int
        Valid dates that a pixel needs, at least 3.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if minimum_count < 3:
        raise InputError(f"The argument 'minimum_count' is {minimum_count}.", "Give 3 or more.")
    stack = stack_of(file_list, at_least=minimum_count)
    moments, per = moments_of(stack, dates)
    order = np.argsort(moments, kind="stable")
    moments, stack = moments[order], [stack[i] for i in order]
    if len(stack) < RELIABLE:
        current_context().warn(
            f"With {len(stack)} dates the probabilities are rough; {RELIABLE} or more are better."
        )

    def trend(stack: NDArray[np.floating]) -> NDArray[np.float32]:
        return theil_sen(stack, moments, minimum_count)

    tags = {"TREELINE_SLOPE_UNIT": slope_unit(stack[0].unit, per)}
    return report_saved(map_many(trend, {"stack": stack}, output_path, role=BANDS, extra_tags=tags))


@tool(
    kit=SERIES,
    source="Ordinary least squares; Draper & Smith 1998, Applied Regression Analysis.",
    gives=Gives("raster", "trend_slope"),
    formula="slope = sum (t - mt)(v - mv) / sum (t - mt)^2; p of t = slope / its standard error, two-sided",
)
def calculate_linear_trend_map(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[
        str, Writes("trend_slope", further=LINE_BANDS[1:], declares=(LINE_R2, LINE_ERROR))
    ],
    dates: list[float | str] | None = None,
) -> str:
    """Straight line through each pixel's dates by least squares: slope, probability, R squared, its error.

    Parameters
    ----------
    file_list : list of str
        At least three rasters of one variable; the first decides the grid.
    output_path : str
        GeoTIFF to write: bands slope, two-sided p, R squared, standard error of the slope; nodata where
        fewer than three dates are valid.
    dates : list, optional
        Times of the rasters, as numbers or as dates such as ``2021-07-12``; default: the dates of
        the files, or 0, 1, 2, ... where one is unknown.

    Returns
    -------
    str
        Result saved at PATH.
    """
    stack = stack_of(file_list, at_least=3)
    moments, per = moments_of(stack, dates)

    def line(stack: NDArray[np.floating]) -> NDArray[np.floating]:
        return np.stack(least_squares(stack.astype(np.float64), moments))

    tags = {"TREELINE_SLOPE_UNIT": slope_unit(stack[0].unit, per)}
    return report_saved(map_many(line, {"stack": stack}, output_path, role=LINE_BANDS, extra_tags=tags))


def least_squares(stack: NDArray[np.floating], moments: Floats) -> tuple[NDArray[np.floating], ...]:
    """Return slope, two-sided p, R squared and the slope's error of the line through each pixel's dates.

    Parameters
    ----------
    stack : ndarray
        (dates, rows, columns); NaN where a date has no value.
    moments : ndarray
        (dates,) in the unit of time by which the slope is told.

    Returns
    -------
    tuple of ndarray
        Each (rows, columns); NaN with fewer than three dates, p and R squared also where the values or the
        moments do not vary.
    """
    from scipy import stats

    there = ~np.isnan(stack)
    count = there.sum(axis=0)
    enough = np.where(count > 2, count, np.nan)
    t = np.where(there, moments[:, np.newaxis, np.newaxis], 0.0)
    t = np.where(there, t - t.sum(axis=0) / enough, 0.0)
    v = np.where(there, stack, 0.0)
    v = np.where(there, v - v.sum(axis=0) / enough, 0.0)
    tt, tv, vv = (t * t).sum(axis=0), (t * v).sum(axis=0), (v * v).sum(axis=0)
    slope = tv / np.where(tt > 0, tt, np.nan)
    square = np.clip(slope * tv / np.where(vv > 0, vv, np.nan), 0.0, 1.0)
    # Two degrees of freedom go to slope and intercept; rounding may leave less than zero of a perfect line.
    rest = np.maximum(vv - slope * tv, 0.0) / (enough - 2)
    error = np.sqrt(rest / tt)
    p = 2.0 * stats.t.sf(np.abs(slope / error), enough - 2)
    return np.where(np.isnan(enough), np.nan, slope), p, square, error


def moments_of(stack: list[Source], dates: list[float | str] | None) -> tuple[Floats, str]:
    """Return the times of a stack and what one unit of them is.

    Raises
    ------
    InputError
        The given times do not fit the stack, or are all one.
    """
    if dates is not None:
        moments, per = (
            times(dates, "dates"),
            "year" if any(isinstance(d, str) for d in dates) else "unit of time",
        )
    else:
        known = [band.description.date for band in stack]
        if any(date is None for date in known):
            current_context().warn(
                "Not all rasters have a date; they are taken as even steps in their order."
            )
            moments, per = np.arange(len(stack), dtype=np.float64), "step"
        else:
            moments, per = np.array([decimal_year(date) for date in known if date is not None]), "year"
    if moments.size != len(stack):
        raise InputError(
            f"The argument 'dates' has {moments.size} values for {len(stack)} rasters.",
            "Give one date for each.",
        )
    if np.ptp(moments) == 0:
        raise InputError("All rasters have the same date.", "Give 'dates', or rasters of different dates.")
    return moments, per
