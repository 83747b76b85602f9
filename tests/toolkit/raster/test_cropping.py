from __future__ import annotations

import numpy as np
import rasterio
from rasterio.transform import from_origin
from rasterio.warp import transform_bounds
from rasterio.windows import from_bounds
from shapely.geometry import box

from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster.cropping import crop_file

SIDE = 64


def write(path, **more):
    values = np.arange(2 * SIDE * SIDE).reshape(2, SIDE, SIDE).astype("uint16")
    profile = {
        "driver": "GTiff",
        "width": SIDE,
        "height": SIDE,
        "count": 2,
        "dtype": "uint16",
        "nodata": 0,
        "crs": "EPSG:32633",
        "transform": from_origin(5e5, 5.1e6, 10, 10),
        "tiled": True,
        "blockxsize": 32,
        "blockysize": 32,
        **more,
    }
    with rasterio.open(path, "w", **profile) as made:
        made.write(values)
        made.descriptions, made.scales, made.offsets = ("red", "nir"), (0.1, 0.2), (1.0, 2.0)
        made.units = ("K", "1")
        made.update_tags(PLACE="lake")
        made.update_tags(2, ROLE="nir")
    return path


def area(bounds, crs="EPSG:32633"):
    return AreaOfInterest(box(*bounds), crs, "a box")


def test_a_cut_has_the_stored_pixels_of_the_rectangle_and_says_what_the_file_said(tmp_path):
    source, target = write(tmp_path / "a.tif"), tmp_path / "cut" / "a.tif"
    bounds = (500_104.0, 5_099_705.0, 500_307.0, 5_099_896.0)
    assert crop_file(source, target, area(bounds))
    with rasterio.open(source) as whole, rasterio.open(target) as cut:
        window = from_bounds(500_100, 5_099_700, 500_310, 5_099_900, whole.transform)
        assert (cut.width, cut.height) == (21, 20)
        np.testing.assert_array_equal(cut.read(), whole.read(window=window))
        assert cut.transform == whole.window_transform(window)
        assert (cut.scales, cut.offsets, cut.descriptions) == (
            whole.scales,
            whole.offsets,
            whole.descriptions,
        )
        assert cut.units == whole.units and cut.nodata == 0 and cut.crs == whole.crs
        assert cut.tags()["PLACE"] == "lake" and cut.tags(2)["ROLE"] == "nir"


def test_an_area_in_degrees_and_one_pixel(tmp_path):
    source = write(tmp_path / "a.tif")
    degrees = transform_bounds("EPSG:32633", "EPSG:4326", 500_200, 5_099_700, 500_205, 5_099_705)
    assert crop_file(source, tmp_path / "b.tif", area(degrees, "EPSG:4326"))
    with rasterio.open(tmp_path / "b.tif") as cut:
        assert 1 <= cut.width <= 2 and 1 <= cut.height <= 2


def test_what_the_area_does_not_reach_or_is_no_geotiff_is_not_written(tmp_path):
    source = write(tmp_path / "a.tif")
    assert not crop_file(source, tmp_path / "b.tif", area((0.0, 0.0, 10.0, 10.0)))
    plain = write(tmp_path / "plain.tif", crs=None)
    assert not crop_file(plain, tmp_path / "b.tif", area((500_100, 5_099_700, 500_300, 5_099_900)))
    (tmp_path / "text.tif").write_text("no raster")
    assert not crop_file(tmp_path / "text.tif", tmp_path / "b.tif", area((0.0, 0.0, 10.0, 10.0)))
    assert not (tmp_path / "b.tif").exists()
