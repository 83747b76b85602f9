"""What a number of a result may be written as: in which units, and how a known unit limits that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeline.core.engine.actions import Observation
from treeline.core.engine.checks import COUNT, INDEX, unit_of_role
from treeline.core.engine.table_units import is_measure, is_of_things
from treeline.core.engine.verification.claims import POINTS, Claim, find_unit
from treeline.toolkit.units import POINTS as POINTS_TOLD
from treeline.toolkit.units import UNITS, line_between

# Units of differences: of temperatures 1 degC is 1 K there, and of shares they are percentage points.
_DIFFERENCE = "difference of "
_OWN_DIFFERENCES = ("temperature", "ratio")
_TEMPERATURES = ("K", "degC", "degF")
# Masses in kilograms and amounts in moles, and what they are told for, in square or cubic metres.
_AMOUNTS: Mapping[str, tuple[str, float]] = {
    "kg": ("mass", 1.0),
    "g": ("mass", 1e-3),
    "mg": ("mass", 1e-6),
    "ug": ("mass", 1e-9),
    "\u00b5g": ("mass", 1e-9),
    "Mg": ("mass", 1e3),
    "t": ("mass", 1e3),
    "mol": ("amount", 1.0),
    "mmol": ("amount", 1e-3),
    "umol": ("amount", 1e-6),
    "\u00b5mol": ("amount", 1e-6),
}
# As the CF conventions write a quotient: mol m-2.
_BY_POWER = re.compile(r"([A-Za-z\u00b5]+)[ .*](k?m|cm|ha|l|L)\^?-([123])")
# The time of gC/m2/day is told apart, as that of a depth is: by the rate.
_OF_A_TIME = re.compile(r"([^/]+/[^/]+)/(?:s|h|d|day|month|season|a|yr|year)")
_EXTENTS: Mapping[str, tuple[int, float]] = {
    "m2": (2, 1.0),
    "ha": (2, 1e4),
    "km2": (2, 1e6),
    "cm2": (2, 1e-4),
    "m3": (3, 1.0),
    "cm3": (3, 1e-6),
    "l": (3, 1e-3),
    "L": (3, 1e-3),
}
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
    "acre": (_SAME, line_between("ha", "acre"), line_between("m2", "acre")),
    "m": (_SAME, (1e3, 0.0)),
    "km": (_SAME, (1e-3, 0.0)),
    "in": (_SAME, line_between("m", "in"), line_between("mm", "in")),
    "ft": (_SAME, line_between("m", "ft")),
    "1": (_SAME, (0.01, 0.0)),
    POINTS: (_SAME, (100.0, 0.0)),
    "": (_SAME, (100.0, 0.0), (0.01, 0.0), (1.0, -273.15), (1.0, 273.15), (1e-4, 0.0), (1e-6, 0.0)),
}
# What a number of a known unit may be written as where the text tells none.
_UNTOLD: Mapping[str, tuple[str, ...]] = {
    "%": ("1",),
    "K": ("degC",),
    "degC": ("K",),
    "m2": ("ha", "km2"),
    "ha": ("m2", "km2"),
    "km2": ("m2", "ha"),
    "m": ("km",),
    "km": ("m",),
}
# No ground is as hot: a number above it that claims to be in degrees Celsius was read in kelvin.
_HOTTEST_CELSIUS = 170.0
# How deep in metres water stands of which so much lies on an area.
_DEPTHS: Mapping[str, float] = {"g/cm2": 1e-2, "kg/m2": 1e-3}
_COUNTED = frozenset({"pixels", "count", "zone", "class", "variety", "number", "id", "fid", "n", "polygon"})
_OF_TESTS = frozenset({"r", "r2", "tau"})
# A probability of a test is no share of anything: nobody tells it in per cent.
_PROBABILITIES, PROBABILITY = frozenset({"p", "p_value", "pvalue"}), "probability"
_PER_CENT = frozenset({"percent", "percentage", "per_cent"})


def readings_of(claim: Claim, number: float, units: Sequence[str] = ()) -> Iterator[float]:
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
        yield number * factor + shift


def difference_of(units: Sequence[str]) -> tuple[str, ...]:
    """Return the units of differences of numbers that have units."""
    return tuple(_DIFFERENCE + unit if _quantity(unit) in _OWN_DIFFERENCES else unit for unit in units)


def is_difference(unit: str) -> bool:
    """Return whether a unit is one of differences."""
    return unit.startswith(_DIFFERENCE)


def is_measured(unit: str) -> bool:
    """Return whether a unit is one of what is measured or shared out: not of counts, or of time."""
    quantity = _quantity(without_difference(unit))
    return unit == "%" or quantity not in ("", "ratio", "time")


def name_unit(unit: str) -> str:
    """Return a unit as it is told: the one of differences of shares are percentage points."""
    return POINTS_TOLD if unit in (POINTS, *difference_of(("%",))) else without_difference(unit)


def without_difference(unit: str) -> str:
    """Return the unit of what a difference is made of; any other unit as it is."""
    return unit.removeprefix(_DIFFERENCE)


def _lines(unit: str, wanted: str) -> tuple[tuple[float, float], ...]:
    if not unit:
        return _READINGS.get(wanted, (_SAME,))
    difference, own = unit.startswith(_DIFFERENCE), without_difference(unit)
    own = own if own in UNITS else find_unit(own) or _as_quotient(own)
    if not wanted:
        others = () if difference else _UNTOLD.get(own, ())
        return (_SAME, *(line_between(own, other) for other in others))
    if own == INDEX:
        return (_SAME,) if wanted == "1" else ()
    if own == PROBABILITY:
        return (_SAME,) if wanted == "1" else ()
    if _quantity(own) == "ratio" and (difference or wanted == POINTS):
        hundredfold = 100.0 if own == "1" else 1.0
        return (
            ((hundredfold, 0.0),)
            if difference and wanted == POINTS
            else (_SAME,)
            if own == wanted == "1"
            else ()
        )
    if wanted == "degree" and own in _TEMPERATURES:
        wanted = "degC"
    if own == wanted:
        return (_SAME,)
    if factor := _of_densities(own, wanted):
        return ((factor, 0.0),)
    if own in _DEPTHS and _quantity(wanted) == "length":
        return ((_DEPTHS[own] * line_between("m", wanted)[0], 0.0),)
    same = _quantity(own) == _quantity(wanted) != ""
    return (line_between(own, wanted, difference=difference),) if same else ()


def _as_quotient(unit: str) -> str:
    """Return a unit with a negative power as a quotient: mol/m2 of mol m-2, mol/m^2; any other as it is."""
    if "/" in unit:
        plain = re.sub(r"\*\*|\^", "", unit)
        match = _OF_A_TIME.fullmatch(plain)
        return match[1] if match else plain
    match = _BY_POWER.fullmatch(unit.strip())
    if match is None:
        return unit
    return f"{match[1]}/{match[2]}{'' if match[3] == '1' else match[3]}"


def _of_densities(unit: str, wanted: str) -> float:
    """Return what turns an amount for an area or a volume into another one; 0 where one is none."""
    (amount, _, of), (other, _, for_other) = unit.partition("/"), wanted.partition("/")
    if not {amount, other} <= _AMOUNTS.keys() or not {of, for_other} <= _EXTENTS.keys():
        return 0.0
    (kind, one), (other_kind, two) = _AMOUNTS[amount], _AMOUNTS[other]
    (power, extent), (other_power, other_extent) = _EXTENTS[of], _EXTENTS[for_other]
    alike = kind == other_kind and power == other_power
    return one / two * other_extent / extent if alike else 0.0


def _quantity(unit: str) -> str:
    known = UNITS.get(unit)
    return known.quantity if known else ""


def units_of(observation: Observation) -> Iterator[tuple[float, str]]:
    """Yield the numbers of a result with their units, empty where one is unknown."""
    unit = _unit_of_classes(observation.value) if observation.unit == "class" else observation.unit
    if isinstance(observation.value, list) and len(observation.units) == len(observation.value):
        for item, own in zip(observation.value, observation.units, strict=True):
            yield from _numbers_with_units(item, own)
    else:
        yield from _numbers_with_units(observation.value, unit)
    for product in observation.products:
        known = (product.minimum, product.maximum, product.mean) if product.unit else ()
        unit = unit_of_role(product.role, product.unit)
        yield from ((number, unit) for number in known if number is not None)
        if product.valid_share is not None:
            yield product.valid_share, "1"


def _unit_of_classes(value: Any) -> str:
    """Return the unit of a statistic of classes: the means of a mask are parts of one, others have none."""
    known = [number for number, _ in _numbers_with_units(value, "")]
    parts = bool(known) and all(0 <= n <= 1 for n in known) and any(n % 1 for n in known)
    return "1" if parts else ""


def _numbers_with_units(value: Any, unit: str) -> Iterator[tuple[float, str]]:
    match value:
        case bool() | None | str():
            return
        case int() | float():
            yield float(value), unit
        case dict():
            of_things = is_of_things(value)
            for key, item in value.items():
                own = unit if not of_things or is_measure(key) else ""
                yield from _numbers_with_units(item, _unit_of_key(str(key).casefold(), own))
        case list() | tuple():
            for item in value:
                yield from _numbers_with_units(item, unit)


def _unit_of_key(key: str, unit: str) -> str:
    if key in _OF_TESTS:
        return "1"
    if key in _PROBABILITIES:
        return PROBABILITY
    _, mark, last = key.rpartition("_")
    own = find_unit(last) if mark else ""  # area_ha
    return COUNT if key in _COUNTED else "%" if last in _PER_CENT else own or unit
