"""What a number of a result may be written as: conversions by hand, and what is no conversion."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import Observation, ProductRecord
from treeline.core.engine.verification.claims import Claim
from treeline.core.engine.verification.readings import difference_of, readings_of, units_of


def readings(number: float, unit: str, *own: str) -> list[float]:
    return [pytest.approx(n, rel=1e-9) for n in readings_of(Claim("", 0.0, 0.0, unit), number, own)]


@pytest.mark.parametrize(
    ("number", "own", "wanted", "expected"),
    [
        # where the unit is known, one line leads to another unit of the same quantity
        (300.0, "K", "degC", [26.85]),
        (300.0, "K", "degF", [80.33]),
        (25.0, "degC", "K", [298.15]),
        (25_000.0, "m2", "ha", [2.5]),
        (2.5, "km2", "ha", [250.0]),
        (404.68564224, "ha", "acre", [1000.0]),
        (1.5, "km", "m", [1500.0]),
        (30.48, "m", "ft", [100.0]),
        (25.4, "mm", "in", [1.0]),
        (0.25, "1", "%", [25.0]),
        (25.0, "%", "%", [25.0]),
        # the depth of water that so much of it has on an area
        (2.0, "g/cm2", "mm", [20.0]),
        (20.0, "kg/m2", "mm", [20.0]),
        (20.0, "kg/m2", "g/cm2", [2.0]),
        (2.0, "g/cm2", "kg/m2", [20.0]),
        # a rate of an amount on an area is told with its time apart
        (2.5, "gC/m2/day", "gC/m2", [2.5]),
        (2.5, "gC/m2/day", "gC/m3", []),
        # another quantity
        (300.0, "K", "ha", []),
        (3.0, "ha", "m", []),
        # a difference of temperatures is as many degrees in both
        (5.0, "difference of K", "degC", [5.0]),
        (5.0, "difference of K", "degF", [9.0]),
        # a difference of shares is told in points of per cent
        (0.05, "difference of 1", "pp", [5.0]),
        (5.0, "difference of %", "pp", [5.0]),
        (0.05, "difference of 1", "1", [0.05]),
        (0.05, "difference of 1", "%", []),
        (0.05, "1", "pp", []),
        # no unit is told: its own and the usual ones
        (0.25, "1", "", [0.25]),
        (25.0, "%", "", [25.0, 0.25]),
        (300.0, "K", "", [300.0, 26.85]),
        (20.0, "degC", "", [20.0, 293.15]),
        (1e6, "m2", "", [1e6, 100.0, 1.0]),
        (100.0, "ha", "", [100.0, 1e6, 1.0]),
        (1.0, "km2", "", [1.0, 1e6, 100.0]),
        (1500.0, "m", "", [1500.0, 1.5]),
        (1.5, "km", "", [1.5, 1500.0]),
        (5.0, "difference of K", "", [5.0]),
        (3.0, "dB", "", [3.0]),
    ],
)
def test_a_number_with_a_unit(number, own, wanted, expected):
    assert expected == readings(number, wanted, own)


@pytest.mark.parametrize(
    ("number", "wanted", "expected"),
    [
        (0.25, "%", [0.25, 25.0]),
        (300.0, "degC", [26.85]),  # 300 degrees Celsius is no ground
        (170.0, "degC", [170.0, -103.15]),
        (20.0, "degF", [20.0, 68.0, -423.67]),
        (20.0, "K", [20.0, 293.15]),
        (3.0, "m2", [3.0, 3e4, 3e6]),
        (3.0, "ha", [3.0, 3e-4, 300.0]),
        (3.0, "km2", [3.0, 3e-6, 0.03]),
        (3.0, "m", [3.0, 3000.0]),
        (3.0, "km", [3.0, 0.003]),
        (25.0, "1", [25.0, 0.25]),
        (4046.8564224, "acre", [4046.8564224, 10_000.0, 1.0]),
        (0.254, "in", [0.254, 10.0, 0.01]),
        (3.048, "ft", [3.048, 10.0]),
        (3.0, "dB", [3.0]),
        (3.0, "", [3.0, 300.0, 0.03, -270.15, 276.15, 3e-4, 3e-6]),
        (0.0, "K", [0.0]),  # nothing is no temperature
    ],
)
def test_a_number_whose_unit_nobody_tells(number, wanted, expected):
    assert expected == readings(number, wanted)


def test_several_units_are_read_each_and_once():
    assert readings(300.0, "degC", "K", "K") == [26.85]
    assert readings(25.0, "degC", "K", "degC") == [-248.15, 25.0]


def test_a_difference_of_temperatures_is_told_from_a_temperature():
    assert difference_of(("K", "ha", "")) == ("difference of K", "ha", "")


def test_the_numbers_of_a_result_have_the_units_of_their_names():
    value = [{"name": "Forest", "pixels": 40, "percent": 8.0, "area": 3.5, "valid": True, "note": None}, 2]
    product = ProductRecord("a.tif", "n", "lst", "K", minimum=280.0, maximum=300.0, mean=None)
    found = list(units_of(Observation("result", "", value=value, unit="ha", products=(product,))))
    assert found == [(40.0, "count"), (8.0, "%"), (3.5, "ha"), (2.0, "ha"), (280.0, "K"), (300.0, "K")]
