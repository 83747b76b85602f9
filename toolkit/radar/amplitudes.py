"""Backscatter of amplitudes that one factor calibrates: mosaics of PALSAR, corrected Sentinel-1 of ASF."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.radar.kit import RADAR
from treeline.toolkit.radar.scale import DECIBEL, INTENSITY, POLARISATIONS, Scale, decibel
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.recognition.model import RasterDescription
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Floats = NDArray[np.floating]
_LARGEST = 300.0  # decibels: more than any instrument tells apart, and its power still a number of 64 bits
# In decibels, by product. JAXA, Global PALSAR-2/PALSAR Mosaic, dataset description (Shimada et al. 2009, IEEE
# Trans. Geosci. Remote Sens. 47:3915); the amplitudes of ASF are roots of power (HyP3, RTC product guide).
FACTORS = {"palsar_mosaic": -83.0, "sentinel1_rtc": 0.0}


@tool(
    kit=RADAR,
    source="Shimada et al. 2009, IEEE Trans. Geosci. Remote Sens. 47:3915",
    gives=Gives("raster", "calibrated", DECIBEL),
    formula="10 log10(DN^2) + factor",
)
def square_amplitudes(
    input_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("calibrated", DECIBEL, keeps_role=True)],
    factor: float | None = None,
    scale: Scale = "dB",
) -> str:
    """Backscatter of amplitudes that one factor calibrates, as of PALSAR mosaics (gamma0).

    Parameters
    ----------
    input_path : str
        Amplitudes of one polarisation.
    output_path : str
        GeoTIFF to write; nodata where the amplitude is not above 0.
    factor : float, optional
        The calibration factor in decibels; that of the product where left out, such as -83 of PALSAR mosaics.
    scale : str
        ``dB`` or ``linear``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(input_path, *POLARISATIONS)
    if band.band.scale_known:
        raise InputError(f"{band.name} holds no amplitudes but backscatter.", "Use it as it is.")
    known = FACTORS.get(band.description.product or "") if factor is None else factor
    if known is None:
        raise InputError(
            f"The calibration factor of {band.name} is not known.",
            "Give 'factor' in decibels, as the product's description states it.",
        )
    if not abs(known) <= _LARGEST:
        raise InputError(
            f"A factor of {known:g} dB calibrates nothing.", f"Give one of at most {_LARGEST:g} dB."
        )
    gain = 10.0 ** (known / 10.0)

    def square(values: Floats) -> Floats:
        power = np.where(values > 0, values.astype(np.float64) ** 2 * gain, np.nan)
        return decibel(power) if scale == "dB" else power

    unit = DECIBEL if scale == "dB" else INTENSITY
    return report_saved(
        map_pixels(square, {"values": band}, output_path, role=band.role or "", unit=unit, raw=True)
    )


def has_factor(description: RasterDescription) -> bool:
    """Return whether the factor of a product's amplitudes is known."""
    return description.product in FACTORS
