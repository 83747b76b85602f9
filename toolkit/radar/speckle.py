"""Speckle: how much there is, and filters that know it is multiplicative."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError, NoValidPixels
from treeline.toolkit.radar.kit import RADAR
from treeline.toolkit.radar.scale import DECIBEL, INTENSITY, POLARISATIONS, decibel, in_decibel, to_intensity
from treeline.toolkit.raster import map_pixels, reduce_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Floats = NDArray[np.floating]
Form = Literal["mmse", "simplified"]
LARGEST_WINDOW = 51


@tool(
    kit=RADAR,
    source="Lee 1980, IEEE Trans. Pattern Anal. Mach. Intell. 2:165; Lee 1981, Comput. Graph. Image Process. "
    "17:24",
    gives=Gives("raster", "despeckled"),
    formula="m + k (z - m); k = vx / (m^2 / L + vx (1 + 1/L)), vx = (v - m^2 / L) / (1 + 1/L), with mean m "
    "and variance v of the window and L looks; simplified: k = 1 - (1/L) m^2 / v",
)
def lee_filter(
    input_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("despeckled", keeps_role=True)],
    looks: float,
    window: int = 7,
    form: Form = "mmse",
) -> str:
    """Lee filter: speckle smoothed where a window is even, edges and points kept.

    Parameters
    ----------
    input_path : str
        Backscatter. Decibels are filtered as intensity and given back in decibels.
    output_path : str
        GeoTIFF to write, in the unit of the input.
    looks : float
        Equivalent number of looks of the data, about 4.4 for Sentinel-1 IW GRD; see
        ``equivalent_number_of_looks``.
    window : int
        Side of the window in pixels, odd.
    form : str
        ``mmse`` (Lee's estimate) or ``simplified`` (1 - Cu^2 / Ci^2), which keeps more of the noise.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not looks > 0:
        raise InputError(f"The argument 'looks' is {looks:g}.", "Give the number of looks, above 0.")
    if window % 2 == 0 or not 3 <= window <= LARGEST_WINDOW:
        raise InputError(
            f"The argument 'window' is {window}.", f"Give an odd number from 3 to {LARGEST_WINDOW}."
        )
    band = source(input_path, *POLARISATIONS)
    logarithmic = in_decibel(band)
    intensity = to_intensity(band)

    def filter_values(values: Floats) -> Floats:
        smooth = lee(intensity(values), looks, window, form)
        return decibel(smooth) if logarithmic else smooth

    unit = DECIBEL if logarithmic else INTENSITY
    product = map_pixels(
        filter_values, {"values": band}, output_path, role=band.role or "", unit=unit, halo=window // 2
    )
    return report_saved(product)


@tool(
    kit=RADAR,
    source="Ulaby & Long 2014, Microwave Radar and Radiometric Remote Sensing",
    gives=Gives("number", "looks", "1"),
    formula="mean^2 / variance of the intensity",
)
def equivalent_number_of_looks(input_path: Annotated[str, Reads(*POLARISATIONS)]) -> float:
    """Equivalent number of looks of a radar image, from an even area such as a clip of calm fields.

    Parameters
    ----------
    input_path : str
        Backscatter of one kind of surface without texture (clip it first); decibels or intensity.

    Returns
    -------
    float
        The number of looks. Texture makes it smaller than that of the sensor.
    """
    band = source(input_path, *POLARISATIONS)
    count, total, squares = reduce_pixels(partial(_sums, to_intensity(band)), np.add, {"values": band})
    if count < 2:
        raise NoValidPixels(f"Fewer than two pixels of {band.name} are valid.", "Give a larger area.")
    mean = total / count
    variance = squares / count - mean**2
    # A difference of two sums that are nearly equal holds rounding only.
    if variance <= mean**2 * 1e-12:
        raise InputError(f"All pixels of {band.name} are alike, so it has no speckle.", "Give another area.")
    return float(mean**2 / variance)


def lee(intensity: Floats, looks: float, window: int, form: Form = "mmse") -> Floats:
    """Return filtered intensities; NaN stays NaN and is left out of its neighbours' windows.

    Parameters
    ----------
    intensity : ndarray
        Linear power, (rows, columns).
    looks : float
        Above 0.
    window : int
        Its side in pixels, odd.
    form : str
        ``mmse``, or ``simplified`` for the weight that leaves the noise of the mean out.
    """
    mean, variance = window_moments(intensity, window)
    noise = 1.0 / looks
    if form == "simplified":
        weight = 1.0 - noise * mean**2 / np.where(variance > 0, variance, np.nan)
    else:
        signal = np.maximum((variance - mean**2 * noise) / (1.0 + noise), 0.0)
        weight = signal / (mean**2 * noise + signal * (1.0 + noise))
    # A window of one value has no variance: 0 / 0, where the mean is the value itself.
    weight = np.clip(np.nan_to_num(weight, nan=0.0), 0.0, 1.0)
    return mean + weight * (intensity - mean)


def window_moments(values: Floats, window: int) -> tuple[Floats, Floats]:
    """Return mean and variance (divisor n) of the valid pixels of each window.

    At the rim the window is cut, not reflected.
    """
    from scipy.ndimage import uniform_filter

    there = ~np.isnan(values)
    share = uniform_filter(there.astype(np.float64), window, mode="constant")
    # Relative to a level, so that the difference of squares keeps its digits.
    level = float(np.mean(values[there], dtype=np.float64)) if there.any() else 0.0
    known = np.where(there, values - level, 0.0).astype(np.float64)
    # The share of valid pixels of a window; below the least one, 1 / 51^2, it is rounding of the filter.
    part = np.where(share > 1e-9, share, np.nan)
    mean = uniform_filter(known, window, mode="constant") / part
    variance = np.maximum(uniform_filter(known**2, window, mode="constant") / part - mean**2, 0.0)
    hole = np.where(there, 0.0, np.nan)
    return mean + level + hole, variance + hole


def _sums(intensity: Callable[[Floats], Floats], values: Floats) -> NDArray[np.float64]:
    power = intensity(values).astype(np.float64)
    power = power[~np.isnan(power)]
    return np.array([power.size, power.sum(), (power**2).sum()])
