"""The values along a line are those of the pixels that it crosses."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from pyproj import Geod, Transformer

from tests.rasters import ORIGIN, UTM, write_raster
from treeline.core.serving import MapLayer
from treeline.core.serving.profile import MOST_POINTS, profile_csv, profile_values
from treeline.core.workspace import Workspace
from treeline.toolkit.raster import Source

SIDE = 40
WAY = Transformer.from_crs(UTM, "EPSG:4326", always_xy=True)


def place(column: float, row: float) -> tuple[float, float]:
    longitude, latitude = WAY.transform(ORIGIN[0] + 10 * column, ORIGIN[1] - 10 * row)
    return float(longitude), float(latitude)


@pytest.fixture
def layers(tmp_path: Path) -> dict[str, MapLayer]:
    folder = tmp_path / "place"
    folder.mkdir()
    heights = np.arange(SIDE * SIDE, dtype="float32").reshape(SIDE, SIDE)
    heights[5, 20] = -9999
    write_raster(folder / "dem.tif", heights, descriptions=("dem",), nodata=-9999.0)
    classes = np.where(np.arange(SIDE) < 10, 1, 3).astype("uint8")[np.newaxis].repeat(SIDE, 0)
    tags = {"TREELINE_CLASSES": '{"1": "lake", "3": "forest"}'}
    write_raster(folder / "landcover.tif", classes, descriptions=("landcover",), tags=tags)
    rasters = Workspace(tmp_path / "own", [folder]).rasters
    return {r.path.stem: MapLayer.of((Source(r, r.bands[0]),), r.path.stem) for r in rasters}


def test_a_line_along_a_row_has_each_pixel_of_it(layers: dict[str, MapLayer]) -> None:
    found = profile_values([layers["dem"]], [place(2.5, 5.5), place(30.5, 5.5)])
    told = list(dict.fromkeys(value.value for value in found))
    assert told == [None if column == 20 else 5.0 * SIDE + column for column in range(2, 31)]
    (start, end) = place(2.5, 5.5), place(30.5, 5.5)
    assert found[0].metres == 0
    assert found[-1].metres == pytest.approx(Geod(ellps="WGS84").inv(*start, *end)[2], rel=1e-9)
    steps = np.diff([value.metres for value in found])
    assert steps.min() > 0 and steps.max() < 10


def test_corners_and_classes_are_told(layers: dict[str, MapLayer]) -> None:
    corners = [place(2.5, 2.5), place(20.5, 2.5), place(20.5, 30.5)]
    found = profile_values([layers["dem"], layers["landcover"]], corners)
    classes = [value for value in found if value.layer == "landcover"]
    assert list(dict.fromkeys(value.class_name for value in classes)) == ["lake", "forest"]
    assert classes[-1].metres == pytest.approx(180 + 280, rel=2e-3)
    assert any((value.longitude, value.latitude) == corners[1] for value in classes)
    assert next(value.value for value in reversed(found) if value.layer == "dem") == 30 * SIDE + 20


def test_a_long_line_has_points_for_a_chart_and_no_more(layers: dict[str, MapLayer]) -> None:
    found = profile_values([layers["dem"]], [place(-5000, 5.5), place(5000, 5.5)])
    assert MOST_POINTS - 2 <= len(found) <= MOST_POINTS + 2
    assert found[0].value is None


def test_two_clicks_on_one_place_are_a_line_without_length(layers: dict[str, MapLayer]) -> None:
    found = profile_values([layers["dem"]], [place(2.5, 5.5), place(2.5, 5.5)])
    assert {(value.metres, value.value) for value in found} == {(0.0, 5.0 * SIDE + 2)}


def test_rows_are_told_in_full(layers: dict[str, MapLayer]) -> None:
    found = profile_values([layers["landcover"]], [place(8.5, 5.5), place(12.5, 5.5)])
    rows = list(csv.DictReader(io.StringIO(profile_csv(found))))
    assert len(rows) == len(found)
    assert float(rows[1]["metres"]) == found[1].metres
    assert rows[-1]["class_name"] == "forest"
