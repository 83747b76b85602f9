"""Files named and stored as their providers' published specifications say; not tried on real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.errors import ScaleUnknown
from treeline.toolkit.recognition import FileResolver, describe_name
from treeline.toolkit.recognition.describe import describe

# NASA LP DAAC, Harmonized Landsat Sentinel-2 Product User Guide, product version 2.0, tables of bands.
HLS = "HLS.{}.T33UXP.2021193T100031.v2.0.{}.tif"
L30 = {
    "B01": "coastal",
    "B02": "blue",
    "B03": "green",
    "B04": "red",
    "B05": "nir",
    "B06": "swir1",
    "B07": "swir2",
    "B09": "cirrus",
    "B10": "bt10",
    "B11": "bt11",
    "Fmask": "fmask",
}
S30 = {
    "B01": "coastal",
    "B02": "blue",
    "B03": "green",
    "B04": "red",
    "B05": "rededge1",
    "B06": "rededge2",
    "B07": "rededge3",
    "B08": "nir_broad",
    "B8A": "nir",
    "B09": "nir09",
    "B10": "cirrus",
    "B11": "swir1",
    "B12": "swir2",
    "Fmask": "fmask",
}


@pytest.mark.parametrize(
    ("kind", "band", "role"),
    [*(("L30", *entry) for entry in L30.items()), *(("S30", *entry) for entry in S30.items())],
)
def test_bands_of_hls(kind: str, band: str, role: str) -> None:
    facts = describe_name(HLS.format(kind, band))
    assert (facts.role, facts.product, facts.place) == (role, "hls", "33UXP")
    assert facts.date is not None and (facts.date.year, facts.date.month, facts.date.day) == (2021, 7, 12)
    assert facts.sensor == ("HLS Landsat 8-9 OLI/TIRS" if kind == "L30" else "HLS Sentinel-2 MSI")
    short = describe_name(f"HLS{kind}.020_{band}_doy2021193_aid0001.tif")
    assert (short.role, short.product) == (role, "hls")


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("HLS_L30_2021-07-12_B05.tif", "nir"),
        ("HLSL30_2021-07-12_B10.tif", "bt10"),
        ("HLSL30_2021-07-12_B11.tif", "bt11"),
        ("HLS_S30_2021-07-12_B05.tif", "rededge1"),
        ("HLS_S30_2021-07-12_B11.tif", "swir1"),
        ("HLS_L30_2021-07-12_Fmask.tif", "fmask"),
    ],
)
def test_names_that_only_hold_the_word(name: str, role: str) -> None:
    assert describe_name(name).role == role


def test_values_of_hls(tmp_path: Path) -> None:
    stored = np.array([[-9999, 1200], [3400, -50]], dtype="int16")
    write_raster(tmp_path / HLS.format("L30", "B05"), stored)
    kelvin = np.array([[-9999, 2150], [3010, -120]], dtype="int16")
    write_raster(tmp_path / HLS.format("L30", "B10"), kelvin)
    place = Workplace(tmp_path, FileResolver(tmp_path))
    means = place.run("calc_batch_image_mean", file_list=[HLS.format("L30", "B05"), HLS.format("L30", "B10")])
    np.testing.assert_allclose(means[0], np.mean([0.12, 0.34, -0.005]), rtol=1e-6)
    np.testing.assert_allclose(means[1], 273.15 + np.mean([21.5, 30.1, -1.2]), rtol=1e-6)


def test_a_tag_of_scale_leaves_the_offset_to_the_product(tmp_path: Path) -> None:
    celsius = np.array([[-9999, 2150], [3010, -120]], dtype="int16")
    thermal = describe(write_raster(tmp_path / HLS.format("L30", "B10"), celsius, scale=0.01))
    assert thermal.bands[0].physical(2150) == pytest.approx(273.15 + 21.5)
    named = "S2A_MSIL2A_20220715T100611_N0400_R022_T33TWM_20220715T162205_B04.tif"
    stored = np.full((8, 8), 2000, "uint16")
    assert describe(write_raster(tmp_path / named, stored, scale=1e-4)).bands[0].offset == pytest.approx(-0.1)
    unknown = describe(write_raster(tmp_path / "T33TWM_20220715T100611_B04_10m.tif", stored, scale=1e-4))
    assert not unknown.bands[0].scale_known and not unknown.bands[0].proportional


@pytest.mark.parametrize(("kind", "largest"), [("uint16", 65535), ("uint8", 255), ("float32", 1)])
def test_raw_downloads_of_a_browser_fill_the_range_of_their_type(
    tmp_path: Path, kind: str, largest: float
) -> None:
    name = "2021-06-01-00_00_2021-06-01-23_59_Sentinel-2_L2A_B04_(Raw).tiff"
    found = describe(write_raster(tmp_path / name, np.full((8, 8), 0.2 * largest, kind))).bands[0]
    assert (found.role, found.scale_known) == ("red", True)
    assert found.physical(0.2 * largest) == pytest.approx(0.2)


def test_flags_of_hls(tmp_path: Path) -> None:
    # Bit 1 cloud, 2 adjacent, 3 shadow, 4 snow, 5 water, 6 and 7 aerosol; 255 fill.
    flags = np.array([[0b10, 0b100, 0b1000, 0b10000], [0b100000, 0b11000000, 0b1, 255]], dtype="uint8")
    write_raster(tmp_path / HLS.format("S30", "Fmask"), flags)
    write_raster(tmp_path / HLS.format("S30", "B04"), np.full((2, 4), 1000, "int16"))
    place = Workplace(tmp_path, FileResolver(tmp_path))
    place.run(
        "apply_cloud_mask",
        sr_band_path=HLS.format("S30", "B04"),
        qa_pixel_path=HLS.format("S30", "Fmask"),
        output_path="clear.tif",
    )
    seen = np.isfinite(place.read("clear.tif"))
    assert seen.tolist() == [[False, False, False, True], [True, True, True, False]]


# USGS, Landsat Collection 1 product guides (LSDS-1368, Landsat 8; LSDS-1370, Landsat 4-7): bands.
@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("LC08_L1TP_190028_20170712_20170726_01_T1_sr_band5.tif", "nir"),
        ("LT05_L1TP_190028_20100712_20161015_01_T1_sr_band4.tif", "nir"),
        ("site_2017-07-12_sr_band5.tif", None),
        # Earth Engine catalogue: bands of MCD12Q1 and of Global Forest Change
        ("MCD12Q1_2020_01_01_LC_Type1.tif", "landcover"),
        ("hansen_treecover2000.tif", "tree_cover"),
        ("hansen_lossyear.tif", "forest_loss_year"),
        ("MCD43A4_2020_07_11_Nadir_Reflectance_Band2.tif", "nir"),
        ("MOD16A2_2020_07_11_ET.tif", "evapotranspiration"),
        ("MOD16A2_2020_07_11_PET.tif", "potential_evapotranspiration"),
        ("basin_ET_2020.tif", None),
        ("foret_et_eau_NDVI_2020.tif", "ndvi"),
        ("MOD44B_2020_Percent_Tree_Cover.tif", "tree_cover"),
        ("MOD10A1_2020_01_11_NDSI_Snow_Cover.tif", "ndsi_snow_cover"),
        ("lc_discrete_classification_2019.tif", "landcover"),
        ("DW_mode_2022.tif", None),  # of one or ten bands, which their descriptions tell
        ("DW_NDVI_2022.tif", "ndvi"),
        ("ESA_WorldCover_2021.tif", "landcover"),
        ("NLCD_2021.tif", None),
        # WorldPop and Oak Ridge National Laboratory, names of their files
        ("svn_pop_2020_CN_100m_R2025A_v1.tif", "population"),
        ("landscan-global-2022.tif", "population"),
        ("landscan-global-2022-colorized.tif", None),
    ],
)
def test_names_of_bands_and_maps(name: str, role: str | None) -> None:
    assert describe_name(name).role == role


def test_values_of_landsat_collection_1(tmp_path: Path) -> None:
    stored = np.array([[-9999, 500], [900, 20000]], "int16")
    name = "LC08_L1TP_190028_20170712_20170726_01_T1_sr_band4.tif"
    band = describe(write_raster(tmp_path / name, stored)).bands[0]
    assert (band.scale, band.offset, band.fill, band.valid) == (0.0001, 0.0, (-9999,), (-2000, 16000))


# ESA, Sentinel-2 Products Specification Document: bit 10 opaque, bit 11 cirrus; QA60 in Earth Engine.
@pytest.mark.parametrize(
    "name",
    [
        "QA60.tif",
        "S2_2021-07-12_QA60.tif",
        "20210712_QA60.tif",
        "site_QA60_2021-07-12.tif",
        "site.QA60.tif",
        "20210712T100031_20210712T100028_T33UXP.QA60.tif",
        "site_qa60.tif",
        "S2A_QA_60.tif",
    ],
)
def test_names_of_qa60(tmp_path: Path, name: str) -> None:
    assert describe_name(name).role == "qa60"
    write_raster(tmp_path / name, np.array([[0, 1024, 2048, 3072]], dtype="uint16"))
    write_raster(tmp_path / "a_red.tif", np.full((1, 4), 0.2, "float32"), descriptions=["red"])
    place = Workplace(tmp_path, FileResolver(tmp_path))
    place.run("apply_cloud_mask", sr_band_path="a_red.tif", qa_pixel_path=name, output_path="clear.tif")
    assert np.isfinite(place.read("clear.tif")).tolist() == [[True, False, False, False]]
    assert not place.context.doubts


def test_flags_that_nobody_names_are_doubted(tmp_path: Path) -> None:
    write_raster(tmp_path / "flags.tif", np.array([[0, 8]], dtype="uint16"))
    write_raster(tmp_path / "a_red.tif", np.full((1, 2), 0.2, "float32"), descriptions=["red"])
    place = Workplace(tmp_path, FileResolver(tmp_path))
    place.run(
        "apply_cloud_mask", sr_band_path="a_red.tif", qa_pixel_path="flags.tif", output_path="clear.tif"
    )
    assert any("which quality flags" in doubt for doubt in place.context.doubts)


# Vermote et al. 2015, MODIS Surface Reflectance User's Guide, collection 6: grids of MOD09GA end in _1.
@pytest.mark.parametrize(
    ("layer", "role"),
    [
        ("sur_refl_b01_1", "red"),
        ("sur_refl_b02_1", "nir"),
        ("sur_refl_b03_1", "blue"),
        ("sur_refl_b06_1", "swir1"),
        ("state_1km_1", "state_1km"),
    ],
)
def test_layers_of_the_daily_reflectance(layer: str, role: str) -> None:
    for name in (
        f"MOD09GA.061_{layer}_doy2021193_aid0001.tif",
        f"MOD09GA.A2021193.h18v04.061.2021195025541.{layer}.tif",
        f"site_2021-07-12_{layer}.tif",
    ):
        assert describe_name(name).role == role, name


# User guides of MOD15A2H (Myneni), MOD16A2 (Running) and MOD17A3HGF (Running), collection 6.1.
@pytest.mark.parametrize(
    ("name", "dtype", "stored", "role", "values"),
    [
        ("MOD15A2H.061_Lai_500m_doy2021193_aid0001.tif", "uint8", [35, 100, 249, 255], "lai", [3.5, 10]),
        ("MCD15A3H.061_Fpar_500m_doy2021193_aid0001.tif", "uint8", [35, 90, 254], "fpar", [0.35, 0.9]),
        ("VNP15A2H.002_Lai_doy2021193_aid0001.tif", "uint8", [35, 60, 251], "lai", [3.5, 6.0]),
        ("MOD17A3HGF.061_Npp_500m_doy2021001_aid0001.tif", "int16", [5123, 32761, 32767], "npp", [0.5123]),
        ("MOD17A2H.061_Gpp_500m_doy2021193_aid0001.tif", "int16", [412, 32766], "gpp", [0.0412]),
        ("MOD16A2.061_ET_500m_doy2021193_aid0001.tif", "int16", [231, 32765], "evapotranspiration", [23.1]),
        (
            "MOD16A3GF.061_ET_500m_doy2021001_aid0001.tif",
            "uint16",
            [32765, 65535],
            "evapotranspiration",
            [3276.5],
        ),
        (
            "MOD16A2.061_PET_500m_doy2021193_aid0001.tif",
            "int16",
            [450, 32761],
            "potential_evapotranspiration",
            [45.0],
        ),
        ("site_2021-07-12_Lai_500m.tif", "uint8", [35, 60, 253], "lai", [3.5, 6.0]),
    ],
)
def test_land_products_of_modis(
    tmp_path: Path, name: str, dtype: str, stored: list[int], role: str, values: list[float]
) -> None:
    write_raster(tmp_path / name, np.array([stored], dtype=dtype))
    found = describe(tmp_path / name)
    assert found.bands[0].role == role
    place = Workplace(tmp_path, FileResolver(tmp_path))
    (mean,) = place.run("calc_batch_image_mean", file_list=[name])
    np.testing.assert_allclose(mean, np.mean(values), rtol=1e-6)


# Planet Imagery Product Specifications, SuperDove (PSB.SD): 443, 490, 531, 565, 610, 665, 705, 865 nm.
def test_bands_of_planetscope(tmp_path: Path) -> None:
    path = tmp_path / "20210712_100031_12_2416_3B_AnalyticMS_SR_8b.tif"
    write_raster(path, np.full((8, 4, 4), 1500, "uint16"))
    roles = [band.role for band in describe(path).bands]
    assert roles == ["coastal", "blue", "green1", "green", "yellow", "red", "rededge1", "nir"]
    named = tmp_path / "20210713_100031_12_2416_3B_AnalyticMS_SR_8b.tif"
    texts = ("coastal_blue", "blue", "green_i", "green", "yellow", "red", "rededge", "nir")
    write_raster(named, np.full((8, 4, 4), 1500, "uint16"), descriptions=texts)
    assert [band.role for band in describe(named).bands] == roles


# ESA, Sentinel-1 Product Specification: GRD holds detected amplitudes as unsigned 16-bit numbers.
@pytest.mark.parametrize("tool", ["flood_mask", "linear_to_decibel", "decibel_to_linear"])
@pytest.mark.parametrize("highest", [2, 400])
def test_amplitudes_of_sentinel_1_are_no_backscatter(tmp_path: Path, tool: str, highest: int) -> None:
    moment = "20200701t050000"
    name = f"s1a-iw-grd-vv-{moment}-{moment}-033000-03d000-001.tiff"
    write_raster(tmp_path / name, np.random.default_rng(2).integers(0, highest, (64, 64)).astype("uint16"))
    place = Workplace(tmp_path, FileResolver(tmp_path))
    path = "backscatter_path" if tool == "flood_mask" else "input_path"
    with pytest.raises(ScaleUnknown, match="which nobody has calibrated"):
        place.run(tool, **{path: name, "output_path": "out.tif"})


# ESA, Sentinel-2 Products Specification: QI_DATA holds masks whose names tell neither tile nor date.
def test_a_mask_without_a_date_is_of_the_only_scene_beside_it(tmp_path: Path) -> None:
    scene = "S2A_MSIL2A_20200701T100031_N0214_R122_T33TWM_20200701T120000_{}.tif"
    names = [scene.format("B04"), scene.format("B08"), "MSK_QA60.tif", "dem.tif"]
    paths = [write_raster(tmp_path / name, np.full((4, 4), 1024, "uint16")) for name in names]
    assert str(describe(paths[2], paths).date) == "2020-07-01 10:00:31"
    assert describe(paths[3], paths).date is None
    other = write_raster(
        tmp_path / scene.format("B04").replace("20200701T10", "20200711T10"), np.ones((4, 4))
    )
    assert describe(paths[2], [*paths, other]).date is None


def test_no_statistic_is_made_of_amplitudes(tmp_path: Path) -> None:
    name = "S1A_IW_GRDH_1SDV_20220715T165015_20220715T165040_044111_0543A9_VV.tif"
    write_raster(tmp_path / name, np.arange(20, 420, dtype="uint16").reshape(20, 20))
    with pytest.raises(ScaleUnknown, match="that nobody has calibrated") as raised:
        Workplace(tmp_path, FileResolver(tmp_path)).run("calc_batch_image_mean", file_list=[name])
    assert "calibrate_sentinel1" in str(raised.value)


# JAXA, Global PALSAR-2/PALSAR Mosaic and Forest/Non-Forest Map, dataset description.
def test_amplitudes_of_palsar_are_told_with_their_own_calibration(tmp_path: Path) -> None:
    name = "N46E014_20_sl_HH_F02DAR.tif"
    write_raster(tmp_path / name, np.arange(3000, 3400, dtype="uint16").reshape(20, 20))
    with pytest.raises(ScaleUnknown, match=r"gamma0 in dB is 20 log10\(DN\) - 83"):
        Workplace(tmp_path, FileResolver(tmp_path)).run("calc_batch_image_mean", file_list=[name])


# USGS Landsat 8-9 Collection 2 Level 2 Data Format Control Book, bands of the surface temperature product.
@pytest.mark.parametrize(
    ("band", "stored", "role", "physical"),
    [("ST_QA", 250, "lst_uncertainty", 2.5), ("ST_EMIS", 9730, "emissivity", 0.973)],
)
def test_what_comes_with_the_temperature_of_landsat(
    tmp_path: Path, band: str, stored: int, role: str, physical: float
) -> None:
    name = f"LC08_L2SP_191028_20210601_20210610_02_T1_{band}.TIF"
    values = np.array([[-9999, stored], [stored, stored]], dtype="int16")
    (found,) = describe(write_raster(tmp_path / name, values)).bands
    assert (found.role, found.fill) == (role, (-9999.0,))
    assert found.physical(stored) == pytest.approx(physical)


# Planet Basemaps Product Specification; Earth Engine catalogue (VNP09GA, FLDAS, DYNAMICWORLD); ids of
# PlanetScope with one digit of the second's fraction; names of downloads from OpenTopography.
@pytest.mark.parametrize(
    ("name", "bands", "kind", "roles", "scale"),
    [
        (
            "planet_medres_normalized_analytic_2021-07_mosaic_L15-1234E-1123N.tif",
            [""] * 5,
            "uint16",
            ["blue", "green", "red", "nir", None],
            1e-4,
        ),
        ("VNP09GA_20210712.tif", ["I1", "I2"], "int16", ["red", "nir"], 1e-4),
        ("FLDAS_NOAH01_202107.tif", ["SoilMoi00_10cm_tavg"], "float32", ["soil_moisture"], 1.0),
        ("DYNAMICWORLD_V1_20210712.tif", ["label"], "uint8", ["landcover"], 1.0),
        (
            "20210712_101010_1_0f22_3B_AnalyticMS_SR.tif",
            [""] * 4,
            "uint16",
            ["blue", "green", "red", "nir"],
            1e-4,
        ),
        ("output_COP30.tif", [""], "float32", ["dem"], 1.0),
    ],
)
def test_bands_of_names_as_they_are_downloaded(
    tmp_path: Path, name: str, bands: list[str], kind: str, roles: list[str | None], scale: float
) -> None:
    values = np.linspace(0.1, 0.4, 64).reshape(8, 8) if kind == "float32" else np.arange(64).reshape(8, 8) * 3
    stack = np.stack([values.astype(kind)] * len(bands))
    found = describe(write_raster(tmp_path / name, stack, descriptions=bands))
    assert [band.role for band in found.bands] == roles
    assert {band.scale for band in found.bands if band.role} == {scale}
