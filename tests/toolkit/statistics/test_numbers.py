from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.errors import InputError
from treeline.toolkit.statistics import arithmetic, lists
from treeline.toolkit.tool import REGISTRY

EXAMPLE = [2, 4, 4, 5, 7, 9, 12]
varied = st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=30).filter(lambda x: np.ptp(x) > 1e-2)


def test_moments_give_the_worked_numbers():
    assert lists.skewness(EXAMPLE) == pytest.approx(0.588244, abs=1e-6)
    assert lists.skewness(EXAMPLE, bias=False) == pytest.approx(0.762451, abs=1e-6)
    assert lists.kurtosis(EXAMPLE) == pytest.approx(-0.793591, abs=1e-6)
    assert lists.kurtosis(EXAMPLE, bias=False) == pytest.approx(-0.104618, abs=1e-6)
    assert lists.kurtosis(EXAMPLE, fisher=False) == pytest.approx(3 - 0.793591, abs=1e-6)


@given(varied, st.booleans())
def test_moments_equal_scipy(series, bias):
    assert lists.skewness(series, bias) == pytest.approx(stats.skew(series, bias=bias))
    assert lists.kurtosis(series, bias) == pytest.approx(stats.kurtosis(series, bias=bias))


@given(varied)
def test_mean_and_extremes_equal_numpy(series):
    assert lists.mean(series) == pytest.approx(np.mean(series))
    assert lists.max_value_and_index(series) == [max(series), series.index(max(series))]
    assert lists.min_value_and_index(series) == [min(series), series.index(min(series))]


def test_missing_values_keep_the_place_of_the_others():
    with use_context(ToolContext()) as context:
        assert lists.max_value_and_index([None, 1, math.nan, 5]) == [5, 3]
        assert lists.mean([None, 1, math.inf, 3]) == 2
    assert any("left out" in warning for warning in context.warnings)


@pytest.mark.parametrize("function", [lists.mean, lists.max_value_and_index, lists.skewness])
@pytest.mark.parametrize("empty", [[], [None], [math.nan, math.nan]])
def test_a_list_without_numbers_is_refused(function, empty):
    with pytest.raises(InputError, match="'x'"):
        function(empty)


def test_a_constant_has_no_skewness():
    with pytest.raises(InputError, match="constant"):
        lists.skewness([1, 1, 1])


def test_coefficient_of_variation():
    assert lists.coefficient_of_variation([1, 2, 3]) == pytest.approx(0.5)
    assert lists.coefficient_of_variation([1, 2, 3], ddof=0) == pytest.approx(math.sqrt(2 / 3) / 2)
    with pytest.raises(InputError, match="mean"):
        lists.coefficient_of_variation([-1, 1])
    with pytest.raises(InputError, match="at least 2"):
        lists.coefficient_of_variation([1])


def test_elements_are_picked_in_order():
    assert lists.get_list_object_via_indexes(["a", "b", "c"], [2, 0, -1]) == ["c", "a", "c"]
    with pytest.raises(InputError, match="holds 3"):
        lists.get_list_object_via_indexes(["a", "b", "c"], [3])


def test_arithmetic():
    assert arithmetic.difference(2, 5) == 3
    assert arithmetic.division(4, 2) == 0.5
    assert arithmetic.percentage_change(50, 75) == 50
    assert arithmetic.percentage_change(-10, -5) == 50
    assert arithmetic.kelvin_to_celsius(273.15) == 0
    assert arithmetic.celsius_to_kelvin(-273.15) == 0
    assert arithmetic.multiply(3, 4) == 12
    assert arithmetic.ceil_number(2.1) == 3


@pytest.mark.parametrize(
    ("function", "arguments", "name"),
    [
        (arithmetic.division, (0, 1), "'a'"),
        (arithmetic.percentage_change, (0, 1), "'a'"),
        (arithmetic.multiply, (1, math.nan), "'b'"),
        (arithmetic.ceil_number, (math.inf,), "'n'"),
        (arithmetic.kelvin_to_celsius, (-1,), "K"),
        (arithmetic.celsius_to_kelvin, (-300,), "Celsius"),
    ],
)
def test_numbers_without_a_result_are_refused(function, arguments, name):
    with pytest.raises(InputError, match=name):
        function(*arguments)


def test_numbers_in_text_are_numbers_and_other_text_is_refused():
    tool = REGISTRY.get("multiply")
    assert tool.function(**tool.validate({"a": "3", "b": 2})) == 6
    with pytest.raises(InputError, match="'b'.*'two'"):
        tool.validate({"a": "3", "b": "two"})
