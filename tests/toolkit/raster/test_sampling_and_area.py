from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from affine import Affine
from pyproj import Geod, Transformer

from tests.rasters import ORIGIN, write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster import Grid, pixel_area, read_arrays, read_small, row_areas, values_at
from treeline.toolkit.raster.area_mask import outside

EAST, NORTH = ORIGIN
US_SURVEY_FOOT = 1200 / 3937


def test_values_at_points(context: ToolContext, tmp_path: Path) -> None:
    pixels = np.arange(12, dtype="float32").reshape(3, 4)
    pixels[0, 0] = np.nan
    write_raster(tmp_path / "a.tif", pixels)
    points = [(EAST + 35, NORTH - 25), (EAST + 15, NORTH - 5), (EAST + 1, NORTH - 1), (EAST - 1, NORTH)]
    np.testing.assert_array_equal(values_at("a.tif", points), [11, 1, np.nan, np.nan])
    degrees = [Transformer.from_crs("EPSG:32633", "EPSG:4326", always_xy=True).transform(*p) for p in points]
    np.testing.assert_array_equal(values_at("a.tif", degrees, crs="EPSG:4326"), [11, 1, np.nan, np.nan])


def test_points_need_a_georeference(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((3, 4)), crs=None)
    with pytest.raises(GridMismatch, match="no CRS"):
        values_at("a.tif", [(15.0, 46.0)], crs="EPSG:4326")


def test_previews_are_small_masked_and_scaled(context: ToolContext, tmp_path: Path) -> None:
    pixels = np.full((300, 600), 50, dtype="uint8")
    pixels[:, :300] = 0
    write_raster(tmp_path / "a.tif", pixels, nodata=0, scale=0.1)
    found = read_small("a.tif", 100)
    assert found.shape == (50, 100)
    assert np.isnan(found[:, :50]).all()
    np.testing.assert_allclose(found[:, 50:], 5.0)
    assert read_small("a.tif").shape == (300, 600)


def test_whole_arrays_have_a_limit(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((10, 10)))
    arrays, grid = read_arrays({"a": "a.tif", "stack": ["a.tif", "a.tif"]})
    assert (arrays["stack"].shape, grid.shape) == ((2, 10, 10), (10, 10))
    with pytest.raises(InputError, match="too large"):
        read_arrays({"a": "a.tif"}, max_pixels=99)


@pytest.mark.parametrize(("unit", "expected"), [("m2", 100.0), ("ha", 0.01), ("km2", 1e-4)])
def test_area_of_projected_pixels(context: ToolContext, tmp_path: Path, unit: str, expected: float) -> None:
    write_raster(tmp_path / "a.tif", np.ones((3, 4)))
    assert pixel_area("a.tif", unit) == pytest.approx(expected)


def test_area_in_feet() -> None:
    grid = Grid("EPSG:2263", (10.0, 0.0, 980_000.0, 0.0, -10.0, 200_000.0), 3, 3)
    assert pixel_area(grid) == pytest.approx((10 * US_SURVEY_FOOT) ** 2)


def test_area_of_geographic_pixels_is_that_of_the_ellipsoid() -> None:
    step = 0.25
    grid = Grid("EPSG:4326", (step, 0.0, 10.0, 0.0, -step, 80.0), 1, 640)
    areas = row_areas(grid)
    geod = Geod(ellps="WGS84")
    for row in (0, 100, 320, 639):
        top, edge = 80.0 - row * step, np.linspace(10.0, 10.0 + step, 400)
        ring_x = np.concatenate([edge, edge[::-1]])
        ring_y = np.concatenate([np.full(400, top - step), np.full(400, top)])
        assert areas[row] == pytest.approx(abs(geod.polygon_area_perimeter(ring_x, ring_y)[0]), rel=1e-5)
    assert pixel_area(grid) == pytest.approx(areas.mean())


@pytest.mark.parametrize("degrees", [20, 45, 90])
def test_area_of_geographic_pixels_whose_rows_follow_no_parallel(
    context: ToolContext, degrees: float
) -> None:
    turned = Affine.translation(15, 60) * Affine.rotation(degrees) * Affine.scale(0.002, -0.001)
    grid = Grid("EPSG:4326", tuple(turned)[:6], 60, 40)
    geod, areas = Geod(ellps="WGS84"), row_areas(grid)
    for row in (0, 17, 39):
        found = 0.0
        for column in range(60):
            corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            found += abs(geod.polygon_area_perimeter(*zip(*(turned @ c for c in corners), strict=True))[0])
        assert areas[row] * 60 == pytest.approx(found, rel=1e-4)
    assert context.warnings == []


def test_the_whole_earth() -> None:
    areas = row_areas(Grid("EPSG:4326", (1.0, 0.0, -180.0, 0.0, -1.0, 90.0), 360, 180))
    assert areas.sum() * 360 == pytest.approx(510_065_621_724_089, rel=1e-9)


def test_web_mercator_enlarges_and_that_is_undone(context: ToolContext) -> None:
    x, y = Transformer.from_crs("EPSG:4326", "EPSG:3857", always_xy=True).transform(15.0, 60.0)
    grid = Grid("EPSG:3857", (20.0, 0.0, x, 0.0, -20.0, y), 10, 10)
    to_degrees = Transformer.from_crs("EPSG:3857", "EPSG:4326", always_xy=True)
    left, bottom, right, top = grid.bounds
    ring = to_degrees.transform([left, right, right, left], [bottom, bottom, top, top])
    area = abs(Geod(ellps="WGS84").polygon_area_perimeter(*ring)[0])
    assert row_areas(grid).sum() * 10 == pytest.approx(area, rel=1e-3)
    assert "does not keep areas" in context.warnings[0]


def test_no_crs_no_area(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((3, 4)), crs=None)
    with pytest.raises(GridMismatch, match="no CRS"):
        pixel_area("a.tif")


@pytest.mark.parametrize("west", [176.0, -184.0, 0.0])
def test_a_place_is_found_by_either_name_of_its_longitude(
    context: ToolContext, tmp_path: Path, west: float
) -> None:
    """178 W is 182 degrees in a raster across the antimeridian, or in one from 0 to 360."""
    columns = 8 if west else 360
    write_raster(
        tmp_path / "a.tif",
        np.tile(np.arange(columns, dtype="float32"), (4, 1)),
        crs="EPSG:4326",
        origin=(west, 10.0),
        pixel=1.0,
    )
    wanted = (182.0 - west) % 360
    found = values_at("a.tif", [(-177.5, 8.5), (182.5, 8.5), (177.5, 8.5)], crs="EPSG:4326")
    np.testing.assert_array_equal(found, [wanted, wanted, wanted - 5])
    area = AreaOfInterest(shapely.box(-178.9, 7.1, -177.1, 8.9), "EPSG:4326", "a box")
    grid = Grid("EPSG:4326", (1.0, 0.0, west, 0.0, -1.0, 10.0), columns, 4)
    inside = np.flatnonzero(~outside(area, grid)[1])
    np.testing.assert_array_equal(inside, [wanted - 1, wanted])
