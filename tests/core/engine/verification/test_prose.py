"""True sentences of longer answers that are no cheats, and the false ones beside them."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.actions import Observation

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
