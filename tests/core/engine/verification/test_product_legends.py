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


DRY = wrote(
    "raster_calculator",
    raster("dry.tif", "mask", "class", minimum=0.0, maximum=1.0),
    formula="n < 0.4",
    rasters={"n": "Pohorje_NDVI.tif"},
    class_names={"0": "moist", "1": "dry"},
)


@pytest.mark.parametrize(
    ("classes", "text", "right"),
    [
        ("belts.tif", "Of the lower belt 12.3 % is dry, of the upper belt 4.6 %.", True),
        ("belts.tif", "Of the lower belt 4.6 % is dry, of the upper belt 12.3 %.", False),
        ("@landcover", "Of the water 12.3 % is dry, of the cropland 4.6 %.", True),
        ("@landcover", "Of the water 4.6 % is dry, of the cropland 12.3 %.", False),
    ],
)
def test_the_names_of_a_mask_are_none_of_the_classes_that_it_is_measured_in(
    classes: str, text: str, right: bool
) -> None:
    parts = result(
        "statistics_by_class",
        [{"1": 12.31, "2": 4.62}],
        "%",
        file_list=["dry.tif"],
        classes_path=classes,
        statistic="share",
    )
    found = (BELTS, DRY, ("statistics_by_class", parts))
    assert (Told("Where is it dry?", text, found, context=LEGEND).why() == "") is right
