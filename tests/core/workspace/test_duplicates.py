"""Files with the same bytes are found, and no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from tests.rasters import write_raster
from treeline.core.workspace import Workspace
from treeline.core.workspace.duplicates import find_duplicates


def test_copies_are_found_and_files_that_differ_in_one_pixel_are_not(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    values = np.random.default_rng(1).uniform(0, 1, (300, 300)).astype("float32")
    write_raster(inputs / "a.tif", values)
    (inputs / "b").mkdir()
    shutil.copy(inputs / "a.tif", inputs / "b" / "copy.tif")
    values[150, 150] += 0.1
    write_raster(inputs / "other.tif", values)
    assert (inputs / "other.tif").stat().st_size == (inputs / "a.tif").stat().st_size
    workspace = Workspace(tmp_path)
    assert find_duplicates(workspace.rasters) == {inputs / "b" / "copy.tif": inputs / "a.tif"}
    assert find_duplicates(()) == {}


def test_two_dates_that_are_clear_as_a_whole_have_masks_of_their_own(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    clear = np.zeros((20, 20), "uint8")
    for name in ("Lake_CLM_2021-06-03.tif", "Lake_CLM_2021-07-12.tif", "Copy_CLM_2021-07-12.tif"):
        write_raster(inputs / name, clear, descriptions=["cloud_mask"])
    found = find_duplicates(Workspace(tmp_path).rasters)
    assert found == {inputs / "Lake_CLM_2021-07-12.tif": inputs / "Copy_CLM_2021-07-12.tif"}
