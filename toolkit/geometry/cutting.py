"""Parts of rasters: clipped to an area or a rectangle; joined and taken apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import shapely
from numpy.typing import NDArray
from rasterio.enums import Resampling
from rasterio.features import geometry_mask
from rasterio.windows import Window
from shapely.geometry import box

from treeline.toolkit.context import Product
from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geometry.carrying import check_size, common_unit, roles_of, type_of
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Grid, Source, bands_of, map_pixels
from treeline.toolkit.raster.grid import transform_points
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.vector import Feature, Features, checked_crs, read_features

Bounds = tuple[float, float, float, float]


@tool(
    kit=GEOMETRY,
    source="GDAL/OGR contributors, polygon rasterisation (doi:10.5281/zenodo.5884351)",
    gives=Gives("raster", "clipped"),
    formula="value where the pixel's centre lies in the area, else nodata",
)
def clip_to_area(
    input_path: Annotated[str, Reads()],
    area_path: str,
    output_path: Annotated[str, Writes("clipped", keeps_role=True)],
    all_touched: bool = False,
    inside: bool = True,
) -> str:
    """Raster cut to the polygons of an area of interest, all its bands; pixels stay where they are.

    Parameters
    ----------
    input_path : str
        A raster with a CRS.
    area_path : str
        Name of a vector file with polygons in the workspace, in any CRS; or WKT or GeoJSON text.
    output_path : str
        GeoTIFF to write, in physical values; nodata outside the area.
    all_touched : bool
        Keep every pixel that the polygons touch, not only those whose centre is in them.
    inside : bool
        False keeps the extent and removes what lies in the polygons.

    Returns
    -------
    str
        Result saved at PATH.
    """
    bands = bands_of(input_path)
    own = bands[0].grid
    area = read_features(area_path).of_kind("Polygon").in_crs(own.crs, own.bounds)
    grid = _covering_grid(bands[0], area.bounds) if inside else own
    return report_saved(
        _cut(bands, output_path, grid, _GeometryMask(tuple(area.geometries), all_touched, inside))
    )


@tool(
    kit=GEOMETRY,
    source="Selection of pixels; nothing is resampled.",
    gives=Gives("raster", "clipped"),
    formula="the pixels that the rectangle touches",
)
def clip_to_bounds(
    input_path: Annotated[str, Reads()],
    bounds: Bounds,
    output_path: Annotated[str, Writes("clipped", keeps_role=True)],
    crs: str | None = None,
) -> str:
    """Raster cut to a rectangle, all its bands; pixels stay where they are.

    Parameters
    ----------
    input_path : str
        A raster with a CRS.
    bounds : list of four float
        Left, bottom, right, top.
    output_path : str
        GeoTIFF to write, in physical values.
    crs : str, optional
        CRS of the bounds, such as ``EPSG:4326`` for longitude and latitude; default: the raster's.

    Returns
    -------
    str
        Result saved at PATH.
    """
    bands = bands_of(input_path)
    return report_saved(
        _cut(bands, output_path, _covering_grid(bands[0], _bounds_in(bands[0].grid, bounds, crs)))
    )


class _GeometryMask:
    """Masks what lies outside (or inside) of geometries; picklable."""

    def __init__(self, geometries: tuple[shapely.Geometry, ...], all_touched: bool, inside: bool) -> None:
        self.geometries, self.all_touched, self.inside = geometries, all_touched, inside

    def __call__(self, bands: NDArray[np.floating], grid: Grid) -> NDArray[np.floating]:
        reach = box(*grid.bounds)
        near = [geometry for geometry in self.geometries if geometry.intersects(reach)]
        outside = np.ones(grid.shape, dtype=bool)
        if near:
            outside = geometry_mask(near, grid.shape, grid.affine, all_touched=self.all_touched)
        return np.where(outside == self.inside, np.nan, bands)


def _whole(bands: NDArray[np.floating], grid: Grid) -> NDArray[np.floating]:
    return bands


def _cut(bands: Sequence[Source], output: str, grid: Grid, kept: _GeometryMask | None = None) -> Product:
    check_size(grid)
    return map_pixels(
        kept or _whole,
        {"bands": list(bands)},
        output,
        role=roles_of(bands),
        unit=common_unit(bands),
        dtype=type_of(bands, "nearest"),
        grid=grid,
        resampling=Resampling.nearest,
        placed=True,
    )


def _bounds_in(grid: Grid, bounds: Bounds, crs: str | None) -> Bounds:
    left, bottom, right, top = bounds
    if not all(map(math.isfinite, bounds)) or left >= right or bottom >= top:
        raise InputError(
            f"The argument 'bounds' is {list(bounds)}.", "Give left, bottom, right, top with left < right."
        )
    if crs is None:
        return bounds
    # A straight edge is bent in another CRS; in twenty pieces it follows the bend.
    edges = shapely.segmentize(box(*bounds), max(right - left, top - bottom) / 20)
    return Features("bounds", checked_crs(crs), (Feature(edges),)).in_crs(grid.crs, grid.bounds).bounds


def _covering_grid(band: Source, bounds: Bounds) -> Grid:
    """Return the part of a band's grid that touches bounds."""
    grid = band.grid
    if not grid.crs:
        raise GridMismatch(f"{band.name} has no CRS, so no place can be found in it.", "Give the file a CRS.")
    left, bottom, right, top = bounds
    columns, rows = transform_points(
        ~grid.affine, np.array([left, right, left, right]), np.array([top, top, bottom, bottom])
    )
    first_column, last_column = _span(columns, grid.width)
    first_row, last_row = _span(rows, grid.height)
    if first_column >= last_column or first_row >= last_row:
        raise GridMismatch(
            f"{band.name} shares no ground with the area: x {left:g} to {right:g}, y {bottom:g} to {top:g} "
            f"against {', '.join(f'{b:g}' for b in grid.bounds)} ({grid.crs_text}).",
            "Check the area and its CRS.",
        )
    return grid.part(Window(first_column, first_row, last_column - first_column, last_row - first_row))


def _span(values: NDArray[np.float64], size: int) -> tuple[int, int]:
    # A millionth of a pixel is rounding, and adds no row or column.
    low, high = math.floor(values.min() + 1e-6), math.ceil(values.max() - 1e-6)
    return max(0, low), min(size, high)
