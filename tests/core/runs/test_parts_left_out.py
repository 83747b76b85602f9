"""Which parts of a question an answer leaves out, by the question's reading."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.engine.verification.test_verification import call
from tests.core.query.workspaces import DEMO
from treeline.core.engine.actions import Answer
from treeline.core.engine.state import State
from treeline.core.query.asked_parts import asked_parts
from treeline.core.query.reading import read, say
from treeline.core.runs.parts_left_out import SaidPart, find_left_out

CLASSES = [
    {"class": 1, "name": "Water", "mean": -0.127},
    {"class": 2, "name": "Cropland", "mean": 0.524},
    {"class": 3, "name": "Grassland", "mean": 0.604},
    {"class": 4, "name": "Built up", "mean": 0.323},
]
DATED = {"file_list": [f"Demo_NDVI_2021-{day}.tif" for day in ("05-16", "06-19", "07-22")]}

STATISTICS = "What is the mean and the highest NDVI on 2021-07-22?"
THREE = "What is the lowest, mean and highest elevation?"
BY_CLASS = "What is the mean NDVI by class on 2021-07-22?"
BY_HOW_MUCH = "Did the mean NDVI rise from May to July 2021, and by how much?"
DAYS = "What is the mean NDVI on 2021-05-16 and on 2021-07-22?"
WHEN = "On which date was the mean NDVI highest, and how high was it?"
AREAS = "What is the area of water and of cropland?"
SHARES = "What share of the area is water, and what share is cropland?"
COUNTS = "How many dates are cloud free, and which?"
BEST = "Which three dates had the highest mean NDVI?"


def left_out(question: str, answer: Answer, *values: Any, arguments: dict | None = None):
    reading = read(question, DEMO)
    assert reading.status == "read", reading
    parts = tuple(SaidPart(part, say(part.expression, DEMO)) for part in asked_parts(reading))
    steps = tuple(call(number, value, arguments=arguments) for number, value in enumerate(values, 1))
    return find_left_out(answer, State(question, steps=steps), parts)


@pytest.mark.parametrize(
    ("question", "text", "values", "missing"),
    [
        (STATISTICS, "The mean NDVI is 0.702.", (0.7019, 0.8952), "maximum"),
        (STATISTICS, "The highest NDVI is 0.895.", (0.7019, 0.8952), "mean over"),
        (STATISTICS, "The mean NDVI is 0.702 with a standard deviation of 0.12.", (0.7019, 0.12), "maximum"),
        (STATISTICS, "The mean NDVI is 0.702 (70.2 %).", (0.7019,), "maximum"),
        (STATISTICS, "The mean NDVI over 120 pixels is 0.702.", (0.7019, 120), "maximum"),
        (STATISTICS, "The mean NDVI on 2021-07-22 is 0.702, a green summer day.", (0.7019,), "maximum"),
        (THREE, "The mean elevation is 712 m.", (664.0, 712.0, 801.0), "minimum"),
        (THREE, "It lies between 664 m and 801 m.", (664.0, 712.0, 801.0), "1 of these: "),
        (BY_CLASS, "The mean NDVI of grassland is 0.604.", (CLASSES,), "nothing is told of water"),
        (BY_CLASS, "Grassland 0.604, cropland 0.524.", (CLASSES,), "nothing is told of water, built up"),
        (BY_CLASS, "The mean NDVI is 0.52.", (0.52, CLASSES), "for each class"),
        (BY_HOW_MUCH, "Yes, the mean NDVI rose from May to July 2021.", ([0.6277, 0.74, 0.7019],), "minus"),
        (BY_HOW_MUCH, "Yes, it rose.", ([0.6277, 0.74, 0.7019],), "minus"),
        (DAYS, "It is 0.702 on 2021-07-22.", ([0.6277, 0.74, 0.7019],), "2021-05-16"),
        (DAYS, "It is 0.628 on 16 May 2021.", ([0.6277, 0.74, 0.7019],), "2021-07-22"),
        (WHEN, "On 2021-06-19.", ([0.6277, 0.74, 0.7019],), "highest"),
        (WHEN, "It was 0.74.", ([0.6277, 0.74, 0.7019],), "highest"),
        (AREAS, "Water covers 325.2 ha.", (325.2, 4000.1), "Cropland"),
        (AREAS, "Cropland covers 4,000 ha.", (325.2, 4000.1), "Water"),
        (COUNTS, "7 dates are cloud free.", ([0.6277, 0.74, 0.7019], 7), "dates with (not"),
        (BEST, "2021-06-19 had the highest mean NDVI.", ([0.6277, 0.74, 0.7019],), "3 highest"),
    ],
)
def test_a_part_that_is_left_out_is_named(question: str, text: str, values: tuple, missing: str):
    found = left_out(question, Answer(text), *values, arguments=DATED)
    assert missing in "; ".join(found.said)
    assert not found.explained


@pytest.mark.parametrize(
    ("question", "answer", "values"),
    [
        (STATISTICS, "The mean NDVI is 0.702, the highest 0.895.", (0.7019, 0.8952)),
        (STATISTICS, "0.702 and 0.895", (0.7019, 0.8952)),
        (STATISTICS, "NDVI averages 0.702 and peaks at 0.895.", (0.7019, 0.8952)),
        (STATISTICS, "Mean: 0.702. Maximum: 0.895. Standard deviation: 0.12.", (0.7019, 0.8952, 0.12)),
        (STATISTICS, "Mean and maximum are both 0.5.", (0.5, 0.5)),
        (THREE, "Elevation is 712 m on average, from 664 to 801 m.", (664.0, 712.0, 801.0)),
        (THREE, "Minimum, mean and maximum are 664, 712 and 801 m.", (664.0, 712.0, 801.0)),
        (BY_CLASS, "Water -0.127, cropland 0.524, grassland 0.604, built up 0.323.", (CLASSES,)),
        (BY_CLASS, "The mean NDVI lies between -0.127 (water) and 0.604 (grassland).", (CLASSES,)),
        (BY_HOW_MUCH, "Yes, by 0.074.", ([0.6277, 0.74, 0.7019],)),
        (BY_HOW_MUCH, "It rose, from 0.628 to 0.702.", ([0.6277, 0.74, 0.7019],)),
        (DAYS, "It is 0.628 on 16 May and 0.702 on 22 July 2021.", ([0.6277, 0.74, 0.7019],)),
        (DAYS, "0.628, then 0.702.", ([0.6277, 0.74, 0.7019],)),
        (WHEN, "On 2021-06-19, with 0.740.", ([0.6277, 0.74, 0.7019],)),
        (AREAS, "Water covers 325 ha and cropland 40 km2.", (325.2, 4000.1)),
        (COUNTS, "3: 2021-05-16, 2021-06-19 and 2021-07-22.", ([0.6277, 0.74, 0.7019], 3)),
        (BEST, "2021-06-19, 2021-07-22 and 2021-05-16.", ([0.6277, 0.74, 0.7019],)),
        ("What is the mean NDVI on 2021-07-22?", "It is 0.702.", (0.7019,)),
        (SHARES, "Water takes 2.3 % and cropland about a quarter of the area.", (2.26, 25.6)),
    ],
)
def test_an_answer_to_the_whole_question_leaves_nothing_out(question: str, answer: str, values: tuple):
    found = left_out(question, Answer(answer), *values, arguments=DATED)
    assert not found.said and not found.explained


@pytest.mark.parametrize(
    ("question", "text", "values"),
    [
        (STATISTICS, "The mean NDVI is 0.702. The maximum could not be computed.", (0.7019,)),
        (AREAS, "Water covers 325.2 ha. There is no cropland in the data.", (325.2,)),
        (DAYS, "It is 0.702 on 2021-07-22. There is no image of 2021-05-16.", (0.7019,)),
    ],
)
def test_a_part_whose_lack_is_explained_is_told_apart(question: str, text: str, values: tuple):
    found = left_out(question, Answer(text), *values)
    assert len(found.explained) == 1 and not found.said


def test_a_reason_that_is_of_something_else_explains_nothing():
    found = left_out(STATISTICS, Answer("The mean is 0.702. Clouds could not be masked."), 0.7019)
    assert found.said


def test_of_a_choice_and_of_a_declined_question_nothing_is_left_out():
    assert not left_out(STATISTICS, Answer("No.", declined=True), 0.7019).said


def test_a_question_that_is_read_in_other_words_has_no_sure_parts():
    reading = read("By class, please give me the averaged greenness values", DEMO)
    sure = reading.status == "read" and not reading.reworded
    assert bool(asked_parts(reading)) is sure
