"""Long questions are read as far as they are understood, and what is left out is named."""

from __future__ import annotations

import datetime as dt

import pytest

from treeline.core.query.expression import Aggregate, Combine, Compare, Node, Number, Span, Variable, When
from treeline.core.query.inventory import Holding, Inventory
from treeline.core.query.largest import largest_part
from treeline.core.query.objects import Objects

DAYS = tuple(dt.date(year, month, 9) for year in (2019, 2020) for month in (6, 7, 8))
LAND = Inventory(
    (
        Holding("bt31", "K", DAYS),
        Holding("bt32", "K", DAYS),
        Holding("lst", "K", made=True),
        Holding("ndvi", "1", DAYS),
    ),
    methods=("lst multi channel",),
)
PICTURES = Inventory((Holding("rgb"),))


def part_of(question: str, inventory: Inventory = LAND) -> Node:
    found = largest_part(question, inventory)
    assert found is not None
    return found.expression


def year(number: int, first: int = 1, last: int = 12, day: int = 31) -> When:
    return When((Span(dt.date(number, first, 1), dt.date(number, last, day)),))


def test_a_share_of_the_ground_on_days_is_counted() -> None:
    found = part_of(
        "Shepherds near Lipica fear the heat. First list the files, then derive the LST, and finally count "
        "the days when more than 40 % of the plateau lay above 305 K."
    )
    share = Aggregate("share", Compare(Variable("lst", unit="K"), "gt", Number(305.0, "K")), "pixel")
    assert found == Aggregate("count", Compare(share, "gt", Number(40.0, "%")), "date")


def test_two_years_are_set_against_each_other() -> None:
    found = part_of("Compute the mean LST of 2019 and of 2020 and give the absolute difference of the two.")
    sides = [
        Aggregate("mean", Aggregate("mean", Variable("lst", when=year(n), unit="K"), "pixel"), "date")
        for n in (2020, 2019)
    ]
    assert found == Combine("absolute_difference", *sides)


def test_a_limit_relative_to_the_mean_is_a_multiple_of_it() -> None:
    found = part_of("What percentage of the pixels has an LST below 90 % of the mean?")
    compare = next(one for one in found.walk() if isinstance(one, Compare))
    assert isinstance(compare.limit, Combine)
    assert compare.limit.right == Number(0.9)


def test_words_that_nothing_takes_up_are_named() -> None:
    found = largest_part("Shepherds of Lipica ask for the mean LST.", LAND)
    assert found is not None
    assert "Lipica" in found.left_out


def test_a_limit_belongs_to_the_variable_of_its_own_sentence() -> None:
    found = part_of("Take NDVI for a map. Which share of the pixels lies above 300 K?")
    variables = {one.role for one in found.walk() if isinstance(one, Variable)}
    assert variables == {"lst"}


@pytest.mark.parametrize(
    ("question", "about", "name"),
    [
        ("How many sheep folds are in each image? Rank the images.", "count", "sheep fold"),
        ("What is the distance between the two closest barns in the image?", "distance", "barn"),
        ("Which area do the buildings lose between both images?", "change", ""),
    ],
)
def test_pictures_are_asked_for_objects(question: str, about: str, name: str) -> None:
    found = part_of(question, PICTURES)
    assert isinstance(found, Objects)
    assert found.about == about
    assert not name or found.name == name


def test_a_question_that_names_nothing_has_no_part() -> None:
    assert largest_part("Why do shepherds sing?", LAND) is None
