"""Statistics of the valid pixels of a band, no more than is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from treeline.toolkit.context import current_context
from treeline.toolkit.raster.area_mask import pixels_inside
from treeline.toolkit.raster.masking import Decoding, working_type
from treeline.toolkit.raster.moments import Histogram, Moments, RasterStatistics
from treeline.toolkit.raster.reading import Input, Reader
from treeline.toolkit.raster.reducing import (
    Condition,
    all_valid,
    no_valid_pixels_error,
    reduce_pixels,
    reduce_windows,
)
from treeline.toolkit.raster.selection import percentile_ranks, select
from treeline.toolkit.raster.source import Source, source

CONDITION_PREFIX = "condition_"
# Up to here one sort in memory is quicker than the passes of :mod:`.selection`.
LARGEST_SORT = 4_000_000


def statistics(address: Input, *, percentiles: Sequence[float] = (), order: int = 4) -> RasterStatistics:
    """Return the statistics of the valid pixels of a band.

    Parameters
    ----------
    address : Source or str
        One band.
    percentiles : sequence of float
        0 to 100; exact, linearly interpolated.
    order : int
        Highest moment that is needed: 1 for mean, sum and extremes, 2 for the deviation, 4 for
        skewness and kurtosis. What needs a higher one is meaningless in the result.

    Raises
    ------
    NoValidPixels
        Every pixel is masked.
    """
    origin = source(address)
    kind = np.dtype(origin.description.dtype)
    # Integers of 8 and 16 bits are counted by value, which gives every statistic exactly in one pass.
    if kind.kind in "iu" and kind.itemsize <= 2:
        return _integer_statistics(origin, percentiles)
    if percentiles and kind.kind == "f" and _pixels(origin) <= LARGEST_SORT:
        return _sorted_statistics(origin, percentiles)
    return _float_statistics(origin, lambda value: value, {}, percentiles, order)


def conditional_statistics(
    value: Input, condition: Condition, inputs: Mapping[str, Input], *, percentiles: Sequence[float] = ()
) -> RasterStatistics:
    """Return the statistics of a band where other bands meet a condition.

    Parameters
    ----------
    value : Source or str
        The band whose values count; it decides the grid.
    condition : callable
        ``condition(**arrays)`` of the ``inputs`` to booleans.

    Raises
    ------
    NoValidPixels
        No valid pixel meets the condition.
    """
    names = {f"{CONDITION_PREFIX}{name}": given for name, given in inputs.items()}

    def choose(value: NDArray[np.floating], **prefixed: NDArray[np.floating]) -> NDArray[np.floating]:
        arrays = {name.removeprefix(CONDITION_PREFIX): array for name, array in prefixed.items()}
        return np.where(condition(**arrays) & all_valid(arrays), value, np.nan)

    return _float_statistics(source(value), choose, names, percentiles)


def _integer_statistics(origin: Source, percentiles: Sequence[float]) -> RasterStatistics:
    values, counts = _levels(origin)
    if not values.size:
        raise no_valid_pixels_error(origin)
    total, below = int(counts.sum()), np.cumsum(counts)

    def at(rank: int) -> float:
        return float(values[np.searchsorted(below, rank, side="right")])

    found = {p: _between(p, total, at) for p in percentiles}
    return Moments.of_weighted_values(values, counts).statistics(_pixels(origin), found, origin.unit)


def _levels(origin: Source) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the physical values that occur in a band of integers, ascending, and how often."""
    with Reader({"value": origin}) as reader:

        def count(window: Window) -> tuple[Histogram, Decoding]:
            stored = reader.load(window).layers["value"][0]
            values = stored.values if stored.mask is None else stored.values[stored.mask > 0]
            return Histogram.of(values), stored.decoding

        found, decoding = reduce_windows(count, lambda a, b: (a[0].merge(b[0]), b[1]), reader, "statistics")
        levels, counts = found.levels()
        # Where the file has no mask, whether a pixel is valid depends on its value alone.
        invalid = decoding.invalid(levels, None, counts)
    valid = slice(None) if invalid is None else ~invalid
    values = decoding.physical(levels[valid].astype("float64"), None)
    # A negative scale, and Planck's law for some, turns the order of stored values around.
    order = np.argsort(values)
    return values[order], counts[valid][order]


def _sorted_statistics(origin: Source, percentiles: Sequence[float]) -> RasterStatistics:
    """Hold the values at once: so few are sorted sooner than read twice."""
    parts = reduce_pixels(
        lambda values: [values[~np.isnan(values)]], lambda a, b: a + b, {"values": origin}, label="statistics"
    )
    values = np.concatenate(parts)
    if not values.size:
        raise no_valid_pixels_error(origin)
    found = np.percentile(values, percentiles, overwrite_input=True).astype(float)
    by_percentile = dict(zip(percentiles, found.tolist(), strict=True))
    return Moments.of(values).statistics(_pixels(origin), by_percentile, origin.unit)


def _float_statistics(
    origin: Source,
    values_of: Callable[..., NDArray[np.floating]],
    inputs: Mapping[str, Input],
    percentiles: Sequence[float],
    order: int = 4,
) -> RasterStatistics:
    kind = working_type(origin.description.dtype)
    with Reader({"value": origin, **inputs}) as reader:

        def moments_in(window: Window) -> Moments:
            slices = reader.load(window).slices()
            return reduce(Moments.merge, (Moments.of(values_of(**arrays), order) for arrays in slices))

        def valid_values(window: Window) -> NDArray[np.floating]:
            found = values_of(**reader.read(window))
            return found[~np.isnan(found)].astype(kind, copy=False)

        moments = reduce_windows(moments_in, Moments.merge, reader, "statistics")
        if not moments.count:
            raise no_valid_pixels_error(origin, " where the condition is met" if inputs else "")
        needed = sorted({rank for p in percentiles for rank in percentile_ranks(p, moments.count)[:2]})

        def count_pass(count: Callable[[NDArray[np.floating]], NDArray[np.int64]]) -> NDArray[np.int64]:
            return reduce_windows(lambda w: count(valid_values(w)), np.add, reader, "percentiles")

        at = select(count_pass, needed, kind) if needed else {}
    found = {p: _between(p, moments.count, at.__getitem__) for p in percentiles}
    return moments.statistics(_pixels(origin), found, origin.unit)


def _between(percentile: float, count: int, at: Callable[[int], float]) -> float:
    low, high, weight = percentile_ranks(percentile, count)
    return at(low) * (1.0 - weight) + at(high) * weight if weight else at(low)


def _pixels(origin: Source) -> int:
    return pixels_inside(current_context().area, origin.grid)
