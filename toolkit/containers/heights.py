"""SRTM height files: bare numbers whose place is in the name.

NASA LP DAAC, SRTM Collection User Guide: a tile of a degree, named by its south-western corner, of 1,201 or
3,601 rows and columns of big-endian 16-bit metres; the outermost centres lie on the edges of the degree,
and -32768 is void.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import rasterio
from rasterio.transform import from_origin

from treeline.toolkit.containers.formats import HEIGHTS
from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.geodesy import LONGITUDE_LATITUDE

# An SRTM tile of 3 or of 1 arc-second: the file has no header, so its size alone tells which.
SIDES = (1201, 3601)
# What SRTM writes where the radar saw nothing.
VOID = -32768
_CORNER = re.compile(r"(?<![A-Za-z])([NS])(\d{2})([EW])(\d{3})(?!\d)", re.IGNORECASE)


def write_heights(file: Path, folder: Path) -> int:
    """Put the heights of a tile into a folder as a GeoTIFF, and return 1.

    Raises
    ------
    RasterUnreadable
        The name has no corner, or the size is not that of a tile.
    """
    corner, size = _CORNER.search(file.name), file.stat().st_size
    side = next((side for side in SIDES if 2 * side**2 == size), None)
    if corner is None or side is None:
        raise RasterUnreadable(
            f"{file.name} ({size:,} bytes) is no SRTM tile of 1,201 or 3,601 rows "
            "named by its corner, such as N46E014.hgt.",
            "Give it as a GeoTIFF.",
        )
    south = int(corner[2]) * (1 if corner[1].upper() == "N" else -1)
    west = int(corner[4]) * (1 if corner[3].upper() == "E" else -1)
    # Centres lie on both edges of the degree, so that there is one pixel more than there are steps.
    step = 1 / (side - 1)
    heights = np.fromfile(file, dtype=">i2").reshape(side, side).astype("int16")
    with rasterio.open(
        folder / f"{file.name[: -len(HEIGHTS)]}.tif",
        "w",
        driver="GTiff",
        width=side,
        height=side,
        count=1,
        dtype="int16",
        crs=LONGITUDE_LATITUDE,
        nodata=VOID,
        tiled=True,
        compress="ZSTD",
        zstd_level=1,
        transform=from_origin(west - step / 2, south + 1 + step / 2, step, step),
    ) as dataset:
        dataset.write(heights, 1)
    return 1
