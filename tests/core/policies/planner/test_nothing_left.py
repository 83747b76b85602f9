"""A map of nothing is no answer: it says where the pixels went."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster

SHAPE = (32, 32)
NDVI = np.linspace(0.1, 0.8, 1024, dtype="float32").reshape(SHAPE)
LST = np.linspace(290, 310, 1024, dtype="float32").reshape(SHAPE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def ask(question: str, folder: Path, home: Path) -> str:
    finished = ask_folder(question, folder, home)
    assert finished.status == "declined"
    return finished.answer.text


def test_nothing_meets_the_limit(folder: Path, tmp_path: Path) -> None:
    write_raster(folder / "A_2021-06-15_NDVI.tif", NDVI)
    write_raster(folder / "A_2021-06-15_LST.tif", LST)
    told = ask("Make a map of NDVI where LST is above 400 K", folder, tmp_path)
    assert "No pixel is left of NDVI where LST is above 400" in told


def test_clouds_cover_all(folder: Path, tmp_path: Path) -> None:
    write_raster(folder / "A_2021-06-15_NDVI.tif", NDVI)
    write_raster(folder / "A_2021-06-15_cloud_mask.tif", np.ones(SHAPE, "uint8"))
    assert "clouds, covers every pixel" in ask("Make a map of NDVI without clouds", folder, tmp_path)


def test_all_is_fill(folder: Path, tmp_path: Path) -> None:
    write_raster(folder / "A_2021-06-15_NDVI.tif", np.full(SHAPE, -9999, "float32"), nodata=-9999)
    assert "nothing but fill (-9999)" in ask("Make a map of NDVI", folder, tmp_path)


def test_no_ground_is_shared(folder: Path, tmp_path: Path) -> None:
    write_raster(folder / "A_2021-06-15_NDVI.tif", NDVI)
    write_raster(folder / "A_2021-06-15_LST.tif", LST, origin=(6e5, 5.2e6))
    told = ask("Make a map of NDVI where LST is above 300 K", folder, tmp_path)
    assert "shares no ground" in told
