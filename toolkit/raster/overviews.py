"""Reduced copies of large rasters, by which a map is drawn fast."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import rasterio
from rasterio.enums import Resampling
from rasterio.errors import RasterioError
from rasterio.io import DatasetWriter

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import RasterError
from treeline.toolkit.opening import open_raster_file
from treeline.toolkit.raster.alignment import WHOLE_VALUED
from treeline.toolkit.raster.settings import OVERVIEWS_ABOVE, TILE
from treeline.toolkit.variables import variable
from treeline.toolkit.whole_files import hidden_name_beside

SUFFIX = ".ovr"
WRITTEN_HERE = "TREELINE_ROLE"


def build_inside(path: Path) -> None:
    """Build the overviews of a raster in its own file, which nobody may be reading.

    Raises
    ------
    RasterioError
        The file cannot be changed.
    """
    with _fast(), rasterio.open(path, "r+") as dataset:
        if max(dataset.shape) > OVERVIEWS_ABOVE:
            dataset.build_overviews(_factors(dataset), _resampling(dataset))


def complete_overviews(path: Path) -> bool:
    """Build the overviews that a large product lacks in a file beside it, which appears when it is whole.

    The raster itself stays as it is, so that others may be reading it. Rasters that were not written by
    the engine are left alone: their folder is not ours.

    Parameters
    ----------
    path : Path
        Of a GeoTIFF.

    Returns
    -------
    bool
        Whether overviews were built.

    Raises
    ------
    RasterError
        The raster cannot be read, or nothing can be written beside it.
    """
    with open_raster_file(path) as dataset:
        large = max(dataset.shape) > OVERVIEWS_ABOVE
        if not large or dataset.overviews(1) or WRITTEN_HERE not in dataset.tags():
            return False
    link = hidden_name_beside(path)
    beside = link.with_name(link.name + SUFFIX)
    try:
        # GDAL writes overviews beside the name that it opened. Under a second name of the same file nobody
        # sees them grow.
        os.link(path, link)
        with _fast(TIFF_USE_OVR="YES"), rasterio.open(link, "r+") as dataset:
            dataset.build_overviews(_factors(dataset), _resampling(dataset))
        # A product that was written again meanwhile is another file, which these overviews do not show.
        if path.stat().st_ino != link.stat().st_ino:
            return False  # written again meanwhile
        beside.replace(path.with_name(path.name + SUFFIX))
    except (OSError, RasterioError) as error:
        raise RasterError(f"The overviews of {path.name} cannot be written: {error}.") from error
    finally:
        link.unlink(missing_ok=True)
        beside.unlink(missing_ok=True)
    return True


def _fast(**options: str) -> rasterio.Env:
    threads = str(max(1, current_context().threads))
    # Without the level GDAL spends more time on the overviews than on the raster itself.
    return rasterio.Env(
        GDAL_NUM_THREADS=threads,
        COMPRESS_OVERVIEW="ZSTD",
        ZSTD_LEVEL_OVERVIEW="1",
        GDAL_TIFF_OVR_BLOCKSIZE=str(TILE),
        BIGTIFF_OVERVIEW="IF_SAFER",
        **options,
    )


def _factors(dataset: DatasetWriter) -> list[int]:
    largest = max(dataset.shape)
    # Halved until all of it fits into one tile.
    return [2**n for n in range(1, 16) if largest / 2 ** (n - 1) > TILE]


def _resampling(dataset: DatasetWriter) -> Resampling:
    known = variable(dataset.descriptions[0])
    # The mean of two classes would be a third one; of scaled integers it would be rounded.
    whole = np.dtype(dataset.dtypes[0]).kind != "f" or (known is not None and known.kind in WHOLE_VALUED)
    return Resampling.nearest if whole else Resampling.average
