from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.siblings import names_in


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_names_of_the_benchmark(shared: Path) -> None:
    patterns = json.loads((shared / "science" / "sensors.json").read_text())["earth_bench_patterns"]
    expected = {entry["pattern"]: set(entry["roles"]) for entry in patterns}
    dates = {entry["pattern"]: entry["date_rules"] != ["None"] for entry in patterns}
    names, right, dated = 0, 0, 0
    for question in _lines(shared / "earth_bench" / "questions.jsonl"):
        for name in question["files"]:
            facts = describe_name(name, question["files"])
            pattern = re.sub(r"\d", "#", name)
            names += 1
            right += facts.role in expected[pattern]
            dated += (facts.date is not None) == dates[pattern]
    assert names == 7194
    assert right >= 7190
    assert dated >= 7190


def test_broken_download_is_no_raster(shared: Path) -> None:
    assert describe_name("Chicago_2021-04-03_BT10.tif.enp").role is None


def test_product_names_of_the_evidence(shared: Path) -> None:
    products = json.loads((shared / "science" / "sensors.json").read_text())["products"]
    strong = [
        example
        for product in products
        for pattern in product["name_patterns"]
        if "EB" not in pattern["verified"] and "Earth-Bench" not in pattern["note"]
        for example in pattern["examples"]
    ]
    unknown = [name for name in strong if describe_name(name).product is None]
    assert len(strong) > 60
    assert unknown == []


@pytest.mark.parametrize(
    ("name", "role", "sensor", "place"),
    [
        ("LC08_L2SP_047027_20201204_20210313_02_T1_SR_B4.TIF", "red", "Landsat 8-9 OLI/TIRS", "047027"),
        ("LT05_L2SP_047027_20001204_20210313_02_T1_SR_B4.TIF", "nir", "Landsat 4-7 TM/ETM+", "047027"),
        ("LE07_L2SP_021030_20100109_20200911_02_T1_ST_B6.TIF", "lst", "Landsat 4-7 TM/ETM+", "021030"),
        ("T07HFE_20190212T192651_B8A_20m.tif", "nir08", "Sentinel-2 MSI", "07HFE"),
        ("20220119T185709_20220119T185710_T10SFG.B4.tif", "red", "Sentinel-2 MSI", "10SFG"),
        ("S2B_20HMD_20221023_0_L2A/B02.tif", "blue", "Sentinel-2 MSI", "20HMD"),
        ("MCD43A4.A2022073.h28v08.006.2022082044758_B01.TIF", "red", "MODIS", "h28v08"),
        ("MOD13A3.061__1_km_monthly_NDVI_doy2020001_aid0001.tif", "ndvi", "MODIS", ""),
        (
            "GHS_BUILT_V_NRES_E2020_GLOBE_R2023A_54009_100_V1_0_R5_C21.tif",
            "built_volume_nres",
            "GHSL R2023A",
            "R5_C21",
        ),
        ("Los_Angeles_2015_avg_rad_2015-01-01.tif", "ntl_radiance", "VIIRS day/night band", "Los_Angeles"),
        ("Hebei.tif_2021-08-05_0310_Emis31.tif", "emissivity31", "MODIS MOD11/MOD21", "Hebei"),
        (
            "Central-California _2018-01-01_0320_Emis31.tif",
            "emissivity31",
            "MODIS MOD11/MOD21",
            "Central-California",
        ),
        ("Slovenia_S2_L1C_2015-07-11.tif", None, "Sentinel-2 MSI", "Slovenia"),
        ("ndvi_202007.tif", "ndvi", None, ""),
        ("Red Sea_LST_2020-01-02.tif", "lst", None, "Red Sea"),
        ("Green River_2020-01-02.tif", None, None, "Green River"),
    ],
)
def test_role_sensor_and_place(name: str, role: str | None, sensor: str | None, place: str) -> None:
    facts = describe_name(name)
    assert (facts.role, facts.sensor, facts.place) == (role, sensor, place)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("aod_2021-07-12.tif", "aot"),
        ("AOD_550_2021-07-12.tif", "aot"),
        ("aerosol_optical_depth_20210712.tif", "aot"),
        ("AOD_470nm_2021-07-12.tif", None),
        ("AOD_uncertainty_2021-07-12.tif", None),
        ("evapotranspiration_2021-07-12.tif", "evapotranspiration"),
        ("potential_evapotranspiration_2021-07-12.tif", "potential_evapotranspiration"),
        ("reference_evapotranspiration_2021-07-12.tif", None),
        ("evapotranspiration_anomaly_2021-07-12.tif", None),
        ("evapotranspiration_rate_2021-07-12.tif", None),
        ("ECO3ETPTJPL.001_EVAPOTRANSPIRATION_PT_JPL_ETdaily_doy2021193_aid0001.tif", None),
    ],
)
def test_the_plain_words_of_a_variable_are_its_name(name: str, role: str | None) -> None:
    assert describe_name(name).role == role


def test_the_folder_of_a_product_knows_its_baseline() -> None:
    safe = "S2B_MSIL2A_20200914T231559_N0500_R087_T01VCG_20230315T224658.SAFE/GRANULE/L2A/IMG_DATA/R10m"
    facts = describe_name(f"{safe}/T01VCG_20200914T231559_B04_10m.tif")
    assert facts.role == "red"
    assert dict(facts.groups)["baseline"] == "0500"


@pytest.mark.parametrize(
    ("name", "role", "date"),
    [
        ("site/ndvi/20210601.tif", "ndvi", "2021-06-01"),
        ("site/NDVI/2021/06.tif", "ndvi", "2021-06-01"),
        ("LST_project/20210601.tif", None, "2021-06-01"),  # the folder is called like more than a variable
        ("ndvi/stack.tif", None, None),
        ("20210601.tif", None, "2021-06-01"),
        ("subset_S2A_20210601.data/B8.img", "nir", None),
        ("B8.img", None, None),
        (".", None, None),
    ],
)
def test_of_a_date_alone_the_folder_tells_the_variable(name: str, role: str | None, date: str | None) -> None:
    found = describe_name(name)
    assert (found.role, found.date.isoformat()[:10] if found.date else None) == (role, date)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("Lake_NDVI_20210601_20210616.tif", "Lake"),
        ("Lake_NDVI_2021-06-01_to_2021-06-16.tif", "Lake"),
        ("NDVI_20210601_Lake.tif", "Lake"),
    ],
)
def test_the_end_of_a_period_is_no_place(name: str, place: str) -> None:
    assert describe_name(name).place == place


def test_landsat_band_numbers_depend_on_the_generation() -> None:
    assert describe_name("SR_B4_1999-05-01.tif").role == "nir"
    assert describe_name("SR_B4_2019-05-01.tif").role == "red"
    assert describe_name("SR_B4.tif", ["SR_B4.tif", "SR_B6.tif"]).role == "red"
    assert describe_name("SR_B4.tif", ["SR_B4.tif", "ST_B6.tif"]).role == "nir"
    unknown = describe_name("SR_B4.tif")
    assert unknown.role is None
    assert "say the role" in unknown.warnings[0]


def test_siblings_of_the_same_date_tell_aster_from_landsat() -> None:
    both = ["2020_03_24_BT_10.tif", "2020_03_24_BT_12.tif", "2021_03_24_BT_10.tif"]
    assert describe_name(both[0], both).role == "tir10"
    assert describe_name(both[2], both).role == "bt10"


def test_band_10_is_cirrus_beside_sentinel_2_bands() -> None:
    assert describe_name("A_2020-01-02_B10.tif", ["A_2020-01-02_B8A.tif"]).role == "cirrus"
    assert describe_name("A_2020-01-02_B10.tif").role == "bt10"


def test_bare_band_numbers() -> None:
    assert describe_name("A_2020-01-02_b5.tif", ["A_2020-01-02_BT10.tif"]).role == "nir"
    assert describe_name("A_2020-01-02_B5.tif", ["A_2020-01-02_B8A.tif"]).role == "rededge1"
    assert describe_name("A_2020-01-02_B4.tif").role == "red"
    assert describe_name("A_L8_2020-01-02_B5.tif").role == "nir"
    assert describe_name("A_L8_2020-01-02_B05.tif").role == "nir"
    assert describe_name("A_S2_2020-01-02_b04.tif").role == "red"
    alone = describe_name("A_2020-01-02_B5.tif")
    assert alone.role is None and alone.warnings
    assert describe_name("Taklimakan_2020-01-02_b03.tif").confidence < 0.6


def test_first_days_of_a_series_mean_the_month() -> None:
    months = [f"A_MaxFRP_2020-{month:02d}-01.tif" for month in range(1, 7)]
    assert describe_name(months[0], months).date_precision == "month"
    assert describe_name(months[0]).date_precision == "day"
    assert describe_name(months[0], [*months, "A_MaxFRP_2020-01-09.tif"]).date_precision == "day"
    years = [f"A_NDVI_{year}-01-01.tif" for year in (2001, 2002, 2003)]
    assert describe_name(years[0], years).date_precision == "year"


def test_monthly_products_need_no_series() -> None:
    assert describe_name("London_avg_rad_2016-03-01.tif").date_precision == "month"
    assert describe_name("Bhutan_avg_rad.tif_2024-06-04.tif").date_precision == "day"


def test_pictures() -> None:
    assert describe_name("area_A_time_pre.png").role == "rgb_pre"
    assert describe_name("area_A_time_post.png").place == "area_A"
    fire = describe_name("santa-rosa-wildfire_00000131_post_disaster.png")
    assert (fire.role, fire.date) == ("rgb_post", None)
    assert describe_name("332520_3932944_2048_32617_sport_soccer.jpg").date is None
    assert describe_name("anything.jpeg").role == "rgb"


def test_a_scale_is_told_where_the_name_implies_one() -> None:
    facts = describe_name("lakeUrmia_sur_refl_b01.tif_2022-01-01.tif")
    assert (facts.role, facts.scale, facts.offset) == ("red", 0.0001, 0.0)
    assert facts.date == datetime(2022, 1, 1)
    # Only the processing baseline or the pixels know whether a Sentinel-2 band has an offset.
    assert describe_name("A_2020-01-02_B04.tif").offset is None


def test_parts_of_a_large_export_are_tiles_of_one_place() -> None:
    parts = ("0000000000-0000013568", "0000000000-0000027136")
    named = [describe_name(f"Chittoor_Sentinel2_2016-{part}.tif") for part in parts]
    assert [facts.place for facts in named] == [f"Chittoor {part}" for part in parts]
    assert {facts.date for facts in named} == {datetime(2016, 1, 1)}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("soil_moisture_2020.tif", "soil_moisture"),
        ("Geländemodell_DGM10.tif", "dem"),
        ("MNT_25m.tif", "dem"),
        ("MDT05_0624.tif", "dem"),
        ("Niederschlag_2021_06.tif", "precipitation"),
        ("precipitación_2021_03.tif", "precipitation"),
        ("declividade.tif", None),
        ("uso_do_solo_2020.tif", "landcover"),
        ("classification_2021.tif", "landcover"),
        ("classification_probability_2021.tif", None),
        ("soil_moisture_0-7cm.tif", "soil_moisture"),
        ("rootzone_soil_moisture_2020-01-01.tif", "root_zone_soil_moisture"),
        ("soil_moisture_root_zone.tif", "root_zone_soil_moisture"),
        ("sm_profile.tif", "profile_soil_moisture"),
        ("swvl1.tif", "soil_moisture"),
        ("swvl3_2020.tif", "soil_moisture_layer_3"),
        ("soil_moisture_layer_2.tif", "soil_moisture_layer_2"),
        ("Ebro_volumetric_soil_water_layer_4_202007.tif", "soil_moisture_layer_4"),
        ("soil_moisture_28-100cm.tif", None),
        ("soil_moisture_std.tif", None),
        ("sm_rootzone_std.tif", None),
    ],
)
def test_depths_of_soil_moisture_are_told_apart(name: str, role: str | None) -> None:
    assert describe_name(name).role == role


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("NDVI_2020-01-01.tif", "ndvi"),
        ("NDVI_max_2020.tif", "ndvi"),
        ("exchange_ndvi_2020.tif", "ndvi"),
        ("plot_d_ndvi_2020.tif", "ndvi"),
        ("ndvi_anomaly_2020.tif", None),
        ("NDVI_trend_2016_2020.tif", None),
        ("NDVI_S2_zscore_2020.tif", None),
        ("dNDVI_2020.tif", None),
        ("delta_ndvi.tif", None),
        ("change_in_LST.tif", None),
        ("LST_diff_2020.tif", None),
        ("temperature_2m_anomaly.tif", None),
        ("slope_dem.tif", None),
        ("slope.tif", None),
        ("VV_coherence_20210701_20210713.tif", None),
        ("std_VH_2021.tif", None),
        ("red_count_2021.tif", None),
        ("population_change_2020.tif", None),
        ("landcover_probability_2020.tif", None),
        ("VH_VV_ratio_2021.tif", None),
        ("landcover_classes_2020.tif", "landcover"),
        ("canopy_height_above_ground_2020.tif", "canopy_height"),
        ("250m_16_days_NDVI_2020.tif", "ndvi"),
        ("population_count_2020.tif", "population"),
        ("dem_hillshade.tif", "hillshade"),
    ],
)
def test_what_was_made_of_a_variable_is_not_the_variable(name: str, role: str | None) -> None:
    facts = describe_name(name)
    assert facts.role == role
    assert bool(facts.warnings) == (role is None)


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("NLCD_2019_Land_Cover_L48_20210604.tif", "2019-01-01T00:00:00"),
        ("LC81910282013166LGN00_B4.TIF", "2013-06-15T00:00:00"),
        ("ESACCI-SOILMOISTURE-L3S-SSMS-ACTIVE-20200101000000-fv07.1.tif", "2020-01-01T00:00:00"),
        ("c_gls_LST_202006201200_GLOBE_GEO_V2.0.1.tif", "2020-06-20T12:00:00"),
        (
            "SVDNB_npp_20200101-20200131_75N060W_vcmslcfg_v10_c202002111500.avg_rade9h.tif",
            "2020-01-01T00:00:00",
        ),
    ],
)
def test_the_day_of_a_release_is_not_that_of_the_data(name: str, date: str) -> None:
    facts = describe_name(name)
    assert facts.date is not None and facts.date.isoformat() == date


def test_a_scene_id_of_before_the_collections_tells_the_satellite() -> None:
    assert describe_name("LC81910282013166LGN00_B5.TIF").role == "nir"
    assert describe_name("LE71910282003166ASN00_B5.TIF").role == "swir1"
    theia = describe_name("SENTINEL2A_20200615-101030-461_L2A_T33TVM_C_V2-2_FRE_B8.tif")
    assert (theia.role, theia.place, theia.encoding) == ("nir", "33TVM", "theia_reflectance")


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("dNBR_2020.tif", "dnbr"),
        ("RdNBR_2020.tif", "rdnbr"),
        ("slope_degrees.tif", "terrain_slope"),
        ("terrain_slope_pct.tif", "terrain_slope_percent"),
        ("aspect.tif", "terrain_aspect"),
        ("Valley_hillshade.tif", "hillshade"),
    ],
)
def test_what_is_made_of_heights_and_of_two_dates_has_a_role_of_its_own(name: str, role: str) -> None:
    assert describe_name(name).role == role


def test_names_of_an_upload_are_looked_up_as_plain_ones() -> None:
    names = names_in(f"NDVI_2021-06-{day:02}.tif" for day in range(1, 31))
    assert names_in(names) is names and {tuple(names): 1}[names] == 1
    assert describe_name(names[0], names) == describe_name(names[0], list(names))


@pytest.mark.parametrize("name", ["{}_clip", "clip_{}", "{} (1)", "{}_mosaic_utm32", "{}-cropped"])
@pytest.mark.parametrize(
    ("product", "role", "encoding"),
    [
        ("chirps-v2.0.2021.07", "precipitation", "chirps_depth"),
        ("ESA_WorldCover_10m_2021_v200_N00E009_Map", "landcover", "land_cover"),
        ("MOD09GA.A2021193.h18v04.061.2021195031417.sur_refl_b01_1", "red", "modis_reflectance"),
        ("CHELSA_tas_07_2010_V.2.1", "air_temperature", "kelvin_in_tenths"),
    ],
)
def test_a_product_that_is_cut_out_is_still_the_product_at_a_place_of_its_own(name, product, role, encoding):
    whole, cut = describe_name(f"{product}.tif"), describe_name(f"{name.format(product)}.tif")
    assert (cut.role, cut.encoding, cut.date) == (role, encoding, whole.date)
    assert cut.place != whole.place


def test_what_is_added_to_a_name_and_changes_its_values_makes_it_another():
    assert describe_name("ESA_WorldCover_10m_2021_v200_N00E009_Map_reclassified.tif").product is None
