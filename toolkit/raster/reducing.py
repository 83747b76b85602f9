"""From rasters to numbers, by blocks: partial results that merge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from rasterio.windows import Window

from toolkit.errors import NoValidPixels
from toolkit.raster.blocks import plan, stream
from toolkit.raster.masking import working_type
from toolkit.raster.moments import Histogram, Moments, RasterStatistics
from toolkit.raster.reading import Input, Reader
from toolkit.raster.selection import percentile_ranks, select
from toolkit.raster.source import Source, source

Partial = TypeVar("Partial")
CONDITION_PREFIX = "condition_"
Condition = Callable[..., NDArray[np.bool_]]


@dataclass(frozen=True)
class Share:
    """How many of the valid pixels meet a condition."""

    met: int
    valid: int

    @property
    def fraction(self) -> float:
        """From 0 to 1."""
        return self.met / self.valid

    @property
    def percent(self) -> float:
        """From 0 to 100."""
        return 100.0 * self.fraction


def reduce_pixels(
    function: Callable[..., Partial],
    merge: Callable[[Partial, Partial], Partial],
    inputs: Mapping[str, Input | Sequence[Input]],
    *,
    raw: bool = False,
    label: str = "reduce",
) -> Partial:
    """Reduce rasters to one value, block by block.

    Parameters
    ----------
    function : callable
        ``function(**arrays)`` of one block (as in :func:`map_pixels`) to a partial result.
    merge : callable
        Two partial results to that of both; called in the order of the blocks.
    inputs : mapping
        Argument name to a source, its address, or a sequence of them.

    Returns
    -------
    The merged result of all blocks.
    """
    with Reader(inputs, raw=raw) as reader:
        return _reduce(lambda window: function(**reader.read(window)), merge, reader, label)


def share(condition: Condition, inputs: Mapping[str, Input]) -> Share:
    """Count the pixels that meet a condition.

    Parameters
    ----------
    condition : callable
        ``condition(**arrays)`` to booleans of the same shape.
    inputs : mapping
        Argument name to a source. A pixel that is masked in any of them is not counted.

    Raises
    ------
    NoValidPixels
        No pixel is valid in all inputs.
    """

    def count(**arrays: NDArray[np.floating]) -> tuple[int, int]:
        valid = _all_valid(arrays)
        return int(np.count_nonzero(condition(**arrays) & valid)), int(np.count_nonzero(valid))

    met, valid = reduce_pixels(count, lambda a, b: (a[0] + b[0], a[1] + b[1]), inputs, label="share")
    if not valid:
        raise _nothing_valid(
            source(next(iter(inputs.values()))), " in all the rasters" if len(inputs) > 1 else ""
        )
    return Share(met, valid)


def statistics(address: Input, *, percentiles: Sequence[float] = ()) -> RasterStatistics:
    """Return the statistics of the valid pixels of a band.

    Parameters
    ----------
    address : Source or str
        One band.
    percentiles : sequence of float
        0 to 100; exact, linearly interpolated.

    Raises
    ------
    NoValidPixels
        Every pixel is masked.
    """
    origin = source(address)
    if np.dtype(origin.description.dtype).kind in "iu" and np.dtype(origin.description.dtype).itemsize <= 2:
        return _integer_statistics(origin, percentiles)
    return _float_statistics(origin, lambda value: value, {}, percentiles)


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

    def chosen(value: NDArray[np.floating], **prefixed: NDArray[np.floating]) -> NDArray[np.floating]:
        arrays = {name.removeprefix(CONDITION_PREFIX): array for name, array in prefixed.items()}
        return np.where(condition(**arrays) & _all_valid(arrays), value, np.nan)

    return _float_statistics(source(value), chosen, names, percentiles)


def _integer_statistics(origin: Source, percentiles: Sequence[float]) -> RasterStatistics:
    with Reader({"value": origin}) as reader:
        histogram = _reduce(lambda w: Histogram.of(*reader.stored(w)), Histogram.merge, reader, "statistics")
    values, counts = histogram.levels(origin.band.scale, origin.band.offset)
    if not values.size:
        raise _nothing_valid(origin)
    total, below = int(counts.sum()), np.cumsum(counts)

    def at(rank: int) -> float:
        return float(values[np.searchsorted(below, rank, side="right")])

    found = {p: _between(p, total, at) for p in percentiles}
    return Moments.of(values, counts).statistics(_pixels(origin), found, origin.unit)


def _float_statistics(
    origin: Source, values_of: Callable[..., NDArray[np.floating]], inputs: Mapping[str, Input],
    percentiles: Sequence[float],
) -> RasterStatistics:  # fmt: skip
    kind = working_type(origin.description.dtype)
    with Reader({"value": origin, **inputs}) as reader:

        def valid_values(window: Window) -> NDArray[np.floating]:
            found = values_of(**reader.read(window))
            return found[~np.isnan(found)].astype(kind, copy=False)

        moments = _reduce(lambda w: Moments.of(valid_values(w)), Moments.merge, reader, "statistics")
        if not moments.count:
            raise _nothing_valid(origin, " where the condition is met" if inputs else "")
        needed = sorted({rank for p in percentiles for rank in percentile_ranks(p, moments.count)[:2]})

        def count_pass(count: Callable[[NDArray[np.floating]], NDArray[np.int64]]) -> NDArray[np.int64]:
            return _reduce(lambda w: count(valid_values(w)), np.add, reader, "percentiles")

        at = select(count_pass, needed, kind) if needed else {}
    found = {p: _between(p, moments.count, at.__getitem__) for p in percentiles}
    return moments.statistics(_pixels(origin), found, origin.unit)


def _reduce(
    work: Callable[[Window], Partial],
    merge: Callable[[Partial, Partial], Partial],
    reader: Reader,
    label: str,
) -> Partial:
    blocks = plan(reader)

    def merged(window: Window) -> Partial:
        with np.errstate(all="ignore"):
            return reduce(merge, (work(piece) for piece in blocks.pieces(window)))

    return reduce(merge, (partial for _, partial in stream(merged, blocks, label)))


def _all_valid(arrays: Mapping[str, NDArray[np.floating]]) -> NDArray[np.bool_]:
    return np.logical_and.reduce([~np.isnan(values) for values in arrays.values()])


def _between(percentile: float, count: int, at: Callable[[int], float]) -> float:
    low, high, weight = percentile_ranks(percentile, count)
    return at(low) * (1.0 - weight) + at(high) * weight if weight else at(low)


def _pixels(origin: Source) -> int:
    return origin.description.width * origin.description.height


def _nothing_valid(origin: Source, where: str = "") -> NoValidPixels:
    return NoValidPixels(f"No pixel of {origin.name} is valid{where}.", "Check nodata, clouds and extent.")
