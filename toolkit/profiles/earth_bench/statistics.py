"""Statistics of lists and numbers as the benchmark computes them."""

from __future__ import annotations

import math

import numpy as np

from treeline.toolkit.errors import InputError
from treeline.toolkit.series import Floats, Numbers
from treeline.toolkit.tool import variant


@variant("division", "earth_bench")
def division(a: float, b: float) -> float:
    """Give infinity for a divisor of zero."""
    return math.inf if a == 0 else b / a


@variant("percentage_change", "earth_bench")
def percentage_change(a: float, b: float) -> float:
    """Divide by the earlier value with its sign."""
    if a == 0:
        raise InputError("The earlier value 'a' is 0, so percent of it mean nothing.", "Use difference.")
    return (b - a) / a * 100


@variant("kelvin_to_celsius", "earth_bench")
def kelvin_to_celsius(kelvin: float) -> float:
    """Convert whatever the value."""
    return kelvin - 273.15


@variant("celsius_to_kelvin", "earth_bench")
def celsius_to_kelvin(celsius: float) -> float:
    """Convert whatever the value."""
    return celsius + 273.15


@variant("mean", "earth_bench")
def mean(x: Numbers) -> float:
    """Let NaN through; an empty list has the mean NaN."""
    return float(np.mean(_present(x))) if x else math.nan


@variant("max_value_and_index", "earth_bench")
def max_value_and_index(x: Numbers) -> list[float]:
    """Let NaN win."""
    values = _present(x, at_least=1)
    return [float(values.max()), int(values.argmax())]


@variant("min_value_and_index", "earth_bench")
def min_value_and_index(x: Numbers) -> list[float]:
    """Let NaN win."""
    values = _present(x, at_least=1)
    return [float(values.min()), int(values.argmin())]


@variant("coefficient_of_variation", "earth_bench")
def coefficient_of_variation(x: Numbers, ddof: int = 1) -> float:
    """Give NaN where the mean is zero."""
    values = _present(x, at_least=ddof + 1)
    return float(values.std(ddof=ddof) / values.mean()) if values.mean() != 0 else math.nan


@variant("skewness", "earth_bench")
def skewness(x: Numbers, bias: bool = True) -> float:
    """Correct for the sample twice where ``bias`` is false; 0 for a constant."""
    values = _present(x, at_least=1 if bias else 3)
    spread = values.std(ddof=0 if bias else 1)
    if spread == 0:
        return 0.0
    n = values.size
    raw = float(np.mean((values - values.mean()) ** 3) / spread**3)
    return raw if bias else raw * math.sqrt(n * (n - 1)) / (n - 2)


@variant("kurtosis", "earth_bench")
def kurtosis(x: Numbers, bias: bool = True, fisher: bool = True) -> float:
    """Subtract 3 from what is an excess already where ``bias`` is false; 0 for a constant."""
    values = _present(x, at_least=1 if bias else 4)
    if values.std() == 0:
        return 0.0
    n = values.size
    excess = float(np.mean((values - values.mean()) ** 4) / values.std() ** 4) - 3
    pearson = excess + 3 if bias else (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6)
    return pearson - 3 if fisher else pearson


def _present(x: Numbers, at_least: int = 0) -> Floats:
    if len(x) < at_least or any(value is None for value in x):
        raise InputError(
            f"The argument 'x' has {len(x)} values and may not hold null; at least {at_least} are needed.",
            "The science profile leaves missing values out.",
        )
    return np.array(x, dtype=np.float64)
