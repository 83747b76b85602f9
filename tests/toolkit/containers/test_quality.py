"""Sentinel-5P: what the manuals advise against by `qa_value` is left out; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.rasters import write_raster
from tests.toolkit.containers.test_swaths import coordinates, track, write
from treeline.toolkit.containers.unpacking import unpack
from treeline.toolkit.recognition.describe import describe

FILL = 9.96921e36
NAME = "S5P_OFFL_L2__{}_20200701T103045_20200701T121215_14070_01_010302_20200703T034512.nc"
LATITUDE, LONGITUDE = track(20, 30)
# In hundredths, as they are stored; 255 is a fill.
QUALITY = np.resize(np.array([0, 40, 50, 51, 70, 75, 76, 100, 255], "uint8"), LATITUDE.shape)


def swath(folder: Path, product: str, name: str, units: str, value: float) -> Path:
    """Write a granule, whose variables have the one time of the file as their first dimension."""
    values = value * np.linspace(1.0, 1.1, LATITUDE.size).reshape(LATITUDE.shape)
    planes = {
        name: (values.astype("float32"), {"units": units, "_FillValue": np.float32(FILL)}),
        "qa_value": (QUALITY, {"scale_factor": np.float32(0.01), "_FillValue": np.uint8(255)}),
        **coordinates(LATITUDE, LONGITUDE),
    }
    inner = {f"PRODUCT/{key}": (plane[None], stated) for key, (plane, stated) in planes.items()}
    return write(folder / NAME.format(product), inner)


@pytest.mark.parametrize(
    ("product", "name", "units", "role", "value", "good"),
    [
        ("NO2___", "nitrogendioxide_tropospheric_column", "mol m-2", "no2_column", 1e-4, (76, 100)),
        (
            "CH4___",
            "methane_mixing_ratio_bias_corrected",
            "1e-9",
            "ch4_fraction",
            1850.0,
            (51, 70, 75, 76, 100),
        ),
        (
            "CO____",
            "carbonmonoxide_total_column_corrected",
            "mol m-2",
            "co_column",
            0.03,
            (51, 70, 75, 76, 100),
        ),
        (
            "HCHO__",
            "formaldehyde_tropospheric_vertical_column",
            "mol m-2",
            "hcho_column",
            1e-4,
            (51, 70, 75, 76, 100),
        ),
        (
            "SO2___",
            "sulfurdioxide_total_vertical_column",
            "mol m-2",
            "so2_column",
            1e-3,
            (51, 70, 75, 76, 100),
        ),
        ("O3____", "ozone_total_vertical_column", "mol m-2", "o3_column", 0.15, (51, 70, 75, 76, 100)),
    ],
)
def test_pixels_of_poor_quality_are_left_out(
    tmp_path: Path, product: str, name: str, units: str, role: str, value: float, good: tuple[int, ...]
) -> None:
    (tmp_path / "out").mkdir()
    unpack(swath(tmp_path, product, name, units, value), tmp_path / "out")
    path = next((tmp_path / "out").glob(f"*{name}*"))
    found = describe(path)
    band = found.bands[0]
    assert (band.role, band.unit) == (role, "ppb" if role == "ch4_fraction" else "mol/m2")
    with rasterio.open(path) as opened, rasterio.open(next((tmp_path / "out").glob("*qa_value*"))) as quality:
        known, marks = opened.read_masks(1) > 0, quality.read(1)
    assert set(np.unique(marks[known])) == set(good)
    assert set(np.unique(marks[~known])).isdisjoint(good)


def test_columns_of_unknown_quality_have_no_role(tmp_path: Path) -> None:
    """Another program wrote them, with clouds or without: `qa_value` is not beside them."""
    values = np.linspace(1e-4, 2e-4, 64, dtype="float32").reshape(8, 8)
    path = tmp_path / "S5P_NO2_20200701.tif"
    found = describe(write_raster(path, values, descriptions=["nitrogendioxide_tropospheric_column"]))
    assert found.bands[0].role is None
    assert any("qa_value" in warning for warning in found.warnings)
