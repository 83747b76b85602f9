"""The memory bank: patterns and guardrails distilled from runs, kept by the kind of their question.

GeoEvolver, sections 3.3 and 3.4: retrieval by the inner product of unit vectors (equation 5),
consolidation by a canonical key (equation 9), a filter against leaking answers in benchmarks.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np
from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Connection, Update, insert, select, update

from treeline.core.access import Kind as KindOfThing
from treeline.core.context.guardrails import Guardrail
from treeline.core.memory.bounds import canonical_key, check_row, check_text, moment_within
from treeline.core.memory.demands import demand_only
from treeline.core.memory.items import HARMS_TO_MUTE, BankItem, Review
from treeline.core.memory.leakage import leaks
from treeline.core.memory.likeness import alike
from treeline.core.memory.procedure import Procedure
from treeline.core.memory.topics import Topics, topics_of
from treeline.core.record.alterations import read_row
from treeline.core.record.ownership import names_shared_with
from treeline.core.record.store import Store
from treeline.core.record.tables import BANK, GRANTS
from treeline.knowledge.embedding import Embedder
from treeline.knowledge.index import VectorIndex
from treeline.toolkit.errors import InputError

# Decisions: what a prompt has room for beside cards and documents, and a likeness that two questions without
# a telling word in common do not reach under the lexical embedder.
NEAREST = 3
LEAST_LIKENESS = 0.1
# Of one key: so many older ones a new item is compared with.
_MOST_COMPARED = 200
SHARED_AS: KindOfThing = "item"

Outcome = Literal["helped", "harmed", "neither"]


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
    owner : str
        The person of a team whose items these are; empty for those of a server of one person.
    shared : bool
        Whether what others share with the owner is read as well. It is changed by whom it belongs to alone.
    """

    def __init__(
        self, store: Store, embedder: Embedder | None = None, owner: str = "", *, shared: bool = False
    ) -> None:
        self._store = store
        self.owner = owner
        self._shared = shared and bool(owner)
        self._topics = Topics(embedder) if embedder else None

    def items(self, muted: bool = True) -> list[BankItem]:
        """Return all items, the oldest first."""
        with self._store.reading() as connection:
            found = self._items(connection, self._is_seen())
        return [item for item in found.values() if muted or not item.muted]

    def get(self, key: str) -> BankItem:
        """Return an item by its key, or by the beginning of it.

        Raises
        ------
        InputError
            There is none, or more than one.
        """
        with self._store.reading() as connection:
            found = [
                item
                for stored, item in self._items(connection, self._is_seen()).items()
                if key and stored.startswith(key)
            ]
        if len(found) != 1:
            told = f"{len(found)} items of the memory bank begin with" if found else "The memory bank has no"
            raise InputError(f"{told} {key!r}.", "`treeline memory list` lists what both memories hold.")
        return found[0]

    def of_key(self, expression: str, without: Sequence[str] = ()) -> list[BankItem]:
        """Return the items that hold for the questions of a key and may enter a run, what helped most first.

        Parameters
        ----------
        without : sequence of str
            As for :meth:`search`.
        """
        if not expression:
            return []
        query = select(BANK).where(BANK.c.expression == expression, self._is_seen())
        with self._store.reading() as connection:
            found = [_item(row) for row in connection.execute(query.order_by(BANK.c.created))]
        enter = [i for i in found if i.enters and not leaks(f"{i.topic} {i.text}", without)]
        kept = [item for each in enter if (item := demand_only(each, expression)) is not None]
        return sorted(kept, key=lambda item: (item.harms, -item.helps))

    def any_for_kinds(self) -> bool:
        """Return whether there is an item with guardrails that may enter a run."""
        return any(item.enters and item.guardrails for item in self.items(muted=False))

    def consolidate(self, items: Iterable[BankItem]) -> tuple[BankItem, ...]:
        """Add the items that say something new and return them.

        One that is here already, or nearly so, only gains the source.
        """
        with self._store.writing() as connection:
            known = self._items(connection)
            groups: dict[tuple[str, str], list[str]] = defaultdict(list)
            for key, item in known.items():
                groups[item.kind, item.expression].append(key)
            added: dict[str, BankItem] = {}
            changed: set[str] = set()
            for item in map(self._under_own_key, items):
                group = groups[item.kind, item.expression]
                # Items of one call are compared with each other too, so that two variants which learned the
                # same add it once.
                same = _same_as(item, known, group)
                if same is None:
                    group.append(item.key)
                    known[item.key] = added[item.key] = item
                    continue
                known[same] = _confirm(known[same], item)
                changed.add(same)
            if added:
                connection.execute(insert(BANK), [self._row(known[key]) for key in added])
            for key in changed - set(added):
                self._write(connection, key, known[key])
        return tuple(known[key] for key in added)

    def search(
        self, question: str, count: int = NEAREST, least: float = LEAST_LIKENESS, without: Sequence[str] = ()
    ) -> list[Hit]:
        """Return the items nearest to a question in words that may enter a run, best first.

        Parameters
        ----------
        least : float
            Likeness below which an item is left out.
        without : sequence of str
            Expected outputs of a benchmark: an item that holds one of them is never retrieved.
        """
        known = [item for item in self.items() if not leaks(f"{item.topic} {item.text}", without)]
        items = [item for item in known if item.enters]
        if not items:
            return []
        # The embedder learns from all items, also those that may not enter, so that muting one does not
        # change how like the others are.
        topics = self._topics or topics_of([item.search_text for item in known])
        vectors = np.vstack(
            [topics.vectors([item.search_text for item in items]), topics.embedder.embed([question])]
        )
        index = VectorIndex(vectors.shape[1])
        by_key = {item.key: item for item in items}
        index.add([item.key for item in items], vectors[:-1])
        found = index.search(vectors[-1], count)
        return [Hit(by_key[key], score) for key, score in found if score >= least]

    def count_use(self, keys: Iterable[str], outcome: Outcome) -> None:
        """Count that items entered a run and what came of it; each second harm mutes one."""
        with self._store.writing() as connection:
            known = self._items(connection, self._is_seen() & BANK.c.key.in_(list(keys)))
            for key, item in known.items():
                helps = item.helps + (outcome == "helped")
                harms = item.harms + (outcome == "harmed")
                muted = item.muted or (harms > item.harms and harms % HARMS_TO_MUTE == 0)
                counted = {"uses": item.uses + 1, "helps": helps, "harms": harms, "muted": muted}
                # Whoever it belongs to: what harms at another's questions is not passed on.
                connection.execute(update(BANK).where(BANK.c.key == key).values(**counted))

    def mute(self, key: str, muted: bool = True) -> None:
        """Leave an item out of every run, or take it in again."""
        self._change(key, muted=muted)

    def judge(self, key: str, review: Review, reviewer: str) -> None:
        """Accept or reject an item, or let it wait for that again."""
        self._change(key, review=review, reviewer="" if review == "proposed" else reviewer)

    def edit(self, key: str, text: str, expression: str, procedure: Procedure | None) -> None:
        """Change what an item says, what it holds for and how it goes.

        Raises
        ------
        InputError
            The text is empty or too long, the key is none, or the item is gone.
        """
        text, expression = check_text(text, "An item"), canonical_key(expression)
        with self._store.writing() as connection:
            known = self._items(connection)
            if key not in known:
                raise InputError(f"The memory bank has no {key!r}.", "It may have been merged.")
            now = replace(known[key], text=text, expression=expression, procedure=procedure)
            self._write(connection, key, now)

    def remove(self, key: str) -> None:
        """Take an item out of the bank for good."""
        with self._store.writing() as connection:
            self._delete(connection, [key])

    def merge(self, kept: str, others: Iterable[str]) -> None:
        """Join items into one: its source and counts grow by theirs, and they go."""
        with self._store.writing() as connection:
            known = self._items(connection)
            gone = [key for key in others if key in known and key != kept]
            joined = known[kept]
            for key in gone:
                other = known[key]
                joined = replace(
                    joined,
                    provenance=tuple(dict.fromkeys([*joined.provenance, *other.provenance])),
                    uses=joined.uses + other.uses,
                    helps=joined.helps + other.helps,
                    harms=joined.harms + other.harms,
                )
            self._write(connection, kept, joined)
            self._delete(connection, gone)

    def _delete(self, connection: Connection, keys: Sequence[str]) -> None:
        own = set(self._items(connection, self._is_own() & BANK.c.key.in_(keys)))
        connection.execute(BANK.delete().where(BANK.c.key.in_(own)))
        # One that is learned again has the same key, and is private again.
        connection.execute(GRANTS.delete().where(GRANTS.c.kind == SHARED_AS, GRANTS.c.thing.in_(own)))

    def _change(self, key: str, **values: Any) -> None:
        with self._store.writing() as connection:
            connection.execute(self._update(key).values(**values))

    def _update(self, key: str) -> Update:
        return update(BANK).where(BANK.c.key == key, self._is_own())

    def _write(self, connection: Connection, key: str, item: BankItem) -> None:
        connection.execute(self._update(key).values(_values(item)))

    def _row(self, item: BankItem) -> dict[str, Any]:
        created = moment_within(item.created).timestamp()
        return {**_values(item), "owner": self.owner, "created": created}

    def _is_own(self) -> ColumnElement[bool]:
        return BANK.c.owner == self.owner

    def _is_seen(self) -> ColumnElement[bool]:
        """Return the condition of what is the owner's, or is read besides."""
        if not self._shared:
            return self._is_own()
        return self._is_own() | BANK.c.key.in_(names_shared_with(SHARED_AS, self.owner))

    def _items(
        self, connection: Connection, condition: ColumnElement[bool] | None = None
    ) -> dict[str, BankItem]:
        """Return the items for which a condition holds, the owner's by default."""
        query = select(BANK).where(self._is_own() if condition is None else condition)
        rows = connection.execute(query.order_by(BANK.c.created, BANK.c.key))
        return {row.key: _item(row) for row in rows}

    def _under_own_key(self, item: BankItem) -> BankItem:
        """Return an item under the key that it has here: two people may learn the same."""
        if not self.owner or item.kept_as:
            return replace(item, owner=self.owner)
        key = hashlib.sha256(json.dumps([self.owner, item.key]).encode()).hexdigest()[:32]
        return replace(item, kept_as=key, owner=self.owner)


def _same_as(item: BankItem, known: dict[str, BankItem], group: Sequence[str]) -> str | None:
    """Return the key of the item that says the same already; ``None`` where none does."""
    if item.key in known:
        return item.key
    return next((key for key in group[-_MOST_COMPARED:] if alike(known[key], item)), None)


def _confirm(item: BankItem, again: BankItem) -> BankItem:
    """Return an item that was found again: it has a further source, and what was proposed may be accepted."""
    item = replace(item, provenance=tuple(dict.fromkeys([*item.provenance, *again.provenance])))
    if item.review == "proposed" and again.review == "accepted":
        return replace(item, review="accepted", reviewer=again.reviewer)
    return item


def check_item(item: BankItem) -> BankItem:
    """Return an item as the bank keeps it, whoever wrote it.

    Raises
    ------
    InputError
        It is empty, too long, or its key is none.
    """
    text, key = check_text(item.text, "An item"), canonical_key(item.expression)
    item = replace(item, text=text, expression=key)
    check_row(BANK, _values(item))
    return item


@dataclass(frozen=True, slots=True)
class _Content:
    text: str
    procedure: Procedure | None = None
    guardrails: tuple[Guardrail, ...] = ()


_CONTENT: TypeAdapter[_Content] = TypeAdapter(_Content)
_COUNTED = ("kind", "topic", "expression", "uses", "helps", "harms", "muted", "review", "reviewer")


def _values(item: BankItem) -> dict[str, Any]:
    content = _Content(item.text, item.procedure, item.guardrails)
    return {
        **{name: getattr(item, name) for name in _COUNTED},
        "key": item.key,
        "content": _CONTENT.dump_json(content).decode(),
        "provenance": json.dumps(list(item.provenance)),
    }


def _item(row: Any) -> BankItem:
    with read_row("an item of the memory bank"):
        content = _CONTENT.validate_json(row.content)
        return BankItem(
            text=content.text,
            procedure=content.procedure,
            guardrails=content.guardrails,
            provenance=tuple(json.loads(row.provenance)),
            created=datetime.fromtimestamp(row.created, UTC),
            kept_as=row.key,
            owner=row.owner,
            **{name: getattr(row, name) for name in _COUNTED},
        )
