"""Rasters on another CRS, pixel size or grid."""

from __future__ import annotations

import math
from typing import Annotated

from rasterio.errors import CRSError, RasterioError
from rasterio.warp import calculate_default_transform, transform_bounds

from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geometry.carrying import Resampling, carry, is_class
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Grid, Source, bands_of
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.vector import checked_crs

COARSEST = 10
SOURCE = "GDAL/OGR contributors, GDAL warp (doi:10.5281/zenodo.5884351); PROJ"


@tool(
    kit=GEOMETRY,
    source=SOURCE,
    gives=Gives("raster", "reprojected"),
    formula="value at the target pixel's centre, by nearest or interpolated neighbours",
)
def reproject_raster(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("reprojected", keeps_role=True)],
    crs: str = "EPSG:4326",
    resolution: float | None = None,
    resampling: Resampling = "auto",
) -> str:
    """Raster in another coordinate reference system, all its bands.

    Parameters
    ----------
    input_path : str
        A raster with a CRS.
    output_path : str
        GeoTIFF to write, in physical values.
    crs : str
        Such as ``EPSG:32633``, or ``utm`` for the UTM zone of the raster's centre.
    resolution : float, optional
        Side of a pixel in units of the new CRS; default: about that of the raster.
    resampling : str
        ``auto`` (nearest for classes and quality bits, bilinear for quantities), ``nearest``,
        ``bilinear``, ``cubic``, ``average``, ``mode``, ``min``, ``max``, ``med`` or ``sum``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    bands = bands_of(input_path)
    placed = _require_crs(bands[0])
    wanted = utm_of(placed) if crs.strip().lower() == "utm" else checked_crs(crs)
    return report_saved(carry(bands, output_path, _grid_in(placed, wanted, resolution), resampling))


@tool(
    kit=GEOMETRY,
    source=SOURCE,
    gives=Gives("raster", "resampled"),
    formula="mean of the finer pixels when coarser, interpolation when finer",
)
def resample_raster(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("resampled", keeps_role=True)],
    resolution: float | None = None,
    factor: float | None = None,
    resampling: Resampling = "auto",
) -> str:
    """Raster with another pixel size over the same extent, all its bands.

    Parameters
    ----------
    input_path : str
        A raster with a CRS.
    output_path : str
        GeoTIFF to write, in physical values.
    resolution : float, optional
        Side of a pixel in units of the CRS.
    factor : float, optional
        Instead of the resolution: 2 makes pixels twice as large, 0.5 half as large.
    resampling : str
        ``auto`` takes the mode of classes and the average of quantities when pixels get larger, else
        nearest and bilinear; or a method as in ``reproject_raster``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if (resolution is None) == (factor is None):
        raise InputError("Either 'resolution' or 'factor' must be given.", "Give one of them, above 0.")
    bands = bands_of(input_path)
    grid = _require_crs(bands[0])
    size = _positive(
        resolution if factor is None else factor * grid.column_width,
        "resolution" if factor is None else "factor",
    )
    # A size that differs by rounding alone is the same one.
    method = _coarser(bands, resampling) if size > 1.01 * grid.column_width else resampling
    return report_saved(carry(bands, output_path, _resize(grid, size), method))


@tool(
    kit=GEOMETRY,
    source=SOURCE,
    gives=Gives("raster", "aligned"),
    formula="value at the centre of the reference's pixel",
)
def align_raster(
    input_path: Annotated[str, Reads()],
    reference_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("aligned", keeps_role=True)],
    resampling: Resampling = "auto",
) -> str:
    """Raster on the grid of another one: its CRS, pixel size, extent.

    Parameters
    ----------
    input_path : str
        The raster to move, with all its bands.
    reference_path : str
        The raster whose grid is taken.
    output_path : str
        GeoTIFF to write, in physical values; nodata where the raster has none.
    resampling : str
        As in ``reproject_raster``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    return report_saved(
        carry(bands_of(input_path), output_path, bands_of(reference_path)[0].grid, resampling)
    )


def utm_of(grid: Grid) -> str:
    """Return the UTM zone (WGS 84) of a grid's centre.

    Raises
    ------
    GridMismatch
        The centre lies beyond the zones, near a pole.
    """
    centre = _grid_in(grid, "EPSG:4326", None).bounds
    longitude, latitude = (centre[0] + centre[2]) / 2, (centre[1] + centre[3]) / 2
    if not -80 <= latitude <= 84:
        raise GridMismatch(
            f"UTM does not reach latitude {latitude:.1f}.", "Give a polar CRS such as EPSG:3413."
        )
    # Longitude 180 itself belongs to zone 60.
    zone = min(60, math.floor((longitude + 180) / 6) + 1)
    return f"EPSG:{(32600 if latitude >= 0 else 32700) + zone}"


def _require_crs(band: Source) -> Grid:
    if not band.grid.crs:
        raise GridMismatch(f"{band.name} has no CRS, so it cannot be moved.", "Give the file a CRS.")
    return band.grid


def _grid_in(grid: Grid, crs: str, resolution: float | None) -> Grid:
    size = None if resolution is None else _positive(resolution, "resolution")
    try:
        transform, width, height = calculate_default_transform(
            grid.crs_object, crs, grid.width, grid.height, *grid.bounds, resolution=size
        )
    except (CRSError, RasterioError) as error:
        raise GridMismatch(f"The raster ({grid.describe()}) cannot be brought to {crs}.") from error
    found = Grid(crs, tuple(transform)[:6], int(width or 0), int(height or 0))
    if size is not None and found.shape == (1, 1) and size > COARSEST * _extent_in(grid, crs):
        raise InputError(
            f"The argument 'resolution' is {size:g}: one pixel would be much larger than the whole raster.",
            f"Give it in units of {crs}.",
        )
    return found


def _extent_in(grid: Grid, crs: str) -> float:
    left, bottom, right, top = transform_bounds(grid.crs_object, crs, *grid.bounds)
    return float(max(right - left, top - bottom))


def _resize(grid: Grid, size: float) -> Grid:
    a, b, c, d, e, f = grid.transform
    across, down = size / math.hypot(a, d), size / math.hypot(b, e)
    # Rounded up, so that the last pixels are covered; 10.0000001 columns are 10.
    width, height = (
        max(1, math.ceil(n / by - 1e-6)) for n, by in ((grid.width, across), (grid.height, down))
    )
    return Grid(grid.crs, (a * across, b * down, c, d * across, e * down, f), width, height)


def _coarser(bands: list[Source], resampling: Resampling) -> Resampling:
    if resampling != "auto":
        return resampling
    return "mode" if any(is_class(band) for band in bands) else "average"


def _positive(value: float | None, argument: str) -> float:
    if value is None or not (math.isfinite(value) and value > 0):
        raise InputError(f"The argument {argument!r} is {value}.", "Give a number above 0.")
    return value
