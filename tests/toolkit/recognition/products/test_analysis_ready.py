"""Reflectance of FORCE and of Digital Earth Australia, named by their specifications; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.describe import describe

# FORCE documentation, level 2: ten bands of Sentinel-2 and six of Landsat, ten-thousandths, fill -9999.
SENTINEL2 = ["blue", "green", "red", "rededge1", "rededge2", "rededge3", "nir", "nir08", "swir1", "swir2"]
LANDSAT = ["blue", "green", "red", "nir", "swir1", "swir2"]


@pytest.mark.parametrize(
    ("satellite", "roles"), [("SEN2A", SENTINEL2), ("LND08", LANDSAT), ("LND05", LANDSAT)]
)
def test_bands_of_force(tmp_path: Path, satellite: str, roles: list[str]) -> None:
    stored = np.full((len(roles), 8, 8), 1500, "int16")
    stored[:, 0] = -9999
    found = describe(write_raster(tmp_path / f"20220715_LEVEL2_{satellite}_BOA.tif", stored))
    assert [band.role for band in found.bands] == roles
    assert {(band.scale, band.offset, band.scale_known) for band in found.bands} == {(0.0001, 0.0, True)}
    assert -9999 in found.bands[0].fill and f"{found.date:%Y-%m-%d}" == "2022-07-15"
    assert describe_name(f"20220715_LEVEL2_{satellite}_QAI.tif").role is None


DEA = "ga_{}_3-2-1_{}_2021-07-12_final_{}.tif"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        (DEA.format("ls8c_nbart", "090084", "band05"), "nir"),
        (DEA.format("ls5t_nbart", "090084", "band04"), "nir"),
        (DEA.format("ls9c_ard", "090084", "nbart_red"), "red"),
        (DEA.format("s2am_nbart", "55HFA", "band8a"), "nir08"),
        (DEA.format("s2bm_ard", "55HFA", "nbart_nir_1"), "nir"),
        # counts classes, where the Fmask of HLS has bits
        (DEA.format("ls8c_oa", "090084", "fmask"), None),
        (DEA.format("ls8c_ard", "090084", "oa_fmask"), None),
    ],
)
def test_bands_of_digital_earth_australia(tmp_path: Path, name: str, role: str | None) -> None:
    facts = describe_name(name)
    assert (facts.role, facts.product) == (role, "digital_earth_australia")
    if role is not None:
        stored = np.array([[-999, 400], [500, 900]], "int16")
        band = describe(write_raster(tmp_path / name, stored)).bands[0]
        assert (band.scale, band.offset, band.fill) == (0.0001, 0.0, (-999,))
