"""A share of a class is no share of all, nor the other way round."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import AREAS, Told, result

LEGEND = {"holdings": "@landcover classes: 1 Forest, 2 Meadow, 3 Water"}
# Of the ground above 700 m.
ROWS = [
    {"class": 1, "pixels": 4000, "area": 40.0, "percent": 80.0},
    {"class": 2, "pixels": 950, "area": 9.5, "percent": 19.0},
    {"class": 3, "pixels": 50, "area": 0.5, "percent": 1.0},
]
OF_ALL = (AREAS, result(AREAS, ROWS, "ha", input_path="classes_above.tif"))
OF_CLASS = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"1": 58.2, "2": 29.9, "3": 0.0}],
        statistic="share",
        file_list=["above.tif"],
        classes_path="Loka_LULC.tif",
    ),
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("58.2 % of the forest lies above 700 m.", True),
        ("58.2 % of the forest is above 700 m.", True),
        ("80 % of the land above 700 m is forest.", True),
        ("80 % of the forest is above 700 m.", False),
        ("58.2 % of the land above 700 m is forest.", False),
        ("Forest makes up 58.2 % of the land above 700 m.", False),
        ("Forest makes up 80 % of the land above 700 m.", True),
    ],
)
def test_a_share_is_told_of_what_it_is_a_part_of(text: str, right: bool):
    told = Told("What share of each class lies above 700 m?", text, (OF_ALL, OF_CLASS), context=LEGEND)
    assert (told.why() == "") is right


KINDS = [
    {"class": 1, "name": "Oak forest", "pixels": 3000, "area": 30.0, "percent": 30.0},
    {"class": 2, "name": "Pine forest", "pixels": 2000, "area": 20.0, "percent": 20.0},
    {"class": 3, "name": "Meadow", "pixels": 4000, "area": 40.0, "percent": 40.0},
    {"class": 4, "name": "Water", "pixels": 1000, "area": 10.0, "percent": 10.0},
]
COVERS = (AREAS, result(AREAS, KINDS, "ha", input_path="Loka_LULC.tif"))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Of all the forest, 60 % is oak forest.", True),
        ("60 % of the forest is oak forest.", True),
        ("Oak forest makes up 60 % of the forest.", True),
        ("60 %.", True),
        ("Oak forest makes up 30 % of the map.", True),
        ("Forest covers 50 % of the map and oak forest 30 % of it.", True),
        ("Of all the forest, 30 % is oak forest.", False),
        ("Of the forest area, about 30 % is oak forest.", False),
        ("30 % of the forest is oak forest.", False),
        ("Oak forest makes up 30 % of the forest.", False),
        ("Within the forest 30 % are oak forest.", False),
        ("30 %.", False),
    ],
)
def test_a_part_of_a_kind_is_no_part_of_all(text: str, right: bool):
    why = Told("What share of the forest is oak forest?", text, (COVERS,)).why()
    assert (why == "") is right, why


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("On 7.4 % of the area the ground lies above 900 m and is cooler than 290 K.", True),
        ("7.4 % of the land above 900 m was cooler than 290 K.", False),
        ("Of all pixels, 7.4 % are above 900 m and below 290 K.", True),
    ],
)
def test_where_two_limits_hold_is_a_part_of_all_ground(text: str, right: bool):
    limits = {"threshold1": 900, "threshold2": 290, "mode2": "below"}
    tool = "calculate_intersection_percentage"
    both = (tool, result(tool, 7.4, "%", path1="Loka_DEM.tif", path2="Loka_LST.tif", **limits))
    assert (Told("How much of the high land is cool?", text, (both,)).why() == "") == right
