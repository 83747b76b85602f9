"""Memories with thousands of items: what is counted is the work, not the time."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import event

from treeline.core.memory.bank import MemoryBank
from treeline.core.memory.entries import Lesson, Source
from treeline.core.memory.failure import FailureMemory
from treeline.core.memory.items import BankItem
from treeline.core.memory.topics import MOST_FITTED, topics_of
from treeline.core.record.store import Store
from treeline.knowledge.embedding import LexicalEmbedder

SUBJECTS = ("ndvi of a lake", "snow in March", "burned area", "heat in the city", "slope of a hill")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store.sqlite")


def items(count: int, first: int = 0) -> list[BankItem]:
    return [
        BankItem("pattern", f"{SUBJECTS[n % 5]} {n % 700}", f"Way {n}.", None, (f"run{n}",))
        for n in range(first, first + count)
    ]


@pytest.fixture
def embedding_counts(monkeypatch) -> list[int]:
    """How many texts were embedded, by call."""
    counts: list[int] = []
    embed = LexicalEmbedder.embed

    def count_texts(self, texts):
        counts.append(len(texts))
        return embed(self, texts)

    monkeypatch.setattr(LexicalEmbedder, "embed", count_texts)
    return counts


def test_a_topic_is_embedded_once_however_often_the_bank_is_searched_and_grows(store, embedding_counts):
    bank = MemoryBank(store)
    bank.consolidate(items(3_000))
    assert "burned area" in bank.search("Which area was burned?")[0].item.topic
    assert sum(embedding_counts) <= 701
    del embedding_counts[:]
    bank.search("How much snow?")
    assert embedding_counts == [1]
    del embedding_counts[:]
    bank.consolidate([BankItem("pattern", "clouds over the sea", "Mask first.")])
    fitted = len({item.topic for item in bank.items()})
    assert bank.search("clouds over the sea")[0].item.text == "Mask first."
    assert sum(embedding_counts) <= (2 if fitted > MOST_FITTED else fitted + 1)


def test_beyond_so_many_topics_a_growing_bank_keeps_its_fit(embedding_counts):
    texts = [f"{SUBJECTS[n % 5]} {n}" for n in range(MOST_FITTED + 5)]
    topics_of(texts).vectors(texts)
    del embedding_counts[:]
    found = topics_of([*texts, "clouds"]).vectors([*texts, "clouds"])
    assert embedding_counts == [1] and found.shape[0] == len(texts) + 1
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-4)


def test_ten_thousand_items_enter_in_one_transaction_and_join_their_sources(store):
    commits: list[int] = []
    event.listen(store.engine, "commit", lambda connection: commits.append(1))
    bank = MemoryBank(store)
    assert len(bank.consolidate(items(10_000))) == 10_000 and len(commits) == 1
    again = BankItem("pattern", "x", "Way 7.", None, ("other",))
    assert bank.consolidate([again, again]) == ()
    assert next(i for i in bank.items() if i.text == "Way 7.").provenance == ("run7", "other")


def test_an_export_of_failures_holds_all_and_the_newest_alone_can_be_asked_for(store, tmp_path):
    memory = FailureMemory(store, "me")
    source = Source("i", "Q", "w", "root", "run")
    for number in range(1_001):
        last = memory.add(source, Lesson(f"text {number}"))
    assert [entry.id for entry in memory.entries(limit=1)] == [last.id]
    exported = memory.export()
    assert len(exported) == 1_001
    assert len(FailureMemory(Store(tmp_path / "other.sqlite"), "you").take(json.dumps(exported))) == 1_001
