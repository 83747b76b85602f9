from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from tests.rasters import write_raster
from treeline.toolkit.context import ToolContext
from treeline.toolkit.errors import NoValidPixels
from treeline.toolkit.raster import statistics, summarising
from treeline.toolkit.raster.moments import PIECE, Moments

values = st.one_of(st.floats(-1e4, 1e4, width=32), st.just(float("nan")))


@settings(max_examples=60)
@given(arrays("float32", (5, 7), elements=values), st.integers(1, 4))
def test_moments_of_an_order_leave_the_higher_ones(image: np.ndarray, order: int) -> None:
    valid = image[~np.isnan(image)].astype("float64")
    found = Moments.of(image, order)
    assert found.count == valid.size
    if not valid.size:
        return
    deviations = valid - valid.mean()
    second, fourth = (deviations**2).sum(), (deviations**4).sum()
    assert found.mean == pytest.approx(valid.mean(), rel=1e-9, abs=1e-6)
    assert (found.low, found.high) == (valid.min(), valid.max())
    assert found.second == pytest.approx(second if order > 1 else 0.0, rel=1e-6, abs=1e-6)
    assert found.fourth == pytest.approx(fourth if order > 2 else 0.0, rel=1e-6, abs=1e-6)


def test_moments_of_many_pieces_are_those_of_the_whole() -> None:
    image = np.random.default_rng(2).gamma(2, 30, (3 * PIECE + 7,)).astype("float32")
    image[::5] = np.nan
    valid = image[~np.isnan(image)].astype("float64")
    found = Moments.of(image).statistics(image.size, {}, "")
    assert (found.mean, found.std) == pytest.approx((valid.mean(), valid.std()))
    assert (found.skewness, found.kurtosis) == pytest.approx((stats.skew(valid), stats.kurtosis(valid)))


@pytest.mark.parametrize("percentiles", [(), (50.0,)])
@pytest.mark.parametrize("kind", ["float32", "float64", "int16", "int32", "uint8"])
def test_every_type_and_many_blocks(
    context: ToolContext, tmp_path: Path, kind: str, percentiles: tuple[float, ...], monkeypatch
) -> None:
    image = np.random.default_rng(8).integers(0, 120, (1300, 1100)).astype(kind)
    write_raster(tmp_path / "a.tif", image, nodata=7, tiled=True, blockxsize=256, blockysize=256)
    valid = image[image != 7].astype("float64")
    found = statistics("a.tif", percentiles=percentiles, order=2)
    monkeypatch.setattr(summarising, "LARGEST_SORT", 10)
    large = statistics("a.tif", percentiles=percentiles, order=2)
    for result in (found, large):
        assert (result.mean, result.std) == pytest.approx((valid.mean(), valid.std()))
        assert (result.min, result.max, result.count_valid) == (0, 119, valid.size)
        assert dict(result.percentiles) == ({50.0: np.median(valid)} if percentiles else {})


def test_nothing_valid_is_said(context: ToolContext, tmp_path: Path) -> None:
    write_raster(tmp_path / "a.tif", np.full((3, 3), np.nan, "float32"))
    for percentiles in ((), (50.0,)):
        with pytest.raises(NoValidPixels, match=r"a\.tif"):
            statistics("a.tif", percentiles=percentiles)
