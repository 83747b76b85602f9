"""The workspaces as one person sees them."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex

from treeline.core.access import SERVER, require
from treeline.core.record.audit import note
from treeline.core.record.store import Store
from treeline.core.runs.quotas import Quotas, check_another, check_own, size_of
from treeline.core.runs.reach.closing import close_the_rest
from treeline.core.runs.reach.rights import Rights
from treeline.core.workspace import Workspace
from treeline.core.workspace.library import WorkspaceLibrary, WorkspaceSettings
from treeline.core.workspace.read_only import ReadOnlyWorkspace


@close_the_rest
class ReachedLibrary(WorkspaceLibrary):
    """The workspaces that a person may see; one that the person may not change can only be read.

    Parameters
    ----------
    library : WorkspaceLibrary
    rights : Rights
    store : Store
        Where what the person does is noted.
    """

    def __init__(self, library: WorkspaceLibrary, rights: Rights, store: Store) -> None:
        self._library = library
        self.folder = library.folder
        self._rights = rights
        self._store = store

    def names(self) -> list[str]:
        """Return the names of the workspaces that the person sees, sorted by title."""
        visible = self._rights.ownership.names("workspace", self._rights.person)
        return [name for name in self._library.names() if name in visible]

    def title(self, name: str) -> str:
        """Return what a workspace is called for people."""
        return self.settings(name).title

    def settings(self, name: str) -> WorkspaceSettings:
        """Return what is kept of a workspace."""
        self._rights.require_workspace("see", name)
        return self._library.settings(name)

    def get(self, name: str) -> Workspace:
        """Return a workspace.

        Raises
        ------
        InputError
            There is none of that name, as far as the person may know.
        """
        self._rights.require_workspace("see", name)
        workspace = self._library.get(name)
        return workspace if self._rights.may_workspace("change", name) else ReadOnlyWorkspace(workspace)

    def create(self, title: str, mark: str = "") -> str:
        """Create a workspace of the person's own and return its name.

        Raises
        ------
        AccessDenied
        InputError
            The title is empty.
        QuotaReached
            The person has as many workspaces, or as much in them, as may be.
        """
        self._require_room(0)
        return self._own(self._library.create(title, token_hex(3)), "create", title)

    def copy(self, name: str, title: str, mark: str = "") -> str:
        """Copy the files of a workspace into one of the person's own and return its name.

        Raises
        ------
        AccessDenied
        InputError
            There is no such workspace, or the title is empty.
        QuotaReached
            As for :meth:`create`.
        """
        self._rights.require_workspace("see", name)
        self._require_room(size_of(self._library.get(name).inputs_folder))
        return self._own(self._library.copy(name, title, token_hex(3)), "copy", name)

    def _require_room(self, more: int) -> None:
        person, quotas = self._rights.person, Quotas.from_environment()
        require(person, "create", SERVER)
        check_another(self._store, person.id, quotas)
        check_own(self._store, self._library.folder, person.id, more, quotas)

    def _own(self, name: str, action: str, detail: str) -> str:
        # Of an earlier workspace of the same name nothing may remain shared.
        self._rights.ownership.forget("workspace", name)
        self._rights.ownership.set_owner("workspace", name, self._rights.person.id)
        note(self._store, self._rights.person, action, "workspace", name, detail)
        return name

    def rename(self, name: str, title: str) -> None:
        """Give a workspace another title.

        Raises
        ------
        AccessDenied
        """
        self._rights.require_workspace("share", name)
        self._library.rename(name, title)
        note(self._store, self._rights.person, "rename", "workspace", name, title)

    def link(self, name: str, folder: str) -> None:
        """Read a folder of the server in place, where the server's settings allow it.

        Raises
        ------
        AccessDenied, PathOutside
        """
        self._rights.require_workspace("change", name)
        self._library.link(name, folder)
        note(self._store, self._rights.person, "link", "workspace", name, folder)

    def unlink(self, name: str, folder: str) -> None:
        """Stop reading a linked folder.

        Raises
        ------
        AccessDenied
        """
        self._rights.require_workspace("change", name)
        self._library.unlink(name, folder)
        note(self._store, self._rights.person, "unlink", "workspace", name, folder)

    def check_readable(self, address: str) -> Path:
        """Return a folder or a file of the server that may be read.

        Raises
        ------
        AccessDenied, PathOutside
        """
        require(self._rights.person, "create", SERVER)
        return self._library.check_readable(address)
