"""Files of one name in several folders: each is called by the folders that tell it from the others."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster
from treeline.core.workspace import Workspace
from treeline.core.workspace.addresses import place_of_folders, short_addresses


def test_only_as_many_folders_as_are_needed() -> None:
    paths = [Path(text) for text in ("/a/north/2021/ndvi.tif", "/a/south/2021/ndvi.tif", "/a/dem.tif")]
    assert list(short_addresses(paths).values()) == ["north/2021/ndvi.tif", "south/2021/ndvi.tif", "dem.tif"]


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("ndvi.tif", ""),
        ("2021-06-01/ndvi.tif", ""),
        ("north/2021/06/ndvi.tif", "north"),
        ("a/R10m/x.tif", "a"),
    ],
)
def test_folders_that_are_no_dates_are_places(address: str, place: str) -> None:
    assert place_of_folders(address) == place


@pytest.mark.parametrize(
    ("folders", "question", "expected"),
    [
        (("2021-06-01", "2021-06-11"), "On which date was the mean NDVI highest?", 0.6),
        (("2019", "2021"), "By how much did the mean NDVI change from 2019 to 2021?", 0.2),
        (("2021/06/01", "2021/06/11"), "What is the mean NDVI on 2021-06-01?", 0.4),
        (("north", "south"), "What is the mean NDVI of south?", 0.6),
    ],
)
def test_a_folder_tells_the_date_or_the_place(
    tmp_path: Path, folders: tuple[str, str], question: str, expected: float
) -> None:
    for folder, value in zip(folders, (0.4, 0.6), strict=True):
        (tmp_path / "data" / folder).mkdir(parents=True)
        write_raster(tmp_path / "data" / folder / "ndvi.tif", np.full((8, 8), value, "float32"))
    answer = ask_folder(question, tmp_path / "data", tmp_path / "home").answer
    assert answer.value == pytest.approx(expected)


def test_an_archive_tells_the_date_of_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    raster = write_raster(tmp_path / "ndvi.tif", np.full((8, 8), 0.4, "float32"))
    for day in ("2021-06-01", "2021-06-11"):
        with zipfile.ZipFile(tmp_path / "data" / f"{day}.zip", "w") as archive:
            archive.write(raster, "ndvi.tif")
    (collection,) = Workspace(tmp_path / "home", [tmp_path / "data"]).collections.values()
    assert [member.date_text for member in collection.members] == ["2021-06-01", "2021-06-11"]


def test_linked_folders_may_hold_one_name(tmp_path: Path) -> None:
    for folder, value in (("ridge", 0.4), ("valley", 0.6)):
        (tmp_path / folder).mkdir()
        write_raster(tmp_path / folder / "NDVI_2021-06-01.tif", np.full((8, 8), value, "float32"))
    workspace = Workspace(tmp_path / "home", [tmp_path / "ridge", tmp_path / "valley"])
    found = {each.place: workspace.raster(each.addresses[0]).path for each in workspace.collections.values()}
    assert found == {place: tmp_path / place / "NDVI_2021-06-01.tif" for place in ("ridge", "valley")}
