"""Bands as a view needs them: on the pixels of a screen, read no finer than these are."""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rasterio._err import CPLE_BaseError
from rasterio.enums import Interleaving
from rasterio.errors import CRSError, RasterioError
from rasterio.warp import transform, transform_bounds
from rasterio.windows import Window

from treeline.toolkit.errors import RasterMissing
from treeline.toolkit.raster.datasets import Datasets, KeptDatasets, OpenDataset
from treeline.toolkit.raster.grid import Grid, transform_points
from treeline.toolkit.raster.reading import Layer, read_stored
from treeline.toolkit.raster.source import Source

# Places between these are interpolated: over so few pixels of a screen a projection is as good as linear.
NODES = 33
# What is read may be so much finer than the view; the nearest pixel is then at most half of one off.
FINER = 2
# Bytes of blocks that are decoded for a view of a raster without overviews. Of strips fewer rows are looked
# at, which is hardly seen; of tiles only what would take the time of an attack is left out.
OF_STRIPS, OF_TILES = 128 * 2**20, 4 * 2**30
# Pixels a side, and how many such bands or colour images stay in memory.
SMALL = 1024
# Each holds some megabytes; a map is drawn from them again and again while a person pans it.
KEPT = 24
_PROJECTION_FAULTS = (RasterioError, CRSError, CPLE_BaseError)

_locks: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)


def read_view(
    sources: Sequence[Source], view: Grid, kept: KeptDatasets | None = None
) -> list[NDArray[np.floating]] | None:
    """Return the physical values of bands of one file on the pixels of a view, by the nearest neighbour.

    Only these bands are read, only the part that is seen, and thinned where the raster is finer than the
    view, from overviews where there are any.

    Parameters
    ----------
    sources : sequence of Source
        Bands of one file, which has a CRS.
    view : Grid
        Of the screen, with a CRS.
    kept : KeptDatasets, optional
        Of a file that never changes, so that it may stay open.

    Returns
    -------
    list of ndarray or None
        NaN where there is no data; ``None`` where nothing of the raster is seen.

    Raises
    ------
    RasterUnreadable
        The file is damaged or gone.
    """
    own = sources[0].grid
    seen = _window_in_view(own, view)
    if seen is None:
        return None
    columns, rows = _places(own, view, seen)
    inside = (columns >= 0) & (columns < own.width) & (rows >= 0) & (rows < own.height)
    if not inside.any():
        return None
    columns, rows = np.floor(columns[inside]).astype(int), np.floor(rows[inside]).astype(int)
    window = Window(columns.min(), rows.min(), columns.max() - columns.min() + 1, rows.max() - rows.min() + 1)
    shape = (_thin(window.height, seen.height), _thin(window.width, seen.width))
    finest = max(window.height / shape[0], window.width / shape[1])
    # The small copy of the whole raster is fine enough for this view.
    if finest * SMALL >= max(own.shape):
        bands, window = read_whole(tuple(sources)), Window(0, 0, own.width, own.height)
    else:
        bands = _read(sources, window, shape, kept)
    height, width = bands[0].shape
    at = (
        (rows - window.row_off) * height // window.height,
        (columns - window.col_off) * width // window.width,
    )
    part = (slice(seen.row_off, seen.row_off + seen.height), slice(seen.col_off, seen.col_off + seen.width))
    return [_lay(band, at, inside, part, view) for band in bands]


def _read(
    sources: Sequence[Source], window: Window, shape: tuple[int, int], kept: KeptDatasets | None = None
) -> list[NDArray[np.floating]]:
    layers = [Layer(source, False, None) for source in sources]
    with Datasets() as datasets, (kept or datasets).lend(sources[0].path) as opened:
        affordable = _affordable(opened, window, shape)
        return [band.physical() for band in read_stored(opened, layers, window, affordable)]


def _affordable(opened: OpenDataset, window: Window, shape: tuple[int, int]) -> tuple[int, int]:
    """Return fewer pixels where so many would have more decoded than there is time for.

    Without overviews each pixel that is picked takes its whole block.
    """
    dataset = opened.dataset
    if dataset.overviews(1):
        return shape
    down, over = (
        max(1, min(count, math.ceil(length / side)))
        for count, length, side in zip(shape, (window.height, window.width), opened.block_shape, strict=True)
    )
    bands = dataset.count if dataset.interleaving == Interleaving.pixel else 1
    block = math.prod(opened.block_shape) * bands * np.dtype(dataset.dtypes[0]).itemsize
    excess = down * over * block / (OF_STRIPS if over == 1 else OF_TILES)
    if excess <= 1:
        return shape
    # Along strips nothing is gained by leaving out columns.
    share = 1 / math.sqrt(excess) if over > 1 else 1 / excess
    rows = max(1, int(down * share))
    return (rows, shape[1]) if over == 1 else (rows, max(1, int(over * share)))


def read_whole(sources: tuple[Source, ...]) -> list[NDArray[np.floating]]:
    """Return whole bands of one file, thinned; kept, since every view of a whole scene wants them again.

    Bands are read at once: in a file that holds them pixel by pixel one costs as much as all.

    Raises
    ------
    RasterMissing, RasterUnreadable
    """
    path = sources[0].path
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise RasterMissing(f"There is no file {path.name!r} any more.") from error
    with _locks[path]:  # several tiles are asked for at once; one reads and the others wait
        return _read_small_copy(sources, changed)


@lru_cache(maxsize=KEPT)
def _read_small_copy(sources: tuple[Source, ...], changed: int) -> list[NDArray[np.floating]]:
    height, width = sources[0].grid.shape
    factor = max(1.0, max(height, width) / SMALL)
    shape = max(1, round(height / factor)), max(1, round(width / factor))
    return _read(sources, Window(0, 0, width, height), shape)


def _lay(
    values: NDArray[np.floating],
    at: tuple[NDArray[np.int_], NDArray[np.int_]],
    inside: NDArray[np.bool_],
    part: tuple[slice, slice],
    view: Grid,
) -> NDArray[np.floating]:
    result = np.full(view.shape, np.nan, dtype=values.dtype)
    result[part][inside] = values[at]
    return result


def _thin(length: int, pixels: int) -> int:
    return min(length, FINER * pixels)


def _window_in_view(own: Grid, view: Grid) -> Window | None:
    """Return the pixels of a view between the bounds of a raster; a projection is not asked beyond them."""
    try:
        bounds = transform_bounds(own.crs_object, view.crs_object, *own.bounds)
    except _PROJECTION_FAULTS:
        return None
    left, bottom, right, top = (
        # A pole is infinitely far off on a map of the world.
        bound if np.isfinite(bound) else edge
        for bound, edge in zip(bounds, view.bounds, strict=True)
    )
    columns, rows = transform_points(~view.affine, np.array([left, right]), np.array([top, bottom]))
    first, last = max(0, int(np.floor(columns[0]))), min(view.width, int(np.ceil(columns[1])))
    upper, lower = max(0, int(np.floor(rows[0]))), min(view.height, int(np.ceil(rows[1])))
    return Window(first, upper, last - first, lower - upper) if first < last and upper < lower else None


def _places(own: Grid, view: Grid, seen: Window) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the column and the row of the raster under the centre of each pixel that is seen."""
    across, along = _nodes(seen.width), _nodes(seen.height)
    columns, rows = np.meshgrid(seen.col_off + across + 0.5, seen.row_off + along + 0.5)
    xs, ys = transform_points(view.affine, columns.ravel(), rows.ravel())
    try:
        xs, ys = (np.asarray(found) for found in transform(view.crs_object, own.crs_object, xs, ys))
    except _PROJECTION_FAULTS:
        nowhere = np.full((seen.height, seen.width), np.nan)
        return nowhere, nowhere
    found = transform_points(~own.affine, xs, ys)
    # Off the map and far from every pixel, but a number: NaN would spread to all pixels between two nodes.
    finite = [np.where(np.isfinite(f), f, -1e12).reshape(rows.shape) for f in found]
    return _between(finite[0], along, across, seen), _between(finite[1], along, across, seen)


def _nodes(pixels: int) -> NDArray[np.float64]:
    return np.linspace(0, pixels - 1, min(pixels, NODES))


def _between(
    values: NDArray[np.float64], along: NDArray[np.float64], across: NDArray[np.float64], seen: Window
) -> NDArray[np.float64]:
    """Return values at nodes, interpolated to each pixel that is seen.

    A product of matrices would say the same, but wakes threads of its own, which costs more than it computes.
    """
    first, share = _cells(along, seen.height)
    rows = values[first] + (values[first + (share > 0)] - values[first]) * share[:, np.newaxis]
    first, share = _cells(across, seen.width)
    return rows[:, first] + (rows[:, first + (share > 0)] - rows[:, first]) * share


def _cells(nodes: NDArray[np.float64], pixels: int) -> tuple[NDArray[np.int_], NDArray[np.float64]]:
    """Return the node before each pixel, and how far the pixel is on the way to the next, from 0 to 1."""
    step = nodes[1] - nodes[0] if len(nodes) > 1 else 1.0
    place = np.minimum(np.arange(pixels) / step, len(nodes) - 1)
    first = np.floor(place).astype(int)
    return first, place - first
