"""A GeoTIFF cut to the rectangle around an area, as it is stored: no value changes, no pixel moves."""

from __future__ import annotations

from math import ceil, floor
from pathlib import Path

import rasterio
from rasterio.errors import RasterioError
from rasterio.windows import Window

from treeline.toolkit.files import output_file
from treeline.toolkit.interest import AreaOfInterest

_FEWEST_TILED = 16


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
        window = _window(opened, area) if opened.crs else None
        if window is None:
            return False
        _write(opened, window, target)
    return True


def _write(opened: rasterio.DatasetReader, window: Window, target: Path) -> None:
    profile = opened.profile | {
        "height": window.height, "width": window.width, "transform": opened.window_transform(window),
    }  # fmt: skip
    if min(window.height, window.width) < _FEWEST_TILED:
        profile = {k: v for k, v in profile.items() if k not in ("tiled", "blockxsize", "blockysize")}
    with output_file(target, RasterioError) as place, rasterio.open(place, "w", **profile) as cut:
        cut.write(opened.read(window=window))
        _copy_meaning(opened, cut)


def _window(opened: rasterio.DatasetReader, area: AreaOfInterest) -> Window | None:
    """Return the pixels that the rectangle around an area touches."""
    shape = area.in_crs(opened.crs.to_string())
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
