"""Snow depth and snow water equivalent from passive microwaves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.plausible import limit_result
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import VARIABLES

# Chang et al. 1987, in cm and mm of snow for each kelvin between the two channels.
DEPTH_PER_KELVIN = 1.59
WATER_PER_KELVIN = 4.8
# In cm. What is thinner hardly scatters at 37 GHz; what is deeper adds no more to the difference.
THINNEST, DEEPEST = 3.0, 100.0
# The depth is divided by the open share, so that in denser forest the noise would be more than fourfold.
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

    For dry snow from 3 cm to 1 m in the open: less is written as 0, more is left out. Not for
    mountains, nor for wet snow (T37H above 250 K): mask them. For SSM/I (19.35 GHz) it is usual to
    subtract 5 K from the difference beforehand. The factor of the water equivalent is 4.8 or 4.77 (1.59
    cm/K at 0.30 g/cm3), as one reads; 4.8 is taken.

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
        Share of the pixel under forest, 0 to 0.75.

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
    function = leave_out_deep(factor / (1 - forest_fraction), role)
    inputs = {"low": source(bt18h_path), "high": source(bt37h_path)}
    return report_saved(map_pixels(function, inputs, output_path, role=role, unit=unit))


def snow(factor: float, low: Any, high: Any) -> Any:
    """Return depth or water equivalent; 0 where the open-field depth is below 3 cm.

    Parameters
    ----------
    factor : float
        Of the quantity per K.
    low, high : array
        Horizontal brightness temperatures at 18 and 37 GHz in K.
    """
    difference = low - high
    thin = difference < THINNEST / DEPTH_PER_KELVIN
    # 0 times the difference stays NaN where a channel has no data.
    return np.where(thin, 0.0 * difference, factor * difference)


def leave_out_deep(factor: float, role: str) -> Callable[..., Any]:
    """Return :func:`snow` with NaN, and a warning, where the open-field depth is beyond 1 m."""
    return limit_result(partial(snow, factor), 0, factor * DEEPEST / DEPTH_PER_KELVIN, VARIABLES[role].title)
