"""Otsu's threshold of a histogram, of values and of a raster too large for the memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import Source, reduce_pixels, statistics

# More than the 256 of eight bits, so that a few outliers of a float raster leave room for two classes.
BINS = 1024
Floats = NDArray[np.floating]


def otsu(values: Floats, bins: int = BINS) -> float:
    """Return the threshold of values that are not NaN; the lower class is what is not above it.

    Raises
    ------
    InputError
        There is one value only.
    """
    counts, edges = np.histogram(values, bins)
    return otsu_of_histogram(counts, edges)


def otsu_of_histogram(counts: NDArray[np.integer], edges: Floats) -> float:
    """Return the value that best separates the counts in two, in the middle of the gap between them.

    Raises
    ------
    InputError
        There is one value only.

    Notes
    -----
    Otsu 1979, IEEE Trans. Syst. Man Cybern. 9:62. All thresholds within a gap are equally good.
    """
    from skimage.filters import threshold_otsu

    if np.count_nonzero(counts) < 2:
        raise InputError("There is one value only, so there is no threshold.", "Give values that differ.")
    # Bins by their number: the place of a bin's centre does not change which bin separates best.
    last = int(threshold_otsu(hist=(counts, np.arange(len(counts)))))
    after = last + 1 + int(np.flatnonzero(counts[last + 1 :])[0])
    return float((edges[last + 1] + edges[after]) / 2)


def histogram(band: Source, bins: int = BINS) -> tuple[NDArray[np.int64], Floats]:
    """Return counts and edges between the least and the greatest value of a raster.

    Raises
    ------
    NoValidPixels
        Every pixel is masked.
    """
    found = statistics(band)
    edges = np.linspace(found.min, found.max, bins + 1)

    def count(values: Floats) -> NDArray[np.int64]:
        return np.histogram(values[~np.isnan(values)], edges)[0]

    return reduce_pixels(count, np.add, {"values": band}, label="histogram"), edges
