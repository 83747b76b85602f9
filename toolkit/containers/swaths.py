"""Swaths: rasters in the rows and columns of the scanner, laid on an even grid of longitude and latitude.

A pixel of the grid takes the value of the nearest pixel of the swath, as Reproject of SNAP and the nearest
neighbour of pyresample do: flags and classes stay what they are, and no value is mixed from several.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.containers.arrays import Array, Arrays
from treeline.toolkit.containers.axes import Axis, kind_of_axis
from treeline.toolkit.containers.packing import fill_of, packing_of
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.limits import Limits

# Of a swath: the search for the nearest pixel keeps three numbers of each in memory. Full-resolution granules
# of OLCI have 20 million pixels, those of the moderate bands of VIIRS 10 million.
MOST_PIXELS = 2**25
# The farthest point of a square from its centre lies at 0.71 of its side.
_REACH = 0.75
# Pixels grow towards the edges of a swath, those of MODIS to 4.8 times their width at nadir (Wolfe et al.
# 1998, doi:10.1109/36.701081); what lies farther apart is a gap.
_WIDEST = 5.0
# Cells of the grid whose neighbours are looked for at once.
_CELLS = 2**20
# The folder of a product of Sentinel-3 keeps coordinates in files of their own: those of SLSTR one for each
# grid, which ends the names (Sentinel-3 SLSTR and OLCI Land User Handbooks).
SENTINEL_3 = ".sen3"
_GRID_OF_SLSTR = re.compile(r"_[a-z]{2}$")


@dataclass(frozen=True)
class SwathGrid:
    """A grid over a swath.

    Attributes
    ----------
    x, y : Axis
        Degrees, from west to east and from north to south.
    nearest : ndarray of int32, shape (rows, columns)
        The place of the nearest pixel in the swath, row after row; -1 where none is near.
    """

    x: Axis
    y: Axis
    nearest: NDArray[np.int32]


def coordinates_of(array: Array, arrays: Arrays) -> tuple[Array, Array] | None:
    """Return the latitude and the longitude of each pixel of an array; ``None`` where the file has none.

    They are those that its attribute ``coordinates`` names (CF 1.11, section 5.2), else the only ones of its
    shape. Those of Sentinel-5P have the one time of the file as a first dimension, as their variables have.
    """
    if not is_plane(array):
        return None
    named = [arrays.find_named(array, word) for word in array.text("coordinates").split()]
    for candidates in (named, arrays.by_path.values()):
        planes = (_plane_of(each) for each in candidates if each is not None and is_plane(each))
        alike = [each for each in planes if each.shape == array.shape[-2:]]
        latitudes, longitudes = (
            [each for each in alike if kind_of_axis(each, each.path) == kind] for kind in ("y", "x")
        )
        if len(latitudes) == len(longitudes) == 1:
            return latitudes[0], longitudes[0]
    return None


def is_plane(array: Array) -> bool:
    """Tell whether an array has rows and columns, and before them no dimension of more than one place."""
    return len(array.shape) >= 2 and all(size == 1 for size in array.shape[:-2])


def _plane_of(array: Array) -> Array:
    """Return a plane without the dimensions before its rows and columns."""
    before = len(array.shape) - 2
    if before == 0:
        return array

    def read(parts: tuple[slice, ...]) -> NDArray[Any]:
        whole = np.asarray(array.read((*(slice(None),) * before, *parts)))
        return whole.reshape(whole.shape[before:])

    return replace(array, shape=array.shape[before:], dimensions=array.dimensions[before:], read=read)


def file_of_coordinates(file: Path) -> Path | None:
    """Return the file beside another one that has its coordinates, in a product of Sentinel-3."""
    if file.parent.suffix.lower() != SENTINEL_3:
        return None
    grid = _GRID_OF_SLSTR.search(file.stem)
    beside = file.with_name(f"geodetic{grid[0]}.nc" if grid else "geo_coordinates.nc")
    return beside if beside.is_file() and beside != file else None


def with_coordinates(arrays: Arrays, beside: Arrays) -> Arrays:
    """Return the arrays of a file with the coordinates that another one has."""
    found = {path: array for path, array in beside.by_path.items() if kind_of_axis(array, path) in ("x", "y")}
    return replace(arrays, by_path={**found, **arrays.by_path})


def lay_on_grid(latitude: Array, longitude: Array, file: str) -> SwathGrid:
    """Return the grid over a swath whose pixels are as large as those of its middle.

    Raises
    ------
    RasterUnreadable
        The swath is too large, has no usable coordinates, or crosses the antimeridian or a pole.
    """
    if latitude.shape[0] * latitude.shape[1] > MOST_PIXELS or min(latitude.shape) < 3:
        raise RasterUnreadable(
            f"{file} has a swath of {latitude.shape[0]:,} x {latitude.shape[1]:,} pixels; from 3 x 3 to "
            f"{MOST_PIXELS:,} pixels are laid on a grid.",
            "Cut it first.",
        )
    north, east = degrees_of(latitude, 90.0), degrees_of(longitude, 180.0)
    known = np.isfinite(north) & np.isfinite(east)
    if np.count_nonzero(known) < 9:
        raise RasterUnreadable(f"{file} has a swath without usable coordinates.", "Load it anew.")
    west, south = float(east[known].min()), float(north[known].min())
    far_east, far_north = float(east[known].max()), float(north[known].max())
    if far_east - west > 180.0:
        raise RasterUnreadable(
            f"{file} has a swath over a pole or the antimeridian.",
            "Lay it on a grid first, such as with Reproject of SNAP or with resample of Satpy.",
        )
    points = _on_sphere(north, east)
    size, side = _sizes(points, known)
    down = float(np.degrees(side))
    across = down / float(np.cos(np.radians((south + far_north) / 2)))
    # Rounded: coordinates of 32 bits put the last pixel a trifle before its place, which would be lost.
    rows, columns = (round(span) + 1 for span in ((far_north - south) / down, (far_east - west) / across))
    if rows * columns > Limits.from_environment().pixels:
        raise RasterUnreadable(
            f"{file} has a swath that makes {rows:,} x {columns:,} pixels.", "Cut it first."
        )
    x, y = Axis(west, across, columns), Axis(far_north, -down, rows)
    return SwathGrid(x, y, _nearest(points, known, size, x, y))


def degrees_of(array: Array, most: float) -> NDArray[np.float64]:
    """Return coordinates in degrees, NaN where there are none."""
    packed = packing_of(array)
    stored = np.asarray(array.read((slice(None), slice(None)))).astype(packed.dtype, copy=False)
    values = stored * float(packed.scale) + packed.offset
    none = np.isin(stored, [packed.fill, *packed.others] if packed.fill is not None else [])
    values[none | ~(np.abs(values) <= most)] = np.nan
    return values.astype(np.float64, copy=False)


def _on_sphere(north: NDArray[np.float64], east: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return places as vectors of length 1, whose chords are distances as far as pixels go."""
    north, east = np.radians(north), np.radians(east)
    flat = np.cos(north)
    return np.stack([flat * np.cos(east), flat * np.sin(east), np.sin(north)], axis=-1)


def _sizes(points: NDArray[np.float64], known: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """Return how far the neighbours of each pixel are, and how far they are in the middle of the swath."""
    size = np.full(known.shape, np.nan)
    middle = known.shape[1] // 4
    typical = []
    for axis in (0, 1):
        apart = np.linalg.norm(np.diff(points, axis=axis), axis=-1)
        inner = apart[:, middle:-middle] if np.isfinite(apart[:, middle:-middle]).any() else apart
        typical.append(float(np.nanmedian(inner)))
        before, behind = [[slice(None), slice(None)] for _ in range(2)]
        before[axis], behind[axis] = slice(0, -1), slice(1, None)
        for part in (tuple(before), tuple(behind)):
            size[part] = np.fmax(size[part], apart)
    side = float(np.mean(typical))
    return np.fmin(np.nan_to_num(size, nan=side), _WIDEST * side), side


def _nearest(
    points: NDArray[np.float64], known: NDArray[np.bool_], size: NDArray[np.float64], x: Axis, y: Axis
) -> NDArray[np.int32]:
    from scipy.spatial import cKDTree

    places = np.flatnonzero(known).astype(np.int32)
    # A balanced tree is searched little faster and takes several times as long to build.
    tree = cKDTree(points[known], balanced_tree=False, compact_nodes=False)
    reach = _REACH * size[known]
    farthest = float(reach.max())
    found = np.full((y.size, x.size), -1, np.int32)
    east, step = x.first + x.step * np.arange(x.size), max(1, _CELLS // x.size)
    for row in range(0, y.size, step):
        north = y.first + y.step * np.arange(row, min(row + step, y.size))
        cells = _on_sphere(*np.meshgrid(north, east, indexing="ij"))
        apart, number = tree.query(cells, distance_upper_bound=farthest, workers=-1)
        near = np.isfinite(apart)
        near[near] = apart[near] <= reach[number[near]]
        found[row : row + step][near] = places[number[near]]
    return found


def laid_on(array: Array, grid: SwathGrid) -> Array:
    """Return an array of a swath as one on a grid; without a pixel near there is its fill."""
    packed = packing_of(array)
    fill, dtype = fill_of(packed), packed.dtype
    if fill is None:
        dtype, fill = _wider(array, dtype)

    @functools.cache
    def plane() -> NDArray[Any]:
        stored = np.asarray(array.read((slice(None),) * len(array.shape))).reshape(-1)
        return stored.astype(packed.dtype, copy=False).astype(dtype, copy=False)

    def read(parts: tuple[slice, ...]) -> NDArray[Any]:
        nearest = grid.nearest[parts]
        return np.where(nearest >= 0, plane()[nearest], dtype.type(fill))

    # As the values are now: bytes that stand for unsigned numbers have become these.
    stated = {name: value for name, value in array.attributes.items() if name not in _OF_STORED}
    now = {
        "_FillValue": fill,
        "missing_value": np.array(packed.others),
        "valid_range": np.array(packed.valid),
    }
    return replace(
        array,
        shape=grid.nearest.shape,
        dimensions=("", ""),
        dtype=dtype,
        attributes={**stated, **now},
        read=read,
    )


# Attributes that tell of values as they are stored.
_OF_STORED = ("_Unsigned", "valid_min", "valid_max")


def _wider(array: Array, dtype: np.dtype[Any]) -> tuple[np.dtype[Any], float]:
    """Return a type in which whole numbers have room for a fill beside them, and the fill."""
    if dtype.itemsize > 4:
        raise RasterUnreadable(f"{array.path} has whole numbers of 64 bits without a fill.")
    if dtype.itemsize < 4:
        return np.dtype("int32"), float(np.iinfo("int32").min)
    return np.dtype("float64"), np.nan
