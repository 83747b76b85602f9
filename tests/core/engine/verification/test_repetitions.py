"""What is set beside itself: a name or a date that is listed twice, a time that ends before it begins."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.labels import names_at_places

ROWS = [
    {"class": 1, "name": "Built up", "mean": 309.1},
    {"class": 2, "name": "Vineyard", "mean": 304.6},
    {"class": 3, "name": "Grassland", "mean": 301.2},
    {"class": 4, "name": "Woodland", "mean": 298.4},
]
WARM = ("statistics_by_class", result("statistics_by_class", ROWS, "K", input_path="Brda_2019-07-24_LST.tif"))
GREEN = (
    "calc_batch_image_mean",
    series([0.31, 0.66, 0.58], [f"Brda_2019-{day}_NDVI.tif" for day in ("04-20", "06-09", "08-28")], "1"),
)
SKY = (
    "calculate_cloud_cover",
    series([0.0, 100.0, 12.5], [f"Brda_2019-{day}_CLM.tif" for day in ("04-20", "06-09", "08-28")], "%"),
)


@pytest.mark.parametrize(
    ("found", "text", "right"),
    [
        (WARM, "Three classes exceed 300 K: built up, vineyard and grassland.", True),
        (WARM, "Three classes exceed 300 K: built up, vineyard and built-up land.", False),
        (WARM, "Vineyard is 3.4 K warmer than grassland.", True),
        (WARM, "Vineyard is 3.4 K warmer than vineyard (304.6 K against 301.2 K).", False),
        (WARM, "Of vineyard and grassland, grassland has 301.2 K.", True),
        (WARM, "Ranked by temperature: built up, vineyard, grassland, woodland.", True),
        (WARM, "Ranked by temperature: built up, grassland, vineyard, woodland.", False),
        (WARM, "Only two classes exceed 304 K: built up and vineyard.", True),
        (WARM, "Only two classes exceed 304 K: built up and grassland.", False),
        (GREEN, "From 20 April to 9 June 2019 the NDVI rose by 0.35.", True),
        (GREEN, "From 9 June to 20 April 2019 the NDVI rose by 0.35.", False),
        (GREEN, "Between 9 June and 9 June 2019 the NDVI rose by 0.35.", False),
        (GREEN, "It lay 0.08 lower on 28 August 2019 (0.58) than on 9 June 2019 (0.66).", True),
        (GREEN, "It lay 0.08 lower on 28 August 2019 (0.58) than on 28 August 2019 (0.66).", False),
        (GREEN, "It fell from 0.66 in June to 0.58 in August 2019.", True),
        (GREEN, "It was highest in June; in April it was 0.31.", True),
        (GREEN, "It was highest in July; in April it was 0.31.", False),
        (GREEN, "It was lowest on 20 April, when it was 0.31.", True),
        (GREEN, "It was lowest on 20 May, when it was 0.31.", False),
        (GREEN, "The peak of the summer is 0.66.", True),
        (GREEN, "The peak of the winter is 0.66.", False),
        (SKY, "9 June 2019 was completely overcast.", True),
        (SKY, "28 August 2019 was completely overcast.", False),
        (SKY, "28 August 2019 was partly cloudy.", True),
    ],
)
def test_what_is_listed_differs_and_a_time_goes_on(found: Any, text: str, right: bool):
    assert (Told("How was it in Brda in 2019?", text, (found,)).why() == "") is right


@pytest.mark.parametrize(
    ("text", "right"), [("Vineyard has 304.6 K: A.", True), ("Grassland has 304.6 K: A.", False)]
)
def test_the_number_of_an_option_is_of_what_is_told_of_it(text: str, right: bool):
    told = Told("How warm is the vineyard?", text, (WARM,), choices=("304.6 K", "309.1 K"), choice="A")
    assert (told.why() == "") is right


def test_a_name_stands_where_the_text_has_it():
    columns = [Column({"grassland": 1.0, "schrubland": 2.0})]
    text = "Shrubland 2, grassland 1, and grassland again"
    assert [(named.place, named.word, named.label) for named in names_at_places(text, columns)] == [
        (0, "shrubland", "schrubland"),
        (13, "grassland", "grassland"),
        (30, "grassland", "grassland"),
    ]
