from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from tests.rasters import write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import NoValidPixels, Stopped
from treeline.toolkit.raster import conditional_statistics, reduce_pixels, share, statistics
from treeline.toolkit.raster.moments import Moments
from treeline.toolkit.raster.selection import select

PERCENTILES = (0, 1, 2.5, 25, 50, 75, 90, 99.9, 100)
SLOW_OK = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])


def check(found, values: np.ndarray, total: int) -> None:
    exact = values[~np.isnan(values)].astype("float64")
    assert (found.count_valid, found.count_total) == (exact.size, total)
    assert found.mean == pytest.approx(exact.mean(), rel=1e-9, abs=1e-9)
    assert found.std == pytest.approx(exact.std(), rel=1e-9, abs=1e-9)
    assert (found.min, found.max) == (pytest.approx(exact.min()), pytest.approx(exact.max()))
    assert found.sum == pytest.approx(exact.sum(), rel=1e-9, abs=1e-6)
    assert found.skewness == pytest.approx(stats.skew(exact), rel=1e-6, abs=1e-6)
    assert found.kurtosis == pytest.approx(stats.kurtosis(exact), rel=1e-6, abs=1e-6)
    expected = np.percentile(exact, PERCENTILES)
    np.testing.assert_allclose([found.percentiles[p] for p in PERCENTILES], expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "int32", "float32", "float64"])
@pytest.mark.parametrize("layout", [{}, {"tiled": True, "blockxsize": 256, "blockysize": 256}])
def test_equal_to_numpy_over_many_blocks(
    context: ToolContext, tmp_path: Path, dtype: str, layout: dict
) -> None:
    pixels = np.random.default_rng(0).gamma(2.0, 12.0, (1100, 1300)).clip(0, 120).astype(dtype)
    pixels[:300, :300] = 7
    write_raster(tmp_path / "a.tif", pixels, nodata=7, **layout)
    found = statistics("a.tif", percentiles=PERCENTILES)
    check(found, np.where(pixels == 7, np.nan, pixels), pixels.size)


@pytest.mark.parametrize("scale", [0.01, -0.5])
def test_scaled_integers_are_exact(context: ToolContext, tmp_path: Path, scale: float) -> None:
    pixels = np.random.default_rng(1).integers(-500, 900, (40, 50)).astype("int16")
    write_raster(tmp_path / "a.tif", pixels, scale=scale, offset=3.0, descriptions=["lst"])
    found = statistics("a.tif", percentiles=PERCENTILES)
    check(found, pixels * scale + 3.0, pixels.size)
    assert found.unit == "K"


def test_a_large_mean_loses_no_digits(context: ToolContext, tmp_path: Path) -> None:
    pixels = 1e8 + np.random.default_rng(2).normal(size=(1500, 1200))
    write_raster(tmp_path / "a.tif", pixels)
    assert statistics("a.tif").std == pytest.approx(pixels.std(), rel=1e-7)


def test_equal_values_have_no_shape(context: ToolContext, tmp_path: Path) -> None:
    for dtype in ("uint8", "float32"):
        write_raster(tmp_path / "a.tif", np.full((5, 5), 7, dtype=dtype))
        found = statistics("a.tif", percentiles=[50])
        assert (found.std, found.min, found.max, found.percentiles[50]) == (0.0, 7.0, 7.0, 7.0)
        assert np.isnan(found.skewness) and np.isnan(found.kurtosis)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_all_nodata_says_so(context: ToolContext, tmp_path: Path, dtype: str) -> None:
    write_raster(tmp_path / "a.tif", np.zeros((5, 5), dtype=dtype), nodata=0)
    with pytest.raises(NoValidPixels, match="a.tif"):
        statistics("a.tif", percentiles=[50])
    with pytest.raises(NoValidPixels, match="a.tif"):
        share(lambda a: a > 0, {"a": "a.tif"})


@SLOW_OK
@given(
    arrays.arrays(
        "float32",
        arrays.array_shapes(min_dims=2, max_dims=2, max_side=9),
        elements=st.floats(-(2.0**99), 2.0**99, width=32) | st.sampled_from([0.0, -0.0, 1.0, np.nan]),
    )
)
def test_order_statistics_of_any_floats(context: ToolContext, tmp_path: Path, pixels: np.ndarray) -> None:
    write_raster(tmp_path / "any.tif", pixels)
    valid = np.sort(pixels[~np.isnan(pixels)])
    if not valid.size:
        with pytest.raises(NoValidPixels):
            statistics("any.tif")
        return
    found = statistics("any.tif", percentiles=[0, 100])
    assert (found.percentiles[0], found.percentiles[100]) == (valid[0], valid[-1])


@given(
    arrays.arrays(
        st.sampled_from(["float32", "float64"]),
        st.integers(1, 40),
        elements=st.floats(-(2.0**99), 2.0**99, width=32),
    )
)
def test_selection_is_sorting(values: np.ndarray) -> None:
    found = select(lambda count: count(values), range(values.size), values.dtype)
    assert [found[rank] for rank in range(values.size)] == np.sort(values).tolist()


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40), st.data())
def test_moments_merge_wherever_they_are_cut(values: list[float], data) -> None:
    array = np.array(values)
    cut = data.draw(st.integers(0, len(values)))
    whole, merged = Moments.of(array), Moments.of(array[:cut]).merge(Moments.of(array[cut:]))
    assert merged.count == whole.count
    for name in ("mean", "second", "third", "fourth"):
        size = max(1.0, float(np.abs(array).max())) ** {"mean": 1, "second": 2, "third": 3, "fourth": 4}[name]
        assert getattr(merged, name) == pytest.approx(getattr(whole, name), rel=1e-6, abs=1e-7 * size)


def test_share_counts_what_is_valid_in_all(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.array([[1.0, 2.0, 3.0, np.nan]]))
    write_raster(tmp_path / "b.tif", np.array([[1.0, 1.0, np.nan, 1.0]]))
    found = share(lambda a, b: a > b, {"a": "a.tif", "b": "b.tif"})
    assert (found.met, found.valid, found.fraction, found.percent) == (1, 2, 0.5, 50.0)


def test_a_condition_that_holds_for_nan_counts_no_masked_pixel(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.array([[1.0, np.nan]]))
    assert share(lambda a: ~(a > 5), {"a": "a.tif"}).met == 1


def test_statistics_where_others_meet_a_condition(context: ToolContext, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    value, other = rng.normal(size=(2, 1200, 1100))
    other[:50] = np.nan
    write_raster(tmp_path / "v.tif", value)
    write_raster(tmp_path / "o.tif", other)
    found = conditional_statistics(
        "v.tif", lambda value: ~(value < 0.5), {"value": "o.tif"}, percentiles=PERCENTILES
    )
    check(found, np.where(other >= 0.5, value, np.nan), value.size)
    with pytest.raises(NoValidPixels, match="condition"):
        conditional_statistics("v.tif", lambda o: o > 1e9, {"o": "o.tif"})


def test_reduce_merges_in_the_order_of_the_blocks(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.arange(3000.0)[:, None].repeat(20, 1))
    firsts = reduce_pixels(lambda a: [float(a[0, 0])], lambda a, b: a + b, {"a": "a.tif"})
    assert firsts == sorted(firsts) and len(firsts) == 3


def test_a_stop_ends_a_reduction(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.zeros((3000, 20)))
    context.progress = lambda *_: context.stop.set()
    with pytest.raises(Stopped):
        statistics("a.tif")


def test_the_real_ndvi_of_slovenia(context: ToolContext, shared: Path) -> None:
    import rasterio

    path = sorted((shared / "rasters" / "slovenia_sentinel2" / "ndvi").glob("*.tif"))[3]
    context.resolver.folder = path.parent
    with rasterio.open(path) as dataset:
        pixels = dataset.read(1, masked=True).filled(np.nan)
    check(statistics(path.name, percentiles=PERCENTILES), pixels, pixels.size)
