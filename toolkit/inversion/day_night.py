"""Surface temperature of a day and a night overpass."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import numpy as np

from treeline.toolkit.inversion.bands import thermal_band
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.inversion.physics import correct_for_emissivity
from treeline.toolkit.raster import map_pixels, require_scale, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import VARIABLES

TEMPERATURES = ("bt31", "bt32")
EMISSIVITIES = ("emissivity31", "emissivity32")
# No natural surface emits less between 8 and 13 um: a lower value is a fill or a wrong scale.
LEAST_EMISSIVITY = 0.6
FURTHER = ("lst_night", "lst_range")


@tool(
    kit=INVERSION,
    source="Artis & Carnahan 1982, Remote Sens. Environ. 12:313, for each overpass (the day/night method of "
    "Wan & Li 1997, IEEE Trans. Geosci. Remote Sens. 35:980, needs seven bands of both overpasses)",
    gives=Gives("raster", "lst_day", "K"),
    formula="T / (1 + (lambda T / rho) ln eps) for day and for night",
    difference="earth_bench uses 11.0 um, drops everything below 270 K or above 325 K, always scales the "
    "emissivity and resamples by array index; science uses the band's wavelength, the plausible range of a "
    "surface and georeference",
)
def modis_day_night_lst(
    BT_day_path: Annotated[str, Reads(*TEMPERATURES)],
    BT_night_path: Annotated[str, Reads(*TEMPERATURES)],
    Emis_day_path: Annotated[str, Reads(*EMISSIVITIES)],
    Emis_night_path: Annotated[str, Reads(*EMISSIVITIES)],
    output_path: Annotated[str, Writes("lst_day", further=FURTHER)],
) -> str:
    """Surface temperature of a MODIS day and night overpass, each corrected for its emissivity.

    Bands of the output: LST of the day, LST of the night, day minus night, all in K. The
    atmosphere is not corrected for. A land surface temperature product (MOD11) must not be given:
    it holds the emissivity already.

    Parameters
    ----------
    BT_day_path : str
        Brightness temperature of the day in K, band 31 or 32.
    BT_night_path : str
        Brightness temperature of the night in K, of the same band.
    Emis_day_path : str
        Emissivity of the day, 0.6 to 1.
    Emis_night_path : str
        Emissivity of the night, 0.6 to 1.
    output_path : str
        Where to write the result.

    Returns
    -------
    str
        ``Result saved at PATH``.
    """
    day = require_scale(source(BT_day_path, *TEMPERATURES))
    inputs = {
        "day": day,
        "night": require_scale(source(BT_night_path, *TEMPERATURES)),
        "emissivity_day": require_scale(source(Emis_day_path, *EMISSIVITIES)),
        "emissivity_night": require_scale(source(Emis_night_path, *EMISSIVITIES)),
    }
    thermal = thermal_band(day, "" if day.role else "MODIS band 31")
    tags = {"TREELINE_METHOD": f"per-overpass emissivity correction, {thermal.name}"}
    function = partial(day_and_night, thermal.wavelength)
    roles = ("lst_day", *FURTHER)
    return report_saved(map_pixels(function, inputs, output_path, role=roles, unit="K", extra_tags=tags))


def day_and_night(wavelength: float, day: Any, night: Any, emissivity_day: Any, emissivity_night: Any) -> Any:
    """Return LST of the day, of the night and their difference, stacked, in K."""
    low, high = VARIABLES["lst"].plausible
    found = []
    for temperature, emissivity in ((day, emissivity_day), (night, emissivity_night)):
        usable = (emissivity >= LEAST_EMISSIVITY) & (emissivity <= 1)
        surface = correct_for_emissivity(temperature, np.where(usable, emissivity, np.nan), wavelength)
        found.append(np.where((surface >= low) & (surface <= high), surface, np.float32(np.nan)))
    return np.stack([*found, found[0] - found[1]])
