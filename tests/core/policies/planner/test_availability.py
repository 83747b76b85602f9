"""Whether something is there is answered with yes or no and what there is, never by a number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.rasters import write_raster

SHAPE = (8, 8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("availability")
    for day, value in (("2021-06-15", 0.2), ("2021-07-15", 0.4)):
        for role in ("Red", "NIR"):
            write_raster(data / f"A_{day}_{role}.tif", np.full(SHAPE, value, "float32"))
    write_raster(data / "A_DEM.tif", np.arange(64, dtype="float32").reshape(SHAPE))
    return data


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is there a DEM?", "Yes: elevation, without a date, in A_DEM.tif."),
        (
            "Is NDVI in the data?",
            "Yes: NDVI of 2021-06-15 and 2021-07-15, to be made from near-infrared reflectance and red "
            "reflectance.",
        ),
        ("Do you have red reflectance for July 2021?", "Yes: red reflectance of 2021-07-15."),
        (
            "Do you have B8A?",
            "No: there is no B8A, and nothing to make it from. There is elevation, near-infrared reflectance "
            "and red reflectance.",
        ),
        (
            "Is there land surface temperature?",
            "No: there is no LST, and nothing to make it from. There is elevation, near-infrared reflectance "
            "and red reflectance.",
        ),
        (
            "Is there an image from May 2021?",
            "No: there is no acquisition in May 2021. The nearest dates are 2021-06-15, 2021-07-15; there "
            "are 2 from 2021-06-15 to 2021-07-15.",
        ),
        (
            "Is there data from June 2021?",
            "Yes: near-infrared reflectance of 2021-06-15 and red reflectance of 2021-06-15.",
        ),
        (
            "Is NDVI available for 2020?",
            "No: there is no NDVI in 2020. The nearest dates are 2021-06-15, 2021-07-15; there are 2 from "
            "2021-06-15 to 2021-07-15.",
        ),
    ],
)
def test_what_is_there_is_told(ask: Ask, folder: Path, question: str, told: str) -> None:
    assert answer_of(ask(question, folder)).text == told


def test_how_many_pixels_a_raster_has_is_told_with_its_rows_and_columns(ask: Ask, folder: Path) -> None:
    answer = answer_of(ask("How many pixels are in the raster?", folder))
    assert (answer.value, answer.unit) == (64.0, "pixels")
    assert "8 rows and 8 columns" in answer.text
