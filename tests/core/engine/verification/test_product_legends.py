"""What the classes of rasters are called that a run made: as its calls named them."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_attributions import raster, wrote
from tests.core.engine.verification.test_cheats import Told, result

BELTS = wrote(
    "raster_calculator",
    raster("belts.tif", "classes", "class", minimum=1.0, maximum=2.0),
    formula="where(d < 690, 1, 2)",
    rasters={"d": "Pohorje_DEM.tif"},
    class_names={"1": "lower belt", "2": "upper belt"},
)
HEIGHTS = (
    "statistics_by_class",
    result(
        "statistics_by_class",
        [{"1": 680.8, "2": 741.6}],
        "m",
        file_list=["Pohorje_DEM.tif"],
        classes_path="belts.tif",
    ),
)
LEGEND = {"holdings": "@landcover classes: 1 Water, 2 Cropland"}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The lower belt has a mean of 680.8 m, the upper belt one of 741.6 m.", True),
        ("The upper belt has a mean of 680.8 m.", False),
        ("The lower belt is the highest.", False),
        ("Cropland has a mean of 741.6 m.", False),
    ],
)
def test_numbers_are_of_the_classes_that_a_call_named(text: str, right: bool) -> None:
    assert (Told("How high are the belts?", text, (BELTS, HEIGHTS), context=LEGEND).why() == "") == right
