"""An area of interest: what is read and written inside of it, and what reaches beyond its edge."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import rasterio
import shapely
from rasterio.features import geometry_mask
from scipy import ndimage

from tests.rasters import ORIGIN, UTM, PlainResolver, write_raster
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import GridMismatch
from treeline.toolkit.execution import each
from treeline.toolkit.interest import AreaOfInterest
from treeline.toolkit.raster import map_pixels, read_small, source, statistics, values_at
from treeline.toolkit.raster.area_mask import pixels_inside, window_inside

LEFT, TOP = ORIGIN
TRIANGLE = shapely.Polygon([(LEFT + 43, TOP - 52), (LEFT + 407, TOP - 131), (LEFT + 155, TOP - 388)])
AREA = AreaOfInterest(TRIANGLE, UTM, "a polygon")
SIZE = 48


@pytest.fixture
def values() -> np.ndarray:
    rng = np.random.default_rng(3)
    found = ndimage.gaussian_filter(rng.normal(300, 200, (SIZE, SIZE)), 2).astype("float32")
    found[20:24, 14:18] = np.nan
    return found


@pytest.fixture
def context(tmp_path: Path, values: np.ndarray):
    write_raster(tmp_path / "dem.tif", values, descriptions=("dem",), nodata=float("nan"))
    write_raster(tmp_path / "counts.tif", np.nan_to_num(values).astype("uint16"), nodata=0)
    marks = np.zeros((SIZE, SIZE), "uint8")
    marks[40, 40] = marks[10, 12] = 1
    write_raster(tmp_path / "mask.tif", marks, descriptions=("mask",))
    out = tmp_path / "out"
    out.mkdir()
    with use_context(ToolContext(out, PlainResolver(tmp_path), threads=2, area=AREA)) as context:
        yield context


def mask(folder: Path) -> np.ndarray:
    """Return which pixels rasterio takes for those inside."""
    with rasterio.open(folder / "dem.tif") as dataset:
        return geometry_mask([TRIANGLE], dataset.shape, dataset.transform, invert=True)


def stored_values(path: Path) -> np.ndarray:
    with rasterio.open(path) as dataset:
        return dataset.read(1, masked=True).astype("float64").filled(np.nan)


def test_statistics_are_those_of_the_pixels_whose_centre_is_inside(context, tmp_path, values) -> None:
    kept = values[mask(tmp_path) & ~np.isnan(values)].astype("float64")
    found = statistics("dem.tif", percentiles=[25])
    assert (found.mean, found.std) == pytest.approx((kept.mean(), kept.std()))
    assert found.percentiles[25] == pytest.approx(np.percentile(kept, 25))
    whole = np.nan_to_num(values).astype("uint16")
    numbers = whole[mask(tmp_path) & (whole > 0)]
    assert statistics("counts.tif").mean == pytest.approx(numbers.mean())
    assert statistics("counts.tif").count_valid == numbers.size


def test_pixels_are_counted_inside(context, tmp_path) -> None:
    grid = source("dem.tif").grid
    assert pixels_inside(AREA, grid) == mask(tmp_path).sum()
    assert pixels_inside(None, grid) == SIZE * SIZE
    rows, columns = np.nonzero(mask(tmp_path))
    extent = window_inside(AREA, grid)
    # The tip of a triangle may hold no centre.
    first, last = (extent.row_off, extent.col_off), (extent.height, extent.width)
    np.testing.assert_allclose(first, (rows.min(), columns.min()), atol=1)
    np.testing.assert_allclose(last, (np.ptp(rows) + 1, np.ptp(columns) + 1), atol=1)


def test_a_written_raster_ends_at_the_edge_whatever_the_function_gives(context, tmp_path) -> None:
    product = map_pixels(lambda v: np.ones_like(v), {"v": "dem.tif"}, "one.tif", role="dem", dtype="uint8")
    assert np.array_equal(stored_values(product.path) == 1, mask(tmp_path))
    assert product.valid_share == 1.0


def test_a_neighbourhood_reaches_beyond_the_edge(context, tmp_path, values) -> None:
    inside = mask(tmp_path)
    registry().get("calculate_slope").run({"dem_path": "dem.tif", "output_path": "slope.tif"}, context)
    with use_context(ToolContext(tmp_path / "out", PlainResolver(tmp_path))) as whole:
        registry().get("calculate_slope").run({"dem_path": "dem.tif", "output_path": "all.tif"}, whole)
    expected = np.where(inside, stored_values(tmp_path / "out" / "all.tif"), np.nan)
    assert np.array_equal(stored_values(tmp_path / "out" / "slope.tif"), expected, equal_nan=True)


def test_gi_star_is_of_the_area_alone(context, tmp_path, values) -> None:
    call = {"weight_matrix": [[1.0] * 3] * 3, "output_path": "gi.tif"}
    tool = registry().get("getis_ord_gi_star")
    tool.run({"image_path": "dem.tif", **call}, context)
    write_raster(tmp_path / "cut.tif", np.where(mask(tmp_path), values, np.nan), nodata=float("nan"))
    with use_context(ToolContext(tmp_path / "out", PlainResolver(tmp_path))) as whole:
        tool.run({"image_path": "cut.tif", **call, "output_path": "gi_cut.tif"}, whole)
    one, other = (stored_values(tmp_path / "out" / name) for name in ("gi.tif", "gi_cut.tif"))
    np.testing.assert_allclose(one, other, rtol=1e-6)


def test_distances_see_marks_beyond_the_edge_and_doubt_what_they_cannot_see(context, tmp_path) -> None:
    tool = registry().get("distance_to_mask")
    tool.run({"mask_path": "mask.tif", "output_path": "far.tif"}, context)
    expected = ndimage.distance_transform_edt(stored_values(tmp_path / "mask.tif") == 0) * 10
    inside = mask(tmp_path)
    assert context.doubts == []
    np.testing.assert_allclose(
        stored_values(tmp_path / "out" / "far.tif")[inside], expected[inside], rtol=1e-3
    )
    map_pixels(lambda v: v, {"v": "mask.tif"}, "cut.tif", role="mask", dtype="uint8")
    context.resolver = PlainResolver(tmp_path / "out")
    tool.run({"mask_path": "cut.tif", "output_path": "again.tif"}, context)
    assert "beyond it may be nearer" in context.doubts[0]


def test_points_and_previews_have_nothing_outside(context, tmp_path, values) -> None:
    rows, columns = np.array([12, 2]), np.array([20, 2])
    points = [(LEFT + 10 * c + 5, TOP - 10 * r - 5) for r, c in zip(rows, columns, strict=True)]
    found = values_at("dem.tif", points)
    assert found[0] == pytest.approx(values[12, 20])
    assert np.isnan(found[1])
    assert np.array_equal(np.isnan(read_small("dem.tif")), np.isnan(np.where(mask(tmp_path), values, np.nan)))


def test_a_raster_on_another_grid_is_cut_on_the_one_that_it_is_brought_to(context, tmp_path, values) -> None:
    write_raster(tmp_path / "fine.tif", np.kron(values, np.ones((2, 2), "float32")), pixel=5.0)
    product = map_pixels(
        lambda a, b: b, {"a": "counts.tif", "b": "fine.tif"}, "b.tif", role="dem", dtype="float32"
    )
    assert np.array_equal(~np.isnan(stored_values(product.path)), mask(tmp_path) & ~np.isnan(values))


def test_polygons_are_cut_where_their_size_is_measured(context, tmp_path) -> None:
    whole = shapely.box(LEFT, TOP - 480, LEFT + 480, TOP)
    tool = registry().get("polygon_areas")
    rows = tool.run({"vector_path": f"SRID=32633;{whole.wkt}", "unit": "m2"}, context)
    assert rows[0]["area_on_ground"] == pytest.approx(TRIANGLE.area, rel=2e-3)
    assert tool.run({"vector_path": "@aoi"}, context)[-1]["area_on_ground"] > 0


def test_zones_count_the_pixels_inside(context, tmp_path, values) -> None:
    whole = f"SRID=32633;{shapely.box(LEFT, TOP - 480, LEFT + 480, TOP).wkt}"
    rows = registry().get("zonal_statistics").run({"input_path": "dem.tif", "zones_path": whole}, context)
    kept = values[mask(tmp_path) & ~np.isnan(values)]
    assert rows[0]["count"] == kept.size
    assert rows[0]["mean"] == pytest.approx(kept.astype("float64").mean())


def _mean(address: str) -> float:
    return statistics(address).mean


def test_items_in_other_threads_and_processes_work_inside(context, tmp_path, values) -> None:
    kept = values[mask(tmp_path) & ~np.isnan(values)].astype("float64")
    assert each(_mean, ["dem.tif", "dem.tif"]) == pytest.approx([kept.mean()] * 2)


def test_a_raster_without_a_crs_is_refused(context, tmp_path) -> None:
    write_raster(tmp_path / "plain.tif", np.ones((4, 4), "float32"), crs=None)
    with pytest.raises(GridMismatch, match="no CRS"):
        statistics("plain.tif")


def test_the_area_is_in_the_provenance(context, tmp_path) -> None:
    context.provenance = {"tool": "t"}
    product = map_pixels(lambda v: v, {"v": "dem.tif"}, "p.tif", role="dem")
    with rasterio.open(product.path) as dataset:
        told = json.loads(dataset.tags()["TREELINE_PROVENANCE"])
    assert AreaOfInterest.from_json(told["area_of_interest"]) == AREA
