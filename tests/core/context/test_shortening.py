"""Values in short, at the limits of what is kept."""

from __future__ import annotations

import pytest

from treeline.core.context.shortening import Detail, brief, cut

SMALL = Detail(first=2, last=1, pairs=2, text=8)


@pytest.mark.parametrize(
    ("value", "short"),
    [
        ([1, 2, 3], "[1,2,3]"),
        ([1, 2, 3, 4], "[1,2,...4...,4]"),
        (["a1.tif"], "[a1.tif]"),
        (["a1.tif", "a2.tif"], "a[1,2].tif"),
        ([], "[]"),
        ({"a": 1, "b": 2}, "{a:1,b:2}"),
        ({"a": [1, 2, 3], "b": 2, "c": 3}, "{b:2,c:3,...3...}"),
        ("12345678", "12345678"),
        ("123456789", "123456...89"),
        ("/data/lake/a.tif", "a.tif"),
        ("a / b", "a / b"),
        ("a/b*2.5", "a/b*2.5"),
        ("x/a.tif#2", "a.tif#2"),
        ("[1, 2]", "[1,2]"),
        ("[1, 2", "[1, 2"),
        (0.123456789, "0.12346"),
        (None, "none"),
        (7, "7"),
    ],
)
def test_a_value_is_told_in_short(value: object, short: str):
    assert brief(value, SMALL) == short


def test_a_number_has_as_many_digits_as_are_wanted():
    assert brief(0.512345678, Detail(digits=15)) == "0.512345678"
    assert brief(0.1 + 0.2, Detail(digits=15)) == "0.3"


def test_a_line_is_cut_where_it_is_longer():
    assert cut("a  b\nc", 5) == "a b c"
    assert cut("abcdefghij", 9) == "abcde ..." and cut("abc", 2) == " ..."
