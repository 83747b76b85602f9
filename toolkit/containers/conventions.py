"""The CF conventions (version 1.11): which variables are rasters, where and when they lie, what they hold."""

from __future__ import annotations

import itertools
import math
import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from treeline.toolkit.containers.arrays import LONGEST_AXIS, Array, Arrays
from treeline.toolkit.containers.axes import EAST, EVEN_WITHIN, Axis, kind_of_axis
from treeline.toolkit.containers.even_coordinates import grid_of_coordinates
from treeline.toolkit.containers.hdfeos import EosGrid, grids_of
from treeline.toolkit.containers.packing import number_of
from treeline.toolkit.containers.quality import with_good_pixels
from treeline.toolkit.containers.swaths import SwathGrid, coordinates_of, is_plane, laid_on, lay_on_grid
from treeline.toolkit.counted_times import is_readable, moments_of, seconds_of_unit
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE, names_file, reference_system

# Of what has coordinates for each pixel: the axes of an even grid, or a grid that it is laid on.
_Grid = SwathGrid | tuple[Axis, Axis, str]
# The halves of months of GIMMS NDVI3g.v1 (readme of the product): the name alone says of which half year.
_HALF_YEAR = re.compile(r"(?i:ndvi3g_geo)_v\d(?:_\d)?_(?P<year>(?:19|20)\d{2})_(?P<months>0106|0712)")
METRES = {"m": 1.0, "metre": 1.0, "meter": 1.0, "metres": 1.0, "meters": 1.0, "km": 1e3, "": 1.0}


@dataclass(frozen=True)
class LayeredVariable:
    """A variable on a grid, with the places of its axes among its dimensions.

    Attributes
    ----------
    moments : tuple of datetime or None
        One for each place along the axis of time; a single ``None`` without one.
    days : tuple of float or None
        How long the time is that each of them stands for, where the file tells that.
    """

    array: Array
    x: Axis
    y: Axis
    x_place: int
    y_place: int
    time_place: int | None
    moments: tuple[datetime | None, ...]
    crs: str | None
    days: tuple[float | None, ...] = ()


def rasters_of(arrays: Arrays) -> tuple[list[LayeredVariable], list[str]]:
    """Return the variables that are rasters, and of those that are nearly so why they are not.

    A variable with more axes than two of space and one of time is left out, unless these have one place.
    """
    found, reasons = [], []
    helpers, grids = _helpers(arrays), grids_of(arrays)
    swaths: dict[tuple[str, str], _Grid | RasterUnreadable] = {}
    for array in arrays.by_path.values():
        if array.dtype.kind not in "iuf" or len(array.dimensions) < 2 or array.path in helpers:
            continue
        try:
            layered = _of_grid(array, grids, arrays) or _layers_of(array, arrays, swaths)
        except RasterUnreadable as error:
            reasons.append(str(error))
            continue
        if layered is not None:
            found.append(layered)
    return found, reasons


def _of_grid(array: Array, grids: tuple[EosGrid, ...], arrays: Arrays) -> LayeredVariable | None:
    """Return a field of an HDF-EOS grid, whose rows run south and whose columns run east."""
    grid = next((grid for grid in grids if grid.folder == array.group), None)
    if grid is None or array.shape != (grid.rows, grid.columns):
        return None
    across, down = (grid.right - grid.left) / grid.columns, (grid.bottom - grid.top) / grid.rows
    x = Axis(grid.left + across / 2, across, grid.columns)
    y = Axis(grid.top + down / 2, down, grid.rows)
    return LayeredVariable(array, x, y, 1, 0, None, (_moment_of_file(arrays),), grid.crs)


def _helpers(arrays: Arrays) -> set[str]:
    """Return the paths of what describes other variables: coordinates, bounds, grid mappings."""
    named: set[str] = set()
    for array in arrays.by_path.values():
        named.update(array.dimensions)
        if is_plane(array) and kind_of_axis(array, array.path) in ("x", "y"):
            named.add(array.path)
        words = " ".join(array.text(key) for key in ("bounds", "coordinates", "grid_mapping", "climatology"))
        near = (arrays.find_named(array, word) for word in words.split())
        named.update(helper.path for helper in near if helper is not None)
    return named


def _layers_of(
    array: Array, arrays: Arrays, swaths: dict[tuple[str, str], _Grid | RasterUnreadable]
) -> LayeredVariable | None:
    kinds = [kind_of_axis(arrays.find_named(array, dimension), dimension) for dimension in array.dimensions]
    if "x" not in kinds or "y" not in kinds:
        return _of_swath(array, arrays, swaths)
    for place, kind in enumerate(kinds):
        if kind is None and array.shape[place] != 1:
            axis = array.dimensions[place].rpartition("/")[2]
            raise RasterUnreadable(
                f"{arrays.file} has {array.path} along another axis, {axis}, of {array.shape[place]}.",
                "Give one of these places as a file.",
            )
    x_place, y_place = kinds.index("x"), kinds.index("y")
    time_place = kinds.index("time") if "time" in kinds else None
    x, y = (_axis(arrays, array, place) for place in (x_place, y_place))
    moments = (_moment_of_file(arrays),) if time_place is None else _moments(arrays, array, time_place)
    crs, factor = _crs(array, arrays, array.dimensions[x_place])
    x, y = (Axis(axis.first * factor, axis.step * factor, axis.size) for axis in (x, y))
    days = () if time_place is None else _days(arrays, array, time_place, moments)
    return LayeredVariable(array, x, y, x_place, y_place, time_place, moments, crs, days)


def _of_swath(
    array: Array, arrays: Arrays, swaths: dict[tuple[str, str], _Grid | RasterUnreadable]
) -> LayeredVariable | None:
    """Return a variable with a longitude and latitude for each pixel, on the grid of all that share them."""
    coordinates = coordinates_of(array, arrays)
    if coordinates is None:
        return None
    key = (coordinates[0].path, coordinates[1].path)
    if key not in swaths:
        try:
            swaths[key] = grid_of_coordinates(*coordinates) or lay_on_grid(*coordinates, arrays.file)
        except RasterUnreadable as error:
            swaths[key] = error
    grid = swaths[key]
    if isinstance(grid, RasterUnreadable):
        raise grid
    array = with_good_pixels(array, arrays)
    moments, rank = (_moment_of_file(arrays),), len(array.shape)
    if isinstance(grid, tuple):
        x, y, crs = grid
        return LayeredVariable(array, x, y, rank - 1, rank - 2, None, moments, crs)
    return LayeredVariable(laid_on(array, grid), grid.x, grid.y, 1, 0, None, moments, LONGITUDE_LATITUDE)


def _coordinate(arrays: Arrays, array: Array, place: int) -> Array:
    found = arrays.find_named(array, array.dimensions[place])
    assert found is not None
    if math.prod(found.shape) > LONGEST_AXIS:
        raise RasterUnreadable(f"{arrays.file} has more than {LONGEST_AXIS:,} places along {found.name}.")
    return found


def _axis(arrays: Arrays, array: Array, place: int) -> Axis:
    coordinate = _coordinate(arrays, array, place)
    values = np.asarray(coordinate.read((slice(None),)), dtype=np.float64)
    # Coordinates may be packed as the variables are.
    values = values * number_of(coordinate, "scale_factor", 1.0) + number_of(coordinate, "add_offset", 0.0)
    if values.shape != (array.shape[place],) or values.size < 2 or not np.isfinite(values).all():
        raise RasterUnreadable(
            f"{arrays.file} has {array.path} without two or more usable places along {coordinate.name}."
        )
    steps = np.diff(values)
    # From both ends, which averages the rounding of all steps.
    step = float(values[-1] - values[0]) / (values.size - 1)
    if not step or np.abs(steps - step).max() > EVEN_WITHIN * abs(step):
        raise RasterUnreadable(
            f"{arrays.file} has {array.path} at uneven steps along {coordinate.name}.",
            "Bring it onto an even grid first.",
        )
    return Axis(float(values[0]), step, values.size)


def _moments(arrays: Arrays, array: Array, place: int) -> tuple[datetime | None, ...]:
    coordinate = _coordinate(arrays, array, place)
    units, calendar = coordinate.text("units").strip(), coordinate.text("calendar").lower()
    if not is_readable(units, calendar):
        if halves := _halves_of_months(arrays.file, coordinate.shape):
            return halves
        raise RasterUnreadable(
            f"{arrays.file} counts time in {units!r}"
            + (f" of the calendar {calendar!r}." if calendar else "."),
            "Days, hours, minutes or seconds since a date of the Gregorian calendar, or of one without leap "
            "days, are read; bring it to one of these first, such as with convert_calendar of xarray.",
        )
    try:
        return moments_of(coordinate.read((slice(None),)).tolist(), units, calendar)
    except (ValueError, OverflowError) as error:
        raise RasterUnreadable(
            f"{arrays.file} has no usable dates along {coordinate.name} ({error})."
        ) from error


def _halves_of_months(file: str, shape: tuple[int, ...]) -> tuple[datetime, ...]:
    """Return the first days of the halves of months that a file of GIMMS holds; none of any other file."""
    named = _HALF_YEAR.match(file)
    if named is None or shape != (12,):
        return ()
    first = int(named["months"][:2])
    return tuple(datetime(int(named["year"]), first + i // 2, 16 if i % 2 else 1) for i in range(12))


def _days(
    arrays: Arrays, array: Array, place: int, moments: tuple[datetime | None, ...]
) -> tuple[float | None, ...]:
    """Return how many days each place along the axis of time stands for, by its bounds (CF, section 7.1).

    Without bounds, days and months that follow one another each stand for one.
    """
    coordinate = _coordinate(arrays, array, place)
    bounds = arrays.find_named(coordinate, coordinate.text("bounds")) if coordinate.text("bounds") else None
    if bounds is not None and bounds.shape == (len(moments), 2):
        seconds = seconds_of_unit(coordinate.text("units")) or math.nan
        values = np.asarray(bounds.read((slice(None), slice(None))), dtype=np.float64)
        lengths = np.abs(values[:, 1] - values[:, 0]) * seconds / 86400.0
        return tuple(float(days) if days > 0 else None for days in lengths)
    known = [moment for moment in moments if moment is not None]
    gaps = [(later - earlier).total_seconds() / 86400.0 for earlier, later in itertools.pairwise(known)]
    if gaps and min(gaps) >= 28.0 and max(gaps) <= 31.0:
        return tuple(None if m is None else float(monthrange(m.year, m.month)[1]) for m in moments)
    daily = bool(gaps) and min(gaps) == 1.0 and all(gap.is_integer() for gap in gaps)
    return tuple(1.0 if daily else None for _ in moments)


def _moment_of_file(arrays: Arrays) -> datetime | None:
    for name in ("time_coverage_start", "start_time", "RangeBeginningDate"):
        try:
            return datetime.fromisoformat(str(arrays.attributes[name])[:19].rstrip("Z"))
        except (KeyError, ValueError):
            continue
    return None


def _crs(array: Array, arrays: Arrays, x_dimension: str) -> tuple[str | None, float]:
    """Return the CRS, and what a unit of the coordinates is in that of the CRS."""
    coordinate = arrays.find_named(array, x_dimension)
    units = coordinate.text("units") if coordinate is not None else ""
    name = re.split(r"[:\s]", array.text("grid_mapping").strip())[0]
    mapping = arrays.find_named(array, name) if name else None
    if mapping is None:
        geographic = EAST.fullmatch(units) or (
            coordinate is not None and coordinate.text("standard_name") == "longitude"
        )
        return (LONGITUDE_LATITUDE if geographic else None), 1.0
    crs = _read_crs(mapping.attributes, arrays.file)
    system = reference_system(crs)
    if system.is_geographic:
        return crs, 1.0
    if units in ("rad", "radian", "radians"):  # of a geostationary view, by the height of the satellite
        return crs, float(mapping.attributes.get("perspective_point_height", 1.0))
    return crs, METRES.get(units.lower(), 1.0)


def _read_crs(attributes: Mapping[str, Any], file: str) -> str:
    from pyproj import CRS
    from pyproj.exceptions import CRSError

    if any(names_file(str(value)) for value in attributes.values()):
        raise RasterUnreadable(
            f"{file} names another file in its grid mapping.", "Write it again with the code of the system."
        )
    try:
        text = next((attributes[key] for key in ("crs_wkt", "spatial_ref") if attributes.get(key)), None)
        crs = CRS.from_wkt(str(text)) if text else CRS.from_cf(dict(attributes))
    except (CRSError, KeyError, TypeError, ValueError) as error:
        raise RasterUnreadable(f"{file} names a grid mapping that is not understood ({error}).") from error
    wkt = str(crs.to_wkt())
    code = crs.to_epsg()
    return f"EPSG:{code}" if code else wkt
