"""What a policy is writing at the moment: a row a run, replaced as it grows, removed once it is an event."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert

from treeline.core.record.store import Store, now
from treeline.core.record.tables import DRAFTS


def put_draft(store: Store, run: str, body: str) -> None:
    """Keep what a policy has written so far, in place of what it had before."""

    def put(connection: Connection) -> None:
        connection.execute(delete(DRAFTS).where(DRAFTS.c.run == run))
        connection.execute(insert(DRAFTS).values(run=run, body=body, time=now()))

    store.write(put)


def remove_draft(store: Store, run: str) -> None:
    """Forget what a policy was writing."""
    store.write(lambda connection: connection.execute(delete(DRAFTS).where(DRAFTS.c.run == run)) and None)
