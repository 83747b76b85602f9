from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.enums import ColorInterp

from tests.rasters import PlainResolver, write_raster
from tests.workplace import Workplace
from treeline.toolkit.context import ToolContext
from treeline.toolkit.raster import read_arrays
from treeline.toolkit.raster.masking import scale_values
from treeline.toolkit.recognition import FileResolver

LOWEST = np.finfo("float32").min


def read(name: str, **options: Any) -> np.ndarray:
    return read_arrays({"value": name}, **options)[0]["value"]


@pytest.mark.parametrize(
    ("stored", "dtype", "nodata", "masked"),
    [
        ([0, 5, 7], "uint8", 0, [True, False, False]),
        ([65535, 5, 7], "uint16", 65535, [True, False, False]),
        ([-9999, 5, 7], "int16", -9999, [True, False, False]),
        ([-9999.0, -9998.0, 7], "float32", -9999, [True, False, False]),
        ([LOWEST, 5, 7], "float32", -3.4e38, [True, False, False]),
        ([LOWEST, 5, 7], "float32", -3.4028234663852886e38, [True, False, False]),
        ([9.96921e36, 5, 7], "float32", 9.969209968386869e36, [True, False, False]),
        ([np.nan, 5, np.inf], "float32", None, [True, False, True]),
        ([np.nan, 5, 0], "float64", np.nan, [True, False, False]),
        ([0.0, 1e-30, -0.0], "float32", 0, [True, False, True]),
        ([-99.99, -99.9899, 7], "float32", -99.99, [True, False, False]),
        ([np.float32(-99.99), -99.98, 7], "float64", -99.99, [True, False, False]),
        ([1, 2, 3], "uint8", None, [False, False, False]),
    ],
)
def test_declared_nodata(
    context: ToolContext, tmp_path: Path, stored: list, dtype: str, nodata: float | None, masked: list
) -> None:
    write_raster(tmp_path / "a.tif", np.array([stored], dtype=dtype), nodata=nodata)
    assert np.isnan(read("a.tif"))[0].tolist() == masked


def test_internal_mask(context: ToolContext, tmp_path: Path) -> None:
    pixels = np.arange(12, dtype="uint16").reshape(3, 4)
    mask = pixels % 3 != 0
    write_raster(tmp_path / "a.tif", pixels, mask=mask)
    assert np.array_equal(np.isnan(read("a.tif")), ~mask)


def test_fills_and_valid_range_of_the_description(
    context: ToolContext, tmp_path: Path, resolver: PlainResolver
) -> None:
    write_raster(tmp_path / "a.tif", np.array([[0, 1, 50, 101, 32767]], dtype="int16"))
    resolver.bands["a.tif"] = {"fill": (32767.0, 0.5), "valid": (1.0, 100.0)}
    assert np.isnan(read("a.tif"))[0].tolist() == [True, False, False, True, True]


def test_scale_and_offset_come_after_the_mask(context: ToolContext, tmp_path: Path) -> None:
    pixels = np.array([[0, 10000, 20000]], dtype="uint16")
    write_raster(tmp_path / "a.tif", pixels, nodata=0, scale=0.0001, offset=-0.1)
    np.testing.assert_allclose(read("a.tif"), [[np.nan, 0.9, 1.9]], rtol=1e-6)
    np.testing.assert_array_equal(read("a.tif", raw=True), [[np.nan, 10000, 20000]])


@pytest.mark.parametrize(
    ("scale", "offset", "dtype"),
    [
        ("0.0001", "0", "int16"),
        ("0.004", "-0.08", "uint8"),
        ("0.0000275", "-0.2", "uint16"),
        ("0.00341802", "149", "uint16"),
        ("0.02", "0", "uint16"),
    ],
)
def test_a_stored_value_that_stands_for_a_limit_is_equal_to_it(scale: str, offset: str, dtype: str) -> None:
    stored = np.arange(np.iinfo(dtype).max + 1, dtype=dtype)
    values = scale_values(stored, float(scale), float(offset), np.dtype("float32"))
    limits = [float(Decimal(int(number)) * Decimal(scale) + Decimal(offset)) for number in stored]
    assert not np.any([value != limit for value, limit in zip(values, limits, strict=True)])


def test_wide_integers_keep_all_their_digits(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "flags.tif", np.array([[2**32 - 1, 2**24 + 1]], dtype="uint32"))
    assert read("flags.tif", raw=True)[0].tolist() == [2**32 - 1, 2**24 + 1]


@pytest.mark.parametrize(("role", "masks"), [("alpha", True), ("nir", False)])
def test_a_fourth_band_masks_only_if_it_is_an_alpha_band(
    context: ToolContext, tmp_path: Path, role: str, masks: bool
) -> None:
    pixels = np.full((4, 2, 2), 9, dtype="uint8")
    pixels[3, 0, 0] = 0
    write_raster(
        tmp_path / "a.tif",
        pixels,
        photometric="RGB",
        alpha="yes",
        descriptions=["red", "green", "blue", role],
    )
    assert np.isnan(read("a.tif#red")).sum() == int(masks)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_an_alpha_band_masks_whatever_the_number_of_bands(tmp_path: Path, count: int) -> None:
    names = ["red", "nir", "green", "blue"][:count]
    rng = np.random.default_rng(count)
    pixels = rng.integers(300, 3000, (count + 1, 20, 30)).astype("uint16")
    pixels[-1] = 65535
    pixels[-1, :6] = 0
    path = write_raster(
        tmp_path / "area_2021-06-01.tif", pixels, descriptions=[*names, "alpha"], scale=0.0001
    )
    with rasterio.open(path, "r+") as dataset:
        dataset.colorinterp = [ColorInterp.gray, *[ColorInterp.undefined] * (count - 1), ColorInterp.alpha]
    place = Workplace(tmp_path, FileResolver(tmp_path))
    for number, name in enumerate(names):
        (mean,) = place.run("calc_batch_image_mean", file_list=[f"{path.name}#{name}"])
        np.testing.assert_allclose(mean, pixels[number, 6:].mean() * 1e-4, rtol=1e-6)


def test_near_infrared_that_is_marked_as_alpha_masks_nothing(tmp_path: Path) -> None:
    pixels = np.random.default_rng(3).integers(0, 255, (4, 20, 30), dtype="uint8")
    pixels[3, :6] = 0
    path = tmp_path / "m_3211605_ne_11_060_20200415.tif"
    write_raster(path, pixels, photometric="RGB", alpha="YES")
    place = Workplace(tmp_path, FileResolver(tmp_path))
    (mean,) = place.run("calc_batch_image_mean", file_list=[f"{path.name}#red"])
    np.testing.assert_allclose(mean, pixels[0].mean(), rtol=1e-6)


def test_the_all_nodata_file_of_the_evidence(context: ToolContext, shared: Path) -> None:
    resolver = PlainResolver(shared / "rasters" / "odd")
    context.resolver = resolver
    assert np.isnan(read("all-nodata.tif#1")).all()
    assert np.isnan(read("float_raster_with_nodata.tif#1")).any()
