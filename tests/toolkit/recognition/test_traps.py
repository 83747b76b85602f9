"""What misleads readers of rasters, each with a small real file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
import rasterio.shutil

from tests.rasters import write_raster
from treeline.toolkit.errors import ScaleUnknown
from treeline.toolkit.raster.source import Source, require_calibrated
from treeline.toolkit.recognition import Correction, RasterDescription
from treeline.toolkit.recognition.describe import describe

Make = Callable[..., RasterDescription]
RANDOM = np.random.default_rng(7)


@pytest.fixture
def make_file(tmp_path: Path) -> Make:
    def make(
        name: str, array: Any, beside: tuple[str, ...] = (), corrections: Any = None, **more: Any
    ) -> RasterDescription:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_raster(path, array, **more)
        return describe(path, [path, *(tmp_path / other for other in beside)], corrections)

    return make


def _around(value: float, spread: float, dtype: str = "uint16") -> np.ndarray:
    return np.clip(RANDOM.normal(value, spread, (32, 32)), 1, None).astype(dtype)


def _scale(found: RasterDescription) -> tuple[float, float, bool]:
    band = found.bands[0]
    return band.scale, band.offset, band.scale_known


# Sentinel-2: the offset comes with the processing baseline, not with the date.

SAFE = (
    "S2B_MSIL2A_{date}T231559_N{baseline}_R087_T01VCG_20230315T224658.SAFE/T01VCG_{date}T231559_B04_10m.tif"
)


@pytest.mark.parametrize(
    ("date", "baseline", "offset"),
    [("20220413", "0400", -0.1), ("20200914", "0500", -0.1), ("20220413", "0301", 0.0)],
)
def test_offset_by_baseline(make_file: Make, date: str, baseline: str, offset: float) -> None:
    found = make_file(SAFE.format(date=date, baseline=baseline), _around(2000, 200))
    assert _scale(found) == (0.0001, offset, True)


def test_offset_that_was_removed_already(make_file: Make) -> None:
    found = make_file(SAFE.format(date="20220413", baseline="0400"), _around(400, 100))
    assert _scale(found) == (0.0001, 0.0, True)
    assert "removed already" in found.warnings[0]


def test_unknown_baseline_is_asked_for_unless_dark_pixels_tell(make_file: Make) -> None:
    bright = make_file("A_2023-05-01_B08.tif", _around(3000, 200))
    assert _scale(bright) == (0.0001, 0.0, False)
    assert "Say the offset" in bright.warnings[0]
    assert _scale(make_file("A_2023-05-01_B04.tif", _around(600, 200))) == (0.0001, 0.0, True)
    assert _scale(make_file("A_2019-05-01_B08.tif", _around(3000, 200))) == (0.0001, 0.0, True)


def test_a_dark_band_of_the_same_file_speaks_for_the_others(make_file: Make) -> None:
    stack = np.stack([_around(3000, 200), _around(500, 100)])
    found = make_file("A_2023-05-01.tif", stack, descriptions=["B8", "B12"])
    assert [(b.role, b.offset, b.scale_known) for b in found.bands] == [
        ("nir", 0.0, True),
        ("swir2", 0.0, True),
    ]
    assert found.warnings == ()


def test_a_dark_file_of_the_same_scene_speaks_for_the_others(make_file: Make) -> None:
    make_file("A_2023-05-01_B12.tif", _around(500, 100))
    make_file("A_2023-05-06_B12.tif", _around(500, 100))
    beside = ("A_2023-05-01_B12.tif", "A_2023-05-06_B12.tif")
    found = make_file("A_2023-05-01_B08.tif", _around(3000, 200), beside)
    assert _scale(found) == (0.0001, 0.0, True)
    assert found.bands[0].evidence[-1].source == "sibling"
    assert not make_file("A_2023-05-02_B08.tif", _around(3000, 200), beside).bands[0].scale_known


def test_a_person_settles_the_offset(make_file: Make) -> None:
    said = {"A_2023-05-01_B08.tif": Correction(offset=-0.1)}
    found = make_file("A_2023-05-01_B08.tif", _around(3000, 200), corrections=said)
    assert _scale(found) == (0.0001, -0.1, True)
    assert found.warnings == ()


def test_earth_search_copies_are_decided_by_values(make_file: Make) -> None:
    dark = make_file("S2B_33UXP_20250302_0_L2A/B04.tif", _around(500, 150), scale=0.0001, offset=-0.1)
    assert _scale(dark) == (0.0001, 0.0, True)
    bright = make_file("S2B_33UXP_20250302_1_L2A/B04.tif", _around(3000, 150), scale=0.0001, offset=-0.1)
    assert not bright.bands[0].scale_known
    assert any("Earth Search" in warning for warning in bright.warnings)


def test_reflectance_that_is_scaled_already(make_file: Make) -> None:
    found = make_file("A_2023-05-01_B04.tif", RANDOM.uniform(0.0, 0.6, (16, 16)).astype("float32"))
    assert _scale(found) == (1.0, 0.0, True)


# Earth Engine names a calculated band after the first that it was calculated from.


def test_an_only_band_called_b8_in_a_file_called_ndvi_is_ndvi(make_file: Make) -> None:
    values = RANDOM.uniform(0.2, 0.8, (16, 16)).astype("float32")
    assert make_file("S2_NDVI_2023-05-01.tif", values, descriptions=["B8"]).bands[0].role == "ndvi"
    assert make_file("S2_median_2023-05-01.tif", values, descriptions=["B8"]).bands[0].role == "nir"


def test_bands_of_a_scene_in_a_file_called_ndvi_are_none(make_file: Make) -> None:
    stack = RANDOM.uniform(0.05, 0.5, (2, 16, 16)).astype("float32")
    found = make_file("ndvi_2021-07-01.tif", stack, descriptions=["B4", "B8"])
    assert [band.role for band in found.bands] == ["red", None]
    assert any("say the role" in warning for warning in found.warnings)
    named = make_file("S2_ndvi_2021-07-01.tif", stack, descriptions=["B4", "B8"])
    assert [band.role for band in named.bands] == ["red", "nir"]


# Landsat

L8 = "LC08_L2SP_047027_20201204_20210313_02_T1_{}.TIF"


def test_landsat_surface_products(make_file: Make) -> None:
    red = make_file(L8.format("SR_B4"), _around(9000, 500))
    assert (red.bands[0].role, *_scale(red)) == ("red", 0.0000275, -0.2, True)
    assert (red.bands[0].fill, red.bands[0].valid) == ((0.0,), (1.0, 65455.0))
    heat = make_file(L8.format("ST_B10"), _around(44178, 500))
    assert (heat.bands[0].role, heat.bands[0].unit, *_scale(heat)) == ("lst", "K", 0.00341802, 149.0, True)


def test_landsat_level_1_needs_its_metadata(make_file: Make) -> None:
    name = "LC08_L1TP_047027_20201204_20210313_02_T1_{}.TIF"
    for band in ("B4", "B10"):
        found = make_file(name.format(band), _around(20000, 500))
        assert not found.bands[0].scale_known
        assert "digital numbers" in found.warnings[0]


def test_stack_of_one_generation(make_file: Make) -> None:
    stack = np.stack([_around(9000, 300)] * 6)
    names = ["SR_B1", "SR_B2", "SR_B3", "SR_B4", "SR_B5", "SR_B7"]
    old = make_file("scene_1999-07-01.tif", stack, descriptions=names)
    assert [b.role for b in old.bands] == ["blue", "green", "red", "nir", "swir1", "swir2"]
    new = make_file("scene_2019-07-01.tif", stack, descriptions=names)
    assert [b.role for b in new.bands] == ["coastal", "blue", "green", "red", "nir", "swir2"]


# Fills that look real


def test_modis_ndvi_fill_would_be_a_believable_value(make_file: Make) -> None:
    values = _around(4000, 500, "int16")
    values[:8] = -3000
    found = make_file("A_NDVI_2020-01-09.tif", values)
    assert (found.bands[0].scale, found.bands[0].fill) == (0.0001, (-3000.0,))


def test_reflectance_fill_of_modis(make_file: Make) -> None:
    values = _around(800, 100, "int16")
    values[:20] = -28672
    found = make_file("Greenland_sur_refl_b01_2020-01-09.tif", values)
    assert (found.bands[0].fill, found.bands[0].valid) == ((-28672.0,), (-100.0, 16000.0))
    assert found.warnings == ()


def test_emissivity_fill_after_scaling(make_file: Make) -> None:
    values = np.full((16, 16), 0.97, "float32")
    values[:4] = 0.49
    found = make_file("A_2020-01-09_0310_Emis31.tif", values)
    assert _scale(found) == (1.0, 0.0, True)
    assert 0.49 in found.bands[0].fill
    raw = make_file("B_2020-01-09_0310_Emis31.tif", np.full((16, 16), 240, "uint8"))
    assert _scale(raw) == (0.002, 0.49, True)


def test_zero_kelvin_is_no_temperature(make_file: Make) -> None:
    values = np.full((16, 16), 295.0, "float32")
    values[:4] = 0
    assert 0.0 in make_file("A_2020-01-09_LST.tif", values).bands[0].fill


def test_fill_in_a_tag_and_as_nodata(make_file: Make) -> None:
    values = _around(300, 5, "float32")
    found = make_file("A_2020-01-09_LST.tif", values, nodata=-9999.0)
    assert found.bands[0].fill[0] == -9999.0


# Scales from values are said aloud; what fits nothing stays unknown


@pytest.mark.parametrize(
    ("median", "dtype", "scale", "offset"),
    [(15000, "uint16", 0.02, 0.0), (44000, "uint16", 0.00341802, 149.0), (21.5, "float32", 1.0, 273.15)],
)
def test_temperature_read_from_values(
    make_file: Make, median: float, dtype: str, scale: float, offset: float
) -> None:
    found = make_file("A_LST_2020-01-09.tif", _around(median, median / 100, dtype))
    assert (found.bands[0].unit, *_scale(found)) == ("K", scale, offset, True)
    assert "from the values alone" in found.warnings[0]
    assert found.bands[0].evidence[-1].source == "value"


@pytest.mark.parametrize(
    ("role", "low", "high"),
    [
        ("NDVI", 100, 900),  # thousandths, no ten-thousandths of bare ground
        ("LST", 28000, 32000),  # hundredths of a kelvin, no numbers of Landsat
        ("LST", 800, 5100),  # hundredths of a degree Celsius, no tenths of a kelvin
        ("LST", 2680, 3090),  # hundredths of a degree Celsius, or tenths of a kelvin
        ("LST", 2880, 3030),
        ("BT31", 2680, 3090),
        ("LST", 120, 330),  # tenths of a degree Celsius, or kelvins
        ("LST", 180, 245),
        ("LST", 270, 330),
        ("LST", 270, 295),  # 27.0 to 29.5 degrees Celsius of one ground, or -3 to 22
    ],
)
def test_scales_that_values_do_not_settle(make_file: Make, role: str, low: int, high: int) -> None:
    values = np.linspace(low, high, 1024).reshape(32, 32).astype("uint16")
    # Whole numbers of a temperature are packed, of whatever type they are.
    for stored in (values, values.astype("float32"))[: 1 if role == "NDVI" else 2]:
        found = make_file(f"A_{role}_2020-01-09.tif", stored)
        assert not found.bands[0].scale_known and "scale" in found.warnings[0]


def test_a_scale_that_the_values_told_is_known_as_assumed(make_file: Make) -> None:
    packed, physical = _around(5000, 500, "int16"), _around(0.5, 0.05, "float32")
    read, plain = (make_file("A_NDVI_2020-01-09.tif", values) for values in (packed, physical))
    assert read.bands[0].scale_assumed and not plain.bands[0].scale_assumed


def test_packed_numbers_under_the_name_of_a_rate_are_no_rate(make_file: Make) -> None:
    name = "3B-MO.MS.MRG.3IMERG.20210701-S000000-E235959.07.V07B.tif"
    packed, rate = (make_file(name, _around(median, median / 10, "float32")) for median in (1000, 0.4))
    assert not packed.bands[0].scale_known and packed.bands[0].valid is None
    assert (rate.bands[0].scale_known, rate.bands[0].unit) == (True, "mm/h")


def test_a_temperature_in_numbers_that_nothing_explains_is_not_read(make_file: Make) -> None:
    values = np.linspace(120, 330, 1024).reshape(32, 32)
    packed, kelvin = (make_file("A_LST_2020-01-09.tif", v) for v in (np.rint(values), values / 10 + 273.15))
    with pytest.raises(ScaleUnknown, match="tenths"):
        require_calibrated(Source(packed, packed.bands[0]))
    require_calibrated(Source(kelvin, kelvin.bands[0]))


@pytest.mark.parametrize(
    ("name", "median", "dtype"),
    [
        ("A_LST_2020-01-09.tif", 500, "uint16"),
        ("A_red_2020-01-09.tif", 1500, "uint16"),
        ("A_NDVI_2020-01-09.tif", 120, "uint8"),
        ("A_LST_2020-01-09.tif", 25, "uint8"),
        ("A_Reflectance_17_2020-01-09.tif", 4000, "uint16"),
        ("A_albedo_2020-01-09.tif", 45, "uint8"),
        ("A_VV_2020-01-09.tif", 220, "uint16"),
        ("A_B10_2020-01-09.tif", 28000, "uint16"),
        ("unheard_of.tif", 1500, "uint16"),
    ],
)
def test_no_scale_is_guessed(make_file: Make, name: str, median: float, dtype: str) -> None:
    found = make_file(name, _around(median, median / 20, dtype))
    assert _scale(found) == (1.0, 0.0, False)
    assert "say" in found.warnings[-1]


def test_implausible_values_are_said(make_file: Make) -> None:
    found = make_file("A_DEM.tif", _around(20000, 100, "float32"))
    assert not found.bands[0].scale_known
    assert "not plausible for Elevation" in found.warnings[0]


def test_radar_in_decibel_and_linear(make_file: Make) -> None:
    decibel = make_file("A_VV_2020-01-09.tif", -_around(12, 2, "float32"))
    linear = make_file("A_VH_2020-01-09.tif", np.full((8, 8), 0.05, "float32"))
    assert (decibel.bands[0].unit, linear.bands[0].unit) == ("dB", "linear power")


# Tags


def test_custom_scale_tag(make_file: Make) -> None:
    found = make_file("A_red_2020-01-09.tif", _around(1500, 100), tags={"SCALE": "0.0001"})
    assert _scale(found) == (0.0001, 0.0, True)
    assert found.bands[0].evidence[-1].source == "tag"


def test_scale_of_the_file_beats_the_name(make_file: Make) -> None:
    found = make_file("lake_sur_refl_b01_2020-01-09.tif", _around(150, 10), scale=0.001, offset=0.01)
    assert _scale(found) == (0.001, 0.01, True)
    assert found.bands[0].fill == ()


@pytest.mark.parametrize("text", ["nan", "inf", "0", "much"])
def test_senseless_scale_tags_are_passed_over(make_file: Make, text: str) -> None:
    found = make_file("A_NDVI_2020-01-09.tif", np.full((8, 8), 0.4, "float32"), tags={"SCALE": text})
    assert _scale(found) == (1.0, 0.0, True)


def test_a_scale_for_celsius_becomes_kelvin(make_file: Make, tmp_path: Path) -> None:
    path = write_raster(tmp_path / "A_LST_2020-01-09.tif", _around(2150, 50), scale=0.01)
    with rasterio.open(path, "r+") as dataset:
        dataset.units = ("degC",)
    found = describe(path)
    assert (found.bands[0].unit, *_scale(found)) == ("K", 0.01, 273.15, True)
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("unit", "median", "scale", "offset"),
    [("degC", 3, 1.0, 273.15), ("degF", 37, 5 / 9, 255.3722), ("Fahrenheit", 37, 5 / 9, 255.3722)],
)
def test_temperatures_are_in_the_unit_that_the_file_states(
    make_file: Make, tmp_path: Path, unit: str, median: float, scale: float, offset: float
) -> None:
    path = write_raster(tmp_path / "A_LST_2020-01-09.tif", _around(median, 4, "float32"))
    with rasterio.open(path, "r+") as dataset:
        dataset.units = (unit,)
    found = describe(path)
    assert found.bands[0].unit == "K" and found.bands[0].scale_known and found.warnings == ()
    assert (found.bands[0].scale, found.bands[0].offset) == pytest.approx((scale, offset), abs=1e-4)


@pytest.mark.parametrize(
    ("unit", "factor", "told"),
    [
        ("m", 1000.0, "mm"),
        ("in", 25.4, "mm"),
        ("cm", 10.0, "mm"),
        ("kg m-2", 1.0, "mm"),
        ("mm", 1.0, "mm"),
        ("mm d-1", 1.0, "mm/day"),
        ("mm day**-1", 1.0, "mm/day"),
        ("mm/hr", 1.0, "mm/h"),
        ("", 1.0, "mm"),
    ],
)
def test_depths_of_water_are_brought_to_millimetres(
    make_file: Make, tmp_path: Path, unit: str, factor: float, told: str
) -> None:
    path = write_raster(tmp_path / "A_precipitation_2020-01-09.tif", _around(4, 1, "float32") / factor)
    with rasterio.open(path, "r+") as dataset:
        dataset.units = (unit,)
    found = describe(path)
    (band,) = found.bands
    assert (band.unit, band.scale) == (told, pytest.approx(factor))
    assert band.unit_assumed == bool(found.warnings) == (not unit)


@pytest.mark.parametrize("dtype", ["float32", "int16"])
@pytest.mark.parametrize(
    ("unit", "factor"),
    [
        ("ft", 0.3048),
        ("feet", 0.3048),
        ("US survey foot", 1200 / 3937),
        ("ftUS", 1200 / 3937),
        ("dm", 0.1),
        ("decimeters", 0.1),
        ("cm", 0.01),
        ("metre", 1.0),
    ],
)
def test_heights_are_brought_to_metres(
    make_file: Make, tmp_path: Path, unit: str, factor: float, dtype: str
) -> None:
    path = write_raster(tmp_path / "dem.tif", (_around(900, 20, "float32") / factor).astype(dtype))
    with rasterio.open(path, "r+") as dataset:
        dataset.units = (unit,)
    (band,) = describe(path).bands
    assert (band.unit, band.scale, band.scale_known) == ("m", pytest.approx(factor), True)


@pytest.mark.parametrize(
    ("name", "low", "line"),
    [
        ("dem_ft.tif", 900, (0.3048, 0.0)),
        ("dem_FT_2019-05-01.tif", 900, (0.3048, 0.0)),
        ("elevation-feet.tif", 900, (0.3048, 0.0)),
        ("dem_ft_collins.tif", 900, (1.0, 0.0)),  # a town
        ("dem_loft.tif", 900, (1.0, 0.0)),
        ("dem_decimetres.tif", 9000, (0.1, 0.0)),
        ("dem_50cm.tif", 900, (1.0, 0.0)),  # the side of a pixel
        ("lst_fahrenheit_2020-07-01.tif", 70, (5 / 9, 459.67 * 5 / 9)),
        ("lst_fahrenheit_2020-07-01.tif", 291, (1.0, 0.0)),  # the values are kelvins
        ("precipitation_inches_2020.tif", 3, (25.4, 0.0)),
        ("rain_inches_2020.tif", 3, (25.4, 0.0)),
    ],
)
def test_a_unit_in_the_name_is_believed_where_the_values_allow_it(
    tmp_path: Path, name: str, low: float, line: tuple[float, float]
) -> None:
    found = describe(write_raster(tmp_path / name, _around(low, 2, "float32")))
    scale, offset, known = _scale(found)
    assert (scale, offset, known) == (pytest.approx(line[0]), pytest.approx(line[1]), True)
    assert any("as the name says" in warning for warning in found.warnings) == (line != (1.0, 0.0))


@pytest.mark.parametrize(
    ("name", "dtype", "unit", "assumed"),
    [
        ("dem.tif", "int16", "", True),
        ("dem.tif", "int16", "m", False),
        ("dem.tif", "float32", "", False),
        ("srtm_38_03.tif", "int16", "", False),
        ("dem_decimetres.tif", "int16", "", False),
    ],
)
def test_whole_heights_without_a_unit_are_said_to_be_taken_for_metres(
    tmp_path: Path, name: str, dtype: str, unit: str, assumed: bool
) -> None:
    path = write_raster(tmp_path / name, _around(900, 20, dtype))
    with rasterio.open(path, "r+") as dataset:
        dataset.units = (unit,)
    (band,) = describe(path).bands
    assert (band.role, "metres are assumed" in band.remark, band.unit_open) == ("dem", assumed, "")


def test_a_unit_in_the_name_of_a_band_is_believed(tmp_path: Path) -> None:
    heights = _around(9000, 20, "int16")
    found = describe(write_raster(tmp_path / "dem.tif", heights, descriptions=["elevation in decimetres"]))
    assert (found.bands[0].role, _scale(found)) == ("dem", (pytest.approx(0.1), 0.0, True))


def test_a_unit_that_the_values_contradict_is_not_believed(make_file: Make, tmp_path: Path) -> None:
    path = write_raster(tmp_path / "A_LST_2020-01-09.tif", _around(291, 4, "float32"))
    with rasterio.open(path, "r+") as dataset:
        dataset.units = ("degC",)
    assert _scale(describe(path)) == (1.0, 0.0, True)


def test_a_large_scale_is_a_divisor(make_file: Make) -> None:
    found = make_file("A_NDVI_2020-01-09.tif", _around(4000, 100, "int16"), tags={"scale_factor": "10000"})
    assert _scale(found) == (0.0001, 0.0, True)


def test_scale_of_the_file_does_not_touch_classes(make_file: Make) -> None:
    stack = np.stack([_around(1500, 100), np.full((32, 32), 4, "uint16")])
    found = make_file("A_2019-01-09.tif", stack, descriptions=["B04", "SCL"], tags={"SCALE": "0.0001"})
    assert [(b.role, b.scale) for b in found.bands] == [("red", 0.0001), ("scl", 1.0)]


def test_description_beats_the_file_name(make_file: Make) -> None:
    found = make_file("A_NDVI_2020-01-09.tif", np.full((8, 8), 0.3, "float32"), descriptions=["EVI"])
    assert found.bands[0].role == "evi"


def test_day_of_writing_is_no_acquisition(make_file: Make) -> None:
    values = np.full((8, 8), 0.3, "float32")
    later = make_file("A_NDVI_2020-01-09.tif", values, tags={"TIFFTAG_DATETIME": "2024:05:06 07:08:09"})
    assert later.date == datetime(2020, 1, 9)
    alone = make_file("A_NDVI.tif", values, tags={"TIFFTAG_DATETIME": "2024:05:06 07:08:09"})
    assert alone.date == datetime(2024, 5, 6, 7, 8, 9)
    assert "time of writing" in alone.warnings[0]
    stated = make_file("B_NDVI.tif", values, tags={"SENSING_TIME": "2020-01-09T10:00:00Z"})
    assert (stated.date, stated.warnings) == (datetime(2020, 1, 9, 10), ())


def test_own_products_are_believed(make_file: Make) -> None:
    tags = {"TREELINE_ROLE": "lst", "TREELINE_UNIT": "degC", "TIFFTAG_DATETIME": "2020:01:09 00:00:00"}
    found = make_file("B04_2023.tif", np.full((8, 8), 21.0, "float32"), tags=tags)
    (band,) = found.bands
    assert (band.role, band.unit, band.scale, band.scale_known) == ("lst", "degC", 1.0, True)
    assert (found.date, found.date_precision, found.warnings) == (datetime(2020, 1, 9), "day", ())


# Alpha


def _byte_image(path: Path, **more: Any) -> Path:
    bands = RANDOM.integers(0, 255, (4, 32, 32), dtype="uint8")
    return write_raster(path, bands, **more)


def test_fourth_byte_band_is_near_infrared_where_the_product_says_so(tmp_path: Path) -> None:
    path = _byte_image(tmp_path / "m_3211605_ne_11_060_20200415.tif", photometric="RGB", alpha="YES")
    found = describe(path)
    assert [b.role for b in found.bands] == ["red", "green", "blue", "nir"]
    assert any("no mask" in warning for warning in found.warnings)
    assert not any(b.scale_known for b in found.bands)


def test_fourth_byte_band_is_near_infrared_where_its_description_says_so(tmp_path: Path) -> None:
    names = ["red", "green", "blue", "nir"]
    path = _byte_image(tmp_path / "field.tif", photometric="RGB", alpha="YES", descriptions=names)
    assert [b.role for b in describe(path).bands] == names


def test_fourth_byte_band_that_nobody_names_is_asked_for(tmp_path: Path) -> None:
    found = describe(_byte_image(tmp_path / "field.tif", photometric="RGB", alpha="YES"))
    assert [b.role for b in found.bands] == ["red", "green", "blue", None]
    assert any("may be near infrared" in warning for warning in found.warnings)


def test_planet_order_is_blue_first(make_file: Make) -> None:
    stack = np.stack([_around(900, 100)] * 4)
    found = make_file("20230912_175450_00_2439_3B_AnalyticMS_SR_clip.tif", stack)
    assert [b.role for b in found.bands] == ["blue", "green", "red", "nir"]
    radiance = make_file("20230912_175450_00_2439_3B_AnalyticMS_clip.tif", stack)
    assert not any(b.scale_known for b in radiance.bands)


# What a person says


def test_a_person_outweighs_everything(make_file: Make) -> None:
    name = "lake_sur_refl_b01_2020-01-09.tif"
    said = {name: Correction(role="nir", scale=0.001, date=datetime(2021, 2, 3), place="Urmia")}
    found = make_file(name, _around(500, 50), scale=0.5, corrections=said)
    (band,) = found.bands
    assert (band.role, *_scale(found)) == ("nir", 0.001, 0.0, True)
    assert (found.date, found.place) == (datetime(2021, 2, 3), "Urmia")
    assert {e.source for e in band.evidence} == {"person"}


def test_a_person_speaks_of_one_band(make_file: Make) -> None:
    stack = np.stack([_around(1500, 100)] * 2)
    said = {
        "x.tif#2": Correction(role="nir"),
        "x.tif": Correction(scale=0.0001),
        "y.tif": Correction(role="lst"),
    }
    found = make_file("x.tif", stack, corrections=said)
    assert [(b.role, b.scale) for b in found.bands] == [(None, 0.0001), ("nir", 0.0001)]


def test_era5_precipitation_is_metres(make_file: Make) -> None:
    found = make_file("Delhi_total_precipitation_sum_2020-07-01.tif", np.full((8, 8), 0.004, "float32"))
    assert (found.bands[0].unit, found.bands[0].scale) == ("mm", 1000.0)


@pytest.mark.parametrize(("name", "header"), [("field", "field.hdr"), ("field.bil", "field.bil.hdr")])
def test_an_envi_header_states_the_factor_of_reflectance(tmp_path: Path, name: str, header: str) -> None:
    (tmp_path / name).write_bytes(np.full((2, 5, 7), 8000, "<i2").tobytes())
    (tmp_path / header).write_text(
        "ENVI\nsamples = 7\nlines = 5\nbands = 2\ndata type = 2\ninterleave = bsq\nbyte order = 0\n"
        "band names = {Red, NIR}\nwavelength units = Nanometers\nwavelength = {665.0, 842.0}\n"
        "reflectance scale factor = 32000\n"
        "map info = {UTM, 1, 1, 413985, 7261935, 30, 30, 20, South, WGS-84}\n"
    )
    red, nir = describe(tmp_path / name).bands
    assert (red.role, nir.role) == ("red", "nir")
    assert (red.scale_known, red.physical(8000)) == (True, 0.25)


@pytest.mark.parametrize(
    ("told", "roles"),
    [
        ("reflectance scale factor = 10000\n", ["green", None, "red", "nir", "swir1"]),
        ("", [None] * 5),  # may be radiance
    ],
)
def test_wavelengths_of_a_header_tell_the_colours(tmp_path: Path, told: str, roles: list[str | None]) -> None:
    (tmp_path / "flight").write_bytes(np.full((5, 5, 7), 800, "<i2").tobytes())
    (tmp_path / "flight.hdr").write_text(
        "ENVI\nsamples = 7\nlines = 5\nbands = 5\ndata type = 2\ninterleave = bsq\nbyte order = 0\n"
        "wavelength units = Micrometers\nwavelength = {0.555, 0.640, 0.660, 0.870, 1.610}\n" + told
    )
    assert [band.role for band in describe(tmp_path / "flight").bands] == roles


def test_numbers_of_landsat_that_somebody_scaled_otherwise_are_not_taken_for_those_of_usgs(
    make_file: Make,
) -> None:
    found = make_file(L8.format("SR_B4"), _around(900, 300)).bands[0]
    assert (found.role, found.scale_known, found.proportional) == ("red", False, False)


@pytest.mark.parametrize(
    ("name", "descriptions", "roles"),
    [
        ("lst_20210712.tif", (), [None, None]),
        ("ndvi_20210712.tif", ("NDVI", "quality"), ["ndvi", None]),
        ("ndvi_2021.tif", (), ["ndvi", "ndvi"]),  # dates of a year
    ],
)
def test_the_name_of_a_file_is_that_of_all_its_bands_only_if_nothing_tells_them_apart(
    tmp_path: Path, name: str, descriptions: tuple[str, ...], roles: list[str | None]
) -> None:
    values = np.stack([np.linspace(0.1, 0.9, 64).reshape(8, 8)] * 2).astype("float32")
    found = describe(write_raster(tmp_path / name, values, descriptions=descriptions))
    assert [band.role for band in found.bands] == roles


# State plane of North Carolina is in US survey feet, and so are most heights that are delivered in it.
@pytest.mark.parametrize(
    ("name", "crs", "unit", "scale", "open"),
    [
        ("lidar_dem.tif", "EPSG:2264", "", 1.0, True),
        ("lidar_dem.tif", "EPSG:2264", "m", 1.0, False),
        ("lidar_dem.tif", "EPSG:2264", "ft", 0.3048, False),
        ("lidar_dem_ft.tif", "EPSG:2264", "", 0.3048, False),
        ("lidar_dem.tif", "EPSG:32617", "", 1.0, False),
        ("lidar_dem_dm.tif", "EPSG:32617", "", 1.0, True),
        ("lidar_dem_dm.tif", "EPSG:32617", "m", 1.0, False),
        ("lidar_dem_50cm.tif", "EPSG:32617", "", 1.0, False),
    ],
)
def test_heights_on_coordinates_in_feet_may_be_in_feet(
    make_file: Make, tmp_path: Path, name: str, crs: str, unit: str, scale: float, open: bool
) -> None:
    path = write_raster(tmp_path / name, _around(600, 50, "float32") + 0.5, crs=crs, pixel=1000.0)
    with rasterio.open(path, "r+") as dataset:
        dataset.units = (unit,)
    (band,) = describe(path).bands
    assert (band.role, band.scale, bool(band.unit_open)) == ("dem", scale, open)


@pytest.mark.parametrize("name", ["ndvi_mask", "NDVI_gt_05", "lst_classes", "ndvi_minus_ndwi", "LST_nobs"])
def test_what_was_made_of_a_variable_is_none_of_its_values(make_file: Make, name: str) -> None:
    found = make_file(f"{name}_2021-06-01.tif", np.array([[0.25, 1.5]], "float32"))
    assert found.bands[0].role is None and found.warnings


def test_an_index_of_0_and_1_alone_is_a_mask(make_file: Make) -> None:
    found = make_file("ndvi_2021-06-01.tif", np.array([[0, 1, 1, 0]], "uint8"))
    assert not found.bands[0].scale_known and "mask" in found.warnings[0]
    assert make_file("ndvi_2021-06-02.tif", np.array([[0, 0.5, 1, 0]], "float32")).bands[0].scale_known


@pytest.mark.parametrize(
    ("level", "role"), [("103 0 2", "air_temperature"), ("1 0 0", "lst"), ("103 0 80", None)]
)
def test_what_gdal_takes_out_of_grib_keeps_name_unit_and_date(
    tmp_path: Path, level: str, role: str | None
) -> None:
    """Written by GDAL's own GRIB driver: temperature (0 0) at a level, which it reads in degrees Celsius."""
    kelvins = np.linspace(280, 290, 600).reshape(20, 30)
    path = write_raster(tmp_path / "a.tif", kelvins, crs="EPSG:4326", origin=(10, 50), pixel=0.25)
    with rasterio.open(path) as source:
        rasterio.shutil.copy(
            source,
            tmp_path / "a.grib2",
            driver="GRIB",
            DISCIPLINE="0",
            IDS="CENTER=98 REF_TIME=2021-06-01T06:00:00Z PROD_STATUS=0 TYPE=1",
            PDS_PDTN="0",
            PDS_TEMPLATE_ASSEMBLED_VALUES=f"0 0 2 0 96 0 0 1 0 {level} 255 0 0",
        )
    with rasterio.open(tmp_path / "a.grib2") as source:
        rasterio.shutil.copy(source, tmp_path / "b.tif", driver="GTiff")
    found = describe(tmp_path / "b.tif")
    band = found.bands[0]
    assert (band.role, found.date) == (role, datetime(2021, 6, 1, 6))
    if role is not None:
        assert band.unit == "K"
        # Ten bits and more of a packed message.
        assert band.physical(float(rasterio.open(tmp_path / "b.tif").read(1).mean())) == pytest.approx(
            285, abs=0.05
        )


def test_a_highest_temperature_of_grib_is_no_air_temperature(tmp_path: Path) -> None:
    path = write_raster(tmp_path / "a.tif", np.linspace(10, 20, 600).reshape(20, 30))
    with rasterio.open(path, "r+") as dataset:
        dataset.update_tags(
            1, GRIB_ELEMENT="TMP", GRIB_SHORT_NAME="2-HTGL", GRIB_UNIT="[C]", GRIB_PDS_PDTN="8"
        )
    assert describe(path).bands[0].role is None


def test_an_alpha_does_not_make_a_map_a_scene(tmp_path: Path) -> None:
    values = np.linspace(0.1, 0.9, 64, dtype="float32").reshape(8, 8)
    seen = np.where(values > 0.3, 255, 0).astype("float32")
    found = describe(write_raster(tmp_path / "ndvi_2020-07-15.tif", np.stack([values, seen]), alpha="YES"))
    assert [band.role for band in found.bands] == ["ndvi", "mask"]


@pytest.mark.parametrize(
    ("name", "role"), [("Near Infrared", "nir"), ("near_infrared", "nir"), ("SWIR 1", "swir1")]
)
def test_colours_in_words(tmp_path: Path, name: str, role: str) -> None:
    values = np.linspace(0.1, 0.4, 64, dtype="float32").reshape(8, 8)
    path = write_raster(
        tmp_path / "stack_2021-07-12.tif", np.stack([values, values]), descriptions=["Red", name]
    )
    assert [band.role for band in describe(path).bands] == ["red", role]


@pytest.mark.parametrize("unit", ["W m-2", "W/m^2", "MJ m-2 d-1"])
def test_heat_of_evaporation_is_no_depth_of_water(tmp_path: Path, unit: str) -> None:
    values = np.linspace(20, 180, 64, dtype="float32").reshape(8, 8)
    path = write_raster(tmp_path / "evapotranspiration_2020-07-15.tif", values)
    with rasterio.open(path, "r+") as opened:
        opened.units = (unit,)
    found = describe(path)
    assert found.bands[0].role is None
    assert any("heat that evaporation takes" in warning and unit in warning for warning in found.warnings)


@pytest.mark.parametrize(("metre", "pixel", "steep"), [(1, 30, False), (10, 30, True), (10, 1, False)])
def test_heights_in_decimetres_are_as_steep_as_no_land(
    tmp_path: Path, metre: int, pixel: float, steep: bool
) -> None:
    """Of a hill country of 8 degrees; between pixels of a metre lie walls and trees."""
    down, across = np.mgrid[0:60, 0:60]
    heights = 600 + 40 * np.sin(across / 7) * np.cos(down / 9) + 2 * np.sin(down)
    path = write_raster(tmp_path / "dem.tif", (heights * metre).round().astype("int16"), pixel=pixel)
    band = describe(path).bands[0]
    assert band.role == "dem"
    assert ("steeper than" in band.unit_open) == steep
    with rasterio.open(path, "r+") as opened:
        opened.units = ("m",)
    assert not describe(path).bands[0].unit_open
