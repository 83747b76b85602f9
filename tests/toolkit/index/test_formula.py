"""The grammar of formulas: arithmetic is computed, everything else is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.toolkit.errors import InputError
from treeline.toolkit.index.formula import parse

ATTACKS = (
    "__import__('os').system('id')",
    "().__class__.__bases__",
    "N.__class__",
    "open('/etc/passwd')",
    "[N for N in (1,)]",
    "(lambda: 1)()",
    "N if R else G",
    "N[0]",
    "'a' * 10",
    "True + N",
    "exp(N, out=R)",
    "N; R",
    "N = 1",
    "f'{N}'",
    "N and R",
    "N @ R",
    "9**9**9**9",
    "",
    "(" * 500 + "N" + ")" * 500,
)


@pytest.mark.parametrize("text", ATTACKS)
def test_refuses_what_is_not_arithmetic(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)({"N": 1.0, "R": 2.0})


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("where(N > 1, R > 2, 0)", r"where\(R > 2, 1, 0\)"),
        ("where(N > 1 and R < 2, 1, 0)", r"\(a > 1\) & \(b < 2\)"),
    ],
)
def test_conditions_are_told_how_they_are_written(text: str, does: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(text)
    assert re.search(does, refused.value.hint)


def test_names_in_order_of_use() -> None:
    assert parse("g * (N - R) / (N + C1 * R)").names == ("g", "N", "R", "C1")


def test_one_divided_by_zero_is_an_input_error() -> None:
    with pytest.raises(InputError, match="cannot be computed"):
        parse("1 / 0")({})


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_equals_numpy(n: float, r: float) -> None:
    values = {"N": np.float64(n), "R": np.float64(r)}
    expected = -np.exp(-((n - r) ** 2) / 2) + np.sqrt(abs(n)) * 2**2 - (+r)
    assert parse("-rbf(N, R, 1) + sqrt(abs(N)) * 2 ** 2 - +R")(values) == pytest.approx(expected, abs=1e-12)


def test_float32_stays_float32() -> None:
    band = np.ones(3, np.float32)
    assert parse("2.5 * (N - R) / (N + 6 * R + 1)")({"N": band, "R": band}).dtype == np.float32


def test_pixels_are_left_out_where_a_formula_says_nodata() -> None:
    formula, bands = parse("where(c == 0, n, nodata)"), {"c": np.array([0, 1]), "n": np.ones(2, np.float32)}
    assert formula.names == ("c", "n")
    assert np.array_equal(formula(bands), [1, np.nan], equal_nan=True)
    assert formula(bands).dtype == np.float32
