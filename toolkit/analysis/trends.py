"""Trends of a list of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from treeline.toolkit.analysis.kit import ANALYSIS
from treeline.toolkit.errors import InputError
from treeline.toolkit.series import (
    SIGNIFICANCE,
    Floats,
    MannKendall,
    Numbers,
    as_floats,
    mann_kendall,
    times,
    unit_of_times,
    valid_pairs,
    valid_values,
)
from treeline.toolkit.tool import Gives, tool

Autocorrelation = Literal["none", "hamed_rao", "yue_wang", "prewhitening", "trend_free_prewhitening"]


@tool(
    kit=ANALYSIS,
    source="Ordinary least squares; Draper & Smith 1998, Applied Regression Analysis.",
    gives=Gives("table", "slope"),
    formula="y = slope x + intercept",
    parameter_aliases={"dates": "x", "times": "x", "values": "y"},
    difference="Science adds the uncertainty, refuses a constant x; earth_bench: [slope, intercept].",
)
def compute_linear_trend(y: Numbers, x: list[float | str] | None = None) -> dict[str, Any]:
    """Straight line through a series by least squares: slope, intercept and how certain they are.

    Parameters
    ----------
    y : list of float
        At least two numbers in the order of time; missing ones (null) are left out together with
        their x.
    x : list, optional
        Times of the numbers: numbers such as years, or dates such as ``2021-07-12``, which become
        decimal years. Without it 0, 1, 2, ...

    Returns
    -------
    dict
        ``slope`` (unit of y per unit of x), what it is ``per`` (``step`` without times, ``year`` with dates,
        else ``unit of x``), ``intercept``, ``standard_error`` of the slope, two-sided ``p``, ``r2``,
        ``significant`` (p below 0.05) and ``count``. With two points the first three of uncertainty are
        null.
    """
    from scipy import stats

    moments, values = _regression_pairs(y, x)
    if np.ptp(moments) == 0:
        raise InputError(
            f"All values of 'x' are {moments[0]:g}; a line has no slope.", "Give times that differ."
        )
    line = stats.linregress(moments, values)
    # Through two points every line fits, so that nothing is known of its error.
    certain = values.size > 2
    return {
        "slope": float(line.slope),
        "per": unit_of_times(x, "unit of x"),
        "intercept": float(line.intercept),
        "standard_error": _number(line.stderr) if certain else None,
        "p": _number(line.pvalue) if certain else None,
        "r2": _number(line.rvalue**2) if certain else None,
        "significant": bool(certain and line.pvalue < SIGNIFICANCE),
        "count": int(values.size),
    }


def _regression_pairs(y: Numbers, x: list[float | str] | None) -> tuple[Floats, Floats]:
    moments = np.arange(len(y), dtype=np.float64) if x is None else times(x, "x")
    if moments.size != len(y):
        raise InputError(
            f"The argument 'x' has {moments.size} values, but 'y' has {len(y)}.",
            "Give one time for each number.",
        )
    series = as_floats(y)
    if x is not None and moments.size > 2 and np.array_equal(moments, series):
        raise InputError(
            "The arguments 'x' and 'y' are the same numbers, whose line is y = x.",
            "Give the times of the numbers as 'x', such as dates.",
        )
    paired = np.where(np.isfinite(moments), series, math.nan)
    positions, values = valid_pairs(paired.tolist(), "y", at_least=2)
    return moments[positions], values


@tool(
    kit=ANALYSIS,
    source="Mann 1945, Econometrica 13:245; Kendall 1975; Hamed & Rao 1998, J. Hydrol. 204:182.",
    gives=Gives("table", "trend_test"),
    formula="S = sum sign(x_j - x_i); z = (S -+ 1) / sqrt(var S), var S corrected for ties",
    difference="Science names results, can correct for autocorrelation; earth_bench: [trend, p, z, tau].",
)
def mann_kendall_test(x: Numbers, autocorrelation: Autocorrelation = "none") -> dict[str, Any]:
    """Mann-Kendall test for a monotonic trend, which needs no normal distribution.

    Parameters
    ----------
    x : list of float
        At least three numbers in the order of time; missing ones (null) are left out. Fewer than
        about ten seldom allow a verdict.
    autocorrelation : str
        How to correct for values that resemble the ones before: ``none`` (the original test),
        ``hamed_rao``, ``yue_wang``, ``prewhitening`` or ``trend_free_prewhitening``.

    Returns
    -------
    dict
        ``trend`` (``increasing``, ``decreasing`` or ``no trend`` at 5 %), two-sided ``p``, ``z``,
        ``tau``, ``s``, ``variance``, and Sen's ``slope`` and ``intercept``; the slope is ``per`` step of
        the list, whatever time lies between.
    """
    values = valid_values(x, "x", at_least=3)
    slope, intercept = _sen(np.arange(values.size, dtype=np.float64), values)
    result = _CORRECTIONS[autocorrelation](values)
    return {
        "trend": result.trend(SIGNIFICANCE),
        "p": result.p,
        "z": result.z,
        "tau": result.tau,
        "s": result.s,
        "variance": result.variance,
        "slope": slope,
        "per": "step",
        "intercept": intercept,
    }


def _corrected_test(method: str) -> Callable[[Floats], MannKendall]:
    def test(values: Floats) -> MannKendall:
        import pymannkendall

        found = getattr(pymannkendall, method)(values)
        return MannKendall(
            float(found.s), float(found.var_s), float(found.z), float(found.p), float(found.Tau)
        )

    return test


_CORRECTIONS: dict[str, Callable[[Floats], MannKendall]] = {
    "none": mann_kendall,
    "hamed_rao": _corrected_test("hamed_rao_modification_test"),
    "yue_wang": _corrected_test("yue_wang_modification_test"),
    "prewhitening": _corrected_test("pre_whitening_modification_test"),
    "trend_free_prewhitening": _corrected_test("trend_free_pre_whitening_modification_test"),
}


@tool(
    kit=ANALYSIS,
    source="Sen 1968, J. Am. Stat. Assoc. 63:1379; Theil 1950.",
    gives=Gives("table", "robust_slope"),
    formula="median of (x_j - x_i) / (j - i)",
    parameter_aliases={"dates": "times", "values": "x"},
    difference="Science gives intercept and 95 % interval; earth_bench: [slope, [all pair slopes]].",
)
def sens_slope(x: Numbers, times: list[float | str] | None = None) -> dict[str, Any]:
    """Sen's slope: the median of the slopes between all pairs, unmoved by outliers.

    Parameters
    ----------
    x : list of float
        At least two numbers in the order of time; missing ones (null) are left out, and the steps
        across them count.
    times : list, optional
        Times of the numbers: numbers such as years, or dates such as ``2021-07-12``, which become
        decimal years. Without it the steps are even: 0, 1, 2, ...

    Returns
    -------
    dict
        ``slope``, what it is ``per`` (``step`` without times, ``year`` with dates, else ``unit of times``),
        ``intercept`` (median of x less slope times the median step),
        ``lower`` and ``upper`` of the 95 % interval, and ``count``.
    """
    from scipy import stats

    positions, values = valid_pairs(x, "x", at_least=2)
    moments = positions.astype(np.float64)
    if times is not None:
        if len(times) != len(x):
            raise InputError(f"'times' has {len(times)} values, 'x' has {len(x)}.", "Give one for each.")
        moments = _moments(times)[positions]
    found = stats.theilslopes(values, moments, alpha=0.95)
    return {
        "slope": float(found.slope),
        "per": unit_of_times(times, "unit of times"),
        "intercept": float(found.intercept),
        "lower": float(found.low_slope),
        "upper": float(found.high_slope),
        "count": int(values.size),
    }


def _sen(positions: Floats, values: Floats) -> tuple[float, float]:
    from scipy import stats

    found = stats.theilslopes(values, positions)
    return float(found.slope), float(found.intercept)


def _moments(given: list[float | str]) -> Floats:
    return times(given, "times")


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
