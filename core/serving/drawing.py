"""From a layer to a tile or a preview as PNG."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from treeline.core.serving.layers import MapLayer
from treeline.core.serving.png import pack_colours
from treeline.core.serving.styles import Style, colours_of, ramp_of, ranges_of
from treeline.toolkit.raster import Grid, KeptDatasets, Source, read_small, read_view

# What maps on the web ask for.
TILE_SIZE = 256
WEB_MERCATOR = "EPSG:3857"
# Half of the equator of the sphere that the projection stands on, in metres.
HALF_WORLD = math.pi * 6_378_137.0
# A copy is never written anew: another state of its raster has another one.
_COPIES = KeptDatasets(8)
# A transparent pixel.
_NOTHING = (0, 0, 0, 0)


def draw_tile(layer: MapLayer, style: Style, z: int, x: int, y: int) -> bytes | None:
    """Return a Web Mercator tile of a layer as PNG; ``None`` where the layer has nothing.

    Raises
    ------
    RasterError
        The file is not readable any more.
    """
    bands = view_of(layer, tile_grid(z, x, y))
    return None if bands is None else _png(layer, style, bands)


def view_of(layer: MapLayer, view: Grid) -> list[NDArray[np.floating]] | None:
    """Return the values of a layer on the pixels of a view; ``None`` where nothing of it is seen.

    Raises
    ------
    RasterError
        A file is not readable any more.
    """
    if layer.is_of_one_file:
        return read_view(layer.drawn_sources, view, _kept(layer, layer.drawn_sources[0]))
    found = [read_view((source,), view, _kept(layer, source)) for source in layer.drawn_sources]
    bands = [band[0] for band in found if band is not None]
    # What one file does not cover has no colour.
    return bands if len(bands) == len(found) else None


def _kept(layer: MapLayer, drawn: Source) -> KeptDatasets | None:
    """Return what keeps a copy open; what people give and remove is closed at once."""
    return None if drawn.path in {source.path for source in layer.sources} else _COPIES


def tile_grid(z: int, x: int, y: int) -> Grid:
    """Return the pixels of a tile of the map, in Web Mercator."""
    pixel = 2 * HALF_WORLD / 2**z / TILE_SIZE
    left, top = x * TILE_SIZE * pixel - HALF_WORLD, HALF_WORLD - y * TILE_SIZE * pixel
    return Grid(WEB_MERCATOR, (pixel, 0.0, left, 0.0, -pixel, top), TILE_SIZE, TILE_SIZE)


def draw_preview(layer: MapLayer, style: Style, size: int = 256) -> bytes:
    """Return a whole layer, in its own grid, as a small PNG.

    Raises
    ------
    RasterError
        The file is not readable.
    """
    return _png(layer, style, [read_small(source, size) for source in layer.drawn_sources])


def colour(layer: MapLayer, style: Style, bands: list[NDArray[Any]]) -> NDArray[np.uint8]:
    """Return physical values as an RGBA image; what is not finite is transparent."""
    if style.colormap == "rgb":
        return _colour_image(layer, style, bands)
    levels, palette = _levels(layer, style, bands[0])
    return palette[levels]


def _colour_image(layer: MapLayer, style: Style, bands: list[NDArray[Any]]) -> NDArray[np.uint8]:
    balanced = []
    for (low, high), band in zip(ranges_of(layer), bands, strict=True):
        balanced.append((band - low) / (high - low))
    valid = np.logical_and.reduce([np.isfinite(band) for band in bands])
    alpha = np.where(valid, 255, 0).astype("uint8")
    return np.dstack([*(_stretch(band, style) for band in balanced), alpha])


def _levels(
    layer: MapLayer, style: Style, values: NDArray[Any]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return one band as places in a palette, and the palette, of 256 colours at most."""
    if style.colormap == "classes":
        colours = colours_of(layer, style)
        levels = np.zeros(values.shape, dtype="uint8")
        for level, value in enumerate(colours, 1):
            levels[values == value] = level
        return levels, np.array([_NOTHING, *colours.values()], dtype="uint8")
    levels, palette, nothing = _stretch(values, style), ramp_of(style.colormap), ~np.isfinite(values)
    if nothing.any():
        # What is transparent takes the place of the rarest level, which as a rule no pixel has.
        spare = int(np.bincount(levels[~nothing], minlength=256).argmin())
        levels[(levels == spare) & ~nothing] = spare - 1 if spare else 1
        levels[nothing] = spare
        palette = palette.copy()
        palette[spare] = _NOTHING
    return levels, palette


def _stretch(values: NDArray[Any], style: Style) -> NDArray[np.uint8]:
    share = (np.nan_to_num(values, nan=style.low) - style.low) / (style.high - style.low)
    return (np.clip(share, 0.0, 1.0) * 255.0 + 0.5).astype("uint8")


def _png(layer: MapLayer, style: Style, bands: list[NDArray[Any]]) -> bytes:
    """Return physical values as PNG; of one band with a palette, which is packed in a fifth of the time."""
    if style.colormap == "rgb":
        return pack_colours(_colour_image(layer, style, bands))
    stream = io.BytesIO()
    levels, palette = _levels(layer, style, bands[0])
    image = Image.fromarray(levels, "P")
    image.putpalette(palette.tobytes(), "RGBA")
    image.save(stream, "PNG", compress_level=1)
    return stream.getvalue()
