"""Brightness temperature from the digital numbers or radiance of a thermal band of level 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError, RoleMismatch
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import BRIGHTNESS


@dataclass(frozen=True)
class Calibration:
    """Of a thermal band: L = gain DN + offset in W m-2 sr-1 um-1, T = K2 / ln(K1 / L + 1)."""

    gain: float
    offset: float
    k1: float
    k2: float
    role: str


# Chander, Markham & Helder 2009, Remote Sens. Environ. 113:893 (TM, ETM+); USGS, Landsat 8
# Data Users Handbook (LSDS-1574) and Landsat 9 Data Users Handbook (LSDS-2082), as the MTL files have them.
BANDS: Mapping[str, Calibration] = {
    "Landsat 5 band 6": Calibration(0.055375, 1.18243, 607.76, 1260.56, "bt10"),
    "Landsat 7 band 6 low gain": Calibration(0.067087, -0.06709, 666.09, 1282.71, "bt10"),
    "Landsat 7 band 6 high gain": Calibration(0.037205, 3.16280, 666.09, 1282.71, "bt10"),
    "Landsat 8 band 10": Calibration(3.3420e-4, 0.1, 774.8853, 1321.0789, "bt10"),
    "Landsat 8 band 11": Calibration(3.3420e-4, 0.1, 480.8883, 1201.1442, "bt11"),
    "Landsat 9 band 10": Calibration(3.8000e-4, 0.1, 799.0284, 1329.2405, "bt10"),
    "Landsat 9 band 11": Calibration(3.4900e-4, 0.1, 475.6581, 1198.3494, "bt11"),
}


@tool(
    kit=INVERSION,
    source="Chander, Markham & Helder 2009, Remote Sens. Environ. 113:893; USGS, Landsat 8 and 9 Data Users "
    "Handbooks (LSDS-1574, LSDS-2082)",
    gives=Gives("raster", "brightness_temperature", "K"),
    formula="L = gain DN + offset; T = K2 / ln(K1 / L + 1)",
)
def brightness_temperature(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("bt10", "K")],
    band: str = "Landsat 8 band 10",
    radiance: bool = False,
) -> str:
    """Brightness temperature in K from digital numbers or radiance of a Landsat thermal band of level 1.

    A band beside its MTL file is calibrated of itself and needs no tool.

    Parameters
    ----------
    input_path : str
        Digital numbers of a thermal band of Level 1, or its radiance.
    output_path : str
        GeoTIFF to write in K; nodata where nothing was received.
    band : str
        ``Landsat 5 band 6``, ``Landsat 7 band 6 low gain`` or ``high gain``, ``Landsat 8 band 10`` or ``11``,
        ``Landsat 9 band 10`` or ``11``.
    radiance : bool
        The input is radiance in W m-2 sr-1 um-1, not digital numbers.

    Returns
    -------
    str
        Result saved at PATH.
    """
    known = BANDS.get(band)
    if known is None:
        raise InputError(f"The argument 'band' is {band!r}.", f"Give one of {', '.join(BANDS)}.")
    given = source(input_path)
    if given.role in (*BRIGHTNESS, "lst", "lst_day", "lst_night"):
        raise RoleMismatch(f"{given.name} holds {given.role}, a temperature already.", "Use it as it is.")

    def temperature(values: NDArray[np.floating]) -> NDArray[np.floating]:
        # 0 is the fill of level 1.
        received = values if radiance else np.where(values > 0, values * known.gain + known.offset, np.nan)
        return known.k2 / np.log(known.k1 / np.where(received > 0, received, np.nan) + 1)

    product = map_pixels(
        temperature, {"values": given}, output_path, role=known.role, unit="K", raw=not radiance
    )
    return report_saved(product)
