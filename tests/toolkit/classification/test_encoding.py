"""Embeddings of chips: a tiny encoder whose vectors are the means of the bands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit import extras
from treeline.toolkit.errors import BackendMissing, InputError
from treeline.toolkit.perception.backends import network
from treeline.toolkit.recognition.resolver import FileResolver

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.toolkit.perception.networks import mean_encoder

STACK = np.random.default_rng(3).uniform(0, 1, (4, 21, 30)).astype("float32")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    monkeypatch.setenv("TREELINE_WEIGHTS", str(tmp_path))
    stack = STACK.copy()
    stack[:, 0, 29] = np.nan
    write_raster(tmp_path / "stack.tif", stack, descriptions=["blue", "green", "red", "nir"])
    return Workplace(tmp_path, FileResolver(tmp_path))


def write_encoder(folder: Path, batch: Any = "batch", **settings: Any) -> None:
    mean_encoder(folder / "embed_chips.onnx", 4, batch, **settings)


@pytest.mark.parametrize("batch", ["batch", 1])
def test_each_chip_is_a_pixel_of_its_vector(place: Workplace, tmp_path: Path, batch: Any) -> None:
    mean, std = [0.1, 0.2, 0.3, 0.4], [1.0, 2.0, 4.0, 8.0]
    write_encoder(tmp_path, batch, band_mean=mean, band_std=std, output="embedding")
    found = place.run("embed_chips", file_list=["stack.tif"], output_path="e.tif", chip=10)
    assert (found["dimensions"], found["chips"]) == (4, [2, 3])
    with rasterio.open(tmp_path / "stack.tif") as whole, rasterio.open(tmp_path / "e.tif") as made:
        vectors = made.read(masked=True)
        assert made.transform.a == 10 * whole.transform.a and made.bounds.left == whole.bounds.left
    chips = STACK[:, :20].reshape(4, 2, 10, 3, 10).mean(axis=(2, 4))
    expected = (chips - np.array(mean)[:, None, None]) / np.array(std)[:, None, None]
    assert vectors.mask[:, 0, 2].all() and vectors.mask.sum() == 4
    assert np.allclose(vectors.compressed(), expected[~vectors.mask], atol=1e-5)


def test_what_does_not_fit_is_said(place: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"file_list": ["stack.tif"], "output_path": "e.tif"}
    with pytest.raises(BackendMissing, match=r"embed_chips\.onnx"):
        place.run("embed_chips", **given)
    write_encoder(tmp_path, band_mean=[0.0, 0.0])
    with pytest.raises(InputError, match="names 2 bands, and there are 4"):
        place.run("embed_chips", **given, chip=8)
    with pytest.raises(InputError, match="takes 64 x 64"):
        place.run("embed_chips", **given)
    network._session.cache_clear()

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(extras, "import_module", missing)
    with pytest.raises(BackendMissing, match="onnxruntime.*treeline\\[onnx\\]"):
        place.run("embed_chips", **given, chip=8)
    network._session.cache_clear()
