"""The memory bank: patterns and guardrails distilled from runs, bound to no question.

GeoEvolver, sections 3.3 and 3.4: retrieval by the inner product of unit vectors (equation 5),
consolidation by a canonical key (equation 9), a filter against leaking answers in benchmarks.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np
from sqlalchemy import insert, select, update

from treeline.core.memory.leakage import leaks
from treeline.core.memory.topics import Topics, topics_of
from treeline.core.record.store import Store
from treeline.core.record.tables import BANK
from treeline.knowledge.embedding import Embedder
from treeline.knowledge.index import VectorIndex

Kind = Literal["pattern", "guardrail", "contrast"]

# Decisions: what a prompt has room for beside cards and documents, and a likeness that two questions without
# a telling word in common do not reach under the lexical embedder.
NEAREST = 3
LEAST_LIKENESS = 0.1


@dataclass(frozen=True, slots=True)
class BankItem:
    """What the bank keeps.

    Attributes
    ----------
    topic : str
        What kind of question it is about: it is found by its likeness to this.
    text : str
        The experience, in a few sentences, as a language model reads it.
    form : dict
        The same for a policy without a language model: ``kind_of_question`` and ``tools``.
    provenance : tuple of str
        Runs that it was distilled from.
    uses, successes : int
        Runs that it entered; those of them that succeeded.
    """

    kind: Kind
    topic: str
    text: str
    form: dict[str, Any] = field(default_factory=dict)
    provenance: tuple[str, ...] = ()
    uses: int = 0
    successes: int = 0
    muted: bool = False
    created: datetime | None = None

    @property
    def key(self) -> str:
        """The canonical key: kind of item, kind of question, and what is said in the policy's form."""
        said = self.form or " ".join(self.text.casefold().split())
        return hashlib.sha256(json.dumps([self.kind, said], sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Hit:
    """An item that was found, with its likeness (-1 to 1)."""

    item: BankItem
    score: float


class MemoryBank:
    """Items of the bank, kept in the store.

    Parameters
    ----------
    store : Store
    embedder : Embedder, optional
        By default the local lexical one, fitted on the topics in the bank.
    """

    def __init__(self, store: Store, embedder: Embedder | None = None) -> None:
        self.store = store
        self._topics = Topics(embedder) if embedder else None

    def items(self, muted: bool = True) -> list[BankItem]:
        """Return all items, the oldest first."""
        with self.store.engine.connect() as connection:
            rows = connection.execute(select(BANK).order_by(BANK.c.created, BANK.c.key)).all()
        return [item for item in map(_item, rows) if muted or not item.muted]

    def consolidate(self, items: Iterable[BankItem]) -> tuple[BankItem, ...]:
        """Add the items whose key is new and return them; of the others only the source is added."""
        given: dict[str, BankItem] = {}
        for item in items:
            same = given.get(item.key)
            given[item.key] = _join(same, item.provenance) if same else item
        query = select(BANK).where(BANK.c.key.in_(list(given)))
        with self.store.engine.begin() as connection:
            known = {row.key: _item(row) for row in connection.execute(query)}
            added = tuple(item for key, item in given.items() if key not in known)
            if added:
                connection.execute(insert(BANK), [_row(item) for item in added])
            for key, item in known.items():
                runs = _join(item, given[key].provenance).provenance
                values = {"provenance": json.dumps(runs)}
                connection.execute(update(BANK).where(BANK.c.key == key).values(values))
        return added

    def search(
        self, question: str, count: int = NEAREST, least: float = LEAST_LIKENESS, without: Sequence[str] = ()
    ) -> list[Hit]:
        """Return the items nearest to a question, best first.

        Parameters
        ----------
        least : float
            Likeness below which an item is left out.
        without : sequence of str
            Expected outputs of a benchmark: an item that holds one of them is never retrieved.
        """
        known = [item for item in self.items() if not leaks(f"{item.topic} {item.text}", without)]
        items = [item for item in known if not item.muted]
        if not items:
            return []
        topics = self._topics or topics_of([item.topic for item in known])
        vectors = np.vstack(
            [topics.vectors([item.topic for item in items]), topics.embedder.embed([question])]
        )
        index = VectorIndex(vectors.shape[1])
        by_key = {item.key: item for item in items}
        index.add([item.key for item in items], vectors[:-1])
        found = index.search(vectors[-1], count)
        return [Hit(by_key[key], score) for key, score in found if score >= least]

    def count_use(self, keys: Iterable[str], success: bool) -> None:
        """Count that items entered a run, and whether it succeeded."""
        with self.store.engine.begin() as connection:
            for key in keys:
                values = {"uses": BANK.c.uses + 1, "successes": BANK.c.successes + int(success)}
                connection.execute(update(BANK).where(BANK.c.key == key).values(values))

    def mute(self, key: str, muted: bool = True) -> None:
        """Leave an item out of retrieval, or take it in again."""
        with self.store.engine.begin() as connection:
            connection.execute(update(BANK).where(BANK.c.key == key).values(muted=muted))

    def merge(self, kept: str, others: Iterable[str]) -> None:
        """Join items into one: its source and counts grow by theirs, and they go."""
        known = {item.key: item for item in self.items()}
        gone = [known[key] for key in others if key in known and key != kept]
        runs = [run for item in [known[kept], *gone] for run in item.provenance]
        values = {
            "provenance": json.dumps(list(dict.fromkeys(runs))),
            "uses": known[kept].uses + sum(item.uses for item in gone),
            "successes": known[kept].successes + sum(item.successes for item in gone),
        }
        with self.store.engine.begin() as connection:
            connection.execute(update(BANK).where(BANK.c.key == kept).values(values))
            connection.execute(BANK.delete().where(BANK.c.key.in_([item.key for item in gone])))


def _join(item: BankItem, provenance: Iterable[str]) -> BankItem:
    """Return an item with further runs that it was distilled from."""
    return replace(item, provenance=tuple(dict.fromkeys([*item.provenance, *provenance])))


def _row(item: BankItem) -> dict[str, Any]:
    return {
        "key": item.key,
        "kind": item.kind,
        "topic": item.topic,
        "content": json.dumps({"text": item.text, "form": item.form}),
        "provenance": json.dumps(list(item.provenance)),
        "uses": item.uses,
        "successes": item.successes,
        "muted": item.muted,
        "created": time.time(),
    }


def _item(row: Any) -> BankItem:
    content = json.loads(row.content)
    return BankItem(
        row.kind, row.topic, content["text"], content["form"], tuple(json.loads(row.provenance)), row.uses,
        row.successes, row.muted, datetime.fromtimestamp(row.created, UTC),
    )  # fmt: skip
