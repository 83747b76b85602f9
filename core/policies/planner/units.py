"""Limits that a question writes in one unit, told in the unit of what they are compared with."""

from __future__ import annotations

from treeline.core.policies.planner.plan import CannotAnswer
from treeline.core.policies.planner.values import Numbers
from treeline.toolkit.errors import InputError
from treeline.toolkit.units import UNITS, line_between

_DECIMALS = 12


def line(unit: str, wanted: str, *, difference: bool = False) -> tuple[float, float]:
    """Return factor and offset from one unit to another; a missing unit fits everything.

    Raises
    ------
    CannotAnswer
        The two do not measure the same.
    """
    if not unit or not wanted or unit == wanted:
        return 1.0, 0.0
    if unit == "degree" and wanted in ("K", "degC", "degF"):
        unit = "degC"
    if unit == "degree" or wanted == "degree":
        other = wanted if unit == "degree" else unit
        if other not in UNITS:
            return 1.0, 0.0
    try:
        return line_between(unit, wanted, difference=difference)
    except InputError:
        raise CannotAnswer(
            f"The limit is given in {unit}, but what it is compared with is in {wanted}.",
            "Give it in that unit.",
        ) from None


def convertible(unit: str, wanted: str) -> bool:
    """Return whether two different units measure the same."""
    if unit == wanted or not (unit in UNITS and wanted in UNITS):
        return False
    try:
        line_between(unit, wanted)
    except InputError:
        return False
    return True


def unit_of_limit(unit: str, limit: str) -> str:
    """Return the unit in which what was compared with a limit is told: the limit's, if it can be."""
    wanted = "degC" if limit == "degree" and unit in ("K", "degC", "degF") else limit
    return wanted if convertible(unit, wanted) else unit


def limit_in(limit: Numbers, unit: str, *, difference: bool = False) -> float:
    """Return a single limit in the unit of what it is compared with.

    Parameters
    ----------
    difference : bool
        What is compared is a difference: 5 degC is 5 K then.

    Raises
    ------
    CannotAnswer
        It has no value, or another dimension.
    """
    if limit.single is None:
        raise CannotAnswer("The limit itself has no value: no pixel or date is valid for it.")
    factor, offset = line(limit.unit, unit, difference=difference)
    if (factor, offset) == (1.0, 0.0):
        return limit.single
    return round(limit.single * factor + offset, _DECIMALS)
