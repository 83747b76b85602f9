"""Statistics of a band that compute no more than is asked, for the many images of a series."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray

from toolkit.errors import NoValidPixels
from toolkit.raster import RasterStatistics, Source, reduce_pixels, source, statistics
from toolkit.raster.moments import Moments

LARGEST_SORT = 4_000_000
PIECE = 1 << 16


def image_statistics(
    address: str | Source, percentiles: Sequence[float] = (), order: int = 4
) -> RasterStatistics:
    """Return the statistics of the valid pixels of a band, as the engine's ``statistics`` does.

    Parameters
    ----------
    address : str or Source
        One band.
    percentiles : sequence of float
        0 to 100.
    order : int
        Highest moment that is needed: 1 for mean, sum and extremes, 2 for the deviation, 4 for
        skewness and kurtosis. What needs a higher one is meaningless in the result.

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
    of_block = partial(moments_of, order=order)
    moments = reduce_pixels(of_block, Moments.merge, {"values": origin}, label="statistics")
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
    return moments_of(values).statistics(
        _pixels(origin), dict(zip(percentiles, found.tolist(), strict=True)), origin.unit
    )


def moments_of(values: NDArray[np.floating], order: int = 4) -> Moments:
    """Return the moments of the values that are not NaN; those above the order are 0.

    Piece by piece, so that what is computed on the way stays in the processor's cache.
    """
    flat = values.reshape(-1)
    pieces = (flat[start : start + PIECE] for start in range(0, flat.size, PIECE))
    return reduce(Moments.merge, (_of_piece(piece, order) for piece in pieces), Moments())


def _of_piece(piece: NDArray[np.floating], order: int) -> Moments:
    missing = np.isnan(piece)
    exact = (piece[~missing] if missing.any() else piece).astype(np.float64)
    if not exact.size:
        return Moments()
    mean = float(exact.mean())
    low, high = float(exact.min()), float(exact.max())
    if order < 2:
        return Moments(exact.size, mean, low=low, high=high)
    exact -= mean
    second = _dot(exact, exact)
    if order < 3:
        return Moments(exact.size, mean, second, low=low, high=high)
    squares = exact * exact
    third, fourth = _dot(squares, exact), _dot(squares, squares)
    return Moments(exact.size, mean, second, third, fourth, low, high)


def _dot(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    # The linear-algebra library would start threads of its own, inside ours.
    return float(np.einsum("i,i->", first, second))


def _require(count: int, origin: Source) -> None:
    if not count:
        raise NoValidPixels(f"No pixel of {origin.name} is valid.", "Check nodata, clouds and extent.")


def _pixels(origin: Source) -> int:
    return origin.description.width * origin.description.height
