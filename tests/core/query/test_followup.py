"""What follows on a question: a fragment that changes it, or a question that leaves out what it measured."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.core.query.test_reading import QUESTIONS
from tests.core.query.workspaces import DEMO, MEADOWS, PLACES
from treeline.core.query.expression import ALWAYS, Aggregate, Place, Which
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.reading import read
from treeline.core.query.slots import leaves


@pytest.mark.parametrize(
    ("first", "fragment", "whole"),
    [
        ("mean NDVI on 2016-08-14", "and on 2017-08-04?", "mean NDVI on 2017-08-04"),
        ("mean NDVI on 2016-08-14", "and in 2017?", "mean NDVI in 2017"),
        ("mean NDVI of each date", "and in 2017?", "mean NDVI of each date in 2017"),
        ("mean NDVI on 2016-08-14", "only forest", "mean NDVI of the forest on 2016-08-14"),
        ("mean NDVI of the forest in 2016", "what about the grassland?",
         "mean NDVI of the grassland in 2016"),
        ("mean NDVI on 2016-08-14", "as a map", "map NDVI on 2016-08-14"),
        ("which date had the highest mean NDVI", "as a map",
         "map NDVI on the date with the highest mean NDVI"),
        ("mean NDVI in 2016", "median instead", "median NDVI in 2016"),
        ("mean NDVI on 2016-08-14", "per class", "mean NDVI per class on 2016-08-14"),
        ("mean NDVI in 2016", "without clouds", "mean NDVI in 2016 without clouds"),
        ("share of the area with NDVI > 0.7 on 2016-08-14", "above 0.6?",
         "share of the area with NDVI > 0.6 on 2016-08-14"),
        ("Which date had the highest mean NDVI?", "and the lowest?", "Which date had the lowest mean NDVI?"),
        ("Which date had the highest mean NDVI?", "in 2016?",
         "Which date had the highest mean NDVI in 2016?"),
    ],
)  # fmt: skip
def test_a_fragment_changes_the_question_before(first: str, fragment: str, whole: str):
    former = read(first, MEADOWS).expressions[0]
    assert read(fragment, MEADOWS, former).expressions == read(whole, MEADOWS).expressions


@pytest.mark.parametrize(
    ("first", "fragment", "whole"),
    [
        ("mean NDVI of the forest on 2022-06-15", "and LST?", "mean LST of the forest on 2022-06-15"),
        ("mean NDVI of each date, clouds masked", "what about NDWI?",
         "mean NDWI of each date, clouds masked"),
        ("mean NDVI of the forest on 2022-06-15", "and the maximum LST?",
         "maximum LST of the forest on 2022-06-15"),
        ("mean NDVI of the forest on 2022-06-15", "elevation?", "mean elevation of the forest"),
        ("Which region had the highest mean NDVI on 2022-06-15?", "and mean LST?",
         "Which region had the highest mean LST on 2022-06-15?"),
    ],
)  # fmt: skip
def test_another_variable_is_asked_of_the_same_time_and_ground(first: str, fragment: str, whole: str):
    former = read(first, DEMO).expressions[0]
    assert read(fragment, DEMO, former).expressions == read(whole, DEMO).expressions


@pytest.mark.parametrize(
    "asked",
    [
        "map where NDVI fell by more than 0.1 between {} and {}",
        "map the difference of NDVI between {} and {}",
        "by how much did the mean NDVI of the forest change between {} and {}?",
    ],
)
def test_a_change_is_asked_between_two_other_days(asked: str):
    days, others = ("2021-07-22", "2022-07-18"), ("2021-06-19", "2022-06-15")
    former = read(asked.format(*days), DEMO).expressions[0]
    followed = read("and between {} and {}?".format(*others), DEMO, former)
    assert followed.expressions == read(asked.format(*others), DEMO).expressions
    assert followed.expressions != (former,)


def test_one_more_day_says_nothing_of_which_of_two_it_replaces():
    former = read("map where NDVI fell by more than 0.1 between 2021-07-22 and 2022-07-18", DEMO).expressions[
        0
    ]
    assert read("and on 2022-06-15?", DEMO, former).status == "declined"


def test_a_whole_question_is_no_fragment():
    former = read("Which date had the highest mean NDVI?", MEADOWS).expressions[0]
    found = read("mean elevation", MEADOWS, former).expressions[0]
    assert not isinstance(found, Which)


def test_a_fragment_with_nothing_before_it_is_declined():
    assert read("and in 2017?", MEADOWS).status == "declined"


@pytest.mark.parametrize(
    ("first", "after", "whole"),
    [
        ("mean NDVI on 2022-06-15", "which class is highest?",
         "Which class has the highest mean NDVI on 2022-06-15?"),
        ("mean NDVI on 2022-06-15", "how does that compare to 2021-06-19?",
         "compare mean NDVI on 2021-06-19 and 2022-06-15"),
        ("mean NDVI on 2022-06-15", "and its standard deviation?",
         "standard deviation of NDVI on 2022-06-15"),
        ("mean NDVI on 2022-06-15", "same for LST", "mean LST on 2022-06-15"),
        ("mean NDVI on 2022-06-15", "where is it above 0.8?", "map where NDVI > 0.8 on 2022-06-15"),
        ("mean NDVI of each date in 2022", "what is the trend?", "trend of mean NDVI in 2022"),
        ("mean NDVI of each date in 2022", "which is the highest?",
         "Which date had the highest mean NDVI in 2022?"),
        ("mean NDVI of each date in 2022", "which dates are above 0.7?",
         "On which dates in 2022 was mean NDVI above 0.7?"),
        ("mean LST of each region on 2022-07-18", "and the coolest?",
         "Which region has the lowest mean LST on 2022-07-18?"),
        ("Which class has the highest mean NDVI on 2022-06-15?", "second?",
         "Which class has the second highest mean NDVI on 2022-06-15?"),
        ("Which class has the highest mean NDVI on 2022-06-15?", "as a bar chart",
         "chart of mean NDVI of each class on 2022-06-15"),
        ("Which class lost most NDVI between 15 June 2022 and 20 August 2022?", "map it",
         "map of the change of NDVI between 15 June 2022 and 20 August 2022"),
        ("Compare mean LST of cropland and grassland on 2022-07-18", "as a map", "map LST on 2022-07-18"),
        ("Is there a significant trend in mean NDVI?", "and the slope?", "trend of mean NDVI"),
        ("Is there a significant trend in mean NDVI?", "per decade?", "trend of mean NDVI per decade"),
        ("mean LST of the cropland on 2022-07-18", "on which date was it warmest?",
         "Which date had the highest mean LST of the cropland?"),
        ("Is the forest cooler than the cropland on 2022-07-18?", "by how much?",
         "mean LST of the forest on 2022-07-18 minus mean LST of the cropland on 2022-07-18"),
        ("mean NDVI of each region on 2022-06-15", "and the top three?",
         "Which three regions have the highest mean NDVI on 2022-06-15?"),
        ("How much of the area is forest?", "and cropland?", "How much of the area is cropland?"),
        ("How much of the area is forest?", "above 500 m?",
         "What share of the area above 500 m is forest?"),
        ("mean NDVI on 2022-06-15", "by elevation", "mean NDVI on 2022-06-15 by elevation"),
        ("area of the forest", "above 500 m?", "area of the forest above 500 m"),
        ("difference in mean NDVI between 2021-06-19 and 2022-06-15", "in percent",
         "percent change in mean NDVI from 2021-06-19 to 2022-06-15"),
        ("difference in mean NDVI between 2021-06-19 and 2022-06-15", "and the median?",
         "difference in median NDVI between 2021-06-19 and 2022-06-15"),
        ("difference in mean NDVI between 2021-06-19 and 2022-06-15", "per class",
         "difference in mean NDVI per class between 2021-06-19 and 2022-06-15"),
        ("On which dates in 2022 was mean NDVI above 0.7?", "how many?",
         "On how many dates in 2022 was mean NDVI above 0.7?"),
        ("area of the forest", "in Larchford?", "area of the forest in Larchford"),
        ("How did mean NDVI develop in 2022?", "how high was it?",
         "maximum over the dates of mean NDVI in 2022"),
        ("Map NDVI on 2022-06-15", "and its mean?", "mean NDVI on 2022-06-15"),
        ("Map NDVI on 2022-06-15", "as a map", "Map NDVI on 2022-06-15"),
        ("Where was NDVI above 0.6 on 2022-06-15?", "as a map", "Where was NDVI above 0.6 on 2022-06-15?"),
        ("map of mean NDVI in 2022 in the forest", "as a map", "map of mean NDVI in 2022 in the forest"),
        ("What share of the area had NDVI below 0.4 on 2022-08-20?", "how many pixels is that?",
         "How many pixels had NDVI below 0.4 on 2022-08-20?"),
    ],
)  # fmt: skip
def test_what_is_left_out_is_as_it_was_before(first: str, after: str, whole: str):
    former = read(first, DEMO).expressions[0]
    assert read(after, DEMO, former).expressions == read(whole, DEMO).expressions


def test_it_is_the_date_whose_highest_number_was_told():
    former = read("maximum over the dates of mean NDVI in 2022", DEMO).expressions[0]
    (found,) = read("how cloudy was it?", DEMO, former).expressions
    assert isinstance(leaves(found)[0].when.at, Which)


@pytest.mark.parametrize(
    ("after", "whole"),
    [
        ("which class is highest?", "Which class has the highest mean NDVI in 2016?"),
        ("when was it highest?", "Which date had the highest mean NDVI in 2016?"),
    ],
)
def test_the_highest_needs_no_elevation_where_something_else_was_measured(after: str, whole: str):
    flat = replace(MEADOWS, holdings=tuple(h for h in MEADOWS.holdings if h.role != "dem"))
    former = read("mean NDVI in 2016", flat).expressions[0]
    assert read(after, flat, former).expressions == read(whole, flat).expressions


def test_how_high_it_was_is_the_value_that_was_found():
    flat = replace(MEADOWS, holdings=tuple(h for h in MEADOWS.holdings if h.role != "dem"))
    former = read("Which date had the highest mean NDVI in 2016?", flat).expressions[0]
    told = read("how high was it?", flat, former).expressions
    assert told == read("maximum over the dates of mean NDVI in 2016", flat).expressions
    assert read("how high was it?", flat, read("mean NDVI in 2016", flat).expressions[0]).status == "declined"


def test_how_cloudy_it_was_is_asked_of_the_day_before():
    former = read("mean NDVI on 2022-06-15", DEMO).expressions[0]
    (found,) = read("how cloudy was it?", DEMO, former).expressions
    assert leaves(found)[0].when == leaves(former)[0].when


def test_what_is_asked_of_the_class_that_was_found_is_of_its_ground():
    former = read("Which class has the highest mean NDVI on 2022-06-15?", DEMO).expressions[0]
    (found,) = read("how warm is it?", DEMO, former).expressions
    (measured,) = (leaf for leaf in leaves(found) if leaf.role == "lst")
    assert isinstance(measured.where, Place) and measured.where.at == former


@pytest.mark.parametrize(
    ("first", "after"),
    [
        ("Which date had the highest mean NDVI in 2022?", "what was the NDVI?"),
        ("mean LST of the forest on 2022-06-15", "how much cloud was there?"),
    ],
)
def test_where_no_time_is_named_that_of_before_is_offered_beside_all(first: str, after: str):
    former = read(first, DEMO).expressions[0]
    found = read(after, DEMO, former)
    assert found.status == "asks"
    then, always = (leaves(node)[0].when for node in found.expressions)
    assert then != ALWAYS == always


def test_what_lost_most_is_ground_of_which_more_can_be_asked():
    question = "Which class lost most NDVI between 15 June 2022 and 20 August 2022?"
    former = read(question, DEMO).expressions[0]
    (found,) = read("how large is it?", DEMO, former).expressions
    assert isinstance(found, Aggregate) and found.statistic == "area"
    assert isinstance(found.of, Place) and found.of.at == former


def test_clouds_that_go_are_no_longer_assumed_to_stay():
    former = read("mean NDVI on 2022-06-15", DEMO).expressions[0]
    (found,) = read("without clouds", DEMO, former).expressions
    assert not any("clouds" in leaf.assumed for leaf in leaves(found))


def test_clouds_that_were_said_to_stay_do_so_in_what_follows():
    former = read("mean NDVI on 2022-06-15, clouds included", DEMO).expressions[0]
    (found,) = read("and on 2022-07-18?", DEMO, former).expressions
    assert not any("clouds" in leaf.assumed for leaf in leaves(found))
    former = read("mean NDVI on 2022-06-15", DEMO).expressions[0]
    (found,) = read("and on 2022-07-18?", DEMO, former).expressions
    assert [leaf.assumed for leaf in leaves(found)] == [("clouds",)]


@pytest.mark.parametrize(
    "question", ["How many images are there?", "What is the CRS?", "Which dates are there?"]
)
def test_a_question_of_the_data_is_none_of_what_was_measured(question: str):
    former = read("mean NDVI of each date in 2022", DEMO).expressions[0]
    assert read(question, DEMO, former).expressions == read(question, DEMO).expressions


@pytest.mark.parametrize(
    ("first", "after"),
    [
        ("Which region has the highest mean LST on 2022-07-18?", "what share of it is forest?"),
        ("Which region has the highest mean LST on 2022-07-18?", "which class is that mostly?"),
        # Of which of the two days is not said.
        ("Which region lost most NDVI between 15 June 2022 and 20 August 2022?", "how warm is it?"),
    ],
)
def test_what_points_back_is_no_question_of_everything(first: str, after: str):
    former = read(first, DEMO).expressions[0]
    assert read(after, DEMO, former).status == "declined"


def test_the_highest_ground_is_meant_where_it_is_named():
    former = read("mean NDVI on 2022-06-15", DEMO).expressions[0]
    (found,) = read("which class has the highest mean elevation?", DEMO, former).expressions
    assert {leaf.role for leaf in leaves(found)} == {"dem"}


FRAGMENTS = (
    "as a map", "which is the highest?", "and the lowest?", "per class", "by region", "as a chart",
    "in percent",
    "what is the trend?", "how cloudy was it?", "and the median?", "above 500 m?", "only the forest",
    "by how much?", "how high was it?", "what was the NDVI?", "on which date was it highest?", "second?",
    "which are above 0.5?", "how does that compare to 2017-08-04?", "how many pixels is that?", "the mean",
    "in hectares", "per decade", "same for elevation", "where is it above 0.6?", "and in 2017?",
)  # fmt: skip


def test_whatever_follows_can_be_asked_in_words_as_well():
    chance, met = random.Random(20261128), 0
    for _ in range(250):
        place, question = chance.choice(QUESTIONS)
        former = read(question, PLACES[place]).expressions[0]
        for node in read(chance.choice(FRAGMENTS), PLACES[place], former).expressions:
            met += 1
            assert read(paraphrase(node, PLACES[place]), PLACES[place]).expressions == (node,)
    assert met > 60
