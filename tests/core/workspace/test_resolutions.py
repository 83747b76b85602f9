"""One band at several pixel sizes counts once, at the finest; bands that are not the same stay."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.workspace import Workspace

# ESA Sentinel-2 Products Specification Document: B8A comes at 20 and at 60 m, B04 at 10, 20 and 60 m.
SCENE = "T33TWM_20190715T100031_{}_{}m.tif"


def write(folder: Path, name: str, pixel: int, side: int = 120, left: float = 5e5) -> None:
    size = side // pixel
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_raster(path, np.full((size, size), 1000, "uint16"), pixel=pixel, origin=(left, 5.1e6))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def sizes(folder: Path, handle: str) -> list[float]:
    """Return the pixel sizes of the members of a collection."""
    members = Workspace(folder.parent / "home", [folder]).collections[handle].members
    return [member.description.transform[0] for member in members]


def test_the_finest_of_several_pixel_sizes_counts(folder: Path) -> None:
    for pixel in (60, 10, 20):
        write(folder, SCENE.format("B04", pixel), pixel)
    for pixel in (60, 20):
        write(folder, SCENE.format("B8A", pixel), pixel)
    assert sizes(folder, "@red") == [10]
    assert sizes(folder, "@nir08") == [20]


def test_files_of_one_name_in_folders_of_pixel_sizes(folder: Path) -> None:
    for pixel in (20, 10):
        write(folder, f"R{pixel}m/T33TWM_20190715T100031_B04.tif", pixel)
    assert sizes(folder, "@red") == [10]


def test_a_coarser_file_that_names_no_size_and_no_time_is_no_date_of_its_own(folder: Path) -> None:
    write(folder, "NDVI_20210601T100031.tif", 10)
    write(folder, "NDVI_20210601.tif", 60)
    assert sizes(folder, "@ndvi") == [10]
    write(folder, "NDVI_20210601T130031.tif", 60)  # another time of that day
    assert sizes(folder, "@ndvi") == [10, 60]


def test_what_is_not_the_same_stays(folder: Path) -> None:
    write(folder, SCENE.format("B04", 10), 10)
    write(folder, "T33TWM_20190720T100031_B04_60m.tif", 60)
    assert len(sizes(folder, "@red")) == 2


def test_what_another_folder_holds_is_of_another_place(folder: Path) -> None:
    write(folder, SCENE.format("B04", 10), 10)
    write(folder, f"dry/{SCENE.format('B04', 10)}", 20)
    assert (sizes(folder, "@red-33twm-data"), sizes(folder, "@red-33twm-dry")) == ([10], [20])


@pytest.mark.parametrize(("side", "left"), [(360, 5e5), (120, 5.1e5)])
def test_what_shows_more_ground_in_larger_pixels_is_no_date_of_the_series(
    folder: Path, side: int, left: float
) -> None:
    for day in (15, 20):
        for pixel, ground, west in ((10, 120, 5e5), (60, side, left)):
            name = f"T33TWM_201907{day}T100031_B04_{pixel}m.tif"
            write(folder, name, pixel, ground, west)
    assert sizes(folder, "@red-33twm") == [10, 10]
    assert sizes(folder, "@red-33twm-60m") == [60, 60]
