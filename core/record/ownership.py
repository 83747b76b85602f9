"""Whose things are, and with whom they are shared."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, literal, select, union

from treeline.core.access.people import Person
from treeline.core.access.things import ALL, GROUP_PREFIX, Grant, Kind, Right, Thing, grantees_of
from treeline.core.record.store import Store
from treeline.core.record.tables import GRANTS, MEMBERS, OWNERS

# How often whose things are was changed by this process.
_changes = 0
_CHANGING = threading.Lock()


class Ownership:
    """Owners and grants of a store.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def thing(self, kind: Kind, name: str) -> Thing:
        """Return a thing with its owner and its grants; one that nobody owns has neither."""
        with self._store.reading() as connection:
            owner = connection.execute(
                select(OWNERS.c.person).where(OWNERS.c.kind == kind, OWNERS.c.thing == name)
            ).scalar()
            rows = connection.execute(select(GRANTS).where(GRANTS.c.kind == kind, GRANTS.c.thing == name))
            grants = frozenset(Grant(row.grantee, row.allows) for row in rows)
        return Thing(kind, name, owner or "", grants)

    def set_owner(self, kind: Kind, name: str, person: str) -> None:
        """Give a thing to a person."""

        def change(connection: Connection) -> None:
            connection.execute(delete(OWNERS).where(OWNERS.c.kind == kind, OWNERS.c.thing == name))
            connection.execute(ownership_statement(kind, name, person))

        self._write(change)

    def share(self, kind: Kind, name: str, grant: Grant) -> None:
        """Share a thing; an earlier grant to the same is replaced."""

        def change(connection: Connection) -> None:
            _withdraw(connection, kind, name, grant.to)
            row = {"kind": kind, "thing": name, "grantee": grant.to, "allows": grant.right}
            connection.execute(insert(GRANTS).values(row))

        self._write(change)

    def withdraw(self, kind: Kind, name: str, grantee: str) -> None:
        """Stop sharing a thing with somebody."""
        self._write(lambda connection: _withdraw(connection, kind, name, grantee))

    def forget(self, kind: Kind, name: str) -> None:
        """Forget whose a thing was that is gone."""

        def change(connection: Connection) -> None:
            for table in (OWNERS, GRANTS):
                connection.execute(delete(table).where(table.c.kind == kind, table.c.thing == name))

        self._write(change)

    def _write(self, change: Callable[[Connection], None]) -> None:
        global _changes
        self._store.write(change)
        with _CHANGING:
            _changes += 1

    def names_owned_by(self, kind: Kind, identity: str) -> frozenset[str]:
        """Return the names of the things of a kind that belong to a person."""
        query = select(OWNERS.c.thing).where(OWNERS.c.kind == kind, OWNERS.c.person == identity)
        with self._store.reading() as connection:
            return frozenset(connection.execute(query).scalars())

    def names(self, kind: Kind, person: Person, right: Right = "see") -> frozenset[str]:
        """Return the names of the things of a kind that a person may see, or change."""
        with self._store.reading() as connection:
            return frozenset(connection.execute(names_for(kind, person, right)).scalars())

    def names_shared_with(self, kind: Kind, identity: str) -> dict[str, bool]:
        """Return the names of what is shared with a person, and whether it is with everybody."""
        query = select(GRANTS.c.thing, GRANTS.c.grantee).where(_is_granted(kind, identity))
        found: dict[str, bool] = {}
        for row in self._store.read(lambda connection: connection.execute(query).all()):
            # A thing may be shared with the person, with a group and with everybody at once.
            found[row.thing] = found.get(row.thing, False) or row.grantee == ALL
        return found


class OwnershipAtOnce(Ownership):
    """Owners and grants as they were when first looked at, until this process changes one.

    For what is over in a moment and asks for the same things many times, such as the drawing of a page.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._things: dict[tuple[Kind, str], Thing] = {}
        self._names: dict[tuple[Kind, Person, Right], frozenset[str]] = {}
        self._changes = _changes

    def thing(self, kind: Kind, name: str) -> Thing:
        """Return a thing with its owner and its grants; one that nobody owns has neither."""
        self._forget_what_has_changed()
        found = self._things.get((kind, name)) or super().thing(kind, name)
        # What nobody owns may be about to be made, which no change of an owner tells.
        if found.owner or found.grants:
            self._things[kind, name] = found
        return found

    def names(self, kind: Kind, person: Person, right: Right = "see") -> frozenset[str]:
        """Return the names of the things of a kind that a person may see, or change."""
        self._forget_what_has_changed()
        key = (kind, person, right)
        if key not in self._names:
            self._names[key] = super().names(kind, person, right)
        return self._names[key]

    def _forget_what_has_changed(self) -> None:
        if self._changes != _changes:
            self._things.clear()
            self._names.clear()
            self._changes = _changes


def names_shared_with(kind: Kind, identity: str) -> Select[Any]:
    """Return the query for the names of what is shared with a person of an identity."""
    return select(GRANTS.c.thing).where(_is_granted(kind, identity))


def _is_granted(kind: Kind, identity: str) -> ColumnElement[bool]:
    group = select(literal(GROUP_PREFIX) + MEMBERS.c.group).where(MEMBERS.c.person == identity)
    named = [Grant.to_person(identity).to, ALL]
    return (GRANTS.c.kind == kind) & (GRANTS.c.grantee.in_(named) | GRANTS.c.grantee.in_(group))


def ownership_statement(kind: Kind, name: str, person: str) -> Any:
    """Return the statement that records the owner of a new thing."""
    return insert(OWNERS).values({"kind": kind, "thing": name, "person": person})


def names_for(kind: Kind, person: Person, right: Right = "see") -> Select[Any]:
    """Return the query for the names of the things of a kind that a person may see, or change."""
    own = select(OWNERS.c.thing).where(OWNERS.c.kind == kind, OWNERS.c.person == person.id)
    condition: ColumnElement[bool] = GRANTS.c.grantee.in_(sorted(grantees_of(person)))
    if right == "change":
        condition = condition & (GRANTS.c.allows == "change")
    shared = select(GRANTS.c.thing).where(GRANTS.c.kind == kind, condition)
    return select(union(own, shared).subquery().c[0])


def _withdraw(connection: Connection, kind: Kind, name: str, grantee: str) -> None:
    connection.execute(
        delete(GRANTS).where(GRANTS.c.kind == kind, GRANTS.c.thing == name, GRANTS.c.grantee == grantee)
    )
