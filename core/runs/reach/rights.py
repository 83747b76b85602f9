"""A person's rights to the workspaces, the runs and the files of a home."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sqlalchemy import ColumnElement, and_

from treeline.core.access import Action, Person, Thing, may, require, tell_refusal
from treeline.core.record.ownership import Ownership, names_for
from treeline.core.record.store import RunRecord, Store
from treeline.core.record.tables import RUNS
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.toolkit.errors import InputError

# Results of tools that were tried by hand are a person's own.
_TRIED = "tools"
_PRODUCTS = "products"


class Rights:
    """What a person may do.

    Parameters
    ----------
    person : Person
    store : Store
    library : WorkspaceLibrary
    ownership : Ownership, optional
        Whose things are; that of the store where it is left out.
    """

    def __init__(
        self, person: Person, store: Store, library: WorkspaceLibrary, ownership: Ownership | None = None
    ) -> None:
        self.person = person
        self.ownership = ownership or Ownership(store)
        self._store = store
        self._library = library

    def may_workspace(self, action: Action, name: str) -> bool:
        """Return whether the person may do something to a workspace."""
        return may(self.person, action, self.ownership.thing("workspace", name))

    def require_workspace(self, action: Action, name: str) -> Thing:
        """Refuse what the person may not do to a workspace.

        Raises
        ------
        InputError
            The person does not see it, so that there is none.
        AccessDenied
        """
        thing = self.ownership.thing("workspace", name)
        if not may(self.person, "see", thing):
            if self._library.is_kept(name):
                tell_refusal(self.person, action, "workspace", name)
            raise InputError(f"There is no workspace {name!r}.", "The sidebar lists those that there are.")
        require(self.person, action, thing)
        return thing

    def thing_of(self, record: RunRecord) -> Thing:
        """Return whose a run is; a round and a member's run are what their own run is."""
        return self.ownership.thing("run", self._root(record).id)

    def sees_run(self, record: RunRecord) -> bool:
        """Return whether the person may see a run: the run itself, and the data that it was asked of."""
        return self.may_workspace("see", record.workspace) and may(self.person, "see", self.thing_of(record))

    def visible_runs(self) -> ColumnElement[bool]:
        """Return the condition of the runs that the person sees, of those without a parent."""
        return and_(
            RUNS.c.id.in_(names_for("run", self.person)),
            RUNS.c.workspace.in_(names_for("workspace", self.person)),
        )

    def _root(self, record: RunRecord) -> RunRecord:
        # A record that names itself as an ancestor would be followed for ever.
        seen = {record.id}
        while record.parent is not None and record.parent not in seen:
            parent = self._store.run(record.parent)
            if parent is None:
                break
            seen.add(parent.id)
            record = parent
        return record

    def sees_file(self, path: Path) -> bool:
        """Return whether the person may see a file: an input of a workspace, or a product of a run."""
        folder = self._library.folder.resolve()
        path = path.resolve()
        if not path.is_relative_to(folder):
            return any(self._links(name, path) for name in self.ownership.names("workspace", self.person))
        parts = path.relative_to(folder).parts
        # WORKSPACE/inputs/FILE or WORKSPACE/products/RUN/FILE: what lies above is kept of it, and shown to
        # nobody.
        if len(parts) < 3 or not self.may_workspace("see", parts[0]):
            return False
        if parts[1] != _PRODUCTS:
            return True
        record = self._store.run(parts[2])
        return parts[2] == trial_run(self.person) if record is None else self.sees_run(record)

    def _links(self, name: str, path: Path) -> bool:
        return any(path.is_relative_to(source) for source in self._library.settings(name).sources)


def trial_run(person: Person) -> str:
    """Return the name under which a person's results of tools are kept that were tried by hand."""
    return f"{_TRIED}-{hashlib.sha256(person.id.encode()).hexdigest()[:12]}" if person.id else _TRIED
