"""Which changes are positive and negative, and in how many classes something rose."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_verification import call, why
from treeline.core.engine.actions import Answer

CHANGES = call(
    1,
    [
        {"zone": 1, "name": "Alder", "change": -0.12},
        {"zone": 2, "name": "Birch", "change": -0.04},
        {"zone": 3, "name": "Cedar", "change": 0.07},
    ],
    unit="1",
)
LOSSES = call(1, [{"forest": -0.31, "meadow": -0.08, "water": -0.02}], unit="1")
FILES = [f"Vale_{day}_NDVI.tif" for day in ("2021-07-12", "2022-07-10")]
TWO_DATES = call(
    1,
    [{"forest": 0.71, "meadow": 0.62, "bare": 0.21}, {"forest": 0.66, "meadow": 0.51, "bare": 0.24}],
    arguments={"file_list": FILES, "classes_path": "Vale_LULC.tif"},
    unit="1",
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Two of the three zones have a negative change.", True),
        ("The change is negative in two zones.", True),
        ("Only one zone has a positive change.", True),
        ("Alder's change is negative (-0.12).", True),
        ("Cedar has a positive balance, 0.07.", True),
        ("Cedar is the only zone with a positive change.", True),
        ("All zones but Cedar have a negative change.", True),
        ("Alder is the only zone with a negative change.", False),
        ("All zones but Birch have a negative change.", False),
        ("All three changes are negative.", False),
        ("Each zone has a positive change.", False),
        ("None of the changes is positive.", False),
        ("Alder's change is positive (-0.12).", False),
        ("Cedar has a negative balance, 0.07.", False),
    ],
)
def test_a_sign_is_that_of_so_many(text: str, right: bool):
    found = why(Answer(text), CHANGES, question="How did NDVI change in the zones?")
    assert (not found) is right, found


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Every class has a negative anomaly, from -0.02 down to -0.31.", True),
        ("Anomalies are negative throughout.", True),
        ("No class has a positive anomaly.", True),
        ("Every class has a positive anomaly, from -0.02 down to -0.31.", False),
        ("Anomalies are positive throughout.", False),
        ("No class has a negative anomaly.", False),
    ],
)
def test_a_sign_is_that_of_all(text: str, right: bool):
    found = why(Answer(text), LOSSES, question="What are the anomalies of the classes?")
    assert (not found) is right, found


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("NDVI fell in two of the three covers.", True),
        ("NDVI fell in every one of the covers but bare.", True),
        ("NDVI fell in every one of the three covers.", False),
        ("Each and every cover lost NDVI.", False),
        ("It rose in each of the covers.", False),
        ("NDVI decreased in all three sites.", False),
    ],
)
def test_so_many_covers_go_one_way(text: str, right: bool):
    found = why(Answer(text), TWO_DATES, question="Did NDVI fall from July 2021 to July 2022 in each cover?")
    assert (not found) is right, found


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Forest is greener on both days.", True),
        ("Forest is higher both times.", True),
        ("Forest is browner on both days.", False),
        ("Meadow is greener on both days.", False),
    ],
)
def test_of_two_classes_one_is_more_on_both_of_two_days(text: str, right: bool):
    asked = "Compare the NDVI of forest and meadow in July 2021 and July 2022."
    found = why(Answer(text), TWO_DATES, question=asked)
    assert (not found) is right, found
