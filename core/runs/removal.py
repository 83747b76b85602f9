"""A workspace is deleted for good: its files, its runs, and what was pinned of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass

from treeline.core.access import Person
from treeline.core.errors import RecordError
from treeline.core.record.audit import note
from treeline.core.record.pins import pins_of, remove_pin
from treeline.core.record.store import RunRecord, Store
from treeline.core.runs.quotas import LOST, size_of, tell_tokens
from treeline.core.runs.reach.rights import Rights
from treeline.core.runs.usage import count_tokens_used
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.toolkit.errors import InputError

_ALL = 10_000_000


@dataclass(frozen=True, slots=True)
class Content:
    """What goes with a workspace.

    Attributes
    ----------
    bytes : int
        Of all files of its folder, products and trash counted; linked folders stay and are not counted.
    runs_of_others : int
        Of the runs, those that colleagues asked.
    """

    files: int
    bytes: int
    runs: int
    runs_of_others: int = 0


class Removal:
    """Deletes workspaces as a person may.

    Parameters
    ----------
    rights : Rights
        Of the person; the one of a local server may delete everything.
    library : WorkspaceLibrary
        With all workspaces.
    store : Store
        With all runs.
    """

    def __init__(self, rights: Rights, library: WorkspaceLibrary, store: Store) -> None:
        self._rights = rights
        self._library = library
        self._store = store

    def content(self, name: str) -> Content:
        """Return what would go with a workspace.

        Raises
        ------
        AccessDenied, InputError
            It is not the person's to delete, or there is none.
        """
        self._rights.require_workspace("delete", name)
        folder = self._library.get(name).folder
        runs = self._runs(name)
        count = sum(1 for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        return Content(count, size_of(folder), len(runs), sum(map(self._is_of_another, runs)))

    def delete(self, name: str) -> Content:
        """Delete a workspace with its runs, for good; folders that it links to stay as they are.

        Raises
        ------
        AccessDenied, InputError
            It is not the person's to delete, there is none, or a run works in it.
        """
        content = self.content(name)
        runs = self._runs(name)
        at_work = sum(not record.is_finished for record in runs)
        if at_work:
            raise InputError(
                f"{at_work} of the workspace's runs {'waits or works' if at_work == 1 else 'wait or work'}.",
                "Stop them on the page Runs, or wait until they have ended.",
            )
        hidden = self._library.hide(name)
        try:
            self._forget(name, runs)
        except RecordError:  # its files come back, to be deleted when the record can be written
            hidden.rename(self._library.folder / name)
            raise
        told = f"{content.files} files, {content.bytes} bytes, {content.runs} runs"
        note(self._store, self._rights.person, "delete", "workspace", name, told)
        shutil.rmtree(hidden, ignore_errors=True)
        return content

    def _forget(self, name: str, runs: Iterable[RunRecord]) -> None:
        for record in runs:
            self._forget_run(record)
        for pin in pins_of(self._store):
            if pin.workspace == name:
                remove_pin(self._store, pin)
        self._rights.ownership.forget("workspace", name)

    def _forget_run(self, record: RunRecord) -> None:
        """Forget a run; what it had used still counts for whoever asked it."""
        # Before the run is deleted, for its events tell what it used.
        used = tell_tokens(count_tokens_used(self._store, record.id))
        person = self._rights.person
        self._store.delete_run(record.id)
        if self._is_of_another(record):
            asker, by = Person(record.person), f"deleted with {record.workspace} by {person.id}"
            note(self._store, asker, LOST, "run", record.id, f"{by}: {used}")
        else:
            note(self._store, person, "delete", "run", record.id, f"in {record.workspace}: {used}")

    def _runs(self, name: str) -> list[RunRecord]:
        return self._store.runs(workspace=name, limit=_ALL)

    def _is_of_another(self, record: RunRecord) -> bool:
        return not self._rights.person.local and record.person != self._rights.person.id
