"""Writing masks: as GeoTIFF, or as PNG where the caller named one."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import rasterio
from numpy.typing import NDArray
from rasterio.errors import NotGeoreferencedWarning, RasterioError

from treeline.toolkit.context import Product, current_context
from treeline.toolkit.files import output_file
from treeline.toolkit.perception.picture import Picture
from treeline.toolkit.raster import write_array

WHITE = 255


def write_mask(mask: NDArray[np.bool_], picture: Picture, output: str, backend: str) -> Product:
    """Write a mask on the grid of a picture.

    Parameters
    ----------
    output : str
        A GeoTIFF gets 1 and 0, and 255 where the picture has no data; a PNG 255 and 0, so that it
        can be looked at.
    backend : str
        Who made the mask; goes into the tags of a GeoTIFF.
    """
    if Path(output).suffix.lower() == ".png":
        return _write_png(mask & picture.valid, picture, output)
    values = np.where(picture.valid, mask.astype(np.float32), np.nan)
    return write_array(
        values,
        picture.grid,
        output,
        role="mask",
        dtype="uint8",
        inputs=[picture.source],
        extra_tags={"TREELINE_BACKEND": backend},
    )


def _write_png(mask: NDArray[np.bool_], picture: Picture, output: str) -> Product:
    target = current_context().output_path(output, [picture.source.path])
    grid = picture.grid
    placed = {} if grid.crs is None else {"crs": grid.crs_object, "transform": grid.affine}
    with output_file(target, RasterioError) as temporary, warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with rasterio.open(
            temporary,
            "w",
            driver="PNG",
            width=grid.width,
            height=grid.height,
            count=1,
            dtype="uint8",
            **placed,
        ) as dataset:
            dataset.write(mask.astype(np.uint8) * WHITE, 1)
    product = Product(
        target,
        "mask",
        "class",
        (str(picture.source.path),),
        kind="raster",
        valid_share=1.0,
        minimum=0.0,
        maximum=float(mask.any() * WHITE),
        mean=float(mask.mean() * WHITE),
    )
    current_context().products.append(product)
    return product
