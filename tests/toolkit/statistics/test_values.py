"""Lists of numbers set against each other."""

from __future__ import annotations

import pytest

from treeline.toolkit.errors import InputError
from treeline.toolkit.statistics.values import (
    anomaly_of_values,
    combine_values,
    compare_values,
    convert_units,
    days_between,
    join_conditions,
    rank_values,
    step_changes,
    summarize_values,
)


def test_summary_of_one_list_and_of_several() -> None:
    assert summarize_values([1.0, None, 3.0], "mean") == 2.0
    assert summarize_values([[1.0, 3.0], [None]], "max") == [3.0, None]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("difference", -1.0),
        ("absolute_difference", 1.0),
        ("ratio", 0.75),
        ("percent_change", -25.0),
        ("sum", 7.0),
        ("product", 12.0),
        ("normalised_difference", -1 / 7),
    ],
)
def test_combinations(how: str, expected: float) -> None:
    assert combine_values(3.0, 4.0, how) == pytest.approx(expected)  # type: ignore[arg-type]
    assert combine_values([3.0, None], 4.0, how) == [pytest.approx(expected), None]  # type: ignore[arg-type]


def test_nothing_is_divided_by_nothing() -> None:
    assert combine_values(1.0, 0.0, "ratio") is None
    with pytest.raises(InputError, match="differ in length"):
        combine_values([1.0, 2.0], [1.0, 2.0, 3.0])


def test_comparisons() -> None:
    assert compare_values(0.5, "ge", 0.5) is True
    assert compare_values([0.2, None, 0.9], "between", 0.2, 0.8) == [True, None, False]
    with pytest.raises(InputError, match="two limits"):
        compare_values(1.0, "between", 0.0)


def test_conditions_joined() -> None:
    assert join_conditions([[True, True, None], [True, False, True]], "and") == [True, False, None]
    assert join_conditions([[False, True], [False, False]], "or") == [False, True]
    assert join_conditions([[True, False, None]], "not") == [False, True, None]


def test_ranks_share_a_place() -> None:
    assert rank_values([3.0, 1.0, None, 3.0]) == [1, 3, None, 1]
    assert rank_values([3.0, 1.0, None, 3.0], descending=False) == [2, 1, None, 2]


def test_steps_pass_over_what_is_missing() -> None:
    assert step_changes([1.0, None, 3.0, 2.0]) == [None, None, 2.0, -1.0]
    assert step_changes([2.0, 3.0], "percent_change") == [None, 50.0]


def test_anomalies() -> None:
    assert anomaly_of_values(4.0, [1.0, 3.0]) == 2.0
    assert anomaly_of_values(4.0, [1.0, 3.0], "z_score") == pytest.approx(2 / 2**0.5)
    assert anomaly_of_values([3.0], [-2.0], "percent") == [250.0]


def test_days_and_units() -> None:
    assert days_between("2020-02-28", "2020-03-01") == 2
    assert convert_units(25.0, "degC", "K") == 298.15
    assert convert_units([5.0], "degC", "K", difference=True) == [5.0]
    assert convert_units(1.0, "acre", "m2") == 4046.8564224
    assert convert_units([0.01, 0.0, 100.0], "linear power", "dB") == [-20.0, None, 20.0]
    with pytest.raises(InputError):
        convert_units(1.0, "K", "ha")
