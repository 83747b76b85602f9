"""Optical depth and water content of vegetation from the microwave polarisation difference index."""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.polarisation import polarisation_ratio
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

# Of vegetation at 1 to 37 GHz, as the tool's document says.
LARGEST_ALBEDO = 0.2


@tool(
    kit=INVERSION,
    source="Meesters, de Jeu & Owe 2005, IEEE Geosci. Remote Sens. Lett. 2:224",
    gives=Gives("raster", "vegetation_optical_depth", "1"),
    formula="tau = cos(u) ln(a d + sqrt((a d)^2 + a + 1)); a = ((ev - eh) / MPDI - ev - eh) / 2, d = w / (2 "
    "(1 - w))",
)
def vegetation_optical_depth(
    bt_v_path: Annotated[str, Reads()],
    bt_h_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("vegetation_optical_depth", "1")],
    emissivity_v: float,
    emissivity_h: float,
    incidence_angle: float,
    single_scattering_albedo: float = 0.05,
) -> str:
    """Optical depth of vegetation from vertical and horizontal brightness temperatures of one frequency.

    Divide it by b (some 0.12 at 1.4 GHz is in use, by crop) for the water content in kg/m2. Pixels
    that are more polarised than the bare soil, or not at all, are left out.

    Parameters
    ----------
    bt_v_path : str
        Vertical brightness temperature in K.
    bt_h_path : str
        Horizontal brightness temperature in K.
    output_path : str
        Where to write the optical depth.
    emissivity_v : float
        Vertical emissivity of the soil, 0 to 1.
    emissivity_h : float
        Horizontal emissivity of the soil, 0 to 1.
    incidence_angle : float
        Degrees.
    single_scattering_albedo : float
        Of the vegetation, 0 to 0.2.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    if not 0 < emissivity_h < emissivity_v <= 1:
        raise InputError(
            f"emissivity_v is {emissivity_v:g} and emissivity_h {emissivity_h:g}.",
            "0 < horizontal < vertical <= 1.",
        )
    if not 0 <= incidence_angle < 90 or not 0 <= single_scattering_albedo <= LARGEST_ALBEDO:
        raise InputError(
            f"incidence_angle {incidence_angle:g}, single_scattering_albedo {single_scattering_albedo:g}: "
            "out of range.",
            f"0 to 90 degrees, 0 to {LARGEST_ALBEDO:g}.",
        )
    function = partial(optical_depth, emissivity_v, emissivity_h, incidence_angle, single_scattering_albedo)
    inputs = {"vertical": source(bt_v_path), "horizontal": source(bt_h_path)}
    role = "vegetation_optical_depth"
    return report_saved(map_pixels(keep_plausible(function, role), inputs, output_path, role=role, unit="1"))


def optical_depth(ev: float, eh: float, angle: float, albedo: float, vertical: Any, horizontal: Any) -> Any:
    """Return the optical depth; NaN where the polarisation difference is not positive.

    Parameters
    ----------
    ev, eh : float
        Emissivities of the soil.
    angle : float
        Incidence in degrees.
    albedo : float
        Single-scattering albedo.
    vertical, horizontal : array
        Brightness temperatures in K.
    """
    ratio = polarisation_ratio(vertical, horizontal)
    a = 0.5 * ((ev - eh) / np.where(ratio > 0, ratio, np.nan) - ev - eh)
    d = 0.5 * albedo / (1 - albedo)
    return math.cos(math.radians(angle)) * np.log(a * d + np.sqrt((a * d) ** 2 + a + 1))
