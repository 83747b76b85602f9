"""How much is said to lie between two limits, where results count by bins of a histogram or by classes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.actions import ProductRecord

HISTOGRAM = (
    "draw_histogram",
    result(
        "draw_histogram",
        {
            "saved": "h.png",
            "pixels": 5000,
            "edges": [280.0, 285.0, 290.0, 295.0, 300.0, 305.0],
            "counts": [900, 2100, 1200, 550, 250],
        },
        input_path="lst.tif",
    ),
)
SLICED = replace(
    result("reclassify_raster", "Result saved at c.tif", input_path="dem.tif", limits=[300, 600]),
    products=(ProductRecord("c.tif", "/p/c.tif", "classes", "class", minimum=1, maximum=3, mean=1.8),),
)
AREAS = result(
    "area_by_class",
    [
        {"class": 1.0, "pixels": 8000, "area": 80.0, "percent": 40.0},
        {"class": 2.0, "pixels": 7000, "area": 70.0, "percent": 35.0},
        {"class": 3.0, "pixels": 5000, "area": 50.0, "percent": 25.0},
    ],
    "ha",
    input_path="/p/c.tif",
)
BINS, BELTS = (HISTOGRAM,), (("reclassify_raster", SLICED), ("area_by_class", AREAS))
MEANS = result(
    "statistics_by_class",
    [{"1": 0.71, "2": 0.64, "3": 0.42}],
    "1",
    file_list=["Alp_2021-07-04_NDVI.tif"],
    classes_path="/p/c.tif",
)
GREEN = (("reclassify_raster", SLICED), ("statistics_by_class", MEANS))
WRONG = [
    (BINS, "Most pixels, 2,100, lie between 290 and 295 K."),
    (BINS, "The fullest bin is 280 to 285 K."),
    (BINS, "18 % lie between 285 and 290 K."),
    (BINS, "18 % are warmer than 285 K."),
    (BINS, "5 % of the pixels are warmer than 295 K."),
    (BINS, "| 280-285 | 900 |\n| 285-290 | 1,200 |\n| 290-295 | 2,100 |"),
    (BINS, "280-285, 285-290 and 290-295 K make up 18 %, 24 % and 42 %."),
    (BINS, "The fewest pixels fall into the bin from 295 to 300 K."),
    (BINS, "The majority of the pixels lies above 290 K."),
    (BINS, "The second bin holds 1,200 pixels."),
    (BINS, "Fewer pixels lie between 285 and 290 K (2,100) than between 290 and 295 K (1,200)."),
    (BELTS, "Below 300 m: 50 ha; 300 to 600 m: 70 ha; above 600 m: 80 ha."),
    (BELTS, "60 % of the land is lower than 300 m."),
    (BELTS, "A quarter of the land is below 300 m."),
    (BELTS, "The largest belt is the one above 600 m."),
    (GREEN, "NDVI is 0.64 below 300 m, 0.71 between 300 and 600 m and 0.42 above 600 m."),
    (GREEN, "Above 600 m NDVI averages 0.71."),
    (GREEN, "NDVI is highest above 600 m."),
    (GREEN, "NDVI is lower below 300 m than above 600 m."),
]
RIGHT = [
    (BINS, "Most pixels, 2,100, lie between 285 and 290 K."),
    (BINS, "The fullest bin is 285 to 290 K with 42 %."),
    (BINS, "18 % are cooler than 285 K."),
    (BINS, "16 % are at 295 K or more."),
    (BINS, "| 280-285 | 900 |\n| 285-290 | 2,100 |\n| 290-295 | 1,200 |"),
    (BINS, "280-285, 285-290 and 290-295 K make up 18 %, 42 % and 24 %."),
    (BINS, "Only 250 pixels fall into the emptiest bin, 300 to 305 K."),
    (BINS, "The majority of the pixels (60 %) is cooler than 290 K."),
    (BINS, "2,100 pixels (42 %) fall into the second bin, 285 to 290 K, and the topmost bin holds only 250."),
    (BINS, "More pixels lie between 285 and 290 K (2,100) than between 290 and 295 K (1,200)."),
    (BINS, "Some 900 are below 285 K, 2,100 in the next bin, and 250 in the last."),
    (BELTS, "Below 300 m: 80 ha; 300 to 600 m: 70 ha; above 600 m: 50 ha."),
    (BELTS, "60 % of the land is higher than 300 m."),
    (BELTS, "A quarter of the land is above 600 m."),
    (BELTS, "The largest belt is the one below 300 m."),
    (GREEN, "NDVI is 0.71 below 300 m, 0.64 between 300 and 600 m and 0.42 above 600 m."),
    (GREEN, "Above 600 m NDVI averages 0.42."),
    (GREEN, "NDVI is highest below 300 m (0.71)."),
    (GREEN, "NDVI is higher below 300 m than above 600 m."),
]


@pytest.mark.parametrize(("found", "text"), WRONG)
def test_what_is_told_of_another_band_is_unverified(found, text: str):
    assert Told("How are they distributed (limits 300 and 600 m)?", text, found).why() != ""


@pytest.mark.parametrize(("found", "text"), RIGHT)
def test_what_is_told_of_its_band_is_answered(found, text: str):
    assert Told("How are they distributed (limits 300 and 600 m)?", text, found).why() == ""
