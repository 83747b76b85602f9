from __future__ import annotations

import numpy as np
import pymannkendall
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from treeline.toolkit.analysis.trends import compute_linear_trend, mann_kendall_test, sens_slope
from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.series import SIGNIFICANCE, MannKendall, mann_kendall, pair_slopes, times

FIRST = [1, 3, 2, 4, 4, 6, 7, 7, 8, 10]
SECOND = [5, 4, 6, 7, 5, 8, 9, 9, 11, 10, 12]
values = st.floats(-1e4, 1e4).map(lambda value: round(value, 2))


@pytest.mark.parametrize(
    ("series", "s", "variance", "z", "p", "slope", "intercept"),
    [
        (FIRST, 41, 123, 3.606679, 0.000310141, 1.0, 0.5),
        (SECOND, 45, 163, 3.446346, 0.000568222, 0.75, 4.25),
    ],
)
def test_mann_kendall_gives_the_worked_numbers(series, s, variance, z, p, slope, intercept):
    result = mann_kendall_test(series)
    assert result["trend"] == "increasing"
    assert (result["s"], result["variance"]) == (s, variance)
    assert result["z"] == pytest.approx(z, abs=1e-6)
    assert result["p"] == pytest.approx(p, abs=1e-9)
    assert (result["slope"], result["intercept"]) == (slope, intercept)


@given(st.lists(values, min_size=3, max_size=40))
def test_mann_kendall_equals_pymannkendall(series):
    if len(set(series)) == 1:
        series[0] += 1
    ours, theirs = mann_kendall(np.array(series)), pymannkendall.original_test(series)
    assert (ours.s, ours.trend()) == (theirs.s, theirs.trend)
    assert ours.variance == pytest.approx(theirs.var_s)
    assert ours.z == pytest.approx(theirs.z)
    assert ours.p == pytest.approx(theirs.p, abs=1e-12)
    assert ours.tau == pytest.approx(theirs.Tau)


def test_a_constant_series_has_no_trend():
    assert mann_kendall(np.full(8, 3.0)).trend() == "no trend"


def test_autocorrelation_is_corrected_on_request():
    series = np.cumsum(np.random.default_rng(1).normal(0, 1, 40)).tolist()
    plain, corrected = mann_kendall_test(series), mann_kendall_test(series, autocorrelation="hamed_rao")
    assert corrected["p"] == pytest.approx(pymannkendall.hamed_rao_modification_test(series).p)
    assert corrected["p"] > plain["p"]


@given(st.lists(values, min_size=3, max_size=40).filter(lambda x: np.ptp(x) > 0))
def test_the_line_equals_scipy(series):
    line, expected = compute_linear_trend(series), stats.linregress(range(len(series)), series)
    assert line["slope"] == pytest.approx(expected.slope)
    assert line["intercept"] == pytest.approx(expected.intercept)
    assert line["standard_error"] == pytest.approx(expected.stderr)


def test_missing_values_take_their_times_with_them():
    with use_context(ToolContext()) as context:
        line = compute_linear_trend([0, None, 4, float("nan"), 8], [0, 1, 2, 3, 4])
    assert line["slope"] == pytest.approx(2)
    assert line["count"] == 3
    assert "2 of 5" in context.warnings[0]


def test_dates_become_years_in_which_each_day_is_as_long():
    assert times(["2000-01-01", "2003-12-31", "2004-01-01", 2021], "x") == pytest.approx(
        [2000, 2004 - 1 / 365.25, 2004, 2021]
    )
    line = compute_linear_trend([0, 366, 731], ["2020-01-01", "2021-01-01", "2022-01-01"])
    assert line["slope"] == pytest.approx(365.25)
    assert line["r2"] == pytest.approx(1)


def test_two_points_have_a_line_but_no_certainty():
    line = compute_linear_trend([1, 2])
    assert (line["slope"], line["p"], line["standard_error"]) == (1, None, None)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"y": [1, 2], "x": [5, 5]}, "5"),
        ({"y": [1, 2], "x": [5]}, "1 values"),
        ({"y": [1]}, "found 1"),
        ({"y": []}, "found 0"),
        ({"y": [1, 2], "x": ["spring", 3]}, "spring"),
        ({"y": [0.2, 0.1, 0.4], "x": [0.2, 0.1, 0.4]}, "the same numbers"),
    ],
)
def test_a_line_needs_points_at_different_times(arguments, found):
    with pytest.raises(InputError, match=found):
        compute_linear_trend(**arguments)


@pytest.mark.parametrize(
    ("given", "per"),
    [
        (None, "step"),
        (["2020-01-01", "2021-01-01", "2022-01-01"], "year"),
        ([1, 2, 5], "unit of "),
        (["1", 2, 5], "unit of "),
    ],
)
def test_a_slope_tells_what_it_is_per(given, per):
    assert compute_linear_trend([1, 2, 4], given)["per"].startswith(per)
    assert sens_slope([1, 2, 4], given)["per"].startswith(per)
    assert mann_kendall_test([1, 2, 4])["per"] == "step"


@given(st.lists(values, min_size=2, max_size=30))
def test_sens_slope_is_the_median_of_the_pair_slopes(series):
    result = sens_slope(series)
    assert result["slope"] == pytest.approx(float(np.median(pair_slopes(np.array(series)))))
    assert result["lower"] <= result["slope"] <= result["upper"] or len(series) < 4


def test_sens_slope_keeps_the_steps_across_a_gap():
    assert sens_slope([0, None, None, 3])["slope"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("p", "trend"), [(0.0499, "increasing"), (0.05, "no trend"), (0.052, "no trend"), (0.0001, "increasing")]
)
def test_a_trend_is_one_below_five_per_cent(p: float, trend: str):
    assert SIGNIFICANCE == 0.05
    assert MannKendall(5, 1, 1.96, p, 0.5).trend() == trend


@pytest.mark.parametrize(("swing", "p", "significant"), [(1.9, 0.047859, True), (1.95, 0.053182, False)])
def test_a_line_is_significant_below_five_per_cent(swing: float, p: float, significant: bool):
    found = compute_linear_trend([n + swing * (-1) ** n for n in range(8)])
    assert found["p"] == pytest.approx(p, abs=1e-6) and found["significant"] is significant
