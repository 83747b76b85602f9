"""VIIRS Nighttime Lights version 2 and DMSP-OLS, as their readme files say; not real products."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product_layers import Layer, assert_reads

VALUES = [
    Layer(
        "VNL_v21_npp_2021_global_vcmslcfg_c202205302300.average_masked.dat.tif",
        "float32",
        (0.0, 12.5, 300.25),
        "ntl_radiance",
        (0.0, 12.5, 300.25),
        "nW/cm2/sr",
        "2021-01-01",
    ),
    Layer(
        "VNL_v22_npp-j01_2022_global_vcmslcfg_c202303062300.median.dat.tif",
        "float32",
        (0.5, 12.5),
        "ntl_radiance",
        (0.5, 12.5),
        "nW/cm2/sr",
        "2022-01-01",
    ),
    Layer(
        "F182013.v4c_web.stable_lights.avg_vis.tif",
        "uint8",
        (0, 7, 63, 255),
        "stable_lights",
        (0, 7, 63),
        "1",
        "2013-01-01",
    ),
    Layer("Harmonized_DN_NTL_2010_calDMSP.tif", "uint8", (0, 7, 63), "stable_lights", (0, 7, 63), "1"),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)
