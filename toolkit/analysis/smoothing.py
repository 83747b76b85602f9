"""Series of rasters smoothed and their gaps filled, pixel by pixel: Savitzky-Golay and Whittaker."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.analysis.series_kit import SERIES, common_role, stack_of
from treeline.toolkit.analysis.trend_maps import moments_of
from treeline.toolkit.compilation import compile_function
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import map_dates
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Floats = NDArray[np.floating]
Method = Literal["whittaker", "savitzky_golay"]
# Dates at least, of a series and of each pixel: fewer are followed, not smoothed.
FEWEST = 5
# The spread of the gaps between dates, as a share of their mean, from which they count as uneven.
UNEVEN = 0.1
_compiled: dict[str, Any] = {}


@tool(
    kit=SERIES,
    source="Whittaker: Eilers 2003, Anal. Chem. 75:3631; for NDVI Atzberger & Eilers 2011, Int. J. Remote "
    "Sens. 32:3689. Savitzky & Golay 1964, Anal. Chem. 36:1627; for NDVI Chen et al. 2004, Remote Sens. "
    "Environ. 91:332",
    gives=Gives("raster", "smooth"),
    formula="Whittaker: z that minimises sum w (y - z)^2 + lambda sum (second differences of z)^2, w 0 in "
    "gaps; Savitzky-Golay: polynomial of the given order through the window, gaps interpolated first",
)
def smooth_series(
    file_list: Annotated[list[str], Reads()],
    output_paths: Annotated[list[str], Writes("smooth", keeps_role=True)],
    method: Method = "whittaker",
    smoothness: float = 10.0,
    window: int = 7,
    order: int = 2,
    gaps_only: bool = False,
) -> list[str]:
    """Smooth series of rasters whose gaps are filled: by Whittaker or Savitzky-Golay, pixel by pixel.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable in the order of time, clouds masked; five or more, at even steps.
    output_paths : list of str
        GeoTIFFs to write, one per raster; nodata where a pixel has fewer than five valid dates.
    method : str
        ``whittaker`` (also fits gaps at the ends) or ``savitzky_golay``.
    smoothness : float
        Lambda of ``whittaker``, above 0: 1 follows the values, 1000 leaves the slow course.
    window : int
        Dates in the window of ``savitzky_golay``, odd, and more than ``order``.
    order : int
        Of the polynomial of ``savitzky_golay``.
    gaps_only : bool
        Keep the values that are there and fill the gaps alone.

    Returns
    -------
    list of str
        Result saved at PATH, for each raster.
    """
    stack = stack_of(file_list, at_least=FEWEST)
    if method == "savitzky_golay" and (window % 2 == 0 or not order < window <= len(stack) or order < 0):
        raise InputError(
            f"The argument 'window' is {window} for the order {order} and {len(stack)} dates.",
            "Give an odd number above the order and not above the number of dates.",
        )
    if not smoothness > 0:
        raise InputError(f"The argument 'smoothness' is {smoothness:g}.", "Give a number above 0.")
    moments, per = moments_of(stack, None)
    steps = np.diff(moments)
    if (steps <= 0).any():
        raise InputError("The rasters are not in the order of time.", "Sort them by date, one for each date.")
    if per == "year" and np.ptp(steps) > UNEVEN * steps.mean():
        current_context().warn(
            f"The dates are {365 * steps.min():.0f} to {365 * steps.max():.0f} days apart; they were taken "
            f"as even "
            "steps."
        )

    def smooth(stack: Floats) -> Floats:
        values = stack.astype(np.float64)
        there = ~np.isnan(values)
        if method == "whittaker":
            found = whittaker(values, smoothness)
        else:
            found = savitzky_golay(values, window, order)
        found = np.where(there.sum(axis=0) >= FEWEST, found, np.nan)
        return np.where(there, values, found) if gaps_only else found

    role = common_role(stack)
    products = map_dates(smooth, stack, output_paths, role=role, unit=stack[0].unit)
    return [report_saved(product) for product in products]


def whittaker(values: Floats, smoothness: float) -> Floats:
    """Return the smooth series of each pixel, (n, ...); NaN has no weight."""
    flat = np.ascontiguousarray(values.reshape(len(values), -1))
    if "whittaker" not in _compiled:
        _compiled["whittaker"] = compile_function(_whittaker_loop)
    return _compiled["whittaker"](flat, smoothness).reshape(values.shape)


def savitzky_golay(values: Floats, window: int, order: int) -> Floats:
    """Return the smooth series of each pixel, (n, ...); gaps are interpolated linearly before."""
    from scipy.signal import savgol_filter

    return savgol_filter(fill_linearly(values), window, order, axis=0, mode="interp")


def fill_linearly(values: Floats) -> Floats:
    """Return series (n, ...) with gaps interpolated linearly, and ends continued by the nearest value."""
    there = ~np.isnan(values)
    places = np.arange(len(values)).reshape((-1, *[1] * (values.ndim - 1)))
    before = np.maximum.accumulate(np.where(there, places, -1), axis=0)
    after = np.minimum.accumulate(np.where(there, places, len(values))[::-1], axis=0)[::-1]
    none_before, none_after = before < 0, after >= len(values)
    before = np.where(none_before, after, before)
    after = np.where(none_after, before, after)
    empty = (before < 0) | (before >= len(values)) | (after >= len(values)) | (after < 0)
    before, after = (np.where(empty, 0, place) for place in (before, after))
    low, high = np.take_along_axis(values, before, 0), np.take_along_axis(values, after, 0)
    share = (places - before) / np.where(after > before, after - before, 1)
    return np.where(empty, np.nan, low + (high - low) * share)


def _whittaker_loop(values, smoothness):  # type: ignore[no-untyped-def]
    count, pixels = values.shape
    result = np.full((count, pixels), np.nan)
    # D'D of the second differences D has five diagonals.
    own, beside = np.zeros(count), np.zeros(count)
    for k in range(count - 2):
        own[k : k + 3] += np.array([1.0, 4.0, 1.0])
        beside[k : k + 2] -= 2.0
    # The factors L and D of W + lambda D'D. Two zeros before the first date, and two solutions of zero behind
    # the last, spare the ends a case of their own.
    diagonal, first, second = np.zeros(count + 2), np.zeros(count + 2), np.zeros(count + 2)
    ahead, solution = np.zeros(count + 2), np.zeros(count + 2)
    for pixel in range(pixels):
        valid = ~np.isnan(values[:, pixel])
        if valid.sum() < 2:
            continue
        for k in range(count):
            i = k + 2
            d = smoothness * own[k] + (1.0 if valid[k] else 0.0)
            d -= first[i - 1] ** 2 * diagonal[i - 1] + second[i - 2] ** 2 * diagonal[i - 2]
            diagonal[i] = d
            first[i] = (smoothness * beside[k] - diagonal[i - 1] * first[i - 1] * second[i - 1]) / d
            second[i] = smoothness / d
            z = values[k, pixel] if valid[k] else 0.0
            ahead[i] = z - first[i - 1] * ahead[i - 1] - second[i - 2] * ahead[i - 2]
        for k in range(count - 1, -1, -1):
            i = k + 2
            solution[k] = ahead[i] / diagonal[i] - first[i] * solution[k + 1] - second[i] * solution[k + 2]
        result[:, pixel] = solution[:count]
    return result
