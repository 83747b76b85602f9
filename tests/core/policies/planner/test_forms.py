"""Dates chosen by another variable, ratios, averages of the shares that exceed, directions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import Array
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import lst, ndvi


def dates(demo: Path) -> list[str]:
    return sorted(path.stem.removeprefix("Demo_LST_") for path in demo.glob("Demo_LST_*.tif"))


def mean(values: Array) -> float:
    return float(np.nanmean(values))


def hottest(demo: Path, year: str = "") -> str:
    return max((d for d in dates(demo) if d.startswith(year)), key=lambda d: mean(lst(demo, d)))


def greenest(demo: Path) -> str:
    return max(dates(demo), key=lambda d: mean(ndvi(demo, d)))


@pytest.mark.parametrize(
    "question", ["What is the NDVI on the date with the highest LST?", "mean NDVI when LST was highest"]
)
def test_a_variable_on_the_date_that_another_chooses(ask: Ask, demo: Path, question: str) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(mean(ndvi(demo, hottest(demo))), abs=1e-4)
    assert hottest(demo) in answer.text and "LST is highest" in answer.text


def test_the_date_is_chosen_within_the_period(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("share of the area with NDVI above 0.7 on the hottest day of 2021", demo))
    expected = 100 * np.nanmean(ndvi(demo, hottest(demo, "2021")) > 0.7)
    assert answer.value == pytest.approx(float(expected), abs=1e-3)


def test_a_superlative_names_the_variable(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("On the greenest date, what was the mean LST?", demo))
    assert answer.value == pytest.approx(mean(lst(demo, greenest(demo))), abs=1e-3)


def test_a_plain_question_for_a_date_is_not_split(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("Which date has the highest LST?", demo))
    assert answer.value == pytest.approx(mean(lst(demo, hottest(demo))), abs=1e-3)
