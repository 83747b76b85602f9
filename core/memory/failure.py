"""Failure memory: reflections bound to a question, in the store.

After RSMem, equations 2 and 4: an entry is appended for each failed attempt, and the next attempt at
the same question is given the latest. An entry belongs to its owner, or to all who share.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import FailFast, TypeAdapter
from sqlalchemy import ColumnElement, Select, func, insert, select, update

from treeline.core.context.guardrails import Guardrail
from treeline.core.memory.bounds import canonical_key, check_row, check_text, moment_within
from treeline.core.memory.entries import Entry, Lesson, Scope, Source, Use, current_user
from treeline.core.memory.imports import read_each, read_export
from treeline.core.memory.items import HARMS_TO_MUTE
from treeline.core.memory.leakage import leaks
from treeline.core.record.alterations import read_row
from treeline.core.record.ownership import names_shared_with
from treeline.core.record.store import Store, moment_of
from treeline.core.record.tables import ENTRIES, USES, VERSIONS
from treeline.toolkit.errors import InputError

_LOG = logging.getLogger(__name__)

_LESSON: TypeAdapter[Lesson] = TypeAdapter(Lesson)
_ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)
# The first fault is the one that is told: those of half a million would be gathered while nobody is answered.
_ENTRIES: TypeAdapter[list[Entry]] = TypeAdapter(Annotated[list[Entry], FailFast()])


class FailureMemory:
    """Entries of the failure memory.

    Parameters
    ----------
    store : Store
    owner : str, optional
        By default the current user.
    """

    def __init__(self, store: Store, owner: str = "") -> None:
        self.store = store
        self.owner = owner or current_user()

    def add(self, source: Source, lesson: Lesson) -> Entry:
        """Append an entry."""
        entry = Entry(
            id=uuid.uuid4().hex[:16],
            owner=self.owner,
            created=datetime.now(UTC),
            lesson=lesson,
            **{name: getattr(source, name) for name in Source.__dataclass_fields__},
        )
        self._insert(entry)
        _LOG.info("Entry %s of run %s is kept.", entry.id, entry.run)
        return entry

    def latest(
        self, instance: str, scope: Scope, root: str = "", expected: Iterable[str] = ()
    ) -> Entry | None:
        """Return what the next attempt at a question is given: a pinned entry, else the newest one.

        Parameters
        ----------
        scope : str
            ``own``: entries of the same asking only, as a benchmark wants it; ``user``: those of the
            owner; ``shared``: also those that others share with the owner.
        root : str
            The run that was asked for.
        expected : iterable of str
            Outputs that must not be told; an entry that holds one is passed over.
        """
        if scope == "off":
            return None
        query = select(ENTRIES).where(
            ENTRIES.c.instance == instance, ENTRIES.c.muted.is_(False), ENTRIES.c.deleted.is_(False)
        )
        mine = ENTRIES.c.owner == self.owner
        narrowed = {
            "own": query.where(mine, ENTRIES.c.root == root),
            "user": query.where(mine),
            "shared": query.where(self._is_seen()),
        }[scope]
        ordered = narrowed.order_by(ENTRIES.c.pinned.desc(), ENTRIES.c.created.desc())
        withheld = tuple(expected)
        return next((e for e in self._entries(ordered) if not leaks(e.lesson.text, withheld)), None)

    def entries(self, deleted: bool = False, root: str = "", limit: int | None = None) -> list[Entry]:
        """Return the owner's entries and those that are shared with the owner, the newest first."""
        query = select(ENTRIES).where(self._is_seen())
        if not deleted:
            query = query.where(ENTRIES.c.deleted.is_(False))
        if root:
            query = query.where(ENTRIES.c.root == root)
        return self._entries(query.order_by(ENTRIES.c.created.desc()).limit(limit))

    def get(self, entry: str) -> Entry:
        """Return an entry.

        Raises
        ------
        InputError
            There is none of that id for this owner.
        """
        found = self._entries(select(ENTRIES).where(ENTRIES.c.id == entry, self._is_seen()))
        if not found:
            raise InputError(f"There is no memory entry {entry!r}.", "`treeline memory list` lists them.")
        return found[0]

    def mark(
        self,
        entry: str,
        *,
        pinned: bool | None = None,
        muted: bool | None = None,
        deleted: bool | None = None,
        shared: bool | None = None,
    ) -> Entry:
        """Pin, mute, delete or share an entry, or undo that; a deleted one can be brought back.

        Parameters
        ----------
        entry : str
        pinned, muted, deleted, shared : bool, optional
            What it is to be; ``None`` leaves it as it is.

        Returns
        -------
        Entry
            As it is now.

        Raises
        ------
        InputError
            There is no such entry, or it belongs to somebody else.
        """
        self._own_entry(entry)
        wanted = {"pinned": pinned, "muted": muted, "deleted": deleted, "shared": shared}
        values = {name: value for name, value in wanted.items() if value is not None}
        if values:
            with self.store.writing() as connection:
                connection.execute(update(ENTRIES).where(ENTRIES.c.id == entry).values(**values))
        return self.get(entry)

    def edit(self, entry: str, text: str, guardrails: Iterable[Guardrail]) -> Entry:
        """Change what an entry says; what it said before is kept.

        Raises
        ------
        InputError
            The text is empty or too long, or the entry belongs to somebody else.
        """
        text = check_text(text, "A reflection")
        old = self._own_entry(entry)
        lesson = replace(old.lesson, text=text, guardrails=tuple(guardrails), author="person")
        with self.store.writing() as connection:
            last = connection.execute(select(func.max(VERSIONS.c.number)).where(VERSIONS.c.entry == entry))
            row = {"entry": entry, "number": (last.scalar() or 0) + 1, "time": time.time()}
            connection.execute(insert(VERSIONS).values(**row, content=_LESSON.dump_json(old.lesson).decode()))
            content = _LESSON.dump_json(lesson).decode()
            connection.execute(update(ENTRIES).where(ENTRIES.c.id == entry).values(content=content))
        return self.get(entry)

    def versions(self, entry: str) -> list[Lesson]:
        """Return what an entry said before its edits, the oldest first."""
        query = select(VERSIONS.c.content).where(VERSIONS.c.entry == entry).order_by(VERSIONS.c.number)
        with self.store.reading() as connection:
            rows = connection.execute(query).all()
        with read_row("a lesson"):
            return [_LESSON.validate_json(row.content) for row in rows]

    def record_use(self, entry: str, run: str, tokens: int) -> None:
        """Record that an entry entered a run, and what it cost there."""
        with self.store.writing() as connection:
            known = select(USES.c.run).where(USES.c.entry == entry, USES.c.run == run)
            if connection.execute(known).first() is None:
                row = {"entry": entry, "run": run, "time": time.time(), "tokens": tokens, "helped": None}
                connection.execute(insert(USES).values(row))

    def record_success(self, run: str, helped: bool) -> None:
        """Record whether a run succeeded, for the entries that entered it; each second harm mutes one."""
        with self.store.writing() as connection:
            connection.execute(update(USES).where(USES.c.run == run).values(helped=helped))
            if helped:
                return
            entered = connection.execute(select(USES.c.entry).where(USES.c.run == run)).scalars().all()
            for entry in entered:
                # Counted again from all uses: a run that is judged again after it was resumed counts once.
                harms = select(func.count()).where(USES.c.entry == entry, USES.c.helped.is_(False))
                if connection.execute(harms).scalar_one() % HARMS_TO_MUTE == 0:
                    connection.execute(update(ENTRIES).where(ENTRIES.c.id == entry).values(muted=True))

    def uses(self, entry: str = "", run: str = "") -> list[Use]:
        """Return the runs that an entry entered, or the entries that entered a run."""
        query = select(USES).order_by(USES.c.time)
        query = query.where(USES.c.entry == entry) if entry else query
        query = query.where(USES.c.run == run) if run else query
        with self.store.reading() as connection:
            rows = connection.execute(query).all()
        return [Use(r.entry, r.run, moment_of(r.time), r.tokens, r.helped) for r in rows]

    def export(self, entries: Iterable[Entry] | None = None) -> list[dict[str, Any]]:
        """Return entries (all by default) as plain values."""
        chosen = self.entries() if entries is None else list(entries)
        return [_ENTRY.dump_python(entry, mode="json") for entry in chosen]

    def take(self, exported: str | bytes) -> list[Entry]:
        """Add the entries of an export, all or none, as the owner's; own ones that are here are passed over.

        Where another person has one of the same id, the owner's has another, the same at every import.

        Raises
        ------
        InputError
            The text is no export; says which entry and why.
        """
        hint = "Give a file that `treeline memory export` wrote."
        what = "memory entries"
        given = read_each(read_export(_ENTRIES, exported, what, hint), _check, what, hint)
        with self.store.writing() as connection:
            owners = {row.id: row.owner for row in connection.execute(select(ENTRIES.c.id, ENTRIES.c.owner))}
            # An entry that another person has here under this id is added as a copy with an id of its own,
            # which is the same each time it is taken in.
            kept = [e if owners.get(e.id, self.owner) == self.owner else self._own_copy(e) for e in given]
            added = {e.id: replace(e, owner=self.owner, shared=False) for e in kept if e.id not in owners}
            for entry in added.values():
                connection.execute(insert(ENTRIES).values(_row(entry)))
        return list(added.values())

    def _is_seen(self) -> ColumnElement[bool]:
        """Return the condition of what is the owner's, or is shared with the owner and not deleted."""
        shared = ENTRIES.c.shared.is_(True) | ENTRIES.c.id.in_(names_shared_with("memory", self.owner))
        return (ENTRIES.c.owner == self.owner) | (shared & ENTRIES.c.deleted.is_(False))

    def _own_entry(self, entry: str) -> Entry:
        found = self.get(entry)
        if found.owner != self.owner:
            raise InputError(f"The entry belongs to {found.owner}.", "Mute or edit your own entries.")
        return found

    def _own_copy(self, entry: Entry) -> Entry:
        told = hashlib.sha256(json.dumps([self.owner, entry.id]).encode()).hexdigest()
        return replace(entry, id=told[:16])

    def _insert(self, entry: Entry) -> None:
        with self.store.writing() as connection:
            connection.execute(insert(ENTRIES).values(_row(entry)))

    def _entries(self, query: Select[Any]) -> list[Entry]:
        with self.store.reading() as connection:
            rows = connection.execute(query).all()
            ids = [row.id for row in rows]
            counts = {entry: [0, 0, 0] for entry in ids}
            found = select(USES.c.entry, USES.c.helped).where(USES.c.entry.in_(ids))
            for entry, helped in connection.execute(found):
                counts[entry][0] += 1
                counts[entry][1] += helped is True
                counts[entry][2] += helped is False
        return [_entry(row, *counts[row.id]) for row in rows]


_COLUMNS = tuple(column.name for column in ENTRIES.columns if column.name not in ("created", "content"))


def _check(entry: Entry) -> Entry:
    """Return an entry of an export as the memory keeps it.

    Raises
    ------
    InputError
        It is empty, too long, or its key is none.
    """
    if not entry.id:
        raise InputError("It has no id.")
    lesson = replace(entry.lesson, text=check_text(entry.lesson.text, "A reflection"))
    key, created = canonical_key(entry.expression), moment_within(entry.created)
    entry = replace(entry, lesson=lesson, expression=key, created=created)
    check_row(ENTRIES, _row(entry))
    return entry


def _row(entry: Entry) -> dict[str, Any]:
    fields = {name: getattr(entry, name) for name in _COLUMNS}
    content = _LESSON.dump_json(entry.lesson).decode()
    return {**fields, "created": entry.created.timestamp(), "content": content}


def _entry(row: Any, uses: int, helped: int, harmed: int) -> Entry:
    with read_row("a lesson"):
        fields = {name: getattr(row, name) for name in _COLUMNS}
        lesson = _LESSON.validate_json(row.content)
        created = moment_of(row.created)
        return Entry(**fields, created=created, lesson=lesson, uses=uses, helped=helped, harmed=harmed)
