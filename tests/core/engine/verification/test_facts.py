"""Whether a number that a step found is one of several."""

from __future__ import annotations

from typing import Any

import pytest

from treeline.core.engine.actions import Call, Observation
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
