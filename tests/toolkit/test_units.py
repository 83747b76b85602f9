"""Conversions, compared with numbers of the standards."""

from __future__ import annotations

import pytest

from treeline.toolkit.errors import InputError
from treeline.toolkit.units import UNITS, convert, line_between, slope_unit


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "expected"),
    [
        (0.0, "K", "degC", -273.15),
        (25.0, "degC", "K", 298.15),
        (32.0, "degF", "degC", 0.0),
        (212.0, "degF", "degC", 100.0),
        (-40.0, "degF", "degC", -40.0),
        (100.0, "degC", "degF", 212.0),
        (300.0, "K", "degF", 80.33),
        (1.0, "ha", "m2", 10_000.0),
        (1.0, "km2", "ha", 100.0),
        (1.0, "acre", "m2", 4046.8564224),  # 66 ft x 660 ft of the international foot
        (1.0, "km", "m", 1000.0),
        (1.0, "m", "cm", 100.0),
        (1.0, "m", "mm", 1000.0),
        (1.0, "ft", "m", 0.3048),
        (1.0, "mi", "ft", 5280.0),
        (0.25, "1", "%", 25.0),
        (0.0065, "K/m", "K/100 m", 0.65),
        (-6.5, "K/km", "K/m", -0.0065),
        (1.8, "degF/km", "K/1000 m", 1.0),
        (2.0, "weeks", "days", 14.0),
        (400.0, "years", "days", 146_097.0),  # the Gregorian cycle
        (1.0, "years", "months", 12.0),
        (7.0, "mm", "mm", 7.0),
        (12.0, "in", "ft", 1.0),
        (3937.0, "us_ft", "m", 1200.0),  # the definition of the survey foot
    ],
)
def test_a_value_in_another_unit(value: float, unit: str, wanted: str, expected: float):
    assert convert(value, unit, wanted) == pytest.approx(expected, rel=1e-12, abs=1e-9)
    assert convert(expected, wanted, unit) == pytest.approx(value, rel=1e-12, abs=1e-9)


def test_differences_have_no_offset():
    assert convert(9.0, "degF", "degC", difference=True) == pytest.approx(5.0)
    assert line_between("degC", "K", difference=True) == (1.0, 0.0)


def test_the_base_units_are_those_of_the_tools():
    assert {name for name, unit in UNITS.items() if (unit.factor, unit.offset) == (1.0, 0.0)} == {
        "K",
        "m2",
        "m",
        "1",
        "days",
    }


@pytest.mark.parametrize(("unit", "wanted"), [("K", "m"), ("", "m"), ("furlong", "m"), ("m", "furlong")])
def test_what_does_not_measure_the_same_is_refused(unit: str, wanted: str):
    with pytest.raises(InputError, match="cannot be told"):
        convert(1.0, unit, wanted)


@pytest.mark.parametrize(
    ("unit", "told"),
    [("%", "percentage points/year"), ("K", "K/year"), ("1", "/year"), ("mm/month", "mm/month/year")],
)
def test_a_share_changes_by_percentage_points_and_not_per_cent(unit: str, told: str):
    assert slope_unit(unit, "year") == told
