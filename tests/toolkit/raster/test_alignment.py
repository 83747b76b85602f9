from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.enums import Resampling
from rasterio.warp import calculate_default_transform, reproject, transform

from tests.rasters import ORIGIN, write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import GridMismatch
from treeline.toolkit.raster import Grid, map_pixels, read_arrays, share

EAST, NORTH = ORIGIN


def plane(height: int, width: int, pixel: float, origin: tuple[float, float] = ORIGIN) -> np.ndarray:
    """Values that say where they stand; linear, so that resampling is exact."""
    xs = origin[0] + (np.arange(width) + 0.5) * pixel - EAST
    ys = origin[1] - (np.arange(height) + 0.5) * pixel - NORTH
    return (xs[None, :] + 10 * ys[:, None]) / 1000


def align(first: str, second: str, **options: bool) -> np.ndarray:
    return read_arrays({"first": first, "second": second}, **options)[0]["second"]


@pytest.mark.parametrize("pixel", [5.0, 20.0, 30.0])
@pytest.mark.parametrize("shift", [0.0, 3.0])
def test_another_pixel_size_is_laid_by_georeference(
    context: ToolContext, tmp_path: Path, pixel: float, shift: float
) -> None:
    write_raster(tmp_path / "a.tif", plane(60, 60, 10.0))
    origin = (EAST - 60 + shift, NORTH + 60 + shift)
    size = int(720 / pixel)
    write_raster(
        tmp_path / "b.tif", plane(size, size, pixel, origin), origin=origin, pixel=pixel, descriptions=["lst"]
    )
    np.testing.assert_allclose(align("a.tif", "b.tif"), plane(60, 60, 10.0), atol=1e-6)
    assert "b.tif stands on another grid" in context.warnings[0]
    assert "bilinear" in context.warnings[0]


def test_another_extent_is_laid_by_georeference_and_masked_outside(
    context: ToolContext, tmp_path: Path
) -> None:
    write_raster(tmp_path / "a.tif", plane(50, 50, 10.0))
    origin = (EAST + 200, NORTH - 100)
    write_raster(tmp_path / "b.tif", plane(50, 50, 10.0, origin), origin=origin, descriptions=["lst"])
    found = align("a.tif", "b.tif")
    np.testing.assert_allclose(found[10:, 20:], plane(50, 50, 10.0)[10:, 20:], atol=1e-6)
    assert np.isnan(found[:10]).all()
    assert np.isnan(found[:, :20]).all()


def test_another_crs(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", plane(80, 80, 10.0))
    with rasterio.open(tmp_path / "a.tif") as dataset:
        pixels, transform, crs = dataset.read(1), dataset.transform, dataset.crs
        there, width, height = calculate_default_transform(crs, "EPSG:4326", 80, 80, *dataset.bounds)
    over = np.full((height, width), np.nan)
    reproject(
        pixels,
        over,
        src_transform=transform,
        src_crs=crs,
        dst_transform=there,
        dst_crs="EPSG:4326",
        src_nodata=np.nan,
        dst_nodata=np.nan,
        resampling=Resampling.bilinear,
    )
    with rasterio.open(
        tmp_path / "b.tif",
        "w",
        driver="GTiff",
        width=width,
        height=height,
        count=1,
        dtype="float64",
        crs="EPSG:4326",
        transform=there,
    ) as dataset:
        dataset.write(over, 1)
        dataset.set_band_description(1, "lst")
    found = align("a.tif", "b.tif")[3:-3, 3:-3]
    np.testing.assert_allclose(found, pixels[3:-3, 3:-3], atol=0.02)


def test_fills_are_gone_before_neighbours_are_mixed(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((40, 40)))
    pixels = np.full((20, 20), 300, dtype="int16")
    pixels[:, 10:] = -9999
    write_raster(tmp_path / "b.tif", pixels, pixel=20.0, nodata=-9999, descriptions=["lst"])
    found = align("a.tif", "b.tif")
    assert set(np.unique(found[~np.isnan(found)])) == {300.0}
    assert np.isnan(found[:, 21:]).all()


@pytest.mark.parametrize(("role", "raw"), [("landcover", False), ("scl", False), ("lst", True)])
def test_classes_and_stored_values_are_never_mixed(
    context: ToolContext, tmp_path: Path, role: str, raw: bool
) -> None:
    write_raster(tmp_path / "a.tif", np.ones((33, 33)))
    pixels = np.random.default_rng(0).choice([1, 5, 9], (11, 11)).astype("uint8")
    write_raster(tmp_path / "b.tif", pixels, pixel=30.0, descriptions=[role])
    np.testing.assert_array_equal(align("a.tif", "b.tif", raw=raw), pixels.repeat(3, 0).repeat(3, 1))


def test_blocks_show_no_seams(context: ToolContext, tmp_path: Path) -> None:
    write_raster(
        tmp_path / "a.tif",
        np.zeros((1500, 1500), dtype="float32"),
        tiled=True,
        blockxsize=256,
        blockysize=256,
    )
    write_raster(tmp_path / "b.tif", plane(520, 520, 30.0), pixel=30.0, descriptions=["lst"])
    product = map_pixels(lambda a, b: a + b, {"a": "a.tif", "b": "b.tif"}, "c.tif", role="lst")
    found = rasterio.open(product.path).read(1)
    np.testing.assert_allclose(found[2:, 2:], plane(1500, 1500, 10.0)[2:, 2:], atol=1e-5)


def test_a_much_finer_raster_is_read_in_parts(context: ToolContext, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("treeline.toolkit.raster.alignment.LARGEST_PART", 40_000)
    write_raster(tmp_path / "a.tif", np.ones((64, 64)), pixel=100.0)
    write_raster(tmp_path / "b.tif", plane(640, 640, 10.0), descriptions=["lst"])
    found = align("a.tif", "b.tif")[1:-1, 1:-1]
    np.testing.assert_allclose(found, plane(64, 64, 100.0)[1:-1, 1:-1], atol=1e-6)


def test_disjoint_extents_are_refused(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((5, 5)))
    write_raster(tmp_path / "b.tif", np.ones((5, 5)), origin=(EAST + 1000, NORTH))
    with pytest.raises(GridMismatch, match="b.tif shares no ground"):
        share(lambda a, b: a > b, {"a": "a.tif", "b": "b.tif"})


def test_a_missing_crs(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((5, 5)))
    write_raster(tmp_path / "same.tif", np.full((5, 5), 2.0), crs=None)
    write_raster(tmp_path / "other.tif", np.ones((6, 5)), crs=None)
    assert (align("a.tif", "same.tif") == 2).all()
    assert "pixel by pixel" in context.warnings[0]
    with pytest.raises(GridMismatch, match="other.tif cannot be laid"):
        align("a.tif", "other.tif")


def test_rasters_without_any_crs_are_taken_by_size(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((5, 5)), crs=None)
    write_raster(tmp_path / "b.tif", np.full((5, 5), 2.0), crs=None)
    assert (align("a.tif", "b.tif") == 2).all()
    assert context.warnings == []


def test_rounded_transforms_are_one_grid() -> None:
    grid = Grid("EPSG:32633", (10.0, 0.0, EAST, 0.0, -10.0, NORTH), 1000, 1000)
    rounded = Grid("EPSG:32633", (10.0000001, 0.0, EAST + 0.01, 0.0, -10.0, NORTH), 1000, 1000)
    moved = Grid("EPSG:32633", (10.0, 0.0, EAST + 5, 0.0, -10.0, NORTH), 1000, 1000)
    assert grid.same_as(rounded)
    assert not grid.same_as(moved)
    assert not grid.same_as(Grid("EPSG:32634", grid.transform, 1000, 1000))
    assert grid.bounds == (EAST, NORTH - 10_000, EAST + 10_000, NORTH)


def around(left: float) -> tuple[np.ndarray, tuple[float, float]]:
    """A global raster of one degree whose values have no seam, from a longitude on."""
    longitudes = np.radians(left + 0.5 + np.arange(360))
    latitudes = np.radians(89.5 - np.arange(180))
    return np.cos(longitudes)[None, :] * np.cos(latitudes)[:, None], (left, 90.0)


@pytest.mark.parametrize("left", [-180.0, 0.0])
@pytest.mark.parametrize(
    ("crs", "origin", "pixel"),
    [
        ("EPSG:4326", (-10.0, 20.0), 0.5),  # over the seam of 0 to 360
        ("EPSG:4326", (-70.0, 20.0), 0.5),
        ("EPSG:4326", (170.0, 20.0), 0.5),  # over that of -180 to 180
        ("EPSG:4326", (350.0, 20.0), 0.5),
        ("EPSG:32620", (500_000.0, 2_000_000.0), 20_000.0),
    ],
)
def test_longitudes_meet_by_either_of_their_names(
    context: ToolContext, tmp_path: Path, left: float, crs: str, origin: tuple[float, float], pixel: float
) -> None:
    write_raster(tmp_path / "a.tif", np.ones((40, 40), "float32"), crs=crs, origin=origin, pixel=pixel)
    world, corner = around(left)
    write_raster(
        tmp_path / "world.tif", world, crs="EPSG:4326", origin=corner, pixel=1.0, descriptions=["lst"]
    )
    columns, rows = np.meshgrid(np.arange(40) + 0.5, np.arange(40) + 0.5)
    with rasterio.open(tmp_path / "a.tif") as dataset:
        x, y = dataset.transform @ (columns.ravel(), rows.ravel())
        longitude, latitude = map(np.radians, transform(dataset.crs, "EPSG:4326", x, y))
    found = align("a.tif", "world.tif").ravel()
    np.testing.assert_allclose(found, np.cos(longitude) * np.cos(latitude), atol=0.01)
