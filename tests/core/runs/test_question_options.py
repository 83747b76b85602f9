from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.runs.question_options import list_options, split_options, with_options
from treeline.core.runs.result import name_choice


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
        ("Was mean NDVI (a) below 0.5 (b) 0.5 or more?", "mean NDVI", ("below 0.5", "0.5 or more")),
        ("Mean NDVI lies in: A) 0-0.5 B) 0.5-1", "Mean NDVI", ("0-0.5", "0.5-1")),
        (
            "Is mean NDVI a) below 0.5 b) 0.5 to 0.7 or c) above 0.7?",
            "mean NDVI",
            ("below 0.5", "0.5 to 0.7", "above 0.7"),
        ),
        ("How many dates are there: 4, 6 or 8?", "How many dates are there", ("4", "6", "8")),
        ("Is mean NDVI closest to 0.5 or 0.6?", "mean NDVI", ("0.5", "0.6")),
        ("Mean NDVI was closest to: A) 0.5 B) 0.6", "Mean NDVI", ("0.5", "0.6")),
        ("Is mean NDVI closest to A) 0.5 B) 0.6 or C) 0.7?", "mean NDVI", ("0.5", "0.6", "0.7")),
        (
            "Was mean NDVI below 0.5, between 0.5 and 0.7 or above 0.7?",
            "mean NDVI",
            ("below 0.5", "between 0.5 and 0.7", "above 0.7"),
        ),
        ("Which year was greenest: 2015, 2016 or 2017?", "Which year was greenest", ("2015", "2016", "2017")),
        (
            "Which date was greenest: 2016-05-26 or 2016-08-14?",
            "Which date was greenest",
            ("2016-05-26", "2016-08-14"),
        ),
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
        "Is mean NDVI below 0.5 or above 0.7?",
        "mean NDVI on these dates: 2016-05-26, 2016-08-14 and 2017-07-05",
        "mean NDVI of slopes of 5, 10 or 15 degrees",
        # What would be left of these waits for a time or a limit, and would be read as that of all dates.
        "What is the mean NDVI in: A) 2016 B) 2017",
        "What is the mean NDVI in: 2016 or 2017?",
        "What was the mean NDVI on: 2016-08-14 or 2017-08-29?",
        "How many images are there in: A) 2016 B) 2017?",
        "How many dates lie between: 2016-05-26 or 2016-08-14?",
        "How many images are there: 60, 68 or 2015?",
        "The highest mean NDVI was in: A) 2016 B) 2017",
        "Was mean NDVI (a) higher in 2016 (b) higher in 2017",
        "Which dates have a mean NDVI above: 0.5 or 0.7?",
    ],
)
def test_a_question_without_options_stays(text: str):
    assert split_options(text) == (text, ())


_WORDS = st.lists(st.sampled_from(["forest", "0.31", "May", "no change", "5 ha"]), min_size=2, max_size=8)


@pytest.mark.parametrize(
    ("letter", "options", "told"),
    [
        ("B", ["0.5", "0.6"], "B (0.6)"),
        ("B", ["A) 0.5", "B) 0.6"], "B) 0.6"),
        ("C", ["0.5"], "C"),
        (None, ["0.5", "0.6"], ""),
    ],
)
def test_a_choice_is_told_with_its_text(letter: str | None, options: list[str], told: str):
    assert name_choice(letter, options) == told


@given(
    _WORDS, st.sampled_from(["{}) ", "({}) ", "{}. ", "{}: "]), st.booleans(), st.sampled_from([" ", "\n"])
)
def test_whatever_marks_them_they_are_found(options: list[str], mark: str, small: bool, between: str):
    letters = "abcdefgh" if small else "ABCDEFGH"
    told = between.join(mark.format(letter) + one for letter, one in zip(letters, options, strict=False))
    assert split_options(f"Which one?{between}{told}") == ("Which one?", tuple(options))


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("How many images are there: 3, 30 or 300?", ("3", "30", "300")),
        ("Is the mean NDVI closest to 0.5, 0.6 or 0.7?", ("0.5", "0.6", "0.7")),
        ("Which is larger? A) forest B) grassland", ("forest", "grassland")),
        ("The mean lies in: A) 0.5-0.6 B) 0.6-0.7", ("0.5-0.6", "0.6-0.7")),
    ],
)
def test_a_question_is_put_together_with_its_options_as_it_can_be_asked_again(question, options):
    bare, found = split_options(question)
    whole = with_options(bare, found)
    assert found == options and whole == f"{bare.rstrip('?')}? {list_options(options)}"
    assert split_options(whole)[1] == options


def test_options_that_have_their_letters_get_no_others():
    assert with_options("What is the mean?", ("A. 0.31", "B. 0.42")) == "What is the mean? A) 0.31 B) 0.42"


@pytest.mark.parametrize("options", [(), ("one",), tuple("abcdefghij")])
def test_what_would_not_be_found_again_is_left_out_of_a_question(options):
    assert with_options("Which is it?", options) == "Which is it?"
