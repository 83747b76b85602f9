"""What was met while a raster was read: values that are no data although nothing declares them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.context import ToolContext
from treeline.toolkit.recognition.fills import HUGE
from treeline.toolkit.recognition.model import Band
from treeline.toolkit.recognition.rules import suspect_fills, usual_fills
from treeline.toolkit.variables import variable

_MOST_TOLD = 4
# Strays are noise; where a larger share of the pixels are, something else is wrong.
_LARGEST_STRAY_SHARE = 0.01


class Tally:
    """Counts of the values that were taken for no data, or may be, by threads that read at once.

    Attributes
    ----------
    read : int
        All pixels.
    fills : Counter
        Values that were recognised, or that programs write for no data.
    strays : int
        Pixels with other values that the role cannot have.
    low, high : float
        The least and the largest of these.
    doubtful : Counter
        Values that may be no data and were left as they are.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.read = self.strays = 0
        self.low, self.high = float("inf"), float("-inf")
        self.fills: Counter[float] = Counter()
        self.doubtful: Counter[float] = Counter()

    def count(self, pixels: int) -> None:
        """Count pixels that were read."""
        with self._lock:
            self.read += pixels

    def meet(
        self, values: NDArray[Any], recognised: Sequence[float], counts: NDArray[np.int64] | None
    ) -> None:
        """Count values that were taken for no data; ``counts`` where each stands for several."""
        levels, numbers = _levels(values, counts)
        fill = _are_fills(levels, recognised)
        with self._lock:
            self.fills.update(dict(zip(levels[fill].tolist(), numbers[fill].tolist(), strict=True)))
            if not fill.all():
                self.strays += int(numbers[~fill].sum())
                self.low = min(self.low, float(levels[~fill].min()))
                self.high = max(self.high, float(levels[~fill].max()))

    def meet_doubtful(self, value: float, number: int) -> None:
        """Count a value that may be no data."""
        if number:
            with self._lock:
                self.doubtful[value] += number


def _levels(values: NDArray[Any], counts: NDArray[np.int64] | None) -> tuple[NDArray[Any], NDArray[np.int64]]:
    if counts is not None:
        return values, counts
    if (values == values[0]).all():  # a single fill, which is the rule, needs no sorting
        return values[:1], np.array([values.size])
    return np.unique(values, return_counts=True)


def _are_fills(values: NDArray[Any], recognised: Sequence[float]) -> NDArray[np.bool_]:
    known = np.array([*recognised, *usual_fills(), *suspect_fills()], dtype=np.float32)
    return np.isin(values.astype(np.float32), known) | (np.abs(values.astype(np.float64)) >= HUGE)


def say(tally: Tally, name: str, band: Band, context: ToolContext) -> None:
    """Say what of a band was taken for no data, and what makes a result of it uncertain.

    Parameters
    ----------
    name : str
        Of the band, for people.
    """
    if tally.fills:
        share = sum(tally.fills.values()) / tally.read
        context.warn(
            f"{name}: {_percent(share)} of its pixels hold {_values(tally.fills)}, which nothing in the file "
            "declares; taken for no data."
        )
    if tally.strays:
        _say_strays(tally, name, band, context)
    for value, number in tally.doubtful.items():
        context.doubt(
            f"{name}: {_percent(number / tally.read)} of its pixels hold {value:g}, which may be no data or "
            "a value; say the fill on the Data page, or in a nodata tag."
        )


def _say_strays(tally: Tally, name: str, band: Band, context: ToolContext) -> None:
    known = variable(band.role)
    low, high = sorted(band.physical(limit) for limit in (tally.low, tally.high))
    title = known.title if known is not None else "a measurement"
    share = tally.strays / tally.read
    said = (
        f"{name}: {_percent(share)} of its pixels ({low:g} to {high:g} {band.unit or ''}".rstrip()
        + f") are no value of {title}; left out."
    )
    if share > _LARGEST_STRAY_SHARE:
        context.doubt(f"{said} Check role, scale and valid range on the Data page.")
    else:
        context.warn(said)


def _values(fills: Counter[float]) -> str:
    most = [value for value, _ in fills.most_common()]
    text = ", ".join(f"{value:g}" for value in most[:_MOST_TOLD])
    return text + (f" and {len(most) - _MOST_TOLD} more" if len(most) > _MOST_TOLD else "")


def _percent(share: float) -> str:
    return f"{share:.2%}" if share < 0.01 else f"{share:.1%}"
