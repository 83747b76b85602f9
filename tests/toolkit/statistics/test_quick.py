from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from toolkit.context import use_context
from toolkit.errors import NoValidPixels
from toolkit.raster import statistics
from toolkit.statistics import quick

values = st.one_of(st.floats(-1e4, 1e4, width=32), st.just(float("nan")))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arrays("float32", (5, 7), elements=values), st.booleans())
def test_one_pass_gives_what_the_engine_gives(workplace, image, with_percentiles):
    image[0, 0] = 1
    workplace.raster("a.tif", image)
    wanted = (10.0, 50.0) if with_percentiles else ()
    with use_context(workplace.context):
        found, expected = quick.image_statistics("a.tif", wanted), statistics("a.tif", percentiles=wanted)
    assert found.count_valid == expected.count_valid == np.isfinite(image).sum()
    for name in ("mean", "std", "min", "max", "sum", "skewness", "kurtosis"):
        assert getattr(found, name) == pytest.approx(
            getattr(expected, name), rel=1e-6, abs=1e-6, nan_ok=True
        ), name
    assert found.percentiles == pytest.approx(expected.percentiles, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("percentiles", [(), (50.0,)])
@pytest.mark.parametrize("kind", ["float32", "float64", "int16", "int32", "uint8"])
def test_every_type_and_many_blocks(workplace, kind, percentiles, monkeypatch):
    image = np.random.default_rng(8).integers(0, 120, (1300, 1100)).astype(kind)
    workplace.raster("a.tif", image, nodata=7, tiled=True, blockxsize=256, blockysize=256)
    valid = image[image != 7].astype("float64")
    with use_context(workplace.context):
        found = quick.image_statistics("a.tif", percentiles)
        monkeypatch.setattr(quick, "LARGEST_SORT", 10)
        large = quick.image_statistics("a.tif", percentiles)
    for result in (found, large):
        assert (result.mean, result.std) == pytest.approx((valid.mean(), valid.std()))
        assert (result.min, result.max, result.count_valid) == (0, 119, valid.size)
        assert dict(result.percentiles) == ({50.0: np.median(valid)} if percentiles else {})


def test_nothing_valid_is_said(workplace):
    workplace.raster("a.tif", np.full((3, 3), np.nan, "float32"))
    for percentiles in ((), (50.0,)):
        with use_context(workplace.context), pytest.raises(NoValidPixels, match="a.tif"):
            quick.image_statistics("a.tif", percentiles)
