"""Copies from which a map is drawn fast: every pixel, mask and fill as in the raster itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.toolkit.raster import display, is_large, write_display
from treeline.toolkit.recognition.describe import describe

VALUES = np.random.default_rng(1).integers(1, 4000, (3, 1100, 1200)).astype("uint16")


@pytest.fixture(autouse=True)
def smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "QUICK", 2**20)


@pytest.mark.parametrize("layout", [{}, {"interleave": "pixel", "compress": "deflate"}, {"tiled": True}])
def test_a_copy_holds_the_same_pixels_and_has_overviews(tmp_path: Path, layout: dict[str, object]) -> None:
    path = write_raster(tmp_path / "a.tif", VALUES, nodata=0, mask=VALUES[0] > 300, **layout)
    before = path.read_bytes()
    assert is_large(describe(path)) and write_display(path, tmp_path / "copy.tif")
    with rasterio.open(path) as own, rasterio.open(tmp_path / "copy.tif") as copied:
        np.testing.assert_array_equal(copied.read(), own.read())
        np.testing.assert_array_equal(copied.read_masks(), own.read_masks())
        assert (copied.nodata, copied.crs, copied.transform) == (own.nodata, own.crs, own.transform)
        assert copied.colorinterp == own.colorinterp
        assert copied.overviews(3) == [2, 4] and copied.block_shapes[0] == (256, 256)
    assert path.read_bytes() == before


def test_what_is_drawn_fast_as_it_is_has_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "QUICK", 8 * 2**20)
    path = write_raster(tmp_path / "a.tif", VALUES, tiled=True, blockxsize=256, blockysize=256)
    assert not is_large(describe(path))
    with rasterio.open(path, "r+") as dataset:
        dataset.build_overviews([2, 4])
    assert not write_display(path, tmp_path / "copy.tif") and not (tmp_path / "copy.tif").exists()


def test_too_many_bands_are_not_copied(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "a.tif", np.ones((65, 200, 200), "uint16"))
    assert not write_display(path, tmp_path / "copy.tif")
