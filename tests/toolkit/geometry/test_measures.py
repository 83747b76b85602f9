from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from affine import Affine
from pyproj import Geod
from scipy.ndimage import distance_transform_edt
from shapely.geometry import LineString, Point, box

from tests.rasters import ORIGIN
from tests.vectors import VectorWorkplace as Place
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import GridMismatch, InputError, NoValidPixels, Stopped
from treeline.toolkit.raster import CLASSES_TAG
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.vector import read_features

LEFT, TOP = ORIGIN


def _values() -> np.ndarray:
    return np.random.default_rng(4).normal(10, 3, (40, 50)).astype("float32")


def test_whole_pixels_by_numpy(place: Place) -> None:
    values = _values()
    values[2, 3] = -1
    place.raster("v.tif", values, nodata=-1)
    place.features(
        "z.geojson", box(LEFT, TOP - 100, LEFT + 200, TOP), box(LEFT + 200, TOP - 400, LEFT + 500, TOP - 100)
    )
    rows = place.run(
        "zonal_statistics",
        input_path="v.tif",
        zones_path="z.geojson",
        statistics=["mean", "median", "min", "max", "sum", "std", "count"],
    )
    masked = np.where(values == -1, np.nan, values)
    for row, part in zip(rows, (masked[:10, :20], masked[10:40, 20:50]), strict=True):
        assert row["mean"] == pytest.approx(np.nanmean(part), rel=1e-5)
        assert row["median"] == pytest.approx(np.nanmedian(part), rel=1e-2)
        assert row["min"] == pytest.approx(np.nanmin(part)) and row["max"] == pytest.approx(np.nanmax(part))
        assert row["std"] == pytest.approx(np.nanstd(part), rel=1e-4)
        assert row["count"] == pytest.approx((~np.isnan(part)).sum())


def test_a_deviation_has_one_name_whichever_it_is_asked_by(place: Place) -> None:
    place.raster("v.tif", _values())
    place.features("z.geojson", box(LEFT, TOP - 100, LEFT + 200, TOP))
    given = {"input_path": "v.tif", "zones_path": "z.geojson"}
    (usual,) = place.run("zonal_statistics", **given)
    assert list(usual) == ["zone", "mean", "min", "max", "std", "count"]
    (other,) = place.run("zonal_statistics", **given, statistics=["stdev", "std"])
    assert other == {"zone": 1, "std": usual["std"]}


def test_pixels_in_part_are_weighted(place: Place) -> None:
    place.raster("v.tif", np.array([[1, 3]], dtype="float32"))
    place.features("z.geojson", box(LEFT + 5, TOP - 10, LEFT + 20, TOP))
    (row,) = place.run(
        "zonal_statistics", input_path="v.tif", zones_path="z.geojson", statistics=["mean", "count"]
    )
    assert (row["mean"], row["count"]) == pytest.approx(((0.5 * 1 + 3) / 1.5, 1.5))


def test_zones_in_another_crs_scale_and_attributes(place: Place) -> None:
    place.raster("v.tif", np.full((40, 50), 2000, dtype="uint16"), scale=0.0001)
    west, south = 15.0005, 46.0515
    place.features("z.geojson", box(west, south, west + 0.001, south + 0.001), crs=None, name=["field"])
    (row,) = place.run("zonal_statistics", input_path="v.tif", zones_path="z.geojson", output_path="out.gpkg")
    assert row["name"] == "field" and row["mean"] == pytest.approx(0.2, rel=1e-5)
    (written,) = read_features(str(place.folder / "out.gpkg")).items
    assert written.attributes["mean"] == pytest.approx(0.2, rel=1e-5)
    assert place.context.products[-1].kind == "vector"


def test_land_cover_of_slovenia(shared: Path, tmp_path: Path) -> None:
    folder = shared / "rasters" / "slovenia_sentinel2"
    place = Place(tmp_path, FileResolver(folder))
    rows = place.run("zonal_statistics", input_path="Slovenia_DEM.tif", zones_path="Slovenia_LULC.gpkg")
    inside = [row for row in rows if row["count"]]
    assert len(rows) == 88 and all(200 < row["mean"] < 1200 for row in inside)
    by_hand = place.run("polygon_areas", vector_path="Slovenia_LULC.gpkg", unit="m2")
    assert by_hand[0]["area_on_ground"] == pytest.approx(by_hand[0]["AREA"], rel=1e-3)


def test_zones_of_slovenia_by_overlaps_of_squares(shared: Path, tmp_path: Path) -> None:
    place = Place(tmp_path, FileResolver(shared / "rasters" / "slovenia_sentinel2"))
    rows = place.run("zonal_statistics", input_path="Slovenia_DEM.tif", zones_path="Slovenia_LULC.gpkg")
    with rasterio.open(shared / "rasters" / "slovenia_sentinel2" / "Slovenia_DEM.tif") as dataset:
        heights, transform = dataset.read(1).astype(float), dataset.transform
    corners = [transform * (c, r) for r in range(heights.shape[0]) for c in range(heights.shape[1])]
    left, top = np.array(corners).T
    squares = shapely.box(left, top + transform.e, left + transform.a, top)
    (zones,) = (read_features(str(shared / "rasters" / "slovenia_sentinel2" / "Slovenia_LULC.gpkg")),)
    for row, zone in list(zip(rows, zones.geometries, strict=True))[::20]:
        weights = shapely.area(shapely.intersection(squares, zone)) / abs(transform.a * transform.e)
        assert row["count"] == pytest.approx(weights.sum(), rel=1e-5)
        if row["count"]:
            assert row["mean"] == pytest.approx(np.average(heights.ravel(), weights=weights), rel=1e-5)


def test_zones_without_data(place: Place) -> None:
    place.raster("v.tif", np.full((40, 50), -1, dtype="float32"), nodata=-1)
    place.features("z.geojson", box(LEFT, TOP - 100, LEFT + 200, TOP))
    with pytest.raises(NoValidPixels):
        place.run("zonal_statistics", input_path="v.tif", zones_path="z.geojson")


def test_class_shares(place: Place) -> None:
    classes = np.zeros((10, 10), dtype="uint8")
    classes[:, 5:] = 4
    place.raster("c.tif", classes)
    place.features("z.geojson", box(LEFT, TOP - 100, LEFT + 75, TOP))
    (row,) = place.run("zonal_class_shares", input_path="c.tif", zones_path="z.geojson")
    assert row["shares"] == pytest.approx({"0": 100 * 5 / 7.5, "4": 100 * 2.5 / 7.5})


def test_area_by_class_in_degrees_is_that_of_the_ellipsoid(place: Place) -> None:
    classes = np.repeat([[1], [2]], 10, axis=0) * np.ones((20, 30), dtype="uint8")
    place.raster("c.tif", classes.astype("uint8"), crs="EPSG:4326", origin=(10.0, 60.0), pixel=0.1, nodata=0)
    rows = place.run("area_by_class", input_path="c.tif", unit="km2", class_names={"1": "north"})
    for row, (south, north) in zip(rows, ((59.0, 60.0), (58.0, 59.0)), strict=True):
        ring = [(10 + 3 * n / 300, north) for n in range(301)] + [
            (13 - 3 * n / 300, south) for n in range(301)
        ]
        area = abs(Geod(ellps="WGS84").polygon_area_perimeter(*zip(*ring, strict=True))[0]) / 1e6
        assert row["area"] == pytest.approx(area, rel=1e-5)
        assert row["pixels"] == 300
    assert rows[0]["name"] == "north"
    assert sum(row["percent"] for row in rows) == pytest.approx(100)


def test_area_by_class_of_measurements_is_refused(place: Place) -> None:
    place.raster("v.tif", _values())
    with pytest.raises(InputError, match="holds no classes"):
        place.run("area_by_class", input_path="v.tif")


def test_sample_points(place: Place) -> None:
    values = _values()
    place.raster("v.tif", np.stack([values, values * 2]), descriptions=["red", "nir"])
    rows = place.run("sample_points", input_path="v.tif", points=[[LEFT + 25, TOP - 15], [LEFT - 5, TOP]])
    assert rows[0]["nir"] == pytest.approx(2 * rows[0]["red"]) == pytest.approx(2 * values[1, 2], rel=1e-6)
    assert rows[1]["red"] is None
    assert "1 of 2 points" in place.context.warnings[-1]
    place.features("p.geojson", Point(LEFT + 25, TOP - 15), name=["plot 1"])
    (row,) = place.run("sample_points", input_path="v.tif#red", points_path="p.geojson")
    assert row["name"] == "plot 1" and row["value"] == pytest.approx(values[1, 2])
    with pytest.raises(InputError, match="Either 'points'"):
        place.run("sample_points", input_path="v.tif")


def test_profile(place: Place) -> None:
    rows_up = np.repeat(np.arange(40.0)[:, None], 50, axis=1).astype("float32")
    place.raster("dem.tif", rows_up)
    line = [(LEFT + 5, TOP - 5), (LEFT + 5, TOP - 305)]
    rows = place.run("profile_along_line", input_path="dem.tif", line=line)
    assert [row["value"] for row in rows] == list(range(31))
    assert rows[-1]["distance"] == pytest.approx(300, rel=1e-3)
    place.features("l.geojson", LineString(line))
    again = place.run("profile_along_line", input_path="dem.tif", line_path="l.geojson")
    assert again == rows
    with pytest.raises(InputError, match="two or more"):
        place.run("profile_along_line", input_path="dem.tif", line=[(LEFT, TOP)])
    with pytest.raises(InputError, match="points"):
        place.run("profile_along_line", input_path="dem.tif", line=line, spacing=1e-4)


def test_a_line_beside_the_raster_is_refused_with_where_the_raster_is(place: Place) -> None:
    place.raster("dem.tif", np.zeros((40, 50), dtype="float32"))
    with pytest.raises(GridMismatch, match=r"x 10 to 20, y 10 to 20, where") as refused:
        place.run("profile_along_line", input_path="dem.tif", line=[(10, 10), (20, 20)])
    assert f"x {LEFT:.8g} to {LEFT + 500:.8g}, y {TOP - 400:.8g} to {TOP:.8g}" in str(refused.value)
    west, east, south, north = (float(n) for n in re.findall(r"[\d.]+\d", refused.value.hint.split("are")[1]))
    assert (west, south) == pytest.approx((15, 46.05), abs=0.01) and west < east and south < north
    # A line that leaves the raster has no values there, as its document says.
    rows = place.run(
        "profile_along_line", input_path="dem.tif", line=[(LEFT + 5, TOP - 5), (LEFT - 50, TOP - 5)]
    )
    assert (rows[0]["value"], rows[-1]["value"]) == (0, None)


def test_a_profile_over_a_grid_whose_columns_run_north(place: Place) -> None:
    path = place.raster("dem.tif", np.repeat(np.arange(40.0)[None, :], 30, axis=0).astype("float32"))
    with rasterio.open(place.folder / path, "r+") as dataset:
        dataset.transform = Affine(0, 10, LEFT, 10, 0, TOP)
    rows = place.run(
        "profile_along_line", input_path="dem.tif", line=[(LEFT + 5, TOP + 5), (LEFT + 5, TOP + 305)]
    )
    assert [row["value"] for row in rows] == list(range(31))


def test_mask_to_polygons_and_back(place: Place) -> None:
    mask = np.zeros((20, 20), dtype="uint8")
    mask[2:6, 3:9], mask[10:12, 10:12] = 1, 2
    place.raster("m.tif", mask, descriptions=["mask"])
    assert place.run("vectorize_mask", input_path="m.tif", output_path="p.gpkg") == "Result saved at p.gpkg"
    features = read_features(str(place.folder / "p.gpkg"))
    assert sorted(item.attributes["class"] for item in features.items) == [1, 2]
    assert sum(item.attributes["area_ha"] for item in features.items) == pytest.approx(
        28 * 100 / 1e4, rel=1e-3
    )
    place.run("rasterize_features", vector_path="p.gpkg", reference_path="m.tif", output_path="r.tif")
    np.testing.assert_array_equal(place.stored_bands("r.tif")[0], mask > 0)
    place.run(
        "rasterize_features",
        vector_path="p.gpkg",
        reference_path="m.tif",
        output_path="c.tif",
        attribute="class",
    )
    np.testing.assert_array_equal(np.nan_to_num(place.read("c.tif")), mask)
    place.run("vectorize_mask", input_path="m.tif", output_path="big.geojson", minimum_area=0.1)
    assert len(read_features(str(place.folder / "big.geojson")).items) == 1


def test_only_some_features_are_burnt(place: Place) -> None:
    place.raster("m.tif", np.zeros((4, 4), dtype="uint8"))
    left, right = (
        box(LEFT, TOP - 40, LEFT + 20, TOP),
        box(LEFT + 20, TOP - 40, LEFT + 40, TOP),
    )
    place.features("z.geojson", left, right, kind=["forest", "grass"])
    given = {"vector_path": "z.geojson", "reference_path": "m.tif"}
    place.run("rasterize_features", **given, output_path="r.tif", only={"kind": "grass"})
    np.testing.assert_array_equal(place.read("r.tif"), [[0, 0, 1, 1]] * 4)
    with pytest.raises(InputError, match="No feature .* kind = 'sand'") as refused:
        place.run("rasterize_features", **given, output_path="s.tif", only={"kind": "sand"})
    assert "forest, grass" in str(refused.value.hint)


def test_polygons_refused(place: Place) -> None:
    place.raster("m.tif", np.zeros((4, 4), dtype="uint8"))
    with pytest.raises(InputError, match="no pixel to outline"):
        place.run("vectorize_mask", input_path="m.tif", output_path="p.geojson")
    place.raster("n.tif", np.ones((4, 4), dtype="uint8"))
    with pytest.raises(InputError, match="no vector file"):
        place.run("vectorize_mask", input_path="n.tif", output_path="p.tif")
    place.features("z.geojson", box(LEFT, TOP - 20, LEFT + 20, TOP), kind=["forest"])
    with pytest.raises(InputError, match="has no attribute 'zone'") as refused:
        place.run(
            "rasterize_features",
            vector_path="z.geojson",
            reference_path="n.tif",
            output_path="r.tif",
            attribute="zone",
        )
    assert refused.value.hint == "Its attributes are kind. number_features numbers the features themselves."
    with pytest.raises(InputError, match="no number everywhere; found 'forest'") as refused:
        place.run(
            "rasterize_features",
            vector_path="z.geojson",
            reference_path="n.tif",
            output_path="r.tif",
            attribute="kind",
        )
    assert "number_features with attribute='kind'" in refused.value.hint


def test_distance(place: Place) -> None:
    mask = np.zeros((30, 30), dtype="uint8")
    mask[4, 5] = mask[20, 25] = 1
    place.raster("m.tif", mask, descriptions=["mask"])
    place.run("distance_to_mask", mask_path="m.tif", output_path="d.tif")
    np.testing.assert_allclose(place.read("d.tif"), 10 * distance_transform_edt(mask == 0), rtol=1e-5)
    place.raster("g.tif", mask, crs="EPSG:4326", origin=(10, 50), pixel=0.1, descriptions=["mask"])
    place.run("distance_to_mask", mask_path="g.tif", output_path="e.tif")
    rows, columns = np.nonzero(mask)
    geod, found = Geod(ellps="WGS84"), place.read("e.tif")
    for row, column in ((0, 0), (12, 14), (29, 29), (20, 24)):
        start = 10.05 + 0.1 * column, 49.95 - 0.1 * row
        lengths = [
            geod.inv(*start, 10.05 + 0.1 * c, 49.95 - 0.1 * r)[2] for r, c in zip(rows, columns, strict=True)
        ]
        assert found[row, column] == pytest.approx(min(lengths), rel=1e-6)
    place.raster("n.tif", mask, crs=None, descriptions=["mask"])
    with pytest.raises(GridMismatch, match="no CRS"):
        place.run("distance_to_mask", mask_path="n.tif", output_path="e.tif")


def test_stop_ends_the_zones(place: Place) -> None:
    place.raster("v.tif", _values())
    place.features("z.geojson", box(LEFT, TOP - 100, LEFT + 200, TOP))
    context = ToolContext(place.folder, place.resolver)
    context.stop.set()
    with pytest.raises(Stopped):
        registry().get("zonal_statistics").run({"input_path": "v.tif", "zones_path": "z.geojson"}, context)


def test_numbered_zones_keep_their_names(place: Place) -> None:
    place.raster("dem.tif", np.ones((4, 8), "float32"))
    halves = [box(LEFT + 40 * n, TOP - 40, LEFT + 40 * (n + 1), TOP) for n in range(2)]
    place.features("cover.geojson", *halves, name=["meadow", "forest"])
    found = place.run(
        "number_features",
        vector_path="cover.geojson",
        reference_path="dem.tif",
        output_path="zones.tif",
        attribute="name",
    )
    assert found[1:] == ["meadow", "forest"]
    with rasterio.open(place.folder / "zones.tif") as dataset:
        assert json.loads(dataset.tags()[CLASSES_TAG]) == {"1": "meadow", "2": "forest"}
    np.testing.assert_array_equal(place.read("zones.tif"), [[1] * 4 + [2] * 4] * 4)
