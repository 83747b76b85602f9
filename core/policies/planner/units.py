"""Units of temperatures and areas, and limits turned into the unit of a raster."""

from __future__ import annotations

from collections.abc import Callable

from core.policies.planner.intent import Threshold
from core.policies.planner.plan import CannotAnswer

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


def is_temperature(unit: str) -> bool:
    """Return whether a unit is one of temperature."""
    return unit in _TO_KELVIN


def converted(value: float, unit: str, wanted: str) -> float:
    """Return a value in another unit of temperature; unchanged where none is wanted.

    Raises
    ------
    CannotAnswer
        The two units do not measure the same.
    """
    if not unit or unit == wanted or unit == "%":
        return value
    if unit == "degree" and is_temperature(wanted):
        unit = "degC"
    if not (is_temperature(unit) and is_temperature(wanted)):
        raise CannotAnswer(
            f"The limit is given in {unit}, but the variable is in {wanted or 'no unit'}.",
            "Give it in that unit.",
        )
    return round(_FROM_KELVIN[wanted](_TO_KELVIN[unit](value)), 6)


def mode_of(threshold: Threshold) -> str:
    """Return a threshold's side as the tools call it."""
    return f"{threshold.side}_equal" if threshold.inclusive else threshold.side


def opposite(mode: str) -> str:
    """Return the comparison that holds just where another does not."""
    return {"above": "below_equal", "below": "above_equal", "above_equal": "below", "below_equal": "above"}[
        mode
    ]
