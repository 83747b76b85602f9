"""TerraClimate and GLDAS of Earth Engine, PRISM and AgERA5 as their providers say; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.product_layers import Layer, assert_reads
from tests.rasters import write_raster
from treeline.toolkit.recognition import describe_name
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


CELSIUS = (11.5, 12.5, -9999)
VALUES = [
    Layer("PRISM_ppt_stable_4kmM3_202106_bil.tif", "float32", CELSIUS, "precipitation", (11.5, 12.5), "mm"),
    Layer(
        "PRISM_tmean_stable_4kmM3_202106_bil.tif",
        "float32",
        CELSIUS,
        "air_temperature",
        (284.65, 285.65),
        "K",
    ),
    Layer(
        "Precipitation-Flux_C3S-glob-agric_AgERA5_20210601_final-v1.1.tif",
        "float32",
        CELSIUS,
        "precipitation",
        (11.5, 12.5),
        "mm/day",
        "2021-06-01",
    ),
    Layer(
        "Temperature-Air-2m-Mean-24h_C3S-glob-agric_AgERA5_20210601_final-v1.1.tif",
        "float32",
        (284.5, 285.5),
        "air_temperature",
        (284.5, 285.5),
        "K",
    ),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


@pytest.mark.parametrize(
    "name",
    [
        "PRISM_tmax_stable_4kmM3_202106_bil.tif",
        "Temperature-Air-2m-Max-24h_C3S-glob-agric_AgERA5_20210601_final-v1.1.tif",
    ],
)
def test_the_highest_temperature_of_a_day_is_not_that_of_the_air(name: str) -> None:
    assert describe_name(name).role is None
