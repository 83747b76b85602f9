"""The trail of what people did; it only grows."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select

from treeline.core.access.people import Person
from treeline.core.access.things import Kind
from treeline.core.errors import RecordError
from treeline.core.record.store import Store, moment_of, now
from treeline.core.record.tables import AUDIT

# What a person wrote may be part of it, and nobody may fill the disk by what is refused.
_LONGEST_DETAIL = 500
# Whoever tries addresses by the thousand is not to fill the record.
_MOST_REFUSALS, _HOUR = 60, 3_600.0

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecordedAct:
    """What a person did to a thing, and when."""

    time: datetime
    person: str
    action: str
    kind: str
    thing: str
    detail: str


def note(store: Store, person: Person, action: str, kind: Kind, thing: str, detail: str = "") -> None:
    """Add to the trail; of the one person of a local server nothing is noted."""
    if person.local:
        return
    row = {
        "time": now(),
        "person": person.id,
        # The columns have these lengths, and PostgreSQL refuses what is longer.
        "action": action[:32],
        "kind": kind,
        "thing": thing[:512],
        "detail": detail[:_LONGEST_DETAIL],
    }
    store.write(lambda connection: connection.execute(insert(AUDIT).values(row)))


class Refusals:
    """What people were refused: each thing once an hour, and so many of a person, as the trail stays.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._noted: dict[str, dict[tuple[str, str, str], float]] = {}
        self._lock = threading.Lock()

    def note(self, person: Person, action: str, kind: Kind, thing: str) -> None:
        """Add to the trail that a person was refused; the refusal stands where it cannot be written."""
        refused, moment = (action, kind, thing[:512]), time.monotonic()
        with self._lock:
            noted = self._noted.setdefault(person.id, {})
            # A list is made first: a dictionary cannot lose items while it is walked.
            for earlier in [each for each, since in noted.items() if moment - since > _HOUR]:
                del noted[earlier]
            if person.local or refused in noted or len(noted) >= _MOST_REFUSALS:
                return
            noted[refused] = moment
        try:
            note(self._store, person, "refused", kind, thing, action)
        except RecordError as error:
            _LOG.warning("A refusal could not be noted: %s", error)


def deeds(store: Store, person: str = "", limit: int | None = 500, since: float = 0.0) -> list[RecordedAct]:
    """Return what was done, the newest first.

    Parameters
    ----------
    person : str
        By whom; by anybody where it is empty.
    limit : int, optional
        How many at most; all where it is ``None``.
    since : float
        Seconds since 1970, from which on.
    """
    query = select(AUDIT).where(AUDIT.c.time >= since).order_by(AUDIT.c.id.desc()).limit(limit)
    if person:
        query = query.where(AUDIT.c.person == person)
    with store.reading() as connection:
        rows = connection.execute(query).all()
    return [RecordedAct(moment_of(r.time), r.person, r.action, r.kind, r.thing, r.detail) for r in rows]
