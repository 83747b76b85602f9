"""A container's rasters as GeoTIFF files in a folder: each variable and date a file of its own."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import re
import shutil
from calendar import month_name
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from numpy.typing import NDArray
from rasterio.transform import Affine
from rasterio.windows import Window

from treeline.toolkit.containers.archives import check_archive, has_shapefile, take_out, zarr_folders
from treeline.toolkit.containers.arrays import Arrays, open_arrays
from treeline.toolkit.containers.conventions import LayeredVariable, rasters_of
from treeline.toolkit.containers.formats import ARRAYS, HEIGHTS, RASTERS, UNREAD, ZARR
from treeline.toolkit.containers.heights import write_heights
from treeline.toolkit.containers.packing import VariablePacking, fill_of, packing_of
from treeline.toolkit.containers.swaths import file_of_coordinates, with_coordinates
from treeline.toolkit.containers.unreadable_formats import reason_unreadable
from treeline.toolkit.errors import InputError, RasterUnreadable
from treeline.toolkit.geodesy import reference_system
from treeline.toolkit.limits import Limits
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.dates import find_date
from treeline.toolkit.recognition.periods import PERIOD_TAG
from treeline.toolkit.recognition.siblings import stem
from treeline.toolkit.recognition.telling_names import TELLING, is_extreme, telling_name

# ECMWF, ERA5 and ERA5-Land data documentation: a depth of monthly means is that of their mean day, which
# they do not write, and by their kind of steps they are averages ("avgad"). The hours of ERA5-Land, on a grid
# of a tenth of a degree, add up since midnight; those of ERA5 do not.
_DEPTH_OF_A_MODEL = ("tp", "total precipitation")
_METRES = ("m", "metres", "m of water equivalent")
_SHORTEST_MONTH, _DAY = timedelta(days=28), timedelta(days=1)
_STEP_OF_ERA5_LAND = 0.1
# Pixels that are in memory at once; whole rows of tiles, as the file is written tile by tile.
SLAB = 2**22
TILE = 512
MOMENT_TAG = "NETCDF_DIM_time"


def check_container(container: Path) -> None:
    """Refuse a file at once that nothing can be taken out of; what it holds is seen when it is unpacked.

    Raises
    ------
    InputError, RasterUnreadable
        It is no archive, NetCDF or HDF5 file, or of a kind that is not read.
    """
    sentence = reason_unreadable(container)
    if sentence is not None:
        raise RasterUnreadable(sentence)
    if container.suffix.lower() in (*ARRAYS, ZARR):
        with open_arrays(container):
            return
    if container.suffix.lower() == HEIGHTS:
        return
    check_archive(container)


def unpack(container: Path, folder: Path, most: float = math.inf) -> int:
    """Put the rasters of a container into a folder, and return how many files these are.

    Parameters
    ----------
    container : Path
        A ZIP, TAR or gzip archive, or a NetCDF or HDF5 file or a folder of Zarr with axes by the CF
        conventions.
    folder : Path
        Exists and is empty. After an error it may hold a part.
    most : float
        Bytes that may be taken out, where that is less than the limits allow.

    Returns
    -------
    int
        0 of an archive that holds areas alone. Files of an archive that are not read do not lose the others:
        why not stands in ``UNREAD``, by their names.

    Raises
    ------
    InputError, RasterUnreadable
        It is damaged, too large, or holds no raster that is read; the message says which and what was found.
    """
    sentence = reason_unreadable(container)
    if sentence is not None:
        raise RasterUnreadable(sentence)
    if container.suffix.lower() in (*ARRAYS, ZARR, HEIGHTS):
        return _write_rasters(container, folder, most)
    taken = take_out(container, folder, most)
    most -= sum(path.stat().st_size for path in taken)
    count, unread = sum(path.suffix.lower() in RASTERS for path in taken if path.exists()), dict[str, str]()
    inner = [path for path in taken if path.exists() and path.suffix.lower() in (*ARRAYS, HEIGHTS)]
    for path in (*zarr_folders(folder), *inner):
        try:
            count += _write_alone(path, most)
        except (InputError, RasterUnreadable) as error:
            unread[path.name] = str(error)
    # Not before: files of a product may need one another.
    for path in (*zarr_folders(folder), *inner):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if unread and not count:
        raise RasterUnreadable(f"{container.name} holds what is not read: {next(iter(unread.values()))}")
    if not count and not (container.suffix.lower() == ".zip" and has_shapefile(container)):
        raise InputError(
            f"{container.name} holds no raster that is read.",
            "GeoTIFF, JPEG 2000, PNG, JPEG, NetCDF, HDF5 and Zarr are taken out, archives in it not.",
        )
    if unread:
        (folder / UNREAD).write_text(json.dumps(unread), "utf-8")
    return count


def _write_alone(inner: Path, most: float) -> int:
    """Write the rasters of a file of an archive beside it; one that fails leaves nothing there."""
    before = set(inner.parent.iterdir())
    try:
        sentence = reason_unreadable(inner)
        if sentence is not None:
            raise RasterUnreadable(sentence)
        return _write_rasters(inner, inner.parent, most)
    except (InputError, RasterUnreadable):
        for path in set(inner.parent.iterdir()) - before:
            path.unlink()
        raise


def _write_rasters(file: Path, folder: Path, most: float) -> int:
    if file.suffix.lower() == HEIGHTS:
        return write_heights(file, folder)
    return _write_arrays(file, folder, most)


def _write_arrays(file: Path, folder: Path, most: float) -> int:
    with open_with_coordinates(file) as arrays:
        layers, reasons = rasters_of(arrays)
        if not layers:
            why = " ".join(dict.fromkeys(reasons[:3])) or (
                f"{file.name} has no variable with even axes of latitude and longitude, or of x and y, nor "
                "with a latitude and a longitude for each pixel."
            )
            raise RasterUnreadable(why)
        _check_size(file, layers, folder, most)
        return sum(_write(layered, arrays, folder, file) for layered in layers)


@contextlib.contextmanager
def open_with_coordinates(file: Path) -> Iterator[Arrays]:
    """Open a file of arrays; in a product of Sentinel-3 with the coordinates that another file of it has."""
    beside = file_of_coordinates(file)
    with contextlib.ExitStack() as opened:
        arrays = opened.enter_context(open_arrays(file))
        if beside is not None:
            arrays = with_coordinates(arrays, opened.enter_context(open_arrays(beside)))
        yield arrays


def _check_size(file: Path, layers: list[LayeredVariable], folder: Path, most: float) -> None:
    limits = Limits.from_environment()
    count = sum(len(each.moments) for each in layers)
    size = sum(each.x.size * each.y.size * len(each.moments) * each.array.dtype.itemsize for each in layers)
    room = min(limits.unpacked, shutil.disk_usage(folder).free - limits.free, most)
    if (
        count > limits.bands
        or size > room
        or max(each.x.size * each.y.size for each in layers) > limits.pixels
    ):
        raise InputError(
            f"{file.name} holds {count:,} rasters of {size / 2**30:.3g} GiB, more than are taken out here.",
            "Cut it to the variables and dates that matter, or raise TREELINE_LIMITS (bands, unpacked).",
        )


def _write(layered: LayeredVariable, arrays: Arrays, folder: Path, file: Path) -> int:
    for number, moment in enumerate(layered.moments):
        path = folder / _file_name(layered, moment, file)
        if path.exists():
            path = path.with_stem(f"{path.stem}_{layered.array.group.replace('/', '-') or number}")
        _write_layer(layered, number, moment, path)
    return len(layered.moments)


def _file_name(layered: LayeredVariable, moment: datetime | None, file: Path) -> str:
    """Return place, variable and date; a date of the file's own name goes where the axis has one."""
    own = stem(file.name)
    place = "" if moment is not None and find_date(own) is not None else own
    clock = "" if moment is None or (moment.hour, moment.minute) == (0, 0) else f"_{moment:%H%M}"
    day = "%Y-%m" if _may_be_mean_day(layered) else "%Y-%m-%d"
    date = "" if moment is None else f"{moment:{day}}{clock}"
    if moment is not None and _are_months_of_no_year(layered):
        date = month_name[moment.month]
    # What says that a variable is no plain value, such as its maximum, is in both.
    told, name = _description(layered), layered.array.name
    name = told if told.startswith(name) else name
    plain = re.sub(r"[^\w.-]+", "-", re.sub(r"\s+", "_", name))[:80]
    named = "_".join(part for part in (place[:80], plain, date) if part) + ".tif"
    # The name of a product may be all that tells how it is stored, and has a date as well.
    of_product = f"{own[:120]}_{plain}_{date}.tif"
    return of_product if not place and describe_name(of_product).product else named


def _write_layer(layered: LayeredVariable, number: int, moment: datetime | None, path: Path) -> None:
    packed, array = packing_of(layered.array), layered.array
    fill = fill_of(packed)
    x, y, turned = layered.x, layered.y, _columns_to_turn(layered)
    left = x.edge if x.step > 0 else x.edge + x.step * x.size
    # From 0 to 360 degrees becomes from -180 to 180: the second half is written first.
    left += turned * x.step - 360.0 if turned else 0.0
    top = y.edge if y.step < 0 else y.edge + y.step * y.size
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=x.size,
        height=y.size,
        count=1,
        dtype=packed.dtype,
        crs=layered.crs,
        transform=Affine(abs(x.step), 0.0, left, 0.0, -abs(y.step), top),
        nodata=fill,
        tiled=True,
        blockxsize=TILE,
        blockysize=TILE,
        compress="ZSTD",
        zstd_level=1,
        BIGTIFF="IF_SAFER",
    ) as dataset:
        for row, values in _slabs(layered, number, packed, fill):
            dataset.write(np.roll(values, -turned, axis=1), 1, window=Window(0, row, *values.shape[::-1]))
        dataset.set_band_description(1, _description(layered))
        dataset.scales, dataset.offsets = (packed.scale,), (packed.offset,)
        unit = "m/day" if _are_mean_days(layered) else array.text("units")
        if unit:
            dataset.set_band_unit(1, unit[:40])
        if moment is not None and not _are_months_of_no_year(layered):
            dataset.update_tags(**{MOMENT_TAG: moment.isoformat()})
        if layered.days and layered.days[number] is not None:
            dataset.update_tags(**{PERIOD_TAG: f"{layered.days[number]:.12g}"})


def _are_months_of_no_year(layered: LayeredVariable) -> bool:
    """Return whether a climatology has a mean over years for each month, dated in some year (CF, 7.4)."""
    months = {moment.month for moment in layered.moments if moment is not None}
    return "over years" in layered.array.text("cell_methods") and len(months) == len(layered.moments) == 12


def _are_mean_days(layered: LayeredVariable) -> bool:
    """Return whether depths of water are those of the mean day of a month."""
    gaps = _gaps(layered)
    monthly = bool(gaps) and min(gaps) >= _SHORTEST_MONTH
    return _is_depth(layered) and (monthly or layered.array.text("GRIB_stepType").startswith("avg"))


def _may_be_mean_day(layered: LayeredVariable) -> bool:
    """Return whether the only depth of a file is of the first of a month, as monthly means are."""
    alone, array = len(layered.moments) == 1, layered.array
    moment = layered.moments[0] if alone else None
    begins = moment is not None and (moment.day, moment.hour, moment.minute) == (1, 0, 0)
    return begins and _is_depth(layered) and not array.text("GRIB_stepType")


def _add_up_since_midnight(layered: LayeredVariable) -> bool:
    gaps = _gaps(layered)
    own_grid = math.isclose(abs(layered.x.step), _STEP_OF_ERA5_LAND, rel_tol=1e-3)
    return _is_depth(layered) and own_grid and bool(gaps) and min(gaps) < _DAY


def _is_depth(layered: LayeredVariable) -> bool:
    array, (short, long) = layered.array, _DEPTH_OF_A_MODEL
    named = array.name == short or array.text("long_name").lower() == long
    return named and array.text("units") in _METRES


def _gaps(layered: LayeredVariable) -> list[timedelta]:
    dates = [moment for moment in layered.moments if moment is not None]
    return [later - earlier for earlier, later in itertools.pairwise(dates)]


def _columns_to_turn(layered: LayeredVariable) -> int:
    """Return how many columns of a grid from 0 to 360 degrees lie before 180; 0 of any other."""
    x = layered.x
    whole = layered.crs is not None and abs(x.step * x.size - 360.0) < abs(x.step) / 2
    if not whole or x.step < 0 or x.first < -1e-6 or not reference_system(layered.crs).is_geographic:
        return 0
    return int(np.count_nonzero(x.first + x.step * np.arange(x.size) < 180.0))


def _slabs(
    layered: LayeredVariable, number: int, packed: VariablePacking, fill: float | None
) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield (first row, rows) from north to south and west to east, a few rows at a time."""
    array, rows = layered.array, max(1, SLAB // layered.x.size // TILE * TILE or SLAB // layered.x.size)
    for row in range(0, layered.y.size, rows):
        height = min(rows, layered.y.size - row)
        start = row if layered.y.step < 0 else layered.y.size - row - height
        parts = [slice(0, 1)] * len(array.shape)
        parts[layered.x_place], parts[layered.y_place] = slice(None), slice(start, start + height)
        if layered.time_place is not None:
            parts[layered.time_place] = slice(number, number + 1)
        values = np.asarray(array.read(tuple(parts)))
        if layered.x_place < layered.y_place:
            values = np.moveaxis(values, (layered.y_place, layered.x_place), (-2, -1))
        values = values.reshape(height, layered.x.size).astype(packed.dtype, copy=False)
        # Rows are written from north to south, whichever way the axis runs.
        values = values[::-1] if layered.y.step > 0 else values
        yield row, _mask(values[:, ::-1] if layered.x.step < 0 else values, packed, fill)


def _mask(values: NDArray[Any], packed: VariablePacking, fill: float | None) -> NDArray[Any]:
    low, high = packed.valid
    if fill is None or ((low, high) == (-np.inf, np.inf) and not packed.others):
        return values
    others = np.array(packed.others).astype(values.dtype)
    outside = (values < low) | (values > high) | np.isin(values, others)
    return np.where(outside, packed.dtype.type(fill), values) if outside.any() else values


def _description(layered: LayeredVariable) -> str:
    """Return what tells the role: the variable's name, or its role by its standard or its long name."""
    array = layered.array
    if not is_extreme(array.text("cell_methods")) and _add_up_since_midnight(layered):
        return f"{array.name}_since_midnight"
    return telling_name(array.name, {key: array.text(key) for key in TELLING})
