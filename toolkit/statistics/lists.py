"""Statistics of lists of numbers, and picking from lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.series import Numbers, valid_pairs, valid_values
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import OF_INPUT, Gives, tool

MOMENTS = "Joanes & Gill 1998, The Statistician 47:183."
MISSING = "Missing values are left out with a warning in science; in earth_bench they make the result NaN."


@tool(
    kit=STATISTICS,
    source="Arithmetic mean.",
    gives=Gives("number", "mean", OF_INPUT),
    formula="sum(x) / n",
    difference=MISSING,
)
def mean(x: Numbers) -> float:
    """Mean of a list of numbers.

    Of per-image means it is the mean of means, which counts small images as much as large ones.

    Parameters
    ----------
    x : list of float
        The numbers; missing ones (null) are left out.

    Returns
    -------
    float
        The mean, in the unit of the numbers.
    """
    return float(valid_values(x, "x").mean())


@tool(
    kit=STATISTICS,
    source="Largest element.",
    gives=Gives("value", "extreme"),
    formula="max(x), and the first index that has it",
    difference=MISSING,
)
def max_value_and_index(x: Numbers) -> list[float]:
    """Largest number of a list, and its index from 0.

    Parameters
    ----------
    x : list of float
        The numbers; missing ones (null) are skipped but keep their place in the count.

    Returns
    -------
    list
        ``[value, index]``; the first index where several are equal.
    """
    positions, values = valid_pairs(x, "x")
    best = int(values.argmax())
    return [float(values[best]), int(positions[best])]


@tool(
    kit=STATISTICS,
    source="Smallest element.",
    gives=Gives("value", "extreme"),
    formula="min(x), and the first index that has it",
    difference=MISSING,
)
def min_value_and_index(x: Numbers) -> list[float]:
    """Smallest number of a list, and its index from 0.

    Parameters
    ----------
    x : list of float
        The numbers; missing ones (null) are skipped but keep their place in the count.

    Returns
    -------
    list
        ``[value, index]``; the first index where several are equal.
    """
    positions, values = valid_pairs(x, "x")
    best = int(values.argmin())
    return [float(values[best]), int(positions[best])]


@tool(
    kit=STATISTICS,
    source="Picking by position.",
    gives=Gives("value", "pick"),
    formula="x_i for each index i",
    difference="None: one formula in both.",
)
def get_list_object_via_indexes(input_list: list[Any], indexes: list[int]) -> list[Any]:
    """Elements of a list at given indexes.

    Parameters
    ----------
    input_list : list
        What to pick from: numbers, paths, boxes.
    indexes : list of int
        Positions from 0; negative ones count from the end.

    Returns
    -------
    list
        The elements in the order of the indexes.
    """
    if not indexes:
        raise InputError("The argument 'indexes' is an empty list.", "Give at least one position.")
    outside = [i for i in indexes if not -len(input_list) <= i < len(input_list)]
    if outside:
        raise InputError(
            f"The argument 'indexes' holds {outside[0]}, but 'input_list' has {len(input_list)} elements.",
            f"Indexes go from 0 to {len(input_list) - 1}." if input_list else "Give a list with elements.",
        )
    return [input_list[i] for i in indexes]


@tool(
    kit=STATISTICS,
    source="Pearson 1896, Phil. Trans. R. Soc. A 187:253.",
    gives=Gives("number", "coefficient_of_variation", "1"),
    formula="standard deviation / mean",
    difference="A mean of zero is an error in science, NaN in earth_bench. " + MISSING,
)
def coefficient_of_variation(x: Numbers, ddof: int = 1) -> float:
    """Coefficient of variation: standard deviation over mean.

    It describes quantities with a natural zero (radiance, precipitation, cover); for indices that
    change sign or temperatures in degrees Celsius it says little.

    Parameters
    ----------
    x : list of float
        At least ``ddof + 1`` numbers; missing ones (null) are left out.
    ddof : int
        1 for the standard deviation of a sample, 0 for that of a population.

    Returns
    -------
    float
        A pure number; negative where the mean is.
    """
    if ddof < 0:
        raise InputError(f"The argument 'ddof' is {ddof}.", "Give 1 (sample) or 0 (population).")
    values = valid_values(x, "x", at_least=ddof + 1)
    if values.mean() == 0:
        raise InputError(
            "The mean of 'x' is 0, so its variation relative to it has no value.", "Use another measure."
        )
    if values.min() < 0:
        current_context().warn("Some values are negative; a coefficient of variation means little for them.")
    return float(values.std(ddof=ddof) / values.mean())


@tool(
    kit=STATISTICS,
    source=MOMENTS,
    gives=Gives("number", "skewness", "1"),
    formula="g1 = m3 / m2^1.5; unbiased G1 = g1 sqrt(n (n - 1)) / (n - 2)",
    difference="bias=False is G1 in science; earth_bench corrects twice. " + MISSING,
)
def skewness(x: Numbers, bias: bool = True) -> float:
    """Skewness of a list of numbers.

    Parameters
    ----------
    x : list of float
        At least 2 numbers that are not all equal, 3 without bias; missing ones are left out.
    bias : bool
        False corrects for the size of the sample.

    Returns
    -------
    float
        Above 0 with a long tail to the right, below 0 with one to the left.
    """
    from scipy import stats

    return float(stats.skew(_values_that_vary(x, "skewness", 2 if bias else 3), bias=bias))


@tool(
    kit=STATISTICS,
    source=MOMENTS,
    gives=Gives("number", "kurtosis", "1"),
    formula="g2 = m4 / m2^2 - 3; unbiased G2 = (n - 1) / ((n - 2)(n - 3)) ((n + 1) g2 + 6)",
    difference="bias=False is G2 in science; earth_bench subtracts 3 once too often. " + MISSING,
)
def kurtosis(x: Numbers, bias: bool = True, fisher: bool = True) -> float:
    """Kurtosis of a list of numbers: excess over the normal distribution unless fisher is false.

    Parameters
    ----------
    x : list of float
        At least 2 numbers that are not all equal, 4 without bias; missing ones are left out.
    bias : bool
        False corrects for the size of the sample.
    fisher : bool
        True gives the excess (a normal distribution has 0), false Pearson's (it has 3).

    Returns
    -------
    float
        Large with heavy tails.
    """
    from scipy import stats

    return float(stats.kurtosis(_values_that_vary(x, "kurtosis", 2 if bias else 4), bias=bias, fisher=fisher))


def _values_that_vary(x: Numbers, quantity: str, at_least: int) -> np.ndarray:
    values = valid_values(x, "x", at_least)
    if np.ptp(values) == 0:
        raise InputError(
            f"All {values.size} values of 'x' are {values[0]:g}; a constant has no {quantity}.",
            "Give values that vary.",
        )
    return values
