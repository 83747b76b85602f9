"""Which memory an exported value is of."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from treeline.core.memory import imports
from treeline.core.memory.exchange import BANK, FAILURES, _memory_of
from treeline.toolkit.errors import InputError


@pytest.mark.parametrize(
    ("one", "memory"),
    [
        ({"memory": BANK, "text": "x"}, BANK),
        ({"memory": FAILURES, "text": "x"}, FAILURES),
        ({"topic": "x"}, BANK),  # an export of the bank alone
        ({"cause": "x"}, FAILURES),
        ("no entry", FAILURES),
    ],
)
def test_an_exported_value_is_of_the_memory_that_it_names(one: object, memory: str):
    assert _memory_of(one) == memory


def test_an_export_holds_no_more_entries_than_are_read_at_once(monkeypatch):
    monkeypatch.setattr(imports, "MOST_READ", 2)
    form = TypeAdapter(list[int])
    assert imports.read_export(form, "[1, 2]", "numbers", "") == [1, 2]
    with pytest.raises(InputError, match="3 entries are too many"):
        imports.read_export(form, "[1, 2, 3]", "numbers", "")
