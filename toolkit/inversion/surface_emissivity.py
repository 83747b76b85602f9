"""Emissivity of the surface as a raster."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.bands import BANDS, EmissivityLaw
from treeline.toolkit.inversion.emissivity import emissivity_from_ndvi
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.raster import map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool


@tool(
    kit=INVERSION,
    source="Sobrino, Jimenez-Munoz & Paolini 2004, Remote Sens. Environ. 90:434; Landsat 8-9 coefficients: "
    "Skokovic et al. 2014",
    gives=Gives("raster", "emissivity", "1"),
    formula="NDVI < 0.2: bare0 + bare1 red; to 0.5: soil + (vegetation - soil) Pv; above: full vegetation",
)
def surface_emissivity(
    red_path: Annotated[str, Reads("red")],
    nir_path: Annotated[str, Reads("nir", "nir08")],
    output_path: Annotated[str, Writes("emissivity", "1")],
    band: str = "Landsat 8-9 band 10",
) -> str:
    """Surface emissivity of a thermal band by NDVI thresholds.

    The thresholds are 0.2 and 0.5, not the extremes of the scene. Bare soil follows the red
    reflectance; a constant of 0.97 is in use too. Water and snow count as bare soil: mask them.

    Parameters
    ----------
    red_path : str
        Red reflectance, 0 to 1.
    nir_path : str
        Near-infrared reflectance, 0 to 1.
    output_path : str
        Where to write the emissivity.
    band : str
        Thermal band, such as ``Landsat 8-9 band 11``.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    if band not in BANDS:
        raise InputError(f"band: {band!r} is not known.", f"Known are {', '.join(BANDS)}.")
    inputs = {
        "red": require_scale(source(red_path, "red")),
        "nir": require_scale(source(nir_path, "nir", "nir08")),
    }
    return report_saved(
        map_pixels(partial(_emissivity, BANDS[band].law), inputs, output_path, role="emissivity", unit="1")
    )


def _emissivity(law: EmissivityLaw, red: Any, nir: Any) -> Any:
    return emissivity_from_ndvi((nir - red) / (nir + red), red, law)
