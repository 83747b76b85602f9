"""Statistics along an axis: as numpy and scipy have them, with numbers missing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from treeline.toolkit.describing import describe
from treeline.toolkit.errors import InputError

NUMBERS = st.lists(st.one_of(st.none(), st.floats(-100, 100)), min_size=1, max_size=12)

EXPECTED = {
    "mean": np.mean,
    "median": np.median,
    "min": np.min,
    "max": np.max,
    "sum": np.sum,
    "std": lambda v: np.std(v, ddof=1),
    "variance": lambda v: np.var(v, ddof=1),
    "range": np.ptp,
    "iqr": stats.iqr,
    "mad": stats.median_abs_deviation,
    "rms": lambda v: np.linalg.norm(v) / np.sqrt(v.size),
}


@given(NUMBERS, st.sampled_from(sorted(EXPECTED)))
def test_as_numpy_has_it(values: list[float | None], statistic: str) -> None:
    array = np.array([np.nan if v is None else v for v in values])
    there = array[~np.isnan(array)]
    found = float(describe(array, statistic))
    if there.size < (2 if statistic in ("std", "variance") else 1):
        assert np.isnan(found)
    else:
        assert found == pytest.approx(float(EXPECTED[statistic](there)), rel=1e-9, abs=1e-9)


@given(NUMBERS, st.floats(0, 100))
def test_percentiles_are_linear_between_ranks(values: list[float | None], share: float) -> None:
    array = np.array([np.nan if v is None else v for v in values])
    expected = np.nanpercentile(array, share) if not np.isnan(array).all() else np.nan
    assert float(describe(array, "percentile", share)) == pytest.approx(expected, nan_ok=True, abs=1e-9)


def test_each_pixel_by_itself() -> None:
    stack = np.array([[[1.0, np.nan]], [[3.0, np.nan]], [[np.nan, 5.0]]])
    assert describe(stack, "mean").tolist() == [[2.0, 5.0]]
    assert np.isnan(describe(stack, "std")[0, 1])


@pytest.mark.parametrize(
    ("statistic", "parameter", "values", "expected"),
    [
        ("mode", None, [2, 3, 3, 2, 5], 2.0),
        ("entropy", None, [1, 1, 2, 2], 1.0),
        ("entropy", None, [0.1, 0.1, 0.1], 0.0),
        ("trimmed_mean", 0.25, [0, 1, 3, 100], 2.0),
        ("cv", None, [1, 2, 3], 0.5),
        ("skewness", None, [1, 2, 3], 0.0),
        ("kurtosis", None, [1, 2, 3, 4, 5], -1.3),
        ("count", None, [1, 0, np.nan, 1], 2.0),
        ("share", None, [1, 0, np.nan, 1], 200 / 3),
        ("longest_run", None, [1, np.nan, 1, 0, 1], 2.0),
        ("runs", None, [1, np.nan, 1, 0, 1], 2.0),
        ("onsets", None, [1, np.nan, 1, 0, np.nan, 1, 0], 1.0),
        ("crossings", None, [1, np.nan, 1, 0, np.nan, 1, 0], 3.0),
    ],
)
def test_worked_by_hand(
    statistic: str, parameter: float | None, values: list[float], expected: float
) -> None:
    assert float(describe(np.array(values, float), statistic, parameter)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("statistic", "parameter"),
    [("percentile", None), ("percentile", 101), ("trimmed_mean", 0.5), ("share", 0.6), ("mean", 3.0)],
)
def test_refuses_a_parameter_out_of_range(statistic: str, parameter: float | None) -> None:
    with pytest.raises(InputError):
        describe(np.ones(3), statistic, parameter)
