"""The calculator and the rows of a result."""

from __future__ import annotations

import pytest

from treeline.toolkit.errors import InputError
from treeline.toolkit.statistics.hand import calculate, get_rows


@pytest.mark.parametrize(
    ("formula", "values", "result"),
    [
        ("100 * (b - a) / a", {"a": 0.25, "b": 0.5}, 100.0),
        ("(3 + 5) / 2", None, 4.0),
        ("sqrt(x) + 2 ** 3", {"x": 16.0}, 12.0),
        ("x - 273.15", {"x": [300.0, None, 273.15]}, [pytest.approx(26.85), None, 0.0]),
        ("sum(x) / count(x)", {"x": [1.0, None, 5.0]}, 3.0),
        ("mean(x * 2) - median(x)", {"x": [1.0, 2.0, 6.0]}, 4.0),
        ("count(x > 0.5)", {"x": [0.4, 0.6, None, 0.9]}, 2.0),
        ("count((x > 0.5) & ~(x > 0.8))", {"x": [0.4, 0.6, 0.9]}, 1.0),
        ("(x - min(x)) / (max(x) - min(x))", {"x": [2.0, 3.0, 6.0]}, [0.0, 0.25, 1.0]),
    ],
)
def test_arithmetic(formula, values, result):
    assert calculate(formula, values) == result


@pytest.mark.parametrize(
    ("formula", "values", "said"),
    [
        ("a + b", {"a": 1.0}, "'b'"),
        ("a / 0", {"a": 1.0}, "no value"),
        ("1 / 0", None, "cannot be computed"),
        ("10.0 ** 10 ** 10", None, "cannot be computed"),
        ("__import__('os').getcwd()", None, "not arithmetic"),
        ("a.real", {"a": 1.0}, "not arithmetic"),
        ("[x for x in (1, 2)]", None, "not arithmetic"),
        ("a + b", {"a": [1.0, 2.0], "b": [1.0]}, "differ in length"),
        ("1 + " * 200 + "1", None, "characters"),
        ("sum(x)", {"x": [None]}, "no number"),
        ("sum(x, 2)", {"x": [1.0]}, "not arithmetic"),
        ("count(y > 1)", {"x": [1.0]}, "'y'"),
    ],
)
def test_what_is_no_arithmetic_is_refused(formula, values, said):
    with pytest.raises(InputError, match=said):
        calculate(formula, values)


def test_rows_by_place_and_by_text():
    table = [{"class": f"class {n}", "mean": n / 10} for n in range(1, 45)]
    assert get_rows(table, 43) == table[42:]
    assert get_rows(table, 1, 2, "CLASS 3") == [table[2], table[29]]
    assert get_rows({"a": 1, "b": 2}, 2) == {"b": 2}
    with pytest.raises(InputError, match="no row 45 of 44"):
        get_rows(table, 45)
    with pytest.raises(InputError, match="counted from 1"):
        get_rows(table, 0)
