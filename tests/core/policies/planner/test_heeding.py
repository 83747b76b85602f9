"""What the tools warn of reaches the answer."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.transform import from_origin

from tests.core.policies.planner.arrays import Array, read
from tests.core.policies.planner.conftest import Ask, answer_of
from treeline.core.engine.actions import Call, Observation, ProductRecord
from treeline.core.engine.state import Step
from treeline.core.engine.verification.evidence_of_steps import evidence_of
from treeline.core.policies.planner.remarks import warnings_in


def write(path: Path, values: Array, pixel: float = 10.0) -> None:
    place = {"crs": "EPSG:32633", "transform": from_origin(5e5, 5e6, pixel, pixel), "nodata": np.nan}
    rows, columns = values.shape
    with rasterio.open(
        path, "w", driver="GTiff", width=columns, height=rows, count=1, dtype="float32", **place
    ) as raster:
        raster.write(values.astype("float32"), 1)


def test_no_valid_pixel_is_said(ask: Ask, shared: Path) -> None:
    finished = ask("mean red reflectance", shared / "rasters/odd/all-nodata.tif")
    assert finished.status == "declined" and finished.answer is not None
    assert "no pixel or date is valid" in finished.answer.text
    assert finished.answer.value is None


def test_a_value_that_its_variable_cannot_have_is_declined(ask: Ask, shared: Path) -> None:
    path = shared / "rasters/odd/RGB.byte.tif"
    finished = ask("mean red reflectance", path)
    assert finished.status == "declined" and finished.answer is not None and finished.answer.value is None
    assert f"comes out as {np.nanmean(read(path, 1)):.4f}" in finished.answer.text
    assert "Check scale, unit and fill values" in finished.answer.text


def test_another_grid_is_said(ask: Ask, tmp_path: Path) -> None:
    generator = np.random.default_rng(3)
    write(tmp_path / "T33TVM_20210701T100031_B04_10m.tif", generator.uniform(0.05, 0.1, (40, 40)))
    write(tmp_path / "T33TVM_20210701T100031_B08_20m.tif", generator.uniform(0.3, 0.4, (20, 20)), 20.0)
    assert "was resampled" in answer_of(ask("mean NDVI", tmp_path)).text


def test_few_valid_pixels_are_said(ask: Ask, tmp_path: Path) -> None:
    red = np.full((20, 20), 0.1)
    red += np.linspace(0, 0.01, 400).reshape(20, 20)
    red[:15] = np.nan
    write(tmp_path / "T33TVM_20210701T100031_B04_10m.tif", red)
    write(tmp_path / "T33TVM_20210701T100031_B08_10m.tif", np.full((20, 20), 0.4))
    assert answer_of(ask("mean NDVI", tmp_path)).text.endswith("Only 25% of the pixels are valid.")


def test_few_pixels_of_the_ground_that_is_asked_of_are_no_fault_of_the_data(ask: Ask, demo: Path) -> None:
    question = "What share of the cropland was hotter than 35 °C on both 18 July and 20 August 2022 (LST)?"
    told = answer_of(ask(question, demo)).text
    assert re.search(r"Only \d\d% of the pixels are valid and in the ground that is asked of\.", told), told


def test_nothing_meets_the_condition(ask: Ask, demo: Path) -> None:
    finished = ask("mean LST where NDVI > 0.995 on 2022-07-18", demo)
    assert finished.status == "declined" and finished.answer is not None
    assert "No pixel of NDVI is above 0.995." in finished.answer.text


def test_alike_warnings_are_told_once_and_repairs_not_at_all() -> None:
    warnings = tuple(f"The scale of a{n}.tif is not stated." for n in range(12))
    observation = Observation(
        "result", "", warnings=(*warnings, "'k' became 'K'."), repairs=("'k' became 'K'.",)
    )
    assert warnings_in([observation]) == ["The scale of a0.tif is not stated (and 11 more of this kind)."]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which class had the highest mean NDVI above 500 m on 2022-06-15?", "classes have"),
        ("Which region had the highest mean NDVI above 400 m on 2022-06-15?", "regions have"),
    ],
)
def test_what_has_no_pixel_is_named_for_what_it_is(ask: Ask, demo: Path, question: str, told: str) -> None:
    assert re.search(rf"\b\d {told} no valid pixel and were left out\.", answer_of(ask(question, demo)).text)


def test_dates_without_a_pixel_are_counted_over_the_series_of_several_steps() -> None:
    def series(year: int, empty: int) -> Observation:
        names = [
            (f"ndvi_{year}-0{month}-01.tif", f"{year}-0{month}-01", month > empty) for month in range(1, 5)
        ]
        return Observation(
            "result",
            "",
            products=tuple(
                ProductRecord(name, name, "ndvi", "1", date=date, valid_share=float(valid))
                for name, date, valid in names
            ),
            warnings=tuple(f"No pixel of {name} is valid: clouds." for name, _, valid in names if not valid),
        )

    observations = [series(2016, 2), series(2017, 1)]
    told = warnings_in(observations)
    assert told[0] == "3 dates have no valid pixel and were left out."
    steps = [Step(n, Call("apply_cloud_mask", {}), each) for n, each in enumerate(observations, start=1)]
    assert {3.0, 8.0} <= set(evidence_of(steps).counts)
