"""CHIRPS 2.0 and 3.0, IMERG 07 for GIS programs, ERA5-Land; their documentation, not real products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio

from tests.product_layers import Layer, assert_reads
from tests.rasters import write_raster
from treeline.toolkit.recognition import describe_name
from treeline.toolkit.recognition.describe import describe

VALUES = [
    # the variable of TAMSAT 3.1, TAMSAT data documentation, University of Reading
    Layer(
        "rfe_filled_2021-07-12.tif",
        "float32",
        (0.0, 12.5, -9999.0),
        "precipitation",
        (0.0, 12.5),
        "mm",
        "2021-07-12",
    ),
    Layer(
        "chirps-v2.0.2021.07.12.tif",
        "float32",
        (0.0, 12.5, -9999.0),
        "precipitation",
        (0.0, 12.5),
        "mm",
        "2021-07-12",
    ),
    Layer(
        "chirps-v3.0.2021.07.12.tif",
        "float32",
        (0.0, 12.5, -9999.0),
        "precipitation",
        (0.0, 12.5),
        "mm",
        "2021-07-12",
    ),
    Layer(
        "3B-HHR-L.MS.MRG.3IMERG.20210712-S233000-E235959.1410.V07B.1day.tif",
        "uint16",
        (0, 125, 29999),
        "precipitation",
        (0.0, 12.5),
        "mm",
        "2021-07-12",
    ),
    Layer(
        "3B-DAY-GIS.MS.MRG.3IMERG.20210712-S000000-E235959.0000.V07B.tif",
        "uint16",
        (0, 125, 29999),
        "precipitation",
        (0.0, 12.5),
        "mm",
        "2021-07-12",
    ),
    Layer(
        "3B-DAY-L.MS.MRG.3IMERG.20210712-S000000-E235959.V06.tif",
        "float32",
        (0.0, 12.5, -9999.9),
        "precipitation",
        (0.0, 12.5),
        "mm",
        "2021-07-12",
    ),
    Layer(
        "3B-HHR.MS.MRG.3IMERG.20210712-S233000-E235959.1410.V07B.tif",
        "float32",
        (0.0, 12.5, -9999.9),
        "precipitation",
        (0.0, 12.5),
        "mm/h",
        "2021-07-12",
    ),
    Layer(
        "GIOVANNI-g4.timeAvgMap.GPM_3IMERGDF_07_precipitation.20210701-20210731.10E_42N_16E_46N.tif",
        "float32",
        (0.0, 12.5, -9999.9),
        "precipitation",
        (0.0, 12.5),
        "mm/day",
        "2021-07-01",
    ),
    Layer(
        "ERA5-Land_total_precipitation_2021-07-12.tif",
        "float32",
        (0.0, 0.0125),
        "precipitation",
        (0.0, 12.5),
        "mm",
        "2021-07-12",
    ),
    Layer(
        "era5_land_2m_temperature_2021-07-12.tif",
        "float32",
        (291.5, 293.5),
        "air_temperature",
        (291.5, 293.5),
        "K",
        "2021-07-12",
    ),
]


@pytest.mark.parametrize("layer", VALUES, ids=str)
def test_values(tmp_path: Path, layer: Layer) -> None:
    assert_reads(tmp_path, layer)


# Earth Engine catalogue: IMERG and TRMM are millimetres per hour there, which nobody can tell from a sum.
@pytest.mark.parametrize(
    ("name", "unit", "assumed"),
    [
        ("IMERG_monthly_202007.tif", None, True),
        ("GPM_L3_IMERG_MONTHLY_V07_20200701.tif", None, True),
        ("TRMM_3B43V7_20100701.tif", None, True),
        ("IMERG_monthly_202007.tif", "mm", False),
        ("IMERG_monthly_202007.tif", "mm/hr", False),
    ],
)
def test_rates_of_imerg_in_earth_engine(tmp_path: Path, name: str, unit: str | None, assumed: bool) -> None:
    rates = np.random.default_rng(6).uniform(0, 0.4, (8, 8)).astype("float32")
    path = write_raster(tmp_path / name, rates, descriptions=["precipitation"])
    if unit is not None:
        with rasterio.open(path, "r+") as dataset:
            dataset.set_band_unit(1, unit)
    found = describe(path)
    (band,) = found.bands
    assert (band.role, band.unit, band.scale) == ("precipitation", unit if unit == "mm" else "mm/h", 1.0)
    assert band.unit_assumed == assumed
    assert any("was summed up" in warning for warning in found.warnings) == assumed


# Earth Engine catalogue: bands of ERA5_LAND/DAILY_AGGR and of ERA5/DAILY.
@pytest.mark.parametrize(
    ("file", "band", "role", "scale"),
    [
        ("ERA5_LAND_DAILY_20200701.tif", "total_precipitation_sum", "precipitation", 1000.0),
        ("site_20200701.tif", "total_precipitation_sum", "precipitation", 1000.0),
        ("ERA5_DAILY_20200701.tif", "total_precipitation", "precipitation", 1000.0),
        ("NLDAS_20200701.tif", "total_precipitation", "precipitation", 1.0),
        ("ERA5_LAND_DAILY_20200701.tif", "total_precipitation_max", None, 1.0),
        ("ERA5_LAND_DAILY_20200701.tif", "temperature_2m", "air_temperature", 1.0),
        ("ERA5_LAND_DAILY_20200701.tif", "temperature_2m_max", None, 1.0),
        ("ERA5_DAILY_20200701.tif", "mean_2m_air_temperature", "air_temperature", 1.0),
        ("ERA5_DAILY_20200701.tif", "minimum_2m_air_temperature", None, 1.0),
        ("GFS_20200701.tif", "temperature_2m_above_ground", None, 1.0),
    ],
)
def test_bands_of_era5_in_earth_engine(
    tmp_path: Path, file: str, band: str, role: str | None, scale: float
) -> None:
    value = 290.0 if "temperature" in band else 0.005
    stack = np.random.default_rng(6).uniform(0.9, 1.1, (2, 8, 8)).astype("float32") * value
    found = describe(write_raster(tmp_path / file, stack, descriptions=[band, "snow_depth"])).bands[0]
    assert (found.role, found.scale) == (role, scale)


@pytest.mark.parametrize("name", ["total_precipitation_sum_2021-06-01.tif", "era5_tp_2021-06-01.tif"])
@pytest.mark.parametrize(
    ("unit", "scale"), [(None, 1000.0), ("m", 1000.0), ("mm", 1.0), ("kg m-2", 1.0), ("cm", 10.0)]
)
def test_a_unit_that_the_file_states_weighs_more_than_that_of_era5(
    tmp_path: Path, name: str, unit: str | None, scale: float
) -> None:
    path = write_raster(tmp_path / name, np.linspace(0, 0.01, 64, dtype="float32").reshape(8, 8))
    if unit:
        with rasterio.open(path, "r+") as dataset:
            dataset.units = (unit,)
    (band,) = describe(path).bands
    assert (band.role, band.scale, band.unit) == ("precipitation", scale, "mm")


@pytest.mark.parametrize("period", ["HHR", "DAY", "MO"])
def test_whole_numbers_of_a_product_of_fractions_have_no_known_scale(tmp_path: Path, period: str) -> None:
    name = f"3B-{period}.MS.MRG.3IMERG.20210712-S000000-E235959.V07B.tif"
    path = write_raster(tmp_path / name, np.arange(64, dtype="int16").reshape(8, 8))
    (band,) = describe(path).bands
    assert (band.role, band.scale_known) == ("precipitation", False)


# Earth Engine exports ERA5 without units; others call millimetres total_precipitation as well.
@pytest.mark.parametrize(
    ("name", "largest", "unit", "scale", "open"),
    [
        ("total_precipitation_2021-07-12.tif", 0.02, None, 1000.0, True),
        ("total_precipitation_2021-07-12.tif", 40.0, None, 1.0, False),
        ("total_precipitation_2021-07-12.tif", 0.02, "mm", 1.0, False),
        ("ERA5_total_precipitation_2021-07-12.tif", 0.02, None, 1000.0, False),
        ("ERA5_total_precipitation_2021-07.tif", 0.02, "m", 1000.0, True),
        ("ERA5_total_precipitation_2021-07.tif", 0.02, "mm/day", 1.0, False),
        ("ERA5_total_precipitation_sum_2021-07.tif", 0.02, None, 1000.0, False),
    ],
)
def test_what_total_precipitation_leaves_open(
    tmp_path: Path, name: str, largest: float, unit: str | None, scale: float, open: bool
) -> None:
    path = write_raster(tmp_path / name, np.linspace(0, largest, 64, dtype="float32").reshape(8, 8))
    if unit:
        with rasterio.open(path, "r+") as dataset:
            dataset.units = (unit,)
    (band,) = describe(path).bands
    assert (band.role, band.scale, bool(band.unit_open)) == ("precipitation", scale, open)


def test_sixths_of_a_month_of_chirps_are_told_by_their_numbers() -> None:
    sixths = [f"chirps-v2.0.2021.06.{number}.tif" for number in range(1, 7)]
    days = [found.date.day for name in sixths if (found := describe_name(name, sixths)).date]
    assert days == [1, 6, 11, 16, 21, 26]
    thirds = sixths[:3]
    days = [found.date.day for name in thirds if (found := describe_name(name, thirds)).date]
    assert days == [1, 11, 21]
    assert {describe_name(name, sixths).date_precision for name in sixths} == {"day"}
