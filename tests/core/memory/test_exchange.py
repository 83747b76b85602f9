"""Which memory an exported value is of."""

from __future__ import annotations

import pytest

from treeline.core.memory.exchange import BANK, FAILURES, _memory_of


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
