"""Answers to another question than was asked: of the other end, of another statistic, not how many."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import MEANS, Told, result, series
from treeline.core.engine.verification.degree_words import ends_of_scales

ROWS = [
    {"zone": 1, "name": "Alder", "mean": 4.1},
    {"zone": 2, "name": "Birch", "mean": 11.8},
    {"zone": 3, "name": "Cedar", "mean": 21.7},
]
SLOPES = ("zonal_statistics", result("zonal_statistics", ROWS, "degree", input_path="slope.tif"))
FILES = [f"Vale_{day}_LST.tif" for day in ("2021-05-03", "2021-06-10", "2021-07-12")]
WARMTH = (MEANS, series([290.2, 296.4, 301.7], FILES, "K"))
PATCHES = (
    "patches",
    result("patches", {"patches": 14, "mean_patch_ha": 2.41, "largest_patch_ha": 9.73}),
)


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("Which zone has the gentlest slopes?", "Alder has the gentlest slopes, 4.1 degrees.", True),
        ("Which zone has the gentlest slopes?", "Alder, at 4.1 degrees; Cedar is the steepest.", True),
        ("Which zone has the gentlest slopes?", "Alder has the lowest mean slope.", True),
        ("Which zone has the gentlest slopes?", "Cedar has the steepest slopes, 21.7 degrees.", False),
        ("Which zone is the least steep?", "Cedar is the steepest, at 21.7 degrees.", False),
        ("Which zone is flattest?", "The largest mean slope, 21.7 degrees, is that of Cedar.", False),
        ("Which zone is the steepest?", "Alder has the gentlest slopes, 4.1 degrees.", False),
        (
            "Which zones are the steepest and the gentlest?",
            "Cedar is the steepest, Alder the gentlest.",
            True,
        ),
    ],
)
def test_the_end_that_is_asked_for_is_told(question: str, text: str, right: bool):
    why = Told(question, text, (SLOPES,)).why()
    assert (why == "") is right, why


def test_of_other_dates_the_hottest_is_no_answer_to_which_is_coolest():
    asked = "On which day was it coolest?"
    assert "asks for the smallest" in Told(asked, "12 July 2021 was the hottest, 301.7 K.", (WARMTH,)).why()
    assert not Told(asked, "3 May 2021 was the coolest, 290.2 K.", (WARMTH,)).why()


def of_statistic(statistic: str, number: float) -> tuple[str, object]:
    return f"calc_batch_image_{statistic}", series([number], FILES[2:], "K")


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("How much did it scatter about its mean on 12 July 2021?", "By 4.31 K (standard deviation).", True),
        ("How much did it scatter about its mean on 12 July 2021?", "The mean was 301.7 K.", False),
        ("How much does LST vary within the scene of 12 July 2021?", "LST has a mean of 301.7 K.", False),
        ("How much does LST vary within the scene of 12 July 2021?", "It comes to 301.7 K.", False),
        ("What is the standard deviation on 12 July 2021?", "It is 301.7 K.", False),
        ("What is the standard deviation on 12 July 2021?", "It is 4.31 K.", True),
        ("What is the mean on 12 July 2021?", "It is 301.7 K.", True),
        ("What is the mean on 12 July 2021?", "It is 4.31 K.", False),
    ],
)
def test_the_statistic_that_is_asked_for_is_told(question: str, text: str, right: bool):
    steps = (of_statistic("mean", 301.7), of_statistic("std", 4.31))
    why = Told(question, text, steps).why()
    assert (why == "") is right, why


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("How many patches are there?", "There are 14 patches.", True),
        ("How many patches are there?", "14, of 2.41 ha on average.", True),
        ("How many patches are there?", "They have 2.41 ha on average, the largest 9.73 ha.", False),
        ("How many hectares has the largest patch?", "It has 9.73 ha.", True),
    ],
)
def test_how_many_there_are_is_no_size(question: str, text: str, right: bool):
    why = Told(question, text, (PATCHES,)).why()
    assert ("is no count" not in why) is right, why


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("the steepest and the gentlest", {("flatt", 1), ("flatt", -1)}),
        ("the least green", {("brown", -1)}),
        ("the most dense, the least dry", {("spars", 1), ("dri", 1)}),
        ("the largest, the lowest", {("low", 1), ("low", -1)}),
        ("the coldest, most of it", {("cool", -1)}),
    ],
)
def test_a_superlative_is_one_end_of_its_scale(text: str, ends: set[tuple[str, int]]):
    assert ends_of_scales(text) == ends


LAKES = (
    "zonal_change",
    result(
        "zonal_change",
        [
            {"name": "Bled", "change": -3.5},
            {"name": "Bohinj", "change": -1.5},
            {"name": "Krn", "change": -0.2},
        ],
        "1",
    ),
)


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        (
            "Which lake had the smallest loss?",
            "Krn had the smallest loss: -0.2 is the highest change.",
            LAKES,
        ),
        ("Which lake lost least?", "Krn, at -0.2; Bled lost most, -3.5.", LAKES),
        ("How much does LST vary across the dates?", "It ranges from 290.2 to 301.7 K.", WARMTH),
        ("Within which range does LST vary?", "Between 290.2 and 301.7 K.", WARMTH),
        ("What is the maximum of LST?", "It is 301.7 K, reached on 12 July 2021.", WARMTH),
        ("How many days are warmer than 295 K?", "Two: 10 June and 12 July 2021.", WARMTH),
        ("Which day was coolest?", "3 May 2021 (290.2 K). The hottest was 12 July 2021 (301.7 K).", WARMTH),
    ],
)
def test_what_is_asked_for_may_be_told_in_other_words(question: str, text: str, found: tuple[str, object]):
    why = Told(question, text, (found,)).why()
    assert why == "", why
