"""What repeats in a list of numbers: decomposition and autocorrelation."""

from __future__ import annotations

from typing import Any

import numpy as np

from treeline.toolkit.analysis.kit import ANALYSIS
from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.extras import import_optional
from treeline.toolkit.series import Floats, Numbers, fill_gaps
from treeline.toolkit.tool import Gives, tool

NOT_CYCLICAL = "Data is not cyclical"


@tool(
    kit=ANALYSIS,
    source="Cleveland et al. 1990, J. Off. Stat. 6:3; strength: Wang et al. 2006, DMKD 13:335.",
    gives=Gives("table", "decomposition"),
    formula="x = trend + seasonal + resid",
    difference="Science fills gaps, checks the period and adds the strengths of trend and season.",
)
def stl_decompose(x: Numbers, period: int, robust: bool = True, seasonal: int = 7) -> dict[str, Any]:
    """Decompose a series into trend, season and rest by loess (STL).

    Parameters
    ----------
    x : list of float
        At least two periods of numbers at even steps; gaps (null) are interpolated linearly.
    period : int
        Steps in one season, such as 12 for months or 23 for 16-day composites; at least 2.
    robust : bool
        Weigh outliers down.
    seasonal : int
        Years over which the season is smoothed, odd, at least 7; the greater the steadier. The trend is
        smoothed over the next odd number from 1.5 period / (1 - 1.5 / seasonal) steps on.

    Returns
    -------
    dict
        Lists ``trend``, ``seasonal`` and ``resid`` as long as the input, and ``trend_strength`` and
        ``seasonal_strength`` between 0 and 1.
    """
    seasons = import_optional("statsmodels.tsa.seasonal", "series")

    if period < 2:
        raise InputError(f"The argument 'period' is {period}.", "Give the steps in one season, at least 2.")
    if seasonal < 7 or seasonal % 2 == 0:
        raise InputError(f"The argument 'seasonal' is {seasonal}.", "Give an odd number, at least 7.")
    values = fill_gaps(x, "x")
    if values.size < 2 * period:
        raise InputError(
            f"The argument 'x' has {values.size} values, fewer than two periods of {period}.",
            "Give a longer series or a shorter period.",
        )
    parts = seasons.STL(values, period=period, seasonal=seasonal, robust=robust).fit()
    return {
        "trend": parts.trend.tolist(),
        "seasonal": parts.seasonal.tolist(),
        "resid": parts.resid.tolist(),
        "trend_strength": _strength(parts.trend, parts.resid),
        "seasonal_strength": _strength(parts.seasonal, parts.resid),
    }


def _strength(part: Floats, rest: Floats) -> float:
    whole = float(np.var(part + rest))
    return max(0.0, 1.0 - float(np.var(rest)) / whole) if whole > 0 else 0.0


@tool(
    kit=ANALYSIS,
    source="Box, Jenkins & Reinsel 1994, Time Series Analysis, ch. 2.",
    gives=Gives("table", "autocorrelation", "1"),
    formula="r_k = sum (x_t - m)(x_{t+k} - m) / sum (x_t - m)^2",
    difference="Science divides every lag by n (never beyond 1); earth_bench by n - k.",
)
def autocorrelation_function(x: Numbers, nlags: int = 20) -> list[float]:
    """Autocorrelation of a series at lags 0 to nlags.

    Parameters
    ----------
    x : list of float
        At least two numbers at even steps, not all equal; gaps (null) are interpolated linearly.
    nlags : int
        Largest lag; at most one less than the number of values.

    Returns
    -------
    list of float
        ``nlags + 1`` numbers between -1 and 1, the first of them 1.
    """
    if nlags < 0:
        raise InputError(f"The argument 'nlags' is {nlags}.", "Give 0 or more.")
    values = _require_variation(fill_gaps(x, "x"), "x")
    if nlags >= values.size:
        current_context().warn(
            f"A series of {values.size} values has lags to {values.size - 1}, not {nlags}."
        )
    return _autocorrelation(values, min(nlags, values.size - 1)).tolist()


@tool(
    kit=ANALYSIS,
    source="Box, Jenkins & Reinsel 1994, Time Series Analysis; peaks beyond Bartlett's 1.96 / sqrt(n).",
    gives=Gives("value", "seasonality"),
    formula="lag of the highest local maximum of the autocorrelation after removal of a straight line",
    difference="Science wants a peak after detrending; earth_bench takes the largest value from lag 2 on.",
)
def detect_seasonality_acf(values: Numbers, min_acf: float = 0.3) -> int | str:
    """Length of the season of a series, from the peaks of its autocorrelation.

    A straight line is removed first, so that a trend is not taken for a season.

    Parameters
    ----------
    values : list of float
        At least 6 numbers at even steps, two seasons or more; gaps (null) are interpolated linearly.
    min_acf : float
        Autocorrelation that a peak must exceed, 0 to 1.

    Returns
    -------
    int or str
        Steps in one season, or "Data is not cyclical".
    """
    from scipy.signal import detrend, find_peaks

    series = fill_gaps(values, "values")
    if series.size < 6:
        current_context().warn(f"{series.size} values are too few to see a season; 6 or more are needed.")
        return NOT_CYCLICAL
    # A trend alone makes every lag correlate.
    rest = detrend(series)
    if rest.std() <= 1e-9 * max(1.0, float(np.abs(series).max())):
        return NOT_CYCLICAL
    correlation = _autocorrelation(rest, series.size // 2 + 1)
    peaks = find_peaks(correlation, height=max(min_acf, 1.96 / np.sqrt(series.size)))[0]
    # A lag of 1 is no season: any slow series is like itself a step later.
    peaks = peaks[peaks >= 2]
    return int(peaks[correlation[peaks].argmax()]) if peaks.size else NOT_CYCLICAL


def _autocorrelation(values: Floats, lags: int) -> Floats:
    stattools = import_optional("statsmodels.tsa.stattools", "series")
    # By Fourier transform it takes n log n steps, at the price of the last digits.
    return np.asarray(stattools.acf(values, nlags=lags, fft=values.size > 500), dtype=np.float64)


def _require_variation(values: Floats, name: str) -> Floats:
    if np.ptp(values) == 0:
        raise InputError(
            f"All {values.size} values of {name!r} are {values[0]:g}; a constant has no autocorrelation.",
            "Give values that vary.",
        )
    return values
