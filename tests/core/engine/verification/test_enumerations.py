"""How many dates, classes and zones there are said to be in all, in a list or left over."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series

DAYS = ("03-02", "05-11", "06-30", "08-19", "10-08")
GREEN = (
    "calc_batch_image_mean",
    series([0.22, 0.57, 0.71, 0.64, 0.38], [f"Kolpa_2020-{day}_NDVI.tif" for day in DAYS], "1"),
)
HIGH = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"zone": 1, "name": "Vinica", "mean": 211.0},
            {"zone": 2, "name": "Predgrad", "mean": 402.0},
            {"zone": 3, "name": "Osilnica", "mean": 548.0},
            {"zone": 4, "name": "Metlika", "mean": 239.0},
        ],
        "m",
        input_path="Kolpa_DEM.tif",
    ),
)
WET = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 24.1, "%", image_path="Kolpa_2020-06-30_NDWI.tif", threshold=0.3),
)


@pytest.mark.parametrize(
    ("found", "text", "right"),
    [
        (GREEN, "Three of the five dates exceed 0.5.", True),
        (GREEN, "Three of the six dates exceed 0.5.", False),
        (GREEN, "All five dates lie above 0.2.", True),
        (GREEN, "All four dates lie above 0.2.", False),
        (GREEN, "Three exceed 0.5: 11 May, 30 June and 19 August 2020.", True),
        (GREEN, "Four exceed 0.5: 11 May, 30 June and 19 August 2020.", False),
        (GREEN, "3 of the 5 dates (about three fifths) exceed 0.5.", True),
        (GREEN, "3 of the 5 dates (about two fifths) exceed 0.5.", False),
        (HIGH, "The four regions lie at 350 m on average.", True),
        (HIGH, "The three regions lie at 350 m on average.", False),
        (
            HIGH,
            "Osilnica lies at 548 m, Metlika at 239 m and Vinica at 211 m. The two regions lie 28 m apart.",
            True,
        ),
        (HIGH, "Vinica and Metlika lie below 300 m; the other two lie above 400 m.", True),
        (HIGH, "Vinica and Metlika lie below 300 m; the other three lie above 400 m.", False),
        (HIGH, "Osilnica (548 m) and Predgrad (402 m) are the two highest regions.", True),
        (WET, "About a quarter of the area (24.1 %) was wet.", True),
        (WET, "About a third of the area (24.1 %) was wet.", False),
        (WET, "About half of the area (24.1 %) was wet.", False),
        (WET, "One pixel in a hundred was wet.", False),
        (WET, "One pixel in four was wet.", True),
        (WET, "24.1 % of the area, that is roughly one fourth, was wet.", True),
        (WET, "24.1 % of the area, that is roughly two fifths, was wet.", False),
        (WET, "Less than a third of the area (24.1 %) was wet.", True),
        (WET, "Nearly a third of the area (24.1 %) was wet.", False),
    ],
)
def test_so_many_are_there_are_listed_and_are_left(found: Any, text: str, right: bool):
    assert (Told("What is it like along the Kolpa?", text, (found,)).why() == "") is right
