"""What single phrases of a sentence say."""

from __future__ import annotations

import pytest

from treeline.core.engine.verification.degree_words import (
    comparison,
    end_in_time,
    extreme,
    order,
    rank,
    strongest_loss,
)
from treeline.core.engine.verification.phrases import denies_side, side
from treeline.core.engine.verification.question_words import polarity
from treeline.core.engine.verification.relation_words import levels_of_significance, relation, sign, strength


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
    [
        ("from the highest to the lowest: a, b", (1, " a, b")),
        ("most to least: a, b", (1, " a, b")),
        ("from least to most: a, b", (-1, " a, b")),
        ("from highest to highest: a, b", None),
        ("a, b", None),
    ],
)
def test_an_order_has_two_ends(text: str, expected: tuple[int, str] | None):
    assert order(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the second highest is a", (2, 1)),
        ("the third lowest is a", (3, -1)),
        ("the 4th-largest is a", (4, 1)),
        ("it is not the second highest", None),
        ("the highest is a", None),
    ],
)
def test_a_place_is_the_second_to_the_fourth_from_an_end(text: str, expected: tuple[int, int] | None):
    assert rank(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("it does not lie above 3", True), ("it lies above 3", False), ("never below 2", True)],
)
def test_a_side_that_is_denied(text: str, expected: bool):
    assert denies_side(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("there is a positive correlation", 1),
        ("there is a negative correlation", -1),
        ("the slope is negative", -1),
        ("there is no positive correlation", 0),
        ("there is a correlation", 0),
    ],
)
def test_the_sign_of_a_relation(text: str, expected: int):
    assert sign(text) == expected


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        (end_in_time, "What is the NDVI on the first date?", -1),
        (end_in_time, "What is the NDVI in the last image?", 1),
        (end_in_time, "What is the NDVI?", 0),
        (extreme, "When is it highest?", 1),
        (extreme, "When is it lowest?", -1),
        (extreme, "Highest or lowest?", 0),
        (extreme, "When is it?", 0),
        (strongest_loss, "Which lost the most?", 1),
        (strongest_loss, "Which lost the least?", -1),
        (strongest_loss, "Which is the most?", 0),
        (polarity, "Yes, it is.", True),
        (polarity, "No, it is not.", False),
    ],
)
def test_which_way_a_text_points(read, text: str, expected: object):
    assert read(text) == expected


def test_a_comparison_has_a_before_a_way_and_a_behind():
    assert comparison("Bled is larger than Bohinj") == ("Bled is larger", 1, "Bohinj")
    assert comparison("Bled is smaller than Bohinj") == ("Bled is smaller", -1, "Bohinj")
    assert comparison("Bled is large") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The two go together.", 1),
        ("The greener it is, the cooler it is.", -1),
        ("The greener it is, the warmer it is.", 1),
        ("It is greener than before.", 0),
        ("It is green.", 0),
    ],
)
def test_a_relation_goes_one_way(text: str, expected: int):
    assert relation(text) == expected


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("It is significant at the 95 % confidence level.", [(0.05, True)]),
        ("It is significant at the 5 % level.", [(0.05, True)]),
        ("It is significant at the 0.01 level.", [(0.01, True)]),
        ("It is significant at the 0.5 level.", [(0.5, True)]),
        ("It is not significant at the 1 % level.", [(0.01, False)]),
        ("It is significant at the 90 per cent level, not at the 99 % level.", [(0.1, True), (0.01, False)]),
        ("It is significant at the 7 level.", []),
        ("It is significant at the 100 % level.", []),
        ("It is significant.", []),
    ],
)
def test_a_level_of_significance_is_told_as_such_or_as_confidence(
    text: str, levels: list[tuple[float, bool]]
):
    assert levels_of_significance(text) == levels


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There is a strong correlation.", 1),
        ("There is a weak correlation.", -1),
        ("There is no strong correlation.", 0),
        ("There is a correlation.", 0),
    ],
)
def test_a_relation_is_strong_or_weak(text: str, expected: int):
    assert strength(text) == expected
