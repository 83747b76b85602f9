"""The failure memory of one person."""

from __future__ import annotations

from treeline.core.access import Thing, require
from treeline.core.memory.entries import Entry
from treeline.core.memory.failure import FailureMemory
from treeline.core.record.audit import note
from treeline.core.record.store import Store
from treeline.core.runs.reach.rights import Rights


class ReachedMemory(FailureMemory):
    """The lessons of a person and those that are shared with everybody; who may not share, does not.

    Parameters
    ----------
    store : Store
    rights : Rights
    """

    def __init__(self, store: Store, rights: Rights) -> None:
        super().__init__(store, rights.person.id)
        self._store_of_deeds = store
        self._person = rights.person

    def mark(
        self,
        entry: str,
        *,
        pinned: bool | None = None,
        muted: bool | None = None,
        deleted: bool | None = None,
        shared: bool | None = None,
    ) -> Entry:
        """Pin, mute, delete or share an entry, or undo that.

        Raises
        ------
        AccessDenied
            It is to be shared by somebody who may not share lessons.
        InputError
            There is no such entry, or it belongs to somebody else.
        """
        if shared:
            require(self._person, "share", Thing("memory", entry, self.get(entry).owner))
        marked = super().mark(entry, pinned=pinned, muted=muted, deleted=deleted, shared=shared)
        if shared is not None:
            note(self._store_of_deeds, self._person, "share" if shared else "withdraw", "memory", entry)
        return marked
