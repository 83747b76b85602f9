"""What a number of a result may be written as: in which units, and how a known unit limits that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeline.core.engine.actions import Observation
from treeline.core.engine.claims import Claim
from treeline.toolkit.units import UNITS, line_between

COUNT = "count"

# What a number becomes in a unit where nobody tells its own, as (factor, shift).
_SAME = (1.0, 0.0)
_READINGS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "%": (_SAME, (100.0, 0.0)),
    "degC": (_SAME, (1.0, -273.15)),
    "degF": (_SAME, (1.8, 32.0), (1.8, -459.67), _SAME),
    "K": (_SAME, (1.0, 273.15)),
    "m2": (_SAME, (1e4, 0.0), (1e6, 0.0)),
    "ha": (_SAME, (1e-4, 0.0), (100.0, 0.0)),
    "km2": (_SAME, (1e-6, 0.0), (0.01, 0.0)),
    "m": (_SAME, (1e3, 0.0)),
    "km": (_SAME, (1e-3, 0.0)),
    "": (_SAME, (100.0, 0.0), (0.01, 0.0), (1.0, -273.15), (1.0, 273.15), (1e-4, 0.0), (1e-6, 0.0)),
}
# What a number of a known unit may be written as where the text tells none.
_UNTOLD: Mapping[str, tuple[str, ...]] = {
    "1": ("%",), "%": ("1",), "K": ("degC",), "degC": ("K",), "m2": ("ha", "km2"), "ha": ("m2", "km2"),
    "km2": ("m2", "ha"), "m": ("km",), "km": ("m",),
}  # fmt: skip
_HOTTEST_CELSIUS = 170.0
_COUNTED = frozenset({"pixels", "count", "zone", "class", "variety", "number", "id", "fid", "n"})
_PER_CENT = frozenset({"percent", "percentage", "per_cent"})


def told(claim: Claim, number: float, units: Sequence[str] = ()) -> Iterator[float]:
    """Yield what a number may be written as in the unit of a claim.

    Parameters
    ----------
    units : sequence of str
        The units that results have it in; empty where one does not tell it.
    """
    for factor, shift in dict.fromkeys(pair for unit in units or ("",) for pair in _lines(unit, claim.unit)):
        # No ground is as hot as a temperature in kelvin would be, taken for degrees Celsius.
        if claim.unit == "degC" and not shift and factor == 1 and number > _HOTTEST_CELSIUS:
            continue
        if shift and not number:
            continue
        yield (number * factor + shift) * claim.scale


def _lines(unit: str, wanted: str) -> tuple[tuple[float, float], ...]:
    if unit == COUNT:
        return () if wanted else (_SAME,)
    if unit not in UNITS:
        return _READINGS[wanted]
    if not wanted:
        return (_SAME, *(line_between(unit, other) for other in _UNTOLD.get(unit, ())))
    return (line_between(unit, wanted),) if UNITS[unit].quantity == UNITS[wanted].quantity else ()


def units_of(observation: Observation) -> Iterator[tuple[float, str]]:
    """Yield the numbers of a result with their units, empty where one is unknown."""
    yield from _united(observation.value, observation.unit)
    for product in observation.products:
        for number in (product.minimum, product.maximum, product.mean):
            if number is not None:
                yield number, product.unit


def _united(value: Any, unit: str) -> Iterator[tuple[float, str]]:
    match value:
        case bool() | None | str():
            return
        case int() | float():
            yield float(value), unit
        case dict():
            for key, item in value.items():
                yield from _united(item, _unit_of_key(str(key).casefold(), unit))
        case list() | tuple():
            for item in value:
                yield from _united(item, unit)


def _unit_of_key(key: str, unit: str) -> str:
    return COUNT if key in _COUNTED else "%" if key in _PER_CENT else unit
