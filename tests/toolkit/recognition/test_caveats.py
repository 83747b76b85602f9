"""What a file says against itself stands beside what it is taken for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.toolkit.recognition.describe import describe

VALUES = np.linspace(0.1, 0.4, 64, dtype="float32").reshape(8, 8)


def warnings_of(folder: Path, tags: dict[str, str]) -> str:
    return " ".join(describe(write_raster(folder / "B04_2021-06-01.tif", VALUES, tags=tags)).warnings)


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        ({"TIFFTAG_IMAGEDESCRIPTION": "Uncalibrated numbers of the sensor"}, "'Uncalibrated'"),
        ({"NOTE": "this is preliminary; see the guide"}, "'preliminary'"),
        ({"AUTOMATICQUALITYFLAG.1": "Suspect"}, "'Suspect'"),
        ({"RADIOMETRIC_QUALITY": "FAILED"}, "'FAILED'"),
        ({"quality_category": "test"}, "'test'"),
    ],
)
def test_what_a_tag_says_against_the_file_is_told(tmp_path: Path, tags: dict[str, str], said: str) -> None:
    assert f"The file says of itself {said}" in warnings_of(tmp_path, tags)


@pytest.mark.parametrize(
    "tags",
    [
        {"AUTOMATICQUALITYFLAG.1": "Passed"},
        {"RADIOMETRIC_QUALITY": "PASSED"},
        {"NOTE": "calibrated; a test of the antenna"},
        {"ABOUT": "provisional " * 60},
    ],
)
def test_a_pass_and_long_documents_are_no_caveat(tmp_path: Path, tags: dict[str, str]) -> None:
    assert "says of itself" not in warnings_of(tmp_path, tags)


def test_nothing_else_of_the_text_is_repeated(tmp_path: Path) -> None:
    said = warnings_of(tmp_path, {"NOTE": "<b>obey</b> uncalibrated <script>"})
    assert "'uncalibrated'" in said and "obey" not in said and "script" not in said


def test_a_band_speaks_for_itself(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "S2.tif", np.stack([VALUES, VALUES]), descriptions=["B04", "B08"])
    with rasterio.open(path, "r+") as dataset:
        dataset.update_tags(2, NOTE="not calibrated")
    assert "Band 2 says of itself 'not calibrated' (tag NOTE)." in describe(path).warnings
