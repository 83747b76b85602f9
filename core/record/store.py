"""The record: runs and their events, append-only, in SQLite (or PostgreSQL by URL).

Nothing is on the screen that is not here. Every write is one transaction, so a killed process
loses at most the call in flight.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any

from sqlalchemy import Engine, create_engine, event, func, insert, select, update

from treeline.core.record.migrations import MIGRATIONS, migrate, version_of
from treeline.core.record.status import FINISHED, Status
from treeline.core.record.tables import EVENTS, FAULTS, RUNS

_TRIES, _PAUSE = 200, 0.05


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as the history lists it.

    Attributes
    ----------
    options : dict
        Policy, disclosure, team, budget, choices, profile: what it takes to resume it.
    owner : str
        The process that works on it, while it runs.
    """

    id: str
    workspace: str
    question: str
    status: Status
    created: datetime
    updated: datetime
    options: dict[str, Any] = field(default_factory=dict)
    owner: str = ""
    parent: str | None = None

    @property
    def finished(self) -> bool:
        """True when nothing more will happen by itself."""
        return self.status in FINISHED or self.status == "interrupted"


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as the table holds it: its number in the run, the moment, its kind and its JSON text."""

    number: int
    time: datetime
    kind: str
    body: str


class Store:
    """Rows of runs and of their events.

    Parameters
    ----------
    url : str or Path
        A SQLAlchemy URL, or the path of a SQLite file.
    """

    def __init__(self, url: str | Path) -> None:
        text = str(url)
        if "://" not in text:
            Path(text).parent.mkdir(parents=True, exist_ok=True)
            text = f"sqlite:///{text}"
        self.engine: Engine = create_engine(text)
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _set_pragmas)
        self._migrate()

    @property
    def address(self) -> str:
        """The URL under which another process opens the same store."""
        return self.engine.url.render_as_string(hide_password=False)

    def create_run(
        self, run: str, workspace: str, question: str, options: dict[str, Any], parent: str | None = None
    ) -> None:
        """Record a new run as waiting."""
        created = now()
        row = {
            "id": run,
            "workspace": workspace,
            "question": question,
            "options": json.dumps(options),
            "status": "waiting",
            "owner": "",
            "parent": parent,
            "created": created,
            "updated": created,
        }
        with self.engine.begin() as connection:
            connection.execute(insert(RUNS).values(row))

    def set_status(self, run: str, status: Status, owner: str = "") -> None:
        """Record the status of a run and the process that works on it."""
        with self.engine.begin() as connection:
            connection.execute(
                update(RUNS).where(RUNS.c.id == run).values(status=status, owner=owner, updated=now())
            )

    def append(self, run: str, kind: str, body: str) -> int:
        """Append an event to a run and return its number, from 1."""
        with self.engine.begin() as connection:
            last = connection.execute(select(func.max(EVENTS.c.number)).where(EVENTS.c.run == run)).scalar()
            number = (last or 0) + 1
            connection.execute(
                insert(EVENTS).values(run=run, number=number, time=now(), kind=kind, body=body)
            )
        return number

    def event_rows(self, run: str, after: int = 0) -> list[EventRow]:
        """Return the events of a run whose number is greater than ``after``, in order."""
        query = select(EVENTS).where(EVENTS.c.run == run, EVENTS.c.number > after).order_by(EVENTS.c.number)
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return [EventRow(row.number, moment_of(row.time), row.kind, row.body) for row in rows]

    def run(self, run: str) -> RunRecord | None:
        """Return a run, or ``None`` if there is none of that identifier."""
        with self.engine.connect() as connection:
            row = connection.execute(select(RUNS).where(RUNS.c.id == run)).first()
        return _record(row) if row else None

    def runs(
        self, workspace: str | None = None, parent: str | None = None, limit: int = 500
    ) -> list[RunRecord]:
        """Return runs, the newest first: those without a parent, or those of one parent."""
        query = select(RUNS).where(RUNS.c.parent.is_(None) if parent is None else RUNS.c.parent == parent)
        if workspace is not None:
            query = query.where(RUNS.c.workspace == workspace)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(RUNS.c.created.desc()).limit(limit)).all()
        return [_record(row) for row in rows]

    def unfinished(self) -> Iterator[RunRecord]:
        """Yield the runs that are recorded as waiting or running."""
        query = select(RUNS).where(RUNS.c.status.in_(("waiting", "running")))
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        yield from (_record(row) for row in rows)

    def delete_run(self, run: str) -> None:
        """Forget a run, its events, its faults and the runs that are parts of it."""
        for part in self.runs(parent=run):
            self.delete_run(part.id)
        with self.engine.begin() as connection:
            connection.execute(EVENTS.delete().where(EVENTS.c.run == run))
            connection.execute(FAULTS.delete().where(FAULTS.c.run == run))
            connection.execute(RUNS.delete().where(RUNS.c.id == run))

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    def _migrate(self) -> None:
        with self.engine.connect() as connection:
            if version_of(connection) == len(MIGRATIONS):
                return
        with self.engine.begin() as connection:
            if self.engine.dialect.name == "sqlite":
                # Of several processes that open a new store at once, one makes the tables.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            migrate(connection)


def _set_pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout=10000")
    _write_ahead(cursor)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """Set the journal's mode, for which SQLite itself does not wait while another process opens the file."""
    for _ in range(_TRIES):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError:
            time.sleep(_PAUSE)
    cursor.execute("PRAGMA journal_mode=WAL")


def _record(row: Any) -> RunRecord:
    return RunRecord(
        id=row.id,
        workspace=row.workspace,
        question=row.question,
        status=row.status,
        created=moment_of(row.created),
        updated=moment_of(row.updated),
        options=json.loads(row.options),
        owner=row.owner,
        parent=row.parent,
    )


def now() -> float:
    """Return the moment as it is kept: seconds since 1970."""
    return datetime.now(UTC).timestamp()


def moment_of(seconds: float) -> datetime:
    """Return a moment in UTC that is kept as seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)
