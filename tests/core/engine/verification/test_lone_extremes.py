"""What an answer says of a number alone: that it is the largest, so much more, as much as others together."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_verification import call, why
from treeline.core.engine.actions import Answer

DATES = {"file_list": [f"Vale_2021-{day}_LST.tif" for day in ("05-03", "06-10", "07-12")]}
WARMTH = call(1, [290.2, 301.7, 296.4], arguments=DATES, unit="K")
COVER = call(
    1,
    [
        {"class": "water", "pixels": 400, "area": 4.0},
        {"class": "forest", "pixels": 1200, "area": 12.0},
        {"class": "cropland", "pixels": 800, "area": 8.0},
    ],
    unit="ha",
)
SERIES = {"file_list": [f"Vale_2021-{day}_NDVI.tif" for day in ("05-03", "06-10", "07-12", "08-20", "09-25")]}
GREEN = call(1, [0.31, 0.46, 0.62, 0.58, 0.40], arguments=SERIES, unit="1")
ON_A_DAY = "What is the mean LST on 2021-07-12?"


@pytest.mark.parametrize(
    "text",
    [
        "It is 296.4 K, the hottest of the three dates.",
        "It is 296.4 K, the hottest.",
        "It is 296.4 K, which is the highest value.",
        "It is 296.4 K and thus the warmest.",
        "It is 296.4 K, the coolest day.",
    ],
)
def test_what_a_number_is_called_is_held_against_what_it_is_of(text: str):
    assert "2021-07-12 is not the" in why(Answer(text), WARMTH, question=ON_A_DAY)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("It is 301.7 K, the hottest of the three dates.", "What is the mean LST on 2021-06-10?"),
        ("It is 290.2 K, the lowest value.", "What is the mean LST on 2021-05-03?"),
    ],
)
def test_what_a_number_is_rightly_called_is_answered(text: str, question: str):
    assert not why(Answer(text), WARMTH, question=question)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Forest covers 12 ha, as much as water and cropland together.", True),
        ("Forest is as large as water and cropland combined.", True),
        ("Cropland is smaller than forest and water together.", True),
        ("Forest is larger than water and cropland together.", False),
        ("Cropland is as large as forest and water combined.", False),
        ("Forest is 8 ha larger than water.", True),
        ("Forest, with 12 ha, is larger than water.", True),
        ("Forest is 4 ha larger than water.", False),
        ("Forest has 4 ha more than water.", False),
    ],
)
def test_what_is_held_against_others(text: str, right: bool):
    assert (not why(Answer(text), COVER, question="How large is the forest?")) is right


GROUPS = call(
    1,
    [
        {"class": 1.0, "pixels": 1000, "area": 10.0, "percent": 10.0},
        {"class": 2.0, "pixels": 2000, "area": 20.0, "percent": 20.0},
        {"class": 3.0, "pixels": 7000, "area": 70.0, "percent": 70.0},
    ],
    unit="ha",
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Cluster 3 is more than double the size of the remaining two combined.", True),
        ("Cluster 3 is more than twice as large as the other two together.", True),
        ("Cluster 3 covers about twice the area of all the others combined.", True),
        ("Cluster 3 has 2.3 times the area of all the others combined.", True),
        ("Cluster 3 has 2.7 times the area of all the others combined.", False),
        ("Cluster 3 is larger than the remaining two combined.", True),
        ("Cluster 3 is more than three times the size of the remaining two combined.", False),
        ("Cluster 3 is less than twice as large as the other two together.", False),
        ("Cluster 2 is more than double the size of the remaining two combined.", False),
        ("Cluster 3 is smaller than the remaining two combined.", False),
    ],
)
def test_what_is_so_many_times_all_others_together(text: str, right: bool):
    found = why(Answer(text), GROUPS, question="How large are the three clusters?")
    assert (not found) is right, found


def test_a_steady_rise_has_no_step_back():
    assert "another way" in why(Answer("There was a steady rise."), GREEN, question="How did NDVI develop?")
