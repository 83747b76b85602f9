"""Grey values as colours, for people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import Product, current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.files import output_file
from treeline.toolkit.raster import Source, map_pixels, read_small, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.statistics.maps import extent
from treeline.toolkit.tool import Gives, Reads, Writes, tool

PICTURES = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}
LARGEST_PICTURE = 8192
LEVELS = 256


@tool(
    kit=STATISTICS,
    source="Colour maps: Hunter 2007, Comput. Sci. Eng. 9:90 (Matplotlib).",
    gives=Gives("figure", "rgb"),
    formula="colour map of (v - min) / (max - min)",
    difference="None: in both, nodata stays out of the stretch and is transparent (PNG) or black.",
)
def grayscale_to_colormap(
    image_path: Annotated[str, Reads()],
    save_name: Annotated[str, Writes("rgb")],
    cmap_name: str = "viridis",
    preserve_geo: bool = False,
) -> str:
    """Colour picture of one band by a colour map, from its minimum to its maximum.

    Parameters
    ----------
    image_path : str
        A raster; one band.
    save_name : str
        ``.png`` or ``.jpg`` for a picture (at most 8192 pixels a side), ``.tif`` for a raster of
        three bands with georeference.
    cmap_name : str
        Name of a Matplotlib colour map, such as ``viridis``, ``inferno``, ``RdYlGn``.
    preserve_geo : bool
        Write a GeoTIFF whatever the suffix.

    Returns
    -------
    str
        Result saved at PATH.
    """
    colours = _table(cmap_name)
    band = source(image_path)
    low, high = extent(lambda values: values, {"values": band})
    if low > high:
        raise NoValidPixels(f"No pixel of {band.name} is valid.", "There is nothing to colour.")
    current_context().output_path(save_name)
    path = Path(save_name)
    if preserve_geo or path.suffix.lower() not in PICTURES:
        return report_saved(_raster(band, path.with_suffix(".tif"), colours, low, high))
    return report_saved(_picture(band, path, colours, low, high))


def _table(name: str) -> NDArray[np.uint8]:
    import matplotlib

    if name not in matplotlib.colormaps:
        raise InputError(
            f"There is no colour map {name!r}.",
            "Give such as 'viridis', 'inferno', 'RdYlGn', 'Blues' or 'gray'.",
        )
    return np.asarray(matplotlib.colormaps[name](np.linspace(0, 1, LEVELS), bytes=True)[:, :3])


def _colour(
    values: NDArray[np.floating], colours: NDArray[np.uint8], low: float, high: float
) -> NDArray[np.uint8]:
    factor = LEVELS / (high - low) if high > low else 0.0
    levels = np.where(np.isnan(values), 0.0, (values - low) * factor)
    return colours[np.clip(levels, 0, LEVELS - 1).astype(np.uint8)]


def _raster(band: Source, path: Path, colours: NDArray[np.uint8], low: float, high: float) -> Product:
    def paint(values: NDArray[np.floating]) -> NDArray[np.floating]:
        picture = np.moveaxis(_colour(values, colours, low, high), -1, 0)
        # 255 is the nodata of bytes; 254 looks the same.
        return np.where(np.isnan(values), np.nan, np.minimum(picture, 254))

    return map_pixels(paint, {"values": band}, path, role="rgb", unit="1", dtype="uint8")


def _picture(band: Source, path: Path, colours: NDArray[np.uint8], low: float, high: float) -> Product:
    from PIL import Image

    target = current_context().output_path(path)
    values = read_small(band, LARGEST_PICTURE)
    picture = _colour(values, colours, low, high)
    missing = np.isnan(values)
    # Black, which JPEG has in place of transparency: the colour of the lowest value would pass for data.
    picture[missing] = 0
    kind = PICTURES[path.suffix.lower()]
    if kind == "PNG":
        picture = np.dstack([picture, np.where(missing, 0, 255).astype(np.uint8)])
    with output_file(target) as temporary:
        Image.fromarray(picture).save(temporary, kind)
    product = Product(target, "rgb", "1", (str(band.path),), kind="image")
    current_context().products.append(product)
    return product
