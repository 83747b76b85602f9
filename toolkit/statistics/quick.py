"""Statistics of a band in one compiled pass, for the many images of a series."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolkit.compiled import compiled
from toolkit.errors import NoValidPixels
from toolkit.raster import RasterStatistics, Source, reduce_pixels, source, statistics
from toolkit.raster.moments import Moments

LARGEST_SORT = 4_000_000


def image_statistics(address: str | Source, percentiles: Sequence[float] = ()) -> RasterStatistics:
    """Return the statistics of the valid pixels of a band, as the engine's ``statistics`` does.

    Raises
    ------
    NoValidPixels
        Every pixel is masked.
    """
    origin = source(address)
    if percentiles and not _sortable(origin):
        return statistics(origin, percentiles=percentiles)
    if percentiles:
        return _of_values(origin, percentiles)
    moments = reduce_pixels(_moments, Moments.merge, {"values": origin}, label="statistics")
    _require(moments.count, origin)
    return moments.statistics(_pixels(origin), {}, origin.unit)


def _sortable(origin: Source) -> bool:
    """Whether sorting beats the engine's ways: floats that are few enough to be held at once."""
    return np.dtype(origin.description.dtype).kind == "f" and _pixels(origin) <= LARGEST_SORT


def _of_values(origin: Source, percentiles: Sequence[float]) -> RasterStatistics:
    parts = reduce_pixels(
        lambda values: [values[~np.isnan(values)]], lambda a, b: a + b, {"values": origin}, label="statistics"
    )
    values = np.concatenate(parts)
    _require(values.size, origin)
    found = np.percentile(values, percentiles, overwrite_input=True).astype(float)
    return _moments(values[np.newaxis]).statistics(
        _pixels(origin), dict(zip(percentiles, found.tolist(), strict=True)), origin.unit
    )


def _moments(values: NDArray[np.floating]) -> Moments:
    count, *rest = _kernel()(np.ascontiguousarray(values))
    return Moments(int(count), *rest) if count else Moments()


@cache
def _kernel() -> Callable[..., Any]:
    return compiled(_moments_loop, reorder=True)


def _moments_loop(values):  # type: ignore[no-untyped-def]
    rows, columns = values.shape
    count, total = 0, 0.0
    low, high = np.inf, -np.inf
    for row in range(rows):
        line = values[row]
        for column in range(columns):
            value = line[column]
            there = value == value
            count += 1 if there else 0
            total += value if there else 0.0
            low = min(low, value) if there else low
            high = max(high, value) if there else high
    mean = total / count if count else math.nan
    second, third, fourth = 0.0, 0.0, 0.0
    for row in range(rows):
        line = values[row]
        for column in range(columns):
            deviation = line[column] - mean
            deviation = deviation if deviation == deviation else 0.0
            square = deviation * deviation
            second += square
            third += square * deviation
            fourth += square * square
    return count, mean, second, third, fourth, low, high


def _require(count: int, origin: Source) -> None:
    if not count:
        raise NoValidPixels(f"No pixel of {origin.name} is valid.", "Check nodata, clouds and extent.")


def _pixels(origin: Source) -> int:
    return origin.description.width * origin.description.height
