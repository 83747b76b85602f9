"""Correlations against numpy and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from treeline.toolkit.errors import InputError
from treeline.toolkit.statistics import correlation as module
from treeline.toolkit.statistics.correlation import _moments, correlation


def test_rasters_correlate_over_pixels_valid_in_both(workplace):
    random = np.random.default_rng(3)
    x = random.normal(300, 5, (40, 30)).astype("float32")
    y = (0.5 * x + random.normal(0, 1, x.shape)).astype("float32")
    x[:5] = -9
    y[:, :4] = -9
    workplace.raster("x.tif", x, nodata=-9)
    workplace.raster("y.tif", y, nodata=-9)
    found = workplace.run("raster_correlation", path1="x.tif", path2="y.tif")
    both = (x != -9) & (y != -9)
    line = stats.linregress(x[both].astype(float), y[both].astype(float))
    assert found["r"] == pytest.approx(line.rvalue, abs=1e-9)
    assert found["slope"] == pytest.approx(line.slope, rel=1e-8)
    assert found["intercept"] == pytest.approx(line.intercept, rel=1e-6)
    assert found["pixels"] == both.sum()


def test_ranks_give_spearmans_rho_of_all_pairs(workplace):
    random = np.random.default_rng(5)
    arrays = [np.round(random.normal(size=(9, 8)), 1).astype("float32") for _ in range(4)]
    arrays[2][:2] = -9
    for name, values in zip("abcd", arrays, strict=True):
        workplace.raster(f"{name}.tif", values, nodata=-9)
    files = {"path1": ["a.tif", "b.tif"], "path2": ["c.tif", "d.tif"]}
    found = workplace.run("raster_correlation", **files, ranks=True)
    x, y = (np.concatenate([one.ravel(), other.ravel()]) for one, other in (arrays[:2], arrays[2:]))
    assert found["r"] == pytest.approx(stats.spearmanr(x[y != -9], y[y != -9]).statistic, abs=1e-9)
    assert found["pixels"] == (y != -9).sum()


def test_ranks_of_too_many_pixels_are_refused(workplace, monkeypatch):
    workplace.raster("a.tif", np.arange(40.0).reshape(5, 8).astype("float32"))
    monkeypatch.setattr(module, "MOST_RANKED", 30)
    with pytest.raises(InputError, match="at most 30 pixels"):
        workplace.run("raster_correlation", path1="a.tif", path2="a.tif", ranks=True)


def test_pairs_of_images_are_pooled(workplace):
    random = np.random.default_rng(4)
    arrays = {name: random.normal(size=(6, 7)).astype("float32") for name in ("a", "b", "c", "d")}
    for name, values in arrays.items():
        workplace.raster(f"{name}.tif", values)
    found = workplace.run("raster_correlation", path1=["a.tif", "b.tif"], path2=["c.tif", "d.tif"])
    x = np.concatenate([arrays["a"].ravel(), arrays["b"].ravel()]).astype(float)
    y = np.concatenate([arrays["c"].ravel(), arrays["d"].ravel()]).astype(float)
    assert found["r"] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)


def test_a_constant_raster_correlates_with_nothing(workplace):
    workplace.raster("a.tif", np.ones((3, 3), "float32"))
    workplace.raster("b.tif", np.arange(9, dtype="float32").reshape(3, 3))
    with pytest.raises(InputError, match="same value everywhere"):
        workplace.run("raster_correlation", path1="a.tif", path2="b.tif")


def test_lists_correlate_where_both_are_there():
    x, y = [1.0, 2.0, None, 4.0, 7.0], [2.0, 1.0, 5.0, 6.0, 9.0]
    kept = [0, 1, 3, 4]
    expected = stats.pearsonr([x[i] for i in kept], [y[i] for i in kept])
    found = correlation(x, y)
    assert (found["r"], found["p"], found["n"]) == pytest.approx((*expected, 4))
    assert correlation(x, y, ranks=True)["r"] == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ([1.0, 2.0], [1.0], "has 2 numbers"),
        ([1.0, None, 3.0], [1.0, 2.0, 3.0], "2 pairs"),
        ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], "same number"),
    ],
)
def test_lists_without_a_correlation_are_refused(x, y, words):
    with pytest.raises(InputError, match=words):
        correlation(x, y)


@given(
    st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=2, max_size=30),
    st.integers(1, 29),
)
def test_joined_moments_are_those_of_the_whole(pairs, cut):
    x, y = np.array(pairs).T
    cut = min(cut, x.size - 1)
    joined = _moments(x[:cut], y[:cut]).with_(_moments(x[cut:], y[cut:]))
    np.testing.assert_allclose(joined, _moments(x, y), rtol=1e-6, atol=1e-5)
