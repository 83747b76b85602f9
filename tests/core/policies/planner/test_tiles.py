"""Scenes that are cut into tiles: asked about together where they adjoin, apart where they do not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster

NAME = "S2A_MSIL2A_20220715T100611_N0400_R022_T{}_20220715T162205_{}.tif"
QUESTION = "Which percentage of the pixels has NDVI above 0.4?"
SIDE = 40


def write_tile(folder: Path, tile: str, left: float, red: int, crs: str = "EPSG:32633") -> None:
    for band, stored in (("B04", red), ("B08", 4000)):
        values = np.full((SIDE, SIDE), stored + 1000, "uint16")
        write_raster(folder / NAME.format(tile, band), values, origin=(left, 5.1e6), crs=crs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tile of which all is green: 0.4 and 0.1 give an NDVI of 0.6."""
    (tmp_path / "data").mkdir()
    write_tile(tmp_path / "data", "33TWM", 5e5, 1000)
    return tmp_path / "data"


def test_tiles_that_adjoin_are_one(folder: Path, tmp_path: Path) -> None:
    write_tile(folder, "33TXM", 5e5 + 10 * SIDE, 3000)
    finished = ask_folder(QUESTION, folder, tmp_path)
    assert finished.status == "answered" and finished.answer.value == pytest.approx(50.0)
    assert "33TWM and 33TXM together" in finished.answer.text
    alone = ask_folder("What is the mean NDVI of 33TXM?", folder, tmp_path / "alone")
    assert alone.answer.value == pytest.approx(1 / 7, rel=1e-6)


def test_ground_of_two_tiles_counts_once(folder: Path, tmp_path: Path) -> None:
    write_tile(folder, "33TXM", 5e5 + 5 * SIDE, 3000)
    finished = ask_folder(QUESTION, folder, tmp_path)
    assert finished.answer.value == pytest.approx(100 * 2 / 3)


@pytest.mark.parametrize(("left", "crs"), [(6e5, "EPSG:32633"), (5e5 + 10 * SIDE, "EPSG:32634")])
def test_tiles_apart_are_told(folder: Path, tmp_path: Path, left: float, crs: str) -> None:
    write_tile(folder, "33TXM", left, 3000, crs)
    finished = ask_folder(QUESTION, folder, tmp_path)
    assert "Taken from 33T" in finished.answer.text and "there is also 33T" in finished.answer.text


def test_clouds_of_adjoining_tiles(folder: Path, tmp_path: Path) -> None:
    write_tile(folder, "33TXM", 5e5 + 10 * SIDE, 3000)
    for tile, left, cloudy in (("33TWM", 5e5, 4), ("33TXM", 5e5 + 10 * SIDE, 20)):
        classes = np.full((SIDE, SIDE), 4, "uint8")
        classes[:cloudy] = 9
        write_raster(folder / NAME.format(tile, "SCL"), classes, origin=(left, 5.1e6))
    finished = ask_folder("What is the cloud cover in percent?", folder, tmp_path)
    assert finished.answer.value == pytest.approx(100 * 24 / 80)
    clear = ask_folder("What is the mean NDVI without clouds?", folder, tmp_path / "clear")
    assert clear.answer.value == pytest.approx((36 * 0.6 + 20 / 7) / 56, rel=1e-6)
