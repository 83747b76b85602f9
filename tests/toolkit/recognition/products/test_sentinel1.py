"""Terrain-corrected Sentinel-1 as the product guide of ASF HyP3 names it; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.toolkit.recognition.describe import describe

NAME = "S1A_IW_20210615T051234_DVP_RTC30_G_g{}uned_1A2B_VV.tif"
POWER = np.linspace(0.02, 0.3, 64, dtype="float32").reshape(8, 8)


@pytest.mark.parametrize(
    ("form", "stored", "unit"), [("p", POWER, "linear power"), ("d", 10 * np.log10(POWER), "dB")]
)
def test_power_and_decibels_are_told_by_the_name(
    tmp_path: Path, form: str, stored: np.ndarray, unit: str
) -> None:
    found = describe(write_raster(tmp_path / NAME.format(form), stored))
    (band,) = found.bands
    assert (band.role, band.unit, band.scale_known, band.unit_assumed) == ("vv", unit, True, False)
    assert not found.warnings


@pytest.mark.parametrize(
    "name",
    [
        "S1A_IW_GRDH_1SDV_20210712T051234_20210712T051259_038734_04920A_rtc_vv.tif",
        "OPERA_L2_RTC-S1_T015-031234-IW2_20210712T051234Z_20210713T010203Z_S1A_30_v1.0_VV.tif",
    ],
)
def test_gamma0_of_other_providers_is_power(tmp_path: Path, name: str) -> None:
    found = describe(write_raster(tmp_path / name, POWER))
    (band,) = found.bands
    assert (band.role, band.unit, band.unit_assumed) == ("vv", "linear power", False)
    assert found.date is not None and found.date.hour == 5 and not found.warnings


def test_amplitudes_are_not_taken_for_power(tmp_path: Path) -> None:
    found = describe(write_raster(tmp_path / NAME.format("a"), np.sqrt(POWER)))
    assert not found.bands[0].scale_known and "amplitudes" in found.warnings[0]


def test_power_that_nothing_names_is_told_as_assumed(tmp_path: Path) -> None:
    found = describe(write_raster(tmp_path / "A_VV_2021-06-15.tif", POWER))
    assert found.bands[0].unit_assumed and "amplitude" in found.warnings[0]
