"""What the answer says of how the question was read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.arrays import ratio, read
from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import bands


def test_the_usual_form_of_ndwi_is_said(ask: Ask, demo: Path) -> None:
    found = bands(demo, "2022-07-18")
    answer = answer_of(ask("mean NDWI on 2022-07-18", demo))
    assert answer.value == pytest.approx(float(np.nanmean(ratio(found["green"], found["nir"]))), abs=1e-4)
    assert "McFeeters" in answer.text and "Gao" not in answer.text


def test_the_other_form_of_ndwi_is_said(ask: Ask, demo: Path) -> None:
    found = bands(demo, "2022-07-18")
    answer = answer_of(ask("mean NDWI of Gao on 2022-07-18", demo))
    assert answer.value == pytest.approx(float(np.nanmean(ratio(found["nir"], found["swir1"]))), abs=1e-4)
    assert "Gao" in answer.text and "McFeeters" not in answer.text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("mean NDVI of the vineyards on 2022-08-20", "vineyards"),
        ("How warm was it on the glacier on 2022-08-20?", "glacier"),
    ],
)
def test_ground_that_nothing_tells_is_declined(ask: Ask, demo: Path, question: str, words: str) -> None:
    finished = ask(question, demo)
    assert finished.status == "declined" and finished.answer is not None
    assert f"which pixels belong to \u201c{words}\u201d" in finished.answer.text
    assert "where NDVI > 0.5" in finished.answer.text


def test_a_named_place_stands_for_the_whole_image(ask: Ask, demo: Path) -> None:
    text = answer_of(ask("mean NDVI of the vineyards in Styria on 2022-08-20", demo)).text
    assert "All pixels were counted" in text and "\u201cvineyards\u201d" in text


def test_a_limit_tells_which_pixels_are_meant(ask: Ask, demo: Path) -> None:
    text = answer_of(ask("mean NDVI of the forest on 2022-08-20 where NDVI > 0.7", demo)).text
    assert "which belong to" not in text


@pytest.mark.parametrize(
    ("question", "statistic"), [("what is the mean?", np.nanmean), ("maximum", np.nanmax)]
)
def test_a_raster_of_unknown_role(ask: Ask, shared: Path, question: str, statistic: object) -> None:
    path = shared / "rasters/odd/float_raster_with_nodata.tif"
    answer = answer_of(ask(question, path))
    assert answer.value == pytest.approx(float(statistic(read(path))))  # type: ignore[operator]
    assert "role and its unit are unknown" in answer.text


def test_a_raster_of_unknown_role_is_named(ask: Ask, shared: Path) -> None:
    folder = shared / "rasters/odd"
    answer = answer_of(ask("what is the mean of float_raster_with_nodata.tif?", folder))
    assert answer.value == pytest.approx(float(np.nanmean(read(folder / "float_raster_with_nodata.tif"))))


def test_a_limit_in_celsius_is_answered_in_celsius(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("Was the mean temperature on 2022-07-18 above 30 °C?", demo))
    expected = float(np.nanmean(read(demo / "Demo_LST_2022-07-18.tif"))) - 273.15
    assert answer.value == pytest.approx(expected, abs=1e-3)
    assert answer.text.startswith("Yes")


def test_elevation_has_no_clouds(ask: Ask, demo: Path) -> None:
    assert "loudy" not in answer_of(ask("What is the highest elevation?", demo)).text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("predict the NDVI of next year", "what is to come"),
        ("area with dNBR above 0.27", "a date before and one after"),
    ],
)
def test_what_no_procedure_works_out_is_declined(ask: Ask, demo: Path, question: str, words: str) -> None:
    finished = ask(question, demo)
    assert finished.status == "declined" and finished.answer is not None
    assert words in finished.answer.text and finished.answer.value is None
