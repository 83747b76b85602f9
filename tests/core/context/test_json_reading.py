"""Values as models write them: nothing but what JSON can hold comes out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.context.json_reading import read_value, values_in


@pytest.mark.parametrize(
    "text",
    [
        '{"tool": "mean", "arguments": {"x": ',
        '{"tool": "mea',
        '{"a": "never closed}',
        "[1, 2",
        "{",
        '{"x": [1, 2, ...]}',
        '{"x": [1, 2, \u2026]}',
        "{x: [1, ...,]}",
        "[1e999]",
        "...",
        '["@ndvi", ...]',
        "{'files': ['a.tif', ...]}",
        "[1j]",
        "[b'a']",
        "{'a': {'b': (1, ...)}}",
        "[Infinity]",
        '{"x": 1 + 2}',
        '{"x": 0.5*2}',
        '{"x": 10^3}',
        '{"x": 1 000}',
        '{"x": \u22125}',
        '{"x": 5 km}',
        '{"x": 12:30}',
        '{"x": [0.1]*3}',
        '{"x": 3 if True else 4}',
        '{"x": }',
        '{"x": @ndvi}',
        '{"x": "a".upper()}',
        '{"x": 1} {"x": 2}',
        '{"x": {"a": 1}}, "y": 2}',
    ],
)
def test_what_json_cannot_hold_is_no_value(text: str):
    with pytest.raises(ValueError):
        read_value(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': (1, None, True)}", {"a": [1, None, True]}),
        ("{1: 'x'}", {"1": "x"}),
        ("[1, 2,]", [1, 2]),
        ("[NaN, 1]", [None, 1]),
    ],
)
def test_what_python_prints_becomes_json(text: str, value: object):
    assert read_value(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"tool": "mean" "arguments": {}}', {"tool": "mean", "arguments": {}}),
        ('{tool: \'mean\', "arguments": {"x": [1, 2,],},}', {"tool": "mean", "arguments": {"x": [1, 2]}}),
        ('{"a": 1, // the first\n "b": true}', {"a": 1, "b": True}),
        ('{"text": "It is ... so", }', {"text": "It is ... so"}),
        ('```json\n{"a": [1, 2]}\n```', {"a": [1, 2]}),
        ('{"a": [1, 2]}}', {"a": [1, 2]}),
        ('{"a": [1, 2]}<|im_end|>', {"a": [1, 2]}),
        ('{"a": [1, 2]} // all of it', {"a": [1, 2]}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"a": 1 /* one */, b: 1.50, c: ndvi.tif}', {"a": 1, "b": 1.5, "c": "ndvi.tif"}),
        ("{\u201ca\u201d: \u201cb\u201d}", {"a": "b"}),
        ('{"a": "he said "yes" to it"}', {"a": 'he said "yes" to it'}),
    ],
)
def test_what_breaks_the_rules_of_json_and_is_whole_is_read(text: str, value: object):
    assert read_value(text) == value


_plain = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text("ab '"), st.binary(), st.complex_numbers()
)
_nested = st.recursive(
    _plain, lambda item: st.one_of(st.lists(item), st.tuples(item), st.dictionaries(_plain, item))
)


@given(_nested)
def test_whatever_python_prints_is_json_or_refused(value: object):
    try:
        found = read_value(repr(value))
    except ValueError:
        return
    json.dumps(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', [(0, {"a": 1})]),
        ('So: {"a": [1]} and [3]', [(4, {"a": [1]}), (19, [3])]),
        ("[see below] [3]", [(12, [3])]),
        ('[[{"b": 2}', [(2, {"b": 2})]),  # what is never closed hides nothing that is
        ('[{"b": 2}', [(1, {"b": 2})]),
        ("none", []),
    ],
)
def test_values_are_found_in_a_text_with_where_they_begin(text: str, found: list[tuple[int, object]]):
    assert list(values_in(text)) == found


def test_a_text_that_was_encoded_several_times_is_read():
    text = json.dumps({"a": 1})
    for _ in range(3):
        assert read_value(text) == {"a": 1}
        text = json.dumps(text)
