"""Climate, gases and sea as TerraClimate, CHELSA, TROPOMI and others store them; not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.product_layers import Layer, assert_reads
from tests.rasters import write_raster
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.describe import describe

CMIP = "{}_{}_MPI-ESM1-2-HR_historical_r1i1p1f1_gn_{}.tif"
TROPOMI = "S5P_OFFL_L3_NO2_20210601.tif"


@pytest.mark.parametrize(
    ("file", "band", "stored", "role", "physical"),
    [
        ("TerraClimate_2021_07.tif", "pr", 57, "precipitation", 57.0),
        ("basin_TerraClimate_202107.tif", "aet", 823, "evapotranspiration", 82.3),
        ("TerraClimate_2021_07.tif", "tmmx", 291, "air_temperature_maximum", 302.25),
        ("TerraClimate_2021_07.tif", "tmmn", 104, "air_temperature_minimum", 283.55),
        ("TerraClimate_2021_07.tif", "pdsi", -250, "pdsi", -2.5),
        ("TerraClimate_2021_07.tif", "vpd", 131, "vapour_pressure_deficit", 1.31),
        ("TerraClimate_2021_07.tif", "soil", 912, "soil_water_storage", 91.2),
        ("TerraClimate_2021_07.tif", "def", 823, None, None),
        ("GLDAS_20210701.tif", "AvgSurfT_inst", 301.5, "lst", 301.5),
        ("GLDAS_20210701.tif", "Tair_f_inst", 291.5, "air_temperature", 291.5),
        ("GLDAS_20210701.tif", "SoilMoi0_10cm_inst", 25.0, "soil_moisture", 0.25),
        ("GLDAS_20210701.tif", "Rainf_tavg", 2.5e-5, None, None),
        ("gridmet_20210712.tif", "pr", 12.5, "precipitation", 12.5),
        ("gridmet_20210712.tif", "tmmx", 301.5, "air_temperature_maximum", 301.5),
        ("OpenET_2021_07.tif", "et_ensemble_mad", 112.5, "evapotranspiration", 112.5),
        ("Daymet_20210601.tif", "prcp", 12.5, "precipitation", 12.5),
        ("Daymet_20210601.tif", "tmax", 22.5, "air_temperature_maximum", 295.65),
        ("DAYMET.004_prcp_doy2021152000000_aid0001.tif", "", 12.5, "precipitation", 12.5),
        (CMIP.format("pr", "Amon", "185001-201412"), "", 3e-5, "precipitation", 2.592),
        (CMIP.format("tas", "day", "20500101-20501231"), "", 288.5, "air_temperature", 288.5),
        (CMIP.format("tasmax", "day", "20500101-20501231"), "", 288.5, "air_temperature_maximum", 288.5),
        ("CFSR_20210601.tif", "Temperature_surface", 301.5, "lst", 301.5),
        ("CFSV2_20210601.tif", "Temperature_height_above_ground", 291.5, "air_temperature", 291.5),
        (TROPOMI, "tropospheric_NO2_column_number_density", 6.1e-5, "no2_column", 6.1e-5),
        (TROPOMI, "stratospheric_NO2_column_number_density", 6.1e-5, None, None),
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
    Layer(
        "MERRA2_400.tavg1_2d_flx_Nx.20210712.PRECTOTCORR.tif",
        "float32",
        (3e-5, 5e-5, 1e15),
        "precipitation",
        (2.592, 4.32),
        "mm/day",
        "2021-07-12",
    ),
    Layer("L1_AETI_1808.tif", "int16", (43, -9999), "evapotranspiration", (4.3,), "mm/day", "2018-03-11"),
    Layer("L2_GEZ_PCP_1807M.tif", "int16", (543, -9999), "precipitation", (54.3,), "mm", "2018-07-01"),
    Layer(
        "gsmap_gauge.20210712.0000.v8.tif",
        "float32",
        (0.25, 0.75, -4.0),
        "precipitation",
        (0.25, 0.75),
        "mm/h",
        "2021-07-12",
    ),
    Layer(
        "africa_rfe.20210712.tif", "float32", (0.0, 12.5), "precipitation", (0.0, 12.5), "mm", "2021-07-12"
    ),
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
    Layer("CHELSA_bio1_1981-2010_V.2.1.tif", "uint16", (2841, 2856), "air_temperature", (284.1, 285.6), "K"),
    Layer(
        "m202106_modisSSEBopETactual.tif",
        "uint16",
        (20, 110),
        "evapotranspiration",
        (20, 110),
        "mm",
        "2021-06-01",
    ),
    Layer(
        "AQUA_MODIS.20210601.L3m.DAY.SST.sst.4km.tif",
        "int16",
        (3000, 5000, -32767),
        "sst",
        (288.15, 298.15),
        "K",
        "2021-06-01",
    ),
    Layer(
        "AQUA_MODIS.20210601.L3m.DAY.CHL.chlor_a.4km.tif", "float32", (0.5, 2.25), "chlorophyll", (0.5, 2.25)
    ),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


@pytest.mark.parametrize("offset", [-273.15, 0.0])
def test_chelsa_is_in_kelvin_whatever_zero_its_tag_has(tmp_path: Path, offset: float) -> None:
    file = write_raster(tmp_path / "CHELSA_tas_06_1981-2010_V.2.1.tif", np.full((4, 4), 2841, "uint16"))
    with rasterio.open(file, "r+") as dataset:
        dataset.scales, dataset.offsets = (0.1,), (offset,)
    found = describe(file)
    assert found.bands[0].physical(2841) == pytest.approx(284.1) and found.date is None


@pytest.mark.parametrize(
    "name",
    [
        "PRISM_tmax_stable_4kmM3_202106_bil.tif",
        "Temperature-Air-2m-Max-24h_C3S-glob-agric_AgERA5_20210601_final-v1.1.tif",
    ],
)
def test_the_highest_temperature_of_a_day_is_not_that_of_the_air(name: str) -> None:
    assert describe_name(name).role == "air_temperature_maximum"


@pytest.mark.parametrize(
    ("name", "scale", "stored", "known"),
    [
        ("L2_NPP_2119.tif", None, 2123, True),
        ("WAPOR-3.L2-NPP-D.2021-07-D1.tif", 0.001, 2123, True),
        ("WAPOR-3.L2-NPP-D.2021-07-D1.tif", None, 2123, False),
    ],
)
def test_production_of_wapor_is_carbon_of_a_day(
    tmp_path: Path, name: str, scale: float | None, stored: int, known: bool
) -> None:
    file = write_raster(tmp_path / name, np.full((4, 4), stored, "int16"), scale=scale)
    (band,) = describe(file).bands
    assert (band.role, band.unit, band.scale_known) == ("npp", "gC/m2/day", known)
    if known:
        assert band.physical(stored) == pytest.approx(2.123)


def test_variables_of_terraclimate_as_netcdf_have_their_own_scale(tmp_path: Path) -> None:
    file = tmp_path / "TerraClimate_tmax_2021_tmax_2021-07-01.tif"
    write_raster(file, np.full((4, 4), 12050, "int16"), scale=0.01, offset=-99.0, descriptions=["tmax"])
    with rasterio.open(file, "r+") as dataset:
        dataset.units = ("degC",)
    (band,) = describe(file).bands
    assert band.role == "air_temperature_maximum" and band.physical(12050) == pytest.approx(294.65)


@pytest.mark.parametrize(
    ("name", "role"), [("spei_03_2021-07-16.tif", "spei"), ("scPDSI.cru_2020.tif", "pdsi")]
)
def test_indices_of_drought_are_told_by_their_names(name: str, role: str) -> None:
    assert describe_name(name).role == role


@pytest.mark.parametrize(
    ("name", "date", "days", "place"),
    [
        ("WAPOR-3.L1-AETI-D.2021-06-D2", "2021-06-11", 10, ""),
        ("WAPOR-3.L3-AETI-D.GEZ.2021-07-D3", "2021-07-21", 11, "GEZ"),
        ("WAPOR-3.L1-AETI-D.2021-02-D3", "2021-02-21", 8, ""),
        ("WAPOR-3.L1-RET-E.2021-06-12", "2021-06-12", 1, ""),
    ],
)
def test_rates_of_wapor_are_means_of_the_days_of_their_period(
    tmp_path: Path, name: str, date: str, days: int, place: str
) -> None:
    found = describe(write_raster(tmp_path / f"{name}.tif", np.full((4, 4), 43, "int16"), scale=0.1))
    (band,) = found.bands
    assert (band.unit, band.period_days, found.place) == ("mm/day", days, place)
    assert band.physical(43) == pytest.approx(4.3)
    assert found.date is not None and found.date.date().isoformat() == date


@pytest.mark.parametrize(
    "months", ["185001-201412", "20500101-20501231", "195001-201412", "19500101-20141231"]
)
def test_the_time_of_a_whole_file_of_a_model_is_the_date_of_no_band(months: str) -> None:
    assert describe_name(CMIP.format("pr", "Amon", months)).date is None
