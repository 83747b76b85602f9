"""Trends of classes and regions: each by itself, the strongest, and which of them chance explains."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.rasters import write_raster

YEARS = range(2015, 2021)
# NDVI of each class in the summer of each year: it rises, falls, and goes up and down.
COURSES = {1: [0.30, 0.36, 0.41, 0.47, 0.52, 0.58], 2: [0.7, 0.66, 0.63, 0.58, 0.55, 0.5], 3: [0.4, 0.5] * 3}


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trends")
    cover = np.repeat(np.array([1, 2, 3], "uint8"), 10)[:, None] * np.ones((1, 30), "uint8")
    write_raster(folder / "LULC.tif", cover)
    for number, year in enumerate(YEARS):
        ndvi = np.select([cover == value for value in COURSES], [row[number] for row in COURSES.values()])
        write_raster(folder / f"NDVI_{year}-07-01.tif", ndvi.astype("float32"))
    return folder


def slope(value: int) -> float:
    days = [dt.date(year, 7, 1).toordinal() / 365.25 for year in YEARS]
    return float(np.polyfit(days, COURSES[value], 1)[0])


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which class has the strongest upward NDVI trend?", 1),
        ("Which class has the lowest trend in mean NDVI?", 2),
        ("Which class has the steepest downward NDVI trend?", 2),
    ],
)
def test_the_class_with_the_strongest_trend(ask: Ask, classes: Path, question: str, value: int) -> None:
    answer = answer_of(ask(question, classes))
    assert f"Class {value} has the" in answer.text
    assert "Not significant at 5 %: class 3" in answer.text


def test_the_trend_of_each_class(ask: Ask, classes: Path) -> None:
    text = answer_of(ask("NDVI trend of each class", classes)).text
    for value in COURSES:
        assert f"{slope(value):.3g}" in text
    assert "Not significant at 5 %: class 3" in text and "class 1 (p" not in text


def test_whether_the_trend_of_all_of_them_is_significant_is_no_one_answer(ask: Ask, classes: Path) -> None:
    finished = ask("Is the trend of the mean NDVI by class significant?", classes)
    assert finished.status == "declined"
