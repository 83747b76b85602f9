"""Numbers are held against the dates, classes and zones of their own clause."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.engine.verification.test_cheats import (
    AREA_ROWS,
    AREAS,
    MEANS,
    NDVI_FILES,
    SUMMERS,
    Told,
    result,
    series,
)
from treeline.core.engine.actions import Observation, ProductRecord

NDVI = (MEANS, series([0.2512, 0.6134, 0.4327], NDVI_FILES, "1"))
FOREST = (AREAS, result(AREAS, AREA_ROWS, "ha", input_path="Lake_LULC.tif"))
DATES = ("summarize_dates", result("summarize_dates", {"count": 68, "dates": 67, "longest_gap_days": 70}))
SHARES = [
    {"zone": 1, "name": "Ajdov", "forest": 38.2, "urban": 12.5},
    {"zone": 2, "name": "Gorica", "forest": 55.1, "urban": 18.3},
]
ZONES = ("zonal_class_shares", result("zonal_class_shares", SHARES, "%", input_path="Vipava_lulc.tif"))


@pytest.mark.parametrize(
    ("found", "text", "why"),
    [
        (FOREST, "Forest (412.6 ha) and meadow (204.7 ha) lie there.", ""),
        (FOREST, "Forest (204.7 ha) and meadow (412.6 ha) lie there.", "204.7 is of meadow"),
        (FOREST, "Forest and meadow cover 412.6 ha and 204.7 ha.", ""),
        (FOREST, "Forest and meadow cover 204.7 ha and 412.6 ha.", "204.7 is of meadow"),
        (FOREST, "Forest outweighs meadow (412.6 against 204.7 ha).", ""),
        (FOREST, "Meadow has 204.7 ha, which makes 61.3 %.", "61.3 is of forest"),
        (FOREST, "Meadow has 204.7 ha, which makes 30.4 %.", ""),
        (FOREST, "Meadow is smaller than forest, and it has 204.7 ha.", ""),
        (NDVI, "From May to July 2021 it gained 0.3622.", ""),
        (NDVI, "From July to August 2021 it lost 0.3622.", "0.3622 lies between"),
        (NDVI, "By August 2021 it had fallen to 0.43.", ""),
        (NDVI, "By August 2021 it had risen to 0.43.", ""),  # since May it has
        (NDVI, "By July 2021 it had fallen to 0.61.", "From 0.2512 to 0.6134 it rises"),
        (ZONES, "12.5 % of Ajdov is urban.", ""),
        (ZONES, "12.5 % of Gorica is urban.", "12.5 is of ajdov"),
        (DATES, "There are 68 images on 67 dates.", ""),
        (DATES, "There are 67 images.", "67 is the number of dates; of images"),
        (DATES, "There are 68 dates.", "68 is the number of count; of dates"),
    ],
)
def test_a_number_is_of_what_its_own_clause_names(found: Any, text: str, why: str):
    told = Told("What is there?", text, (found,)).why()
    assert told.startswith(why) if why else told == ""


FIVE = [
    {"name": name, "area": area}
    for name, area in (("Town", 40.0), ("Water", 20.0), ("Wood", 121.0), ("Field", 300.0), ("Marsh", 77.0))
]


@pytest.mark.parametrize(
    ("amount", "right"),
    [
        ("have 181 ha", True),
        ("have 182 ha", False),
        ("average 60.33 ha", True),
        ("average 61.33 ha", False),
    ],
)
def test_several_together_have_their_sum_and_their_mean(amount: str, right: bool):
    table = ("zonal_statistics", result("zonal_statistics", FIVE, "ha"))
    told = Told("How large are the zones?", f"Water and Wood and Town together {amount}.", (table,))
    assert (told.why() == "") is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Forest and meadow together cover 617.3 ha.", True),
        ("Forest and meadow together cover 260.6 ha.", False),
    ],
)
def test_what_numbers_in_hand_come_to_is_of_the_classes_that_they_are_of(text: str, right: bool):
    total = float(text.split()[-2])
    reckoned = ("calculate", result("calculate", total, formula="a + b", values={"a": 204.7, "b": 55.9}))
    right_too = ("calculate", result("calculate", total, formula="a + b", values={"a": 412.6, "b": 204.7}))
    told = Told("How large are they?", text, (FOREST, right_too if right else reckoned))
    assert (told.why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("In 2021 it first rose to 0.6134 and then fell to 0.4327.", True),
        ("It fell to 0.4327 in August, before recovering to 0.6134.", False),
    ],
)
def test_what_comes_next_is_of_a_later_date(text: str, right: bool):
    assert (Told("How did the NDVI develop?", text, (NDVI,)).why() == "") == right


@pytest.mark.parametrize(
    "question",
    ["How much warmer were July and August 2022 than in 2021?", "By how much did it rise from 2021 to 2022?"],
)
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It was warmer by 5.75 K in July and 1.30 K in August.", True),
        ("5.8 K in July and 1.3 K in August.", True),
        ("It was warmer by 1.30 K in July and 5.75 K in August.", False),
        ("1.3 K in July and 5.8 K in August.", False),
    ],
)
def test_what_each_month_changes_by_between_two_years_is_of_that_month(question: str, text: str, right: bool):
    assert (Told(question, text, (SUMMERS,)).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("From 3 to 12 July 2021 it rose only slightly (0.59 to 0.61).", True),
        ("From 3 to 12 July 2021 it rose only slightly (0.61 to 0.59).", False),
    ],
)
def test_the_first_of_two_days_of_a_month_is_a_day_of_it(text: str, right: bool):
    files = ["Lake_2021-07-03_NDVI.tif", "Lake_2021-07-12_NDVI.tif", "Lake_2021-08-20_NDVI.tif"]
    seen = ((MEANS, series([0.59, 0.61, 0.43], files, "1")),)
    assert (Told("How did the NDVI develop?", text, seen).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The mean of the two images of 2022 is 304.3 K.", True),
        ("The mean of the three images of 2022 is 304.3 K.", False),
    ],
)
def test_a_mean_of_a_year_is_of_as_many_images_as_the_year_has(text: str, right: bool):
    assert (Told("What was the mean of 2022?", text, (SUMMERS,)).why() == "") == right


HEIGHTS = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [{"zone": 1, "name": "Pohorje", "mean": 1046.5}, {"zone": 2, "name": "Kozjansko", "mean": 412.3}],
        "m",
        input_path="dem.tif",
    ),
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Pohorje has a mean of 1046.5 m.", True),
        ("Pohorje has a mean of 634.2 m.", False),  # which lies between both
        ("Pohorje, at 1046.5 m (much higher than Kozjansko).", True),
        ("Pohorje, at 412.3 m (much higher than Kozjansko).", False),
    ],
)
def test_what_a_place_has_is_not_what_it_differs_by(text: str, right: bool):
    assert (Told("Describe Pohorje.", text, (HEIGHTS,)).why() == "") is right


DRY = ["Reka_2020-04-09_NDVI.tif", "Reka_2020-06-28_NDVI.tif", "Reka_2020-08-07_NDVI.tif"]
LEAVES = (MEANS, series([0.2504, 0.6187, 0.4027], DRY, "1"))
LISTED = ("get_filelist", result("get_filelist", DRY, dir_path="reka"))
HOT = (
    "calculate_threshold_ratio",
    result("calculate_threshold_ratio", 38.4, "%", image_path="Reka_2020-06-28_LST.tif", threshold=305.0),
)
FELL = ("percentage_change", result("percentage_change", -34.9, "%", a=0.6187, b=0.4027))


@pytest.mark.parametrize(
    ("found", "text", "right"),
    [
        # A limit, and a number in brackets, are no numbers that the date stands behind.
        (HOT, "38.4 % of the area exceeded 305 K (31.85 °C) on 28 June 2020.", True),
        (HOT, "38.4 % of the area exceeded 305 K (31.85 °C) on 7 August 2020.", False),
        # A date that leads in is of what comes behind it.
        (HOT, "On 28 June 2020, 38.4 % of the area exceeded 305 K.", True),
        (HOT, "On 7 August 2020, 38.4 % of the area exceeded 305 K.", False),
        # What is left over is of the same date.
        (HOT, "On 28 June 2020 61.6 % of the area did not exceed 305 K.", True),
        (HOT, "On 7 August 2020 61.6 % of the area did not exceed 305 K.", False),
        (LEAVES, "It is least green in early spring (9 April 2020, 0.25).", True),
        (LEAVES, "It is least green in early spring (28 June 2020, 0.25).", False),
        # 0.2504 is 0.40 times 0.6187, which is not told here.
        (LEAVES, "| Date | NDVI |\n|---|---|\n| 2020-08-07 | 0.40 |\n| 2020-04-09 | 0.25 |", True),
        (LEAVES, "| Date | NDVI |\n|---|---|\n| 2020-06-28 | 0.40 |\n| 2020-04-09 | 0.25 |", False),
        (LEAVES, "In April 2020 the NDVI is 0.40 times as much as in June.", True),
        (FELL, "The NDVI fell by 34.9 % from 28 June to 7 August 2020.", True),
        (FELL, "The NDVI fell by 34.9 % from 9 April to 7 August 2020.", False),
    ],
)
def test_a_number_is_of_the_date_that_is_told_of_it(found: Any, text: str, right: bool):
    question = "How warm and green was it in 2020, and which share exceeded 305 K?"
    first = LISTED if found is HOT else LEAVES
    assert (Told(question, text, (first, found)).why() == "") is right


CUT = (
    "keep_where",
    Observation(
        "result",
        "saved",
        value="summer.tif",
        products=(
            ProductRecord("summer.tif", "s", "ndvi", "1", minimum=0.4031, maximum=0.81, date="2020-06-28"),
        ),
    ),
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The NDVI fell from 0.619 on 28 June to 0.403 on 7 August 2020.", True),
        ("The NDVI rose from 0.250 on 9 April to 0.403 on 28 June 2020.", False),
        ("On 28 June 2020 the pixels range from 0.403 to 0.81.", True),
    ],
)
def test_the_least_pixel_of_a_raster_on_the_way_is_no_excuse(text: str, right: bool):
    assert (Told("How did the NDVI develop?", text, (LEAVES, CUT)).why() == "") is right


TURNED = (
    "transitions",
    result(
        "transitions",
        [
            {"from": "pasture", "to": "orchard", "area": 31.6},
            {"from": "pasture", "to": "wood", "area": 54.2},
            {"from": "pasture", "to": "pasture", "area": 120.9},
            {"from": "wood", "to": "pasture", "area": 8.3},
        ],
        "ha",
    ),
)


def marked(name: str, area: float) -> tuple[tuple[str, Observation], ...]:
    mask = f"mask_{name}.tif"
    made = (ProductRecord(mask, mask, "mask", "", minimum=0.0, maximum=1.0, mean=0.4),)
    given = {"vector_path": "Reka.gpkg", "output_path": mask, "only": {"NAME": name}}
    return (
        ("rasterize_features", Observation("result", mask, value=mask, arguments=given, products=made)),
        ("calculate_area", result("calculate_area", area, "ha", input_image_path=mask)),
    )


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("93.7 ha: 76.0 ha of orchard and 17.7 ha of pasture.", True),
        ("93.7 ha: 76.0 ha of pasture and 17.7 ha of orchard.", False),
    ],
)
def test_so_much_of_a_class_is_its_number(text: str, right: bool):
    steps = (*marked("orchard", 76.0), *marked("pasture", 17.7))
    assert (Told("How large are orchard and pasture together?", text, steps).why() == "") is right


GROWN = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"name": "Hops", "may": 0.36, "august": 0.25}, {"name": "Oats", "may": 0.41, "august": 0.38}],
    ),
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Oats (0.41 to 0.38) and hops (0.36 to 0.25) lost greenness.", True),
        ("Hops (0.41 to 0.38) and oats (0.36 to 0.25) lost greenness.", False),
    ],
)
def test_from_so_much_to_so_much_is_of_what_stands_before_the_bracket(text: str, right: bool):
    assert (Told("Which crops lost greenness from May to August?", text, (GROWN,)).why() == "") is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It is greenest on 28 June 2020.", True),
        ("The maximum was reached on 28 June 2020.", True),
        ("The maximum was reached on 17 July 2020.", False),
        ("The second image is of 28 June 2020.", True),
        ("The greenest is the second image, of 28 June 2020.", True),
        ("The greenest is the third image, of 28 June 2020.", False),
    ],
)
def test_a_date_is_one_that_was_measured_and_stands_at_its_place(text: str, right: bool):
    clouds = ("calculate_cloud_cover", series([0.0, 61.0], [DRY[1], "Reka_2020-07-17_CLM.tif"], "%"))
    assert (Told("When was it greenest in 2020?", text, (clouds, LEAVES)).why() == "") is right


STEPS_DOWN = (
    "step_changes",
    Observation(
        "result",
        "2021-07-12 none; 2021-08-20 -5.2; 2021-09-25 -7.4",
        value=[None, -5.2, -7.4],
        arguments={"values": [0.61, 0.58, 0.54], "how": "percent_change"},
    ),
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It gained momentum: first minus 5.2 %, later minus 7.4 %.", True),
        ("At first it lost 5.2 %, then 7.4 %.", True),
        ("Initially it fell by 5.2 %, and in the second step by 7.4 %.", True),
    ],
)
def test_what_is_told_first_is_of_the_earlier_date(text: str, right: bool):
    why = Told("How did NDVI decline from July to September 2021?", text, (STEPS_DOWN,)).why()
    assert ("which is before it" not in why) is right, why


YEARS_APART = (
    (
        MEANS,
        series([288.7, 301.7, 304.0], [f"Lake_2022-{d}_LST.tif" for d in ("05-12", "06-15", "08-20")], "K"),
    ),
    (
        MEANS,
        series([287.6, 296.3, 297.0], [f"Lake_2021-{d}_LST.tif" for d in ("05-16", "06-19", "08-24")], "K"),
    ),
    (
        "combine_values",
        Observation(
            "result",
            "2022-05-12 1.1; 2022-06-15 5.4; 2022-08-20 7.0",
            value=[1.1, 5.4, 7.0],
            arguments={
                "left": [288.7, 301.7, 304.0],
                "right": [287.6, 296.3, 297.0],
                "operation": "subtract",
            },
        ),
    ),
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("August: the 2022 image was 7.0 K warmer than its counterpart.", True),
        ("August, by 7.0 K.", True),
        ("August (+7.0 K).", True),
        ("June: the 2022 image was 7.0 K warmer than its counterpart.", False),
        ("In June 2022 it was 7.0 K warmer than a year earlier.", False),
        ("June 2022 was 7.0 K warmer than the previous one.", False),
        ("June, by 7.0 K.", False),
        ("June (+7.0 K).", False),
    ],
)
def test_what_a_month_has_more_than_a_year_before_is_its_own(text: str, right: bool):
    asked = "In which month was 2022 furthest ahead of 2021 in surface temperature?"
    why = Told(asked, text, YEARS_APART).why()
    assert (why == "") is right, why


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("On 2020-06-20 it rose from 0.41 to 0.63.", True),
        ("On 2020-06-20 it rose from 0.17 to 0.63.", False),  # of the date before that
        ("On 2020-06-20 it was 0.41.", False),
    ],
)
def test_what_it_rose_from_on_a_date_is_the_number_of_the_date_before(text: str, right: bool):
    files = [f"Savinja_{day}_NDVI.tif" for day in ("2020-04-03", "2020-05-11", "2020-06-20")]
    found = ("calc_batch_image_mean", series([0.17, 0.41, 0.63], files, "1"))
    assert (Told("How did it develop?", text, (found,)).why() == "") == right
