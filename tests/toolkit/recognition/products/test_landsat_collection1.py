"""Landsat Collection 1 surface reflectance on demand, as its product guides say; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.product_layers import Layer, assert_reads
from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.recognition import FileResolver, describe_name

L8 = "LC08_L1TP_044034_20170614_20170628_01_T1_{}.tif"
L5 = "LT05_L1TP_044034_19900614_20170628_01_T1_{}.tif"
VALUES = [
    Layer(L8.format("sr_band4"), "int16", (500, 2500, -9999), "red", (0.05, 0.25), "1", "2017-06-14"),
    Layer(L5.format("sr_band4"), "int16", (500, 2500, -9999), "nir", (0.05, 0.25), "1", "1990-06-14"),
    Layer(L8.format("bt_band10"), "int16", (2950, 3012, -9999), "bt10", (295.0, 301.2), "K"),
    Layer(L5.format("bt_band6"), "int16", (2950, 3012, -9999), "bt6", (295.0, 301.2), "K"),
    Layer(L8.format("sr_ndvi"), "int16", (7000, -500, -9999, 20000), "ndvi", (0.7, -0.05), "1"),
    Layer(L5.format("sr_atmos_opacity"), "int16", (100, 250, -9999), "aot", (0.1, 0.25), "1"),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        (L8.format("pixel_qa"), "pixel_qa"),
        (L5.format("sr_cloud_qa"), "sr_cloud_qa"),
        (L8.replace(".tif", ".TIF").format("BQA"), "bqa"),
        ("scene_2017-06-14_pixel_qa.tif", "pixel_qa"),
        # Collection 2, whose bits are others.
        ("LC08_L2SP_044034_20170614_20210502_02_T1_QA_PIXEL.TIF", "qa_pixel"),
    ],
)
def test_quality_bands_are_told_apart_by_their_collection(name: str, role: str) -> None:
    assert describe_name(name).role == role


@pytest.mark.parametrize(
    ("scene", "quality", "clear", "cloud"), [(L8, "pixel_qa", 322, 352), (L5, "sr_cloud_qa", 1, 2)]
)
def test_clouds_are_left_out_by_the_bits_of_the_collection(
    tmp_path: Path, scene: str, quality: str, clear: int, cloud: int
) -> None:
    bits = np.full((8, 8), clear, "uint16" if quality == "pixel_qa" else "uint8")
    bits[:2] = cloud
    write_raster(tmp_path / scene.format(quality), bits)
    write_raster(tmp_path / scene.format("sr_band3"), np.where(bits == cloud, 9000, 800).astype("int16"))
    place = Workplace(tmp_path, FileResolver(tmp_path))
    band, mask = scene.format("sr_band3"), scene.format(quality)
    place.run("apply_cloud_mask", sr_band_path=band, qa_pixel_path=mask, output_path="m.tif")
    made = place.read("m.tif")
    assert np.isnan(made[:2]).all()
    np.testing.assert_allclose(made[2:], 0.08, rtol=1e-6)
