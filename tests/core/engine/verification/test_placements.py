"""Where several stand to one another: between, close together, in an order, and of which time they are."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.placements import judge_placements
from treeline.core.engine.verification.sentence_grounds import Grounds

COVERS = Grounds([Column({"forest": 0.745, "grassland": 0.699, "water": 0.11})], {})


@pytest.mark.parametrize(
    ("sentence", "true"),
    [
        ("Grassland lies between the other two.", True),
        ("Forest lies between the other two.", False),
        ("Grassland sits between water and forest.", True),
        ("Water is in between forest and grassland.", False),
        ("Forest and grassland are within 0.05 of each other.", True),
        ("Forest and water are within 0.05 of each other.", False),
        ("The ordering is forest, grassland, water.", True),
        ("The ranking reads grassland, forest, water.", False),
    ],
)
def test_a_placement_is_judged(sentence: str, true: bool):
    assert [verdict.true for verdict in judge_placements(COVERS, sentence)] == [true]


@pytest.mark.parametrize(
    "sentence",
    ["Forest has 0.745.", "Between forest and grassland lie 0.046.", "The order of magnitude is the same."],
)
def test_what_is_no_placement_has_no_verdict(sentence: str):
    assert list(judge_placements(COVERS, sentence)) == []
