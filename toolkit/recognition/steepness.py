"""Heights whose slopes no land has: they are in another unit than metres, such as decimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

# Whole mountain ranges keep to the angle at which rock slides: in the north-western Himalaya slopes are 32
# degrees in the mean, in every basin within some degrees (Burbank et al. 1996, Nature 379:505).
STEEPEST = 45.0
# Between smaller pixels lie walls and crowns of trees, in metres.
SMALLEST_PIXEL = 10.0
# Land in metres lies between the shore of the Dead Sea and Mount Everest; beyond are fills.
_LOWEST, _HIGHEST = -450.0, 8900.0
# Pixels over which a slope is taken: what is rough from one to the next, such as noise, is not so steep then.
_APART = 8
_FEWEST = 16


def typical_slope(windows: Sequence[np.ndarray], pixel: float, fill: Sequence[float] = ()) -> float:
    """Return the slope, in degrees, that half of some parts of a raster of heights exceed.

    Parameters
    ----------
    windows : sequence of array
        Two-dimensional, at full resolution.
    pixel : float
        Side of a pixel on the ground, in metres.
    fill : sequence of float
        Values that are no heights.

    Returns
    -------
    float
        0 where there are too few heights beside each other.
    """
    found = []
    for window in windows:
        heights = window.astype(np.float64)
        heights[np.isin(heights, list(fill)) | (heights < _LOWEST) | (heights > _HIGHEST)] = np.nan
        if min(heights.shape) <= _APART:
            continue
        start = heights[:-_APART, :-_APART]
        down, across = heights[_APART:, :-_APART] - start, heights[:-_APART, _APART:] - start
        slopes = np.hypot(down, across).ravel()
        found.append(slopes[np.isfinite(slopes)])
    slopes = np.concatenate(found) if found else np.empty(0)
    if slopes.size < _FEWEST or pixel <= 0:
        return 0.0
    return math.degrees(math.atan(float(np.median(slopes)) / (_APART * pixel)))
