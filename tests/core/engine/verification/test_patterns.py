"""What is said of patterns in space: clustered or at random, broken up or compact, the largest patch."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.actions import Observation

Found = tuple[str, Observation]


def morans_i(number: float, p: float) -> Found:
    """Return a Moran's I with the probability that it is by chance."""
    record = {"i": number, "expected": -0.0001, "z": 3.0, "p": p, "pixels": 9000}
    return "morans_i", result("morans_i", record, image_path="Alp_2021-07-04_NDVI.tif")


HIGH, LOW, NONE, BELOW = morans_i(0.91, 0.0), morans_i(0.22, 0.001), morans_i(0.01, 0.41), morans_i(-0.6, 0.0)
KEYS = ("class", "area_ha", "percent", "patches", "largest_patch_index", "mean_patch_ha", "edge_density")
PATCHES = (
    "landscape_metrics",
    result(
        "landscape_metrics",
        {
            "classes": [
                dict(zip(KEYS, row, strict=True))
                for row in (
                    (1, 60.0, 60.0, 4, 48.0, 15.0, 9.0),
                    (2, 30.0, 30.0, 25, 9.0, 1.2, 40.0),
                    (3, 10.0, 10.0, 12, 3.0, 0.83, 15.0),
                )
            ],
            "area_ha": 100.0,
            "patches": 41,
        },
        input_path="cover.tif",
    ),
)
LINK = ("correlation", result("correlation", {"r": -0.62, "p": 0.004, "n": 20}))
POOLED = (
    "raster_correlation",
    result("raster_correlation", {"r": 0.58, "r_squared": 0.3364, "slope": 2.4, "pixels": 5000}),
)
WRONG = [
    (LINK, "A clear positive one (r = -0.62)."),
    (LINK, "r = -0.62, a positive one."),
    (LINK, "Where NDVI is higher, the surface is warmer (r = -0.62)."),
    (POOLED, "Wherever NDVI increases, LST decreases; r is 0.58."),
    (POOLED, "With r = 0.58, for each additional 0.1 of NDVI LST is lower by 0.24."),
    (HIGH, "Moran's I is 0.91: NDVI is randomly distributed."),
    (HIGH, "With I = 0.91 there is no spatial pattern."),
    (HIGH, "I is 0.91, a chessboard-like alternation."),
    (HIGH, "Moran's I of 0.91 tells of weak clustering."),
    (HIGH, "Neighbouring pixels differ (I = 0.91)."),
    (HIGH, "It is not clustered: Moran's I is 0.91."),
    (HIGH, "Moran's I = 0.91: strong negative spatial autocorrelation."),
    (LOW, "Moran's I is 0.22: NDVI is strongly clustered."),
    (NONE, "With I = 0.01 it is clustered."),
    (BELOW, "With I = -0.6 it is clustered."),
    (PATCHES, "Class 2 is the least fragmented, with 25 patches."),
    (PATCHES, "Class 2 is the least broken up, with 25 patches in 30 % of the land."),
    (PATCHES, "Class 2 is the most compact: 25 patches."),
    (PATCHES, "Class 3 is more fragmented than class 2."),
    (PATCHES, "Class 1 consists of four patches, the smallest of which fills 48 % of the land."),
]
RIGHT = [
    (LINK, "A clear negative one (r = -0.62)."),
    (LINK, "Where NDVI is higher, the surface is cooler (r = -0.62)."),
    (POOLED, "With r = 0.58, for each additional 0.1 of NDVI LST is higher by 0.24."),
    (HIGH, "Moran's I is 0.91, so green pixels lie together."),
    (HIGH, "With I = 0.91 it is strongly clustered, not randomly spread."),
    (HIGH, "Neighbouring pixels are alike (I = 0.91)."),
    (HIGH, "Moran's I = 0.91: strong positive spatial autocorrelation."),
    (LOW, "Moran's I is 0.22: NDVI is weakly clustered."),
    (NONE, "With I = 0.01 and p = 0.41 NDVI shows no significant clustering."),
    (BELOW, "I = -0.6: unlike values lie next to each other as on a chessboard."),
    (PATCHES, "Class 2 is the most fragmented, with 25 patches."),
    (PATCHES, "Class 2 is the most broken up, with 25 patches in 30 % of the land."),
    (PATCHES, "Class 2 is the most patchy (25 patches), class 1 the least (4)."),
    (PATCHES, "Class 2 is more fragmented than class 3."),
    (PATCHES, "Class 1 consists of four patches, the largest of which fills 48 % of the land."),
]


@pytest.mark.parametrize(("found", "text"), WRONG)
def test_a_pattern_that_the_numbers_deny_is_unverified(found: Found, text: str):
    assert Told("How are they spread?", text, (found,)).why() != ""


@pytest.mark.parametrize(("found", "text"), RIGHT)
def test_a_pattern_that_the_numbers_bear_out_is_answered(found: Found, text: str):
    assert Told("How are they spread?", text, (found,)).why() == ""
