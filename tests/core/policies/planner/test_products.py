"""Products as they are downloaded, asked as people ask them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import asked
from tests.products import METADATA, SAFE, write_jp2, write_safe
from treeline.core.workspace import Workspace
from treeline.toolkit.recognition import describe

QUESTION = "What is the mean NDVI?"
NDVI = (0.5 - 0.1) / (0.5 + 0.1)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_a_folder_of_jpeg_2000_is_read(folder: Path, home: Path) -> None:
    write_jp2(folder / "A_2017-05-01_B04.jp2", np.full((64, 64), 1000, "uint16"))
    write_jp2(folder / "A_2017-05-01_B08.jp2", np.full((64, 64), 5000, "uint16"))
    finished = asked(QUESTION, folder, home)
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(NDVI)


def test_a_safe_folder_is_read_by_its_metadata(folder: Path, home: Path) -> None:
    product = write_safe(folder)
    finished = asked(QUESTION, product, home)
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(NDVI)
    assert "2022-07-15" in str(Workspace(home / "w", [product]).rasters[0].date)


def test_each_band_of_a_safe_folder_is_there_once_at_its_finest(folder: Path, home: Path) -> None:
    rasters = Workspace(home, [write_safe(folder)]).rasters
    assert sorted((raster.bands[0].role, raster.transform[0]) for raster in rasters) == [
        ("blue", 10), ("nir", 10), ("nir08", 20), ("red", 10), ("scl", 20), ("swir1", 20),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("metadata", "name", "offset"),
    [
        (METADATA, "renamed.SAFE", -0.1),
        (METADATA.replace("04.00", "03.01").replace("-1000", "0"), "renamed.SAFE", 0.0),
        (None, SAFE, -0.1),
        ("<broken", SAFE, -0.1),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', SAFE, -0.1),
    ],
)
def test_the_offset_is_that_of_the_product(
    folder: Path, metadata: str | None, name: str, offset: float
) -> None:
    product = write_safe(folder, metadata, name)
    image = next(product.rglob("*_B08_10m.jp2"))
    band = describe(image).bands[0]
    assert (band.role, band.scale, band.scale_known) == ("nir", 0.0001, True)
    assert band.offset == pytest.approx(offset)
    assert describe(next(product.rglob("*_SCL_20m.jp2"))).bands[0].scale == 1


def test_a_jpeg_2000_file_that_ends_early_is_refused_or_read_as_it_is(folder: Path) -> None:
    noise = np.random.default_rng(3).integers(1, 9000, (400, 400)).astype("uint16")
    path = write_jp2(folder / "A_2017-05-01_B04.jp2", noise)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    workspace = Workspace(folder / "home", [path])
    assert not workspace.rasters
    assert "A_2017-05-01_B04.jp2" in workspace.problems
