"""Values as language models write them."""

from __future__ import annotations

from typing import Any

import pytest

from treeline.core.engine.values import _DEEPEST, _LONGEST, list_of, make_readable, unquote, unwrap
from treeline.toolkit.errors import InputError


@pytest.mark.parametrize(
    ("text", "plain"),
    [('"a.tif"', "a.tif"), ("' a '", "a"), ("``", ""), ("'", "'"), ("'a\"", "'a\""), ("a", "a"), ("", "")],
)
def test_quotation_marks_around_a_text_go(text: str, plain: str):
    assert unquote(text) == plain


def test_values_may_be_nested_as_deep_as_the_limit():
    def nest(value: Any, depth: int, wrap: Any) -> Any:
        for _ in range(depth):
            value = wrap(value)
        return value

    for wrap in (lambda v: [v], lambda v: {"a": v}):
        assert make_readable(nest(1, _DEEPEST, wrap)) == nest(1, _DEEPEST, wrap)
        with pytest.raises(InputError, match=f"more than {_DEEPEST} levels"):
            make_readable(nest(1, _DEEPEST + 1, wrap))


def test_a_value_in_a_schema_and_a_list_in_a_text_are_read():
    assert unwrap({"type": "array", "value": [1]}) == [1]
    assert unwrap({"type": 1, "value": [1]}) == {"type": 1, "value": [1]}
    assert list_of(" [a.tif, 'b.tif'] ") == ["a.tif", "b.tif"]
    assert list_of("[a") is list_of("a]") is list_of("a") is None


def test_a_list_may_be_as_long_as_the_longest_and_no_longer():
    longest = f"[{'1' * (_LONGEST - 2)}]"
    assert list_of(longest) == [longest[1:-1]]
    assert list_of(f"[1{longest[1:]}") is None
