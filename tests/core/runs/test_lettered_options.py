from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.runs.lettered_options import split_options


@pytest.mark.parametrize(
    ("text", "question", "options"),
    [
        (
            "Which is larger? A) forest B) grassland",
            "Which is larger?",
            ("forest", "grassland"),
        ),
        ("Mean slope?\nA. 0.31\nB. 0.42\nC. 0.73", "Mean slope?", ("0.31", "0.42", "0.73")),
        ("Did it rise? (a) yes, (b) no, (c) cannot be told", "Did it rise?", ("yes", "no", "cannot be told")),
        ("Mean slope? Options: A: 9.1 B: 12", "Mean slope?", ("9.1", "12")),
        ("How many clear dates? (1) 12 (2) 29", "How many clear dates?", ("12", "29")),
        ("Mean slope? 1) 9.1 2) 12 3) 15", "Mean slope?", ("9.1", "12", "15")),
        ("Which month? A) May 2016; B) June 2016", "Which month?", ("May 2016", "June 2016")),
    ],
)
def test_options_are_taken_apart(text: str, question: str, options: tuple[str, ...]):
    assert split_options(text) == (question, options)


@pytest.mark.parametrize(
    "text",
    [
        "mean NDVI of plot A and plot B",
        "Is A. larger than b. on 2016-08-14?",
        "Which is larger? A) forest",
        "Which is larger? B) forest C) grassland",
        "Which is larger? A) B) grassland",
        "A) forest B) grassland",
        "Tell me: 1) the mean NDVI 2) the area of the forest",
        "Which is larger? 1. forest 2. grassland",
        "Mean slope? 2) 9.1 3) 12",
        "mean B8A reflectance (a) on 2016-08-14",
    ],
)
def test_a_question_without_options_stays(text: str):
    assert split_options(text) == (text, ())


_WORDS = st.lists(st.sampled_from(["forest", "0.31", "May", "no change", "5 ha"]), min_size=2, max_size=8)


@given(
    _WORDS, st.sampled_from(["{}) ", "({}) ", "{}. ", "{}: "]), st.booleans(), st.sampled_from([" ", "\n"])
)
def test_whatever_marks_them_they_are_found(options: list[str], mark: str, small: bool, between: str):
    letters = "abcdefgh" if small else "ABCDEFGH"
    told = between.join(mark.format(letter) + one for letter, one in zip(letters, options, strict=False))
    assert split_options(f"Which one?{between}{told}") == ("Which one?", tuple(options))
