"""Precipitable water from near-infrared bands."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

CONTINUA = {3: (0.8000, 0.2000), 2: (1.0, 0.0)}
"""By channels: weights of 0.865 and 1.240 um in the reflectance expected at 0.940 um."""

SURFACES = {"mixed": (0.020, 0.651), "vegetation": (0.012, 0.651), "soil": (-0.040, 0.651)}


@tool(
    kit=INVERSION,
    source="Kaufman & Gao 1992, IEEE Trans. Geosci. Remote Sens. 30:871",
    gives=Gives("raster", "pwv", "g/cm2"),
    formula="((alpha - ln T) / beta)^2, T = rho19 / (0.8 rho2 + 0.2 rho5), or rho19 / rho2 with two "
    "channels; alpha 0.020, beta 0.651",
    difference="earth_bench is -ln(T18) / 0.03, some 15 times too much; science is the published relation "
    "for band 19, and one band of output instead of four of unlike units",
)
def band_ratio(
    sur_refl_b02_path: Annotated[str, Reads("nir", "nir08")],
    sur_refl_b05_path: Annotated[str, Reads("swir12")],
    sur_refl_b17_path: Annotated[str, Reads("nir_905")],
    sur_refl_b18_path: Annotated[str, Reads("nir_936")],
    sur_refl_b19_path: Annotated[str, Reads("nir_940")],
    output_path: Annotated[str, Writes("pwv")],
    surface: str = "mixed",
    channels: int = 3,
) -> str:
    """Precipitable water vapour (PWV) in g/cm2 by the ratio of MODIS near-infrared bands.

    For clear, sunlit land, from reflectance at the top of the atmosphere: surface reflectance has
    its water vapour removed. Bands 17 and 18 have no published relation of this form; they are
    checked and not used. Where the band lets more through than dry air would, PWV is left out. With
    0.6321 for beta, which is printed too, PWV would be 6 % higher.

    Parameters
    ----------
    sur_refl_b02_path : str
        Reflectance of band 2 (0.865 um).
    sur_refl_b05_path : str
        Reflectance of band 5 (1.240 um).
    sur_refl_b17_path : str
        Reflectance of band 17 (0.905 um).
    sur_refl_b18_path : str
        Reflectance of band 18 (0.936 um).
    sur_refl_b19_path : str
        Reflectance of band 19 (0.940 um).
    output_path : str
        Where to write PWV in g/cm2.
    surface : str
        ``mixed`` (alpha 0.020), ``vegetation`` (0.012) or ``soil`` (-0.040); the last two were not
        checked against the paper.
    channels : int
        3 draws the continuum as a line from band 2 to band 5, 2 takes band 2 alone.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    if surface not in SURFACES:
        raise InputError(f"surface: {surface!r} is not known.", f"Use {', '.join(SURFACES)}.")
    if channels not in CONTINUA:
        raise InputError(f"channels: {channels} is not known.", "Use 3 or 2.")
    inputs = {
        "window": source(sur_refl_b02_path, "nir", "nir08"),
        "second_window": source(sur_refl_b05_path, "swir12"),
        "absorbing": source(sur_refl_b19_path, "nir_940"),
    }
    # Not used by the published relation, but refused where they are other bands than the caller says.
    source(sur_refl_b17_path, "nir_905")
    source(sur_refl_b18_path, "nir_936")
    current_context().warn(
        "PWV needs reflectance at the top of the atmosphere; surface reflectance gives too little."
    )
    function = keep_plausible(
        partial(precipitable_water, *SURFACES[surface], continuum=CONTINUA[channels]), "pwv"
    )
    tags = {"TREELINE_METHOD": f"band 19 ratio, {channels} channels, {surface} surface"}
    return report_saved(map_pixels(function, inputs, output_path, role="pwv", unit="g/cm2", extra_tags=tags))


def precipitable_water(
    alpha: float,
    beta: float,
    window: Any,
    second_window: Any,
    absorbing: Any,
    continuum: tuple[float, float] = CONTINUA[3],
) -> Any:
    """Return precipitable water in g/cm2; NaN where the ratio is not positive or exceeds ``exp(alpha)``.

    Parameters
    ----------
    alpha, beta : float
        Of the surface.
    window, second_window, absorbing : array
        Reflectance at 0.865, 1.240 and 0.940 um; any common scale.
    continuum : tuple of float
        Weights of the two windows.
    """
    ratio = absorbing / (continuum[0] * window + continuum[1] * second_window)
    usable = (ratio > 0) & (ratio <= np.exp(alpha)) & (window > 0)
    return np.where(usable, ((alpha - np.log(np.where(usable, ratio, 1))) / beta) ** 2, np.float32(np.nan))
