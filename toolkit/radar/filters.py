"""Speckle filters beside Lee's: refined Lee, Frost, Gamma-MAP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.radar.kit import RADAR
from treeline.toolkit.radar.scale import DECIBEL, INTENSITY, POLARISATIONS, decibel, in_decibel, to_intensity
from treeline.toolkit.radar.speckle import LARGEST_WINDOW, window_moments
from treeline.toolkit.raster import map_pixels, source
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Floats = NDArray[np.floating]
# The refined filter is defined on windows of 7 x 7.
REFINED_HALF = 3
# The eight halves of a window of 7 by 7, by the direction of the edge: which side of which line.
_ROWS, _COLUMNS = np.mgrid[-REFINED_HALF : REFINED_HALF + 1, -REFINED_HALF : REFINED_HALF + 1]
HALVES = tuple(
    mask.astype(np.float64)
    for mask in (
        _COLUMNS >= 0,
        _COLUMNS <= 0,
        _ROWS <= 0,
        _ROWS >= 0,
        _COLUMNS - _ROWS >= 0,
        _COLUMNS - _ROWS <= 0,
        _COLUMNS + _ROWS <= 0,
        _COLUMNS + _ROWS >= 0,
    )
)
# Where the mean of each half's own 3 by 3 pixels stands, in rows and columns.
TOWARDS = ((0, 2), (0, -2), (-2, 0), (2, 0), (-2, 2), (2, -2), (-2, -2), (2, 2))
# Of the eight means around the middle one, the three that lie on the side of each half.
SIDES = (np.array(TOWARDS) @ np.array(TOWARDS).T > 0).astype(np.float64)


@tool(
    kit=RADAR,
    source="Frost et al. 1982, IEEE Trans. Pattern Anal. Mach. Intell. 4:157; Shi & Fung 1994, IGARSS:2129",
    gives=Gives("raster", "despeckled"),
    formula="sum of w v / sum of w, w = exp(-K (s / m)^2 d), m and s of the window, d the distance in pixels",
)
def frost_filter(
    input_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("despeckled", keeps_role=True)],
    damping: float = 2.0,
    window: int = 7,
) -> str:
    """Frost filter: speckle smoothed by weights that fall faster with distance where a window varies more.

    Parameters
    ----------
    input_path : str
        Backscatter. Decibels are filtered as intensity and given back in decibels.
    output_path : str
        GeoTIFF to write, in the unit of the input.
    damping : float
        K, above 0: the greater, the less is smoothed.
    window : int
        Side of the window in pixels, odd.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if not damping > 0:
        raise InputError(f"The argument 'damping' is {damping:g}.", "Give a number above 0, such as 2.")
    return _filter(lambda values: frost(values, damping, window), input_path, output_path, window)


@tool(
    kit=RADAR,
    source="Lopes, Nezry, Touzi & Laur 1990, IGARSS:2409; 1993, Int. J. Remote Sens. 14:1735",
    gives=Gives("raster", "despeckled"),
    formula="where Cu < C < sqrt(2) Cu: (m (a - L - 1) + sqrt(m^2 (a - L - 1)^2 + 4 a L m v)) / (2 a), "
    "a = (1 + Cu^2) / (C^2 - Cu^2), Cu = 1 / sqrt L, C = s / m; m where even; v where C is above",
)
def gamma_map_filter(
    input_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("despeckled", keeps_role=True)],
    looks: float,
    window: int = 7,
) -> str:
    """Gamma-MAP filter: the likeliest backscatter where the scene is gamma distributed; points kept.

    Parameters
    ----------
    input_path : str
        Backscatter. Decibels are filtered as intensity and given back in decibels.
    output_path : str
        GeoTIFF to write, in the unit of the input.
    looks : float
        Equivalent number of looks of the data, about 4.4 for Sentinel-1 IW GRD.
    window : int
        Side of the window in pixels, odd.

    Returns
    -------
    str
        Result saved at PATH.
    """
    _require_looks(looks)
    return _filter(lambda values: gamma_map(values, looks, window), input_path, output_path, window)


@tool(
    kit=RADAR,
    source="Lee 1981, Comput. Graph. Image Process. 15:380; Lee & Pottier 2009, Polarimetric Radar "
    "Imaging, ch. 5",
    gives=Gives("raster", "despeckled"),
    formula="m + k (v - m) over the half of the window of 7 by 7 on the pixel's own side of the edge, "
    "k = (s^2 - m^2 / L) / (s^2 (1 + 1 / L)), 0 to 1",
)
def refined_lee_filter(
    input_path: Annotated[str, Reads(*POLARISATIONS)],
    output_path: Annotated[str, Writes("despeckled", keeps_role=True)],
    looks: float,
) -> str:
    """Refined Lee filter: speckle smoothed along edges, by the half of the window on a pixel's own side.

    The edge is that of the greatest of four gradients over the window's nine means of 3 by 3 pixels, each
    of three means against three.

    Parameters
    ----------
    input_path : str
        Backscatter. Decibels are filtered as intensity and given back in decibels.
    output_path : str
        GeoTIFF to write, in the unit of the input.
    looks : float
        Equivalent number of looks of the data, about 4.4 for Sentinel-1 IW GRD.

    Returns
    -------
    str
        Result saved at PATH.
    """
    _require_looks(looks)
    return _filter(lambda values: refined_lee(values, looks), input_path, output_path, 2 * REFINED_HALF + 1)


def frost(intensity: Floats, damping: float, window: int) -> Floats:
    """Return intensities filtered by Frost's weights; NaN stays NaN and weighs nothing.

    Parameters
    ----------
    intensity : ndarray
        Linear power, (rows, columns).
    damping : float
        Above 0; the greater, the more the edges are kept.
    window : int
        Its side in pixels, odd.
    """
    mean, variance = window_moments(intensity, window)
    decay = damping * variance / np.where(mean > 0, mean, np.nan) ** 2
    half = window // 2
    padded = np.pad(intensity.astype(np.float64), half, constant_values=np.nan)
    total, weights = np.zeros(intensity.shape), np.zeros(intensity.shape)
    rows, columns = intensity.shape
    for down in range(window):
        for right in range(window):
            part = padded[down : down + rows, right : right + columns]
            weight = np.exp(-decay * np.hypot(down - half, right - half))
            there = ~np.isnan(part)
            total += np.where(there, weight * np.where(there, part, 0.0), 0.0)
            weights += np.where(there, weight, 0.0)
    return np.where(np.isnan(intensity), np.nan, total / weights)


def gamma_map(intensity: Floats, looks: float, window: int) -> Floats:
    """Return the intensities of greatest posterior probability; NaN stays NaN.

    Parameters
    ----------
    intensity : ndarray
        Linear power, (rows, columns).
    looks : float
        Above 0.
    window : int
        Its side in pixels, odd.
    """
    mean, variance = window_moments(intensity, window)
    square = variance / np.where(mean > 0, mean, np.nan) ** 2
    noise = 1.0 / looks
    alpha = (1 + noise) / np.where(square > noise, square - noise, np.nan)
    linear = mean * (alpha - looks - 1)
    estimate = (linear + np.sqrt(linear**2 + 4 * alpha * looks * mean * intensity)) / (2 * alpha)
    # No more variation than speckle: the mean. As much as a point target has: the pixel itself.
    found = np.where(square <= noise, mean, np.where(square >= 2 * noise, intensity, estimate))
    return np.where(np.isnan(intensity), np.nan, found)


def refined_lee(intensity: Floats, looks: float) -> Floats:
    """Return intensities filtered along edges; NaN stays NaN and is left out of its neighbours' windows.

    Parameters
    ----------
    intensity : ndarray
        Linear power, (rows, columns).
    looks : float
        Above 0.
    """
    halves = [_moments(intensity, half) for half in HALVES]
    means = np.stack([mean for mean, _ in halves])
    # Of the nine means of 3 by 3 pixels in the window, the edge runs between the two opposite sides of three
    # that differ most; the pixel belongs to the side whose middle is nearer to the one in the middle.
    near = window_moments(intensity, 3)[0]
    around = np.stack([_shift(near, rows, columns) for rows, columns in TOWARDS])
    known = np.isfinite(around)
    number = np.tensordot(SIDES, known.astype(np.float64), 1)
    total = np.tensordot(SIDES, np.where(known, around, 0.0), 1)
    sides = total / np.where(number > 0.5, number, np.nan)
    contrast = np.abs(sides[0::2] - sides[1::2])
    edge = np.nan_to_num(contrast, nan=-1.0).argmax(axis=0)
    pairs = np.stack([2 * edge, 2 * edge + 1])
    apart = np.abs(np.take_along_axis(around, pairs, 0) - near)
    chosen = np.take_along_axis(pairs, np.nan_to_num(apart, nan=np.inf).argmin(axis=0)[np.newaxis], 0)
    mean = np.take_along_axis(means, chosen, 0)[0]
    variance = np.take_along_axis(np.stack([v for _, v in halves]), chosen, 0)[0]
    noise = 1.0 / looks
    # The variance that is left of the scene once that of the speckle is taken off.
    signal = np.maximum(variance - mean**2 * noise, 0.0) / (1 + noise)
    weight = np.clip(signal / np.where(variance > 0, variance, np.nan), 0.0, 1.0)
    return mean + np.nan_to_num(weight) * (intensity - mean)


def _moments(values: Floats, half: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of the valid pixels under a mask, around each pixel."""
    from scipy.ndimage import correlate

    there = ~np.isnan(values)
    level = float(np.mean(values[there], dtype=np.float64)) if there.any() else 0.0
    known = np.where(there, values - level, 0.0).astype(np.float64)
    count = correlate(there.astype(np.float64), half, mode="constant")
    # A correlation of zeros and ones is whole but for rounding.
    count = np.where(count > 0.5, count, np.nan)
    mean = correlate(known, half, mode="constant") / count
    variance = np.maximum(correlate(known**2, half, mode="constant") / count - mean**2, 0.0)
    hole = np.where(there, 0.0, np.nan)
    return mean + level + hole, variance + hole


def _shift(values: Floats, rows: int, columns: int) -> Floats:
    """Return for each pixel the value that stands some rows below and columns to the right; NaN beyond."""
    padded = np.pad(values, 2, constant_values=np.nan)
    height, width = values.shape
    return padded[2 + rows : 2 + rows + height, 2 + columns : 2 + columns + width]


def _require_looks(looks: float) -> None:
    if not looks > 0:
        raise InputError(f"The argument 'looks' is {looks:g}.", "Give the number of looks, above 0.")


def _filter(smooth: Callable[[Floats], Floats], input_path: str, output_path: str, window: int) -> str:
    if window % 2 == 0 or not 3 <= window <= LARGEST_WINDOW:
        raise InputError(
            f"The argument 'window' is {window}.", f"Give an odd number from 3 to {LARGEST_WINDOW}."
        )
    band = source(input_path, *POLARISATIONS)
    logarithmic = in_decibel(band)
    intensity = to_intensity(band)

    def filter_values(values: Floats) -> Floats:
        found = smooth(intensity(values))
        return decibel(found) if logarithmic else found

    unit = DECIBEL if logarithmic else INTENSITY
    product = map_pixels(
        filter_values, {"values": band}, output_path, role=band.role or "", unit=unit, halo=window // 2
    )
    return report_saved(product)
