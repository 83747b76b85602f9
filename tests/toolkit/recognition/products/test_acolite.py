"""Files of ACOLITE as its manual names them; not real products."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.product_layers import Layer, assert_reads
from treeline.toolkit.recognition import describe_name

SCENE = "S2A_MSI_2021_06_01_10_00_31_T33TUK"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        (f"{SCENE}_L2W_TUR_Nechad2009_665.tif", "turbidity"),
        (f"{SCENE}_L2W_SPM_Nechad2010_665.tif", "suspended_matter"),
        (f"{SCENE}_L2R_rhos_665.tif", "red"),
        ("S2B_MSI_2021_06_01_10_00_31_T33TUK_L2R_rhos_864.tif", "nir08"),
        ("L8_OLI_2021_06_01_10_00_31_190029_L2W_rhow_865.tif", "nir"),
    ],
)
def test_values(tmp_path: Path, name: str, role: str) -> None:
    values = (0.051, 0.0725, 0.09)
    assert_reads(tmp_path, Layer(name, "float32", values, role, values, date="2021-06-01"))


def test_reflectance_before_the_correction_is_none_of_the_surface() -> None:
    assert describe_name(f"{SCENE}_L2R_rhot_665.tif").role is None
