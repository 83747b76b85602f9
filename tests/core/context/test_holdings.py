"""What a model is told of the data before it asks: dates, classes with names, vector files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.context.holdings import holdings
from treeline.core.engine.rundata import RunData
from treeline.core.workspace import Workspace

NAMES = {1: "cropland", 2: "forest", 3: "grassland"}


def parcels(path: Path, names: dict[int, str]) -> None:
    """Write squares, two for each class."""
    square = {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]]}
    members = [
        {
            "type": "Feature",
            "geometry": square,
            "properties": {"LULC_ID": n, "LULC_NAME": name, "plot": p},
        }
        for n, name in names.items()
        for p in (2 * n, 2 * n + 1)
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": members}))


@pytest.fixture
def tell_holdings(tmp_path: Path):
    """A function that returns what is told of the rasters and vectors in ``tmp_path / data``."""
    (tmp_path / "data").mkdir()

    def tell() -> str:
        workspace = Workspace(tmp_path / "ws", [tmp_path / "data"])
        return holdings(RunData(workspace, "run")).get("holdings", "")

    return tell


def test_dates_per_year_and_those_that_are_there_twice(tell_holdings, tmp_path):
    days = ["2020-06-01", "2020-07-01", "2021-05-01", "2021-06-01", "2021-06-01", "2021-08-01"]
    for number, day in enumerate(days):
        folder = tmp_path / "data" / str(number)
        folder.mkdir()
        write_raster(folder / f"Lake_{day}_NDVI.tif", np.full((4, 5), number / 10, "float32"))
    assert tell_holdings() == "@ndvi: rasters of 2020: 2, 2021: 4; there twice: 2021-06-01"


def landcover(folder: Path, *values: int) -> None:
    write_raster(folder / "Lake_LULC.tif", np.resize(np.array(values, "uint8"), (6, 7)))


def test_classes_are_named_by_the_vector_file_beside_that_fits(tell_holdings, tmp_path):
    landcover(tmp_path / "data", 0, 1, 2, 3)
    parcels(tmp_path / "data" / "Lake_LULC.geojson", NAMES)
    first, second = tell_holdings().splitlines()
    assert first.startswith("@landcover classes (LULC_NAME of Lake_LULC.geojson")
    assert first.endswith(": 1 cropland, 2 forest, 3 grassland")
    assert second.startswith("Lake_LULC.geojson: 6 Polygon; attributes LULC_ID; LULC_NAME (cropland, forest")


@pytest.mark.parametrize("names", [{1: "cropland", 2: "forest"}, {1: "a", 2: "a", 3: "b", 4: "c"}])
def test_a_vector_file_that_does_not_fit_names_nothing(tell_holdings, tmp_path, names):
    landcover(tmp_path / "data", 1, 2, 3, 4)
    parcels(tmp_path / "data" / "Lake_LULC.geojson", names)
    assert "classes" not in tell_holdings()


def test_a_vector_file_that_cannot_be_read_is_told_so(tell_holdings, tmp_path):
    landcover(tmp_path / "data", 1)
    (tmp_path / "data" / "broken.geojson").write_text("{")
    assert "broken.geojson: not usable" in tell_holdings()


def test_values_of_an_attribute_are_told_where_they_are_few_and_short(tell_holdings, tmp_path, monkeypatch):
    monkeypatch.setattr("treeline.core.context.holdings._MOST_VALUES", 2)
    monkeypatch.setattr("treeline.core.context.holdings._LONGEST_VALUE", 8)
    for name, names in (
        ("few", ["cropland", "forest"]),
        ("many", ["a", "b", "c"]),
        ("long", ["croplands", "b"]),
    ):
        parcels(tmp_path / "data" / f"{name}.geojson", dict(enumerate(names, 1)))
    said = tell_holdings()
    assert "LULC_NAME (cropland, forest)" in said and said.count("LULC_NAME (") == 1
    assert "few.geojson: 4 Polygon" in said and "LULC_ID;" in said, "numbers are not told"


def test_five_dates_are_not_told_of(tell_holdings, tmp_path):
    for month in range(1, 6):
        write_raster(tmp_path / "data" / f"Lake_2020-0{month}-01_NDVI.tif", np.full((4, 5), 0.5, "float32"))
    assert tell_holdings() == ""


def test_one_class_alone_and_numbers_that_are_each_ones_own_name_nothing(tell_holdings, tmp_path):
    landcover(tmp_path / "data", 1, 1)
    parcels(tmp_path / "data" / "parcels.geojson", {1: "cropland"})
    assert "classes" not in tell_holdings()
    square = {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]]}
    members = [
        {"type": "Feature", "geometry": square, "properties": {"LULC_ID": n, "LULC_NAME": name}}
        for n, name in NAMES.items()
    ]
    (tmp_path / "data" / "parcels.geojson").write_text(
        json.dumps({"type": "FeatureCollection", "features": members})
    )
    assert "classes" not in tell_holdings(), "a name that no second feature has may be of the feature alone"


def test_a_file_of_one_feature_is_told_of(tell_holdings, tmp_path):
    parcels(tmp_path / "data" / "one.geojson", {1: "cropland"})
    content = json.loads((tmp_path / "data" / "one.geojson").read_text())
    (tmp_path / "data" / "one.geojson").write_text(
        json.dumps(content | {"features": content["features"][:1]})
    )
    assert tell_holdings() == "one.geojson: 1 Polygon; attributes LULC_ID; LULC_NAME (cropland); plot"
