"""Forest, surface water, climate and soil of the world as their providers store them; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.product_layers import Layer, assert_holds, assert_reads
from tests.rasters import write_raster
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.describe import describe

FOREST = "Hansen_GFC-2023-v1.11_{}_50N_010E.tif"
WATER = "{}_10E_50Nv1_4_2021.tif"
VALUES = [
    Layer(
        FOREST.format("treecover2000"), "uint8", (0, 40, 100), "tree_cover", (0, 40, 100), "%", "2000-01-01"
    ),
    Layer(
        "ETH_GlobalCanopyHeight_10m_2020_N48E009_Map.tif",
        "uint8",
        (0, 31, 255),
        "canopy_height",
        (0, 31),
        "m",
        "2020-01-01",
    ),
    Layer(
        "Forest_height_2019_NAM.tif",
        "uint8",
        (3, 25, 101, 102, 103),
        "canopy_height",
        (3, 25),
        "m",
        "2019-01-01",
    ),
    Layer("tree_cover_2020.tif", "uint8", (0, 40, 100), "tree_cover", (0, 40, 100), "%", "2020-01-01"),
    Layer("tree_canopy_cover_pct.tif", "float32", (0.5, 40.25, 99.0), "tree_cover", (0.5, 40.25, 99.0), "%"),
    Layer("Percent_Tree_Cover.tif", "uint8", (7, 40, 80, 200, 253), "tree_cover", (7, 40, 80), "%"),
    Layer("JRC_GSW1_4_occurrence.tif", "uint8", (0, 57, 100, 255), "water_occurrence", (0, 57, 100), "%"),
    Layer("africa_water_occurrence.tif", "uint8", (0, 57, 100), "water_occurrence", (0, 57, 100), "%"),
    Layer(
        "CHIRPS_daily_2021-06-11.tif",
        "float32",
        (0.0, 12.5, -9999),
        "precipitation",
        (0.0, 12.5),
        "mm",
        "2021-06-11",
    ),
    Layer(WATER.format("occurrence"), "uint8", (0, 57, 100, 255), "water_occurrence", (0, 57, 100), "%"),
    Layer("occurrence_10E_50N_v1_1.tif", "uint8", (0, 57, 255), "water_occurrence", (0, 57), "%"),
    Layer(WATER.format("recurrence"), "uint8", (0, 57, 100, 255), "water_recurrence", (0, 57, 100), "%"),
    Layer(WATER.format("seasonality"), "uint8", (0, 3, 12, 255), "water_seasonality", (0, 3, 12), "months"),
    Layer(
        WATER.format("change"),
        "uint8",
        (0, 100, 200, 150, 253, 254, 255),
        "water_occurrence_change",
        (-100, 0, 100, 50),
        "%",
    ),
    Layer(
        "wc2.1_10m_tavg_01.tif", "float32", (-4.5, 12.25, -3.4e38), "air_temperature", (268.65, 285.4), "K"
    ),
    Layer("wc2.1_30s_bio_1.tif", "float32", (-4.5, 12.25, -3.4e38), "air_temperature", (268.65, 285.4), "K"),
    Layer("wc2.1_2.5m_prec_07.tif", "int16", (0, 110, -32768), "precipitation", (0, 110), "mm"),
    Layer("wc2.1_5m_bio_12.tif", "int16", (620, 1110, -32768), "precipitation", (620, 1110), "mm"),
    Layer(
        "wc2.1_cruts4.09_2.5m_prec_2020-03.tif",
        "float32",
        (0.5, 110.0),
        "precipitation",
        (0.5, 110.0),
        "mm",
        "2020-03-01",
    ),
    Layer("wc2.1_5m_elev.tif", "int16", (-28, 410, -32768), "dem", (-28, 410), "m"),
    Layer("phh2o_0-5cm_mean.tif", "int16", (45, 78, -32768), "soil_ph", (4.5, 7.8), "1"),
    Layer("soc_5-15cm_mean_1000.tif", "int16", (120, 900, -32768), "soil_organic_carbon", (12, 90), "g/kg"),
    Layer("clay_0-5cm_mean.tif", "int16", (120, 500, -32768), "clay_content", (12, 50), "%"),
    Layer("sand_0-5cm_mean.tif", "int16", (120, 500, -32768), "sand_content", (12, 50), "%"),
    Layer("silt_0-5cm_mean.tif", "int16", (120, 500, -32768), "silt_content", (12, 50), "%"),
    Layer("cfvo_0-5cm_mean.tif", "int16", (120, 500, -32768), "coarse_fragments", (12, 50), "%"),
    Layer("cec_0-5cm_mean.tif", "int16", (120, 500), "cation_exchange_capacity", (12, 50), "cmol/kg"),
    Layer("bdod_100-200cm_mean.tif", "int16", (120, 150, -32768), "bulk_density", (1.2, 1.5), "kg/dm3"),
    Layer("nitrogen_0-5cm_mean.tif", "int16", (120, 500, -32768), "soil_nitrogen", (1.2, 5), "g/kg"),
    Layer("ocd_0-5cm_mean.tif", "int16", (120, 500, -32768), "organic_carbon_density", (12, 50), "kg/m3"),
    Layer("ocs_0-30cm_mean.tif", "int16", (42, 60, -32768), "organic_carbon_stock", (4.2, 6), "kg/m2"),
    Layer(
        "SMAP_L4_SM_gph_20200601T013000_Vv7032_001_Geophysical_Data_sm_surface_0a1b2c3d.tif",
        "float32",
        (0.25, 0.4, -9999),
        "soil_moisture",
        (0.25, 0.4),
        "m3/m3",
        "2020-06-01",
    ),
    Layer(
        "SMAP_L4_SM_gph_20200601T013000_Vv7032_001_Geophysical_Data_sm_rootzone_0a1b2c3d.tif",
        "float32",
        (0.25, 0.4, -9999),
        "root_zone_soil_moisture",
        (0.25, 0.4),
        "m3/m3",
        "2020-06-01",
    ),
    Layer(
        "SPL3SMP_E.006_Soil_Moisture_Retrieval_Data_AM_soil_moisture_doy2020153000000_aid0001.tif",
        "float32",
        (0.25, 0.4, -9999),
        "soil_moisture",
        (0.25, 0.4),
        "m3/m3",
        "2020-06-01",
    ),
]
CLASSES = [
    Layer(FOREST.format("lossyear"), "uint8", (0, 0, 1, 23), "forest_loss_year", (0, 0, 1, 23)),
    Layer(FOREST.format("gain"), "uint8", (0, 1, 1), "forest_gain", (0, 1, 1)),
    Layer(WATER.format("transitions"), "uint8", (0, 1, 1, 10, 255), "water_transition", (0, 1, 1, 10)),
    Layer(WATER.format("extent"), "uint8", (0, 1, 1, 255), "water_extent", (0, 1, 1)),
]
# The year of a release, and a month of no year.
UNDATED = [
    FOREST.format("lossyear"),
    WATER.format("occurrence"),
    "wc2.1_10m_tavg_01.tif",
    "ocs_0-30cm_mean.tif",
]
# What would be a wrong number under the name of the variable.
OTHERWISE = [
    "SMAP_L3_SM_P_E_20200601_R18290_001_Soil_Moisture_Retrieval_Data_AM_vegetation_water_content_0a1b2c3d.tif",
    "SPL3SMP_E.006_Soil_Moisture_Retrieval_Data_AM_surface_temperature_doy2020153000000_aid0001.tif",
    "wc2.1_10m_bio_5.tif",
    "ETH_GlobalCanopyHeight_10m_2020_N48E009_Map_SD.tif",
    "phh2o_0-5cm_uncertainty.tif",
    FOREST.format("datamask"),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


@pytest.mark.parametrize("layer", CLASSES, ids=str)
def test_classes(tmp_path: Path, layer: Layer) -> None:
    assert_holds(tmp_path, layer)


@pytest.mark.parametrize("name", UNDATED)
def test_a_release_is_no_date(name: str) -> None:
    assert describe_name(name).date is None


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_has_no_variable_has_no_role(name: str) -> None:
    assert describe_name(name).role is None


def test_fractions_of_a_map_of_trees_are_per_cents_and_a_mask_of_trees_is_asked_about(tmp_path: Path) -> None:
    shares = np.array([[0.05, 0.5, 0.85]], dtype="float32")
    band = describe(write_raster(tmp_path / "tree_cover.tif", shares)).bands[0]
    assert (band.role, band.scale, band.unit, band.scale_known) == ("tree_cover", 100.0, "%", True)
    mask = describe(write_raster(tmp_path / "tree_cover_2.tif", np.array([[0, 1, 1]], "uint8"))).bands[0]
    assert not mask.scale_known


@pytest.mark.parametrize(
    "name",
    [
        "ESA_WorldCover_10m_2021_v200_N45E006_S2RGBNIR.tif",
        "ESA_WorldCover_10m_2021_v200_N45E006_SWIR.tif",
        "ESA_WorldCover_10m_2021_v200_N45E006_S1VVVHratio.tif",
        "worldcover_2021_input_quality.tif",
        "treecover_loss_2020.tif",
        "CHIRPS_anomaly_2021_06.tif",
        "precipitation_percent_of_normal_2021.tif",
        "canopy_height_sd.tif",
        "soil_moisture_flag.tif",
        "srtm_water_mask.tif",
        "ndvi_doy_2021.tif",
        "SPL4CMDL.007_GPP_gpp_mean_doy2021152_aid0001.tif",
        "GHS_BUILT_LDS2014_GLOBE_R2018A_54009_250_V2_0.tif",
        "MCD64A1_BurnDate_Uncertainty_2020.tif",
        "ndvi_amplitude_2021.tif",
        "red_edge_ratio.tif",
        "nir_red_ratio_2020.tif",
    ],
)
def test_what_is_made_of_a_variable_has_not_its_role(name: str) -> None:
    assert describe_name(name, [name]).role is None


def test_an_index_of_precipitation_is_none_of_its_depths() -> None:
    assert describe_name("precip_SPI3_2021_06.tif").role == "spi"
