from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
import rasterio
from rasterio.enums import Resampling
from rasterio.warp import reproject

from tests.rasters import write_raster
from treeline.core.serving.drawing import HALF_WORLD, tile_grid
from treeline.toolkit.errors import RasterMissing
from treeline.toolkit.raster import Grid, KeptDatasets, all_bands, read_small, read_view

WORLD = tile_grid(0, 0, 0)


def view_of(path: Path, side: int) -> Grid:
    """Return a Mercator view that just covers a raster."""
    with rasterio.open(path) as dataset:
        left, bottom, right, top = rasterio.warp.transform_bounds(dataset.crs, "EPSG:3857", *dataset.bounds)
    return Grid("EPSG:3857", ((right - left) / side, 0.0, left, 0.0, -(top - bottom) / side, top), side, side)


@pytest.mark.parametrize("side", [50, 300, 700])
@pytest.mark.parametrize("layout", [{}, {"tiled": True, "blockxsize": 64, "blockysize": 64}])
def test_a_view_shows_what_a_warp_shows(tmp_path: Path, side: int, layout: dict[str, object]) -> None:
    rows, columns = np.indices((300, 400))
    smooth = (rows + columns).astype("float32")
    path = write_raster(tmp_path / "a.tif", smooth, **layout)
    view = view_of(path, side)
    (shown,) = read_view(all_bands(str(path)), view) or ()
    expected = np.full(view.shape, np.nan, dtype="float32")
    with rasterio.open(path) as dataset:
        reproject(
            dataset.read(1),
            expected,
            src_transform=dataset.transform,
            src_crs=dataset.crs,
            dst_transform=view.affine,
            dst_crs=view.crs,
            dst_nodata=np.nan,
            resampling=Resampling.nearest,
            tolerance=0.0,
        )
    both = np.isfinite(shown) & np.isfinite(expected)
    assert both.mean() > 0.9
    assert (np.isfinite(shown) != np.isfinite(expected)).mean() < 0.02
    # Half a pixel of the view, or of the raster where that is coarser, in each direction.
    assert np.abs(shown[both] - expected[both]).max() <= max(2, 400 / side + 2)


def test_each_pixel_is_exact_where_the_raster_is_coarser(tmp_path: Path) -> None:
    values = np.random.default_rng(0).integers(0, 9000, (30, 30)).astype("uint16")
    path = write_raster(tmp_path / "a.tif", values)
    (source,) = all_bands(str(path))
    view = Grid(source.grid.crs, source.grid.transform, 30, 30)
    (shown,) = read_view([source], view) or ()
    np.testing.assert_array_equal(shown, values)


def test_the_other_side_of_the_world_is_empty(tmp_path: Path) -> None:
    sources = all_bands(str(write_raster(tmp_path / "a.tif", np.ones((50, 50), dtype="uint8"))))
    assert read_view(sources, tile_grid(2, 0, 0)) is None
    (shown,) = read_view(sources, tile_grid(1, 1, 0)) or (np.full((1, 1), np.nan),)
    assert np.isfinite(shown).sum() <= 4


def test_the_world_itself_is_shown_up_to_its_edges(tmp_path: Path) -> None:
    path = tmp_path / "world.tif"
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=360,
        height=180,
        count=1,
        dtype="uint8",
        crs="EPSG:4326",
        transform=rasterio.Affine(1, 0, -180, 0, -1, 90),
    ) as dataset:
        dataset.write(np.full((1, 180, 360), 7, dtype="uint8"))
    (shown,) = read_view(all_bands(str(path)), WORLD) or ()
    assert (shown == 7).all()
    assert WORLD.bounds == pytest.approx((-HALF_WORLD, -HALF_WORLD, HALF_WORLD, HALF_WORLD))


def test_a_scene_of_many_bands_is_seen_from_afar_at_once(tmp_path: Path) -> None:
    bands = np.random.default_rng(0).integers(0, 4000, (13, 1500, 1500)).astype("uint16")
    path = write_raster(
        tmp_path / "scene.tif", bands, compress="deflate", tiled=True, blockxsize=256, blockysize=256
    )
    (source, *_) = all_bands(str(path))
    started = time.process_time()
    for zoom in range(9):
        pixel = 2 * HALF_WORLD / 2**zoom / 256
        x, y = (int((HALF_WORLD + sign * at) // (pixel * 256)) for sign, at in ((1, 1.67e6), (-1, 5.7e6)))
        read_view([source], tile_grid(zoom, x, y))
    assert time.process_time() - started < 10  # 0.5 s on two idle cores; once it was minutes


def test_thinning_takes_the_middle_of_each_part(tmp_path: Path) -> None:
    rows, columns = np.indices((100, 100))
    path = write_raster(tmp_path / "a.tif", (rows * 100 + columns).astype("uint16"))
    small = read_small(str(path), 10)
    np.testing.assert_array_equal(small[:, 0] // 100, np.arange(5, 100, 10))
    np.testing.assert_array_equal(small[0] % 100, np.arange(5, 100, 10))


def test_a_file_that_is_gone_says_so(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "a.tif", np.ones((50, 50), dtype="uint8"))
    sources, view = all_bands(str(path)), view_of(path, 20)
    path.unlink()
    with pytest.raises(RasterMissing):
        read_view(sources, view)


def test_what_came_back_last_stays_open_and_is_lent_to_one_at_a_time(tmp_path: Path) -> None:
    first, second = (write_raster(tmp_path / name, np.ones((4, 4), "uint8")) for name in ("a.tif", "b.tif"))
    kept = KeptDatasets(1)
    with kept.lend(first) as one, kept.lend(first) as other:
        assert one is not other
    # The other came back first, and only one is kept.
    assert other.dataset.closed and not one.dataset.closed
    with kept.lend(first) as again:
        assert again is one
    with kept.lend(second):
        pass
    assert one.dataset.closed
    with pytest.raises(ValueError), kept.lend(second) as failing:
        raise ValueError
    assert failing.dataset.closed
