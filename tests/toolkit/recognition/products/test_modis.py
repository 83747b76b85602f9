"""Layers of MODIS as the user guides of collection 6.1 say they are stored; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.product_layers import Layer, assert_holds, assert_reads
from tests.rasters import write_raster
from treeline.toolkit.recognition.describe import describe

VALUES = [
    Layer(
        "MCD19A2.061_Optical_Depth_055_doy2021152_aid0001.tif",
        "int16",
        (120, 300, -28672),
        "aot",
        (0.12, 0.3),
        "1",
        "2021-06-01",
    ),
    Layer(
        "MOD09GA.A2021193.h19v04.061.2021195033012.sur_refl_b01_1.tif",
        "int16",
        (812, 3021, -28672),
        "red",
        (0.0812, 0.3021),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD09A1.061_sur_refl_b02_doy2021193_aid0001.tif",
        "int16",
        (4120, -28672, -100, 16000),
        "nir",
        (0.412, -0.01, 1.6),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD13Q1.061__250m_16_days_NDVI_doy2021193_aid0001.tif",
        "int16",
        (8123, -2000, -3000),
        "ndvi",
        (0.8123, -0.2),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD13Q1.061__250m_16_days_NIR_reflectance_doy2021193_aid0001.tif",
        "int16",
        (3123, -1000),
        "nir",
        (0.3123,),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD13Q1.A2021193.h19v04.061.2021210025514.250m_16_days_MIR_reflectance.tif",
        "int16",
        (1123, -1000),
        "swir2",
        (0.1123,),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD11A1.061_LST_Day_1km_doy2021193_aid0001.tif",
        "uint16",
        (15203, 14901, 0),
        "lst_day",
        (304.06, 298.02),
        "K",
        "2021-07-12",
    ),
    Layer(
        "MOD11A1.061_Emis_31_doy2021193_aid0001.tif",
        "uint8",
        (240, 245, 0),
        "emissivity31",
        (0.97, 0.98),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MCD43A4.061_Nadir_Reflectance_Band2_doy2021193_aid0001.tif",
        "int16",
        (3210, 32767),
        "nir",
        (0.321,),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MCD43A3.061_Albedo_BSA_shortwave_doy2021193_aid0001.tif",
        "int16",
        (151, 203, 32767),
        "albedo",
        (0.151, 0.203),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD10A1.061_NDSI_Snow_Cover_doy2021193_aid0001.tif",
        "uint8",
        (0, 56, 100, 200, 201, 211, 237, 239, 250, 254, 255),
        "ndsi_snow_cover",
        (0, 0.56, 1.0),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD10A1.061_NDSI_Snow_Cover_doy2021193_aid0002.tif",
        "uint8",
        (0, 1, 0, 0, 250),
        "ndsi_snow_cover",
        (0, 0.01, 0, 0),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD10A1.061_Snow_Albedo_Daily_Tile_doy2021193_aid0001.tif",
        "uint8",
        (45, 80, 101, 125, 150, 255),
        "albedo",
        (0.45, 0.8),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD10A1.061_NDSI_doy2021193_aid0001.tif",
        "int16",
        (4500, -3200, -32768),
        "ndsi",
        (0.45, -0.32),
        "1",
        "2021-07-12",
    ),
    Layer(
        "MOD44B.061_Percent_Tree_Cover_doy2021065_aid0001.tif",
        "uint8",
        (45, 80, 200, 253),
        "tree_cover",
        (45, 80),
        "%",
        "2021-03-06",
    ),
]

CLASSES = [
    Layer(
        "MCD12Q1.061_LC_Type1_doy2021001_aid0001.tif",
        "uint8",
        (1, 10, 10, 17, 255),
        "landcover",
        (1, 10, 10, 17),
    ),
    Layer(
        "MCD12Q1.A2021001.h19v04.061.2022146024956.LC_Type1.tif",
        "uint8",
        (1, 10, 10, 17, 255),
        "landcover",
        (1, 10, 10, 17),
    ),
    Layer(
        "MCD64A1.061_Burn_Date_doy2021182_aid0001.tif",
        "int16",
        (0, 0, 185, 201, -1, -2),
        "burn_date",
        (0, 0, 185, 201),
    ),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


@pytest.mark.parametrize("layer", CLASSES, ids=str)
def test_classes(tmp_path: Path, layer: Layer) -> None:
    assert_holds(tmp_path, layer)


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        (np.linspace(0, 1, 64, dtype="float32"), 1.0),
        (np.linspace(0, 87.5, 64, dtype="float32"), 0.01),
        (np.tile([0, 1], 32).astype("float32"), 0.01),
        (np.tile([0, 1], 32).astype("uint8"), 0.01),
    ],
)
def test_fractions_of_snow_were_scaled_and_whole_numbers_were_not(
    tmp_path: Path, values: np.ndarray, scale: float
) -> None:
    path = tmp_path / "MOD10A1.061_NDSI_Snow_Cover_doy2021193_aid0001.tif"
    (band,) = describe(write_raster(path, values.reshape(8, 8))).bands
    assert (band.role, band.scale, band.scale_known) == ("ndsi_snow_cover", scale, True)
