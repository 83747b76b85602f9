"""Folders of Zarr as xarray and others write them, and as nobody should."""

from __future__ import annotations

import json
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from treeline.core.workspace import Workspace

zarr = pytest.importorskip("zarr")
DAYS = ("2021-07-12", "2021-07-13")
VALUES = np.linspace(285, 315, 2 * 30 * 40).reshape(2, 30, 40).astype("float32")


def write_zarr(path: Path, version: int = 2) -> Path:
    """Write surface temperatures of two days on a grid of 0.1 degrees, rows from south to north."""
    group = zarr.create_group(path, zarr_format=version)
    axes = {
        "time": (np.arange(2), {"units": "days since 2021-07-12", "calendar": "standard"}),
        "lat": (45.05 + 0.1 * np.arange(30), {"units": "degrees_north"}),
        "lon": (14.05 + 0.1 * np.arange(40), {"units": "degrees_east"}),
    }
    for name, (values, attributes) in axes.items():
        dimensions = {"dimension_names": (name,)} if version == 3 else {}
        made = group.create_array(name, shape=values.shape, dtype=values.dtype, **dimensions)
        made[:] = values
        made.attrs.update({**attributes, **({"_ARRAY_DIMENSIONS": [name]} if version == 2 else {})})
    dimensions = {"dimension_names": ("time", "lat", "lon")} if version == 3 else {}
    made = group.create_array(
        "LST",
        shape=VALUES.shape,
        dtype="float32",
        chunks=(1, 16, 16),
        fill_value=-9999,
        **dimensions,
    )
    made[:] = VALUES
    made[:, 0, 0] = -9999
    made.attrs["units"] = "K"
    if version == 2:
        made.attrs["_ARRAY_DIMENSIONS"] = ["time", "lat", "lon"]
    return path


@pytest.mark.parametrize("version", [2, 3])
def test_variables_become_collections(tmp_path: Path, version: int) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write_zarr(data / "climate.zarr", version)
    workspace = Workspace(tmp_path / "home", [data])
    assert not workspace.problems
    assert [raster.date.strftime("%Y-%m-%d") for raster in workspace.rasters if raster.date] == list(DAYS)
    expected = VALUES[0].astype("float64")
    expected[0, 0] = np.nan
    finished = ask_folder("What is the mean LST on 2021-07-12?", data, tmp_path / "run")
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(np.nanmean(expected), abs=1e-3)


def test_pickles_and_links_are_refused(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    packed = write_zarr(data / "packed.zarr") / "LST" / ".zarray"
    stated = json.loads(packed.read_text())
    packed.write_text(json.dumps({**stated, "filters": [{"id": "pickle", "protocol": 5}]}))
    (tmp_path / "outside").write_text("of somebody else")
    linked = write_zarr(data / "linked.zarr")
    (linked / "LST" / "0.0.1").unlink()
    (linked / "LST" / "0.0.1").symlink_to(tmp_path / "outside")
    problems = Workspace(tmp_path / "home", [data]).problems
    assert "pickle" in problems["packed.zarr"]
    assert "link" in problems["linked.zarr"]


def test_what_is_damaged_is_said(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "empty.zarr").mkdir(parents=True)
    (write_zarr(data / "broken.zarr") / "LST" / ".zarray").write_text("{")
    problems = Workspace(tmp_path / "home", [data]).problems
    assert set(problems) == {"empty.zarr", "broken.zarr"}


@pytest.mark.parametrize("layout", ["folder in a zip", "store in a zip", "folder in a tar"])
def test_archives_of_zarr_are_opened(tmp_path: Path, layout: str) -> None:
    made = write_zarr(tmp_path / "made.zarr", 3 if layout == "folder in a tar" else 2)
    data = tmp_path / "data"
    data.mkdir()
    if layout == "folder in a tar":
        with tarfile.open(data / "climate.tar.gz", "w:gz") as archive:
            archive.add(made, "made.zarr")
    else:
        root = made if layout == "store in a zip" else tmp_path
        with zipfile.ZipFile(data / "climate.zarr.zip", "w") as archive:
            for path in made.rglob("*"):
                archive.write(path, path.relative_to(root))
    workspace = Workspace(tmp_path / "home", [data])
    assert not workspace.problems
    assert len(workspace.rasters) == 2
    assert not list((tmp_path / "home").rglob("*.zarr"))


def test_zero_that_the_library_states_as_fill_is_dry_ground(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    group = zarr.open_group(write_zarr(data / "rain.zarr", 3), mode="r+")
    made = group.create_array(
        "precipitation", shape=VALUES.shape, dtype="float32", dimension_names=("time", "lat", "lon")
    )
    made[:] = np.maximum(VALUES - 300, 0)
    made.attrs["units"] = "mm"
    finished = ask_folder("What is the mean precipitation on 2021-07-13?", data, tmp_path / "run")
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(float(np.maximum(VALUES[1] - 300, 0).mean()), abs=1e-3)
