"""The people of a server: who was seen, which role each has, which groups they are in."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from treeline.core.access.identity import Identity, normalise_identity
from treeline.core.access.people import ROLES, Person, Role, usable_id
from treeline.core.errors import RecordError
from treeline.core.record.audit import note
from treeline.core.record.store import Store, moment_of, now
from treeline.core.record.tables import ENDED_SIGN_INS, MEMBERS, PEOPLE
from treeline.toolkit.errors import InputError

_LOG = logging.getLogger(__name__)

ADMINS = "TREELINE_ADMINS"
NEW_ROLE = "TREELINE_DEFAULT_ROLE"

# A person is looked up for every tile; so many seconds pass at most until a new role or a block takes effect
# by another process. In this one it is at once.
_MEMORY = 2.0
# Being there is kept so often.
_SEEN = 60.0
# Whoever was not seen for so many seconds has come again.
_AWAY = 3_600.0
# A cookie that states a sign-in is worth nothing after 30 days by itself; a day more for clocks that differ.
_LONGEST_SIGN_IN = 31 * 86_400.0


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person as the list of people has it."""

    person: Person
    blocked: bool
    created: datetime
    seen: datetime


def admins() -> frozenset[str]:
    """Return the identities that ``TREELINE_ADMINS`` names; they are admins whatever else is recorded."""
    return frozenset(map(normalise_identity, os.environ.get(ADMINS, "").split()))


def role_of_newcomers() -> Role:
    """Return the role of whoever comes for the first time: ``TREELINE_DEFAULT_ROLE``, or ``viewer``.

    Raises
    ------
    InputError
        It is no role, or that of an admin.
    """
    text = os.environ.get(NEW_ROLE, "") or "viewer"
    for role in ROLES[:-1]:
        if role == text:
            return role
    raise InputError(
        f"{NEW_ROLE} is {text!r}, which newcomers cannot be.", f"Set it to {', '.join(ROLES[:-1])}."
    )


class People:
    """The people of a store.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[float, Person | None]] = {}
        self._unwritten_until: dict[str, float] = {}
        self._ended: dict[str, tuple[float, bool]] = {}
        self._lock = threading.Lock()

    def let_in(self, identity: Identity) -> Person | None:
        """Return the person of an identity; ``None`` for one who is blocked, or whose sign-in has ended.

        Raises
        ------
        InputError
            It cannot be an identity.
        """
        if self.has_ended(identity.sign_in):
            return None
        return self.find_or_add(identity.id, identity.name)

    def end_sign_in(self, sign_in: str) -> None:
        """End a sign-in, so that nobody is let in by it any more; nothing where a proxy says who comes."""
        if not sign_in:
            return

        def keep(connection: Connection) -> None:
            old = ENDED_SIGN_INS.c.time < now() - _LONGEST_SIGN_IN
            connection.execute(delete(ENDED_SIGN_INS).where(old | (ENDED_SIGN_INS.c.mark == sign_in)))
            connection.execute(insert(ENDED_SIGN_INS).values(mark=sign_in, time=now()))

        self._store.write(keep)
        with self._lock:
            self._ended.pop(sign_in, None)

    def has_ended(self, sign_in: str) -> bool:
        """Return whether a sign-in has ended; one ended by another process is known within seconds."""
        if not sign_in:
            return False
        moment, ended = self._ended.get(sign_in, (0.0, False))
        # An end is for good and need not be asked again; a sign-in that goes on may end elsewhere.
        if moment == 0.0 or (not ended and time.monotonic() - moment > _MEMORY):
            query = select(ENDED_SIGN_INS.c.mark).where(ENDED_SIGN_INS.c.mark == sign_in)
            with self._store.reading() as connection:
                ended = connection.execute(query).first() is not None
            with self._lock:
                self._ended[sign_in] = (time.monotonic(), ended)
        return ended

    def find_or_add(self, identity: str, name: str = "") -> Person | None:
        """Return the person of an identity, which is kept when it is new; ``None`` for one who is blocked.

        Raises
        ------
        InputError
            It cannot be an identity.
        """
        if not usable_id(identity):
            raise InputError(f"{identity[:40]!r} cannot name a person.", "Sign in in another way.")
        moment, person = self._known.get(identity, (0.0, None))
        if time.monotonic() - moment > _MEMORY or moment == 0.0:
            person = self._look_up(identity, name)
            with self._lock:
                self._known[identity] = (time.monotonic(), person)
        return person

    def _look_up(self, identity: str, name: str) -> Person | None:
        query = select(PEOPLE).where(PEOPLE.c.id == identity)
        with self._store.reading() as connection:
            row = connection.execute(query).first()
        # The distance either way: a clock that was set back must not leave somebody seen in the time to come.
        if row is None or abs(now() - row.seen) > _SEEN or (name and row.name != name[:256]):
            self._see(identity, name, row)
            with self._store.reading() as connection:
                row = connection.execute(query).one()
        return None if row.blocked else self._person(row, self._groups().get(identity, ()))

    def _see(self, identity: str, name: str, before: Row[Any] | None) -> None:
        """Keep that somebody was seen; whom the server knows is let in also where that cannot be written."""
        # A newcomer has to be written, since there is no row yet to let in by.
        if before is None:
            self._store.write(lambda connection: self._keep(connection, identity, name))
            self._note_coming(identity, None)
            return
        if time.monotonic() < self._unwritten_until.get(identity, 0.0):
            return
        try:
            self._store.write(lambda connection: self._keep(connection, identity, name), patience=0.0)
            self._note_coming(identity, before)
        except RecordError as error:
            _LOG.warning("Who is there cannot be kept: %s", error)
            self._unwritten_until[identity] = time.monotonic() + _SEEN

    def _note_coming(self, identity: str, before: Row[Any] | None) -> None:
        """Note who comes for the first time, or again after a while; a proxy reports no sign-in."""
        if before is not None and abs(now() - before.seen) < _AWAY:
            return
        blocked = before is not None and before.blocked
        told = "for the first time" if before is None else ""
        note(self._store, Person(identity), "refused" if blocked else "come", "server", identity, told)

    def _keep(self, connection: Connection, identity: str, name: str) -> None:
        moment = now()
        changed = {"seen": moment, **({"name": name[:256]} if name else {})}
        if connection.execute(update(PEOPLE).where(PEOPLE.c.id == identity).values(**changed)).rowcount:
            return
        row = {
            "id": identity,
            "name": name[:256],
            "role": role_of_newcomers(),
            "blocked": False,
            "created": moment,
            "seen": moment,
        }
        connection.execute(insert(PEOPLE).values(row))

    def _person(self, row: Row[Any], groups: Iterable[str]) -> Person:
        role: Role = "admin" if row.id in admins() else row.role
        return Person(row.id, row.name, role, frozenset(groups))

    def list_everybody(self) -> list[PersonRow]:
        """Return everybody who was seen or is known by name, sorted by identity."""
        groups = self._groups()
        with self._store.reading() as connection:
            rows = connection.execute(select(PEOPLE).order_by(PEOPLE.c.id)).all()
        return [
            PersonRow(
                self._person(row, groups.get(row.id, ())),
                row.blocked,
                moment_of(row.created),
                moment_of(row.seen),
            )
            for row in rows
        ]

    def groups(self) -> list[str]:
        """Return the names of the groups that have members."""
        with self._store.reading() as connection:
            return sorted(connection.execute(select(MEMBERS.c.group).distinct()).scalars())

    def _groups(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        with self._store.reading() as connection:
            for row in connection.execute(select(MEMBERS)):
                found.setdefault(row.person, []).append(row.group)
        return found

    def set_role(self, identity: str, role: Role) -> None:
        """Give a person a role.

        Raises
        ------
        InputError
            There is no such person or role, or the settings of the server make the person an admin.
        """
        if role not in ROLES:
            raise InputError(f"There is no role {role!r}.", f"There are {', '.join(ROLES)}.")
        if identity in admins() and role != "admin":
            raise InputError(f"{identity} is an admin by {ADMINS}.", "Change the setting of the server.")
        self._change(identity, role=role)

    def set_blocked(self, identity: str, blocked: bool) -> None:
        """Block a person, or let one in again.

        Raises
        ------
        InputError
            There is no such person, or the settings of the server make the person an admin.
        """
        if blocked and identity in admins():
            raise InputError(f"{identity} is an admin by {ADMINS}.", "Change the setting of the server.")
        self._change(identity, blocked=blocked)

    def set_groups(self, identity: str, groups: Iterable[str]) -> None:
        """Put a person into groups and out of all others.

        Raises
        ------
        InputError
            A group cannot be called so.
        """
        wanted = sorted({group.strip() for group in groups if group.strip()})
        for group in wanted:
            if not usable_id(group):
                raise InputError(f"{group[:40]!r} cannot name a group.", "Take a short name.")

        def change(connection: Connection) -> None:
            connection.execute(delete(MEMBERS).where(MEMBERS.c.person == identity))
            for group in wanted:
                connection.execute(insert(MEMBERS).values({"group": group, "person": identity}))

        self._store.write(change)
        self._forget(identity)

    def _change(self, identity: str, **values: object) -> None:
        statement = update(PEOPLE).where(PEOPLE.c.id == identity).values(**values)
        if not self._store.write(lambda connection: connection.execute(statement).rowcount):
            raise InputError(f"Nobody is called {identity[:40]!r} here.", "People come by signing in.")
        self._forget(identity)

    def _forget(self, identity: str) -> None:
        with self._lock:
            self._known.pop(identity, None)
