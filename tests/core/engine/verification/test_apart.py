"""What several calls make up together that a direction, an index or a band tells apart."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import Told, result
from treeline.core.engine.actions import Observation, ProductRecord


def made(tool: str, file: str, **arguments: object) -> tuple[str, Observation]:
    """Return a call that wrote a raster."""
    product = ProductRecord(file, f"products/{file}", role="mask", unit="class", minimum=0, maximum=1)
    return tool, Observation("result", f"wrote {file}", arguments=arguments, products=(product,))


def area(file: str, hectares: float) -> tuple[str, Observation]:
    return "calculate_area", result("calculate_area", hectares, "ha", input_image_path=f"products/{file}")


SLOPES = (
    made("mask_slopes_facing", "one.tif", dem_path="Karst_DEM.tif", directions=["east"]),
    area("one.tif", 731.4),
    made("mask_slopes_facing", "two.tif", dem_path="Karst_DEM.tif", directions=["west"]),
    area("two.tif", 912.6),
)
INDICES = (
    made("spectral_index", "a.tif", name="MNDWI", raster_paths=["Karst_2020-06-11.tif"]),
    made("threshold_mask", "am.tif", input_path="products/a.tif", minimum=0.0),
    area("am.tif", 58.2),
    made("spectral_index", "b.tif", name="AWEI", raster_paths=["Karst_2020-06-11.tif"]),
    made("threshold_mask", "bm.tif", input_path="products/b.tif", minimum=0.0),
    area("bm.tif", 41.7),
)
BANDS = (
    (
        "calc_batch_image_mean",
        Observation(
            "result",
            "2020-06-11 red 0.0514; 2020-06-11 nir 0.3127; 2020-06-11 swir1 0.1406",
            value=[0.0514, 0.3127, 0.1406],
            arguments={"file_list": [f"Karst_2020-06-11_{band}.tif" for band in ("B04", "B08", "B11")]},
            unit="1",
        ),
    ),
)


@pytest.mark.parametrize(
    ("results", "right", "wrong"),
    [
        (SLOPES, "West-facing slopes are larger than east-facing ones.", "larger>smaller"),
        (SLOPES, "Western slopes cover 913 ha, eastern ones 731 ha.", "Western>Eastern eastern>western"),
        (SLOPES, "Slopes facing west have the largest area.", "largest>smallest"),
        (SLOPES, "Slopes that look west outweigh those that look east.", "outweigh>trail"),
        (INDICES, "AWEI finds less water than MNDWI.", "less>more"),
        (INDICES, "By MNDWI it is 58.2 ha and by AWEI 41.7 ha.", "MNDWI>AWEI AWEI>MNDWI"),
        (BANDS, "NIR is the brightest of the three.", "brightest>darkest"),
        (BANDS, "Near infrared is brighter than red.", "brighter>darker"),
        (BANDS, "The red band is the darkest at 0.051.", "darkest>brightest"),
    ],
)
def test_calls_are_told_apart_by_a_direction_an_index_or_a_band(results, right: str, wrong: str):
    question = "How do they compare?"
    assert Told(question, right, results).why() == ""
    false = " ".join(
        next((new for old, new in (pair.split(">") for pair in wrong.split()) if old == word), word)
        for word in right.split(" ")
    )
    assert false != right
    assert Told(question, false, results).why() != ""


def test_calls_without_a_word_of_their_own_are_not_told_apart():
    twice = (area("one.tif", 731.4), area("two.tif", 912.6))
    assert Told("How large is it?", "They have 731.4 ha and 912.6 ha.", twice).why() == ""
