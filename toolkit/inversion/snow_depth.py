"""Snow depth and snow water equivalent from passive microwaves."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from toolkit.errors import InputError
from toolkit.inversion.kit import INVERSION
from toolkit.plausible import plausible
from toolkit.raster import map_pixels, source
from toolkit.results import saved
from toolkit.tool import Gives, Reads, Writes, tool

DEPTH_PER_KELVIN = 1.59
WATER_PER_KELVIN = 4.8
THINNEST = 3.0
DENSEST_FOREST = 0.75

QUANTITIES = {
    "depth": ("snow_depth", "cm", DEPTH_PER_KELVIN),
    "swe": ("snow_water_equivalent", "mm", WATER_PER_KELVIN),
}


@tool(
    kit=INVERSION,
    source="Chang, Foster & Hall 1987, Ann. Glaciol. 9:39; forest: Foster et al. 1997, Remote Sens. Environ. "
    "62:132",
    gives=Gives("raster", "snow_depth", "cm"),
    formula="SD = 1.59 (T18H - T37H) cm; SWE = 4.8 (T18H - T37H) mm; divided by (1 - forest fraction)",
)
def chang_snow_depth(
    bt18h_path: Annotated[str, Reads()],
    bt37h_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("snow_depth")],
    quantity: str = "depth",
    forest_fraction: float = 0.0,
) -> str:
    """Depth (cm) or water equivalent (mm) of dry snow from 18 and 37 GHz horizontal brightness temperatures.

    For dry snow from 3 cm to about 1 m, not for wet snow or mountains; less than 3 cm is written as
    0. For SSM/I (19.35 GHz) subtract 5 K from the difference beforehand.

    Parameters
    ----------
    bt18h_path : str
        Brightness temperature at 18 or 19 GHz, horizontal, in K.
    bt37h_path : str
        Brightness temperature at 37 GHz, horizontal, in K.
    output_path : str
        Where to write the result.
    quantity : str
        ``depth`` in cm, or ``swe`` for water equivalent in mm.
    forest_fraction : float
        0 to 0.75.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    if quantity not in QUANTITIES:
        raise InputError(f"quantity: {quantity!r} is not known.", f"Use {', '.join(QUANTITIES)}.")
    if not 0 <= forest_fraction <= DENSEST_FOREST:
        raise InputError(
            f"forest_fraction: {forest_fraction:g} is outside 0 to {DENSEST_FOREST:g}.", "Mask denser forest."
        )
    role, unit, factor = QUANTITIES[quantity]
    depth = partial(snow, factor / (1 - forest_fraction))
    function = plausible(depth, role) if quantity == "depth" else depth
    inputs = {"low": source(bt18h_path), "high": source(bt37h_path)}
    return saved(map_pixels(function, inputs, output_path, role=role, unit=unit))


def snow(factor: float, low: Any, high: Any) -> Any:
    """Return depth or water equivalent; 0 where the open-field depth is less than 3 cm.

    Parameters
    ----------
    factor : float
        Of the quantity per K.
    low, high : array
        Horizontal brightness temperatures at 18 and 37 GHz in K.
    """
    difference = low - high
    thin = difference < THINNEST / DEPTH_PER_KELVIN
    return np.where(thin, 0.0 * difference, factor * difference)
