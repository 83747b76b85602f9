"""User guides of VNP09, VNP10, VNP13, VNP15, VNP21, VNP43, VNP46 and VNP64; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.product_layers import Layer, assert_holds, assert_reads
from tests.rasters import write_raster
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.describe import describe

VALUES = [
    Layer(
        "VNP09GA.002_SurfReflect_I1_1_doy2021193_aid0001.tif",
        "int16",
        (812, -28672),
        "red",
        (0.0812,),
        "1",
        "2021-07-12",
    ),
    Layer(
        "VNP09GA.002_SurfReflect_M7_1_doy2021193_aid0001.tif",
        "int16",
        (3812, -28672),
        "nir",
        (0.3812,),
        "1",
        "2021-07-12",
    ),
    Layer(
        "VNP13A1.002__500_m_16_days_NDVI_doy2021193_aid0001.tif",
        "int16",
        (7123, -15000, -13000),
        "ndvi",
        (0.7123,),
        "1",
        "2021-07-12",
    ),
    Layer(
        "VNP15A2H.002_Fpar_doy2021193_aid0001.tif",
        "uint8",
        (35, 90, 255),
        "fpar",
        (0.35, 0.9),
        "1",
        "2021-07-12",
    ),
    Layer(
        "VNP21A1D.002_LST_1KM_doy2021193_aid0001.tif",
        "uint16",
        (15203, 0),
        "lst_day",
        (304.06,),
        "K",
        "2021-07-12",
    ),
    Layer(
        "VNP21A1N.A2021193.h18v04.002.2025100123456.LST_1KM.tif",
        "uint16",
        (14203, 0),
        "lst_night",
        (284.06,),
        "K",
        "2021-07-12",
    ),
    Layer(
        "VNP21A2.002_LST_Night_1KM_doy2021193_aid0001.tif",
        "uint16",
        (14203, 0),
        "lst_night",
        (284.06,),
        "K",
        "2021-07-12",
    ),
    Layer(
        "VNP43MA4.002_Nadir_Reflectance_M5_doy2021193_aid0001.tif",
        "int16",
        (812, 32767),
        "red",
        (0.0812,),
        "1",
        "2021-07-12",
    ),
    Layer(
        "VNP43IA3.002_Albedo_WSA_shortwave_doy2021193_aid0001.tif",
        "int16",
        (151, 203, 32767),
        "albedo",
        (0.151, 0.203),
        "1",
        "2021-07-12",
    ),
    Layer(
        "VNP10A1.002_NDSI_Snow_Cover_doy2021193_aid0001.tif",
        "uint8",
        (0, 56, 100, 211, 250, 255),
        "ndsi_snow_cover",
        (0, 0.56, 1.0),
        "1",
        "2021-07-12",
    ),
    Layer(
        "VNP46A2.002_DNB_BRDF-Corrected_NTL_doy2021193_aid0001.tif",
        "uint16",
        (123, 4021, 65535),
        "ntl_radiance",
        (12.3, 402.1),
        "nW/cm2/sr",
        "2021-07-12",
    ),
]

CLASSES = [
    Layer(
        "VNP64A1.002_Burn_Date_doy2021182_aid0001.tif", "int16", (0, 0, 185, -1, -2), "burn_date", (0, 0, 185)
    ),
    Layer("MCD64A1_BurnDate_2020-07-01.tif", "int16", (0, 185, 366, -1, -2), "burn_date", (0, 185, 366)),
    Layer(
        "MCD64monthly.A2020183.Win08.061.burndate.tif", "int16", (0, 0, 185, -1, -2), "burn_date", (0, 0, 185)
    ),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


@pytest.mark.parametrize("layer", CLASSES, ids=str)
def test_classes(tmp_path: Path, layer: Layer) -> None:
    assert_holds(tmp_path, layer)


def test_ranks_of_the_vegetation_index_are_not_those_of_modis(tmp_path: Path) -> None:
    names = {
        "VNP13A1.002__500_m_16_days_pixel_reliability_doy2021193_aid0001.tif": "vi_rank",
        "VIIRS_pixel_reliability_2021-07-12.tif": "vi_rank",
        "MOD13Q1.061__250m_16_days_pixel_reliability_doy2021193_aid0001.tif": "vi_reliability",
        "pixel_reliability_2021-07-12.tif": "vi_reliability",
    }
    assert {name: describe_name(name, [name]).role for name in names} == names
    stacked = write_raster(tmp_path / "VNP13A1_2021_07_12.tif", np.array([[0, 9]], "int8"))
    with rasterio.open(stacked, "r+") as dataset:
        dataset.set_band_description(1, "pixel_reliability")
    assert describe(stacked).bands[0].role == "vi_rank"
