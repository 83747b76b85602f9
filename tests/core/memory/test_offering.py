"""A failure's lesson reaches other questions of its kind once it is reviewed, and none besides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from treeline.core.context.guardrails import AvoidCall, AvoidTool, LeaveOut, MaskFirst, RequireRole, UseTool
from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.demands import rules_for_kind
from treeline.core.memory.entries import Lesson, Source
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.keys import Key, key_of
from treeline.core.memory.learning import _review
from treeline.core.memory.offering import accept_what_helped, offer
from treeline.core.query.expression import Aggregate, Compare, Node, Number, Variable
from treeline.core.record.store import Store

LST = Variable("lst", unit="K", clouds="masked")
NOT_BRIGHTNESS = RequireRole("lst", ("bt10",), "Not a black body.")


def share(limit: float, variable: Variable = LST) -> Node:
    return Aggregate("share", Compare(variable, "gt", Number(limit, "K")), "pixel")


KEY = key_of([share(301)])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def fail(store: Store, run: str, key: Key = KEY, *rules: object) -> None:
    lesson = Lesson("It measured another variable.", rules or (NOT_BRIGHTNESS,))
    entry = FailureMemory(store, "me").add(Source("i", "Share above 301 K?", "w", run, run), lesson)
    offer(MemoryBank(store), entry, key)


def test_what_is_offered_waits_for_a_review_and_holds_at_another_limit_then(store: Store):
    bank = MemoryBank(store)
    fail(store, "first")
    (item,) = bank.items()
    assert item.review == "proposed" and bank.of_key(KEY.text) == [] and not bank.search(item.topic)
    bank.judge(item.key, "accepted", "ada")
    at_300 = key_of([share(300)])
    assert [found.guardrails for found in bank.of_key(at_300.text)] == [(NOT_BRIGHTNESS,)]
    bank.judge(item.key, "rejected", "ada")
    assert bank.of_key(at_300.text) == []


def test_an_attempt_that_was_told_of_it_and_succeeded_speaks_for_it(store: Store):
    bank = MemoryBank(store)
    fail(store, "first")
    assert accept_what_helped(bank, ["another run"]) == ()
    assert len(accept_what_helped(bank, ["first"])) == 1
    (item,) = bank.items()
    assert (item.review, item.reviewer) == ("accepted", "judge")


@pytest.mark.parametrize(("outcome", "review"), [("harmed", "proposed"), ("helped", "accepted")])
def test_a_run_that_was_told_of_a_failure_speaks_for_its_offer_where_it_succeeded(
    store: Store, outcome: str, review: str
):
    bank, memory = MemoryBank(store), FailureMemory(store, "me")
    fail(store, "first")
    memory.record_use(memory.entries()[0].id, "second", 10)
    _review(bank, memory, "second", outcome)
    assert [item.review for item in bank.items()] == [review]


def test_the_same_failure_again_is_one_offer(store: Store):
    fail(store, "first")
    fail(store, "second", key_of([share(295.5)]))
    (item,) = MemoryBank(store).items()
    assert item.provenance == ("first", "second")


@pytest.mark.parametrize(
    "other",
    [
        Aggregate("share", Compare(LST, "lt", Number(301, "K")), "pixel"),
        Aggregate("area", Compare(LST, "gt", Number(301, "K")), "pixel"),
        share(301, replace(LST, role="bt10")),
        share(301, replace(LST, clouds="included")),
        Aggregate("share", Compare(LST, "gt", Number(28, "°C")), "pixel"),
    ],
)
def test_another_question_is_told_nothing(store: Store, other: Node):
    bank = MemoryBank(store)
    fail(store, "first")
    bank.judge(bank.items()[0].key, "accepted", "ada")
    assert bank.of_key(key_of([other]).text) == []


def test_only_what_the_key_carries_itself_holds_for_a_kind():
    masked = key_of([share(301)]).text
    with_brightness = key_of([Aggregate("mean", Variable("bt10"), "pixel")]).text
    mixed = key_of([share(301), Aggregate("mean", Variable("ndvi"), "pixel")]).text
    mask = MaskFirst("Clouds.")
    assert list(rules_for_kind([NOT_BRIGHTNESS, mask], masked)) == [NOT_BRIGHTNESS, mask]
    assert list(rules_for_kind([NOT_BRIGHTNESS, mask], with_brightness)) == []
    assert list(rules_for_kind([mask], mixed)) == []
    assert list(rules_for_kind([NOT_BRIGHTNESS, mask], "")) == []
    of_one = [LeaveOut("a.tif"), AvoidTool("mean"), AvoidCall("mean", {}), UseTool("mean")]
    assert list(rules_for_kind(of_one, masked)) == []


def test_a_lesson_that_harmed_twice_mutes_itself_and_again_after_it_was_taken_in(store: Store):
    bank = MemoryBank(store)
    fail(store, "first")
    key = bank.items()[0].key
    bank.judge(key, "accepted", "ada")
    for outcome in ("helped", "harmed", "neither"):
        bank.count_use([key], outcome)  # type: ignore[arg-type]
    assert not bank.get(key).muted
    bank.count_use([key], "harmed")
    item = bank.get(key)
    assert item.muted and (item.uses, item.helps, item.harms) == (4, 1, 2)
    assert bank.of_key(KEY.text) == []
    bank.mute(key, False)
    bank.count_use([key], "harmed")
    assert not bank.get(key).muted
    bank.count_use([key], "harmed")
    assert bank.get(key).muted


def test_an_entry_that_failed_twice_all_the_same_mutes_itself(store: Store):
    memory = FailureMemory(store, "me")
    entry = memory.add(Source("i", "Q", "w", "root", "run"), Lesson("Do it otherwise."))
    for run in ("a", "b"):
        assert not memory.get(entry.id).muted
        memory.record_use(entry.id, run, 5)
        memory.record_success(run, False)
    found = memory.get(entry.id)
    assert found.muted and (found.uses, found.helped, found.harmed) == (2, 0, 2)


def test_what_failed_with_another_entry_or_helped_mutes_none(store: Store):
    memory = FailureMemory(store, "me")
    one, other = (
        memory.add(Source(instance, "Q", "w", instance, "run"), Lesson("Do it otherwise."))
        for instance in ("i", "j")
    )
    for run, entry, helped in (("a", one, True), ("b", one, False), ("c", other, False)):
        memory.record_use(entry.id, run, 5)
        memory.record_success(run, helped)
    found = [memory.get(entry.id) for entry in (one, other)]
    assert [(entry.muted, entry.helped, entry.harmed) for entry in found] == [(False, 1, 1), (False, 0, 1)]
