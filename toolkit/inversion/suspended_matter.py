"""Suspended particulate matter of water from its reflectance."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.turbidity import at_wavelength, nechad
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

NECHAD_2010: dict[float, tuple[float, float]] = {665: (355.85, 0.1728), 865: (2971.93, 0.2115)}
"""A (g/m3) and C of Nechad, Ruddick & Park 2010 by wavelength in nm, without the offset B."""

WAVELENGTHS = {"nir": 865.0, "nir08": 865.0}


@tool(
    kit=INVERSION,
    source="Nechad, Ruddick & Park 2010, Remote Sens. Environ. 114:854",
    gives=Gives("raster", "suspended_matter", "g/m3"),
    formula="A rho / (1 - rho / C); A 355.85 g/m3, C 0.1728 at 665 nm; 2971.93, 0.2115 at 865 nm",
)
def suspended_particulate_matter(
    input_path: Annotated[str, Reads("red", "nir08", "nir")],
    output_path: Annotated[str, Writes("suspended_matter")],
    wavelength: float = 0.0,
) -> str:
    """Suspended particulate matter (SPM) of water in g/m3 from red or near-infrared reflectance.

    The reflectance must be water-leaving, that is corrected for the atmosphere. Take 665 nm for clear
    to turbid water, 865 nm for very turbid water. Brighter pixels than the relation covers (above half
    of C: land, clouds, foam) are left out.

    Parameters
    ----------
    input_path : str
        Water-leaving reflectance, 0 to 1.
    output_path : str
        Where to write suspended matter in g/m3.
    wavelength : float
        Of the band in nm, 665 or 865; 0 for 865 of a near-infrared band, else 665.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    water = require_scale(source(input_path, "red", "nir08", "nir"))
    nearest, (factor, limit) = at_wavelength(
        NECHAD_2010, wavelength or WAVELENGTHS.get(water.role or "", 665.0)
    )
    function = keep_plausible(partial(_matter, factor, limit), "suspended_matter")
    tags = {"TREELINE_METHOD": f"Nechad 2010, {nearest:g} nm"}
    return report_saved(
        map_pixels(
            function, {"water": water}, output_path, role="suspended_matter", unit="g/m3", extra_tags=tags
        )
    )


def _matter(a: float, c: float, water: Any) -> Any:
    return nechad(water, a, c)
