"""Months without a year, where there are several: compared as months, or asked back for a map of change."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster
from treeline.core.policies.planner.times import group, partly_covered
from treeline.core.policies.planner.values import Mark

NDVI = {
    "2021-05-16": 0.2,
    "2021-06-19": 0.5,
    "2021-08-24": 0.4,
    "2022-05-12": 0.4,
    "2022-06-15": 0.7,
    "2022-08-20": 0.8,
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """NDVI of two summers."""
    folder = tmp_path_factory.mktemp("two-summers")
    for date, value in NDVI.items():
        write_raster(
            folder / f"Lake_NDVI_{date}.tif", np.full((40, 40), value, "float32"), descriptions=["ndvi"]
        )
    return folder


def change(first, last):
    def mean(month):
        return np.mean([value for date, value in NDVI.items() if date[5:7] == month])

    return mean(last) - mean(first)


@pytest.mark.parametrize(
    "question",
    [
        "By how much did NDVI change from May to August?",
        "What is the difference in mean NDVI between May and August?",
    ],
)
def test_a_change_between_months_is_one_of_their_means(ask, lake, question):
    assert ask(question, lake).answer.value == pytest.approx(change("05", "08"), abs=1e-6)


def test_a_mean_over_months_is_of_all_their_dates(ask, lake):
    answer = ask("What is the mean NDVI from May to August?", lake).answer
    assert answer.value == pytest.approx(np.mean(list(NDVI.values())), abs=1e-6)


def test_a_part_of_a_month_without_a_year_is_that_of_every_year(ask, lake):
    answer = ask("What is the mean NDVI in mid-June?", lake).answer
    assert answer.value == pytest.approx((0.5 + 0.7) / 2, abs=1e-6)


def test_all_that_is_asked_by_year_is_told_by_year(ask, lake):
    answer = ask("mean NDVI and number of images per year", lake).answer
    for year in ("2021", "2022"):
        values = [value for date, value in NDVI.items() if date.startswith(year)]
        assert f"{year} {np.mean(values):.4f}" in answer.text
        assert f"{year} {len(values)}" in answer.text


def test_a_rise_between_months_is_a_yes(ask, lake):
    answer = ask("Did NDVI increase from May to August?", lake).answer
    assert answer.text.startswith("Yes") and answer.value == pytest.approx(change("05", "08"), abs=1e-6)


def test_pixels_are_compared_by_the_means_of_their_months(ask, lake):
    question = "How much of the area lost more than 0.1 NDVI between May and August{}?"
    assert ask(question.format(""), lake).answer.value == pytest.approx(0.0)
    assert "mean over the dates of NDVI in August" in ask(question.format(""), lake).answer.text
    assert ask(question.format(" 2022"), lake).answer.value == pytest.approx(0.0)


def test_a_month_that_nothing_names_is_declined(ask, lake):
    assert ask("What is the mean NDVI of this month?", lake).answer.declined
    assert ask("What is the mean NDVI in June 2022?", lake).answer.value == pytest.approx(NDVI["2022-06-15"])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the mean NDVI in July?", 0.4),
        ("By how much did the mean NDVI change from June to August?", 0.4),
        ("What is the mean NDVI?", None),
        ("Which month has the highest mean NDVI?", None),
    ],
)
def test_months_of_no_year_are_named_and_are_no_dates(
    tmp_path: Path, question: str, expected: float | None
) -> None:
    for month, value in (("june", 0.2), ("july", 0.4), ("august", 0.6)):
        write_raster(tmp_path / f"field3_ndvi_{month}.tif", np.full((8, 8), value, "float32"))
    finished = ask_folder(question, tmp_path, tmp_path / "home")
    assert finished.answer.value == (None if expected is None else pytest.approx(expected))
    assert ("of no year" in finished.answer.text) == (expected is None)


@pytest.mark.parametrize(
    ("question", "of_dates"),
    [
        ("How did the mean NDVI change over time?", True),
        ("What is the trend of NDVI?", True),
        ("Mean NDVI in July 2021?", True),
        ("Was NDVI higher in 2020 than in 2021?", True),
        ("What is the mean trolls of NDVI?", False),
        ("What is the mean LST?", False),
    ],
)
def test_a_question_of_dates_where_none_is_known_says_so(
    tmp_path: Path, question: str, of_dates: bool
) -> None:
    for name in ("a", "b"):
        write_raster(tmp_path / f"ndvi_{name}.tif", np.full((8, 8), 0.4, "float32"))
    answer = ask_folder(question, tmp_path, tmp_path / "home").answer
    assert answer.declined
    assert ("nothing tells that of ndvi_a.tif and ndvi_b.tif" in answer.text) == of_dates


def test_after_a_fire_is_later_than_before_it(tmp_path: Path) -> None:
    for when, value in (("prefire", 0.6), ("postfire", 0.1)):
        write_raster(tmp_path / f"NBR_{when}.tif", np.full((8, 8), value, "float32"))
    question = "By how much did the mean NBR change from prefire to postfire?"
    assert ask_folder(question, tmp_path, tmp_path / "home").answer.value == pytest.approx(-0.5)


def test_a_year_of_which_there_is_a_part_is_named(ask, lake):
    text = ask("Mean NDVI by year", lake).answer.text
    assert "There are images of 2021 from 2021-05-16 on and of 2022 until 2022-08-20." in text


def test_of_a_season_the_months_that_were_asked_for_count(ask, lake):
    answer = ask("Which summer was greenest?", lake).answer
    assert answer.value == pytest.approx(np.mean([0.7, 0.8]), abs=1e-6)
    assert "There are images" not in answer.text, "June and August of both, as far as they were asked for"


@pytest.mark.parametrize(
    ("dates", "period", "months", "told"),
    [
        (("2015-12-08", "2016-02-03", "2016-12-12"), "season", (), "of winter 2017 until 2016-12-12"),
        (("2015-12-08", "2016-02-03"), "season", (), ""),
        (("2016-01-10", "2017-12-22"), "year", (), ""),
        (("2016-07-11", "2017-07-05"), "year", (7,), ""),
        (("2016-05-02", "2017-03-30"), "quarter", (), "of 2016 Q2 from 2016-05-02 on"),
        (("2016-05-02", "2017-03-30"), "month", (), ""),
    ],
)
def test_periods_that_images_cover_in_part(dates, period, months, told):
    marks = [Mark(date, dt.datetime.fromisoformat(date)) for date in dates]
    said = partly_covered(group(marks, period), marks, period, months)
    assert said == (f"There are images {told}." if told else "")


@pytest.mark.parametrize(
    ("day", "dates"),
    [("2021-06-01", ["2021-05-16"]), ("2022-06-15", ["2022-06-15"]), ("2030-01-01", ["2022-08-20"])],
)
def test_the_image_nearest_to_a_day(ask, lake, day, dates):
    answer = ask(f"Which image was taken closest to {day}?", lake).answer
    assert [date for date in NDVI if date in answer.text.partition(" is the date")[0]] == dates
    assert ("days from" in answer.text) == (day not in NDVI)
