"""Rasters on different grids: what they share, and how one is brought onto the other."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from rasterio._err import CPLE_BaseError
from rasterio.enums import Resampling
from rasterio.errors import CRSError, NotGeoreferencedWarning, RasterioError
from rasterio.warp import reproject, transform
from rasterio.windows import Window

from treeline.toolkit.errors import GridMismatch
from treeline.toolkit.raster.grid import Grid, transform_points
from treeline.toolkit.raster.source import Source
from treeline.toolkit.variables import variable

WHOLE_VALUED = ("quality", "class")
# The edges of a grid bend in another CRS, so that its corners alone would cut off what lies between.
EDGE_POINTS = 21
# In a raster that is much finer than the target a small piece of it spans many pixels; the piece is halved,
# down to a side from which on halving saves nothing.
LARGEST_PART = 8_000_000
SMALLEST_SIDE = 32

# What GDAL says itself comes through rasterio's transform as it is.
_WARP_FAULTS = (RasterioError, CRSError, CPLE_BaseError)
_NO_WAY = "Bring them to one CRS first, with reproject_raster."

ReadWindow = Callable[[Window], NDArray[np.floating]]


def resampling_for(source: Source, *, raw: bool) -> Resampling:
    """Return nearest for classes, quality bits and stored values, bilinear for quantities."""
    known = variable(source.role)
    whole = known is None or known.kind in WHOLE_VALUED
    return Resampling.nearest if raw or whole else Resampling.bilinear


def needs_warp(source: Source, grid: Grid) -> bool:
    """Return whether a source must be resampled to stand on a grid.

    Raises
    ------
    GridMismatch
        The extents share nothing, or one CRS is missing and the sizes differ.
    """
    own = source.grid
    if own.same_as(grid):
        return False
    if own.crs and grid.crs:
        if not _turns_of(own, grid):
            raise GridMismatch(
                f"{source.name} shares no ground with the first raster: "
                f"{_extent(own)} against {_extent(grid)}.",
                "Choose rasters of one place.",
            )
        return True
    # Without a CRS on one of them, rasters of one size are laid onto each other pixel by pixel;
    # :class:`Reader` warns of it.
    if own.shape == grid.shape:
        return False
    raise GridMismatch(
        f"{source.name} cannot be laid onto the first raster: a CRS is missing and the sizes differ "
        f"({own.describe()} against {grid.describe()}).",
        "Give the file a CRS, or use rasters of one size.",
    )


def source_window(own: Grid, target: Grid, margin: int = 0) -> Window | None:
    """Return the window of a raster that covers a target grid, or ``None`` where nothing does."""
    columns, rows = _target_points_in(own, target)
    known = np.isfinite(columns) & np.isfinite(rows)
    if not known.any():
        return None
    columns, rows = columns[known], rows[known]
    left, right = _span(columns, own.width, margin)
    top, bottom = _span(rows, own.height, margin)
    if left >= right or top >= bottom:
        return None
    return Window(left, top, right - left, bottom - top)


def warp(read: ReadWindow, own: Grid, target: Grid, resampling: Resampling) -> NDArray[np.floating]:
    """Return a raster's values on a target grid, NaN where it has none.

    Parameters
    ----------
    read : callable
        Gives masked physical values of a window of the raster, so that fills are gone before
        neighbours are mixed.
    own, target : Grid
        The raster's grid and the wanted one; both with a CRS.

    Notes
    -----
    Where the raster is much finer than the target, the target is halved until the part that is
    read stays small. Longitudes are turned by 360 degrees where that is how the two meet, as a raster from
    0 to 360 and one from -180 to 180 do.
    """
    parts = [_warp_turned(read, turned, target, resampling) for turned in _turns_of(own, target)]
    if not parts:
        return np.full(target.shape, np.nan, dtype="float32")
    result = parts[0]
    # Where both names of a longitude show the same ground, the first one stays.
    for part in parts[1:]:
        result = np.where(np.isnan(result), part, result)
    return result


def _turns_of(own: Grid, target: Grid) -> list[Grid]:
    """Return a raster's grid under each name of its longitudes by which it meets a target."""
    crs = own.crs_object
    if crs is None or not crs.is_geographic:
        return [own] if source_window(own, target) is not None else []
    # A full turn in the units of the CRS, which are degrees mostly and grads in some: units_factor holds
    # radians in a unit.
    turn = 2 * np.pi / crs.units_factor[1]
    a, b, left, d, e, top = own.transform
    turned = [
        own,
        *(Grid(own.crs, (a, b, left + by, d, e, top), own.width, own.height) for by in (-turn, turn)),
    ]
    return [each for each in turned if source_window(each, target) is not None]


def _warp_turned(read: ReadWindow, own: Grid, target: Grid, resampling: Resampling) -> NDArray[np.floating]:
    ratio = _pixels_per_target(own, target)
    # Bilinear resampling looks one pixel beyond; of a finer source GDAL averages over as many as one target
    # pixel spans, on either side.
    window = source_window(own, target, margin=int(np.ceil(2 * ratio)) + 2)
    if window is None:
        return np.full(target.shape, np.nan, dtype="float32")
    # A part of the target at a time, so that memory stays bounded however fine the source is.
    if window.width * window.height > LARGEST_PART and max(target.shape) > SMALLEST_SIDE:
        return _warp_halves(read, own, target, resampling)
    return _reproject(read(window), own.part(window), target, resampling)


def _reproject(values: NDArray, own: Grid, target: Grid, resampling: Resampling) -> NDArray[np.floating]:
    result = np.full(target.shape, np.nan, dtype=values.dtype)
    # Tolerance 0: GDAL would approximate the projection to an eighth of a pixel, differently for each window,
    # and seams would show between blocks.
    options = {"resampling": resampling, "tolerance": 0.0, "src_nodata": np.nan, "dst_nodata": np.nan}
    try:
        with warnings.catch_warnings():
            # rasterio wraps the array into a dataset and then misses that one's transform.
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            reproject(
                values,
                result,
                src_transform=own.affine,
                src_crs=own.crs_object,
                dst_transform=target.affine,
                dst_crs=target.crs_object,
                **options,
            )
    except _WARP_FAULTS as error:
        raise GridMismatch(f"{own.describe()} cannot be brought to {target.describe()}.", _NO_WAY) from error
    return result


def _warp_halves(read: ReadWindow, own: Grid, target: Grid, resampling: Resampling) -> NDArray[np.floating]:
    along = 0 if target.height >= target.width else 1
    half = target.shape[along] // 2
    if along == 0:
        windows = (Window(0, 0, target.width, half), Window(0, half, target.width, target.height - half))
    else:
        windows = (Window(0, 0, half, target.height), Window(half, 0, target.width - half, target.height))
    return np.concatenate([_warp_turned(read, own, target.part(w), resampling) for w in windows], axis=along)


def _target_points_in(own: Grid, target: Grid) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    columns, rows = np.meshgrid(
        np.linspace(0, target.width, EDGE_POINTS), np.linspace(0, target.height, EDGE_POINTS)
    )
    xs, ys = transform_points(target.affine, columns.ravel(), rows.ravel())
    if not own.same_crs(target):
        try:
            xs, ys = transform(target.crs_object, own.crs_object, xs, ys)
        except _WARP_FAULTS as error:
            raise GridMismatch(
                f"{target.describe()} cannot be brought to {own.describe()}.", _NO_WAY
            ) from error
    return transform_points(~own.affine, np.asarray(xs, dtype="float64"), np.asarray(ys, dtype="float64"))


def _span(values: NDArray[np.float64], size: int, margin: int) -> tuple[int, int]:
    low, high = float(values.min()), float(values.max())
    if high <= 0 or low >= size:
        return 0, 0
    return max(0, int(np.floor(low)) - margin), min(size, int(np.ceil(high)) + margin)


def _pixels_per_target(own: Grid, target: Grid) -> float:
    columns, rows = _target_points_in(own, target)
    known = np.isfinite(columns) & np.isfinite(rows)
    if not known.any():
        return 1.0
    width = np.ptp(columns[known]) / target.width
    height = np.ptp(rows[known]) / target.height
    return float(max(width, height, 1.0))


def _extent(grid: Grid) -> str:
    left, bottom, right, top = grid.bounds
    return f"x {left:g} to {right:g}, y {bottom:g} to {top:g} ({grid.crs_text})"
