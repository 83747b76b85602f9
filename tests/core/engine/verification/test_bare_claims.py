"""Differences that are told as changes in per cent, and years that nothing is of."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.core.engine.verification.test_cheats import MEANS, Told, series
from treeline.core.engine.verification.bare_claims import _changes_as_per_cent


@pytest.mark.parametrize(
    ("text", "number", "unit", "found"),
    [
        ("16.0 %", -0.16, "1", True),
        ("16.0 %", -0.1604, "1", True),
        ("16.0 %", -0.1616, "1", False),  # beyond half of the last digit
        ("16.0 %", -0.16, "K", False),
        ("16.0 K", -0.16, "1", False),
        ("160 %", -1.6, "1", False),  # no part of one
    ],
)
def test_a_difference_is_no_change_in_per_cent(text: str, number: float, unit: str, found: bool):
    evidence = SimpleNamespace(
        numbers=[number], units={number: (unit,)}, behind=lambda claim, falls: [number] if found else []
    )
    answer = SimpleNamespace(clauses=[f"It fell by {text}."], evidence=evidence)
    assert bool(list(_changes_as_per_cent(answer))) is found  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("days", "right"), [(("2019-06-04", "2020-06-01"), True), (("2020-05-02", "2020-06-01"), False)]
)
@pytest.mark.parametrize(
    "than", ["than a year earlier", "than the year before", "compared to the previous year"]
)
def test_what_is_held_against_the_year_before_has_one(days, right: bool, than: str):
    found = (MEANS, series([0.31, 0.52], [f"Lake_{day}_NDVI.tif" for day in days], "1"))
    text = f"On 2020-06-01 the mean is 0.52, higher {than}."
    assert (Told("How green was it on 2020-06-01?", text, (found,)).why() == "") == right
