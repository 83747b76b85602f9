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
