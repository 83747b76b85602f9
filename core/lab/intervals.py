"""How sure a mean over questions is."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats


def confidence_interval(
    values: Sequence[float], confidence: float = 0.95, resamples: int = 2000, seed: int = 0
) -> tuple[float, float] | None:
    """Return the percentile bootstrap interval of a mean; ``None`` of fewer than two values.

    Parameters
    ----------
    values : sequence of float
    confidence : float
        Share of intervals that hold the true mean, above 0 and below 1.
    resamples : int
        How many means are drawn.
    seed : int
        The same values and seed give the same interval.

    Notes
    -----
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    if len(values) < 2:
        return None
    array = np.asarray(values, dtype=float)
    if (only := float(array.min())) == array.max():
        return only, only
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        result = stats.bootstrap(
            (array,),
            np.mean,
            confidence_level=confidence,
            n_resamples=resamples,
            method="percentile",
            rng=np.random.default_rng(seed),
        )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def intervals(rows: Sequence[Mapping[str, float | None]]) -> dict[str, tuple[float, float] | None]:
    """Return the interval of each score over the rows that have it."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {
        name: confidence_interval([float(v) for row in rows if (v := row.get(name)) is not None])
        for name in names
    }
