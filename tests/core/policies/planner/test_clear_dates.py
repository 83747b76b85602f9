"""What is said of dates without clouds, one or several."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask
from tests.rasters import write_raster

DATES = ("2021-06-03", "2021-07-12", "2021-08-20")
QUESTION = "What is the mean NDVI on cloud-free dates?"


@pytest.mark.parametrize(
    ("clouds", "told"),
    [
        ((0,), "The one date is without any cloud."),
        ((0, 1), "1 of 2 dates is without any cloud."),
        ((0, 0), "2 of 2 dates are without any cloud."),
        ((0, 0, None), "One date has no cloud mask and was left out."),
        ((0, None, None), "2 dates have no cloud mask and were left out."),
        ((1,), "No date of NDVI is without clouds."),
        ((1, 1), "None of the 2 dates of NDVI is without clouds."),
    ],
)
def test_dates_without_clouds_are_counted_in_words(
    ask: Ask, tmp_path: Path, clouds: tuple[int | None, ...], told: str
) -> None:
    for date, cloud in zip(DATES, clouds, strict=False):
        write_raster(tmp_path / f"Field_NDVI_{date}.tif", np.full((20, 20), 0.5, "float32"))
        if cloud is not None:
            mask = np.zeros((20, 20), "uint8")
            mask[:4] = cloud
            write_raster(tmp_path / f"Field_cloud_mask_{date}.tif", mask)
    answer = ask(QUESTION, tmp_path).answer
    assert answer is not None and told in answer.text


@pytest.mark.parametrize("question", ["Was it cloudier in June than in July?", "range of cloud cover"])
def test_shares_of_clouds_lie_percentage_points_apart(ask: Ask, tmp_path: Path, question: str) -> None:
    for date, rows in zip(DATES, (10, 5, 5), strict=True):
        mask = np.zeros((20, 20), "uint8")
        mask[:rows] = 1
        write_raster(tmp_path / f"Field_cloud_mask_{date}.tif", mask)
    answer = ask(question, tmp_path).answer
    assert answer is not None and "is 25 percentage points" in answer.text
    assert (answer.value, answer.unit, answer.unverified) == (25.0, "percentage points", "")


def test_a_day_of_the_year_follows_from_the_date_that_was_found(ask: Ask, tmp_path: Path) -> None:
    for date, ndvi in zip(DATES, (0.5, 0.7, 0.6), strict=True):
        write_raster(tmp_path / f"Field_NDVI_{date}.tif", np.full((20, 20), ndvi, "float32"))
    answer = ask("On which day of the year was mean NDVI highest?", tmp_path).answer
    assert answer is not None and answer.text.startswith("2021-07-12 is day 193 of the year.")
    assert (answer.value, answer.unverified) == (193.0, "")
