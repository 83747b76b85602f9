"""Indices of a real Sentinel-2 scene: recognised bands, and NDVI against that of the provider."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from treeline.toolkit.context import ToolContext
from treeline.toolkit.index import any_index
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.tool import REGISTRY

DATE = "2015-08-30"


@pytest.fixture
def real(slovenia: Path, tmp_path: Path) -> ToolContext:
    return ToolContext(output_folder=tmp_path, resolver=FileResolver(slovenia), threads=2)


def _read(path: Path) -> np.ndarray:
    with rasterio.open(path) as dataset:
        return dataset.read(1, masked=True).filled(np.nan)


def test_ndvi_equals_that_of_the_provider(slovenia: Path, real: ToolContext) -> None:
    scene = f"scenes/Slovenia_S2_L1C_{DATE}.tif"
    tool = REGISTRY.get("calculate_batch_ndvi")
    tool.run({"input_nir_paths": [scene], "input_red_paths": [scene], "output_paths": ["ndvi.tif"]}, real)
    theirs = _read(next((slovenia / "ndvi").glob(f"*{DATE}*.tif")))
    ours = _read(real.output_folder / "ndvi.tif")
    assert np.nanmax(np.abs(ours - theirs)) < 2e-3


def test_indices_by_name_from_single_bands_and_from_the_scene(slovenia: Path, real: ToolContext) -> None:
    bands = sorted(
        path.relative_to(slovenia).as_posix() for path in (slovenia / "bands").glob(f"*{DATE}*.tif")
    )
    tool = REGISTRY.get(any_index.spectral_index.__name__)
    for name in ("EVI", "NDCI", "FAI", "CRSWIR", "kNDVI"):
        tool.run({"name": name, "raster_paths": bands, "output_path": "bands.tif"}, real)
        scene = [f"scenes/Slovenia_S2_L1C_{DATE}.tif"]
        tool.run({"name": name, "raster_paths": scene, "output_path": "scene.tif"}, real)
        first, second = _read(real.output_folder / "bands.tif"), _read(real.output_folder / "scene.tif")
        np.testing.assert_allclose(first, second, rtol=1e-5, atol=1e-6)
        assert np.isfinite(first).mean() > 0.99
