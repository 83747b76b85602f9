"""Backscatter as intensity or in decibels: which of them a band holds, and the way between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.radar.kit import RADAR
from treeline.toolkit.raster import Source, map_pixels, read_small, source
from treeline.toolkit.raster.source import require_calibrated, require_scale
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Floats = NDArray[np.floating]
POLARISATIONS = ("vv", "vh", "hh", "hv")
DECIBEL, INTENSITY = "dB", "1"
# In which of the two a tool writes backscatter.
Scale = Literal["dB", "linear"]
# Side of the sample by whose values power is told from decibels.
_PREVIEW = 256


@tool(
    kit=RADAR,
    source="Ulaby & Long 2014, Microwave Radar and Radiometric Remote Sensing",
    gives=Gives("raster", "decibel", DECIBEL),
    formula="10 log10(intensity)",
)
def linear_to_decibel(
    input_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("decibel", DECIBEL, keeps_role=True)],
) -> str:
    """Backscatter in decibels from intensity (linear power).

    Parameters
    ----------
    input_path : str
        Intensity, such as sigma nought as a power ratio. Amplitude must be squared first.
    output_path : str
        GeoTIFF to write; nodata where the intensity is not above 0.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(input_path, *POLARISATIONS)
    if in_decibel(band):
        raise InputError(f"{band.name} is in decibels already.", "Use it as it is.")
    return report_saved(
        map_pixels(_decibel_of, {"values": band}, output_path, role=band.role or "", unit=DECIBEL)
    )


@tool(
    kit=RADAR,
    source="Ulaby & Long 2014, Microwave Radar and Radiometric Remote Sensing",
    gives=Gives("raster", "intensity", INTENSITY),
    formula="10^(dB / 10)",
)
def decibel_to_linear(
    input_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("intensity", INTENSITY, keeps_role=True)],
) -> str:
    """Intensity (linear power) from backscatter in decibels; means must be taken of intensities.

    Parameters
    ----------
    input_path : str
        Backscatter in decibels.
    output_path : str
        GeoTIFF to write.

    Returns
    -------
    str
        Result saved at PATH.
    """
    band = source(input_path, *POLARISATIONS)
    if not in_decibel(band):
        raise InputError(f"{band.name} is no raster in decibels.", "Use it as it is.")
    return report_saved(
        map_pixels(_intensity_of, {"values": band}, output_path, role=band.role or "", unit=INTENSITY)
    )


def in_decibel(band: Source) -> bool:
    """Return whether a band is in decibels: by its unit, else by values below 0, which no intensity has.

    Raises
    ------
    ScaleUnknown
        It holds digital numbers, which are amplitudes as Sentinel-1 delivers them.
    """
    require_scale(require_calibrated(band))
    stated = (band.band.unit or "").strip().lower()
    if stated:
        return stated in ("db", "decibel", "decibels")
    values = read_small(band, _PREVIEW)
    negative = bool((values < 0).any())
    current_context().warn(
        f"The unit of {band.name} is not stated; it was taken for "
        + ("decibels, as it has values below 0." if negative else "intensity, as no value is below 0.")
    )
    return negative


def to_intensity(band: Source) -> Callable[[Floats], Floats]:
    """Return what turns a band's values into intensity."""
    return _intensity_of if in_decibel(band) else _positive


def to_decibel(band: Source) -> Callable[[Floats], Floats]:
    """Return what turns a band's values into decibels."""
    return _same if in_decibel(band) else _decibel_of


def decibel(intensity: Floats) -> Floats:
    """Return 10 log10 of what is above 0, else NaN."""
    return 10 * np.log10(_positive(intensity))


def _positive(values: Floats) -> Floats:
    return np.where(values > 0, values, np.float32(np.nan))


def _decibel_of(values: Floats) -> Floats:
    return decibel(values)


def _intensity_of(values: Floats) -> Floats:
    return np.power(10.0, values / 10.0)


def _same(values: Floats) -> Floats:
    return values
