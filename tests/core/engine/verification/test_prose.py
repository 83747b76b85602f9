"""True sentences of longer answers that are no cheats, and the false ones beside them."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.actions import Observation, ProductRecord

COVERS = [
    {"class": n, "name": name, "area_ha": area, "patches": patches, "mean_patch_ha": area / patches}
    for n, name, area, patches in ((1, "Lake", 220.0, 2), (2, "Reed", 41.0, 60), (3, "Willow", 239.0, 90))
]
PIECES = (
    "landscape_metrics",
    result("landscape_metrics", {"classes": COVERS, "patches": 152, "shannon_diversity": 1.62}),
)
KINDS = (
    "area_by_class",
    result(
        "area_by_class",
        [
            {"class": 1, "name": "Beech forest", "area": 38.7},
            {"class": 2, "name": "Pine forest", "area": 22.5},
            {"class": 3, "name": "Meadow", "area": 40.0},
        ],
        "ha",
    ),
)
TREND = ("mann_kendall_test", result("mann_kendall_test", {"trend": "no trend", "p": 0.212, "slope": 0.04}))
FILES = ["Mura_2021-04-03_NDVI.tif", "Mura_2021-06-22_NDVI.tif"]
GREENING = (
    (
        "change_mask",
        result(
            "change_mask",
            {"result": "change.tif", "increase_percent": 41.7, "decrease_percent": 0.58},
            before_path=FILES[0],
            after_path=FILES[1],
        ),
    ),
    (
        "area_by_class",
        result("area_by_class", [{"class": 1, "percent": 41.7}, {"class": 2, "percent": 0.58}], "%"),
    ),
    (
        "statistics_by_class",
        Observation(
            "result",
            "",
            value=[
                {"lake": -0.21, "reed": 0.32, "willow": 0.51},
                {"lake": -0.17, "reed": 0.60, "willow": 0.52},
            ],
            arguments={"file_list": FILES, "classes_path": "Mura_LULC.tif"},
            unit="index",
        ),
    ),
)


@pytest.mark.parametrize(
    ("results", "true", "false"),
    [
        ((PIECES,), "The lake consists of two patches.", "The lake consists of 90 patches."),
        (
            (PIECES,),
            "Reed has the smallest patches, 0.68 ha on average.",
            "Willow has the smallest patches, 2.66 ha on average.",
        ),
        ((KINDS,), "Forests have 61.2 ha.", "Forests have 38.7 ha."),
        ((TREND,), "Not one that can be called significant.", "It can be called significant."),
        (GREENING, "A fall of that size is limited to 0.58 %.", "A fall of that size is limited to 41.7 %."),
        (
            GREENING,
            "| cover | change |\n|---|---|\n| willow | +0.01 |\n| reed | +0.28 |",
            "| cover | change |\n|---|---|\n| willow | +0.28 |\n| reed | +0.01 |",
        ),
    ],
)
def test_true_prose_is_answered_and_false_prose_is_not(results, true: str, false: str):
    question = "What happened along the Mura, and how is it made up?"
    assert Told(question, true, results).why() == ""
    assert Told(question, false, results).why() != ""


SEASONS = (
    "phenology_of_zones",
    result(
        "phenology_of_zones",
        [
            {"zone": 1, "name": "Ribnica", "area_ha": 700.0, "length": 88.2, "amplitude": 0.31},
            {"zone": 2, "name": "Kočevje", "area_ha": 900.0, "length": 104.6, "amplitude": 0.22},
        ],
    ),
)


@pytest.mark.parametrize(("zone", "right"), [("Kočevje", True), ("Ribnica", False)])
def test_the_longest_season_is_the_one_that_lasts_longest(zone: str, right: bool):
    text = f"{zone} had the longest green season of them all."
    assert (Told("Which zone has the longest season?", text, (SEASONS,)).why() == "") == right


def test_how_far_the_ends_of_several_lie_apart_may_be_told():
    points = [{"x": 14.1, "y": 46.2, "value": 512.5}, {"x": 14.2, "y": 46.3, "value": 318.2}]
    found = ("sample_points", result("sample_points", [*points, {"x": 14.3, "y": 46.1, "value": 401.0}], "m"))
    for apart, right in ((194.3, True), (152.8, False)):
        text = f"From the highest to the lowest of them it is {apart} m."
        assert (Told("How high are the three points?", text, (found,)).why() == "") == right


SKY = (
    "calculate_cloud_cover",
    result("calculate_cloud_cover", 18.7, "%", qa_pixel_path="Mura_CLM_2021-04-03.tif"),
)
HEATS = (
    "statistics_by_class",
    Observation(
        "result",
        "",
        value=[
            {"1": 296.4, "2": 304.8, "3": 301.8, "4": 297.0},
            {"1": 299.0, "2": 310.0, "3": 309.1, "4": 303.1},
        ],
        arguments={
            "file_list": ["Mura_2021-07-20_LST.tif", "Mura_2022-07-18_LST.tif"],
            "classes_path": "c.tif",
        },
        unit="K",
    ),
)
MONTHS = (
    "calc_batch_image_mean",
    Observation(
        "result",
        "",
        value=[0.741, 0.502, 0.668, 0.531],
        arguments={
            "file_list": [
                f"Mura_{day}_NDVI.tif" for day in ("2021-07-20", "2021-10-02", "2022-07-18", "2022-10-04")
            ]
        },
        unit="1",
    ),
)
LINK = ("raster_correlation", result("raster_correlation", {"r": -0.412, "r_squared": 0.17, "pixels": 8400}))


@pytest.mark.parametrize(
    ("results", "true", "false"),
    [
        ((SKY,), "A good 80 % of the scene remained clear.", "A good 60 % of the scene remained clear."),
        (
            (LINK,),
            "The correlation over all 8,400 pixels is -0.41.",
            "The correlation over all 840 pixels is 0.41.",
        ),
        (
            (HEATS,),
            "| Class | 2021 |\n|---|---|\n| 2 | 304.8 |\n| 3 | 301.8 |\n| 4 | 297.0 |\n| 1 | 296.4 |",
            "| Class | 2021 |\n|---|---|\n| 2 | 301.8 |\n| 3 | 304.8 |\n| 4 | 297.0 |\n| 1 | 296.4 |",
        ),
        (
            (HEATS,),
            "Class 2 was the hottest in both years, at 304.8 K and then 310.0 K. All classes gained heat.",
            "Class 3 was the hottest in both years, at 301.8 K and then 309.1 K. All classes gained heat.",
        ),
        (
            (HEATS,),
            "Class 3 gained most, 7.3 K, and class 1 least, 2.6 K; the remaining two lie between.",
            "Class 3 gained most, 7.3 K, and class 1 least, 2.6 K; the remaining three lie between.",
        ),
        (
            (MONTHS,),
            "July was weaker in 2022, with a mean of 0.668 instead of 0.741 (step 1). October shows 0.531.",
            "July was weaker in 2022, with a mean of 0.531 instead of 0.741 (step 1). October shows 0.531.",
        ),
        (
            (MONTHS,),
            "In October 2022 it stands at 0.531 after 0.502 the year before.",
            "In October 2022 it stands at 0.668 after 0.502 the year before.",
        ),
    ],
)  # fmt: skip
def test_true_turns_of_speech_are_answered_and_their_cheats_are_not(results, true: str, false: str):
    question = "How did 2022 compare with 2021 along the Mura?"
    assert Told(question, true, results).why() == ""
    assert Told(question, false, results).why() != ""


def test_what_changes_in_all_is_told_as_so_much_and_not_by_the_second():
    text = "It flags 41.7 % as an increase but only 0.58 % as a decrease."
    assert Told("What happened along the Mura?", text, GREENING).why() == ""


@pytest.mark.parametrize(("choice", "right"), [("B", True), ("A", False)])
def test_an_option_may_be_the_number_of_a_class(choice: str, right: bool):
    text = f"Class {'2' if right else '3'} is the hottest, with 304.8 K on 2021-07-20."
    told = Told(
        "Which class was hottest on 2021-07-20?", text, (HEATS,), choices=("3", "2", "1"), choice=choice
    )
    assert (told.why() == "") == right


COVERED = {"holdings": "@landcover classes: 1 Water, 2 Meadow"}
BANDS = (
    "calc_batch_image_mean",
    Observation(
        "result",
        "2021-06-22 nir 0.2273; 2021-06-22 red 0.0415",
        value=[0.2273, 0.0415],
        arguments={"file_list": ["Mura_2021-06-22_B08.tif", "Mura_2021-06-22_B04.tif"]},
        unit="1",
    ),
)
ACCEPTS = "We accept scenes with less than 15 % cloud. Can we take 3 April 2021?"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Clouds hide 18.7 % of it, which satisfies your 15 % rule.", False),
        ("Clouds hide 18.7 % of it, which does not meet your 15 % rule.", True),
        ("No, 18.7 % is covered, which breaks your rule of 15 %.", True),
        ("Yes, with 18.7 % it is within the limit.", False),
        ("No, with 18.7 % it is not within the limit.", True),
    ],
)
def test_what_a_question_sets_as_a_rule_is_met_or_is_not(text: str, right: bool):
    assert (Told(ACCEPTS, text, (SKY,)).why() == "") == right


AREAS = (
    "area_by_class",
    result("area_by_class", [{"class": 1, "area": 75.95}, {"class": 2, "area": 17.76}], "ha"),
)
MATCHES = (
    "confusion_matrix",
    result(
        "confusion_matrix",
        {"users_accuracy": {"1": 0.971, "2": 0.836}, "producers_accuracy": {"1": 0.996, "2": 0.940}},
    ),
)
GREEN = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"name": n, "mean": m}
            for n, m in (("Ljutomer", 0.61), ("Radenci", 0.74), ("Lendava", 0.68), ("Velika", 0.70))
        ],
        "1",
    ),
)
SLOPE = ("sens_slope", result("sens_slope", {"slope": 1.41, "lower": -0.62, "upper": 3.44, "count": 12}))
HEIGHTS = (
    "zonal_statistics",
    result(
        "zonal_statistics",
        [
            {"name": "Ljutomer", "mean": 455.2, "max": 812.4},
            {"name": "Radenci", "mean": 370.3, "max": 1115.8},
        ],
        "m",
    ),
)


@pytest.mark.parametrize(
    ("question", "results", "true", "false"),
    [
        (
            "What area has each class?",
            (AREAS,),
            "| class | Area (ha) |\n|---|---|\n| 1 | 75.95 |\n| 2 | 17.76 |",
            "| class | Area (m\u00b2) |\n|---|---|\n| 1 | 75.95 |\n| 2 | 17.76 |",
        ),
        (
            "How accurate is each class?",
            (MATCHES,),
            "| Class | User's | Producer's |\n|---|---|---|\n| 1 | 0.971 | 0.996 |\n| 2 | 0.836 | 0.940 |",
            "| Class | User's | Producer's |\n|---|---|---|\n| 1 | 0.971 | 0.996 |\n| 2 | 0.940 | 0.836 |",
        ),
        (
            "Is there a slope?",
            (SLOPE,),
            "Sen's slope is 1.41, and its interval from -0.62 to 3.44 includes zero.",
            "Sen's slope is 1.41, and its interval from -0.62 to 3.44 leaves out zero.",
        ),
        (
            "Which zone is the highest?",
            (HEIGHTS,),
            "By its mean it is Ljutomer (455 m), but the highest point, at about 1,116 m, is in Radenci.",
            "By its mean it is Radenci (370 m), but the highest point, at about 1,116 m, is in Ljutomer.",
        ),
    ],
)  # fmt: skip
def test_tables_lists_and_intervals_are_held_against_what_they_are_of(
    question, results, true: str, false: str
):
    assert Told(question, true, results).why() == ""
    assert Told(question, false, results).why() != ""


FLOW = (
    "image_statistics",
    result("image_statistics", [8241600.0], "m2", file_list=["flow.tif"], statistic="max"),
)
SEASON = (
    "phenology",
    result("phenology", {"start": 109.0, "length": 141.0}, "day", file_list=["Mura_2021-03-02_NDVI.tif"]),
)
RATIO = (
    "image_division_mean",
    result("image_division_mean", 5.58, "1", image_path1="Mura_B08.tif", image_path2="Mura_B04.tif"),
)
LOSSES = (
    "area_by_class",
    result(
        "area_by_class",
        [{"class": 0, "area": 88.8}, {"class": 1, "area": 2.1}, {"class": 2, "area": 9.1}],
        "ha",
        input_path="change.tif",
    ),
)
MASK = (
    "change_mask",
    Observation(
        "result",
        "",
        value={"increase_percent": 2.06, "decrease_percent": 9.12},
        arguments={"before_path": FILES[0], "after_path": FILES[1]},
        products=(ProductRecord("change.tif", "products/change.tif", role="change_mask", unit="class"),),
    ),
)


@pytest.mark.parametrize(
    ("question", "results", "text", "right"),
    [
        ("How large is it?", (FLOW,), "The pixel collects water from 8,241,600 m\u00b2.", True),
        ("How large is it?", (FLOW,), "The pixel collects water from 824,160 m\u00b2.", False),
        ("When does it start?", (SEASON,), "It starts on day 109 of the year, which is 19 April 2021.", True),
        ("When does it start?", (SEASON,), "It starts on day 109 of the year, which is 12 May 2021.", False),
        (
            "How much brighter?",
            (RATIO, BANDS),
            "Per pixel NIR is 5.6 times as bright as red on average.",
            True,
        ),
        (
            "How much brighter?",
            (RATIO, BANDS),
            "Per pixel NIR is 3.1 times as bright as red on average.",
            False,
        ),
        ("What changed?", (MASK, LOSSES), "Losses cover 9.1 ha (9.12 %, or about 9 ha), gains 2.1 ha.", True),
        (
            "What changed?",
            (MASK, LOSSES),
            "Gains cover 9.1 ha (9.12 %, or about 9 ha), losses 2.1 ha.",
            False,
        ),
    ],
)
def test_further_turns_of_speech(question: str, results, text: str, right: bool):
    assert (Told(question, text, results, context=COVERED).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Less than 60 % of the scene was clear.", False),
        ("Less than 20 % of it remained clear.", False),
        ("Less than 20 % of it was cloudy.", True),
    ],
)
def test_a_bound_of_what_was_clear_is_not_one_of_the_clouds(text: str, right: bool):
    assert (Told("How cloudy was 3 April 2021?", text, (SKY,)).why() == "") == right
