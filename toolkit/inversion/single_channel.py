"""Land surface temperature from one thermal band."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.bands import EmissivityLaw, ThermalBand, thermal_band
from treeline.toolkit.inversion.emissivity import emissivity_from_ndvi
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.physics import correct_for_emissivity
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import Source, map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

# In g/cm2: with drier or moister air the fit of the atmospheric functions is not given.
WATER_VAPOUR_RANGE = (0.5, 3.0)

Emissivity = Callable[[Any, Any], Any]


@tool(
    kit=INVERSION,
    source="Jimenez-Munoz et al. 2014, IEEE Geosci. Remote Sens. Lett. 11:1840 (generalised single channel); "
    "Artis & Carnahan 1982, Remote Sens. Environ. 12:313 (without water vapour); Sobrino et al. 2004, Remote "
    "Sens. Environ. 90:434 (emissivity)",
    gives=Gives("raster", "lst", "K"),
    formula="g ((psi1 L + psi2) / eps + psi3) + d with water vapour; Tb / (1 + (lambda Tb / rho) ln eps) "
    "without",
    difference="earth_bench has steps of 0.96, 0.97 + 0.003 NDVI and 0.99 for the emissivity, and 10.9 um; "
    "science has the published emissivity of the band, corrects for the atmosphere when water vapour is "
    "given, and says so when it is not",
    parameter_aliases={"output_filename": "output_path"},
)
def lst_single_channel(
    bt_path: Annotated[str, Reads("bt10", "bt31", "bt11", "bt32")],
    red_path: Annotated[str, Reads("red")],
    nir_path: Annotated[str, Reads("nir", "nir08")],
    output_path: Annotated[str, Writes("lst")],
    water_vapour: float | None = None,
    band: str = "",
) -> str:
    """Land surface temperature (LST) from one thermal band, with the emissivity from NDVI.

    With ``water_vapour`` it is the generalised single-channel method. Without, it is the
    emissivity-corrected brightness temperature: no correction for the atmosphere, some K too cold
    in humid air. Coefficients for water vapour are those of Landsat 8 band 10, by convention taken
    for Landsat 9; for Landsat 5 and 7 they are one of several printed sets. The thresholds of NDVI
    for the emissivity are 0.2 and 0.5, not the extremes of the scene. Water and snow count as bare
    soil: mask them.

    Parameters
    ----------
    bt_path : str
        Brightness temperature in K.
    red_path : str
        Red reflectance, 0 to 1.
    nir_path : str
        Near-infrared reflectance, 0 to 1.
    output_path : str
        Where to write LST in K.
    water_vapour : float, optional
        Column water vapour in g/cm2 (divide kg/m2 or mm by 10), valid from 0.5 to 3.
    band : str
        Which band it is, such as ``Landsat 8-9 band 10``; empty for what the raster says.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    temperature = require_scale(source(bt_path, "bt10", "bt31", "bt11", "bt32"))
    thermal = thermal_band(temperature, band)
    inputs = {"bt": temperature, "red": source(red_path, "red"), "nir": source(nir_path, "nir", "nir08")}
    function = partial(_method(thermal, water_vapour), _emissivity_of(thermal, inputs["red"], inputs["nir"]))
    name = (
        "generalised single-channel"
        if water_vapour is not None
        else "emissivity-corrected brightness temperature"
    )
    tags = {"TREELINE_METHOD": f"{name}, {thermal.name}"}
    return report_saved(
        map_pixels(
            keep_plausible(function, "lst"), inputs, output_path, role="lst", unit="K", extra_tags=tags
        )
    )


def _method(thermal: ThermalBand, water_vapour: float | None) -> Any:
    if water_vapour is None:
        current_context().warn(
            "Without water vapour the result is the emissivity-corrected brightness temperature: the "
            "atmosphere is not corrected for."
        )
        return partial(_correct, thermal)
    low, high = WATER_VAPOUR_RANGE
    if not low <= water_vapour <= high:
        raise InputError(
            f"water_vapour: {water_vapour:g} is outside {low:g} to {high:g} g/cm2, where the method is "
            "valid.",
            "Divide kg/m2 or mm by 10; for humid air use split_window.",
        )
    if thermal.psi is None:
        raise InputError(
            f"water_vapour: no single-channel coefficients are published here for {thermal.name}.",
            "Leave water_vapour out, or use split_window.",
        )
    if thermal.remark:
        current_context().warn(f"{thermal.name}: {thermal.remark}.")
    return partial(_generalise, thermal, water_vapour)


def _correct(thermal: ThermalBand, emissivity: Emissivity, bt: Any, red: Any, nir: Any) -> Any:
    return correct_for_emissivity(bt, emissivity(red, nir), thermal.wavelength)


def _generalise(
    thermal: ThermalBand, water_vapour: float, emissivity: Emissivity, bt: Any, red: Any, nir: Any
) -> Any:
    return generalised_single_channel(bt, emissivity(red, nir), water_vapour, thermal)


def _emissivity_of(thermal: ThermalBand, red: Source, nir: Source) -> Emissivity:
    if red.band.scale_known and nir.band.scale_known:
        return partial(_emissivity, thermal.law, True)
    current_context().warn(
        f"The scale of {red.name} is not stated: bare soil has the emissivity {thermal.law.soil:g}, and NDVI "
        "is that of the stored numbers."
    )
    return partial(_emissivity, thermal.law, False)


def _emissivity(law: EmissivityLaw, reflectance: bool, red: Any, nir: Any) -> Any:
    return emissivity_from_ndvi((nir - red) / (nir + red), red if reflectance else None, law)


def generalised_single_channel(bt: Any, emissivity: Any, water_vapour: Any, thermal: ThermalBand) -> Any:
    """Return the land surface temperature by the generalised single-channel method.

    Parameters
    ----------
    bt : array or float
        At-sensor brightness temperature in K.
    emissivity : array or float
        0 to 1.
    water_vapour : array or float
        g/cm2, 0.5 to 3.
    thermal : ThermalBand
        One that has coefficients.

    Returns
    -------
    array or float
        K.
    """
    assert thermal.psi is not None and thermal.calibration is not None and thermal.gamma is not None
    k1, k2 = thermal.calibration
    radiance = k1 / np.expm1(k2 / bt)
    psi1, psi2, psi3 = ((a * water_vapour + b) * water_vapour + c for a, b, c in thermal.psi)
    # Jimenez-Munoz et al. 2014: the derivative of Planck's law around the brightness temperature, with b = c2
    # / wavelength in K.
    gamma = bt**2 / (thermal.gamma * radiance)
    delta = bt - bt**2 / thermal.gamma
    return gamma * ((psi1 * radiance + psi2) / emissivity + psi3) + delta
