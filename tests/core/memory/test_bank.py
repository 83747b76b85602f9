"""What is found in the bank, and how near it must be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from treeline.core.access import Grant
from treeline.core.memory.bank import LEAST_LIKENESS, NEAREST, MemoryBank, _confirm
from treeline.core.memory.bank_exchange import export_items, take_items
from treeline.core.memory.bounds import LONGEST_TEXT
from treeline.core.memory.items import BankItem
from treeline.core.record.ownership import Ownership
from treeline.core.record.store import Store
from treeline.toolkit.errors import InputError

TOPICS = ("mean ndvi of a lake", "mean ndvi of a field", "mean ndvi of a forest", "mean ndvi of a city")
QUESTION = "What is the mean NDVI?"


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[MemoryBank]:
    store = Store(tmp_path / "store.sqlite")
    yield MemoryBank(store)
    store.close()


def item(topic: str, text: str = "", run: str = "r1") -> BankItem:
    return BankItem("pattern", topic, text or f"First the index, then the {topic}.", None, (run,))


def test_the_three_nearest_are_found_best_first(bank: MemoryBank):
    bank.consolidate([item(topic) for topic in TOPICS])
    found = bank.search(QUESTION)
    assert len(found) == 3
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert len(bank.search(QUESTION, 4, least=-1.0)) == 4


def test_an_item_is_found_from_a_tenth_of_likeness(bank: MemoryBank):
    bank.consolidate([item(topic) for topic in (*TOPICS, "length of a road", "ships in a harbour")])
    every = bank.search(QUESTION, 10, least=-1.0)
    assert len(every) == 6
    assert bank.search(QUESTION, 10) == [hit for hit in every if hit.score >= 0.1]
    one = every[1]
    assert bank.search(QUESTION, 10, least=one.score)[-1].score == one.score  # the limit itself counts
    assert (NEAREST, LEAST_LIKENESS) == (3, 0.1)


def test_muted_items_and_those_with_an_expected_output_are_not_found(bank: MemoryBank):
    bank.consolidate([item(TOPICS[0]), item(TOPICS[1], "The mean was 0.7341.")])
    assert [hit.item.topic for hit in bank.search(QUESTION, without=("0.7341",))] == [TOPICS[0]]
    muted = next(known for known in bank.items() if known.topic == TOPICS[0])
    bank.mute(muted.key)
    assert [hit.item.topic for hit in bank.search(QUESTION)] == [TOPICS[1]]


def test_the_same_item_again_adds_its_run_and_merging_adds_the_counts(bank: MemoryBank):
    assert len(bank.consolidate([item(TOPICS[0])])) == 1
    assert bank.consolidate([item(TOPICS[0], run="r2")]) == ()
    bank.consolidate([item(TOPICS[1], run="r3")])
    first, second = sorted(bank.items(), key=lambda known: -len(known.provenance))
    assert first.provenance == ("r1", "r2")
    for success in (True, True, False):
        bank.count_use([first.key], "helped" if success else "neither")
    bank.count_use([second.key], "helped")
    bank.merge(first.key, [second.key, first.key, "no such key"])
    (left,) = bank.items()
    assert (left.uses, left.helps, left.provenance) == (4, 3, ("r1", "r2", "r3"))


def test_what_one_person_learned_is_not_anothers(store):
    ana, ben, local = (MemoryBank(store, owner=owner) for owner in ("ana@example.org", "ben@example.org", ""))
    item = BankItem("pattern", "Where is the lake?", "Look at the water index first.")
    (hers,), (his,) = ana.consolidate([item]), ben.consolidate([item])
    assert hers.key != his.key
    assert [len(bank.items()) for bank in (ana, ben, local)] == [1, 1, 0]
    assert ana.consolidate([item]) == ()
    ben.mute(hers.key)
    ben.judge(hers.key, "rejected", "ben")
    ben.count_use([hers.key], "harmed")
    ben.remove(hers.key)
    (found,) = ana.items()
    assert (found.muted, found.review, found.harms, found.text) == (False, "accepted", 0, item.text)
    assert [hit.item.key for hit in ana.search("Where is the lake?")] == [hers.key]
    for act in (lambda: ben.get(hers.key), lambda: ben.edit(hers.key, "x", "", None)):
        with pytest.raises(InputError):
            act()
    ben.merge(his.key, [hers.key])
    assert len(ana.items()) == 1


def test_what_is_shared_enters_the_runs_of_others_and_is_changed_by_its_owner_alone(store):
    ana, ben = (MemoryBank(store, owner=name, shared=True) for name in ("ana", "ben"))
    learned = replace(item(TOPICS[0]), expression='[{"node":"area"}]')
    (hers,) = ana.consolidate([learned])
    assert ben.items() == []
    Ownership(store).share("item", hers.key, Grant.to_person("ben"))
    assert [each.owner for each in ben.items()] == ["ana"] and ben.get(hers.key).text == hers.text
    assert [hit.item.key for hit in ben.search(TOPICS[0])] == [hers.key]
    assert [each.key for each in ben.of_key(learned.expression)] == [hers.key]
    # Only where a run lets in what is shared.
    assert MemoryBank(store, owner="ben").items() == MemoryBank(store, owner="eva", shared=True).items() == []
    ben.mute(hers.key)
    ben.remove(hers.key)
    with pytest.raises(InputError):
        ben.edit(hers.key, "mine", "", None)
    assert ana.get(hers.key) == hers
    ben.count_use([hers.key], "harmed")
    assert ana.get(hers.key).harms == 1
    exported = json.dumps(export_items(ben.items()))
    assert "ana" not in exported
    (his,) = take_items(ben, exported)
    assert his.key != hers.key and len(ben.items()) == 2
    # What is deleted is shared no more, also when it is learned again.
    ana.remove(hers.key)
    ana.consolidate([learned])
    assert [each.key for each in ben.items()] == [his.key]


def test_a_text_of_an_item_is_one_character_to_the_limit(bank: MemoryBank):
    (one,) = bank.consolidate([item(TOPICS[0])])
    for text in ("x", "x" * LONGEST_TEXT):
        bank.edit(one.key, f" {text} ", "", None)
        assert bank.items()[0].text == text
    for text in (" ", "x" * (LONGEST_TEXT + 1)):
        with pytest.raises(InputError, match="characters"):
            bank.edit(one.key, text, "", None)


def test_merging_adds_what_harmed_and_an_import_counts_anew(bank: MemoryBank):
    first, second = bank.consolidate([item(TOPICS[0]), item(TOPICS[1])])
    bank.count_use([first.key, second.key], "harmed")
    bank.count_use([second.key], "helped")
    exported = json.dumps(export_items(bank.items()))
    bank.merge(first.key, [second.key])
    (left,) = bank.items()
    assert (left.uses, left.helps, left.harms) == (3, 1, 2)
    bank.remove(left.key)
    assert [(new.uses, new.helps, new.harms) for new in take_items(bank, exported)] == [(0, 0, 0)] * 2


@pytest.mark.parametrize(
    ("here", "again", "after"),
    [
        ("proposed", "accepted", "accepted"),
        ("proposed", "proposed", "proposed"),
        ("accepted", "proposed", "accepted"),
        ("accepted", "accepted", "accepted"),
    ],
)
def test_what_is_proposed_is_accepted_when_an_accepted_one_says_the_same(here, again, after):
    known, found = (
        replace(item(TOPICS[0]), review=review, reviewer=who) for review, who in ((here, "a"), (again, "b"))
    )
    now = _confirm(known, found)
    assert (now.review, now.reviewer) == (after, "b" if here != after else "a")
