"""Analysis as the benchmark computes it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.extras import import_optional
from treeline.toolkit.series import Floats, Numbers, as_floats, mann_kendall, pair_slopes, times
from treeline.toolkit.tool import variant

# Of the reference tool.
ALPHA = 0.05


@variant("compute_linear_trend", "earth_bench")
def compute_linear_trend(y: Numbers, x: list[float | str] | None = None) -> list[float]:
    """Return slope and intercept of least squares; of least norm where x is constant."""
    values = as_floats(y)
    moments = np.arange(values.size, dtype=np.float64) if x is None else times(x, "x")
    if moments.size != values.size or not values.size:
        raise InputError(
            f"The argument 'x' has {moments.size} values, 'y' has {values.size}.",
            "Give one time for each number.",
        )
    if not (np.isfinite(values).all() and np.isfinite(moments).all()):
        return [math.nan, math.nan]
    design = np.column_stack([moments, np.ones(moments.size)])
    return [float(part) for part in np.linalg.lstsq(design, values, rcond=None)[0]]


@variant("mann_kendall_test", "earth_bench")
def mann_kendall_test(x: Numbers, autocorrelation: str = "none") -> list[str | float]:
    """Return trend, p, z and tau."""
    found = mann_kendall(_at_least(x, 2))
    return [found.trend(ALPHA), found.p, found.z, found.tau]


@variant("sens_slope", "earth_bench")
def sens_slope(x: Numbers, times: list[float | str] | None = None) -> list[float | list[float]]:
    """Return the median slope and all slopes; per step, as the reference knows no times."""
    slopes = pair_slopes(_at_least(x, 2))
    return [float(np.median(slopes)), slopes.tolist()]


@variant("stl_decompose", "earth_bench")
def stl_decompose(x: Numbers, period: int, robust: bool = True, **others: Any) -> dict[str, list[float]]:
    """Return the three parts of the decomposition."""
    seasons = import_optional("statsmodels.tsa.seasonal", "series")
    values = _at_least(x, 2)
    if period < 2:
        raise InputError(f"The argument 'period' is {period}.", "Give the steps in one season, at least 2.")
    parts = seasons.STL(values, period=period, robust=robust).fit()
    return {"trend": parts.trend.tolist(), "seasonal": parts.seasonal.tolist(), "resid": parts.resid.tolist()}


@variant("detect_change_points", "earth_bench")
def detect_change_points(
    signal: Numbers, model: str = "l2", penalty: float | None = 10, min_size: int = 2
) -> list[int]:
    """Look for change points at multiples of 5 alone."""
    ruptures = import_optional("ruptures", "series")
    search = ruptures.Pelt(model=model).fit(_at_least(signal, 2))
    try:
        return [int(index) for index in search.predict(pen=10 if penalty is None else penalty)]
    except ruptures.exceptions.BadSegmentationParameters:
        raise InputError(
            f"The argument 'signal' has {len(signal)} values, too few for the model {model!r}.",
            "Give a longer series.",
        ) from None


@variant("autocorrelation_function", "earth_bench")
def autocorrelation_function(x: Numbers, nlags: int = 20) -> list[float]:
    """Divide each lag by the number of its pairs."""
    values = _at_least(x, 1)
    rest = values - values.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        return [_lag(rest, lag) for lag in range(nlags + 1)]


def _lag(rest: Floats, lag: int) -> float:
    count = rest.size - lag
    if count <= 0:
        return math.nan
    return float((rest[:count] * rest[lag:]).sum() / count / np.float64(rest.var()))


@variant("detect_seasonality_acf", "earth_bench")
def detect_seasonality_acf(values: Numbers, min_acf: float = 0.3) -> int | str:
    """Take the lag from 2 on with the largest autocorrelation, peak or not."""
    stattools = import_optional("statsmodels.tsa.stattools", "series")
    series = as_floats(values)
    lags = min(series.size // 3, 40)
    if lags < 2 or not np.isfinite(series).all() or not series.var():
        return "Data is not cyclical"
    correlation = stattools.acf(series, nlags=lags, fft=True)[2:]
    return int(correlation.argmax()) + 2 if correlation.max() > min_acf else "Data is not cyclical"


@variant("count_spikes_from_values", "earth_bench")
def count_spikes_from_values(values: Numbers, spike_threshold: float = 0.1, verbose: bool = True) -> int:
    """Compare in float32."""
    series = np.array([v for v in values if v is not None and not math.isnan(v)], dtype=np.float32)
    return int((np.diff(series) > spike_threshold).sum())


def _at_least(values: Numbers, count: int) -> Floats:
    if len(values) < count or any(value is None for value in values):
        raise InputError(
            f"The list has {len(values)} values and may not hold null; at least {count} are needed.",
            "The science profile leaves missing values out.",
        )
    return np.array(values, dtype=np.float64)
