from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.tsa.seasonal import STL
from statsmodels.tsa.stattools import acf

from treeline.toolkit.analysis.breaks import (
    LAPLACE_DIFFERENCE,
    count_spikes_from_values,
    detect_change_points,
)
from treeline.toolkit.analysis.seasons import autocorrelation_function, detect_seasonality_acf, stl_decompose
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import InputError

MONTHS = np.arange(60)
SEASONAL = (10 + 0.1 * MONTHS + 3 * np.sin(2 * np.pi * MONTHS / 12)).tolist()


def test_the_parts_of_a_decomposition_add_up():
    parts = stl_decompose(SEASONAL, 12)
    whole = np.sum([parts["trend"], parts["seasonal"], parts["resid"]], axis=0)
    assert whole == pytest.approx(SEASONAL)
    assert parts["seasonal"] == pytest.approx(STL(np.array(SEASONAL), period=12, robust=True).fit().seasonal)
    assert parts["seasonal_strength"] > 0.99


def test_a_gap_is_interpolated_and_told():
    gapped = [*SEASONAL]
    gapped[30] = None
    with use_context(ToolContext()) as context:
        parts = stl_decompose(gapped, 12)
    assert len(parts["trend"]) == 60
    assert "interpolated" in context.warnings[0]


@pytest.mark.parametrize("period", [1, 31])
def test_a_period_that_does_not_fit_is_refused(period):
    with pytest.raises(InputError, match="period"):
        stl_decompose(SEASONAL, period)


@given(st.lists(st.floats(-100, 100), min_size=5, max_size=60).filter(lambda x: np.ptp(x) > 1e-3))
def test_autocorrelation_equals_statsmodels_and_stays_within_one(series):
    found = autocorrelation_function(series, 4)
    assert found == pytest.approx(acf(np.array(series), nlags=4), abs=1e-9)
    assert max(map(abs, found)) <= 1 + 1e-9


def test_lags_end_with_the_series():
    with use_context(ToolContext()) as context:
        assert len(autocorrelation_function([1, 2, 3, 1], 20)) == 4
    assert "lags to 3" in context.warnings[0]


def test_a_constant_has_no_autocorrelation():
    with pytest.raises(InputError, match="constant"):
        autocorrelation_function([2, 2, 2])


@pytest.mark.parametrize("period", [2, 5, 7, 12, 23])
def test_the_season_is_found_on_a_trend(period):
    index = np.arange(5 * period)
    series = 0.5 * index + np.cos(2 * np.pi * index / period)
    assert detect_seasonality_acf(series.tolist()) == period


@pytest.mark.parametrize("series", [[1, 2, 3], list(range(40)), [4.0] * 30])
def test_a_line_is_not_a_season(series):
    assert detect_seasonality_acf(series) == "Data is not cyclical"


def test_noise_is_not_a_season():
    noise = np.random.default_rng(3).normal(size=200)
    assert detect_seasonality_acf(noise.tolist()) == "Data is not cyclical"


def test_change_points_stand_at_the_very_index():
    signal = [level + ((i * 7919) % 13 - 6) / 20 for i, level in enumerate([0] * 20 + [5] * 20 + [1] * 20)]
    assert detect_change_points(signal, penalty=2 * 0.03675 * np.log(60)) == [20, 40, 60]
    assert detect_change_points([0] * 12 + [9] * 13) == [12, 25]


def test_without_a_penalty_the_noise_sets_it():
    random = np.random.default_rng(5)
    noise = random.normal(0, 0.3, 300)
    assert detect_change_points(noise.tolist(), penalty=None) == [300]
    steps = noise + np.repeat([0, 2, -1], 100)
    assert detect_change_points(steps.tolist(), penalty=None) == [100, 200, 300]


@pytest.mark.parametrize("model", ["l2", "l1", "normal"])
def test_a_fall_of_an_index_is_found_without_a_penalty(model):
    noise = np.random.default_rng(7).normal(0, 0.03, 40)
    signal = (np.repeat([0.8, 0.3], 20) + noise).tolist()
    assert detect_change_points(signal, model=model, penalty=None) == [20, 40]
    assert detect_change_points(noise.tolist(), model=model, penalty=None) == [40]


def test_a_penalty_that_nothing_could_outweigh_is_not_taken(tmp_path):
    signal = (np.repeat([0.8, 0.3], 20) + np.random.default_rng(7).normal(0, 0.03, 40)).tolist()
    with use_context(ToolContext(tmp_path)) as context:
        assert detect_change_points(signal) == [20, 40]
        assert "no change could be found" in context.warnings[0]
    with use_context(ToolContext(tmp_path)) as context:
        assert detect_change_points(signal, penalty=2.4) == [20, 40]
        assert not context.warnings


def test_a_line_that_turns_is_found():
    up = np.arange(30) * 0.02
    turned = np.concatenate([up, up[-1] - 0.03 * np.arange(1, 31)])
    signal = turned + np.random.default_rng(8).normal(0, 0.005, 60)
    first, last = detect_change_points(signal.tolist(), model="linear")
    assert abs(first - 30) <= 1 and last == 60
    straight = 0.5 + np.arange(60) * 0.02 + np.random.default_rng(9).normal(0, 0.01, 60)
    assert detect_change_points(straight.tolist(), model="linear") == [60]


@pytest.mark.parametrize("factor", [0.001, 1, 1000])
def test_the_unit_of_a_series_does_not_matter(factor):
    signal = np.repeat([0.8, 0.3], 20) + np.random.default_rng(7).normal(0, 0.03, 40)
    for model in ("l2", "l1", "linear"):
        found = detect_change_points(signal.tolist(), model=model, penalty=None)
        assert 20 in found
        assert detect_change_points((signal * factor).tolist(), model=model, penalty=None) == found


def test_the_noise_of_laplace_is_half_the_time_below_its_median():
    noise = np.random.default_rng(1).laplace(0, 1, 400_001)
    assert np.median(np.abs(np.diff(noise))) == pytest.approx(LAPLACE_DIFFERENCE, rel=0.01)


@pytest.mark.parametrize(
    "arguments",
    [
        {"signal": [1, 2, 3]},
        {"signal": [1, 2, 3, 4, 5], "model": "linear"},
        {"signal": []},
        {"signal": [0] * 9, "penalty": 0},
        {"signal": [0] * 9, "min_size": 0},
        {"signal": [0] * 9, "model": "rbf", "penalty": None},
    ],
)
def test_change_points_refuse_what_they_cannot_use(arguments):
    with pytest.raises(InputError):
        detect_change_points(**arguments)


def test_spikes_are_rises_above_the_threshold():
    assert count_spikes_from_values([0, 0.1, 0.3, None, 0.35, 1, 0]) == 2
    assert count_spikes_from_values([0, 1, 2], spike_threshold=1) == 0


@pytest.mark.parametrize(
    ("period", "seasonal", "trend"), [(12, 7, 23), (12, 13, 21), (23, 7, 45), (46, 11, 81)]
)
def test_stl_smooths_the_trend_by_the_published_rule(period: int, seasonal: int, trend: int) -> None:
    time = np.arange(5 * period)
    noise = np.random.default_rng(period).normal(0, 0.4, time.size)
    series = 0.02 * time + np.sin(2 * np.pi * time / period) + noise
    found = stl_decompose(series.tolist(), period, seasonal=seasonal)
    expected = STL(series, period=period, seasonal=seasonal, trend=trend, robust=True).fit()
    np.testing.assert_allclose(found["trend"], expected.trend, rtol=1e-9)
    np.testing.assert_allclose(found["seasonal"], expected.seasonal, rtol=1e-9, atol=1e-12)
