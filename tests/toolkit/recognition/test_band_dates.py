"""Files whose bands are of different dates are series, and not the bands of one scene."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from treeline.core.workspace.collections import collect
from treeline.core.workspace.workspace import members_of
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.raster import source
from treeline.toolkit.recognition import Correction, FileResolver
from treeline.toolkit.recognition.describe import describe

DATES = [datetime(2021, 5, 1), datetime(2021, 6, 1), datetime(2021, 7, 1)]
DAYS = ["2021-05-01", "2021-06-01", "2021-07-01"]
VALUES = np.stack([np.full((8, 8), value, "float32") for value in (0.2, 0.5, 0.7)])


@pytest.mark.parametrize(
    ("name", "descriptions", "role"),
    [
        ("NDVI.tif", DAYS, "ndvi"),
        ("stack.tif", [f"NDVI_{day}" for day in DAYS], "ndvi"),
        ("S2_B04.tif", ["20210501", "20210601", "20210701"], "red"),
        ("LST.tif", ["2021-05", "2021-06", "2021-07"], "lst"),
        ("RGB_B08.tif", DAYS, "nir"),
    ],
)
def test_dated_bands_are_of_one_variable(
    tmp_path: Path, name: str, descriptions: list[str], role: str
) -> None:
    found = describe(write_raster(tmp_path / name, VALUES, descriptions=descriptions, photometric="rgb"))
    assert [(band.role, band.date) for band in found.bands] == [(role, date) for date in DATES]


def test_bands_of_one_name_are_told_apart_by_their_tags(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "stack.tif", VALUES, descriptions=["NDVI"] * 3)
    with rasterio.open(path, "r+") as dataset:
        for index, day in enumerate(DAYS, start=1):
            dataset.update_tags(index, DATE_ACQUIRED=day)
    (collection,) = collect(members_of([describe(path)])).values()
    assert collection.addresses == ["stack.tif#1", "stack.tif#2", "stack.tif#3"]
    assert [member.date for member in collection.members] == DATES
    with use_context(ToolContext(tmp_path, FileResolver(tmp_path))):
        assert [source(address).description.date for address in collection.addresses] == DATES


def test_a_file_of_several_dates_that_names_none_is_doubted(tmp_path: Path) -> None:
    write_raster(tmp_path / "NDVI.tif", VALUES, descriptions=DAYS)
    context = ToolContext(tmp_path, FileResolver(tmp_path))
    with use_context(context):
        assert source("NDVI.tif", "ndvi").description.date == DATES[0]
    (doubt,) = context.doubts
    assert "holds 3 dates" in doubt


@pytest.mark.parametrize(
    "descriptions", [["2021-05-01", "2021-06-01", "quality"], ["B02 2021-05-01", "B03 2021-05-01", "B04"]]
)
def test_bands_of_a_scene_have_the_date_of_the_file(tmp_path: Path, descriptions: list[str]) -> None:
    found = describe(write_raster(tmp_path / "S2_2021-05-01.tif", VALUES, descriptions=descriptions))
    assert found.date == DATES[0] and {band.date for band in found.bands} == {None}


def test_a_person_dates_the_whole_file(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "NDVI.tif", VALUES, descriptions=DAYS)
    found = describe(path, corrections={"NDVI.tif": Correction(date=DATES[2])})
    assert found.date == DATES[2] and {band.date for band in found.bands} == {None}
