"""What the answer says of how the question was read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.core.policies.planner.arrays import Array, ratio, read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import evaluate
from tests.core.policies.planner.test_demo import bands
from treeline.core.query.expression import Aggregate, Variable


def test_elevation_has_no_clouds(ask: Ask, demo: Path) -> None:
    assert "loudy" not in answer_of(ask("What is the highest elevation?", demo)).text


def test_the_usual_form_of_ndwi_is_said(ask: Ask, demo: Path) -> None:
    found = bands(demo, "2022-07-18")
    answer = answer_of(ask("mean NDWI on 2022-07-18", demo))
    assert answer.value == pytest.approx(float(np.nanmean(ratio(found["green"], found["nir"]))), abs=1e-4)
    assert "McFeeters" in answer.text and "Gao" not in answer.text


def test_another_form_of_ndwi_is_said(ask: Ask, demo: Path, tmp_path: Path) -> None:
    scene = write_bands(demo / "Demo_2022-07-18.tif", ("red", "nir", "swir1"), tmp_path)
    found = bands(demo, "2022-07-18")
    answer = answer_of(ask("mean NDWI", scene))
    assert answer.value == pytest.approx(float(np.nanmean(ratio(found["nir"], found["swir1"]))), abs=1e-4)
    assert "Gao's index of leaf water" in answer.text and "McFeeters" not in answer.text


def write_bands(scene: Path, names: tuple[str, ...], folder: Path) -> Path:
    """Write some bands of a scene to a file of their own."""
    path = folder / "Lake_2022-07-18.tif"
    with rasterio.open(scene) as raster:
        numbers = [raster.descriptions.index(name) + 1 for name in names]
        profile = raster.profile | {"count": len(names)}
        with rasterio.open(path, "w", **profile) as made:
            made.write(raster.read(numbers))
            made.descriptions = names
            made.scales, made.offsets = raster.scales[: len(names)], raster.offsets[: len(names)]
    return path


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("mean NDVI of the vineyards on 2022-08-20", "vineyards"),
        ("How warm was it on the glacier on 2022-08-20?", "glacier"),
        ("mean NDVI of the vineyards in Styria on 2022-08-20", "styria"),
    ],
)
def test_ground_that_nothing_tells_is_declined(ask: Ask, demo: Path, question: str, word: str) -> None:
    finished = ask(question, demo)
    assert finished.status == "declined" and finished.answer is not None and finished.answer.value is None
    assert f"\u201c{word}\u201d" in finished.answer.text
    assert "I can answer" in finished.answer.text


def test_a_limit_beside_a_class_tells_which_pixels_are_meant(ask: Ask, demo: Path) -> None:
    found, day = bands(demo, "2022-07-18"), "2022-07-18"
    ndvi = ratio(found["nir"], found["red"])
    forest = np.isin(read(demo / "Demo_land_cover.tif"), (4, 5))
    answer = answer_of(ask(f"mean NDVI of the forest where NDVI > 0.7 on {day}", demo))
    assert answer.value == pytest.approx(float(ndvi[forest & (ndvi > 0.7)].mean()), abs=1e-4)


@pytest.mark.parametrize(("statistic", "expected"), [("mean", np.nanmean), ("max", np.nanmax)])
def test_a_raster_of_unknown_role(shared: Path, statistic: str, expected: Callable[[Array], float]) -> None:
    path = shared / "rasters/odd/float_raster_with_nodata.tif"
    found = evaluate(Aggregate(statistic, Variable("unknown", timeless=True), "pixel"), path)
    assert found.values == pytest.approx((float(expected(read(path))),))


def test_a_limit_in_celsius_is_answered_in_celsius(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("Was the mean temperature on 2022-07-18 above 30 \u00b0C?", demo))
    expected = float(np.nanmean(read(demo / "Demo_LST_2022-07-18.tif"))) - 273.15
    assert answer.value == pytest.approx(expected, abs=1e-3) and answer.unit == "degC"
    assert answer.text.startswith(f"Yes: the mean LST on 2022-07-18 is {expected:.2f} \u00b0C")


@pytest.mark.parametrize(
    ("question", "word"),
    [("predict the NDVI of next year", "predict"), ("area with dNBR above 0.27", "dnbr")],
)
def test_what_no_procedure_works_out_is_declined(ask: Ask, demo: Path, question: str, word: str) -> None:
    finished = ask(question, demo)
    assert finished.status == "declined" and finished.answer is not None
    assert word in finished.answer.text and finished.answer.value is None
