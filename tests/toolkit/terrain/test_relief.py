from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Geod
from scipy import ndimage

from tests.workplace import Workplace
from treeline.toolkit.errors import GridMismatch, InputError, RoleMismatch
from treeline.toolkit.raster import Grid
from treeline.toolkit.raster.ground import Ground
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.terrain.gradient import downhill, gradient, steepness

UTM = Grid("EPSG:32633", (10.0, 0.0, 5e5, 0.0, -10.0, 5.1e6), 30, 20)
ROUGH = np.random.default_rng(5).normal(500, 20, (40, 50)).astype("float32")


def _plane(east: float, north: float, grid: Grid = UTM) -> np.ndarray:
    """Elevation that rises by so much per metre eastward and northward."""
    x, y = np.meshgrid(np.arange(grid.width) * 10.0, -np.arange(grid.height) * 10.0)
    return (300 + east * x + north * y).astype("float64")


@given(east=st.floats(-2, 2), north=st.floats(-2, 2), method=st.sampled_from(["horn", "zevenbergen_thorne"]))
def test_gradient_of_a_plane_is_exact(east: float, north: float, method: str) -> None:
    found = gradient(_plane(east, north), Ground(UTM).steps(), method)  # type: ignore[arg-type]
    for values, expected in zip(found, (east, north), strict=True):
        np.testing.assert_allclose(values[1:-1, 1:-1], expected, atol=1e-9)
    rim = np.ones(UTM.shape, dtype=bool)
    rim[1:-1, 1:-1] = False
    assert np.isnan(steepness(*found)[rim]).all()


@settings(max_examples=25)
@given(degrees=st.floats(0, 359.9))
def test_aspect_is_the_direction_of_descent(degrees: float) -> None:
    angle = math.radians(degrees)
    dem = _plane(-0.3 * math.sin(angle), -0.3 * math.cos(angle))
    found = np.degrees(downhill(*gradient(dem, Ground(UTM).steps())))[5, 5]
    assert math.cos(math.radians(found) - angle) == pytest.approx(1, abs=1e-9)
    assert steepness(*gradient(dem, Ground(UTM).steps()))[5, 5] == pytest.approx(math.atan(0.3))


def test_slope_is_that_of_sobel(place: Workplace) -> None:
    place.raster("dem.tif", ROUGH, descriptions=["dem"])
    place.run("calculate_slope", dem_path="dem.tif", output_path="s.tif")
    rise = [ndimage.sobel(ROUGH.astype(float), axis) / 80 for axis in (0, 1)]
    expected = np.degrees(np.arctan(np.hypot(*rise)))
    np.testing.assert_allclose(place.read("s.tif")[1:-1, 1:-1], expected[1:-1, 1:-1], rtol=1e-4)
    assert np.isnan(place.read("s.tif")[0]).all()
    place.run("calculate_slope_percent", dem_path="dem.tif", output_path="p.tif")
    np.testing.assert_allclose(place.read("p.tif")[5, 5], 100 * np.tan(np.radians(expected[5, 5])), rtol=1e-4)


@pytest.mark.parametrize("method", ["horn", "zevenbergen_thorne"])
def test_a_pixel_without_a_height_has_no_slope(place: Workplace, method: str) -> None:
    holes = ROUGH.astype("float32")
    holes[5, 5] = -9999
    place.raster("dem.tif", holes, nodata=-9999, descriptions=["dem"])
    place.run("calculate_slope", dem_path="dem.tif", output_path="s.tif", method=method)
    assert np.isnan(place.read("s.tif")[5, 4:7]).all() and np.isfinite(place.read("s.tif")[5, 7])


def test_blocks_join_without_seams(place: Workplace) -> None:
    dem = np.random.default_rng(6).normal(0, 5, (1100, 1100)).astype("float32")
    place.raster("dem.tif", dem, descriptions=["dem"])
    place.run("calculate_slope", dem_path="dem.tif", output_path="s.tif")
    rise = [ndimage.sobel(dem.astype(float), axis) / 80 for axis in (0, 1)]
    expected = np.degrees(np.arctan(np.hypot(*rise)))
    np.testing.assert_allclose(place.read("s.tif")[1:-1, 1:-1], expected[1:-1, 1:-1], rtol=1e-3)


def test_degrees_are_measured_on_the_ellipsoid(place: Workplace) -> None:
    grid = Grid("EPSG:4326", (0.001, 0.0, 10.0, 0.0, -0.001, 60.0), 20, 20)
    steps, geod = Ground(grid).steps(), Geod(ellps="WGS84")
    latitude = 60.0 - 0.001 * 10.5
    east = geod.inv(10.0, latitude, 10.001, latitude)[2]
    north = geod.inv(10.0, latitude - 0.0005, 10.0, latitude + 0.0005)[2]
    assert steps.column_east[10, 0] == pytest.approx(east, rel=1e-6)
    assert -steps.row_north[10, 0] == pytest.approx(north, rel=1e-6)
    rising = np.repeat(np.arange(20.0)[None] * 10, 20, axis=0).astype("float32")
    place.raster("g.tif", rising, crs="EPSG:4326", origin=(10.0, 60.0), pixel=0.001, descriptions=["dem"])
    place.run("calculate_slope", dem_path="g.tif", output_path="s.tif")
    assert place.read("s.tif")[10, 10] == pytest.approx(math.degrees(math.atan(10 / east)), rel=1e-4)


def test_aspect_and_flat_land(place: Workplace) -> None:
    dem = _plane(0, 0.2)
    dem[10:, :] = dem[10:11, :]
    place.raster("dem.tif", dem.astype("float32"), descriptions=["dem"])
    place.run("calculate_aspect", dem_path="dem.tif", output_path="a.tif")
    found = place.read("a.tif")
    np.testing.assert_allclose(found[2:8, 2:-2], 180, atol=1e-3)
    assert np.isnan(found[15, 15])


def test_slopes_facing_a_direction(place: Workplace) -> None:
    dem = _plane(0, 0.2)
    dem[10:, :] = dem[10:11, :]
    place.raster("dem.tif", dem.astype("float32"), descriptions=["dem"])
    for directions, sloping in ((["south"], 1), (["north"], 0), (["southwest"], 0), (["east", "south"], 1)):
        place.run("mask_slopes_facing", dem_path="dem.tif", directions=directions, output_path="m.tif")
        found = place.read("m.tif")
        assert (found[2:8, 2:-2] == sloping).all()
        assert found[15, 15] == 0, "flat ground faces nowhere"
        assert np.isnan(found[0]).all(), "the rim has no slope"
    place.run("mask_slopes_facing", dem_path="dem.tif", directions=["north"], output_path="m.tif")
    turned = place.raster("turned.tif", dem[::-1].astype("float32"), descriptions=["dem"])
    place.run("mask_slopes_facing", dem_path=turned, directions=["north"], output_path="n.tif")
    np.testing.assert_array_equal(place.read("n.tif")[12:18, 2:-2], 1)
    for percent, sloping in ((20.5, 0), (19.5, 1)):
        arguments = {"directions": ["south"], "output_path": "l.tif", "level_percent": percent}
        place.run("mask_slopes_facing", dem_path="dem.tif", **arguments)
        assert (place.read("l.tif")[2:8, 2:-2] == sloping).all()
    gentle = place.raster("gentle.tif", _plane(0, 0.07).astype("float32"), descriptions=["dem"])
    place.run("mask_slopes_facing", dem_path=gentle, directions=["south"], output_path="g.tif")
    assert np.nanmax(place.read("g.tif")) == 0, "a slope of 7 % is level"
    with pytest.raises(InputError, match="directions"):
        place.run("mask_slopes_facing", dem_path="dem.tif", directions=[], output_path="m.tif")


def test_hillshade(place: Workplace) -> None:
    place.raster("flat.tif", np.full((9, 9), 100, dtype="float32"), descriptions=["dem"])
    place.run("calculate_hillshade", dem_path="flat.tif", output_path="f.tif")
    assert place.read("f.tif")[4, 4] == round(254 * math.sin(math.radians(45)))
    tilted = _plane(math.tan(math.radians(45)), 0)
    place.raster("west.tif", tilted.astype("float32"), descriptions=["dem"])
    place.run("calculate_hillshade", dem_path="west.tif", output_path="w.tif", azimuth=270)
    assert place.read("w.tif")[5, 5] == 254
    place.run("calculate_hillshade", dem_path="west.tif", output_path="e.tif", azimuth=90)
    assert place.read("e.tif")[5, 5] == 0
    place.run(
        "calculate_illumination", dem_path="west.tif", output_path="i.tif", sun_azimuth=90, sun_elevation=30
    )
    assert place.read("i.tif")[5, 5] == pytest.approx(math.cos(math.radians(105)), abs=1e-5)


def test_curvature_of_a_bowl_and_a_ridge(place: Workplace) -> None:
    x, y = np.meshgrid(np.arange(21) * 10.0 - 100, 100 - np.arange(21) * 10.0)
    place.raster("bowl.tif", (0.001 * (x**2 + y**2)).astype("float32"), descriptions=["dem"])
    place.run("calculate_curvature", dem_path="bowl.tif", output_path="t.tif")
    np.testing.assert_allclose(place.read("t.tif")[1:-1, 1:-1], -0.004, rtol=1e-2)
    place.run("calculate_curvature", dem_path="bowl.tif", output_path="p.tif", kind="profile")
    assert place.read("p.tif")[10, 15] == pytest.approx(-0.002, rel=1e-2)
    place.run("calculate_curvature", dem_path="bowl.tif", output_path="l.tif", kind="plan")
    assert place.read("l.tif")[10, 15] == pytest.approx(0.002, rel=1e-2)
    place.raster("ridge.tif", (-0.001 * x**2 - 0.1 * y).astype("float32"), descriptions=["dem"])
    place.run("calculate_curvature", dem_path="ridge.tif", output_path="r.tif", kind="plan")
    assert place.read("r.tif")[10, 10] == pytest.approx(-0.002, rel=1e-2)


def test_position_without_seams_and_with_holes(place: Workplace) -> None:
    dem = ROUGH.copy()
    dem[7, 9] = -9999
    place.raster("dem.tif", dem, descriptions=["dem"], nodata=-9999)
    place.run("calculate_topographic_position", dem_path="dem.tif", output_path="t.tif", radius=3)
    masked = np.where(dem == -9999, np.nan, dem)
    for row, column in [(20, 20), (0, 0), (8, 10), (39, 49)]:
        window = masked[max(0, row - 3) : row + 4, max(0, column - 3) : column + 4]
        others = (np.nansum(window) - masked[row, column]) / (np.count_nonzero(~np.isnan(window)) - 1)
        assert place.read("t.tif")[row, column] == pytest.approx(masked[row, column] - others, abs=1e-2)
    assert np.isnan(place.read("t.tif")[7, 9])


def test_slope_position_classes(place: Workplace) -> None:
    tpi = np.array([[-2.0, -0.7, 0.0, 0.0, 0.7, 2.0]], dtype="float32")
    slope = np.array([[10, 10, 1, 10, 10, 10]], dtype="float32")
    place.raster("tpi.tif", tpi / tpi.std(), descriptions=["tpi"])
    place.raster("slope.tif", slope, descriptions=["terrain_slope"])
    place.run("classify_slope_position", tpi_path="tpi.tif", slope_path="slope.tif", output_path="c.tif")
    np.testing.assert_array_equal(place.read("c.tif"), [[1, 2, 3, 4, 5, 6]])


def test_ruggedness_and_roughness(place: Workplace) -> None:
    place.raster(
        "dem.tif", np.array([[1, 2, 3], [4, 5, 6], [7, 8, 11]], dtype="float32"), descriptions=["dem"]
    )
    place.run("calculate_ruggedness", dem_path="dem.tif", output_path="r.tif")
    assert place.read("r.tif")[1, 1] == pytest.approx(math.sqrt(16 + 9 + 4 + 1 + 1 + 4 + 9 + 36))
    place.run("calculate_roughness", dem_path="dem.tif", output_path="g.tif")
    np.testing.assert_array_equal(place.read("g.tif"), [[4, 5, 4], [7, 10, 9], [4, 7, 6]])


def test_shading_goes(place: Workplace) -> None:
    rng = np.random.default_rng(8)
    dem = ndimage.gaussian_filter(rng.normal(0, 400, (80, 80)), 4).astype("float32")
    place.raster("dem.tif", dem, descriptions=["dem"])
    place.run(
        "calculate_illumination", dem_path="dem.tif", output_path="i.tif", sun_azimuth=140, sun_elevation=35
    )
    light = place.read("i.tif")
    shaded = (0.3 * (light + 0.4) / (math.sin(math.radians(35)) + 0.4)).astype("float32")
    place.raster("red.tif", shaded, descriptions=["red"])
    place.run(
        "correct_topography",
        input_path="red.tif",
        illumination_path="i.tif",
        output_path="c.tif",
        sun_elevation=35,
    )
    found = place.read("c.tif")
    assert np.nanstd(shaded) > 0.02
    np.testing.assert_allclose(found[~np.isnan(found)], 0.3, rtol=1e-4)
    dark = -shaded + 1
    place.raster("wrong.tif", dark, descriptions=["red"])
    with pytest.raises(InputError, match="does not get brighter"):
        place.run(
            "correct_topography",
            input_path="wrong.tif",
            illumination_path="i.tif",
            output_path="w.tif",
            sun_elevation=35,
        )


def test_refusals(place: Workplace) -> None:
    place.raster("dem.tif", ROUGH, descriptions=["dem"], crs=None)
    with pytest.raises(GridMismatch, match="has no CRS"):
        place.run("calculate_slope", dem_path="dem.tif", output_path="s.tif")
    place.raster("ok.tif", ROUGH, descriptions=["dem"])
    for argument in ({"altitude": 0.0}, {"azimuth": 400.0}, {"z_factor": -1.0}):
        with pytest.raises(InputError, match=next(iter(argument))):
            place.run("calculate_hillshade", dem_path="ok.tif", output_path="s.tif", **argument)
    with pytest.raises(InputError, match="'radius' is 0"):
        place.run("calculate_roughness", dem_path="ok.tif", output_path="s.tif", radius=0)
    place.raster("ndvi.tif", ROUGH, descriptions=["ndvi"])
    with pytest.raises(RoleMismatch):
        place.run("calculate_slope", dem_path="ndvi.tif", output_path="s.tif")
    assert not (place.folder / "s.tif").exists()


def test_slovenia(shared: Path, tmp_path: Path) -> None:
    place = Workplace(tmp_path, FileResolver(shared / "rasters" / "slovenia_sentinel2"))
    place.run("calculate_slope", dem_path="Slovenia_DEM.tif", output_path="slope.tif")
    assert 1 < np.nanmedian(place.read("slope.tif")) < 40


@pytest.mark.parametrize("kind", ["total", "profile", "plan"])
def test_curvature_of_a_surface_of_the_second_degree(place: Workplace, kind: str) -> None:
    """The quadratic that the method fits is the surface itself, so that its derivatives are known."""
    x, y = np.meshgrid(np.arange(9) * 10.0 - 40, 40 - np.arange(9) * 10.0)
    d, e, f, g, h = 0.003, -0.0015, 0.002, 0.11, -0.23
    place.raster("q.tif", 50 + d * x**2 + e * y**2 + f * x * y + g * x + h * y, descriptions=["dem"])
    place.run("calculate_curvature", dem_path="q.tif", output_path="c.tif", kind=kind)
    across, along = 2 * d * x + f * y + g, 2 * e * y + f * x + h
    steep = across**2 + along**2
    expected = {
        "total": np.full(x.shape, -2 * (d + e)),
        "profile": -2 * (d * across**2 + e * along**2 + f * across * along) / steep,
        "plan": 2 * (d * along**2 + e * across**2 - f * across * along) / steep,
    }[kind]
    np.testing.assert_allclose(place.read("c.tif")[1:-1, 1:-1], expected[1:-1, 1:-1], rtol=1e-4, atol=1e-7)


def test_feet_of_the_crs_are_metres_of_the_sides(place: Workplace) -> None:
    feet = Grid("EPSG:2263", (10.0, 0.0, 1e6, 0.0, -20.0, 2e5), 4, 3)
    steps = Ground(feet).steps()
    np.testing.assert_allclose(steps.column_east, 10 * 1200 / 3937)
    np.testing.assert_allclose(-steps.row_north, 20 * 1200 / 3937)


def test_light_from_the_north_west_unless_said(place: Workplace) -> None:
    east, north = 0.3, -0.2
    place.raster("t.tif", _plane(east, north).astype("float32"), descriptions=["dem"])
    place.run("calculate_hillshade", dem_path="t.tif", output_path="s.tif")
    half = math.sqrt(0.5)
    rise = half * (north - east)
    shade = 254 * half * (1 - rise) / math.sqrt(1 + east**2 + north**2)
    assert place.read("s.tif")[5, 5] == pytest.approx(shade, abs=0.51)
    place.run("calculate_hillshade", dem_path="t.tif", output_path="z.tif", z_factor=2.0)
    steeper = 254 * half * (1 - 2 * rise) / math.sqrt(1 + 4 * (east**2 + north**2))
    assert place.read("z.tif")[5, 5] == pytest.approx(steeper, abs=0.51)


@pytest.mark.parametrize(("tool", "shown"), [("calculate_slope", "degree"), ("calculate_slope_percent", "%")])
def test_slope_says_its_unit(place: Workplace, tool: str, shown: str) -> None:
    place.raster("t.tif", _plane(0.1, 0).astype("float32"), descriptions=["dem"])
    place.run(tool, dem_path="t.tif", output_path="s.tif")
    assert place.context.products[-1].unit == shown
