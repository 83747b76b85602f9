"""Statistics of a list of numbers without gaps, as the algebra means them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]


def statistic(name: str, values: Floats, parameter: float | None = None, classes: bool = False) -> float:
    """Return a statistic of the values that there are; NaN where there are none."""
    values = values[~np.isnan(values)]
    if not values.size:
        return math.nan
    if name == "percentile":
        return float(np.percentile(values, parameter))
    if name == "trimmed_mean":
        assert parameter is not None and parameter >= 1, "a percentage, as questions say it"
        return float(stats.trim_mean(values, parameter / 100))
    if name == "entropy":
        return entropy(values, classes)
    return float(_TABLE[name](values))


def weighted_mean(values: Floats, weights: Floats) -> float:
    """Return the mean by weights, over what has both."""
    both = ~np.isnan(values) & ~np.isnan(weights)
    return float(np.average(values[both], weights=weights[both])) if weights[both].sum() else math.nan


def deviation(x: Floats) -> float:
    """Return the standard deviation of a sample."""
    return float(np.std(x, ddof=1)) if x.size > 1 else math.nan


def entropy(x: Floats, classes: bool) -> float:
    """Return Shannon's entropy in bits."""
    counts = np.unique(x, return_counts=True)[1] if classes else np.histogram(x, 256)[0]
    shares = counts[counts > 0] / x.size
    return float(-(shares * np.log2(shares)).sum())


def mode(x: Floats) -> float:
    """Return the most frequent value."""
    found, counts = np.unique(x, return_counts=True)
    return float(found[counts.argmax()])


def stretches(truths: Floats) -> list[int]:
    """Return the lengths of the stretches of truths that follow each other."""
    return [len(part) for part in "".join(str(int(t)) for t in truths).split("0") if part]


_TABLE: dict[str, Callable[[Floats], Any]] = {
    "mean": np.mean,
    "median": np.median,
    "min": np.min,
    "max": np.max,
    "sum": np.sum,
    "std": deviation,
    "variance": lambda x: deviation(x) ** 2,
    "range": np.ptp,
    "iqr": lambda x: np.percentile(x, 75) - np.percentile(x, 25),
    "cv": lambda x: deviation(x) / np.mean(x),
    "skewness": stats.skew,
    "kurtosis": stats.kurtosis,
    "mode": mode,
    "rms": lambda x: np.sqrt(np.mean(np.square(x))),
    "mad": lambda x: np.median(np.abs(x - np.median(x))),
    "count": np.sum,
    "share": lambda x: 100 * np.mean(x),
    "all": np.min,
    "any": np.max,
    "longest_run": lambda x: max(stretches(x), default=0),
    "runs": lambda x: len(stretches(x)),
    "onsets": lambda x: int(np.sum(np.diff(np.asarray(x, float)) > 0)),
    "crossings": lambda x: int(np.sum(np.diff(np.asarray(x, float)) != 0)),
}


def least_squares(x: Floats, y: Floats) -> tuple[float, float, float]:
    """Return slope, p and r2 of a straight line."""
    if len(x) < 2 or np.ptp(x) == 0:
        return math.nan, math.nan, math.nan
    found = stats.linregress(x, y)
    return float(found.slope), float(found.pvalue), float(found.rvalue**2)


def sen(x: Floats, y: Floats) -> float:
    """Return the median of the slopes between all pairs."""
    later, earlier = np.triu_indices(len(x), 1)[::-1]
    slopes = (y[later] - y[earlier]) / (x[later] - x[earlier])
    return float(np.median(slopes)) if slopes.size else math.nan


def mann_kendall_p(y: Floats) -> float:
    """Return the two-sided p of the Mann-Kendall test, its variance corrected for ties."""
    n = len(y)
    if n < 3:
        return math.nan
    s = sum(np.sign(y[j] - y[i]) for j in range(n) for i in range(j))
    ties = np.unique(y, return_counts=True)[1]
    variance = (n * (n - 1) * (2 * n + 5) - (ties * (ties - 1) * (2 * ties + 5)).sum()) / 18
    z = 0.0 if s == 0 else (s - np.sign(s)) / math.sqrt(variance)
    return math.erfc(abs(z) / math.sqrt(2))
