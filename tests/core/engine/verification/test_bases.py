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
