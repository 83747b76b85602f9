"""Radiative power of fires from brightness temperatures near 4 um."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.physics import STEFAN_BOLTZMANN, planck_radiance
from treeline.toolkit.plausible import keep_plausible, limiter
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

EIGHTH_POWER = 4.34e-19
"""MW per km2 and K^8."""

MIDDLE_INFRARED = 3.96
"""Effective wavelength of MODIS bands 21 and 22 in um."""

# In K: ground without fire is not hotter near 4 um, where a desert at noon comes to some 340 K.
BACKGROUNDS = (200.0, 350.0)
FIRES = (200.0, 1500.0)
"""Plausible brightness temperatures near 4 um in K."""


@tool(
    kit=INVERSION,
    source="Kaufman et al. 1998, J. Geophys. Res. 103:32215 (eighth powers); Wooster, Zhukov & Oertel 2003, "
    "Remote Sens. Environ. 86:83 (radiances)",
    gives=Gives("raster", "frp", "MW"),
    formula="4.34e-19 A (T4^8 - Tb^8), or A sigma / a (L4 - Lb) with the coefficient a; A in km2",
)
def fire_radiative_power(
    fire_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("frp")],
    background_temperature: float,
    pixel_area: float = 1.0,
    radiance_coefficient: float | None = None,
) -> str:
    """Fire radiative power (FRP) in MW from the brightness temperature of fire pixels near 4 um.

    0 where a pixel is no hotter than the background. It finds no fires: keep the pixels of a fire mask.
    The two forms differ by some 10 %.

    Parameters
    ----------
    fire_path : str
        Brightness temperature near 4 um in K, such as MODIS band 21 or 22.
    output_path : str
        Where to write FRP in MW per pixel.
    background_temperature : float
        Mean brightness temperature of the land around the fires at the same wavelength, in K.
    pixel_area : float
        Of a pixel on the ground in km2; 1 for MODIS below the satellite.
    radiance_coefficient : float, optional
        a of ``L = a T^4`` at 3.96 um in W m-2 sr-1 um-1 K-4: takes the form by radiances. For MODIS about
        3.0e-9 is in use, which was not checked against the paper.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    low, high = BACKGROUNDS
    if not low <= background_temperature <= high:
        raise InputError(
            f"background_temperature: {background_temperature:g} is outside {low:g} to {high:g} K.",
            "Give it in kelvin.",
        )
    if pixel_area <= 0:
        raise InputError(f"pixel_area: {pixel_area:g} is not above 0.", "Give it in km2.")
    if radiance_coefficient is not None and radiance_coefficient <= 0:
        raise InputError(
            f"radiance_coefficient: {radiance_coefficient:g} is not above 0.", "About 3e-9 for MODIS."
        )
    method = "Kaufman 1998" if radiance_coefficient is None else f"radiances, a {radiance_coefficient:g}"
    power = partial(radiative_power, background_temperature, pixel_area, radiance_coefficient)
    kelvin = limiter(*FIRES, "Brightness temperature in K")
    function = keep_plausible(lambda fire: power(kelvin(fire)), "frp")
    tags = {"TREELINE_METHOD": f"{method}, background {background_temperature:g} K"}
    inputs = {"fire": source(fire_path)}
    return report_saved(map_pixels(function, inputs, output_path, role="frp", unit="MW", extra_tags=tags))


def radiative_power(background: float, area: float, coefficient: float | None, fire: Any) -> Any:
    """Return the radiative power in MW, at least 0.

    Parameters
    ----------
    background : float
        K.
    area : float
        km2.
    coefficient : float or None
        Of the form by radiances in W m-2 sr-1 um-1 K-4; ``None`` for that of eighth powers.
    fire : array
        Brightness temperature near 4 um in K.
    """
    if coefficient is None:
        # Near 4 um the radiance of a hot surface grows about as the fourth power of what is emitted in all.
        power = EIGHTH_POWER * (fire**8 - background**8)
    else:
        excess = planck_radiance(fire, MIDDLE_INFRARED) - planck_radiance(background, MIDDLE_INFRARED)
        power = STEFAN_BOLTZMANN / coefficient * excess  # W m-2, which is MW km-2
    return area * np.maximum(power, 0)
