"""Limits that are the rounded end of a column, and bounds of how much ground was found."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.grounded_answer import GroundedAnswer


@pytest.mark.parametrize(
    ("text", "lowest", "highest", "bound"),
    [
        ("All fields lie above 0.62.", 0.62, 0.9, True),
        ("All fields lie above 0.62.", 0.628, 0.9, True),
        ("All fields lie above 0.62.", 0.6305, 0.9, False),  # further away than it is rounded
        ("All fields lie above 0.62.", 0.6195, 0.9, False),  # one lies below
        ("All fields lie below 0.62.", 0.1, 0.6195, True),
        ("All fields lie below 0.62.", 0.1, 0.6205, False),
        ("All fields lie below 0.62.", 0.1, 0.609, False),
        ("The fields measure 0.62.", 0.62, 0.9, False),  # no limit
    ],
)
def test_a_limit_is_the_end_of_a_column_that_is_rounded_away_from_it(
    text: str, lowest: float, highest: float, bound: bool
):
    answer = SimpleNamespace(
        answer_columns=SimpleNamespace(clauses=[text], labels=frozenset[str]()),
        columns=[Column({"a": lowest, "b": highest})],
        text=text,
    )
    (claim,) = claims_in(text)
    assert GroundedAnswer.is_bound(answer, claim) is bound  # type: ignore[arg-type]


def test_a_limit_of_another_sentence_than_those_of_the_answer_is_no_bound():
    answer = SimpleNamespace(
        answer_columns=SimpleNamespace(clauses=["All fields are green."], labels=frozenset[str]()),
        columns=[Column({"a": 0.62, "b": 0.9})],
        text="All fields lie above 0.62.",
    )
    (claim,) = claims_in(answer.text)
    assert not GroundedAnswer.is_bound(answer, claim)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "count", "rest"),
    [
        ("A; b and 60 more.", 62.0, True),
        ("A; b and 60 more.", 61.0, False),
        ("A; b and 60 more of this kind.", 61.0, True),  # the first stands for the others
        ("A; b and 60 more of this kind.", 60.0, False),
    ],
)
def test_what_a_list_leaves_out_is_what_it_has_beyond_those_it_names(text: str, count: float, rest: bool):
    answer = SimpleNamespace(text=text, evidence=SimpleNamespace(counts=[count]))
    claim = next(claim for claim in claims_in(text) if claim.number == 60)
    assert GroundedAnswer._is_rest(answer, claim, set()) is rest  # type: ignore[arg-type]


FLOOD = ("calculate_area", result("calculate_area", 287.4, "ha", input_image_path="Sava_flood.tif"))
STEEP = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 37.8, "%", image_paths="Sava_slope.tif", threshold=12),
)
HOT = ("count_above_threshold", result("count_above_threshold", 18422, "count", threshold=305))


@pytest.mark.parametrize(
    ("question", "text", "found", "right"),
    [
        ("How much is flooded?", "More than 250 ha are flooded.", FLOOD, True),
        ("How much is flooded?", "More than 300 ha are flooded.", FLOOD, False),
        ("How much is flooded?", "Less than 300 ha are flooded.", FLOOD, True),
        ("How much is flooded?", "Less than 250 ha are flooded.", FLOOD, False),
        ("How much is steep?", "Over a third of the ground is steeper than 12 degrees.", STEEP, True),
        ("How much is steep?", "Over half of the ground is steeper than 12 degrees.", STEEP, False),
        ("How much is steep?", "Without doubt more than 50 % is steeper than 12 degrees.", STEEP, False),
        ("How much is steep?", "More than 50 % is steeper than 12 degrees, the rest is not.", STEEP, False),
        ("Are more than 20,000 pixels hotter than 305 K?", "No.", HOT, True),
        ("Are more than 20,000 pixels hotter than 305 K?", "Yes.", HOT, False),
        ("Are more than 20,000 pixels hotter than 305 K?", "Yes, more than 20,000 pixels are.", HOT, False),
        ("Are more than 15,000 pixels hotter than 305 K?", "Yes, more than 15,000 pixels are.", HOT, True),
    ],
)
def test_a_bound_of_how_much_ground_is_held_against_what_was_found(question, text, found, right: bool):
    assert (Told(question, text, (found,)).why() == "") == right
