"""A copy of a raster from which any view of it is drawn fast."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import rasterio
from rasterio.enums import Interleaving, MaskFlags
from rasterio.errors import RasterioError
from rasterio.io import DatasetReader
from rasterio.windows import Window

from treeline.toolkit.errors import RasterError
from treeline.toolkit.opening import LARGEST_BLOCK, open_raster_file
from treeline.toolkit.raster.overviews import WRITTEN_HERE, build_inside, complete_overviews
from treeline.toolkit.raster.settings import TILE
from treeline.toolkit.recognition.model import RasterDescription

# Bytes that are decoded within the time of a tile, on one processor.
QUICK = 32 * 2**20
# Each band is compressed and gets overviews, and of hundreds of bands a person looks at a few.
MOST_BANDS = 64
_BLOCK = 256
_DECODED_WHOLE = ("PNG", "JPEG")
# How much longer JPEG 2000 takes than what is packed without it.
_SLOWER = 10


def is_large(raster: RasterDescription) -> bool:
    """Return whether a view of a whole raster may take longer than a tile should."""
    size = raster.width * raster.height * np.dtype(raster.dtype).itemsize
    return size * min(len(raster.bands), MOST_BANDS) > QUICK


def write_display(path: Path, target: Path) -> bool:
    """Write a copy of a raster in small tiles with overviews, if it is not drawn fast as it is.

    What the engine wrote lies in tiles already and lacks its overviews alone: it gets these beside it.

    Returns
    -------
    bool
        Whether a copy was written. A raster of more than 64 bands has none.

    Raises
    ------
    RasterError
        The raster cannot be read, or the copy not be written.
    """
    with open_raster_file(path) as dataset:
        quick = bool(dataset.overviews(1)) and _of_view(dataset) <= QUICK
        rows = _BLOCK * dataset.width * dataset.count * np.dtype(dataset.dtypes[0]).itemsize
        # A product is tiled and compressed for this already and lacks overviews alone.
        if WRITTEN_HERE in dataset.tags():
            complete_overviews(path)
            return False
        if quick or rows > LARGEST_BLOCK or dataset.count > MOST_BANDS:
            return False
        try:
            _copy(dataset, target)
            build_inside(target)
        except (OSError, RasterioError) as error:
            raise RasterError(f"The copy of {path.name} for the map cannot be written: {error}.") from error
    return True


def _copy(dataset: DatasetReader, target: Path) -> None:
    """Copy the pixels by full rows, each of which is decoded once."""
    masked = any(MaskFlags.per_dataset in flags for flags in dataset.mask_flag_enums)
    with (
        rasterio.Env(GDAL_TIFF_INTERNAL_MASK="YES"),
        rasterio.open(
            target,
            "w",
            driver="GTiff",
            width=dataset.width,
            height=dataset.height,
            count=dataset.count,
            dtype=dataset.dtypes[0],
            nodata=dataset.nodata,
            crs=dataset.crs,
            transform=dataset.transform,
            tiled=True,
            blockxsize=_BLOCK,
            blockysize=_BLOCK,
            interleave="BAND",
            compress="ZSTD",
            zstd_level=1,
            num_threads="ALL_CPUS",
            BIGTIFF="IF_SAFER",
        ) as written,
    ):
        written.colorinterp = dataset.colorinterp
        for row in range(0, dataset.height, _BLOCK):
            window = Window(0, row, dataset.width, min(_BLOCK, dataset.height - row))
            written.write(dataset.read(window=window), window=window)
            if masked:
                written.write_mask(dataset.read_masks(1, window=window), window=window)


def _of_view(dataset: DatasetReader) -> int:
    """Return the bytes that are decoded for a view at full size."""
    rows, columns = dataset.shape
    if dataset.driver not in _DECODED_WHOLE:
        height, width = dataset.block_shapes[0]
        rows, columns = min((TILE // height + 1) * height, rows), min((TILE // width + 1) * width, columns)
    bands = dataset.count if dataset.interleaving == Interleaving.pixel else 1
    size = rows * columns * bands * np.dtype(dataset.dtypes[0]).itemsize
    return int(size * (_SLOWER if dataset.driver == "JP2OpenJPEG" else 1))
