"""What a call would write is told before it is approved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.actions import Call
from treeline.core.engine.rundata import RunData
from treeline.core.runs.approval import estimate_bytes
from treeline.core.workspace import Workspace

PIXELS, BYTES = 40 * 40, 4


@pytest.fixture
def data(tmp_path: Path) -> RunData:
    """Three dates of red and near infrared."""
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    for month in (6, 7, 8):
        for role in ("red", "nir"):
            values = np.full((1, 40, 40), 0.2, dtype="float32")
            write_raster(inputs / f"Place_{role}_2021-{month:02d}-12.tif", values, descriptions=[role])
    return RunData(Workspace(tmp_path, [inputs]), "call", tmp_path / "out")


@pytest.mark.parametrize("dates", [1, 3])
def test_a_call_for_many_rasters_writes_as_many(data: RunData, dates: int):
    months = range(6, 6 + dates)
    bands = [f"Place_red_2021-{month:02d}-12.tif" for month in months]
    masks = [f"Place_nir_2021-{month:02d}-12.tif" for month in months]
    written = [f"clear_{month}.tif" for month in months]
    call = Call("apply_cloud_mask", {"sr_band_path": bands, "qa_pixel_path": masks, "output_path": written})
    assert estimate_bytes(call, data) == dates * PIXELS * BYTES


def test_a_handle_stands_for_its_rasters(data: RunData):
    bands = {"input_nir_paths": "@nir", "input_red_paths": "@red"}
    call = Call("calculate_batch_ndvi", {**bands, "output_paths": "ndvi.tif"})
    assert estimate_bytes(call, data) == 3 * PIXELS * BYTES
