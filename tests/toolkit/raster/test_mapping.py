from __future__ import annotations

import json
import resource
import threading
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
import rasterio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import ndimage

from tests.rasters import PlainResolver, write_raster
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import InputError, PathOutside, RasterError, RasterUnreadable, Stopped
from treeline.toolkit.raster import (
    Grid,
    complete_overviews,
    map_many,
    map_pixels,
    read_arrays,
    reduce_pixels,
    write_array,
)

GRID = Grid("EPSG:32633", (10.0, 0.0, 500_000.0, 0.0, -10.0, 5_100_000.0), 4, 3)
SLOW_OK = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


def normalised_difference(red: np.ndarray, nir: np.ndarray) -> np.ndarray:
    return (nir - red) / (nir + red)


@pytest.fixture
def scene(tmp_path: Path) -> np.ndarray:
    pixels = np.random.default_rng(1).integers(0, 9000, (2, 1300, 2100)).astype("uint16")
    write_raster(
        tmp_path / "scene.tif",
        pixels,
        nodata=0,
        scale=1e-4,
        descriptions=["red", "nir"],
        tiled=True,
        blockxsize=256,
        blockysize=256,
    )
    return pixels


def files_of(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def test_equals_the_whole_array(context: ToolContext, scene: np.ndarray, tmp_path: Path) -> None:
    product = map_pixels(
        normalised_difference, {"red": "scene.tif#red", "nir": "scene.tif#nir"}, "n.tif", role="ndvi"
    )
    red, nir = np.where(scene == 0, np.nan, scene * 1e-4)
    np.testing.assert_allclose(
        rasterio.open(product.path).read(1), normalised_difference(red, nir), atol=1e-6
    )


@pytest.mark.parametrize(
    "layout", [{}, {"blockysize": 7}, {"tiled": True, "blockxsize": 128, "blockysize": 128}]
)
def test_equals_the_whole_array_in_any_layout(context: ToolContext, tmp_path: Path, layout: dict) -> None:
    pixels = np.random.default_rng(2).normal(size=(1234, 1111)).astype("float32")
    write_raster(tmp_path / "a.tif", pixels, **layout)
    product = map_pixels(lambda a: a * 2 + 1, {"a": "a.tif"}, "b.tif", role="ndvi")
    np.testing.assert_array_equal(rasterio.open(product.path).read(1), pixels * 2 + 1)


@SLOW_OK
@given(
    pixels=arrays.arrays(
        "float32",
        arrays.array_shapes(min_dims=2, max_dims=2, max_side=12),
        elements=st.floats(-1e6, 1e6, width=32) | st.just(np.nan),
    ),
    halo=st.integers(0, 3),
)
def test_any_small_array(context: ToolContext, tmp_path: Path, pixels: np.ndarray, halo: int) -> None:
    write_raster(tmp_path / "any.tif", pixels)
    product = map_pixels(lambda a: a / 3, {"a": "any.tif"}, "third.tif", role="ndvi", halo=halo)
    np.testing.assert_array_equal(rasterio.open(product.path).read(1), pixels / np.float32(3))


@pytest.mark.parametrize("halo", [1, 5, 40])
@pytest.mark.parametrize("layout", [{}, {"tiled": True, "blockxsize": 256, "blockysize": 256}])
def test_a_halo_equals_the_whole_array_filter(
    context: ToolContext, tmp_path: Path, halo: int, layout: dict
) -> None:
    pixels = np.random.default_rng(3).normal(size=(1100, 1300))
    write_raster(tmp_path / "a.tif", pixels, **layout)

    def smooth(a: np.ndarray) -> np.ndarray:
        return ndimage.uniform_filter(a, 2 * halo + 1, mode="nearest")

    product = map_pixels(smooth, {"a": "a.tif"}, "s.tif", role="difference", halo=halo)
    np.testing.assert_allclose(rasterio.open(product.path).read(1), smooth(pixels), atol=1e-6)


def test_what_is_written_says_what_it_is(context: ToolContext, scene: np.ndarray, tmp_path: Path) -> None:
    context.provenance = {"tool": "compute_ndvi", "arguments": {"red": "scene.tif"}}
    product = map_pixels(
        normalised_difference,
        {"red": "scene.tif#red", "nir": "scene.tif#nir"},
        "out/n.tif",
        role="ndvi",
        extra_tags={"METHOD": "test"},
        overviews=True,
    )
    with rasterio.open(product.path) as dataset:
        tags = dataset.tags()
        assert (tags["TREELINE_ROLE"], tags["TREELINE_UNIT"], tags["METHOD"]) == ("ndvi", "1", "test")
        assert json.loads(tags["TREELINE_PROVENANCE"]) == {**context.provenance, "inputs": ["scene.tif"]}
        assert np.isnan(dataset.nodata)
        assert dataset.overviews(1) == [2, 4, 8]
        assert (dataset.descriptions, dataset.units) == (("ndvi",), ("1",))
        assert dataset.block_shapes == [(512, 512)]
        assert dataset.compression.name == "zstd"
        assert dataset.crs.to_epsg() == 32633
        found = dataset.read(1)
    assert context.products == [product]
    assert product.inputs == (str(tmp_path / "scene.tif"),)
    assert product.minimum == pytest.approx(np.nanmin(found))
    assert product.maximum == pytest.approx(np.nanmax(found))
    assert product.mean == pytest.approx(np.nanmean(found, dtype="float64"))
    assert product.valid_share == pytest.approx(np.isfinite(found).mean())


def test_the_date_of_the_inputs_is_kept(context: ToolContext, tmp_path: Path) -> None:
    from dataclasses import replace

    from treeline.toolkit.raster import Source, source

    write_raster(tmp_path / "a.tif", np.ones((2, 2)))
    known = source("a.tif")
    dated = Source(replace(known.description, date=datetime(2021, 7, 12, 10, 5)), known.band)
    product = map_pixels(lambda a: a, {"a": dated}, "b.tif", role="ndvi")
    assert rasterio.open(product.path).tags()["TIFFTAG_DATETIME"] == "2021:07:12 10:05:00"


@pytest.mark.parametrize(
    ("dtype", "nodata", "expected"),
    [
        ("uint8", 255, [0, 3, 254, 255]),
        ("int16", -32768, [-2, 3, 300, -32768]),
        ("uint16", 65535, [0, 3, 300, 65535]),
    ],
)
def test_integers_are_rounded_clipped_and_keep_nodata_apart(
    context: ToolContext, tmp_path: Path, dtype: str, nodata: int, expected: list
) -> None:
    write_raster(tmp_path / "a.tif", np.array([[-2.4, 2.6, 300, np.nan]]))
    product = map_pixels(lambda a: a, {"a": "a.tif"}, "b.tif", role="landcover", dtype=dtype)
    with rasterio.open(product.path) as dataset:
        assert dataset.nodata == nodata
        assert dataset.read(1)[0].tolist() == expected
    assert product.valid_share == 0.75


def test_a_condition_becomes_a_mask_with_nodata(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.array([[0.1, 0.9, np.nan]]))
    product = map_pixels(lambda a: a > 0.5, {"a": "a.tif"}, "m.tif", role="mask", dtype="uint8")
    assert rasterio.open(product.path).read(1)[0].tolist() == [0, 1, 255]


def test_infinity_becomes_nodata(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.array([[0.0, 1.0]]))
    product = map_pixels(lambda a: 1 / a, {"a": "a.tif"}, "b.tif", role="ndvi")
    np.testing.assert_array_equal(rasterio.open(product.path).read(1), [[np.nan, 1.0]])


def test_stacks_and_several_bands(context: ToolContext, tmp_path: Path) -> None:
    stack = np.random.default_rng(4).normal(size=(5, 30, 40)).astype("float32")
    names = [f"t{n}.tif" for n in range(5)]
    for name, pixels in zip(names, stack, strict=True):
        write_raster(tmp_path / name, pixels)

    def spread(series: np.ndarray) -> np.ndarray:
        return np.stack([series.min(axis=0), series.max(axis=0)])

    product = map_many(spread, {"series": names}, "spread.tif", role=["lst_night", "lst_day"])
    with rasterio.open(product.path) as dataset:
        np.testing.assert_array_equal(dataset.read(), spread(stack))
        assert dataset.descriptions == ("lst_night", "lst_day")
    assert len(product.inputs) == 5


def test_more_files_than_may_be_open_at_once(context: ToolContext, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("treeline.toolkit.raster.datasets.OPEN_FILES", 3)
    names = [f"t{n}.tif" for n in range(8)]
    for number, name in enumerate(names):
        write_raster(tmp_path / name, np.full((700, 1200), number, dtype="float32"))
    total = reduce_pixels(lambda t: float(t.sum()), lambda a, b: a + b, {"t": names})
    assert total == sum(range(8)) * 700 * 1200


def test_one_pixel(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.array([[3.0]]))
    product = map_pixels(lambda a: a + 1, {"a": "a.tif"}, "b.tif", role="ndvi")
    assert rasterio.open(product.path).read(1).tolist() == [[4.0]]


def test_an_error_in_the_middle_leaves_no_file(
    context: ToolContext, scene: np.ndarray, tmp_path: Path
) -> None:
    before, calls = files_of(tmp_path), []

    def fails_later(a: np.ndarray) -> np.ndarray:
        calls.append(1)
        if len(calls) > 3:
            raise ZeroDivisionError("in the middle")
        return a

    with pytest.raises(ZeroDivisionError):
        map_pixels(fails_later, {"a": "scene.tif#1"}, "b.tif", role="ndvi")
    assert files_of(tmp_path) == before
    assert context.products == []


def test_a_stop_in_the_middle_leaves_no_file(context: ToolContext, scene: np.ndarray, tmp_path: Path) -> None:
    before = files_of(tmp_path)
    context.progress = lambda done, total, label: context.stop.set() if done == 2 else None
    with pytest.raises(Stopped):
        map_pixels(lambda a: a, {"a": "scene.tif#1"}, "b.tif", role="ndvi")
    assert files_of(tmp_path) == before


def test_a_failed_call_keeps_the_earlier_file(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((4, 4)))
    first = map_pixels(lambda a: a, {"a": "a.tif"}, "b.tif", role="ndvi")
    with pytest.raises(ValueError, match="shape"):
        map_pixels(lambda a: a[:1], {"a": "a.tif"}, "b.tif", role="ndvi")
    assert rasterio.open(first.path).read(1).sum() == 16


def test_a_damaged_block_is_named_and_leaves_no_file(context: ToolContext, tmp_path: Path) -> None:
    pixels = np.random.default_rng(5).integers(0, 9000, (1500, 1500)).astype("uint16")
    path = write_raster(
        tmp_path / "a.tif", pixels, compress="deflate", tiled=True, blockxsize=256, blockysize=256
    )
    with rasterio.open(path) as dataset:
        offset = int(dataset.get_tag_item("BLOCK_OFFSET_3_3", "TIFF", bidx=1))
    content = bytearray(path.read_bytes())
    content[offset : offset + 64] = bytes(64)
    path.write_bytes(content)
    with pytest.raises(RasterUnreadable, match="a.tif cannot be read at row"):
        map_pixels(lambda a: a, {"a": "a.tif"}, "b.tif", role="ndvi")
    assert files_of(tmp_path) == {"a.tif"}


@pytest.mark.parametrize(
    ("output", "fault"),
    [("../b.tif", PathOutside), ("/tmp/b.tif", PathOutside), ("b.png", InputError), ("a.tif", InputError)],
)
def test_outputs_that_are_refused(context: ToolContext, tmp_path: Path, output: str, fault: type) -> None:
    write_raster(tmp_path / "a.tif", np.ones((4, 4)))
    with pytest.raises(fault):
        map_pixels(lambda a: a, {"a": "a.tif"}, output, role="ndvi")
    assert files_of(tmp_path) == {"a.tif"}


def test_stale_companions_of_an_earlier_file_go(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((4, 4)))
    (tmp_path / "b.tif.aux.xml").write_text("<PAMDataset/>")
    map_pixels(lambda a: a, {"a": "a.tif"}, "b", role="ndvi")
    assert files_of(tmp_path) == {"a.tif", "b.tif"}


def test_progress_reaches_the_total_in_the_calling_thread(context: ToolContext, scene: np.ndarray) -> None:
    told = []
    context.progress = lambda *told_now: told.append((*told_now, threading.get_ident()))
    map_pixels(lambda a: a, {"a": "scene.tif#1"}, "b.tif", role="ndvi")
    assert [done for done, *_ in told] == list(range(1, 7))
    assert {(total, label, thread) for _, total, label, thread in told} == {
        (6, "b.tif", threading.get_ident())
    }


def test_warnings_of_the_function_reach_the_context(context: ToolContext, scene: np.ndarray) -> None:
    from treeline.toolkit.context import current_context

    def warns(a: np.ndarray) -> np.ndarray:
        current_context().warn("odd values")
        return a

    map_pixels(warns, {"a": "scene.tif#1"}, "b.tif", role="ndvi")
    assert context.warnings == ["odd values"]


def test_write_array(context: ToolContext, tmp_path: Path) -> None:
    values = np.arange(12, dtype="float64").reshape(3, 4)
    values[0, 0] = np.nan
    product = write_array(values, GRID, "w.tif", role="lst", extra_tags={"A": "b"})
    with rasterio.open(product.path) as dataset:
        np.testing.assert_array_equal(dataset.read(1), values.astype("float32"))
        assert (dataset.units, dataset.crs.to_epsg(), dataset.transform.c) == (("K",), 32633, 500_000.0)
    with pytest.raises(ValueError, match="shape"):
        write_array(values[:2], GRID, "w2.tif", role="lst")


@pytest.mark.parametrize("threads", [1, 4])
def test_threads_change_nothing(tmp_path: Path, scene: np.ndarray, threads: int) -> None:
    with use_context(ToolContext(output_folder=tmp_path, resolver=PlainResolver(tmp_path), threads=threads)):
        product = map_pixels(lambda a: a * 2, {"a": "scene.tif#1"}, f"t{threads}.tif", role="red")
        values = read_arrays({"a": product.path.name})[0]["a"]
    expected = np.where(scene[0] == 0, np.nan, (scene[0] * 1e-4).astype("float32") * 2)
    np.testing.assert_array_equal(values, expected)


def test_overviews_built_beside_are_those_built_inside(context: ToolContext, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    values = np.where(rng.random((1300, 1100)) < 0.2, np.nan, rng.random((1300, 1100))).astype("float32")
    write_raster(tmp_path / "a.tif", values, nodata=float("nan"))
    inside = map_pixels(lambda a: a, {"a": "a.tif"}, "in.tif", role="ndvi", overviews=True)
    beside = map_pixels(lambda a: a, {"a": "a.tif"}, "out.tif", role="ndvi")
    assert not complete_overviews(inside.path)
    assert complete_overviews(beside.path)
    assert not complete_overviews(beside.path)
    reduced = [rasterio.open(p.path, OVERVIEW_LEVEL=0).read(1) for p in (inside, beside)]
    assert reduced[0].shape == (650, 550)
    np.testing.assert_array_equal(*reduced)


def test_overviews_of_an_earlier_raster_go_with_it(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.ones((1100, 1100), dtype="float32"))
    first = map_pixels(lambda a: a, {"a": "a.tif"}, "out.tif", role="ndvi")
    assert complete_overviews(first.path)
    map_pixels(lambda a: a * 0, {"a": "a.tif"}, "out.tif", role="ndvi")
    assert rasterio.open(first.path).overviews(1) == []


def test_a_full_disk_leaves_nothing_behind(context: ToolContext, scene: np.ndarray, tmp_path: Path) -> None:
    """GDAL writes in the background and says nothing when a file is closed that it could not finish."""
    before, soft = files_of(tmp_path), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, soft[1]))
    try:
        with pytest.raises(RasterError, match=r"n\.tif cannot be written") as caught:
            map_pixels(
                normalised_difference, {"red": "scene.tif#red", "nir": "scene.tif#nir"}, "n.tif", role="ndvi"
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, soft)
    assert "room" in caught.value.hint
    assert files_of(tmp_path) == before


def test_an_output_that_is_a_folder_is_refused_before_the_work(context: ToolContext, tmp_path: Path) -> None:
    (tmp_path / "there.tif").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_array(np.ones((3, 4), "float32"), GRID, "there.tif", role="ndvi")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be made"):
        write_array(np.ones((3, 4), "float32"), GRID, "file/n.tif", role="ndvi")
