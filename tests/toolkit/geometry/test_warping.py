from __future__ import annotations

import numpy as np
import pytest
import rasterio
from rasterio.enums import Resampling
from rasterio.warp import reproject, transform

from tests.vectors import VectorWorkplace as Place
from treeline.toolkit.errors import GridMismatch, InputError
from treeline.toolkit.raster import Grid


def _plane(rows: int = 60, columns: int = 80) -> np.ndarray:
    """Easting of the pixel's centre, so that a moved raster can be checked anywhere."""
    return np.broadcast_to(np.arange(columns) * 10.0 + 5, (rows, columns)).astype("float32")


def _grid(place: Place, name: str) -> Grid:
    with rasterio.open(place.folder / name) as dataset:
        crs = dataset.crs.to_string() if dataset.crs else None
        return Grid(crs, tuple(dataset.transform)[:6], dataset.width, dataset.height)


def test_reprojected_values_stand_where_they_stood(place: Place) -> None:
    place.raster("x.tif", _plane())
    assert place.run("reproject_raster", input_path="x.tif", output_path="ll.tif") == "Result saved at ll.tif"
    grid, values = _grid(place, "ll.tif"), place.read("ll.tif")
    assert grid.crs == "EPSG:4326"
    row, column = grid.height // 2, grid.width // 2
    longitude, latitude = grid.affine @ (column + 0.5, row + 0.5)
    easting = transform("EPSG:4326", "EPSG:32633", [longitude], [latitude])[0][0]
    assert values[row, column] == pytest.approx(easting - 500_000, abs=0.05)


def test_there_and_back_to_utm(place: Place) -> None:
    place.raster("x.tif", _plane())
    place.run("reproject_raster", input_path="x.tif", output_path="ll.tif")
    place.run("reproject_raster", input_path="ll.tif", output_path="utm.tif", crs="utm", resolution=10.0)
    grid, values = _grid(place, "utm.tif"), place.read("utm.tif")
    assert grid.crs == "EPSG:32633"
    easting = (grid.affine @ (grid.width // 2 + 0.5, 0))[0]
    assert values[grid.height // 2, grid.width // 2] == pytest.approx(easting - 500_000, abs=0.5)


def test_classes_keep_their_numbers_and_255_is_a_class(place: Place) -> None:
    classes = np.random.default_rng(1).choice([1, 7, 255], (40, 40)).astype("uint8")
    place.raster("c.tif", classes, descriptions=["landcover"])
    place.run("reproject_raster", input_path="c.tif", output_path="ll.tif")
    found = place.read("ll.tif")
    assert set(np.unique(found[~np.isnan(found)])) == {1.0, 7.0, 255.0}
    with pytest.raises(InputError, match="would mix"):
        place.run("reproject_raster", input_path="c.tif", output_path="y.tif", resampling="bilinear")


def test_every_band_keeps_its_role(place: Place) -> None:
    place.raster("b.tif", np.stack([_plane(), _plane() * 2]), descriptions=["red", "nir"])
    place.run("reproject_raster", input_path="b.tif", output_path="ll.tif")
    with rasterio.open(place.folder / "ll.tif") as dataset:
        assert dataset.descriptions == ("red", "nir")
    place.run("reproject_raster", input_path="b.tif#nir", output_path="one.tif")
    with rasterio.open(place.folder / "one.tif") as dataset:
        assert dataset.descriptions == ("nir",)


def test_coarser_pixels_are_means_and_nodata_is_left_out(place: Place) -> None:
    values = np.random.default_rng(2).random((40, 60)).astype("float32")
    values[0, 0] = -9999
    place.raster("v.tif", values, nodata=-9999)
    place.run("resample_raster", input_path="v.tif", output_path="r.tif", factor=4)
    blocks = np.where(values == -9999, np.nan, values).reshape(10, 4, 15, 4)
    np.testing.assert_allclose(place.read("r.tif"), np.nanmean(blocks, axis=(1, 3)), rtol=1e-5)


def test_coarser_classes_are_the_mode(place: Place) -> None:
    classes = np.zeros((4, 4), dtype="uint8")
    classes[:2, :2] = [[3, 3], [3, 9]]
    place.raster("c.tif", classes, descriptions=["landcover"])
    place.run("resample_raster", input_path="c.tif", output_path="r.tif", resolution=20.0)
    np.testing.assert_array_equal(place.read("r.tif"), [[3, 0], [0, 0]])


def test_aligned_to_the_grid_of_another(place: Place) -> None:
    place.raster("x.tif", _plane())
    place.raster("ref.tif", np.zeros((10, 10), dtype="float32"), origin=(500_105.0, 5_099_895.0), pixel=20.0)
    place.run("align_raster", input_path="x.tif", reference_path="ref.tif", output_path="a.tif")
    assert _grid(place, "a.tif").same_as(_grid(place, "ref.tif"))
    np.testing.assert_allclose(place.read("a.tif")[5], 105 + 10 + 20 * np.arange(10), atol=1e-3)
    assert not place.context.warnings


@pytest.mark.parametrize("method", ["nearest", "bilinear", "cubic", "average", "max"])
def test_the_method_that_is_asked_for_is_taken(place: Place, method: str) -> None:
    values = np.random.default_rng(3).random((23, 37)).astype("float32")
    place.raster("x.tif", values)
    place.raster("ref.tif", np.zeros((11, 18), "float32"), origin=(500_003.7, 5_099_993.9), pixel=17.0)
    place.run(
        "align_raster", input_path="x.tif", reference_path="ref.tif", output_path="a.tif", resampling=method
    )
    expected = np.full((11, 18), np.nan, "float32")
    grids = [_grid(place, name) for name in ("x.tif", "ref.tif")]
    own, wanted = ({"transform": grid.affine, "crs": grid.crs_object} for grid in grids)
    reproject(
        values,
        expected,
        resampling=Resampling[method],
        src_nodata=np.nan,
        dst_nodata=np.nan,
        **{f"src_{key}": value for key, value in own.items()},
        **{f"dst_{key}": value for key, value in wanted.items()},
    )
    np.testing.assert_allclose(place.read("a.tif"), expected, rtol=1e-5)


def test_scale_and_offset_become_physical(place: Place) -> None:
    place.raster("s.tif", np.full((20, 20), 3000, dtype="uint16"), scale=0.0001, offset=-0.1)
    place.run("resample_raster", input_path="s.tif", output_path="r.tif", factor=2)
    np.testing.assert_allclose(place.read("r.tif"), 0.2, rtol=1e-5)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("reproject_raster", {"crs": "EPSG:nowhere"}, "no CRS"),
        ("reproject_raster", {"resolution": -1.0}, "'resolution' is -1"),
        ("reproject_raster", {"resolution": 1e-9}, "The result would have"),
        ("resample_raster", {}, "Either 'resolution' or 'factor'"),
        ("resample_raster", {"factor": 0.0}, "'factor' is 0"),
    ],
)
def test_refusals_leave_nothing(place: Place, tool: str, arguments: dict, words: str) -> None:
    place.raster("x.tif", _plane())
    with pytest.raises(InputError, match=words):
        place.run(tool, input_path="x.tif", output_path="y.tif", **arguments)
    assert [p.name for p in place.folder.iterdir()] == ["x.tif"]


def test_without_crs(place: Place) -> None:
    place.raster("x.tif", _plane(), crs=None)
    with pytest.raises(GridMismatch, match="has no CRS"):
        place.run("reproject_raster", input_path="x.tif", output_path="y.tif")
