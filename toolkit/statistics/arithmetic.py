"""Arithmetic on single numbers."""

from __future__ import annotations

import math

from treeline.toolkit.context import current_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.statistics.kit import STATISTICS
from treeline.toolkit.tool import OF_INPUT, Gives, tool

# In kelvin, by definition.
ZERO_CELSIUS = 273.15
ELEMENTARY = "Elementary arithmetic."
NONE = "None: one formula in both."


@tool(
    kit=STATISTICS,
    source=ELEMENTARY,
    gives=Gives("number", "difference", OF_INPUT),
    formula="|a - b|",
    difference=NONE,
)
def difference(a: float, b: float) -> float:
    """Absolute difference of two numbers.

    The result has no sign. For the change of a raster use ``subtract`` or
    ``calculate_tif_difference``.

    Parameters
    ----------
    a : float
        One number.
    b : float
        The other number, in the same unit.

    Returns
    -------
    float
        How far the two are apart, in their unit.
    """
    return abs(_finite(a, "a") - _finite(b, "b"))


@tool(
    kit=STATISTICS,
    source=ELEMENTARY,
    gives=Gives("number", "ratio", ""),
    formula="b / a",
    difference="A divisor of zero is an error in science, infinity in earth_bench.",
)
def division(a: float, b: float) -> float:
    """Quotient b / a: the second number divided by the first.

    Parameters
    ----------
    a : float
        The divisor.
    b : float
        The number that is divided.

    Returns
    -------
    float
        ``b / a``.
    """
    if _finite(a, "a") == 0:
        raise InputError(
            f"The divisor 'a' is 0; {b:g} / 0 has no value.",
            "division(a, b) is b / a: the divisor comes first.",
        )
    return _finite(b, "b") / a


@tool(
    kit=STATISTICS,
    source=ELEMENTARY,
    gives=Gives("number", "percentage_change", "%"),
    formula="100 (b - a) / |a|",
    difference="A negative start keeps the sign of the change in science (|a|); earth_bench divides by a.",
)
def percentage_change(a: float, b: float) -> float:
    """Change from a to b in percent of a.

    Parameters
    ----------
    a : float
        The earlier value; not zero.
    b : float
        The later value, in the same unit.

    Returns
    -------
    float
        Percent; positive where ``b`` is greater than ``a``.
    """
    if _finite(a, "a") == 0:
        raise InputError("The earlier value 'a' is 0, so percent of it mean nothing.", "Use difference.")
    if a < 0:
        current_context().warn("The earlier value is negative; the change is given in percent of its size.")
    return 100.0 * (_finite(b, "b") - a) / abs(a)


@tool(
    kit=STATISTICS,
    source="BIPM, SI Brochure, 9th ed. 2019.",
    gives=Gives("number", "celsius", "degC"),
    formula="K - 273.15",
    difference="Below 0 K is an error in science.",
)
def kelvin_to_celsius(kelvin: float) -> float:
    """Temperature in degrees Celsius from kelvin.

    Parameters
    ----------
    kelvin : float
        Temperature in K, at least 0.

    Returns
    -------
    float
        Temperature in degrees Celsius.
    """
    if _finite(kelvin, "kelvin") < 0:
        raise InputError(f"A temperature of {kelvin:g} K does not exist.", "Is it in Celsius already?")
    return kelvin - ZERO_CELSIUS


@tool(
    kit=STATISTICS,
    source="BIPM, SI Brochure, 9th ed. 2019.",
    gives=Gives("number", "kelvin", "K"),
    formula="C + 273.15",
    difference="Below absolute zero is an error in science.",
)
def celsius_to_kelvin(celsius: float) -> float:
    """Temperature in kelvin from degrees Celsius.

    Parameters
    ----------
    celsius : float
        Temperature in degrees Celsius, at least -273.15.

    Returns
    -------
    float
        Temperature in K.
    """
    if _finite(celsius, "celsius") < -ZERO_CELSIUS:
        raise InputError(f"{celsius:g} degrees Celsius is below absolute zero.", "Give at least -273.15.")
    return celsius + ZERO_CELSIUS


@tool(
    kit=STATISTICS,
    source=ELEMENTARY,
    gives=Gives("number", "product", OF_INPUT),
    formula="a b",
    difference=NONE,
)
def multiply(a: float, b: float) -> float:
    """Product of two numbers.

    Parameters
    ----------
    a : float
        One factor.
    b : float
        The other factor.

    Returns
    -------
    float
        ``a`` times ``b``.
    """
    return _finite(a, "a") * _finite(b, "b")


@tool(
    kit=STATISTICS,
    source=ELEMENTARY,
    gives=Gives("number", "ceiling", OF_INPUT),
    formula="least whole number >= n",
    difference=NONE,
)
def ceil_number(n: float) -> int:
    """Smallest whole number that is not below a number.

    Parameters
    ----------
    n : float
        The number.

    Returns
    -------
    int
        ``n`` rounded up.
    """
    return math.ceil(_finite(n, "n"))


def _finite(value: float, name: str) -> float:
    if not math.isfinite(value):
        raise InputError(f"The argument {name!r} is {value}, not a finite number.", "Give a finite number.")
    return value
