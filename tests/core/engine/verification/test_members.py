"""Lists of dates and classes beyond a limit, or in an order: what belongs to them and what does not."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import NDVI, Told, result, series
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.members import (
    false_members,
    false_orders,
    find_false_listing,
    find_false_only,
)
from treeline.core.engine.verification.sentence_grounds import Grounds

DAYS = {"2021-05-03": 0.2, "2021-06-12": 0.5, "2021-07-20": 0.6, "2021-08-05": 0.4}
GREEN = Grounds([Column(DAYS, dated=True)], {})
AREA = Column({"forest": 80.0, "meadow": 30.0, "water": 10.0})
LAND = Grounds([AREA], {})
WHICH = "On which dates was NDVI above 0.45?"


@pytest.mark.parametrize(
    ("question", "text", "held"),
    [
        (WHICH, "On 2021-06-12 and 2021-07-20.", ""),
        (WHICH, "On 2021-06-12.", "2021-07-20 is above 0.45 too, with 0.6."),
        (WHICH, "On 2021-06-12, 2021-07-20 and 2021-08-05.", "2021-08-05 is not above 0.45: it has 0.4."),
        (WHICH, "On 2021-06-12 and 2021-07-20, but not on 2021-08-05.", ""),
        (WHICH, "Among others on 2021-06-12.", ""),
        (WHICH, "In June and July 2021.", ""),
        (WHICH, "In June 2021.", "2021-07-20 is above 0.45 too, with 0.6."),
        (WHICH, "On none.", ""),
        ("On which date was NDVI below 0.3?", "On 2021-05-03.", ""),
        ("On which date was NDVI below 0.3?", "On 2021-08-05.", "2021-08-05 is not below 0.3: it has 0.4."),
        ("On what date was it above 0.45?", "Only on 2021-06-12.", "2021-07-20 is above 0.45 too, with 0.6."),
        ("Which dates were at least 0.5?", "2021-06-12 and 2021-07-20.", ""),
        ("Which were above 0.5?", "2021-06-12, 2021-07-20.", "2021-06-12 is not above 0.5: it has 0.5."),
        ("How many dates were above 0.45?", "2021-05-03", ""),  # asks for a number
        ("Which date had the highest NDVI above 0.45?", "2021-05-03", ""),  # asks for one of them
        ("Was NDVI above 0.45 on 2021-06-12?", "On 2021-05-03.", ""),
        ("Which dates lie between 0.3 and 0.45?", "2021-05-03", ""),
        (
            "What time was NDVI above 0.45?",
            "38 days; 2021-08-05 is less.",
            "2021-08-05 is not above 0.45: it has 0.4.",
        ),
        ("How long was the time in which NDVI was above 0.45?", "38 days; 2021-08-05 is less.", ""),
    ],
)
def test_a_list_holds_all_that_is_beyond_the_limit_and_nothing_else(question, text, held):
    assert list(false_members(question, text, "", GREEN)) == ([held] if held else [])


def test_the_option_counts_as_what_is_said():
    (held,) = false_members(WHICH, "", "2021-05-03 and 2021-06-12", GREEN)
    assert held == "2021-05-03 is not above 0.45: it has 0.2."


def test_one_of_several_columns_that_bears_a_list_out_is_enough():
    other = Column({day: 1 - n for day, n in DAYS.items()}, dated=True)
    both = Grounds([GREEN.columns[0], other], {})
    assert not list(false_members(WHICH, "On 2021-05-03, 2021-06-12 and 2021-08-05.", "", both))
    assert list(false_members(WHICH, "On 2021-05-03 and 2021-07-20.", "", both))


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("Only forest has more than 50 ha.", ""),
        ("Only forest has more than 20 ha.", "meadow is above 20 too, with 30."),
        ("Forest and meadow have more than 20 ha.", ""),
        ("Forest and water have more than 20 ha.", "water is not above 20: it has 10."),
        ("Forest has more than 90 ha.", "forest is not above 90: it has 80."),
        ("Only water has less than 20 ha.", ""),
        ("Only water has less than 40 ha.", "meadow is below 40 too, with 30."),
        ("Forest, unlike water, has more than 50 ha.", ""),
        ("Forest has 80 ha.", ""),
        ("More than 50 ha are green.", ""),
    ],
)
def test_the_only_one_beyond_a_limit_is_the_only_one(sentence, held):
    found = list(find_false_only(sentence, LAND))
    assert found == ([held] if held else [])


@pytest.mark.parametrize(
    ("question", "text", "true"),
    [
        ("Rank the classes by area.", "Forest, meadow, water.", True),
        ("Rank the classes by area.", "Water, meadow, forest.", True),
        ("Rank the classes by area.", "Meadow, forest, water.", False),
        ("Rank the classes from the largest to the smallest.", "Water, meadow, forest.", False),
        ("Rank the classes from the largest to the smallest.", "Forest, meadow, water.", True),
        ("Rank the classes from the smallest to the largest.", "Water, meadow, forest.", True),
        ("Rank the classes by area.", "Meadow, forest.", True),  # two are always in an order
        ("What is there?", "Meadow, forest, water.", True),
        ("What is there?", "Forest > water > meadow.", False),
        ("What is there?", "Forest > meadow > water.", True),
        ("What is there?", "Water < forest < meadow.", False),
        ("What is there?", "Meadow > water, and forest.", True),  # one sign is no chain
    ],
)
def test_a_list_that_claims_an_order_is_in_it(question, text, true):
    assert bool(list(false_orders(question, text, [AREA]))) is not true


def test_equal_numbers_are_in_any_order_and_dates_in_their_own():
    same = Column({"forest": 80.0, "meadow": 30.0, "water": 30.0})
    for text in ("Forest, water, meadow.", "Forest, meadow, water."):
        assert not list(false_orders("Rank them from the largest to the smallest.", text, [same]))
    days = Column({"2021-05-03": 0.2, "2021-06-12": 0.5, "2021-07-20": 0.1}, dated=True)
    assert not list(false_orders("Rank the dates.", "2021-05-03, 2021-06-12, 2021-07-20", [days]))
    (held,) = false_orders("Rank the dates.", "2021-06-12, 2021-07-20, 2021-05-03", [days])
    assert held == "They are not in order: 0.5, 0.1, 0.2."


def test_a_column_of_two_is_looked_at_and_one_of_a_single_number_is_not():
    two = Grounds([Column({"2021-05-03": 0.2, "2021-06-12": 0.5}, dated=True)], {})
    assert list(false_members(WHICH, "On 2021-05-03.", "", two))
    one = Grounds([Column({"2021-05-03": 0.2}, dated=True)], {})
    assert not list(false_members(WHICH, "On 2021-05-03.", "", one))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "Three are greener than 0.70: forest (0.86), meadow (0.71) and field (0.67).",
            ["0.67 is not above 0.70."],
        ),
        ("Two are lower than 0.70: meadow (0.41) and field (0.67).", []),
        ("Both were colder than in 2021: forest (3) and water (5).", []),
    ],
)
def test_what_is_listed_as_beyond_a_number_lies_beyond_it(text: str, wrong: list[str]):
    assert list(find_false_listing(text)) == wrong


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("When did it first exceed 0.4?", "On 2021-07-12 (0.613). On 2021-05-03 it was only 0.251.", True),
        ("When did it first exceed 0.4?", "On 2021-08-20 (0.433).", False),
        ("When did it first exceed 0.4?", "On 12 July 2021. 70 days earlier it was only 0.251.", True),
        ("When did it first exceed 0.4?", "On 12 July 2021. 70 days earlier it was only 0.433.", False),
        ("When did it first exceed 0.4?", "In July 2021.", True),
        ("How did it develop?", "It first exceeded 0.4 on 2021-08-20.", False),
        ("How did it develop?", "It was last above 0.4 on 2021-08-20.", True),
        ("How did it develop?", "It was last above 0.4 on 2021-07-12.", False),
    ],
)
def test_what_first_lies_beyond_a_limit_is_the_first_that_does(question: str, text: str, right: bool):
    assert (Told(question, text, (NDVI,)).why() == "") == right


PARKS = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"name": name, "mean": mean}
            for name, mean in (("Karlovo", 0.61), ("Pirin", 0.74), ("Rila", 0.68), ("Sinite", 0.70))
        ],
        "1",
    ),
)
FOUR_DAYS = ("2019-05-02", "2020-06-11", "2020-07-13", "2020-08-20")
ON_DAYS = (
    "calc_batch_image_mean",
    series([0.41, 0.72, 0.66, 0.58], [f"Rila_{day}_NDVI.tif" for day in FOUR_DAYS], "1"),
)


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("Top three parks by NDVI?", "1. Pirin - 0.74\n2. Sinite - 0.70\n3. Rila - 0.68", True),
        ("Top three parks by NDVI?", "1. Pirin - 0.74\n2. Sinite - 0.70\n3. Karlovo - 0.61", False),
        ("Which two parks are the greenest?", "Pirin and Sinite.", True),
        ("Which two parks are the greenest?", "Pirin and Rila.", False),
        ("Which two parks have the lowest NDVI?", "Karlovo (0.61) and Rila (0.68).", True),
        ("Which two parks have the lowest NDVI?", "Karlovo (0.61) and Sinite (0.70).", False),
        ("Name the 2 dates of 2020 with the lowest NDVI.", "2020-08-20 and 2020-07-13.", True),
        ("Name the 2 dates of 2020 with the lowest NDVI.", "2020-08-20 and 2020-06-11.", False),
        ("Which two parks are the greenest?", "Pirin, far ahead of Sinite and Rila.", True),
    ],
)
def test_so_many_of_the_most_are_those(question: str, text: str, right: bool):
    assert (Told(question, text, (PARKS, ON_DAYS)).why() == "") is right
