"""Single points, previews and whole small rasters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from rasterio.warp import transform
from rasterio.windows import Window

from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.raster.datasets import Datasets
from treeline.toolkit.raster.grid import Grid, transform_points
from treeline.toolkit.raster.reading import Arrays, Input, Layer, Reader, read_stored
from treeline.toolkit.raster.settings import TILE
from treeline.toolkit.raster.source import Source, source

# Tools that need all pixels at once make several arrays of this size.
LARGEST_WHOLE = 50_000_000


def values_at(
    address: Input, points: Sequence[tuple[float, float]], *, crs: str | None = None
) -> NDArray[np.float64]:
    """Return the physical value of the pixel under each point.

    Parameters
    ----------
    points : sequence of (x, y)
        Coordinates.
    crs : str, optional
        CRS of the points, such as ``EPSG:4326`` (x is the longitude); default: the raster's own.

    Returns
    -------
    ndarray
        NaN where a point is masked or outside.

    Raises
    ------
    GridMismatch
        The raster has no CRS and the points have one.
    """
    origin = source(address)
    columns, rows = _pixels_of(origin.grid, points, crs)
    result = np.full(len(points), np.nan)
    inside = (columns >= 0) & (columns < origin.grid.width) & (rows >= 0) & (rows < origin.grid.height)
    layer = Layer(origin, False, None)
    with Datasets() as datasets, datasets.lend(origin.path) as opened:
        for together in _by_block(rows, columns, np.flatnonzero(inside)):
            down, over = rows[together].astype(np.intp), columns[together].astype(np.intp)
            top, left = int(down.min()), int(over.min())
            window = Window(left, top, int(over.max()) - left + 1, int(down.max()) - top + 1)
            values = read_stored(opened, [layer], window)[0].physical()
            result[together] = values[down - top, over - left]
    return result


def _by_block(
    rows: NDArray[np.floating], columns: NDArray[np.floating], chosen: NDArray[np.intp]
) -> list[NDArray[np.intp]]:
    """Return the points that lie in one block of the file together, so that each is decoded once."""
    if not chosen.size:
        return []
    down, over = (rows[chosen] // TILE).astype(np.intp), (columns[chosen] // TILE).astype(np.intp)
    # Sorted by block, so that points of one block stand together.
    order = np.lexsort((over, down))
    apart = (np.diff(down[order]) != 0) | (np.diff(over[order]) != 0)
    return np.split(chosen[order], np.flatnonzero(apart) + 1)


def pixel_at(
    bands: Sequence[Source], point: tuple[float, float], *, crs: str | None = None
) -> list[float] | None:
    """Return the physical values of bands of one file in the pixel under a point.

    Parameters
    ----------
    crs : str, optional
        CRS of the point; default: the raster's own.

    Returns
    -------
    list of float or None
        NaN where a band is masked; ``None`` where the point is outside.

    Raises
    ------
    GridMismatch
        The raster has no CRS and the point has one.
    """
    grid = bands[0].grid
    (column,), (row,) = _pixels_of(grid, [point], crs)
    if not (0 <= column < grid.width and 0 <= row < grid.height):
        return None
    layers = [Layer(band, False, None) for band in bands]
    with Datasets() as datasets, datasets.lend(bands[0].path) as opened:
        found = read_stored(opened, layers, Window(int(column), int(row), 1, 1))
    return [float(stored.physical()[0, 0]) for stored in found]


def read_small(address: Input, max_size: int = 1024, window: Window | None = None) -> NDArray[np.floating]:
    """Return a preview of at most ``max_size`` pixels a side: every n-th pixel, masked ones NaN.

    Parameters
    ----------
    window : Window, optional
        The part of the raster that is shown; without it, all of it.

    Returns
    -------
    ndarray
        Physical values of shape (rows, columns). Statistics of them are not those of the raster.

    Raises
    ------
    RasterMissing, RasterUnreadable
        There is no such raster, or it cannot be read.
    """
    origin = source(address)
    seen = window or Window(0, 0, origin.grid.width, origin.grid.height)
    factor = max(1.0, max(seen.height, seen.width) / max_size)
    shape = max(1, round(seen.height / factor)), max(1, round(seen.width / factor))
    with Datasets() as datasets, datasets.lend(origin.path) as opened:
        return read_stored(opened, [Layer(origin, False, None)], seen, shape)[0].physical()


def read_arrays(
    inputs: Mapping[str, Input | Sequence[Input]],
    *,
    raw: bool = False,
    max_pixels: int = LARGEST_WHOLE,
    beyond: bool = False,
) -> tuple[Arrays, Grid]:
    """Return whole aligned arrays and their grid, for tools that need a small raster at once.

    Parameters
    ----------
    beyond : bool
        Outside of the area of interest too, see :class:`treeline.toolkit.raster.reading.Reader`.

    Raises
    ------
    InputError
        The rasters have more pixels than ``max_pixels`` together.
    """
    with Reader(inputs, raw=raw, beyond=beyond) as reader:
        grid = reader.grid
        pixels = grid.width * grid.height * len(reader.sources)
        if pixels > max_pixels:
            raise InputError(
                f"{reader.sources[0].name} is too large to be held in memory at once "
                f"({grid.width} x {grid.height} x {len(reader.sources)} pixels, at most {max_pixels}).",
                "Cut out a part of it first.",
            )
        return reader.read(Window(0, 0, grid.width, grid.height)), grid


def _pixels_of(
    grid: Grid, points: Sequence[tuple[float, float]], crs: str | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    xs, ys = np.asarray(points, dtype="float64").reshape(-1, 2).T
    if crs is not None:
        if grid.crs_object is None:
            raise GridMismatch(
                "The raster has no CRS, so the points cannot be found in it.", "Give the file a CRS."
            )
        found = transform(crs, grid.crs_object, xs, ys)
        xs, ys = np.asarray(found[0]), np.asarray(found[1])
        if grid.crs_object.is_geographic:
            # A raster across the antimeridian runs beyond 180 degrees, one of the globe may from 0 to 360.
            west = grid.bounds[0]
            xs = np.where((xs >= west) & (xs <= grid.bounds[2]), xs, west + np.mod(xs - west, 360.0))
    columns, rows = transform_points(~grid.affine, xs, ys)
    return np.floor(columns), np.floor(rows)
