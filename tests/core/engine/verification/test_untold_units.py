"""A number without a unit has in an answer one that something tells."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result

ROWS = [{"name": "Loka", "mean": 418.6}, {"name": "Selca", "mean": 813.2}]


@pytest.mark.parametrize(
    ("text", "file", "question", "unit"),
    [
        ("Loka has 418.6 ft.", "dem.tif", "What has Loka?", "ft"),
        ("Loka has 418.6 km.", "dem.tif", "What has Loka?", "km"),
        ("Loka has 418.6 m.", "dem.tif", "What has Loka?", ""),  # elevations are in metres
        ("Loka has 418.6 m.", "values.tif", "What has Loka?", "m"),
        ("Loka has 418.6 m.", "values.tif", "What has Loka in m?", ""),
        ("Loka has 1373 ft.", "dem.tif", "What has Loka?", ""),
        ("Loka has 418.6.", "values.tif", "What has Loka?", ""),
        ("Loka has 418.6 %.", "values.tif", "What has Loka?", ""),
    ],
)
def test_a_unit_is_told_by_the_results_or_the_question(text: str, file: str, question: str, unit: str):
    means = ("zonal_statistics", result("zonal_statistics", ROWS, "", input_path=file))
    why = Told(question, text, (means,)).why()
    assert why == (
        f"No cited step tells the unit of 418.6, which the answer gives in {unit}." if unit else ""
    )


# Where a pixel is a hectare, pixels that a mask marks and areas are the same numbers.
LEGEND = {"holdings": "@landcover classes: 1 Meadow, 2 Shrubs, 3 Conifer forest"}
MARKS = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"1": 1777.0, "3": 7810.0}],
        statistic="sum",
        file_list=["mask_joined.tif"],
        classes_path="Loka_LULC.tif",
    ),
)
HECTARES = (
    "area_by_class",
    result(
        "area_by_class",
        [
            {"class": 1, "pixels": 1777, "area": 1777.0},
            {"class": 2, "pixels": 358, "area": 358.0},
            {"class": 3, "pixels": 7810, "area": 7810.0},
        ],
        "ha",
        input_path="Loka_LULC.tif",
    ),
)
APART = ("difference", result("difference", 6033.0, a=7810.0, b=1777.0))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Meadow covers 1,777 ha.", True),
        ("Meadow covers 17.77 km\u00b2.", True),
        ("Meadow covers 1,777 km\u00b2.", False),
        ("Meadow has 1,777 pixels.", True),
        ("Conifer forest covers 6,033 ha more than meadow.", True),
        ("Conifer forest covers 6,033 km\u00b2 more than meadow.", False),
        ("Meadow and conifer forest cover 9,587 ha together.", True),
        ("Meadow and conifer forest cover 9,587 km\u00b2 together.", False),
    ],
)
def test_where_a_pixel_is_a_hectare_areas_keep_their_unit(text: str, right: bool):
    question = "What is the area of each class in hectares?"
    for steps in ((HECTARES,), (MARKS, HECTARES), (MARKS, HECTARES, APART)):
        assert (Told(question, text, steps, context=LEGEND).why() == "") is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("33.3 % of it is reed.", True),
        ("33.3 percentage points of it are reed.", False),
        ("Less than before: only 33.3 percentage points of the shore are reed.", False),
    ],
)
def test_percentage_points_tell_how_far_two_shares_lie_apart(text: str, right: bool):
    reed = ("ratio_of_values", result("ratio_of_values", 33.3333))
    assert (Told("How much of the shore is reed?", text, (reed,)).why() == "") is right
