"""What words of degree, rank and order say."""

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
from treeline.core.engine.verification.question_words import polarity


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
        (strongest_loss, "Which suffered most?", 1),
        (strongest_loss, "Which held up best?", -1),
        (strongest_loss, "Forest fared worst, from 0.7 to 0.4.", 1),
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
