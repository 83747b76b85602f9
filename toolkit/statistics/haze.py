"""Haze taken from a band by its darkest pixels."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.statistics.clouds import REFLECTANCE
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.statistics.pixels import Pixels
from treeline.toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=STATISTICS,
    source="Chavez 1988, Remote Sens. Environ. 24:459; one percent of the darkest: Chavez 1996, Photogramm. "
    "Eng. Remote Sens. 62:1025",
    gives=Gives("raster", "haze_corrected", "1"),
    formula="v - (dark - 0.01): dark the value that the given percentage of the pixels does not exceed",
)
def subtract_dark_object(
    input_path: Annotated[str, Reads(*REFLECTANCE)],
    output_path: Annotated[str, Writes("haze_free", "1", keeps_role=True)],
    percentage: float = 0.1,
    dark_reflectance: float = 0.01,
) -> str:
    """Dark-object subtraction: a band without its haze, by what its darkest pixels reflect too much.

    Parameters
    ----------
    input_path : str
        A band of reflectance at the top of the atmosphere, with some shade or deep water, clouds masked.
    output_path : str
        GeoTIFF to write; nothing is below 0.
    percentage : float
        Of the pixels that are taken for dark, above 0 and up to 5.
    dark_reflectance : float
        What they would reflect without an atmosphere, 0 to 0.05.

    Returns
    -------
    str
        Result saved at PATH. The correction is for scattering alone, not for absorption.
    """
    if not 0 < percentage <= 5:
        raise InputError(f"The argument 'percentage' is {percentage:g}.", "Give more than 0 and up to 5.")
    if not 0 <= dark_reflectance <= 0.05:
        raise InputError(f"The argument 'dark_reflectance' is {dark_reflectance:g}.", "Give 0 to 0.05.")
    band = require_scale(source(input_path, *REFLECTANCE))
    pixels = Pixels((input_path,))
    count = pixels.moments(1).count
    # Hardly anything on the ground is wholly black: Chavez takes 1 % for its reflectance.
    haze = pixels.percentile(percentage, count) - dark_reflectance
    if haze <= 0:
        current_context().warn(
            f"The darkest pixels of {band.name} reflect {haze + dark_reflectance:.4g}, which is no more than "
            f"{dark_reflectance:g}: nothing was subtracted."
        )
        haze = 0.0

    def correct(values: NDArray[np.floating]) -> NDArray[np.floating]:
        return np.maximum(values - np.float32(haze), 0.0)

    tags = {"TREELINE_HAZE": f"{haze:.6g}"}
    return report_saved(
        map_pixels(correct, {"values": band}, output_path, role=band.role or "", unit="1", extra_tags=tags)
    )
