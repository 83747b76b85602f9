"""Answers on zones by number, on dates in groups, on means of dates and on units that are handed on."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import Observation, ProductRecord

DAYS = ["2019-05-03", "2019-06-07", "2019-06-21", "2020-05-09", "2020-06-11"]
FILES = [f"Drava_{day}_NDVI.tif" for day in DAYS]
VALUES = [0.4127, 0.6238, 0.6714, 0.4492, 0.7015]
NDVI = ("calc_batch_image_mean", series(VALUES, FILES, "1"))
GAPS = (
    "calc_batch_image_mean",
    Observation("result", "", value=[0.4127, None], arguments={"file_list": FILES[:2]}),
)
MONTHS = (
    "summarize_values",
    result(
        "summarize_values", [0.43095, 0.66556], values=[[VALUES[0], VALUES[3]], [*VALUES[1:3], VALUES[4]]]
    ),
)
ZONES = (
    "number_features",
    Observation(
        "result",
        "",
        value=["Result saved at zones.tif", "meadow", "schrubland"],
        products=(ProductRecord("zones.tif", "/made/zones.tif", "classes", "class"),),
        arguments={},
    ),
)
BY_ZONE = (
    "statistics_by_class",
    result("statistics_by_class", [{"1": 0.3127, "2": 0.7281}], "1", classes_path="/made/zones.tif"),
)
DROP = ("difference", result("difference", 0.6041, a=0.7321, b=0.1280))
ENDS = ("calc_batch_image_mean", result("calc_batch_image_mean", [0.7321, 0.1280], "1"))
HEIGHT = ("calc_batch_image_mean", result("calc_batch_image_mean", [711.58], "m"))
TOP = ("calc_batch_image_max", result("calc_batch_image_max", [801.0], "m"))
TREND = ("mann_kendall_test", result("mann_kendall_test", {"trend": "no trend", "p": 0.7791, "tau": -0.02}))

HONEST = {
    "spelt otherwise": Told(
        "Which is greener?", "Shrubland (0.728) is greener than meadow (0.313).", (ZONES, BY_ZONE)
    ),
    "a calendar month": Told("Which month is greenest?", "June, with 0.666 on average.", (NDVI, MONTHS)),
    "mean of the dates": Told("How green is it?", "NDVI averages 0.57 over the five dates.", (NDVI,)),
    "probability": Told("Is there a trend?", "No, there is no significant trend (p = 0.78).", (TREND,)),
}
CHEATS = {
    "zones exchanged": Told("Compare.", "Meadow 0.728, schrubland 0.313.", (ZONES, BY_ZONE)),
    "another calendar month": Told(
        "Which month is greenest?", "May has the highest mean (0.666).", (NDVI, MONTHS)
    ),
    "one date as the mean": Told("How green is it?", "NDVI averages 0.67 over the dates.", (NDVI,)),
    "no gaps": Told("Is it complete?", "All dates have valid pixels.", (GAPS,)),
    "a mean as an end": Told("How high is it?", "Elevation ranges from 712 m to 801 m.", (HEIGHT, TOP)),
    "a difference as a share": Told("How did it change?", "NDVI fell by 60 %.", (ENDS, DROP)),
    "a probability as a share": Told(
        "Is there a trend?", "With a probability of 78 %, NDVI did not change.", (TREND,)
    ),
    "a hundredfold": Told("How green is it on 2019-06-21?", "It is 67.14 on 2019-06-21.", (NDVI,), 67.14),
}


@pytest.mark.parametrize("told", HONEST.values(), ids=HONEST)
def test_an_honest_answer_is_answered(told: Told):
    assert told.why() == ""


@pytest.mark.parametrize("told", CHEATS.values(), ids=CHEATS)
def test_a_cheat_is_unverified(told: Told):
    assert told.why()


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("What was the mean NDVI in 2020?", "0.475", True),
        ("What was the mean NDVI in 2020?", "It was 0.612, of two images.", False),
        ("What was the mean NDVI over all dates?", "It is 0.612.", False),
        ("What was the mean NDVI over all dates?", "It is 0.512.", True),
        ("What was the mean NDVI on each date of 2020?", "On 2020-07-04 it was 0.612.", True),
        ("What was the mean NDVI on 2020-07-04?", "It was 0.612.", True),
    ],
)
def test_a_mean_of_a_time_is_not_the_number_of_one_of_its_dates(question: str, text: str, right: bool):
    files = [f"Krka_{day}_NDVI.tif" for day in ("2020-04-01", "2020-07-04", "2021-07-01")]
    found = ("calc_batch_image_mean", series([0.338, 0.612, 0.586], files, "1"))
    assert (Told(question, text, (found,)).why() == "") == right
