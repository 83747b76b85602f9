from __future__ import annotations

import json

import pytest

from treeline.core.engine.events import Note
from treeline.core.engine.journal import record_event
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.bank_exchange import export_items, take_items
from treeline.core.memory.items import BankItem
from treeline.core.record.store import Store
from treeline.core.teams.bank_history import Counts, changes, distillations
from treeline.toolkit.errors import InputError

PATTERN = BankItem("pattern", "mean ndvi", "Index, then mean.", None, ("first",))
CONTRAST = BankItem("contrast", "mean ndvi", "All called a.", None, ("first",))


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def work(store: Store, run: str, *items: BankItem, used: tuple[str, ...] = (), success: bool = True) -> None:
    """Record a team's run that found some items, used others, and ended."""
    bank = MemoryBank(store)
    store.create_run(run, "w", f"question of {run}", {"team": "evolver"})
    if used:
        record_event(store, run, Note("", {"team": "memory", "keys": list(used)}))
        bank.count_use(used, "helped" if success else "neither")
    record_event(store, run, Note("", {"team": "verdict", "chosen": True, "success": success}))
    added = bank.consolidate(items)
    told = {"keys": [item.key for item in added], "texts": [item.text for item in added]}
    record_event(store, run, Note("", {"team": "distilled", **told}))


def test_a_run_shows_what_was_new_what_it_confirmed_and_what_it_used(store):
    work(store, "first", PATTERN, CONTRAST)
    again = BankItem("pattern", "mean ndvi", "Index, then mean.", None, ("second",))
    work(store, "second", again, used=(PATTERN.key, CONTRAST.key))
    work(store, "third", used=(PATTERN.key,), success=False)
    items = MemoryBank(store).items()
    history = distillations(store, items)
    assert [each.run for each in history] == ["first", "second", "third"]
    assert [change.before for change in changes(history, "first", items)] == [None, None]
    second = {change.key: change for change in changes(history, "second", items)}
    assert second[PATTERN.key].marks == ("confirmed", "used")
    assert second[PATTERN.key].before == Counts(1, 0, 0)
    assert second[PATTERN.key].after == Counts(2, 1, 1)
    assert second[CONTRAST.key].marks == ("used",)
    (third,) = changes(history, "third", items)
    assert third.after == Counts(2, 2, 1)
    item = next(item for item in items if item.key == PATTERN.key)
    assert (len(item.provenance), item.uses, item.helps) == (2, 2, 1)


def test_an_item_that_was_merged_since_keeps_its_text_in_the_history(store):
    work(store, "first", PATTERN, CONTRAST)
    MemoryBank(store).merge(PATTERN.key, [CONTRAST.key])
    items = MemoryBank(store).items()
    gone = next(c for c in changes(distillations(store, items), "first", items) if c.item is None)
    assert gone.text == CONTRAST.text


def test_an_unknown_run_changed_nothing(store):
    assert changes([], "none", []) == []


def test_an_export_is_taken_in_by_another_bank(store, tmp_path):
    work(store, "first", PATTERN, CONTRAST, used=())
    text = json.dumps(export_items(MemoryBank(store).items()))
    other = Store(tmp_path / "other.sqlite")
    assert len(take_items(MemoryBank(other), text)) == 2
    assert take_items(MemoryBank(other), text) == ()
    assert {item.key for item in MemoryBank(other).items()} == {PATTERN.key, CONTRAST.key}
    other.close()


@pytest.mark.parametrize("text", ["", "[1]", '[{"kind": "rumour", "topic": "", "text": ""}]'])
def test_what_is_no_export_is_refused_and_nothing_is_added(store, text):
    with pytest.raises(InputError, match="no export of the memory bank"):
        take_items(MemoryBank(store), text)
    assert MemoryBank(store).items() == []
