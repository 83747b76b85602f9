"""What no rule can read of an answer is not passed in silence."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result

NAMES = {"holdings": "@landcover classes: 1 Forest, 2 Grassland, 3 Water"}
CLASSES = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"date": "2021-07-12", "1": 0.7121, "2": 0.5433, "3": 0.0312}],
        "1",
        classes_path="Lake_LULC.tif",
        file_list=["Lake_2021-07-12_NDVI.tif"],
        statistic="mean",
    ),
)
TOLD = "Forest has a mean NDVI of 0.712."


def why(text: str) -> str:
    """Return why an answer on the classes is unverified, behind a sentence that is right."""
    return Told("What is the mean NDVI by class?", f"{TOLD} {text}", (CLASSES,), context=NAMES).why()


@pytest.mark.parametrize(
    "text",
    [
        "Forest dwarfs grassland.",
        "Grassland blends into water.",
        "Every class flirts with 0.54.",
        "More classes are lush than barren.",
        "The two greenest classes come to 0.54.",
        "Grassland is the only class of its kind.",
    ],
)
def test_a_statement_that_no_rule_reads_is_not_checked(text: str):
    assert why(text).startswith("Not checked: ")


@pytest.mark.parametrize(
    "text",
    [
        "Forest exceeds grassland.",
        "Two classes exceed 0.5: forest and grassland.",
        "The classes are forest, grassland and water.",
        "Grassland ranks second.",
        "Water and grassland follow with 0.031 and 0.543.",
        "Two thirds of the classes exceed 0.5.",
    ],
)
def test_what_is_read_and_true_and_what_states_nothing_pass(text: str):
    assert why(text) == ""


@pytest.mark.parametrize(
    "text", ["Grassland exceeds forest.", "All classes exceed 0.5.", "Water ranks second."]
)
def test_what_is_contradicted_is_told_as_that_alone(text: str):
    assert why(text)
    assert "Not checked" not in why(text)
