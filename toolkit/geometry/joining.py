"""Several rasters as one: mosaics and stacks; and bands on their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Annotated, Literal

import numpy as np
import shapely.affinity
from numpy.typing import NDArray
from shapely.geometry import box

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geometry.carrying import (
    Resampling,
    carry,
    check_size,
    common_unit,
    method_of,
    roles_of,
    type_of,
)
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Grid, Source, bands_of, map_pixels, source, sources
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.vector import Feature, Features

Stack = NDArray[np.floating]
Method = Literal["first", "last", "mean", "min", "max"]


def _first(stack: Stack) -> Stack:
    return reduce(lambda above, below: np.where(np.isnan(above), below, above), stack)


def _mean(stack: Stack) -> Stack:
    # nanmean warns where no raster is valid, which is no fault here: beside the tiles there is nothing.
    there = ~np.isnan(stack)
    count = there.sum(axis=0)
    return np.where(there, stack, 0).sum(axis=0, dtype=np.float64) / np.where(count > 0, count, np.nan)


_METHODS: Mapping[str, Callable[[Stack], Stack]] = {
    "first": _first,
    "last": lambda stack: _first(stack[::-1]),
    "mean": _mean,
    "min": lambda stack: np.fmin.reduce(stack),
    "max": lambda stack: np.fmax.reduce(stack),
}


@tool(
    kit=GEOMETRY,
    source="GDAL/OGR contributors, GDAL warp (doi:10.5281/zenodo.5884351)",
    gives=Gives("raster", "mosaic"),
    formula="at each pixel the first, last, mean, least or greatest of the rasters that are valid there",
)
def mosaic_rasters(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("mosaic", keeps_role=True)],
    method: Method = "first",
    resampling: Resampling = "auto",
) -> str:
    """Mosaic: neighbouring or overlapping rasters of one variable joined to one.

    Parameters
    ----------
    file_list : list of str
        Rasters of one variable; the CRS and pixel size of the first are taken.
    output_path : str
        GeoTIFF to write, in physical values, over the extent of all.
    method : str
        The value where rasters overlap: the ``first`` in the list, the ``last``, their ``mean``,
        ``min`` or ``max``.
    resampling : str
        As in ``reproject_raster``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    tiles = sources(file_list)
    _warn_of_roles(tiles)
    grid = _joint(tiles)
    check_size(grid)
    product = map_pixels(
        _METHODS[method],
        {"stack": tiles},
        output_path,
        role=tiles[0].role or "",
        unit=tiles[0].unit,
        dtype="float32" if method == "mean" else type_of(tiles, resampling),
        grid=grid,
        resampling=method_of(tiles, resampling),
    )
    return report_saved(product)


@tool(
    kit=GEOMETRY,
    source="GDAL/OGR contributors, GDAL warp (doi:10.5281/zenodo.5884351)",
    gives=Gives("raster", "stack"),
    formula="one band per input, on the grid of the first",
)
def stack_bands(
    file_list: Annotated[list[str], Reads()],
    output_path: Annotated[str, Writes("stack", keeps_role=True)],
    resampling: Resampling = "auto",
) -> str:
    """Stack: rasters as the bands of one file, on the grid of the first.

    Parameters
    ----------
    file_list : list of str
        Rasters; a file of several bands gives all of them, ``file.tif#band`` one.
    output_path : str
        GeoTIFF to write, in physical values; each band keeps its role as its name.
    resampling : str
        As in ``reproject_raster``; for those on other grids.

    Returns
    -------
    str
        Result saved at PATH.
    """
    bands = [band for address in file_list for band in bands_of(address)]
    if not bands:
        raise InputError("The list of rasters is empty.", "Give at least one raster.")
    product = map_pixels(
        lambda bands: bands,
        {"bands": bands},
        output_path,
        role=roles_of(bands),
        unit=common_unit(bands),
        dtype=type_of(bands, resampling),
        resampling=None if resampling == "auto" else method_of(bands, resampling),
    )
    return report_saved(product)


@tool(
    kit=GEOMETRY,
    source="Selection of a band.",
    gives=Gives("raster", "band"),
    formula="the band's physical values",
)
def extract_band(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("band", keeps_role=True)],
    band: str = "1",
) -> str:
    """One band of a raster as a file of its own, in physical values.

    Parameters
    ----------
    input_path : str
        A raster of several bands.
    output_path : str
        GeoTIFF to write.
    band : str
        Its name, role or number from 1, such as ``B04``, ``red`` or ``4``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    chosen = source(f"{bands_of(input_path)[0].path}#{band}")
    return report_saved(carry([chosen], output_path, chosen.grid))


def _joint(tiles: Sequence[Source]) -> Grid:
    """Return the grid of the first raster, extended to hold all."""
    grid = tiles[0].grid
    if any(not tile.grid.crs for tile in tiles):
        bare = next(tile for tile in tiles if not tile.grid.crs)
        raise GridMismatch(f"{bare.name} has no CRS, so its place is unknown.", "Give the file a CRS.")
    places = [_pixels_of(grid, tile) for tile in tiles]
    # A thousandth of a pixel is rounding, and adds no row or column of empty pixels.
    left, top = (math.floor(min(p[n] for p in places) + 1e-3) for n in (0, 1))
    right, bottom = (math.ceil(max(p[n] for p in places) - 1e-3) for n in (2, 3))
    a, b, c, d, e, f = grid.transform
    corner = (a, b, a * left + b * top + c, d, e, d * left + e * top + f)
    return Grid(grid.crs, corner, right - left, bottom - top)


def _pixels_of(grid: Grid, tile: Source) -> tuple[float, float, float, float]:
    """Return the extent of a raster in pixels of a grid: left, top, right, bottom."""
    left, bottom, right, top = tile.grid.bounds
    # A straight edge is bent in another CRS: it is carried over in twenty pieces, not by its corners alone.
    edges = shapely.segmentize(box(left, bottom, right, top), max(right - left, top - bottom) / 20)
    placed = Features(tile.name, tile.grid.crs, (Feature(edges),)).in_crs(grid.crs).geometries[0]
    a, b, c, d, e, f = tuple(~grid.affine)[:6]
    return shapely.affinity.affine_transform(placed, [a, b, d, e, c, f]).bounds


def _warn_of_roles(tiles: Sequence[Source]) -> None:
    roles = {tile.role for tile in tiles}
    if len(roles) > 1:
        current_context().warn(f"The rasters hold different variables: {', '.join(sorted(map(str, roles)))}.")
