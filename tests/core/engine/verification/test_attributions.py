"""What a clause mentions: its numbers, and the classes and dates that it names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import Observation, ProductRecord
from treeline.core.engine.verification.told_numbers import mentions_told


@pytest.mark.parametrize(
    ("classes", "clause", "named"),
    [
        (["beech forest"], "The forest covers it.", ["forest"]),
        (["open water"], "The water covers it.", ["water"]),
        (["paved road"], "The road covers it.", []),  # so short a word is often of something else
        (["paved road"], "The paved road covers it.", ["paved road"]),
    ],
)
def test_of_a_class_the_kind_names_it_too_where_it_is_no_short_word(
    classes: list[str], clause: str, named: list[str]
):
    answer = SimpleNamespace(
        legend=dict(enumerate(classes)), names_of_facts=frozenset[str](), columns=list[object]()
    )
    assert [mention.label for mention in mentions_told(answer, clause)] == named  # type: ignore[arg-type]


POOLED = (
    "calc_batch_image_pooled_statistics",
    result(
        "calc_batch_image_pooled_statistics",
        {"mean": 0.6594, "std": 0.1047, "min": 0.0515, "max": 0.8602, "sum": 60788.4, "count": 92187},
        "1",
        file_list=[f"Lake_2017-{day}_NDVI.tif" for day in ("06-20", "07-05", "07-25", "08-24")],
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "Pooled, the mean NDVI of June to August 2017 was 0.659.",
        "The mean NDVI from June to August 2017 was 0.659.",
        "The mean NDVI between June and August 2017 was 0.659.",
        "The mean NDVI of June through August 2017 was 0.659.",
        "The mean NDVI from 2017-06-20 to 2017-08-24 was 0.659.",
    ],
)
def test_what_is_of_a_time_may_be_told_behind_its_end(text: str):
    assert Told("How green was it in summer 2017?", text, (POOLED,)).why() == ""


@pytest.mark.parametrize(
    "text",
    [
        "The mean NDVI of August 2017 was 0.659.",
        "The mean NDVI of July to August 2017 was 0.659.",
        "The mean NDVI of June and August 2017 was 0.659.",
        "The mean NDVI of June 2017 and August 2017 was 0.659.",
        "The mean NDVI from 2017-07-05 to 2017-08-24 was 0.659.",
    ],
)
def test_what_is_of_a_longer_time_is_none_of_a_part(text: str):
    assert "0.659 is of 2017-06-20" in Told("How green was it in summer 2017?", text, (POOLED,)).why()


@pytest.mark.parametrize(("held", "right"), [(3, True), (5, False)])
def test_the_highest_of_all_dates_is_of_one_and_stands_beside_the_others(held: int, right: bool):
    files = [f"Lake_2021-0{month}-03_NDVI.tif" for month in (5, 6, 7)]
    shares = ("calc_batch_threshold_ratio", series([12.0, 42.1, 30.5], files, "%"))
    told = Told(
        "Which share lay above 0.5 on 3 June 2021?",
        "42.1 % lay above 0.5 on 3 June 2021 - the highest share of all dates.",
        (shares,),
        context={"holdings": f"@ndvi: rasters of 2021: {held}"},
    )
    assert (told.why() == "") == right


def raster(name: str, role: str, unit: str, **numbers: float) -> ProductRecord:
    return ProductRecord(name, name, role, unit, **numbers)


def wrote(tool: str, product: ProductRecord, **arguments: Any) -> tuple[str, Observation]:
    seen = Observation("result", f"wrote {product.name}", products=(product,), arguments=arguments)
    return tool, seen


STEEPNESS = (
    wrote(
        "calculate_slope",
        raster("steep.tif", "terrain_slope", "degree", minimum=0.4, maximum=41.27, mean=12.46),
        dem_path="Pohorje_DEM.tif",
    ),
    ("calc_batch_image_mean", result("calc_batch_image_mean", [904.8], "m", file_list=["Pohorje_DEM.tif"])),
)


def test_of_a_variable_that_is_not_known_nothing_is_said():
    soil = wrote(
        "soil_of", raster("s.tif", "soil_tone", "", minimum=0.4, maximum=1.3, mean=0.72), path="b4.tif"
    )
    assert Told("Describe it.", "The mean NDVI is 0.72.", (soil,)).why() == ""


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The mean slope is 12.5\u00b0.", True),
        ("The mean elevation is 12.5\u00b0.", False),
        ("The mean elevation is 904.8 m.", True),
        ("The mean slope is 904.8 m.", False),
        ("The land with a slope of 12.5\u00b0 lies at 904.8 m.", True),
        ("Where the slope is less, the mean elevation is 904.8 m.", True),
    ],
)
def test_a_number_is_of_the_variable_that_was_read(text: str, right: bool):
    assert (Told("Describe the terrain.", text, STEEPNESS).why() == "") is right


BEECH = (
    wrote("calculate_slope", raster("s.tif", "terrain_slope", "degree", mean=12.46), dem_path="P_DEM.tif"),
    wrote("rasterize_features", raster("beech.tif", "mask", "class", mean=0.31), only={"TYPE": "beech"}),
    wrote(
        "keep_where",
        raster("s_beech.tif", "terrain_slope", "degree", minimum=1.2, maximum=33.1, mean=17.92),
        image_path="s.tif",
        condition_path="beech.tif",
    ),
)


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("What is the mean slope of the beech?", "17.9 degrees.", True),
        ("What is the mean slope of the beech?", "12.5 degrees.", False),  # that of the whole
        ("What is the mean slope of the beech?", "33.1 degrees; it begins at 1.2 degrees.", False),
        ("What is the maximum slope of the beech?", "33.1 degrees; it begins at 1.2 degrees.", True),
    ],
)
def test_the_first_number_is_of_what_the_question_asks(question: str, text: str, right: bool):
    assert (Told(question, text, BEECH).why() == "") is right


SKY = (
    "calculate_cloud_cover",
    result("calculate_cloud_cover", 0.0, "%", qa_pixel_path="P_2020-05-04_QA.tif"),
)
GREEN = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 63.4, "%", image_paths="P_2020-05-04_NDVI.tif", threshold=0.7),
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("63.4 % of the pixels.", True),
        ("0.0 % of the pixels.", False),
        ("63.4 % of the pixels; no cloud covers any (0 %).", True),
        ("63.4 % of the pixels; the image is clear (0.0 %).", True),
        ("63.4 % of the pixels. 0.0 % were masked out as clouds.", True),
        ("0.7 % of the pixels.", False),  # the limit of an index is no share
    ],
)
def test_how_cloudy_it_was_is_no_share_of_something_else(text: str, right: bool):
    asked = "Which share had an NDVI above 0.7 on 2020-05-04?"
    assert (Told(asked, text, (GREEN, SKY)).why() == "") is right


@pytest.mark.parametrize(("told", "right"), [("0.5127", True), ("0.00", False), ("1.00", False)])
def test_what_has_decimals_does_not_count_what_is_listed(told: str, right: bool):
    means = ("calc_batch_image_mean", series([0.5127], ["Brda_2020-05-04_NDVI.tif"], "1"))
    assert (Told("What is the mean NDVI?", f"It is {told}.", (means, SKY)).why() == "") is right


FLOODS = (
    "calc_batch_image_sum",
    series([412.0, 233.0, 377.0], [f"Delta_2017-0{n}-06_flood.tif" for n in (6, 7, 8)], "km2"),
)


@pytest.mark.parametrize(("told", "right"), [("340.7", True), ("233.0", False)])
def test_how_many_there_are_beside_a_mean_is_no_other_statistic(told: str, right: bool):
    text = f"{told} km\u00b2, averaged over the 3 scenes."
    assert (Told("How large was the flood?", text, (FLOODS,)).why() == "") is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The cloudy share went up from 35.3 % in 2016 to 39.7 % in 2017.", False),
        ("The cloudy share went down from 39.7 % in 2016 to 35.3 % in 2017.", True),
        ("By 2017 it had fallen (from 39.7 % to 35.3 %).", True),
        ("It was 39.7 % in 2016, and 35.3 % in 2017.", True),
        ("It was 35.3 % in 2016, and 39.7 % in 2017.", False),
    ],
)
def test_a_number_of_one_year_is_none_of_the_other_beside_it(text: str, right: bool):
    of_years = tuple(
        (
            "pooled_image_statistic",
            result(
                "pooled_image_statistic",
                share,
                "%",
                file_list=[f"Cloud_{year}-0{n}-12.tif" for n in (5, 6, 7)],
            ),
        )
        for year, share in ((2016, 39.71), (2017, 35.28))
    )
    assert (Told("Did it get cloudier?", text, of_years).why() == "") is right
