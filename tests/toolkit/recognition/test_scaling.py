"""Numbers: what is encoded comes back, and samples are summarised as numpy does."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
import rasterio
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.rasters import write_raster
from tests.workplace import Workplace
from treeline.toolkit.recognition import FileResolver
from treeline.toolkit.recognition.baseline import baseline_offset
from treeline.toolkit.recognition.describe import describe
from treeline.toolkit.recognition.rules import encodings
from treeline.toolkit.recognition.sample import Statistics, statistics
from treeline.toolkit.recognition.scaling import StoredValues, find_scaling

CASES = [
    ("red", "modis_reflectance", 0.02, 0.9, "int16"),
    ("nir", "landsat_surface_reflectance", 0.02, 0.9, "uint16"),
    ("ndvi", "modis_index", 0.1, 0.9, "int16"),
    ("lst", "modis_temperature", 230.0, 330.0, "uint16"),
    ("lst", "landsat_surface_temperature", 230.0, 330.0, "uint16"),
    ("emissivity31", "modis_emissivity", 0.8, 0.999, "uint8"),
    ("albedo", "modis_albedo", 0.15, 0.9, "int16"),
]


def _summary(values: np.ndarray) -> Statistics:
    found = statistics(values, (), None)
    assert found is not None
    return found


@pytest.mark.parametrize(("role", "name", "low", "high", "dtype"), CASES)
@given(data=st.data())
def test_what_is_encoded_comes_back(
    role: str, name: str, low: float, high: float, dtype: str, data: st.DataObject
) -> None:
    physical = data.draw(arrays(np.float64, 50, elements=st.floats(low, high)))
    encoding = encodings()[name]
    assert encoding.scale is not None
    stored = np.round((physical - encoding.offset) / encoding.scale).astype(dtype)
    found = find_scaling(StoredValues(role, True, _summary(stored), name, "product"))
    assert found.known
    np.testing.assert_allclose(stored * found.scale + found.offset, physical, atol=encoding.scale)


@pytest.mark.parametrize(("role", "name", "low", "high", "dtype"), CASES)
@given(data=st.data())
def test_what_was_decoded_stays(
    role: str, name: str, low: float, high: float, dtype: str, data: st.DataObject
) -> None:
    physical = data.draw(arrays(np.float64, 50, elements=st.floats(low, high)))
    found = find_scaling(StoredValues(role, False, _summary(physical), name, "name"))
    assert (found.scale, found.offset, found.known) == (1.0, 0.0, True)


@given(arrays(np.float32, st.integers(1, 200), elements=st.floats(-1e6, 1e6, width=32)), st.integers(0, 50))
def test_statistics_are_those_of_numpy(values: np.ndarray, holes: int) -> None:
    with_holes = np.concatenate([values, np.full(holes, np.nan), np.full(holes, -3.4e38)]).astype("float32")
    found = statistics(with_holes, (-3.3999999521443642e38,), None)
    assert found is not None
    assert found.count == values.size
    assert found.median == pytest.approx(np.median(values.astype("float64")), rel=1e-6, abs=1e-6)
    assert (found.minimum, found.maximum) == (values.min(), values.max())
    assert found.magnitude99 == pytest.approx(
        np.percentile(np.abs(values.astype("float64")), 99), rel=1e-6, abs=1e-6
    )


def test_nothing_valid_has_no_statistics() -> None:
    assert statistics(np.zeros(9, "uint16"), (0.0,), None) is None
    assert statistics(np.full(9, np.nan), (), None) is None


@given(st.integers(0, 9999), st.floats(0.01, 0.9), st.booleans())
def test_the_offset_follows_the_baseline(baseline: int, median: float, dotted: bool) -> None:
    text = f"{baseline:04d}"
    groups = {"baseline": f"{text[:2]}.{text[2:]}" if dotted else text}
    values = _summary(np.full(9, round((median + 0.1) / 0.0001)))
    found = baseline_offset(-0.1, "sentinel2", groups, values, datetime(2018, 1, 1))
    assert (found.offset, found.known) == (-0.1 if baseline >= 400 else 0.0, True)


@pytest.mark.parametrize(
    ("stored", "known", "proportional"),
    [
        (np.linspace(8, 51, 64).astype("uint8"), False, False),
        (np.linspace(3.3, 20.1, 64, dtype="float32"), False, True),
        (np.linspace(0.033, 0.201, 64, dtype="float32"), True, True),
        (np.linspace(330.5, 2010.5, 64, dtype="float32"), True, True),
        (np.linspace(3, 20, 64).astype("uint16"), True, True),
    ],
)
def test_bytes_and_per_cents_are_no_ten_thousandths(
    tmp_path: Path, stored: np.ndarray, known: bool, proportional: bool
) -> None:
    path = write_raster(tmp_path / "S2_B04_2021-06-01.tif", stored.reshape(8, 8))
    (band,) = describe(path).bands
    assert (band.role, band.scale_known, band.proportional) == ("red", known, proportional)


RANDOM = np.random.default_rng(8)


@pytest.mark.parametrize(
    ("name", "low", "high", "scale", "offset"),
    [
        ("A_NDVI_2021-07-12.tif", 0.1, 0.9, 1e-4, 0.0),
        ("A_albedo_2021-07-12.tif", 0.1, 0.4, 1e-3, 0.0),
        ("LC08_L2SP_190029_20210712_20210720_02_T1_SR_B4.TIF", 0.03, 0.3, 2.75e-5, -0.2),
        ("MOD11A1.061_LST_Day_1km_doy2021193_aid0001.tif", 280.0, 315.0, 0.02, 0.0),
        ("LC08_L2SP_190029_20210712_20210720_02_T1_ST_B10.TIF", 280.0, 315.0, 0.00341802, 149.0),
    ],
)
def test_a_tag_of_scale_that_stayed_behind_scaled_values_is_not_used_again(
    tmp_path: Path, name: str, low: float, high: float, scale: float, offset: float
) -> None:
    """Masked and scaled arrays written back, as by rioxarray, often keep the tags of their source."""
    physical = RANDOM.uniform(low, high, (20, 20)).astype("float32")
    found = describe(write_raster(tmp_path / name, physical, scale=scale, offset=offset))
    (band,) = found.bands
    assert (band.scale, band.offset, band.scale_known) == (1.0, 0.0, True)
    assert any("already" in warning for warning in found.warnings)
    place = Workplace(tmp_path, FileResolver(tmp_path))
    (mean,) = place.run("calc_batch_image_mean", file_list=[name])
    np.testing.assert_allclose(mean, physical.mean(dtype="float64"), rtol=1e-6)
    assert any("scaled already" in warning for warning in place.context.warnings)


@pytest.mark.parametrize(
    ("name", "dtype", "stored", "scale"),
    [
        ("A_NDVI_2021-07-12.tif", "int16", 6200, 1e-4),
        ("A_NDVI_2021-07-12.tif", "float32", 6200, 1e-4),
        ("A_albedo_2021-07-12.tif", "float32", 18.5, 0.01),
        ("A_LST_2021-07-12.tif", "uint16", 15000, 0.02),
    ],
)
def test_a_tag_of_scale_is_used_where_the_values_need_it(
    tmp_path: Path, name: str, dtype: str, stored: float, scale: float
) -> None:
    values = (stored * RANDOM.uniform(0.97, 1.03, (20, 20))).astype(dtype)
    (band,) = describe(write_raster(tmp_path / name, values, scale=scale)).bands
    assert band.scale == scale


@pytest.mark.parametrize(("fills", "kept"), [(0, False), (40, True)])
def test_the_valid_range_of_modis_holds_for_no_index_of_another(
    tmp_path: Path, fills: int, kept: bool
) -> None:
    """An index in ten-thousandths by the values alone, below -0.2 over water; -3000 is the fill of MODIS."""
    values = np.random.default_rng(3).integers(-2900, 8200, (60, 60)).astype("int16")
    values.flat[:fills] = -3000
    write_raster(tmp_path / "A_NDVI_2021-06-01.tif", values)
    place = Workplace(tmp_path, FileResolver(tmp_path))
    (mean,) = place.run("calc_batch_image_mean", file_list=["A_NDVI_2021-06-01.tif"])
    counted = values[values >= -2000] if kept else values
    np.testing.assert_allclose(mean, 0.0001 * counted.mean(), rtol=1e-6)


@pytest.mark.parametrize("role", ["ndvi", "evi", "dnbr"])
@pytest.mark.parametrize("fill", [-9999.0, -3000.0, 32767.0])
def test_a_fill_that_was_mixed_with_values_tells_no_scale(role: str, fill: float) -> None:
    """Bilinear resampling leaves fractions of the fill along the edges of what has no data."""
    values = RANDOM.uniform(0.2, 0.8, 4000)
    mixed = RANDOM.random(values.size) < 0.04
    values[mixed] += RANDOM.uniform(0.05, 0.9, mixed.sum()) * fill
    found = find_scaling(StoredValues(role, False, _summary(values)))
    assert (found.scale, found.known) == (1.0, True)
    # Interpolated ten-thousandths and thousandths are fractions too, and stay these.
    numbers = find_scaling(StoredValues(role, False, _summary(RANDOM.uniform(200, 1800, 4000))))
    assert numbers.scale < 0.01


@pytest.mark.parametrize(
    ("name", "most", "open_unit"),
    [
        ("precipitation_2021-07-12.tif", 0.09, True),
        ("precipitation_2021-07-12.tif", 60.0, False),
        ("evapotranspiration_2021-07-12.tif", 0.006, True),
        ("evapotranspiration_2021-07-12.tif", 6.0, False),
    ],
)
def test_as_little_water_as_metres_would_be_has_no_sure_unit(
    tmp_path: Path, name: str, most: float, open_unit: bool
) -> None:
    path = write_raster(tmp_path / name, RANDOM.uniform(0.3 * most, most, (20, 20)).astype("float32"))
    (band,) = describe(path).bands
    assert bool(band.unit_open) is open_unit and band.unit_assumed
    with rasterio.open(path, "r+") as dataset:
        dataset.units = ("mm",)
    assert not describe(path).bands[0].unit_open
