"""Scenes that are cut into tiles: asked about together where they adjoin, apart where they do not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster

NAME = "S2A_MSIL2A_20220715T100611_N0400_R022_T{}_20220715T162205_{}.tif"
QUESTION = "Which percentage of the pixels has NDVI above 0.4?"
SIDE = 40


def write_tile(folder: Path, tile: str, left: float, red: int, crs: str = "EPSG:32633") -> None:
    for band, stored in (("B04", red), ("B08", 4000)):
        values = np.full((SIDE, SIDE), stored + 1000, "uint16")
        write_raster(folder / NAME.format(tile, band), values, origin=(left, 5.1e6), crs=crs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tile of which all is green: 0.4 and 0.1 give an NDVI of 0.6."""
    (tmp_path / "data").mkdir()
    write_tile(tmp_path / "data", "33TWM", 5e5, 1000)
    return tmp_path / "data"


def test_tiles_that_adjoin_are_one(folder: Path, tmp_path: Path) -> None:
    write_tile(folder, "33TXM", 5e5 + 10 * SIDE, 3000)
    finished = ask_folder(QUESTION, folder, tmp_path)
    assert finished.status == "answered" and finished.answer.value == pytest.approx(50.0)
    assert "33TWM and 33TXM together" in finished.answer.text
    alone = ask_folder("What is the mean NDVI of 33TXM?", folder, tmp_path / "alone")
    assert alone.answer.value == pytest.approx(1 / 7, rel=1e-6)


def test_ground_of_two_tiles_counts_once(folder: Path, tmp_path: Path) -> None:
    write_tile(folder, "33TXM", 5e5 + 5 * SIDE, 3000)
    finished = ask_folder(QUESTION, folder, tmp_path)
    assert finished.answer.value == pytest.approx(100 * 2 / 3)


# How Earth Engine names the parts of a large export, and Airbus those of an image (DIMAP, R1C2: row, column).
@pytest.mark.parametrize(
    "name", ["NDVI_2021-07-01-0000000000-00000000{0:02}.tif", "IMG_PHR1A_202107121000310_NDVI_R1C{1}.TIF"]
)
def test_parts_of_one_image_are_one_image(tmp_path: Path, name: str) -> None:
    (tmp_path / "parts").mkdir()
    values = np.random.default_rng(3).uniform(0.2, 0.8, (SIDE, SIDE)).astype("float32")
    values[:, 30:] += 0.1
    for number, (first, last) in enumerate(((0, 30), (30, SIDE)), start=1):
        part = tmp_path / "parts" / name.format(first, number)
        write_raster(part, values[:, first:last], origin=(5e5 + 10 * first, 5.1e6))
    finished = ask_folder("What is the mean NDVI?", tmp_path / "parts", tmp_path / "home")
    assert finished.status == "answered" and finished.answer.value == pytest.approx(values.mean(), rel=1e-6)


def test_slopes_of_tiles_are_those_of_the_whole(tmp_path: Path) -> None:
    heights = np.random.default_rng(4).uniform(0, 10, (SIDE, SIDE)).cumsum(1).astype("float32")
    for folder in ("parts", "whole"):
        (tmp_path / folder).mkdir()
    write_raster(tmp_path / "whole" / "dem.tif", heights)
    for first in (0, SIDE // 2):
        part = heights[:, first : first + SIDE // 2]
        path = tmp_path / "parts" / f"dem-0000000000-00000000{first:02}.tif"
        write_raster(path, part, origin=(5e5 + 10 * first, 5.1e6))
    parts, whole = (
        ask_folder("What is the mean slope?", tmp_path / folder, tmp_path / f"home {folder}")
        for folder in ("parts", "whole")
    )
    assert parts.status == "answered" and parts.answer.value == pytest.approx(whole.answer.value, rel=1e-9)


def test_the_triangle_of_tvdi_is_that_of_all_tiles(tmp_path: Path) -> None:
    side = 64
    ndvi, wet = np.random.default_rng(5).uniform(0.1, 0.9, (2, side, side))
    ndvi[:, side // 2 :] *= 0.6  # each half has edges of its own
    scene = {"ndvi": ndvi, "lst": 320 - 25 * ndvi - wet * (15 - 10 * ndvi)}
    for name, values in scene.items():
        for first, last, folder in ((0, side // 2, "parts"), (side // 2, side, "parts"), (0, side, "whole")):
            (tmp_path / folder).mkdir(exist_ok=True)
            path = tmp_path / folder / f"{name}_2021-06-01_0_{first // (side // 2)}.tif"
            part = values[:, first:last].astype("float32")
            write_raster(path, part, origin=(5e5 + 10 * first, 5.1e6))
    parts, whole = (
        ask_folder("What is the mean TVDI?", tmp_path / folder, tmp_path / f"home {folder}").answer
        for folder in ("parts", "whole")
    )
    assert parts.value == pytest.approx(whole.value, rel=1e-9)


@pytest.mark.parametrize(("left", "crs"), [(6e5, "EPSG:32633"), (5e5 + 10 * SIDE, "EPSG:32634")])
def test_tiles_apart_are_told(folder: Path, tmp_path: Path, left: float, crs: str) -> None:
    write_tile(folder, "33TXM", left, 3000, crs)
    finished = ask_folder(QUESTION, folder, tmp_path)
    assert finished.status == "asks"
    assert [reading.value for reading in finished.answer.readings] == [
        "2022-07-15 10:06 (100 %)",
        "2022-07-15 10:06 (0 %)",
    ]


def test_clouds_of_adjoining_tiles(folder: Path, tmp_path: Path) -> None:
    write_tile(folder, "33TXM", 5e5 + 10 * SIDE, 3000)
    for tile, left, cloudy in (("33TWM", 5e5, 4), ("33TXM", 5e5 + 10 * SIDE, 20)):
        classes = np.full((SIDE, SIDE), 4, "uint8")
        classes[:cloudy] = 9
        write_raster(folder / NAME.format(tile, "SCL"), classes, origin=(left, 5.1e6))
    finished = ask_folder("What is the cloud cover in percent?", folder, tmp_path)
    assert finished.answer.value == pytest.approx(100 * 24 / 80)
    clear = ask_folder("What is the mean NDVI without clouds?", folder, tmp_path / "clear")
    assert clear.answer.value == pytest.approx((36 * 0.6 + 20 / 7) / 56, rel=1e-6)


@pytest.fixture
def tiles_of_maps(tmp_path: Path) -> Path:
    """Two tiles of heights and of a map of classes, beside a scene of another sensor and grid."""
    folder = tmp_path / "maps"
    folder.mkdir()
    for degree, height in ((14, 300.0), (15, 500.0)):
        heights = np.full((SIDE, SIDE), height, "float32")
        heights[0, 0] += 50
        name = f"Copernicus_DSM_COG_10_N46_00_E0{degree}_00_DEM.tif"
        write_raster(folder / name, heights, origin=(degree, 47.0), crs="EPSG:4326", pixel=1 / SIDE)
    for tile, left, trees in (("N45E012", 5e5, 10), ("N45E015", 5e5 + 10 * SIDE, 40)):
        classes = np.full((SIDE, SIDE), 40, "uint8")
        classes[:trees] = 10
        write_raster(folder / f"ESA_WorldCover_10m_2021_v200_{tile}_Map.tif", classes, origin=(left, 5.1e6))
    write_tile(folder, "33TWM", 5e5, 1000)
    return folder


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the mean elevation?", 400 + 50 / SIDE**2),
        ("What is the maximum elevation?", 550),
        ("What is the area of tree cover in hectares?", (10 + 40) * SIDE / 100),
        ("What is the share of cropland?", 37.5),
    ],
)
def test_tiles_of_maps_are_one_beside_scenes_of_another_sensor(
    tiles_of_maps: Path, tmp_path: Path, question: str, expected: float
) -> None:
    answer = ask_folder(question, tiles_of_maps, tmp_path).answer
    assert answer.value == pytest.approx(expected)
    assert "together" in answer.text


def test_maps_of_two_places_are_told(tmp_path: Path) -> None:
    for place, left, rows in (("north", 5e5, SIDE), ("south", 6e5, SIDE // 2)):
        classes = np.ones((SIDE, SIDE), "uint8")
        classes[:rows] = 2
        write_raster(tmp_path / f"{place}_LULC_2020.tif", classes, origin=(left, 5.1e6))
    finished = ask_folder("What is the area of class 2?", tmp_path, tmp_path / "home")
    assert finished.status == "asks"
    south = ask_folder("What is the area of class 2 in south?", tmp_path, tmp_path / "home").answer
    assert south.value == pytest.approx(SIDE * SIDE / 200)


@pytest.mark.parametrize(
    ("question", "expected", "scheme"),
    [
        ("What is the area of deciduous needleleaf trees?", 4, "LC_Type5"),
        ("What is the area of deciduous needleleaf forests?", 12, "LC_Type1"),
        ("What is the area of class 3?", 12, "LC_Type1"),
    ],
)
def test_two_legends_of_one_date_are_not_mixed(
    tmp_path: Path, question: str, expected: float, scheme: str
) -> None:
    for name, rows in (("LC_Type1", 30), ("LC_Type5", 10)):
        classes = np.full((SIDE, SIDE), 4, "uint8")
        classes[:rows] = 3
        write_raster(tmp_path / f"MCD12Q1.061_{name}_doy2020001_aid0001.tif", classes, nodata=255)
    answer = ask_folder(question, tmp_path, tmp_path / "home").answer
    assert answer.value == pytest.approx(expected)
    assert f"Taken from {scheme}; there is also" in answer.text


@pytest.mark.parametrize(("shift", "expected"), [(SIDE, 0.4), (0, None)])
def test_parts_that_people_cut_are_one_unless_they_lie_on_each_other(
    tmp_path: Path, shift: int, expected: float | None
) -> None:
    for number, value in enumerate((0.3, 0.5)):
        ndvi = np.full((SIDE, SIDE), value, "float32")
        write_raster(tmp_path / f"ndvi_0_{number}.tif", ndvi, origin=(5e5 + 10 * shift * number, 5.1e6))
    answer = ask_folder("What is the mean NDVI?", tmp_path, tmp_path / "home").answer
    assert answer.value == pytest.approx(expected)
    assert ("together" in answer.text) == bool(shift)


def test_many_tiles_of_which_the_name_begins_with_t(tmp_path: Path) -> None:
    for number in range(14):
        ndvi = np.full((8, 8), 0.1 + 0.05 * number, "float32")
        name = f"T33T{chr(ord('A') + number)}M_20210601_NDVI.tif"
        write_raster(tmp_path / name, ndvi, origin=(5e5 + 80 * number, 5.1e6))
    answer = ask_folder("What is the mean NDVI?", tmp_path, tmp_path / "home").answer
    assert answer.value == pytest.approx(0.1 + 0.05 * 6.5)
