"""One piece of land, drawn in five projections: slopes and distances are those of the land."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import rasterio
from pyproj import Geod, Transformer
from rasterio.windows import Window

from tests.workplace import Workplace
from treeline.toolkit.errors import GridMismatch
from treeline.toolkit.raster import Grid
from treeline.toolkit.raster.ground import LENGTHS_TAG, Ground

GEOD = Geod(ellps="WGS84")
SIZE = 30
ALPS, SVALBARD, ROSS = (15.0, 46.0), (16.0, 78.0), (-170.0, -80.0)
MAPS = [
    (ALPS, "EPSG:32633"),
    (ALPS, "EPSG:4326"),
    (ALPS, "EPSG:3857"),
    (ALPS, "EPSG:3413"),
    (ALPS, "EPSG:3035"),
    (SVALBARD, "EPSG:32633"),
    (SVALBARD, "EPSG:4326"),
    (SVALBARD, "EPSG:3857"),
    (SVALBARD, "EPSG:3413"),
    (ROSS, "EPSG:3031"),
    (ROSS, "EPSG:4326"),
]


def _grid(place: tuple[float, float], crs: str, metres: float = 30.0) -> Grid:
    """A grid around a place whose pixels are about so many metres on the ground."""
    x, y = Transformer.from_crs("EPSG:4326", crs, always_xy=True).transform(*place)
    side = metres / 111_000 if crs == "EPSG:4326" else metres
    return Grid(crs, (side, 0.0, x - side * SIZE / 2, 0.0, -side, y + side * SIZE / 2), SIZE, SIZE)


def _degrees(grid: Grid) -> tuple[np.ndarray, np.ndarray]:
    columns, rows = np.meshgrid(np.arange(grid.width) + 0.5, np.arange(grid.height) + 0.5)
    xs, ys = grid.affine * (columns, rows)
    return Transformer.from_crs(grid.crs, "EPSG:4326", always_xy=True).transform(xs, ys)


def _hillside(place: tuple[float, float], crs: str, slope: float, aspect: float) -> tuple[Grid, np.ndarray]:
    """A plane on the ground that falls in a direction, by geodesics from its middle."""
    grid = _grid(place, crs)
    longitude, latitude = _degrees(grid)
    middle = np.full(longitude.shape, place[0]), np.full(longitude.shape, place[1])
    ahead, _, away = GEOD.inv(*middle, longitude, latitude)
    down = away * np.cos(np.radians(ahead - aspect))
    return grid, (1000 - math.tan(math.radians(slope)) * down).astype("float32")


def _write(place: Workplace, name: str, grid: Grid, array: np.ndarray, role: str) -> str:
    with rasterio.open(
        place.folder / name,
        "w",
        driver="GTiff",
        width=grid.width,
        height=grid.height,
        count=1,
        dtype=array.dtype,
        crs=grid.crs,
        transform=grid.affine,
    ) as dataset:
        dataset.write(array, 1)
        dataset.set_band_description(1, role)
    return name


def _tag(path: Path) -> str:
    with rasterio.open(path) as dataset:
        return str(dataset.tags()[LENGTHS_TAG])


@pytest.mark.parametrize(("place", "crs"), MAPS)
def test_one_hillside_has_one_slope_and_aspect(tmp_path: Path, place: tuple[float, float], crs: str) -> None:
    work = Workplace(tmp_path)
    grid, dem = _hillside(place, crs, 30.0, 115.0)
    _write(work, "dem.tif", grid, dem, "dem")
    inner = (slice(2, -2), slice(2, -2))
    work.run("calculate_slope", dem_path="dem.tif", output_path="s.tif")
    np.testing.assert_allclose(work.read("s.tif")[inner], 30.0, atol=0.1)
    work.run("calculate_aspect", dem_path="dem.tif", output_path="a.tif")
    np.testing.assert_allclose(work.read("a.tif")[inner], 115.0, atol=0.3)
    work.run("mask_slopes_facing", dem_path="dem.tif", directions=["east"], output_path="f.tif")
    assert (work.read("f.tif")[inner] == 1).all()
    work.run("calculate_hillshade", dem_path="dem.tif", output_path="h.tif", azimuth=115, altitude=60)
    np.testing.assert_array_equal(work.read("h.tif")[inner], 254)
    work.run("calculate_curvature", dem_path="dem.tif", output_path="c.tif")
    assert np.abs(work.read("c.tif")[inner]).max() < 1e-4


@pytest.mark.parametrize("kind", ["total", "profile", "plan"])
@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857", "EPSG:3413", "EPSG:3035"])
def test_a_bowl_has_one_curvature(tmp_path: Path, crs: str, kind: str) -> None:
    work, found = Workplace(tmp_path), {}
    for name in ("EPSG:32633", crs):
        grid = _grid(ALPS, name)
        longitude, latitude = _degrees(grid)
        middle = np.full(longitude.shape, ALPS[0]), np.full(longitude.shape, ALPS[1])
        ahead, _, away = GEOD.inv(*middle, longitude, latitude)
        east, north = away * np.sin(np.radians(ahead)), away * np.cos(np.radians(ahead))
        bowl = 0.001 * east**2 + 0.0004 * north**2 + 0.0003 * east * north + 0.4 * east - 0.3 * north
        _write(work, "b.tif", grid, bowl, "dem")
        work.run("calculate_curvature", dem_path="b.tif", output_path="c.tif", kind=kind)
        found[name] = work.read("c.tif")[SIZE // 2, SIZE // 2]
        assert np.isnan(work.read("c.tif")[0]).all(), "the rim has no curvature"
    # The middle pixel lies half a pixel beside the same point, so that only the total is the same to a hair.
    assert found[crs] == pytest.approx(found["EPSG:32633"], rel=5e-3 if kind == "total" else 0.1)


@pytest.mark.parametrize(("place", "crs"), MAPS)
def test_distances_are_those_on_the_ground(tmp_path: Path, place: tuple[float, float], crs: str) -> None:
    work, grid = Workplace(tmp_path), _grid(place, crs)
    mask = np.zeros(grid.shape, dtype="uint8")
    mask[3:8, 4:7] = mask[22, 25] = 1
    _write(work, "m.tif", grid, mask, "mask")
    work.run("distance_to_mask", mask_path="m.tif", output_path="d.tif")
    longitude, latitude = _degrees(grid)
    marks = list(zip(longitude[mask == 1], latitude[mask == 1], strict=True))
    away = [
        GEOD.inv(*np.broadcast_arrays(*mark, longitude, latitude)[:2], longitude, latitude)[2]
        for mark in marks
    ]
    nearest = np.min(away, axis=0)
    np.testing.assert_allclose(work.read("d.tif"), nearest, rtol=5e-3, atol=1e-3)


def test_the_result_says_which_lengths_were_used(tmp_path: Path) -> None:
    work = Workplace(tmp_path)
    for crs, tag, warned in (
        ("EPSG:32633", "of the map, EPSG:32633", False),
        ("EPSG:3857", "on the ellipsoid", True),
        ("EPSG:4326", "on the ellipsoid", False),
    ):
        grid, dem = _hillside(ALPS, crs, 30.0, 180.0)
        _write(work, "dem.tif", grid, dem, "dem")
        _write(work, "m.tif", grid, (dem > 1000).astype("uint8"), "mask")
        for tool, given in (("calculate_slope", "dem_path"), ("distance_to_mask", "mask_path")):
            work.run(tool, **{given: "dem.tif" if given == "dem_path" else "m.tif"}, output_path="r.tif")
            assert _tag(tmp_path / "r.tif").startswith(tag)
            said = [text for text in work.context.warnings if "not true to the ground" in text]
            assert bool(said) is warned
            assert not warned or "1.44 times" in said[0]


def test_distances_cross_the_date_line(tmp_path: Path) -> None:
    work = Workplace(tmp_path)
    mask = np.zeros((3, 360), dtype="uint8")
    mask[1, 0] = 1
    _write(work, "m.tif", Grid("EPSG:4326", (1.0, 0.0, -180.0, 0.0, -1.0, 61.5), 360, 3), mask, "mask")
    work.run("distance_to_mask", mask_path="m.tif", output_path="d.tif")
    expected = GEOD.inv(-179.5, 60.0, 179.5, 60.0)[2]
    assert work.read("d.tif")[1, -1] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("crs", ["EPSG:3857", "EPSG:3413", "EPSG:2154"])
def test_blocks_are_measured_as_the_whole(crs: str) -> None:
    place = (2.0, 47.0) if crs == "EPSG:2154" else ALPS
    side = 3000.0
    x, y = Transformer.from_crs("EPSG:4326", crs, always_xy=True).transform(*place)
    grid = Grid(crs, (side, 0.0, x, 0.0, -side, y), 300, 260)
    ground = Ground(grid)
    whole, window = ground.steps(), Window(130, 70, 101, 57)
    part = ground.steps(grid.part(window))
    for name in ("column_east", "column_north", "row_east", "row_north"):
        expected = getattr(whole, name)[70:127, 130:231]
        np.testing.assert_allclose(getattr(part, name), expected, atol=side * 3e-5)


def test_a_rotated_grid_is_measured_along_its_rows_and_columns() -> None:
    turn = math.radians(30)
    a, b = 10 * math.cos(turn), 10 * math.sin(turn)
    steps = Ground(Grid("EPSG:32633", (a, b, 5e5, b, -a, 5.1e6), 8, 8)).steps()
    assert float(np.hypot(steps.column_east, steps.column_north).item()) == pytest.approx(10)
    assert float(steps.area.item()) == pytest.approx(100)


def test_a_plane_that_lies_nowhere_is_taken_as_it_is() -> None:
    site = 'LOCAL_CS["site",UNIT["metre",1],AXIS["x",EAST],AXIS["y",NORTH]]'
    ground = Ground(Grid(site, (2.0, 0.0, 0.0, 0.0, -2.0, 0.0), 4, 4))
    assert ground.is_true
    assert ground.keeps_lengths
    assert float(ground.steps().area.item()) == 4


def test_the_pole_itself_has_no_directions() -> None:
    ground = Ground(Grid("EPSG:3413", (25_000.0, 0.0, -62_500.0, 0.0, -25_000.0, 62_500.0), 5, 5))
    steps = ground.steps()
    assert np.isnan(steps.column_east[2, 2])
    around = np.delete(np.sqrt(steps.area).ravel(), 12)
    np.testing.assert_allclose(around, 25_000 / 0.97, rtol=0.01)


def test_no_crs_no_lengths() -> None:
    with pytest.raises(GridMismatch, match="no CRS"):
        Ground(Grid(None, (1.0, 0.0, 0.0, 0.0, -1.0, 0.0), 4, 4))
