"""How many runs and faults the record holds."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from treeline.core.record.status import FINISHED
from treeline.core.record.store import Store
from treeline.core.record.tables import FAULTS, RUNS

_STATUS = sorted({*FINISHED, "waiting", "running", "interrupted"})


@dataclass(frozen=True, slots=True)
class Totals:
    """Runs by status, those inside another one not counted; faults."""

    runs: dict[str, int]
    faults: int


def totals(store: Store) -> Totals:
    """Return what the record holds.

    Raises
    ------
    RecordError
    """

    def count(connection: Connection) -> Totals:
        runs = select(RUNS.c.status, func.count()).where(RUNS.c.parent.is_(None)).group_by(RUNS.c.status)
        counted = {row[0]: row[1] for row in connection.execute(runs)}
        faults = connection.execute(select(func.count()).select_from(FAULTS)).scalar_one()
        return Totals(dict.fromkeys(_STATUS, 0) | counted, faults)

    return store.read(count)
