"""Whether a number that a step found is one of several."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.actions import Call, Observation, ProductRecord
from treeline.core.engine.state import Step
from treeline.core.engine.verification.facts import facts_of
from treeline.core.engine.verification.origins import Origin, Origins


@pytest.mark.parametrize(
    ("value", "several"),
    [(0.5, False), ([0.5], False), ([0.5, 0.7], True), ({"mean": 0.5}, False), ([{"mean": 0.5}] * 2, True)],
)
def test_a_number_is_one_of_several_where_a_step_gave_more(value: Any, several: bool):
    step = Step(1, Call("calculate_mean", {}), Observation("result", "", value=value))
    assert {fact.several for fact in facts_of([step], {1: Origins(Origin())}, [])} == {several}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("1.2 % of the area lies above 800 m.", True),
        ("98.8 % of the area lies above 800 m.", False),
        ("98.8 % of the area lies below 800 m.", True),
    ],
)
def test_what_a_mask_does_not_mark_lies_on_the_other_side_of_its_limit(text: str, right: bool):
    mask = ProductRecord("high.tif", "high.tif", "mask", "", minimum=0.0, maximum=1.0, mean=0.012)
    made = result("threshold_mask", None, "", "wrote high.tif", input_path="Lake_DEM.tif", minimum=800)
    rows = [{"class": n, "pixels": p, "percent": p / 10} for n, p in ((0.0, 988), (1.0, 12))]
    steps = (
        ("threshold_mask", replace(made, products=(mask,))),
        ("area_by_class", result("area_by_class", rows, "", input_path="high.tif")),
    )
    assert (Told("How much lies above 800 m?", text, steps).why() == "") == right
