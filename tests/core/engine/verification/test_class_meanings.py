"""What is said of classes and masks that tools made, by what the tools say that their numbers mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.actions import Observation, ProductRecord
from treeline.core.engine.verification.product_legends import classes_of_tool

Found = tuple[str, Observation]


def made(tool: str, role: str, highest: float, value: Any = None, **arguments: Any) -> Found:
    """Return a result that wrote a raster of classes."""
    product = ProductRecord("c.tif", "/p/c.tif", role, "class", minimum=0, maximum=highest, mean=0.31)
    return tool, replace(result(tool, value or "Result saved at c.tif", **arguments), products=(product,))


def areas(**by_class: float) -> Found:
    """Return a table of the areas of classes, by their numbers."""
    rows = [
        {"class": float(key[1:]), "pixels": int(100 * area), "area": area, "percent": area}
        for key, area in by_class.items()
    ]
    return "area_by_class", result("area_by_class", rows, "ha", input_path="/p/c.tif")


MARKED = areas(c0=69.0, c1=31.0)
SIGHT = (made("viewshed", "mask", 1, dem_path="dem.tif", point=[1, 2]), MARKED)
SNOW = (made("snow_mask", "mask", 1), MARKED)
FACING = (made("mask_slopes_facing", "mask", 1, dem_path="dem.tif", directions=["south"]), MARKED)
BURNT = (
    made("classify_burn_severity", "burn_severity", 5, dnbr_path="d.tif"),
    areas(c1=5.0, c2=69.0, c3=16.0, c5=10.0),
)
RELIEF = (made("classify_slope_position", "slope_position", 6), areas(c1=7.0, c3=69.0, c6=24.0))
CHANGED = (
    made(
        "change_mask",
        "change_mask",
        2,
        {"result": "saved", "lower": -0.2, "upper": 0.2, "increase_percent": 3.4, "decrease_percent": 11.2},
    ),
    areas(c0=85.4, c1=3.4, c2=11.2),
)


def halves() -> tuple[Found, ...]:
    """Return the means of NDVI on slopes that face east and west, which masks cut out."""
    steps: list[Found] = []
    for name in ("east", "west"):
        mask = ProductRecord(f"{name}.tif", f"/p/{name}.tif", "mask", "class", minimum=0, maximum=1)
        cut = ProductRecord(f"of_{name}.tif", f"/p/of_{name}.tif", "ndvi", "1", minimum=0, maximum=0.9)
        sloping = result("mask_slopes_facing", "Result saved", dem_path="dem.tif", directions=[name])
        kept = result(
            "keep_where",
            "Result saved",
            image_path="Alp_2021-07-04_NDVI.tif",
            condition_path=f"/p/{name}.tif",
            threshold=1,
            mode="equal",
        )
        steps.append(("mask_slopes_facing", replace(sloping, products=(mask,))))
        steps.append(("keep_where", replace(kept, products=(cut,))))
    files = ["/p/of_east.tif", "/p/of_west.tif"]
    steps.append(
        ("calc_batch_image_mean", result("calc_batch_image_mean", [0.61, 0.48], "1", file_list=files))
    )
    return tuple(steps)


SLOPES = halves()
WRONG = [
    (SIGHT, "69 % of the land can be seen, i.e. 69 ha."),
    (SIGHT, "31 ha stay hidden."),
    (SIGHT, "Visible: 69 ha\nInvisible: 31 ha"),
    (SNOW, "Snow covers 69 ha."),
    (SNOW, "31 % is not covered by snow."),
    (FACING, "South-facing slopes take 69 ha."),
    (FACING, "31 ha do not face south."),
    (BURNT, "Class 2 (high severity) has 69 ha."),
    (BURNT, "Class 2, the area of high severity, is the largest."),
    (BURNT, "69 ha burned with high severity."),
    (BURNT, "Low severity 10 ha, moderate-high severity 16 ha."),
    (BURNT, "Moderate-high severity is the largest class."),
    (RELIEF, "69 % of the land are ridges."),
    (RELIEF, "Valleys (class 6) cover 24 %."),
    (CHANGED, "11.2 % of the pixels have a higher NDVI and 3.4 % a lower one."),
    (CHANGED, "Greener ground: 11.2 %; browner ground: 3.4 %."),
    (CHANGED, "More ground gained (11.2 %) than lost (3.4 %) NDVI."),
    (CHANGED, "85.4 % increased."),
    (SLOPES, "West-facing slopes were greener, with a mean NDVI of 0.61."),
    (SLOPES, "NDVI averages 0.48 on eastern slopes and 0.61 on western ones."),
    (SLOPES, "West-facing slopes outdo those that face east by 0.13."),
]
RIGHT = [
    (SIGHT, "31 % can be seen, the rest, 69 %, is hidden."),
    (SIGHT, "69 % cannot be seen."),
    (SIGHT, "Visible: 31 ha\nInvisible: 69 ha"),
    (SIGHT, "| Class | ha |\n|---|---|\n| 0 (not seen) | 69 |\n| 1 (seen) | 31 |"),
    (SNOW, "Snow covers 31 ha."),
    (SNOW, "69 ha are snow-free."),
    (FACING, "69 ha face other directions."),
    (BURNT, "Class 2 (unburned) has 69 ha."),
    (BURNT, "Low severity 16 ha, moderate-high severity 10 ha; most of the land, 69 %, is unburned."),
    (BURNT, "Nothing burned with high severity."),
    (RELIEF, "Ridges take 24 ha."),
    (RELIEF, "Flat land is the largest class with 69 %."),
    (CHANGED, "3.4 % of the pixels have a higher NDVI and 11.2 % a lower one."),
    (CHANGED, "More ground lost (11.2 %) than gained (3.4 %) NDVI."),
    (CHANGED, "85.4 % did not change."),
    (SLOPES, "The slopes that face east were greener by 0.13."),
    (SLOPES, "NDVI averages 0.61 on eastern slopes and 0.48 on western ones."),
]


@pytest.mark.parametrize(("found", "text"), WRONG)
def test_a_class_that_is_told_as_another_is_unverified(found, text: str):
    assert Told("What was found, and how much snow?", text, found).why() != ""


@pytest.mark.parametrize(("found", "text"), RIGHT)
def test_a_class_that_is_told_as_what_it_is_is_answered(found, text: str):
    assert Told("What was found, and how much snow?", text, found).why() == ""


def test_tools_tell_what_their_classes_are():
    assert classes_of_tool("viewshed") == {"1": "seen", "0": "not seen"}
    assert classes_of_tool("classify_burn_severity")["2"] == "unburned"
    assert classes_of_tool("calculate_aspect") == {}  # whose numbers are degrees


def test_one_over_of_two_sizes_is_no_limit():
    found = areas(c1=41.2, c2=57.4)[1]
    rows = [{**row, "name": name} for row, name in zip(found.value, ("Meadow", "Forest"), strict=True)]
    text = "Meadow extends over 41.2 ha and forest over 57.4 ha."
    assert Told("How large are they?", text, (("area_by_class", replace(found, value=rows)),)).why() == ""
