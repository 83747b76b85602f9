"""What an admin does to people and to what others left, each time noted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from treeline.core.access import SERVER, Person, Role, require
from treeline.core.record.audit import RecordedAct, deeds, note
from treeline.core.record.ownership import Ownership
from treeline.core.record.people import People, PersonRow
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.quotas import bytes_of, cost_of, tokens_today
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.toolkit.errors import InputError


@dataclass(frozen=True, slots=True)
class Usage:
    """What a person uses of what is allowed.

    Attributes
    ----------
    at_work, unfinished : int
        Runs at work, and these with those that wait.
    tokens : int
    money : float
        Of the last 24 hours.
    disk : int, optional
        Bytes of all workspaces; ``None`` where they were not counted.
    """

    person: str
    at_work: int
    unfinished: int
    tokens: int
    money: float
    workspaces: int
    disk: int | None = None


class Administration:
    """The server as an admin looks after it; of runs it tells whose they are, and not what was asked.

    Parameters
    ----------
    person : Person
    store : Store
    library : WorkspaceLibrary
    people : People

    Raises
    ------
    AccessDenied
        The person is no admin.
    """

    def __init__(self, person: Person, store: Store, library: WorkspaceLibrary, people: People) -> None:
        require(person, "administer", SERVER)
        self._person = person
        self._store = store
        self._library = library
        self._people = people
        self._ownership = Ownership(store)

    def people(self) -> list[PersonRow]:
        """Return everybody who came."""
        return self._people.list_everybody()

    def set_role(self, identity: str, role: Role) -> None:
        """Give a person a role.

        Raises
        ------
        InputError
        """
        self._people.set_role(identity, role)
        self._note("role", identity, role)

    def set_blocked(self, identity: str, blocked: bool) -> None:
        """Block a person, or let one in again.

        Raises
        ------
        InputError
        """
        if identity == self._person.id:
            raise InputError("You cannot block yourself.", "Another admin can.")
        self._people.set_blocked(identity, blocked)
        self._note("block" if blocked else "let in", identity)

    def set_groups(self, identity: str, groups: Iterable[str]) -> None:
        """Put a person into groups and out of all others.

        Raises
        ------
        InputError
        """
        wanted = list(groups)
        self._people.set_groups(identity, wanted)
        self._note("groups", identity, ", ".join(wanted))

    def list_running(self) -> list[tuple[RunRecord, str]]:
        """Return the runs that wait or are worked on, with their owners."""
        runs = [record for record in self._store.unfinished_runs() if record.parent is None]
        return [(record, self._ownership.thing("run", record.id).owner) for record in runs]

    def usage(self, *, disk: bool = False) -> list[Usage]:
        """Return what everybody who came uses; ``disk`` counts the files of all workspaces too."""
        owners = self.list_running()
        return [self._usage(listed.person.id, owners, disk=disk) for listed in self.people()]

    def _usage(self, person: str, owners: Iterable[tuple[RunRecord, str]], *, disk: bool) -> Usage:
        own = [record.status for record, owner in owners if owner == person]
        used = tokens_today(self._store, person)
        held = bytes_of(self._store, self._library.folder, person) if disk else None
        count = len(self._ownership.names_owned_by("workspace", person))
        tokens, money = used.input + used.output, cost_of(used)
        return Usage(person, own.count("running"), len(own), tokens, money, count, held)

    def deeds(self, person: str = "", limit: int = 500) -> list[RecordedAct]:
        """Return what was done, the newest first."""
        return deeds(self._store, person, limit)

    def unowned_workspaces(self) -> list[str]:
        """Return the workspaces that belong to nobody and are shared with nobody."""
        return [
            name
            for name in self._library.names()
            if not (thing := self._ownership.thing("workspace", name)).owner and not thing.grants
        ]

    def give(self, workspace: str, identity: str) -> None:
        """Give a workspace that belongs to nobody to a person.

        Raises
        ------
        InputError
            It belongs to somebody, or nobody is called so.
        """
        if workspace not in self.unowned_workspaces():
            raise InputError(f"{workspace!r} is not without an owner.", "Its owner shares it.")
        if identity not in {listed.person.id for listed in self.people()}:
            raise InputError(f"Nobody is called {identity[:40]!r} here.", "People come by signing in.")
        self._ownership.set_owner("workspace", workspace, identity)
        note(self._store, self._person, "give", "workspace", workspace, identity)

    def _note(self, action: str, identity: str, detail: str = "") -> None:
        note(self._store, self._person, action, "server", identity, detail)
