"""What rasters and vector files hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.statistics.contents import describe_features, describe_rasters


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "again").mkdir()
    for name in ("ndvi_2021-07-12", "ndvi_2021-07-28", "again/ndvi_2021-07-12"):
        write_raster(tmp_path / f"{name}.tif", np.full((3, 4), 0.5, "float32"), nodata=-9999)
    write_raster(tmp_path / "dem.tif", np.full((3, 4), 500.0, "float32"), crs="EPSG:32634", nodata=-1)
    points = [
        {"type": "Feature", "properties": {"name": name}, "geometry": {"type": "Point", "coordinates": at}}
        for name, at in (("a", [14.0, 46.0]), ("b", [14.5, 46.25]))
    ]
    (tmp_path / "wells.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": points}))
    return tmp_path


def _rows(folder: Path, by: str, *names: str) -> list[dict[str, Any]]:
    with use_context(ToolContext(folder, FileResolver())):
        return describe_rasters([str(folder / f"{name}.tif") for name in names], by)  # type: ignore[arg-type]


def test_a_variable_is_one_row_of_all_its_files(folder: Path) -> None:
    elevation, ndvi = _rows(folder, "variable", "ndvi_2021-07-28", "dem", "ndvi_2021-07-12")
    assert (elevation["variable"], elevation["files"], elevation["dates"]) == ("Elevation", 1, 0)
    assert (elevation["crs"], elevation["unit"], elevation["no_data"]) == ("EPSG:32634", "m", -1)
    assert elevation["first"] is elevation["last"] is None
    assert (ndvi["files"], ndvi["dates"], ndvi["no_data"]) == (2, 2, -9999)
    assert (ndvi["first"], ndvi["last"]) == ("2021-07-12", "2021-07-28")


def test_files_of_one_name_in_two_folders_are_two(folder: Path) -> None:
    names = ("ndvi_2021-07-12", "again/ndvi_2021-07-12", "dem")
    assert [row["file"] for row in _rows(folder, "file", *names)] == [
        "dem.tif",
        "ndvi_2021-07-12.tif",
        "ndvi_2021-07-12.tif",
    ]
    # Of several systems and values none is told as that of all.
    (row,) = _rows(folder, "sensor", *names)
    assert (row["sensor"], row["files"], row["crs"], row["no_data"]) == (None, 3, None, None)


def test_tells_the_features_of_a_file(folder: Path) -> None:
    with use_context(ToolContext(folder, FileResolver())):
        told = describe_features(str(folder / "wells.geojson"))
    assert (told["file"], told["features"]) == ("wells.geojson", 2)
    assert (told["geometries"], told["attributes"]) == (["Point"], ["name"])
    assert [told[side] for side in ("left", "bottom", "right", "top")] == [14.0, 46.0, 14.5, 46.25]
