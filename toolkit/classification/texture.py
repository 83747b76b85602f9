"""Texture by grey-level co-occurrence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.classification.kit import CLASSIFICATION
from treeline.toolkit.compilation import compile_function
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import map_pixels, source, statistics
from treeline.toolkit.results import report_saved
from treeline.toolkit.tool import Gives, Reads, Writes, tool

Measure = Literal[
    "contrast", "dissimilarity", "homogeneity", "asm", "energy", "correlation", "entropy", "mean", "variance"
]
MEASURES: tuple[str, ...] = get_args(Measure)
# A matrix has levels x levels numbers for each pixel.
LARGEST_WINDOW, MOST_LEVELS = 51, 64


@tool(
    kit=CLASSIFICATION,
    source="Haralick, Shanmugam & Dinstein 1973, IEEE Trans. Syst. Man Cybern. 3:610",
    gives=Gives("raster", "texture", "1"),
    formula="of the shares p(i, j) of pairs of levels in the window: contrast sum p (i-j)^2; dissimilarity "
    "sum p |i-j|; homogeneity sum p / (1 + (i-j)^2); ASM sum p^2; energy sqrt ASM; entropy -sum p ln p; "
    "correlation, mean and variance of the levels; mean over four directions",
)
def glcm_texture(
    input_path: Annotated[str, Reads()],
    output_path: Annotated[str, Writes("texture", "1")],
    measure: Measure = "contrast",
    window: int = 7,
    levels: int = 32,
    distance: int = 1,
    value_range: tuple[float, float] | None = None,
) -> str:
    """GLCM texture (Haralick): how grey levels of neighbouring pixels go together around each pixel.

    Parameters
    ----------
    input_path : str
        A raster; one band.
    output_path : str
        GeoTIFF to write.
    measure : str
        ``contrast``, ``dissimilarity``, ``homogeneity``, ``asm``, ``energy``, ``correlation``, ``entropy``
        (nats), ``mean`` or ``variance``.
    window : int
        Side of the window in pixels, odd.
    levels : int
        Grey levels, 2 to 64.
    distance : int
        Between the two pixels of a pair.
    value_range : list of two float, optional
        Values of the lowest and the highest level; default: the 1st and 99th percentile. Give it to compare
        dates.

    Returns
    -------
    str
        Result saved at PATH.
    """
    if window % 2 == 0 or not 3 <= window <= LARGEST_WINDOW:
        raise InputError(
            f"The argument 'window' is {window}.", f"Give an odd number from 3 to {LARGEST_WINDOW}."
        )
    if not 2 <= levels <= MOST_LEVELS:
        raise InputError(f"The argument 'levels' is {levels}.", f"Give 2 to {MOST_LEVELS}.")
    if not 1 <= distance < window:
        raise InputError(
            f"The argument 'distance' is {distance}.", "Give 1 or more, below the window's side."
        )
    band = source(input_path)
    # Without the outermost percent, so that single outliers do not leave most levels empty.
    low, high = value_range or statistics(band, percentiles=(1, 99)).percentiles.values()
    if not low < high:
        raise InputError(
            f"{band.name} has no range to divide into levels: {low:g} to {high:g}.", "Give 'value_range'."
        )
    chosen = MEASURES.index(measure)

    def texture(values: NDArray[np.floating]) -> NDArray[np.float32]:
        found = _loop()(quantize(values, low, high, levels), window // 2, distance, levels, chosen)
        return np.where(np.isnan(values), np.float32(np.nan), found)

    product = map_pixels(
        texture,
        {"values": band},
        output_path,
        role=f"glcm_{measure}",
        unit="1",
        halo=window // 2,
        extra_tags={"TREELINE_LEVELS": f"{levels} from {low:g} to {high:g}"},
    )
    return report_saved(product)


def quantize(values: NDArray[np.floating], low: float, high: float, levels: int) -> NDArray[np.int16]:
    """Return grey levels from 0; -1 where there is no value."""
    scaled = np.floor((values - low) / (high - low) * levels)
    return np.where(np.isnan(values), -1, np.clip(np.nan_to_num(scaled), 0, levels - 1)).astype(np.int16)


@cache
def _loop() -> Callable[..., Any]:
    return compile_function(_texture_loop)


def _texture_loop(grey, half, distance, levels, chosen):  # type: ignore[no-untyped-def]  # pragma: no cover
    rows, columns = grey.shape
    result = np.full((rows, columns), np.nan, dtype=np.float32)
    # 0, 45, 90 and 135 degrees; the opposite ones are counted with them, so that matrices are symmetric.
    steps = ((0, distance), (distance, distance), (distance, 0), (distance, -distance))
    counts = np.zeros(levels * levels, dtype=np.int64)
    # The cells in use: to clear the whole matrix for each pixel would take longer than to count.
    touched = np.zeros(4 * (2 * half + 1) ** 2, dtype=np.int64)
    measures = np.zeros(9)
    for row in range(rows):
        for column in range(columns):
            top, bottom = max(0, row - half), min(rows, row + half + 1)
            left, right = max(0, column - half), min(columns, column + half + 1)
            total, directions = 0.0, 0
            for down, along in steps:
                pairs, used = 0, 0
                for r in range(top, bottom - down):
                    for c in range(max(left, left - along), min(right, right - along)):
                        one, other = grey[r, c], grey[r + down, c + along]
                        if one < 0 or other < 0:
                            continue
                        pairs += 2
                        for code in (one * levels + other, other * levels + one):
                            if counts[code] == 0:
                                touched[used] = code
                                used += 1
                            counts[code] += 1
                if pairs == 0:
                    continue
                measures[:] = 0.0
                mean, square, product = 0.0, 0.0, 0.0
                for n in range(used):
                    code = touched[n]
                    share = counts[code] / pairs
                    counts[code] = 0
                    i, j = code // levels, code % levels
                    apart = i - j
                    measures[0] += share * apart * apart
                    measures[1] += share * abs(apart)
                    measures[2] += share / (1.0 + apart * apart)
                    measures[3] += share * share
                    if chosen == 6:
                        measures[6] -= share * np.log(share)
                    mean += share * i
                    square += share * i * i
                    product += share * i * j
                variance = square - mean * mean
                measures[4] = np.sqrt(measures[3])
                # A window of one level has no variance; its pixels agree wholly, as in scikit-image.
                measures[5] = (product - mean * mean) / variance if variance > 1e-12 else 1.0
                measures[7] = mean
                measures[8] = max(variance, 0.0)
                total += measures[chosen]
                directions += 1
            if directions > 0:
                result[row, column] = total / directions
    return result
