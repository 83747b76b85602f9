"""Numbers on composites of many dates, ranges, and what is better made by calling a tool."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array, read, series
from tests.core.policies.planner.conftest import Ask, answer_of

QUESTIONS: list[tuple[str, Callable[[Array], float]]] = [
    ("mean of the per-pixel median NDVI in 2016", lambda s: np.median(s, axis=0).mean()),
    (
        "mean over all pixels of (median over the dates of (NDVI in 2016))",
        lambda s: np.median(s, axis=0).mean(),
    ),
    ("maximum of the per-pixel median NDVI in 2016", lambda s: np.median(s, axis=0).max()),
    ("What is the mean maximum NDVI per pixel in 2016?", lambda s: s.max(axis=0).mean()),
    ("mean per-pixel maximum of NDVI in 2016", lambda s: s.max(axis=0).mean()),
    ("mean of the per-pixel mean of NDVI in 2016", lambda s: s.mean(axis=0).mean()),
]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[q[0] for q in QUESTIONS])
def test_a_number_on_a_composite(
    ask: Ask, slovenia: Path, question: str, expected: Callable[[Array], float]
) -> None:
    dates = np.stack(list(series(slovenia / "ndvi", "Slovenia_NDVI_", "2016", "2016").values()))
    answer = answer_of(ask(question, slovenia / "ndvi"))
    assert answer.value == pytest.approx(expected(dates), abs=1e-5)
    assert "over the dates of NDVI in 2016" in answer.text


def test_the_range_between_the_highest_and_the_lowest_point(ask: Ask, slovenia: Path) -> None:
    path = slovenia / "Slovenia_DEM.tif"
    answer = answer_of(ask("What is the range of the elevation?", path))
    assert answer.value == np.nanmax(read(path)) - np.nanmin(read(path)) and answer.unit == "m"
    assert "range of" in answer.text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Classify the scene of 2015-08-30 with k-means into 5 classes", "\u201cclassify"),
        ("What is the mean GLCM contrast of NDVI?", "\u201cglcm\u201d"),
    ],
)
def test_what_a_tool_makes_is_not_answered_with_something_else(
    ask: Ask, slovenia: Path, question: str, words: str
) -> None:
    finished = ask(question, slovenia / "ndvi")
    assert finished.status == "declined" and finished.answer is not None
    assert words in finished.answer.text and finished.answer.value is None


@pytest.mark.parametrize(("statistic", "alike"), [("maximum", True), ("minimum", False)])
def test_two_maps_that_hold_the_same_numbers_are_one_answer(
    ask: Ask, slovenia: Path, statistic: str, alike: bool
) -> None:
    # One of the dates is all cloud: its values are the lowest, and none is the highest of its pixel.
    question = f"{statistic} NDVI composite for August 2017"
    answer = answer_of(ask(question, slovenia / "ndvi", slovenia / "cloud_mask"))
    assert ("without them the answer is the same" in answer.text) is alike


def test_two_maps_of_one_ground_that_hold_the_same_numbers_are_one_answer(ask: Ask, demo: Path) -> None:
    # Other dates have clouds; the one that is found has none, with them or without.
    question = "Map the NDVI of forest on the date with the highest mean NDVI of forest in 2022"
    answer = answer_of(ask(question, demo))
    assert answer.map and not answer.readings
    assert "without them the answer is the same" in answer.text
