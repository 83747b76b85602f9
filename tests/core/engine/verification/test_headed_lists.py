"""Lists below headings: the hottest three, the driest first, from the greenest to the least green."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_verification import call, why
from treeline.core.engine.actions import Answer

ROWS = [
    {"zone": 1, "name": "Alder", "mean": 0.31},
    {"zone": 2, "name": "Birch", "mean": 0.62},
    {"zone": 3, "name": "Cedar", "mean": 0.48},
    {"zone": 4, "name": "Dogwood", "mean": 0.12},
]
ZONES = call(
    1, ROWS, arguments={"input_path": "Vale_2021-06-10_NDVI.tif", "zones_path": "z.geojson"}, unit="1"
)
ASKED = "How green were the zones on 2021-06-10?"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Greenest zones:\n1. Birch: 0.62\n2. Cedar: 0.48", True),
        ("Highest means:\n- Birch 0.62\n- Cedar 0.48\n- Alder 0.31", True),
        ("**Lowest by their mean:**\n\n1. Dogwood (0.12)\n2. Alder (0.31)", True),
        ("Least green: Dogwood, then Alder.", True),
        ("The three greenest: Birch (0.62), Cedar (0.48) and Alder (0.31).", True),
        ("From greenest to least green:\n- Birch 0.62\n- Cedar 0.48\n- Alder 0.31", True),
        ("From greenest to least green:\n- Birch\n- Cedar\n- Alder\n- Dogwood", True),
        ("From the lowest to the highest:\n- Alder 0.31\n- Cedar 0.48", True),
        ("Lowest zones:\n1. Birch: 0.62\n2. Cedar: 0.48", False),
        ("Greenest zones:\n1. Cedar: 0.48\n2. Birch: 0.62", False),
        ("Greenest zones:\n1. Birch: 0.62\n2. Alder: 0.31", False),
        ("Lowest means:\n- Birch 0.62\n- Cedar 0.48\n- Alder 0.31", False),
        ("Greenest: Dogwood, then Alder.", False),
        ("The three greenest: Birch (0.62), Cedar (0.48) and Dogwood (0.12).", False),
        ("From least green to greenest:\n- Birch\n- Cedar\n- Alder\n- Dogwood", False),
        ("From the highest to the lowest:\n- Alder 0.31\n- Cedar 0.48", False),
        ("From the highest to the most green:\n- Birch 0.62\n- Cedar 0.48", False),
    ],
)
def test_a_list_has_what_its_heading_tells(text: str, right: bool):
    found = why(Answer(text), ZONES, question=ASKED)
    assert (not found) is right, found


@pytest.mark.parametrize(
    "text",
    [
        "Greenest: Birch, 0.14 above Cedar.",
        "Greenest: Birch, while Dogwood has 0.12.",
        "Means:\n- Alder 0.31\n- Birch 0.62",
    ],
)
def test_what_a_heading_lists_ends_where_it_is_held_against_others(text: str):
    assert not why(Answer(text), ZONES, question=ASKED)


def test_the_most_of_each_year_is_in_no_order():
    files = [f"Vale_{day}_NDVI.tif" for day in ("2020-07-01", "2021-07-01", "2022-07-01")]
    greens = call(1, [0.2, 0.7, 0.4], arguments={"file_list": files}, unit="1")
    text = "The highest means of each year:\n- 2020: 0.2\n- 2021: 0.7\n- 2022: 0.4"
    assert not why(Answer(text), greens, question="How green was it in July?")
