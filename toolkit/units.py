"""Units of one quantity, and how a value in one is converted to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treeline.toolkit.errors import InputError


@dataclass(frozen=True, slots=True)
class Unit:
    """How a unit relates to the base unit of its quantity: base = factor x value + offset."""

    quantity: str
    factor: float = 1.0
    offset: float = 0.0


# International acre, inch and foot: NIST SP 811 (2008), appendix B.
UNITS: Mapping[str, Unit] = {
    "K": Unit("temperature"),
    "degC": Unit("temperature", 1.0, 273.15),
    "degF": Unit("temperature", 5.0 / 9.0, 273.15 - 32.0 * 5.0 / 9.0),
    "m2": Unit("area"),
    "ha": Unit("area", 1e4),
    "km2": Unit("area", 1e6),
    "acre": Unit("area", 4046.8564224),
    "m": Unit("length"),
    "km": Unit("length", 1e3),
    "dm": Unit("length", 1e-1),
    "cm": Unit("length", 1e-2),
    "mm": Unit("length", 1e-3),
    "in": Unit("length", 0.0254),
    "ft": Unit("length", 0.3048),
    "us_ft": Unit("length", 1200.0 / 3937.0),
    "mi": Unit("length", 1609.344),
    "1": Unit("ratio"),
    "%": Unit("ratio", 0.01),
    "days": Unit("time"),
    "weeks": Unit("time", 7.0),
    # The Gregorian calendar repeats after 400 years of 146,097 days.
    "months": Unit("time", 30.436875),
    "years": Unit("time", 365.2425),
}


POINTS = "percentage points"


def slope_unit(unit: str, per: str) -> str:
    """Return the unit of a slope: what a series changes by, for one unit of time.

    A share in per cent changes by percentage points: from 50 % to 45 % it falls by 5 of them, and by 10 % of
    what it was. A number without unit gives ``/year``.

    Parameters
    ----------
    unit : str
        Of the series.
    per : str
        The unit of time, such as ``year`` or ``step``.
    """
    changes_by = {"%": POINTS, "1": ""}.get(unit, unit)
    return f"{changes_by}/{per}"


def becomes_decibels(unit: str, wanted: str) -> bool:
    """Return whether power of backscatter is to be told in decibels, which no factor and offset do."""
    return (unit, wanted) == ("linear power", "dB")


def line_between(unit: str, wanted: str, *, difference: bool = False) -> tuple[float, float]:
    """Return factor and offset that turn values in one unit into another.

    Parameters
    ----------
    difference : bool
        The values are differences: 1 degC is 1 K then.

    Raises
    ------
    InputError
        The two do not measure the same.
    """
    if unit == wanted:
        return 1.0, 0.0
    if "/" in unit and "/" in wanted:
        return _line_between_quotients(unit, wanted), 0.0
    one, other = UNITS.get(unit), UNITS.get(wanted)
    if one is None or other is None or one.quantity != other.quantity:
        raise InputError(
            f"{unit or 'A value without unit'} cannot be told in {wanted or 'no unit'}.",
            f"Units of one quantity are known for {', '.join(UNITS)}.",
        )
    # base = f1 v + o1 = f2 w + o2, so that w = v f1 / f2 + (o1 - o2) / f2; a difference has no offset.
    offset = 0.0 if difference else (one.offset - other.offset) / other.factor
    return one.factor / other.factor, offset


def _line_between_quotients(unit: str, wanted: str) -> float:
    """Return the factor that turns values "per so much" into another unit: K/m into K/100 m."""
    (above, below), (wanted_above, wanted_below) = (one.split("/", 1) for one in (unit, wanted))
    factor, _ = line_between(above, wanted_above, difference=True)
    length, of = _amount(below)
    wanted_length, wanted_of = _amount(wanted_below)
    inverse, _ = line_between(of, wanted_of, difference=True)
    return factor * wanted_length / (length * inverse)


def _amount(text: str) -> tuple[float, str]:
    """Return the number and the unit of "100 m"; the number of "m" is 1."""
    number, _, unit = text.rpartition(" ")
    return float(number or 1), unit


def convert(value: float, unit: str, wanted: str, *, difference: bool = False) -> float:
    """Return a value in another unit of the same quantity; see :func:`line_between`.

    Parameters
    ----------
    unit, wanted : str
        As in ``UNITS``, or quotients of such ("K/m", "mm/100 km").
    difference : bool
        The value is a difference or a spread: 1 K is then 1.8 degF and not -457.87 degF.

    Raises
    ------
    InputError
        One of the units is not known, or they are of different quantities.
    """
    factor, offset = line_between(unit, wanted, difference=difference)
    return value * factor + offset
