"""Whether a value begins and ends abruptly on the ground, as what a program wrote for no data does.

A measured value has neighbours that are near to it: rain falls off towards dry ground, land towards the sea.
Next to a hole the values are those of the whole image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Half of the pixels next to a hole differ from its value by more than the median of all does; next to what
# was measured, few do. On a straight line the measured ones may be alike, so that more is wanted of it.
_ABRUPT, _ABRUPT_ON_LINE = 0.25, 0.35
_PAIRS, _PAIRS_ON_LINE = 30, 24
# So much of a line holds other values where the line before it holds none: no rain begins like that.
_BEGINS = 0.25
# Where neighbours differ by more than so much of what any two pixels do, the ground tells nothing.
_ROUGH = 0.5

Pairs = tuple[NDArray[Any], NDArray[Any]]


def ends_abruptly(windows: Sequence[NDArray[Any]], value: float, ignored: Sequence[float]) -> bool:
    """Tell whether the pixels next to a value are as far from it as pixels anywhere.

    Parameters
    ----------
    windows : sequence of ndarray
        Parts of a raster, two-dimensional, as stored.
    value : float
        That may be no data.
    ignored : sequence of float
        Other values that are no data.
    """
    parts = [np.where(np.isfinite(part) & ~np.isin(part, ignored), part, np.nan) for part in windows]
    others = np.concatenate([part[np.isfinite(part) & (part != value)] for part in parts]).astype(np.float64)
    if others.size < _PAIRS or _roughness(parts, value, others) > _ROUGH:
        return False
    usual = float(np.median(np.abs(others - value)))
    number = abrupt = 0
    for first, second in _pairs(parts):
        beside = np.where((first == value) & (second != value), second, np.nan)
        beside = np.where((second == value) & (first != value), first, beside)
        there, far = np.isfinite(beside), np.abs(beside - value) > usual
        number, abrupt = number + int(there.sum()), abrupt + int((there & far).sum())
        on_line, far_on_line = there.sum(axis=1), (there & far).sum(axis=1)
        whole = np.all(first == value, axis=1) | np.all(second == value, axis=1)
        straight = (far_on_line >= _ABRUPT_ON_LINE * on_line) | (
            whole & (on_line >= _BEGINS * there.shape[1])
        )
        if np.any((on_line >= _PAIRS_ON_LINE) & straight):
            return True
    return number >= _PAIRS and abrupt >= _ABRUPT * number


def _pairs(parts: Sequence[NDArray[Any]]) -> Iterator[Pairs]:
    """Yield the pixels on both sides of each border of rows, and of columns, a line each."""
    for part in parts:
        yield part[:-1], part[1:]
        yield part[:, :-1].T, part[:, 1:].T


def _roughness(parts: Sequence[NDArray[Any]], value: float, others: NDArray[np.float64]) -> float:
    """Return by how much neighbours differ, of what any two pixels differ by."""
    steps = np.concatenate([np.abs(a - b)[(a != value) & (b != value)] for a, b in _pairs(parts)])
    steps = steps[np.isfinite(steps)]
    shuffled = np.random.default_rng(0).permutation(others)
    usual = float(np.abs(shuffled - others).mean())
    return float(steps.mean()) / usual if steps.size and usual else np.inf
