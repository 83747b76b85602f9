"""Which memory an exported value is of, and what none of the two takes."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter

from treeline.core.memory import imports
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.exchange import BANK, FAILURES, _memory_of, export_lessons, take
from treeline.core.memory.failure import FailureMemory
from treeline.core.record.store import Store
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


ITEM = {"kind": "pattern", "topic": "What is the mean?", "text": "First the index."}
ENTRY = {
    "id": "a1",
    "instance": "i",
    "question": "What is the mean?",
    "workspace": "w",
    "owner": "ann",
    "shared": False,
    "root": "r",
    "run": "r",
    "round": 1,
    "created": "2026-01-01T00:00:00Z",
    "lesson": {"text": "It failed."},
}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (ITEM | {"text": "x" * 8_001}, "8,001"),
        (ITEM | {"text": " "}, "1 to 8,000 characters"),
        (ITEM | {"topic": "x" * 200_000}, "200,000"),
        (ITEM | {"provenance": ["run"] * 100_000}, "200,000"),
        (ITEM | {"expression": "{no JSON"}, "list of expressions"),
        (ITEM | {"expression": '{"node": "Variable"}'}, "list of expressions"),
        (ITEM | {"expression": "[" * 2_000 + "]" * 2_000}, "list of expressions"),
        (
            ITEM | {"expression": '[{"node": "A", "of": ' + "[" * 100 + "]" * 100 + "}]"},
            "list of expressions",
        ),
        (ITEM | {"reviewer": "x" * 129}, "reviewer has at most 128"),
        (ITEM | {"text": "a\0b"}, "NUL"),
        (ENTRY | {"lesson": {"text": ""}}, "1 to 8,000 characters"),
        (ENTRY | {"lesson": {"text": "x" * 8_001}}, "8,001"),
        (ENTRY | {"expression": "7"}, "list of expressions"),
        (ENTRY | {"round": 10**30}, "round is from 0"),
        (ENTRY | {"round": -1}, "round is from 0"),
        (ENTRY | {"id": "x" * 33}, "id has at most 32"),
        (ENTRY | {"id": ""}, "no id"),
    ],
)
def test_what_no_memory_could_have_written_is_refused_and_nothing_is_added(
    store: Store, given: dict, said: str
):
    memory, bank = FailureMemory(store, "ann"), MemoryBank(store)
    with pytest.raises(InputError, match=said):
        take(memory, bank, json.dumps([ITEM, ENTRY | {"id": "b2"}, given]))
    assert memory.entries() == [] and bank.items() == []


def test_what_is_exported_and_taken_in_again_is_the_same(store: Store, tmp_path):
    memory, bank = FailureMemory(store, "ann"), MemoryBank(store)
    take(
        memory,
        bank,
        json.dumps([ITEM, ITEM | {"text": "Not so.", "muted": True, "review": "rejected"}, ENTRY]),
    )
    exported = export_lessons(memory, memory.entries(), bank.items())
    with closing(Store(tmp_path / "other.sqlite")) as other:
        taker, of_taker = FailureMemory(other, "ann"), MemoryBank(other)
        take(taker, of_taker, json.dumps(exported))
        assert export_lessons(taker, taker.entries(), of_taker.items()) == exported


@pytest.mark.parametrize(("said", "year"), [("0001-01-01T00:00:00", 2000), ("9999-01-01T00:00:00Z", None)])
def test_a_lesson_is_from_no_time_before_the_record_and_none_after_today(
    store: Store, said: str, year: int | None
):
    now = datetime.now(UTC)
    memory, bank = FailureMemory(store, "ann"), MemoryBank(store)
    take(memory, bank, json.dumps([ITEM | {"created": said}, ENTRY | {"created": said}]))
    for when in (memory.entries()[0].created, bank.items()[0].created):
        assert when is not None
        assert when.year == year if year else now <= when <= datetime.now(UTC)
