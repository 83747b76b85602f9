"""Comparisons of pixel values with a number."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Comparison = Literal["above", "below", "above_equal", "below_equal", "equal", "not_equal"]

COMPARE: Mapping[str, Callable[[Any, float], Any]] = {
    "above": operator.gt,
    "below": operator.lt,
    "above_equal": operator.ge,
    "below_equal": operator.le,
    "equal": operator.eq,
    "not_equal": operator.ne,
}
# Physical values are computed in float32. A ratio of two of them is right to some units in the last place:
# (0.36 - 0.04) / (0.36 + 0.04) may come out beside the 0.8 that it is, and would be above it by chance.
ROUNDING = 16 * float(np.finfo(np.float32).eps)
_SIDES = {"above": 1, "below": -1, "above_equal": -1, "below_equal": 1}


def compare_values(comparison: Comparison, values: NDArray[Any], threshold: float) -> NDArray[np.bool_]:
    """Return where values are above, below or equal to a number.

    A value in float32 that differs from the number by no more than rounding is equal to it. NaN is above,
    below and equal to nothing.
    """
    margin = ROUNDING * abs(threshold) if values.dtype == np.float32 else 0.0
    met: NDArray[np.bool_]
    if not 0.0 < margin < math.inf:
        met = COMPARE[comparison](values, threshold)
    elif comparison in _SIDES:
        met = COMPARE[comparison](values, threshold + _SIDES[comparison] * margin)
    else:
        met = (np.abs(values - threshold) <= margin) == (comparison == "equal")
    return met
