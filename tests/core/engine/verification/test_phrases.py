"""On which side of a limit a sentence puts something."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.phrases import denies_side, side


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many dates lie above 0.5?", 1),
        ("How many dates lie below 0.5?", -1),
        ("How many dates lie above 0.3 and below 0.5?", 0),
        ("How many dates are there?", 0),
    ],
)
def test_the_side_of_a_limit_is_told_only_where_there_is_one(text: str, expected: int):
    assert side(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("it does not lie above 3", True), ("it lies above 3", False), ("never below 2", True)],
)
def test_a_side_that_is_denied(text: str, expected: bool):
    assert denies_side(text) is expected
