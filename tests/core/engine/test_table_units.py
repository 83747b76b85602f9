"""Which numbers of a table are in the unit of its result."""

from __future__ import annotations

import pytest

from treeline.core.engine.table_units import is_by_class, is_of_things, measures_of

ZONES = [{"zone": 1, "AREA": 7502.0, "people": 24, "mean": 287.5, "p90": 290.1, "count": 9.0}]


def test_statistics_have_the_unit_and_attributes_have_none():
    assert measures_of(ZONES) == ["mean", "p90"]


@pytest.mark.parametrize(
    ("row", "of_things", "by_class"),
    [
        (ZONES[0], True, False),
        ({"class": 1, "pixels": 4, "area": 0.4}, True, False),
        ({"before": 90.0, "after": 120.0}, False, False),  # two results, and no classes of a transition
        ({"1": 287.5, "-2": None}, False, True),
        ({"mean": 287.5, "std": 2.0}, False, False),
        ({}, False, False),
    ],
)
def test_rows_of_things_and_of_classes_are_told_apart(row: dict, of_things: bool, by_class: bool):
    assert is_of_things(row) is of_things and is_by_class(row) is by_class
