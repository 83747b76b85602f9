"""From rasters to numbers, by blocks: partial results that merge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from rasterio.enums import Resampling
from rasterio.windows import Window

from treeline.toolkit.errors import NoValidPixels
from treeline.toolkit.raster.blocks import plan, stream
from treeline.toolkit.raster.reading import Input, Reader
from treeline.toolkit.raster.source import Source, source

Partial = TypeVar("Partial")
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
    sliced: bool = False,
    resampling: Resampling | None = None,
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
    sliced : bool
        Call the function with a few rows at a time, which is faster where partial results are small.
    resampling : Resampling, optional
        How rasters come to the grid of the first; default: as Reader has it.

    Returns
    -------
    The merged result of all blocks.
    """
    with Reader(inputs, raw=raw, resampling=resampling) as reader:

        def work(window: Window) -> Partial:
            loaded = reader.load(window)
            # Slices fit the processor's cache, for functions to which it is the same how the window is
            # divided.
            several = loaded.slices() if sliced else (loaded.whole(),)
            return reduce(merge, (function(**arrays) for arrays in several))

        return reduce_windows(work, merge, reader, label)


def add(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the sums of two partial results, number by number and array by array."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


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
        valid = all_valid(arrays)
        return int(np.count_nonzero(condition(**arrays) & valid)), int(np.count_nonzero(valid))

    met, valid = reduce_pixels(
        count, lambda a, b: (a[0] + b[0], a[1] + b[1]), inputs, label="share", sliced=True
    )
    if not valid:
        raise no_valid_pixels_error(
            source(next(iter(inputs.values()))), " in all the rasters" if len(inputs) > 1 else ""
        )
    return Share(met, valid)


def reduce_windows(
    work: Callable[[Window], Partial],
    merge: Callable[[Partial, Partial], Partial],
    reader: Reader,
    label: str,
) -> Partial:
    """Reduce the windows of what a reader reads to one value.

    Parameters
    ----------
    work : callable
        From a window to a partial result; runs in threads, for a piece of a window at a time.
    merge : callable
        Joins two partial results; in the order of the windows, so that sums are the same in each run.
    label : str
        What a person reads beside the progress.

    Raises
    ------
    Stopped
        The person stopped the work.
    """
    blocks = plan(reader)

    def merge_pieces(window: Window) -> Partial:
        with np.errstate(all="ignore"):
            return reduce(merge, (work(piece) for piece in blocks.pieces(window)))

    return reduce(merge, (partial for _, partial in stream(merge_pieces, blocks, label)))


def all_valid(arrays: Mapping[str, NDArray[np.floating]]) -> NDArray[np.bool_]:
    """Return where all the arrays have a value."""
    return reduce(np.logical_and, (~np.isnan(values) for values in arrays.values()))


def no_valid_pixels_error(origin: Source, where: str = "") -> NoValidPixels:
    """Return the error of a raster without valid pixels."""
    values = ", ".join(f"{value:g}" for value in origin.band.fill)
    fill = f" (fill {values})" if values and not where else ""
    return NoValidPixels(
        f"No pixel of {origin.name}{fill} is valid{where}.", "Check nodata, clouds and extent."
    )
