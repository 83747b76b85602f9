"""Bands of TerraClimate and GLDAS in Earth Engine as its catalogue says; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.toolkit.recognition.describe import describe


@pytest.mark.parametrize(
    ("file", "band", "stored", "role", "physical"),
    [
        ("TerraClimate_2021_07.tif", "pr", 57, "precipitation", 57.0),
        ("basin_TerraClimate_202107.tif", "aet", 823, "evapotranspiration", 82.3),
        ("TerraClimate_2021_07.tif", "tmmx", 291, None, None),
        ("GLDAS_20210701.tif", "AvgSurfT_inst", 301.5, "lst", 301.5),
        ("GLDAS_20210701.tif", "Tair_f_inst", 291.5, "air_temperature", 291.5),
        ("GLDAS_20210701.tif", "Rainf_tavg", 2.5e-5, None, None),
    ],
)
def test_bands_of_earth_engine(
    tmp_path: Path, file: str, band: str, stored: float, role: str | None, physical: float | None
) -> None:
    values = stored * np.linspace(0.95, 1.05, 64).reshape(8, 8)
    kind = "int32" if file.count("Terra") else "float32"
    stack = np.stack([values, values]).astype(kind)
    found = describe(write_raster(tmp_path / file, stack, descriptions=[band, "other"])).bands[0]
    assert found.role == role
    if physical is not None:
        assert found.scale_known and found.physical(stored) == pytest.approx(physical)
