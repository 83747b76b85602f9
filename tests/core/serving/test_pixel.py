"""One pixel of every raster: its values, its series, its spectrum."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

import numpy as np
import pytest
from pyproj import Transformer

from tests.rasters import ORIGIN, UTM, write_lake, write_raster
from treeline.core.serving.pixel import PixelValue, pixel_csv, pixel_values, series_of, spectra_of
from treeline.core.workspace import Workspace

# The middle of column 7 and row 11 of pixels of 10 m.
PLACE = Transformer.from_crs(UTM, "EPSG:4326", always_xy=True).transform(ORIGIN[0] + 75, ORIGIN[1] - 115)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    folder = write_lake(tmp_path / "lake")
    classes = np.full((48, 48), 3, "uint8")
    tags = {"TREELINE_CLASSES": '{"3": "forest"}'}
    write_raster(folder / "landcover.tif", classes, descriptions=("landcover",), tags=tags)
    write_raster(folder / "far_NDVI_2021-05-01.tif", np.ones((4, 4), "float32"), origin=(0.0, 0.0))
    write_raster(folder / "plain_NDVI_2021-05-01.tif", np.ones((4, 4), "float32"), crs=None)
    hole = np.full((48, 48), 0.5, "float32")
    hole[11, 7] = -9999
    write_raster(folder / "Lake_NDVI_2021-05-01.tif", hole, nodata=-9999.0)
    return Workspace(tmp_path / "own", [folder])


def test_each_band_has_its_value(workspace: Workspace) -> None:
    found = {(v.file, v.variable): v for v in pixel_values(workspace.rasters, *PLACE)}
    rng = np.random.default_rng(5)
    first = rng.integers(500, 4000, (4, 48, 48))[:, 11, 7] * 0.0001
    own = [found["Lake_2021-05-01.tif", role].value for role in ("green", "red", "nir", "swir1")]
    assert own == pytest.approx(first, rel=1e-6)
    assert found["Lake_NDVI_2021-05-01.tif", "ndvi"].value is None
    assert not any(name.startswith(("far", "plain")) for name, _ in found)
    assert len(found) == 3 * 4 + 2


def test_series_are_of_what_has_several_dates(workspace: Workspace) -> None:
    series = series_of(pixel_values(workspace.rasters, *PLACE))
    assert set(series) == {"green", "red", "nir", "swir1"}
    assert [value.date for value in series["nir"]] == ["2021-05", "2021-06", "2021-07"]


def test_spectra_are_of_each_scene(workspace: Workspace) -> None:
    spectra = spectra_of(pixel_values(workspace.rasters, *PLACE), workspace.rasters)
    assert list(spectra) == ["2021-05", "2021-06", "2021-07"]
    assert len(spectra["2021-05"]) == 4


def test_rows_are_told_in_full_and_run_nothing() -> None:
    values = [
        PixelValue("=cmd.tif", "b", "ndvi", "2021", 0.1 + 0.2, "1"),
        PixelValue("a", "b", "", "", None, ""),
    ]
    rows = list(csv.DictReader(io.StringIO(pixel_csv(values, 15.0, -46.0))))
    assert rows[0]["file"] == "'=cmd.tif"
    assert math.isclose(float(rows[0]["value"]), 0.1 + 0.2, rel_tol=0)
    assert (rows[1]["value"], rows[1]["latitude"]) == ("", "-46.0")
