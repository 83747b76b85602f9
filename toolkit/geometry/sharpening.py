"""Pansharpening: bands in the detail of a panchromatic one."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from rasterio.enums import Resampling

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.geometry.carrying import common_unit, roles_of
from treeline.toolkit.geometry.kit import GEOMETRY
from treeline.toolkit.raster import Source, add, bands_of, map_pixels, reduce_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Variable, Writes, tool

Floats = NDArray[np.floating]
Method = Literal["brovey", "gram_schmidt"]
SHARPENED = Variable("pansharpened", "Pansharpened band", "")
# Detail of a panchromatic band that does not go with the colours would be drawn as colour.
LEAST_CORRELATION = 0.5


@tool(
    kit=GEOMETRY,
    source="Brovey: Gillespie, Kahle & Walker 1987, Remote Sens. Environ. 22:343; Gram-Schmidt: Laben & "
    "Brower 2000, US Patent 6,011,875, as Aiazzi, Baronti & Selva 2007, IEEE Trans. Geosci. Remote Sens. "
    "45:3230 have it",
    gives=Gives("raster", "pansharpened"),
    formula="I = mean of the bands, P' = P with the mean and deviation of I, both at the bands' pixels; "
    "Brovey: v P' / I; Gram-Schmidt: v + g (P' - I), g = cov(I, v) / var(I)",
)
def pansharpen(
    file_list: Annotated[list[str], Reads()],
    pan_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("pansharpened", OF_INPUT, declares=(SHARPENED,), keeps_role=True)],
    method: Method = "gram_schmidt",
) -> str:
    """Pansharpening: bands brought to the pixels of a finer panchromatic band, by Brovey or Gram-Schmidt.

    Use the bands that the panchromatic one spans: blue, green, red (Landsat 8-9: green and red). Values are
    for looking and for shapes; indices of sharpened bands are not those of the bands.

    Parameters
    ----------
    file_list : list of str
        Bands of one scene, coarser than the panchromatic one; of a multi-band raster all its bands.
    pan_path : str
        The panchromatic band; its grid is used.
    output_path : str
        GeoTIFF to write: the bands in their order.
    method : str
        ``gram_schmidt`` (keeps each band's own contrast) or ``brovey`` (keeps the bands' ratios).

    Returns
    -------
    str
        Result saved at PATH.
    """
    bands = [band for address in file_list for band in bands_of(address)]
    if len(bands) < 2:
        raise InputError(f"'file_list' holds {len(bands)} band.", "Give two or more that the pan band spans.")
    pan = source(pan_path)
    if pan.grid.same_crs(bands[0].grid) and _side(pan) > 0.99 * _side(bands[0]):
        current_context().warn(
            f"{pan.name} is no finer than {bands[0].name}; there is no detail in it to take over."
        )
    count, total, squares = _moments(pan, bands)
    if count < 2:
        raise NoValidPixels(f"{pan.name} and the bands share no valid pixel.", "Check extents and nodata.")
    mean = total / count
    covariance = squares / count - np.outer(mean, mean)
    # The order of the sums: pan, intensity, bands.
    gain = covariance[1, 2:] / covariance[1, 1]
    contrast = np.sqrt(covariance[1, 1] / covariance[0, 0])
    correlation = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    if not correlation >= LEAST_CORRELATION:
        current_context().warn(
            f"{pan.name} and the mean of the bands correlate by {correlation:.2f} only: give the bands "
            f"that the pan "
            "band spans, of the same minute."
        )

    def sharpen(pan: Floats, bands: Floats) -> Floats:
        intensity = bands.mean(axis=0)
        matched = (pan - np.float32(mean[0])) * np.float32(contrast) + np.float32(mean[1])
        if method == "brovey":
            return bands * (matched / np.where(intensity > 0, intensity, np.nan))
        return bands + gain.astype(np.float32)[:, np.newaxis, np.newaxis] * (matched - intensity)

    product = map_pixels(
        sharpen,
        {"pan": pan, "bands": bands},
        output_path,
        role=roles_of(bands),
        unit=common_unit(bands),
        resampling=Resampling.cubic,
        extra_tags={"TREELINE_PANSHARPENING": method},
    )
    return report_saved(product)


def _side(band: Source) -> float:
    """Return the width of a pixel in units of the CRS."""
    a, _, _, d, *_ = band.grid.transform
    return math.hypot(a, d)


def _moments(pan: Source, bands: list[Source]) -> tuple[int, Floats, Floats]:
    def sums(pan: Floats, bands: Floats) -> tuple[int, Floats, Floats]:
        rows = np.stack([pan, bands.mean(axis=0), *bands]).reshape(len(bands) + 2, -1).astype(np.float64)
        rows = rows[:, np.isfinite(rows).all(axis=0)]
        return rows.shape[1], rows.sum(axis=1), rows @ rows.T

    # On the grid of the bands, each pixel the mean of those of the pan band in it, as the bands see it: its
    # detail has no part in how the two compare, and a smoother one would have too little contrast.
    return reduce_pixels(
        sums, add, {"bands": bands, "pan": pan}, label="pansharpen", resampling=Resampling.average
    )
