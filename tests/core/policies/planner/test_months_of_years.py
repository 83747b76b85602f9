"""Months without a year, where there are several: compared as months, or asked back for a map of change."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rasters import write_raster

NDVI = {
    "2021-05-16": 0.2, "2021-06-19": 0.5, "2021-08-24": 0.4,
    "2022-05-12": 0.4, "2022-06-15": 0.7, "2022-08-20": 0.8,
}  # fmt: skip


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
