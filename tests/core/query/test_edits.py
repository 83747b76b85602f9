from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from tests.core.query.workspaces import DEMO
from treeline.core.query.edits import edited_question, parts_of, suggestions
from treeline.core.query.inventory import Holding, Inventory, NamedGround
from treeline.core.query.reading import read

DATES = (dt.date(2021, 6, 3), dt.date(2021, 7, 12), dt.date(2022, 6, 20))
INVENTORY = Inventory(
    holdings=(
        Holding("ndvi", "1", DATES, made=True),
        Holding("ndwi", "1", DATES, made=True),
        Holding("lst", "K", DATES),
        Holding("dem", "m"),
        Holding("cloud_mask", "class", DATES),
    ),
    grounds=(NamedGround("class", "landcover", "", ("Water", "Forest")),),
    cloud_dates=DATES,
)
MADE = ("evi", "reflectance", "filled_elevation", "season_end", "terrain_slope")
QUESTIONS = (
    "What is the mean NDVI of each date, clouds masked?",
    "What is the mean NDVI on 2021-07-12, clouds masked?",
    "On which date is the mean LST highest, clouds included?",
    "What share of the area has NDVI above 0.6 on 2021-06-03, clouds masked?",
    "What is the mean LST of the forest in 2021, clouds masked?",
)


def expression_of(question):
    reading = read(question, INVENTORY)
    assert reading.expression is not None, reading
    return reading.expression


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_change_is_asked_by_words_that_are_read_as_it(question):
    former = expression_of(question)
    told = 0
    for part in parts_of(former, INVENTORY):
        for change in part.changes:
            assert change.expression != former
            words = edited_question(change, former, INVENTORY)
            if words:
                told += 1
                assert read(words, INVENTORY, former).expression == change.expression
    assert told >= 6


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_can_follow_is_read_after_the_question(question):
    former = expression_of(question)
    found = suggestions(former, INVENTORY)
    assert 2 <= len(found) <= 5 and len(set(found)) == len(found)
    for text in found:
        reading = read(text, INVENTORY, former)
        assert reading.status == "read" and reading.expression != former


def test_a_part_of_a_year_is_offered_in_another_in_few_words():
    former = expression_of("What is the mean LST in summer 2022, clouds masked?")
    (period,) = [part for part in parts_of(former, INVENTORY) if part.name == "period"]
    assert period.changes[0].text == "from 2021-06-01 to 2021-08-31"
    assert "from 2021-06-01 to 2021-08-31" in suggestions(former, INVENTORY)
    whole = expression_of("What is the mean LST in 2022, clouds masked?")
    (period,) = [part for part in parts_of(whole, INVENTORY) if part.name == "period"]
    assert period.changes[0].text == "in 2021"


def test_the_parts_say_what_was_understood():
    former = expression_of("What is the mean LST of the forest in 2021, clouds masked?")
    parts = {part.name: part for part in parts_of(former, INVENTORY)}
    assert {name: part.now for name, part in parts.items()} == {
        "variable": "Land surface temperature",
        "period": "in 2021",
        "clouds": "clouds masked",
        "place": "Forest",
        "statistic": "mean",
    }
    assert [change.text for change in parts["place"].changes] == ["everywhere", "Water"]
    assert "in 2022" in [change.text for change in parts["period"].changes]


def test_all_polygons_of_a_file_are_called_so():
    former = read("mean NDVI in the shapefile on 2022-07-18", DEMO).expression
    (place,) = (part for part in parts_of(former, DEMO) if part.name == "place")
    assert place.now == "all polygons" and place.changes[0].text == "everywhere"


def test_only_what_the_data_hold_is_offered():
    former = expression_of("What is the mean NDVI on 2021-07-12, clouds masked?")
    parts = {part.name: part for part in parts_of(former, INVENTORY)}
    offered = {change.text for change in parts["period"].changes}
    assert {"on 2021-06-03", "on 2022-06-20"} <= offered and "on 2021-07-12" not in offered
    assert "Cloud mask" not in {change.text for change in parts["variable"].changes}
    bare = Inventory(holdings=(Holding("ndvi", "1", DATES),))
    names = {part.name for part in parts_of(read("mean NDVI", bare).expression, bare)}
    assert "place" not in names and "clouds" not in names and "variable" not in names


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_change_is_asked_in_brackets_or_with_what_was_assumed(question):
    former = expression_of(question)
    asked = [
        edited_question(change, former, INVENTORY)
        for part in parts_of(former, INVENTORY)
        for change in part.changes
    ]
    assert any("over all pixels" in words for words in asked) or "share" in question
    assert not [words for words in asked if "(" in words or "assumed" in words]


def test_what_no_scene_can_be_is_not_offered_in_its_place():
    holdings = (*INVENTORY.holdings, *(Holding(role, "1", made=True) for role in MADE))
    inventory = replace(INVENTORY, holdings=holdings)
    offered = {
        asked: {
            change.text for part in parts_of(expression_of(asked), inventory)[:1] for change in part.changes
        }
        for asked in ("What is the mean NDVI in 2021, clouds masked?", "What is the mean elevation?")
    }
    ndvi, elevation = offered.values()
    assert {"NDWI", "EVI", "Land surface temperature"} <= ndvi
    assert not ndvi & {"Reflectance of a band", "Elevation without depressions", "End of the season"}
    assert "Terrain slope" in elevation and "Reflectance of a band" not in elevation


@pytest.mark.parametrize(
    ("question", "changed"),
    [
        ("Is there NDVI in 2021?", []),
        ("What is the pixel size of NDVI?", []),
        ("How many NDVI images are there?", ["variable", "period"]),
    ],
)
def test_a_fact_is_offered_nothing_that_does_not_change_it(question, changed):
    former = expression_of(question)
    assert [part.name for part in parts_of(former, INVENTORY)] == changed
    assert all("clouds" not in text and "only" not in text for text in suggestions(former, INVENTORY))


def test_of_several_questions_each_takes_what_is_offered():
    question = "In which month of 2021 was NDVI highest, and what is the mean NDVI of the forest in 2021?"
    former = expression_of(question)
    offered = {part.name: [change.text for change in part.changes] for part in parts_of(former, INVENTORY)}
    # Ground has no months: put in the place of NDVI, it would take the first question's sense away.
    assert "NDWI" in offered["variable"] and "Elevation" not in offered["variable"]
    assert suggestions(former, INVENTORY)
