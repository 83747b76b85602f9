"""Statistics of numbers along an axis of which some are missing: of a list, or of each pixel's dates.

One table serves lists and stacks of rasters, so that a statistic means the same in both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import InputError

Floats = NDArray[np.floating]
Statistic = Literal[
    "mean",
    "median",
    "min",
    "max",
    "sum",
    "std",
    "variance",
    "range",
    "percentile",
    "iqr",
    "cv",
    "skewness",
    "kurtosis",
    "mode",
    "entropy",
    "mad",
    "rms",
    "trimmed_mean",
    "count",
    "share",
    "longest_run",
    "runs",
    "onsets",
    "crossings",
]
ENTROPY_BINS = 256
TRIMMED_SHARE = 0.1


def describe(values: Floats, statistic: str, parameter: float | None = None) -> Floats:
    """Return a statistic along the first axis; NaN where no number is there.

    Parameters
    ----------
    values : ndarray
        NaN where missing.
    statistic : str
        See :data:`Statistic`; ``count``, ``share``, ``longest_run``, ``runs``, ``onsets`` (how often they
        become true) and ``crossings`` (how often they become true or false) take numbers other than 0 as
        true; what is missing is passed over.
    parameter : float, optional
        The percentage of ``percentile``, the share cut off at each end of ``trimmed_mean``.

    Raises
    ------
    InputError
        The parameter is missing or out of range.
    """
    check_parameter(statistic, parameter)
    if not values.shape[0]:
        return np.full(values.shape[1:], np.nan)
    with np.errstate(all="ignore"):
        return _STATISTICS[statistic](values.astype(np.float64), parameter)


_WITH_PARAMETER = ("percentile", "trimmed_mean")


def check_parameter(statistic: str, parameter: float | None) -> None:
    """Refuse a parameter that a statistic cannot have.

    Raises
    ------
    InputError
    """
    if statistic == "percentile" and (parameter is None or not 0 <= parameter <= 100):
        raise InputError(f"The argument 'parameter' is {parameter}.", "A percentile is from 0 to 100.")
    if statistic == "trimmed_mean" and parameter is not None and not 0 <= parameter < 0.5:
        raise InputError(
            f"The argument 'parameter' is {parameter:g}.", "Less than half (0.5) can be cut off at each end."
        )
    if parameter is not None and statistic not in _WITH_PARAMETER:
        above = "What part lies beyond a limit is the share of a mask." if statistic == "share" else ""
        raise InputError(
            f"The argument 'parameter' is {parameter:g}, and the statistic {statistic!r} takes none.",
            above or f"Leave it out; {' and '.join(_WITH_PARAMETER)} have one.",
        )


def percentile(values: Floats, share: float) -> Floats:
    """Return a percentile along the first axis, interpolated linearly.

    Parameters
    ----------
    values : ndarray
        (n, ...), NaN for values that are missing.
    share : float
        0 to 100.

    Returns
    -------
    ndarray
        Of the shape without the first axis; NaN where nothing is there.
    """
    ordered = np.sort(values, axis=0)  # NaN last
    count = _count(values)
    # NumPy's linear method (Hyndman & Fan 1996, type 7), for each column with the number of values that it
    # has.
    position = np.maximum(count - 1, 0) * share / 100.0
    low = np.floor(position).astype(np.intp)
    high = np.minimum(low + 1, np.maximum(count - 1, 0)).astype(np.intp)
    weight = position - low
    first = np.take_along_axis(ordered, low[np.newaxis], axis=0)[0]
    second = np.take_along_axis(ordered, high[np.newaxis], axis=0)[0]
    found = np.where(weight > 0, first * (1.0 - weight) + second * weight, first)
    return np.where(count > 0, found, np.nan)


def _count(values: Floats) -> NDArray[np.intp]:
    return np.count_nonzero(~np.isnan(values), axis=0)


def _mean(values: Floats) -> Floats:
    count = _count(values)
    return np.nansum(values, axis=0) / np.where(count > 0, count, np.nan)


def _sum(values: Floats) -> Floats:
    return np.where(_count(values) > 0, np.nansum(values, axis=0), np.nan)


def _central(values: Floats, power: int) -> Floats:
    return np.nansum((values - _mean(values)) ** power, axis=0)


def _variance(values: Floats) -> Floats:
    count = _count(values)
    return _central(values, 2) / np.where(count > 1, count - 1, np.nan)


def _shape(values: Floats, power: int) -> Floats:
    """Return a standardized moment of the population; NaN where all values are alike."""
    count = _count(values)
    size = np.where(count > 0, count, np.nan)
    second = _central(values, 2) / size
    # Where all are alike, rounding may leave a variance that is tiny and not zero.
    varied = np.fmax.reduce(values) > np.fmin.reduce(values)
    return np.where(varied, (_central(values, power) / size) / second ** (power / 2), np.nan)


def _mad(values: Floats) -> Floats:
    return percentile(np.abs(values - percentile(values, 50.0)), 50.0)


def _trimmed_mean(values: Floats, share: float | None) -> Floats:
    ordered, count = np.sort(values, axis=0), _count(values)
    # A product such as 0.29 * 100 is 28.999999999999996 in binary, which would be rounded down by one.
    cut = np.floor(count * (TRIMMED_SHARE if share is None else share) + 1e-9).astype(np.intp)
    rank = np.arange(values.shape[0]).reshape((-1, *[1] * (values.ndim - 1)))
    return _mean(np.where((rank >= cut) & (rank < count - cut), ordered, np.nan))


def _runs_of_equal(ordered: Floats) -> NDArray[np.intp]:
    """Return for each place of sorted values how long the run of equal ones is that ends there."""
    lengths = np.ones(ordered.shape, np.intp)
    for place in range(1, ordered.shape[0]):
        same = ordered[place] == ordered[place - 1]
        lengths[place] = np.where(same, lengths[place - 1] + 1, 1)
    return np.where(np.isnan(ordered), 0, lengths)


def _mode(values: Floats) -> Floats:
    ordered = np.sort(values, axis=0)
    # The first of the longest runs, so that of several modes the smallest is given.
    best = _runs_of_equal(ordered).argmax(axis=0)
    return np.take_along_axis(ordered, best[np.newaxis], axis=0)[0]


def bin_values(values: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """Return the number of the bin of each value; whole numbers are bins by themselves."""
    there = values[~np.isnan(values)]
    if (there == np.floor(there)).all():
        return values
    spread = np.where(np.asarray(high) > low, np.asarray(high) - low, 1.0)
    return np.minimum(np.floor((values - low) / spread * ENTROPY_BINS), ENTROPY_BINS - 1)


def _entropy(values: Floats) -> Floats:
    ordered = np.sort(bin_values(values, np.fmin.reduce(values), np.fmax.reduce(values)), axis=0)
    lengths, count = _runs_of_equal(ordered), _count(values)
    ends = np.ones(ordered.shape, bool)
    ends[:-1] = lengths[1:] <= lengths[:-1]
    shares = np.where(ends & (lengths > 0), lengths, 0) / np.where(count > 0, count, np.nan)
    return -np.sum(np.where(shares > 0, shares * np.log2(np.where(shares > 0, shares, 1.0)), 0.0), axis=0) + (
        np.where(count > 0, 0.0, np.nan)
    )


def _true(values: Floats) -> Floats:
    return np.where(np.isnan(values), np.nan, values != 0)


def _longest_run(values: Floats, count_runs: bool = False) -> Floats:
    """Return the longest run of true ones, or how many runs there are; what is missing is passed over."""
    now = np.zeros(values.shape[1:])
    longest, runs = now.copy(), now.copy()
    for row in _true(values):
        runs += (row == 1) & (now == 0)
        now = np.where(np.isnan(row), now, np.where(row == 1, now + 1, 0))
        longest = np.maximum(longest, now)
    return np.where(_count(values) > 0, runs if count_runs else longest, np.nan)


def _crossings(values: Floats, into_alone: bool = False) -> Floats:
    """Return how often truths become true after they were not, or change at all; the first is no change."""
    state = np.full(values.shape[1:], np.nan)
    found = np.zeros(values.shape[1:])
    for row in _true(values):
        found += (row == 1) & (state == 0)
        if not into_alone:
            found += (row == 0) & (state == 1)
        state = np.where(np.isnan(row), state, row)
    return np.where(_count(values) > 0, found, np.nan)


_STATISTICS: Mapping[str, Callable[[Floats, float | None], Floats]] = {
    "mean": lambda values, _: _mean(values),
    "median": lambda values, _: percentile(values, 50.0),
    "min": lambda values, _: np.fmin.reduce(values),
    "max": lambda values, _: np.fmax.reduce(values),
    "sum": lambda values, _: _sum(values),
    "std": lambda values, _: np.sqrt(_variance(values)),
    "variance": lambda values, _: _variance(values),
    "range": lambda values, _: np.fmax.reduce(values) - np.fmin.reduce(values),
    "percentile": lambda values, share: percentile(values, share or 0.0),
    "iqr": lambda values, _: percentile(values, 75.0) - percentile(values, 25.0),
    "cv": lambda values, _: np.sqrt(_variance(values)) / _mean(values),
    "skewness": lambda values, _: _shape(values, 3),
    "kurtosis": lambda values, _: _shape(values, 4) - 3.0,
    "mode": lambda values, _: _mode(values),
    "entropy": lambda values, _: _entropy(values),
    "mad": lambda values, _: _mad(values),
    "rms": lambda values, _: np.sqrt(_mean(values**2)),
    "trimmed_mean": _trimmed_mean,
    "count": lambda values, _: _sum(_true(values)),
    "share": lambda values, _: 100.0 * _mean(_true(values)),
    "longest_run": lambda values, _: _longest_run(values),
    "runs": lambda values, _: _longest_run(values, count_runs=True),
    "onsets": lambda values, _: _crossings(values, into_alone=True),
    "crossings": lambda values, _: _crossings(values),
}
