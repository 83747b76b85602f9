"""Units of temperatures and of power, and limits turned into the unit of a raster."""

from __future__ import annotations

import math
from collections.abc import Callable

from treeline.core.policies.planner.intent import Threshold
from treeline.core.policies.planner.plan import CannotAnswer

ZERO_CELSIUS = 273.15

# From a unit to kelvin and back.
_TO_KELVIN: dict[str, Callable[[float], float]] = {
    "K": lambda value: value,
    "degC": lambda value: value + ZERO_CELSIUS,
    "degF": lambda value: (value - 32.0) / 1.8 + ZERO_CELSIUS,
}
_FROM_KELVIN: dict[str, Callable[[float], float]] = {
    "K": lambda value: value,
    "degC": lambda value: value - ZERO_CELSIUS,
    "degF": lambda value: (value - ZERO_CELSIUS) * 1.8 + 32.0,
}

POWER, DECIBEL = "linear power", "dB"
_TO_POWER: dict[str, Callable[[float], float]] = {
    POWER: lambda value: value,
    DECIBEL: lambda value: 10.0 ** (value / 10.0),
}
_FROM_POWER: dict[str, Callable[[float], float]] = {
    POWER: lambda value: value,
    DECIBEL: lambda value: 10.0 * math.log10(value) if value > 0 else -math.inf,
}
# For each quantity: its units to a common one, and back.
_QUANTITIES = ((_TO_KELVIN, _FROM_KELVIN), (_TO_POWER, _FROM_POWER))


def is_temperature(unit: str) -> bool:
    """Return whether a unit is one of temperature."""
    return unit in _TO_KELVIN


def converted(value: float, unit: str, wanted: str) -> float:
    """Return a value in another unit of the same quantity; unchanged where it has none.

    Raises
    ------
    CannotAnswer
        The two units do not measure the same.
    """
    if not unit or unit == wanted or unit == "%":
        return value
    if unit == "degree" and is_temperature(wanted):
        unit = "degC"
    for common, back in _QUANTITIES:
        if unit in common and wanted in common:
            return round(back[wanted](common[unit](value)), 6 if common is _TO_KELVIN else 12)
    raise CannotAnswer(
        f"The limit is given in {unit}, but the variable is in {wanted or 'no unit'}.",
        "Give it in that unit.",
    )


def same_quantity(unit: str, other: str) -> bool:
    """Return whether a value in one unit can be told in the other."""
    return any(unit in common and other in common for common, _ in _QUANTITIES)


def mode_of(threshold: Threshold) -> str:
    """Return a threshold's side as the tools call it."""
    return f"{threshold.side}_equal" if threshold.inclusive else threshold.side


def opposite(mode: str) -> str:
    """Return the comparison that holds just where another does not."""
    return {"above": "below_equal", "below": "above_equal", "above_equal": "below", "below_equal": "above"}[
        mode
    ]
