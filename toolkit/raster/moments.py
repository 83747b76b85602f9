"""Mergeable moments and histograms, and the statistics that follow from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.compilation import compile_function

# Fits into the cache of a processor, so that several passes over a piece read memory once.
PIECE = 1 << 16
_TABLES = 2


@dataclass(frozen=True)
class RasterStatistics:
    """Statistics of the valid pixels of a raster.

    Attributes
    ----------
    count_valid, count_total : int
        Pixels with data, and all pixels.
    mean, std, min, max, sum : float
        ``std`` is that of the population (divisor n).
    skewness : float
        Population skewness, m3 / m2^1.5; NaN where all values are equal.
    kurtosis : float
        Excess kurtosis, m4 / m2^2 - 3 (0 for a normal distribution); NaN where all are equal.
    percentiles : mapping
        Percentile (0 to 100) to value, linearly interpolated.
    unit : str
        Unit of the values.
    """

    count_valid: int
    count_total: int
    mean: float
    std: float
    min: float
    max: float
    sum: float
    skewness: float
    kurtosis: float
    percentiles: Mapping[float, float] = field(default_factory=dict)
    unit: str = ""


@dataclass(frozen=True)
class Moments:
    """Count, mean, extremes and the sums of the second to fourth powers of the deviations.

    Two of them merge exactly into that of the union (Pebay 2008, SAND2008-6212), which keeps the
    digits that plain sums of powers lose.
    """

    count: int = 0
    mean: float = 0.0
    second: float = 0.0
    third: float = 0.0
    fourth: float = 0.0
    low: float = float("inf")
    high: float = float("-inf")

    @classmethod
    def of(cls, values: NDArray[np.floating], order: int = 4) -> Moments:
        """Return the moments of the values that are not NaN; those above the order are 0.

        Piece by piece, so that what is computed on the way stays in the processor's cache.

        Parameters
        ----------
        values : ndarray
            Of any shape; float32 is added up in float64.
        order : int
            1 for the mean, 2 for the deviation too, 4 for skewness and kurtosis.
        """
        flat = values.reshape(-1)
        pieces = (flat[start : start + PIECE] for start in range(0, flat.size, PIECE))
        return reduce(Moments.merge, (_of_piece(piece, order) for piece in pieces), cls())

    @classmethod
    def of_weighted_values(cls, values: NDArray[np.float64], weights: NDArray[np.int64]) -> Moments:
        """Return the moments of finite values, each counted by its weight.

        Parameters
        ----------
        values, weights : ndarray
            One-dimensional and of one length; a weight is how often the value occurs.
        """
        if values.size == 0:
            return cls()
        count = int(weights.sum())
        mean = float((values * weights).sum() / count)
        deviations = values - mean
        second, third, fourth = (float((deviations**power * weights).sum()) for power in (2, 3, 4))
        return cls(count, mean, second, third, fourth, float(values.min()), float(values.max()))

    def merge(self, other: Moments) -> Moments:
        """Return the moments of both together."""
        if not self.count or not other.count:
            return self if self.count else other
        n_a, n_b = self.count, other.count
        n = n_a + n_b
        delta = other.mean - self.mean
        mean = self.mean + delta * n_b / n
        square = delta * delta  # a power would raise where it overflows
        second = self.second + other.second + square * n_a * n_b / n
        third = (
            self.third
            + other.third
            + square * delta * n_a * n_b * (n_a - n_b) / n**2
            + 3 * delta * (n_a * other.second - n_b * self.second) / n
        )
        fourth = (
            self.fourth
            + other.fourth
            + square * square * n_a * n_b * (n_a**2 - n_a * n_b + n_b**2) / n**3
            + 6 * square * (n_a**2 * other.second + n_b**2 * self.second) / n**2
            + 4 * delta * (n_a * other.third - n_b * self.third) / n
        )
        return Moments(n, mean, second, third, fourth, min(self.low, other.low), max(self.high, other.high))

    def statistics(self, total: int, percentiles: Mapping[float, float], unit: str) -> RasterStatistics:
        """Return the statistics of a raster of so many pixels.

        Parameters
        ----------
        total : int
            Pixels of the raster, valid or not.
        percentiles : mapping
            Value by percentile (0 to 100), computed elsewhere: moments do not tell them.

        Returns
        -------
        RasterStatistics
            Deviation, skewness and kurtosis of the population (division by n); the kurtosis is 0 for a normal
            distribution. Skewness and kurtosis are NaN where all values are equal. There has to be a value.
        """
        variance = max(self.second / self.count, 0.0)
        varied = variance > 0 and self.high > self.low
        # Of the population (divided by the count, not one less), as scipy.stats gives them by default;
        # kurtosis is 0 for a normal distribution.
        skewness = (self.third / self.count) / (variance * math.sqrt(variance)) if varied else float("nan")
        kurtosis = (self.fourth / self.count) / (variance * variance) - 3.0 if varied else float("nan")
        return RasterStatistics(
            count_valid=self.count,
            count_total=total,
            mean=self.mean,
            std=math.sqrt(variance),
            min=self.low,
            max=self.high,
            sum=self.mean * self.count,
            skewness=skewness,
            kurtosis=kurtosis,
            percentiles=dict(percentiles),
            unit=unit,
        )


@dataclass(frozen=True)
class Histogram:
    """How often each stored integer occurs; exact and mergeable for 8 and 16 bits."""

    counts: NDArray[np.int64]
    kind: np.dtype

    @classmethod
    def of(cls, stored: NDArray[Any]) -> Histogram:
        """Count the values of an 8 or 16-bit array of less than 2^32 pixels."""
        bits = 8 * stored.itemsize
        counts = np.zeros((_TABLES, 1 << bits), np.uint32)
        _count_loop()(np.ascontiguousarray(stored).reshape(-1).view(f"uint{bits}"), counts)
        return cls(counts.sum(axis=0, dtype=np.int64), stored.dtype)

    def merge(self, other: Histogram) -> Histogram:
        """Return the counts of both together."""
        return Histogram(self.counts + other.counts, self.kind)

    def levels(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return the values that occur and how often."""
        present = np.flatnonzero(self.counts)
        return present.astype(f"uint{8 * self.kind.itemsize}").view(self.kind), self.counts[present]


@cache
def _count_loop() -> Callable[[NDArray[Any], NDArray[np.uint32]], None]:
    """Return the loop; numpy's own count copies to 64 bits first and holds the interpreter's lock."""
    return compile_function(_count)


def _count(stored: NDArray[Any], counts: NDArray[np.uint32]) -> None:
    # Neighbours are often equal: in tables of their own, one count need not wait for the last.
    whole = stored.size // _TABLES * _TABLES
    for start in range(0, whole, _TABLES):
        for table in range(_TABLES):
            counts[table, stored[start + table]] += 1
    for place in range(whole, stored.size):
        counts[0, stored[place]] += 1


def _of_piece(piece: NDArray[np.floating], order: int) -> Moments:
    missing = np.isnan(piece)
    exact = (piece[~missing] if missing.any() else piece).astype(np.float64)
    if not exact.size:
        return Moments()
    mean = float(exact.mean())
    low, high = float(exact.min()), float(exact.max())
    if order < 2:
        return Moments(exact.size, mean, low=low, high=high)
    exact -= mean
    second = _dot(exact, exact)
    if order < 3:
        return Moments(exact.size, mean, second, low=low, high=high)
    squares = exact * exact
    third, fourth = _dot(squares, exact), _dot(squares, squares)
    return Moments(exact.size, mean, second, third, fourth, low, high)


def _dot(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    # The linear-algebra library would start threads of its own, inside ours.
    return float(np.einsum("i,i->", first, second))
