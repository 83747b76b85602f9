"""Rasters on the web, or the part of one that lies in a place, as files of this machine."""

from __future__ import annotations

import hashlib
from pathlib import Path

from rasterio.windows import Window
from shapely.geometry import box

from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster.cropping import window_of, write_window
from treeline.toolkit.web_files import RangeFile, name_of, open_by_ranges

# Half a gigabyte of float32, which is held in memory as a whole.
MOST_PIXELS = 120_000_000
Bounds = tuple[float, float, float, float]


def fetch(address: str, folder: Path, bounds: Bounds | None = None) -> Path:
    """Return a raster on the web as a file in a folder, as it is stored; what is there already stays.

    Parameters
    ----------
    address : str
        Of a GeoTIFF, best a cloud-optimized one, on a server that sends parts of files.
    folder : Path
        The file has its own name, in a folder for this address, these bounds and this state of it.
    bounds : tuple of float, optional
        West, south, east, north in degrees; only the pixels within are sent.

    Raises
    ------
    PathOutside
        The address may not be read.
    InputError, GridMismatch, RasterError
        It is too large, has no part there, cannot be read or written.
    """
    file = RangeFile(address)
    state = hashlib.sha256(f"{address} {bounds} {file.version}".encode()).hexdigest()[:16]
    target = folder / state / (Path(name_of(address)).stem[:100] + ".tif")
    if not target.is_file():
        _copy(file, target, bounds)
    return target


def _copy(file: RangeFile, target: Path, bounds: Bounds | None) -> None:
    with open_by_ranges(file) as dataset:
        window: Window | None = Window(0, 0, dataset.width, dataset.height)
        if bounds is not None:
            if not (bounds[0] < bounds[2] and bounds[1] < bounds[3]):
                raise InputError(f"{bounds} are no bounds.", "Give west, south, east, north in degrees.")
            window = window_of(dataset, AreaOfInterest(box(*bounds), LONGITUDE_LATITUDE, "a box"))
        if window is None:
            raise GridMismatch(f"{file.name} has no pixel within the bounds {bounds}.")
        if window.width * window.height * dataset.count > MOST_PIXELS:
            raise InputError(
                f"{file.name} has {window.width} x {window.height} pixels in {dataset.count} bands, too many "
                "to be fetched.",
                "Give the bounds of a smaller place.",
            )
        write_window(dataset, window, target)
