from __future__ import annotations

import numpy as np
import pytest
import rasterio
from rasterio.mask import mask
from shapely.geometry import Point, box, mapping

from tests.rasters import ORIGIN
from tests.vectors import VectorWorkplace as Place
from treeline.toolkit.errors import GridMismatch, InputError, PathOutside, RasterMissing

LEFT, TOP = ORIGIN
CIRCLE = Point(LEFT + 300, TOP - 250).buffer(140)


def _values(rows: int = 50, columns: int = 60) -> np.ndarray:
    return np.random.default_rng(3).random((rows, columns)).astype("float32")


@pytest.mark.parametrize("all_touched", [False, True])
def test_clip_to_area_is_that_of_rasterio(place: Place, all_touched: bool) -> None:
    place.raster("v.tif", _values())
    place.features("area.geojson", CIRCLE)
    place.run(
        "clip_to_area",
        input_path="v.tif",
        area_path="area.geojson",
        output_path="c.tif",
        all_touched=all_touched,
    )
    with rasterio.open(place.folder / "v.tif") as dataset:
        expected, transform = mask(
            dataset, [mapping(CIRCLE)], all_touched=all_touched, crop=True, nodata=np.nan
        )
    with rasterio.open(place.folder / "c.tif") as dataset:
        assert dataset.transform == transform
    np.testing.assert_array_equal(place.read("c.tif"), expected[0])


def test_clip_away_keeps_the_extent(place: Place) -> None:
    place.raster("v.tif", _values())
    place.features("area.geojson", CIRCLE)
    place.run("clip_to_area", input_path="v.tif", area_path="area.geojson", output_path="o.tif", inside=False)
    found = place.read("o.tif")
    assert found.shape == (50, 60)
    assert np.isnan(found[25, 30])
    assert np.isnan(found).sum() * 100 == pytest.approx(CIRCLE.area, rel=0.02)


def test_clip_to_bounds_in_longitude_and_latitude(place: Place) -> None:
    place.raster("v.tif", _values())
    from rasterio.warp import transform_bounds

    wanted = transform_bounds("EPSG:32633", "EPSG:4326", LEFT + 100, TOP - 400, LEFT + 300, TOP - 100)
    place.run("clip_to_bounds", input_path="v.tif", bounds=list(wanted), output_path="b.tif", crs="EPSG:4326")
    with rasterio.open(place.folder / "b.tif") as dataset:
        bounds = dataset.bounds
    assert bounds.left <= LEFT + 100 and bounds.right >= LEFT + 300
    assert bounds.left >= LEFT + 80 and bounds.right <= LEFT + 320
    place.run(
        "clip_to_bounds",
        input_path="v.tif",
        output_path="e.tif",
        bounds=[LEFT + 100, TOP - 40, LEFT + 150, TOP],
    )
    np.testing.assert_array_equal(place.read("e.tif"), _values()[:4, 10:15])


@pytest.mark.parametrize("bounds", [[1, 1, 0, 2], [0, 5, 1, 5], [0, 0, float("nan"), 1]])
def test_bounds_that_are_none(place: Place, bounds: list[float]) -> None:
    place.raster("v.tif", _values())
    with pytest.raises(InputError, match="'bounds'"):
        place.run("clip_to_bounds", input_path="v.tif", bounds=bounds, output_path="b.tif")


def test_area_elsewhere_and_missing_and_outside(place: Place) -> None:
    place.raster("v.tif", _values())
    place.features("far.geojson", box(0, 0, 10, 10))
    with pytest.raises(GridMismatch, match="no ground"):
        place.run("clip_to_area", input_path="v.tif", area_path="far.geojson", output_path="c.tif")
    with pytest.raises(RasterMissing, match=r"nothing\.geojson"):
        place.run("clip_to_area", input_path="v.tif", area_path="nothing.geojson", output_path="c.tif")
    with pytest.raises(PathOutside):
        place.run(
            "clip_to_bounds",
            input_path="v.tif",
            bounds=[LEFT, TOP - 50, LEFT + 50, TOP],
            output_path="../c.tif",
        )
    place.features("point.geojson", Point(LEFT, TOP))
    with pytest.raises(InputError, match="no Polygon but Point"):
        place.run("clip_to_area", input_path="v.tif", area_path="point.geojson", output_path="c.tif")


def test_mosaic_of_tiles_is_the_whole(place: Place) -> None:
    whole = _values()
    place.raster("nw.tif", whole[:30, :40])
    place.raster("ne.tif", whole[:30, 35:], origin=(LEFT + 350, TOP))
    place.raster("sw.tif", whole[30:, :40], origin=(LEFT, TOP - 300))
    place.raster("se.tif", whole[30:, 40:], origin=(LEFT + 400, TOP - 300))
    place.run("mosaic_rasters", file_list=["ne.tif", "nw.tif", "sw.tif", "se.tif"], output_path="m.tif")
    np.testing.assert_allclose(place.read("m.tif"), whole, rtol=1e-6)


@pytest.mark.parametrize(
    ("method", "expected"), [("first", 1.0), ("last", 4.0), ("mean", 2.5), ("min", 1.0), ("max", 4.0)]
)
def test_overlap(place: Place, method: str, expected: float) -> None:
    first = np.full((10, 10), 1, dtype="float32")
    first[0, 5] = np.nan
    place.raster("a.tif", first)
    place.raster("b.tif", np.full((10, 10), 4, dtype="float32"), origin=(LEFT + 50, TOP))
    place.run("mosaic_rasters", file_list=["a.tif", "b.tif"], output_path="m.tif", method=method)
    found = place.read("m.tif")
    assert found.shape == (10, 15)
    assert (found[5, 2], found[5, 7], found[5, 12]) == (1.0, expected, 4.0)
    assert found[0, 5] == 4.0


def test_mosaic_across_zones(place: Place) -> None:
    place.raster("a.tif", np.full((20, 20), 1, dtype="float32"))
    place.raster(
        "b.tif", np.full((20, 20), 2, dtype="float32"), crs="EPSG:4326", origin=(15.01, 46.05), pixel=0.0001
    )
    place.run("mosaic_rasters", file_list=["a.tif", "b.tif"], output_path="m.tif")
    found = place.read("m.tif")
    assert (found == 1).sum() == 400
    assert (found == 2).sum() == pytest.approx(20 * 20 * 7.73 * 11.1 / 100, rel=0.1)


def test_stack_and_extract(place: Place) -> None:
    place.raster("red.tif", _values(), descriptions=["red"])
    place.raster("nir.tif", _values() + 1, descriptions=["nir"])
    place.run("stack_bands", file_list=["red.tif", "nir.tif"], output_path="s.tif")
    with rasterio.open(place.folder / "s.tif") as dataset:
        assert dataset.descriptions == ("red", "nir")
    for band in ("nir", "2"):
        place.run("extract_band", input_path="s.tif", output_path=f"one_{band}.tif", band=band)
        np.testing.assert_allclose(place.read(f"one_{band}.tif"), _values() + 1)
    with pytest.raises(RasterMissing, match="no band 'blue'"):
        place.run("extract_band", input_path="s.tif", output_path="x.tif", band="blue")
