"""Reading of JSON that others wrote."""

from __future__ import annotations

import pytest

from treeline.toolkit.json_texts import read_json


def test_a_value_is_read_and_what_is_none_refused():
    assert read_json('{"a": [1, null]}') == {"a": [1, None]}
    with pytest.raises(ValueError, match="Expecting property name"):
        read_json("{a}")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_what_nests_without_end_is_refused_as_what_is_no_json(opening: str):
    with pytest.raises(ValueError, match="nested too deep"):
        read_json(opening * 50_000)
