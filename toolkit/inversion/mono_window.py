"""Mono-window algorithm: surface temperature from the one thermal band of Landsat 4 to 7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.inversion.kit import INVERSION
from treeline.toolkit.plausible import keep_plausible
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool
from treeline.toolkit.variables import BRIGHTNESS

Floats = NDArray[np.floating]
Atmosphere = Literal["mid-latitude summer", "mid-latitude winter", "tropical", "US 1976"]
# Qin, Karnieli & Berliner 2001: a and b for surfaces from 0 to 70 C.
A, B = -67.355351, 0.458606
# Effective mean temperature of the atmosphere from that of the air near the ground, in K (their Table 3).
MEAN_TEMPERATURE: Mapping[str, tuple[float, float]] = {
    "mid-latitude summer": (16.0110, 0.92621),
    "mid-latitude winter": (19.2704, 0.91118),
    "tropical": (17.9769, 0.91715),
    "US 1976": (25.9396, 0.88045),
}
# Transmittance from water vapour in g/cm2, by the air: up to 1.6 and from there (their Table 4).
TRANSMITTANCE = {
    True: ((0.974290, -0.08007), (1.031412, -0.11536)),
    False: ((0.982007, -0.09611), (1.053710, -0.14142)),
}
WARM_AIR = 299.65  # Half way between their 35 C and 18 C.
# g/cm2: the table has two lines, which meet at 1.6.
DRIEST, MIDDLE, WETTEST = 0.4, 1.6, 3.0


@tool(
    kit=INVERSION,
    source="Qin, Karnieli & Berliner 2001, Int. J. Remote Sens. 22:3719",
    gives=Gives("raster", "lst", "K"),
    formula="Ts = (a (1 - C - D) + (b (1 - C - D) + C + D) T - D Ta) / C; C = eps tau, D = (1 - tau) (1 + (1 "
    "- eps) tau); a = -67.355351, b = 0.458606",
)
def mono_window_lst(
    bt_path: Annotated[str, Reads(*BRIGHTNESS)],
    emissivity_path: Annotated[str, Reads("emissivity", "emissivity10", "emissivity31")],
    output_path: Annotated[str, Writes("lst")],
    water_vapour: float,
    air_temperature: float,
    atmosphere: Atmosphere = "mid-latitude summer",
) -> str:
    """Land surface temperature (LST) by the mono-window algorithm, for Landsat 4 to 7.

    Parameters
    ----------
    bt_path : str
        Brightness temperature of band 6 in K; its grid is used.
    emissivity_path : str
        Emissivity, see ``surface_emissivity``.
    output_path : str
        GeoTIFF to write in K. Good for surfaces from 0 to 70 degrees Celsius.
    water_vapour : float
        Of the air column in g/cm2, 0.4 to 3.
    air_temperature : float
        Near the ground in K, at the time of the image.
    atmosphere : str
        ``mid-latitude summer``, ``mid-latitude winter``, ``tropical`` or ``US 1976``.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not DRIEST <= water_vapour <= WETTEST:
        raise InputError(
            f"The argument 'water_vapour' is {water_vapour:g} g/cm2.",
            f"The relation holds from {DRIEST:g} to {WETTEST:g} g/cm2.",
        )
    if not 220 <= air_temperature <= 330:
        raise InputError(
            f"The argument 'air_temperature' is {air_temperature:g} K.", "Give kelvin, 220 to 330."
        )
    tau = transmittance(water_vapour, air_temperature)
    start, rise = MEAN_TEMPERATURE[atmosphere]
    air = start + rise * air_temperature

    def surface(temperature: Floats, emissivity: Floats) -> Floats:
        return mono_window(temperature, emissivity, tau, air)

    inputs = {
        "temperature": source(bt_path, *BRIGHTNESS),
        "emissivity": source(emissivity_path, "emissivity", "emissivity10", "emissivity31"),
    }
    tags = {"TREELINE_TRANSMITTANCE": f"{tau:.4f}"}
    return report_saved(
        map_pixels(keep_plausible(surface, "lst"), inputs, output_path, role="lst", extra_tags=tags)
    )


def transmittance(water_vapour: float, air_temperature: float) -> float:
    """Return the share of radiation that the air lets through."""
    low, high = TRANSMITTANCE[air_temperature >= WARM_AIR]
    start, rise = low if water_vapour <= MIDDLE else high
    return start + rise * water_vapour


def mono_window(temperature: Floats, emissivity: Floats, tau: float, air: float) -> Floats:
    """Return the surface temperature by transmittance and mean temperature of the atmosphere (K).

    Parameters
    ----------
    temperature : ndarray
        Brightness temperature in K.
    emissivity : ndarray
        Of the surface, 0 to 1.
    tau : float
        Transmittance of the atmosphere, 0 to 1.
    air : float
        Its effective mean temperature in K.
    """
    c = emissivity * tau
    d = (1 - tau) * (1 + (1 - emissivity) * tau)
    return (A * (1 - c - d) + (B * (1 - c - d) + c + d) * temperature - d * air) / c
