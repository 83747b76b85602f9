"""A GeoTIFF cut to the rectangle around an area, as it is stored: no value changes, no pixel moves."""

from __future__ import annotations

from math import ceil, floor
from pathlib import Path

import rasterio
from rasterio.errors import RasterioError
from rasterio.windows import Window

from treeline.toolkit.context import current_context
from treeline.toolkit.files import output_file
from treeline.toolkit.interest import AreaOfInterest

# Tiles have sides that are multiples of 16, and a smaller raster would be mostly padding.
_FEWEST_TILED = 16
_ROWS = 512


def crop_file(source: Path, target: Path, area: AreaOfInterest) -> bool:
    """Write what of a GeoTIFF lies in the rectangle around an area; return whether there is such a part.

    Scale, offset, unit, names, tags, colours and nodata stay. What is no GeoTIFF with a CRS, or does not
    reach the area, is not written.

    Raises
    ------
    RasterError
        It cannot be written.
    """
    try:
        opened = rasterio.open(source, driver="GTiff")
    except RasterioError:
        return False
    with opened:
        window = window_of(opened, area)
        if window is None:
            return False
        write_window(opened, window, target)
    return True


def write_window(opened: rasterio.DatasetReader, window: Window, target: Path) -> None:
    """Write a part of an opened raster as it is stored, a few rows at a time.

    Raises
    ------
    RasterError
        It cannot be written.
    """
    profile = opened.profile | {
        "driver": "GTiff",
        "height": window.height,
        "width": window.width,
        "transform": opened.window_transform(window),
    }
    if min(window.height, window.width) < _FEWEST_TILED:
        profile = {k: v for k, v in profile.items() if k not in ("tiled", "blockxsize", "blockysize")}
    with output_file(target, RasterioError) as place, rasterio.open(place, "w", **profile) as cut:
        for row in range(0, window.height, _ROWS):
            part = Window(0, row, window.width, min(_ROWS, window.height - row))
            here = Window(window.col_off, window.row_off + row, part.width, part.height)
            cut.write(opened.read(window=here), window=part)
            current_context().check_stop()
        _copy_meaning(opened, cut)


def window_of(opened: rasterio.DatasetReader, area: AreaOfInterest) -> Window | None:
    """Return the pixels that the rectangle around an area touches; ``None`` where there are none."""
    if not opened.crs:
        return None
    shape = area.in_crs(opened.crs.to_string(), tuple(opened.bounds))
    if shape.is_empty or not opened.transform.is_rectilinear:
        return None
    wanted = opened.window(*shape.bounds)
    left, top = max(floor(wanted.col_off), 0), max(floor(wanted.row_off), 0)
    right = min(ceil(wanted.col_off + wanted.width), opened.width)
    bottom = min(ceil(wanted.row_off + wanted.height), opened.height)
    return Window(left, top, right - left, bottom - top) if right > left and bottom > top else None


def _copy_meaning(opened: rasterio.DatasetReader, cut: rasterio.io.DatasetWriter) -> None:
    """Copy what a file says of its values."""
    cut.scales, cut.offsets, cut.units = opened.scales, opened.offsets, opened.units
    cut.descriptions, cut.colorinterp = opened.descriptions, opened.colorinterp
    cut.update_tags(**opened.tags())
    for band in opened.indexes:
        cut.update_tags(band, **opened.tags(band))
        if opened.colorinterp[band - 1].name == "palette":
            cut.write_colormap(band, opened.colormap(band))
