from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
import pyproj
import pytest
import shapely

from treeline.core.demo import TRUTH_FILE, DemoTruth, write_demo
from treeline.core.demo.landscape import Cover
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.raster import open_raster_file, pixel_area, read_arrays, share, source, statistics
from treeline.toolkit.recognition.describe import describe

SEED, SIZE = 7, 300


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> tuple[Path, DemoTruth]:
    folder = tmp_path_factory.mktemp("workspace") / "demo"
    return folder, write_demo(folder, SEED, SIZE)


@pytest.fixture
def folder(demo, tmp_path):
    with use_context(ToolContext(output_folder=tmp_path)):
        yield demo[0]


def band(folder: Path, name: str, role: str):
    return source(str(folder / name), role)


def cover_hectares(folder: Path, cover: Cover) -> float:
    land = band(folder, "Demo_land_cover.tif", "landcover")
    counted = share(lambda landcover: landcover == cover, {"landcover": land})
    return counted.met * 0.04


def test_every_file_is_recognised_without_corrections(demo):
    folder, truth = demo
    paths = sorted(folder.glob("*.tif"))
    assert len(paths) == 4 * len(truth.dates) + 2
    for path in paths:
        described = describe(path, siblings=paths)
        assert described.crs == truth.crs
        assert (described.width, described.height) == (SIZE, SIZE)
        assert not described.warnings, path.name
        assert described.place == "Demo"
        for found in described.bands:
            assert found.role and found.scale_known, (path.name, found)
        named = [text for text in truth.dates if text in path.name]
        assert [described.date.date().isoformat()] == named if named else described.date is None


def test_roles_of_each_kind_of_file(demo):
    folder, truth = demo
    expected = {
        f"Demo_{truth.dates[0]}.tif": ["blue", "green", "red", "nir", "swir1", "swir2"],
        f"Demo_BT10_{truth.dates[0]}.tif": ["bt10"],
        f"Demo_LST_{truth.dates[0]}.tif": ["lst"],
        f"Demo_cloud_mask_{truth.dates[0]}.tif": ["cloud_mask"],
        "Demo_DEM.tif": ["dem"],
        "Demo_land_cover.tif": ["landcover"],
    }
    assert {name: [b.role for b in describe(folder / name).bands] for name in expected} == expected


def test_every_raster_says_that_it_is_simulated(demo):
    for path in demo[0].glob("*.tif"):
        with open_raster_file(path) as dataset:
            assert dataset.tags()["TREELINE_SIMULATED"].startswith("SIMULATED by Treeline"), path.name


def test_land_cover_classes_have_names_and_areas(demo, folder):
    with open_raster_file(folder / "Demo_land_cover.tif") as dataset:
        classes = json.loads(dataset.tags()["TREELINE_CLASSES"])
    assert classes == {str(int(cover)): cover.title for cover in Cover}
    for cover in Cover:
        assert cover_hectares(folder, cover) == pytest.approx(demo[1].cover_area[cover.title], abs=0.01)
    assert sum(demo[1].cover_area.values()) == pytest.approx(demo[1].scene_area, abs=0.1)


def test_burned_area_is_found_by_the_burn_ratio(demo, folder):
    truth = demo[1]
    assert truth.before_burn < truth.burn_date < truth.after_burn
    inputs = {
        f"{role}_{when}": band(folder, f"Demo_{day}.tif", role)
        for when, day in (("before", truth.before_burn), ("after", truth.after_burn))
        for role in ("nir", "swir2")
    }

    def is_burned(nir_before, swir2_before, nir_after, swir2_after):
        before = (nir_before - swir2_before) / (nir_before + swir2_before)
        after = (nir_after - swir2_after) / (nir_after + swir2_after)
        return before - after > 0.27

    hectares = share(is_burned, inputs).met * pixel_area(inputs["nir_before"], "ha")
    assert hectares == pytest.approx(truth.burned_area, rel=0.05)


def test_mean_ndvi_of_clear_pixels_is_the_truth(demo, folder):
    truth = demo[1]
    for day in truth.dates:
        inputs = {role: band(folder, f"Demo_{day}.tif", role) for role in ("red", "nir")}
        inputs["cloud"] = band(folder, f"Demo_cloud_mask_{day}.tif", "cloud_mask")
        arrays, _ = read_arrays(inputs)
        ndvi = (arrays["nir"] - arrays["red"]) / (arrays["nir"] + arrays["red"])
        assert ndvi[arrays["cloud"] == 0].mean() == pytest.approx(truth.mean_ndvi[day], abs=1e-4)
        assert 100 * arrays["cloud"].mean() == pytest.approx(truth.cloud_percent[day], abs=1e-2)


def test_mean_temperature_is_the_truth(demo, folder):
    truth = demo[1]
    for day in truth.dates:
        found = statistics(band(folder, f"Demo_LST_{day}.tif", "lst"))
        assert found.mean == pytest.approx(truth.mean_lst[day], abs=2e-3)
        assert found.count_valid == pytest.approx(SIZE**2 * (1 - truth.cloud_percent[day] / 100), abs=2)


def test_surface_temperature_follows_from_brightness_and_vegetation(demo, folder):
    # Artis and Carnahan (1982) with a constant emissivity of 0.98 on a clear day.
    day = "2021-07-22"
    inputs = {
        "bt": band(folder, f"Demo_BT10_{day}.tif", "bt10"),
        "lst": band(folder, f"Demo_LST_{day}.tif", "lst"),
    }
    arrays, _ = read_arrays(inputs)
    corrected = arrays["bt"] / (1 + 10.895e-6 * arrays["bt"] / 1.438777e-2 * np.log(0.98))
    assert np.abs(corrected - arrays["lst"]).mean() < 0.6


def test_the_drought_year_is_the_warmer_and_browner_one(demo):
    truth = demo[1]

    def summer(means, year):
        return np.mean(
            [value for day, value in means.items() if day.startswith(str(year)) and "06" <= day[5:7] <= "08"]
        )

    years = {date.fromisoformat(day).year for day in truth.dates}
    (usual,) = years - {truth.drought_year}
    assert summer(truth.mean_lst, truth.drought_year) > summer(truth.mean_lst, usual) + 3
    assert summer(truth.mean_ndvi, truth.drought_year) < summer(truth.mean_ndvi, usual) - 0.02


def test_elevation_is_the_truth(demo, folder):
    found = statistics(band(folder, "Demo_DEM.tif", "dem"))
    assert (found.min, found.max) == pytest.approx(demo[1].elevation, abs=0.06)


def test_regions_tile_the_scene(demo):
    folder, truth = demo
    collection = json.loads((folder / "Demo_regions.geojson").read_text(encoding="utf-8"))
    polygons = [shapely.from_geojson(json.dumps(f["geometry"])) for f in collection["features"]]
    names = [feature["properties"]["name"] for feature in collection["features"]]
    assert len(set(names)) == len(names) == 10
    assert all(polygon.is_valid and polygon.exterior.is_ccw for polygon in polygons)
    to_metres = pyproj.Transformer.from_crs("EPSG:4326", truth.crs, always_xy=True).transform
    polygons = [shapely.transform(polygon, to_metres, interleaved=False) for polygon in polygons]
    areas = [polygon.area / 1e4 for polygon in polygons]
    assert sum(areas) == pytest.approx(truth.scene_area, rel=1e-3)
    with open_raster_file(folder / "Demo_DEM.tif") as dataset:
        scene = shapely.box(*dataset.bounds)
    assert shapely.union_all(polygons).symmetric_difference(scene).area < 1e-3 * scene.area


def test_truth_is_saved_out_of_sight_of_the_catalogue(demo):
    folder, truth = demo
    assert TRUTH_FILE.startswith(".")
    assert DemoTruth.load(folder) == truth


def test_a_second_call_writes_nothing(demo):
    folder, truth = demo
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert write_demo(folder, SEED, SIZE) == truth
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_same_seed_same_bytes_of_pixels(tmp_path):
    first, second = write_demo(tmp_path / "a", 3, 130), write_demo(tmp_path / "b", 3, 130)
    assert first == second
    for path in (tmp_path / "a").glob("*.tif"):
        with open_raster_file(path) as one, open_raster_file(tmp_path / "b" / path.name) as other:
            np.testing.assert_array_equal(one.read(), other.read())
    assert write_demo(tmp_path / "c", 4, 130).mean_ndvi != first.mean_ndvi


def test_two_writers_of_one_demo_agree(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        truths = list(pool.map(lambda _: write_demo(tmp_path / "demo", 2, 120), range(2)))
    assert truths[0] == truths[1]
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="something else"):
        write_demo(tmp_path, 2, 120)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_demo_of_another_seed_is_not_overwritten(demo):
    with pytest.raises(InputError, match="seed 8"):
        write_demo(demo[0], 8, SIZE)


def test_a_broken_truth_is_not_taken_for_a_demo(tmp_path):
    (tmp_path / TRUTH_FILE).write_text('{"version": 1')
    assert DemoTruth.load(tmp_path) is None
    with pytest.raises(InputError):
        write_demo(tmp_path, 2, 120)


@pytest.mark.parametrize(("seed", "size"), [(-1, 300), (7, 20), (7, 100_000)])
def test_seed_and_size_out_of_range_are_refused(tmp_path, seed, size):
    with pytest.raises(InputError, match=str(size)):
        write_demo(tmp_path / "demo", seed, size)
    assert not list(tmp_path.iterdir())
