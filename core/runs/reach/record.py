"""The record as one person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row

from treeline.core.access import require
from treeline.core.record.audit import note
from treeline.core.record.store import EventRow, RunRecord, Store
from treeline.core.runs.quotas import tell_tokens
from treeline.core.runs.reach.closing import close_the_rest
from treeline.core.runs.reach.rights import Rights
from treeline.core.runs.usage import count_tokens_used


@close_the_rest
class ReachedStore(Store):
    """The runs that a person may see; what others have is not there.

    Parameters
    ----------
    store : Store
    rights : Rights
    """

    def __init__(self, store: Store, rights: Rights) -> None:
        self._store = store
        self._rights = rights

    def run(self, run: str) -> RunRecord | None:
        """Return a run that the person sees, or ``None``."""
        record = self._store.run(run)
        return record if record is not None and self._rights.sees_run(record) else None

    def runs(
        self,
        workspace: str | None = None,
        parent: str | None = None,
        limit: int = 500,
        condition: ColumnElement[bool] | None = None,
    ) -> list[RunRecord]:
        """Return runs that the person sees, the newest first."""
        if parent is not None:
            return self._store.runs(workspace, parent, limit, condition) if self.run(parent) else []
        visible = self._rights.visible_runs()
        wanted = visible if condition is None else visible & condition
        return self._store.runs(workspace, None, limit, wanted)

    def event_rows(self, run: str, after: int = 0) -> list[EventRow]:
        """Return the events of a run that the person sees."""
        return self._store.event_rows(run, after) if self.run(run) is not None else []

    def draft(self, run: str) -> str:
        """Return what the policy of a run that the person sees is writing."""
        return self._store.draft(run) if self.run(run) is not None else ""

    def fault_rows(self, run: str) -> Sequence[Row[Any]]:
        """Return the faults of a run that the person sees."""
        return self._store.fault_rows(run) if self.run(run) is not None else []

    def queue(self) -> list[RunRecord]:
        """Return who waits and works, not what they ask: everybody's place follows from it."""
        return self._store.queue()

    def delete_run(self, run: str) -> None:
        """Forget a run of the person's own.

        Raises
        ------
        AccessDenied
        """
        record = self.run(run)
        if record is None:
            return
        require(self._rights.person, "delete", self._rights.thing_of(record))
        used = tell_tokens(count_tokens_used(self._store, run))
        self._store.delete_run(run)
        note(self._store, self._rights.person, "delete", "run", run, f"in {record.workspace}: {used}")
