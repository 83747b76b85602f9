"""The record: runs and their events, append-only, in SQLite (or PostgreSQL by URL).

Nothing is on the screen that is not here. Every write is one transaction, so a killed process
loses at most the call in flight.
"""

from __future__ import annotations

import json
import logging
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    create_engine,
    event,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from treeline.core.errors import LeaseLost, RecordError
from treeline.core.record.alterations import read_row
from treeline.core.record.migrations import migrate
from treeline.core.record.own_file import GONE, OwnFile
from treeline.core.record.status import FINISHED, Status
from treeline.core.record.tables import DRAFTS, EVENTS, FAULTS, GRANTS, OWNERS, RUNS

_LOG = logging.getLogger(__name__)

Done = TypeVar("Done")

# Who asks where nobody is told apart.
LOCAL = "local"
# The kind of the event after which a run waits for a person.
AWAITED = "awaited"
_UNFINISHED = RUNS.c.status.in_(("waiting", "running"))

# For ten seconds: many processes may open a new file at once.
_TRIES, _PAUSE = 200, 0.05
# A database that is started again takes less.
PATIENCE = 15.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
# What SQLite says of a table or column that is not there: waiting brings none.
_LACKS = re.compile(r"no such (?:table|column)")
# Each try waits so long at most, and is one of those that patience allows.
_CONNECT_SECONDS = 5


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
    def person(self) -> str:
        """Who asked."""
        return self.options.get("person") or LOCAL

    @property
    def is_finished(self) -> bool:
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

    Attributes
    ----------
    patience : float
        Seconds for which reading and writing are tried again.

    Raises
    ------
    RecordError
        It cannot be opened, or is no record.
    """

    def __init__(self, url: str | Path) -> None:
        self.patience = PATIENCE
        text = str(url)
        if "://" not in text:
            Path(text).parent.mkdir(parents=True, exist_ok=True)
            text = f"sqlite:///{text}"
        try:
            self.engine: Engine = _engine(text)
        except (ArgumentError, ImportError) as error:
            # The address may hold a password, so it is not repeated.
            raise RecordError(
                f"TREELINE_STORE names no database that can be used here ({type(error).__name__}).",
                "Give the path of a SQLite file, or postgresql+psycopg:// with its driver installed.",
            ) from None
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _set_pragmas)
            OwnFile(self.engine)
        try:
            migrate(self.engine)
        except (DBAPIError, sqlite3.Error) as error:
            self.close()
            raise _record_error(error, "opened") from error
        except RecordError:
            self.close()
            raise

    @property
    def address(self) -> str:
        """The URL under which another process opens the same store."""
        # SQLAlchemy hides the password by default, with which another process could not connect.
        return self.engine.url.render_as_string(hide_password=False)

    def create_run(
        self,
        run: str,
        workspace: str,
        question: str,
        options: dict[str, Any],
        parent: str | None = None,
        moment: float | None = None,
    ) -> None:
        """Record a new run as waiting; it belongs to the ``person`` of its options.

        Parameters
        ----------
        run : str
            Its identifier, which no other run has.
        workspace, question : str
        options : dict
            What JSON can hold; never a key.
        parent : str, optional
            The run of which this is a round, a variant or a question of a bench.
        moment : float, optional
            When it was asked, in seconds since 1970; without it, now.
        """
        created = now() if moment is None else moment
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
        owner = {"kind": "run", "thing": run, "person": options.get("person", "")}

        def add(connection: Connection) -> None:
            connection.execute(insert(RUNS).values(row))
            # Where nobody is told apart, nobody owns anything.
            if owner["person"]:
                connection.execute(insert(OWNERS).values(owner))

        self.write(add)

    def set_status(self, run: str, status: Status, owner: str = "", held_by: str = "") -> None:
        """Record the status of a run and the process that works on it.

        Parameters
        ----------
        held_by : str
            The process that must hold the run for this; empty where it does not matter.

        Raises
        ------
        LeaseLost
            Another process holds it.
        """

        def change(connection: Connection) -> None:
            if held_by:
                _check_holder(connection, run, held_by)
            connection.execute(
                update(RUNS).where(RUNS.c.id == run).values(status=status, owner=owner, updated=now())
            )

        self.write(change)

    def append(self, run: str, kind: str, body: str, held_by: str = "", moment: float | None = None) -> int:
        """Append an event to a run and return its number, from 1.

        Parameters
        ----------
        held_by : str
            The process that must hold the run for this; empty where it does not matter.
        moment : float, optional
            When it happened, in seconds since 1970; without it, now.

        Raises
        ------
        LeaseLost
            Another process holds it.
        """
        moment = now() if moment is None else moment

        def add(connection: Connection) -> int:
            _check_holder(connection, run, held_by)
            newest = select(EVENTS.c.number, EVENTS.c.time, EVENTS.c.kind).where(EVENTS.c.run == run)
            last = connection.execute(newest.order_by(EVENTS.c.number.desc()).limit(1)).first()
            if last is not None and (last.time, last.kind) == (moment, kind):
                # Written by the try before, whose confirmation was lost with the connection.
                return int(last.number)
            number = last.number + 1 if last is not None else 1
            row = {"run": run, "number": number, "time": moment, "kind": kind, "body": body}
            connection.execute(insert(EVENTS).values(row))
            return number

        return self.write(add)

    def event_rows(self, run: str, after: int = 0) -> list[EventRow]:
        """Return the events of a run whose number is greater than ``after``, in order.

        Parameters
        ----------
        after : int
            0 for all; numbers begin at 1 and have no gaps.
        """
        query = select(EVENTS).where(EVENTS.c.run == run, EVENTS.c.number > after).order_by(EVENTS.c.number)
        rows = self._rows(query)
        with read_row("an event"):
            return [EventRow(row.number, moment_of(row.time), row.kind, row.body) for row in rows]

    def fault_rows(self, run: str) -> Sequence[Row[Any]]:
        """Return the faults of a run and of its parts, the oldest first."""
        parts = select(RUNS.c.id).where(RUNS.c.parent == run)
        query = select(FAULTS).where(or_(FAULTS.c.run == run, FAULTS.c.run.in_(parts)))
        return self._rows(query.order_by(FAULTS.c.id))

    def draft(self, run: str) -> str:
        """Return what the policy of a run has written so far; empty where it writes nothing."""
        rows = self._rows(select(DRAFTS.c.body).where(DRAFTS.c.run == run))
        return str(rows[0].body) if rows else ""

    def run(self, run: str) -> RunRecord | None:
        """Return a run, or ``None`` if there is none of that identifier."""
        rows = self._rows(select(RUNS).where(RUNS.c.id == run))
        return _record(rows[0]) if rows else None

    def runs(
        self,
        workspace: str | None = None,
        parent: str | None = None,
        limit: int = 500,
        condition: ColumnElement[bool] | None = None,
    ) -> list[RunRecord]:
        """Return runs, the newest first.

        Parameters
        ----------
        workspace : str, optional
            Those of one; all where it is not given.
        parent : str, optional
            Its rounds, variants or questions; where it is not given, runs that a person started.
        limit : int
            How many at most.
        condition : ColumnElement, optional
            Of the table of runs, such as who may see them.
        """
        query = select(RUNS).where(RUNS.c.parent.is_(None) if parent is None else RUNS.c.parent == parent)
        if workspace is not None:
            query = query.where(RUNS.c.workspace == workspace)
        if condition is not None:
            query = query.where(condition)
        rows = self._rows(query.order_by(RUNS.c.created.desc()).limit(limit))
        return [_record(row) for row in rows]

    def unfinished_runs(self) -> Iterator[RunRecord]:
        """Yield the runs that are recorded as waiting or running."""
        yield from (_record(row) for row in self._rows(select(RUNS).where(_UNFINISHED)))

    def queue(self) -> list[RunRecord]:
        """Return the runs that wait and those at work, in every process: of whom and how, not what they ask.

        One that waits for a person is at no work meanwhile.
        """
        # A run whose last event asks a person rests: it takes no place among those at work.
        newest = select(EVENTS.c.run, func.max(EVENTS.c.number).label("number")).group_by(EVENTS.c.run)
        last = newest.where(EVENTS.c.run.in_(select(RUNS.c.id).where(_UNFINISHED))).subquery()
        ending = (EVENTS.c.run == last.c.run) & (EVENTS.c.number == last.c.number)
        resting = select(EVENTS.c.run).join(last, ending).where(EVENTS.c.kind == AWAITED)
        own = RUNS.c.parent.is_(None) & RUNS.c.id.not_in(resting)
        records = map(_record, self._rows(select(RUNS).where(_UNFINISHED, own)))
        return [replace(r, workspace="", question="", options=_of_queue(r.options)) for r in records]

    def delete_run(self, run: str) -> None:
        """Forget a run, its events, its faults and the runs that are parts of it."""
        for part in self.runs(parent=run):
            self.delete_run(part.id)

        def delete(connection: Connection) -> None:
            # The run itself goes after its events, which refer to it.
            connection.execute(EVENTS.delete().where(EVENTS.c.run == run))
            connection.execute(FAULTS.delete().where(FAULTS.c.run == run))
            connection.execute(DRAFTS.delete().where(DRAFTS.c.run == run))
            connection.execute(RUNS.delete().where(RUNS.c.id == run))
            for table in (OWNERS, GRANTS):
                connection.execute(table.delete().where(table.c.kind == "run", table.c.thing == run))

        self.write(delete)

    def write(self, work: Callable[[Connection], Done], patience: float | None = None) -> Done:
        """Do some writing in one transaction, again with growing pauses where the database cannot be used.

        Parameters
        ----------
        patience : float, optional
            Seconds that are waited; the store's where it is left out.

        Raises
        ------
        RecordError
            It could not be used for as long as ``patience``.
        """

        def attempt() -> Done:
            with self.engine.begin() as connection:
                if self.engine.dialect.name == "sqlite":
                    # Whoever reads first and writes then is refused at once if another wrote in between.
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                return work(connection)

        return self._persist(attempt, "written", patience)

    def read(self, work: Callable[[Connection], Done]) -> Done:
        """Do some reading, again with growing pauses where the database cannot be used.

        Parameters
        ----------
        work : callable
            Is given a connection, and may be called several times: it must not change anything.

        Raises
        ------
        RecordError
            It could not be used for as long as ``patience``.
        """

        def attempt() -> Done:
            with self.engine.connect() as connection:
                return work(connection)

        return self._persist(attempt, "read")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction for writing, which is begun again and again as :meth:`write` does.

        For work of several steps, none of which is done twice.

        Raises
        ------
        RecordError
            It cannot be begun for as long as ``patience``, or the database is lost in it.
        """

        def begin() -> tuple[Connection, ExitStack]:
            with ExitStack() as stack:
                connection = stack.enter_context(self.engine.begin())
                if self.engine.dialect.name == "sqlite":
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                return connection, stack.pop_all()

        connection, transaction = self._persist(begin, "written")
        with _as_record_error("written"), transaction:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection for reading; see :meth:`writing`."""
        connection = self._persist(self.engine.connect, "read")
        with _as_record_error("read"), connection:
            yield connection

    def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        return self.read(lambda connection: connection.execute(query).all())

    def _persist(self, attempt: Callable[[], Done], what: str, patience: float | None = None) -> Done:
        waited = self.patience if patience is None else patience
        given_up, pause = time.monotonic() + waited, _FIRST_PAUSE
        while True:
            try:
                return attempt()
            except (DBAPIError, PoolTimeout) as error:
                # Anything but a database that cannot be used now would fail again in the same way. Where all
                # connections are in use, one was waited for already.
                passes = isinstance(error, OperationalError) and not _LACKS.search(str(error.orig))
                if not passes or time.monotonic() + pause > given_up:
                    raise _record_error(error, what) from error
                _LOG.info("The record cannot be %s now (%s).", what, _reason(error))
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


@contextmanager
def _as_record_error(what: str) -> Iterator[None]:
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        raise _record_error(error, what) from error


def _engine(url: str) -> Engine:
    if not url.startswith("postgresql"):
        return create_engine(url)
    # A connection that the server has ended is replaced before it is used.
    return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": _CONNECT_SECONDS})


def _check_holder(connection: Connection, run: str, held_by: str) -> None:
    """Lock the row of a run, so that its writers take turns; refuse one that does not hold it."""
    owner = connection.execute(select(RUNS.c.owner).where(RUNS.c.id == run).with_for_update()).scalar()
    if held_by and owner != held_by:
        raise LeaseLost(
            "Another process works on this run now, so this one records no more of it.",
            "Its server was not heard of for a while; what the other one does is shown.",
        )


def _set_pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout=5000")
    _write_ahead(cursor)
    # With a journal that is written ahead, NORMAL loses nothing when a process is killed. A machine without
    # power may lose the newest transactions, and the file stays whole.
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """Set the journal's mode, for which SQLite itself does not wait while another process opens the file."""
    for _ in range(_TRIES):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            time.sleep(_PAUSE)
    cursor.execute("PRAGMA journal_mode=WAL")


# Messages of databases, and the sentence that a person gets instead.
_REASONS = (
    ("disk is full", "its disk is full"),
    ("locked", "another process keeps it locked"),
    ("queuepool limit", "all connections to it are in use"),
    ("readonly", "it may only be read"),
    ("unable to open", "its file cannot be opened"),
    ("malformed", "its file is damaged"),
    ("not a database", "its file is no database"),
    (GONE, f"its file {GONE} while it was open"),
    ("connection", "the database does not answer"),
    ("database system is", "the database is starting or stopping"),
)


def _reason(error: Exception) -> str:
    said = str(getattr(error, "orig", error)).casefold()
    return next((reason for words, reason in _REASONS if words in said), "the database cannot be used")


def _record_error(error: Exception, what: str) -> RecordError:
    """Return a fault of the database in words, without its statements."""
    reason = _reason(error)
    hint = "Free its disk, or see to it that TREELINE_STORE and TREELINE_HOME can be written to."
    if GONE in reason:
        hint = "Put it back, or start Treeline again."
    return RecordError(f"The record of runs cannot be {what}: {reason}.", hint)


def _of_queue(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return of the options of a run what its turn depends on."""
    return {name: options[name] for name in ("person", "policy") if name in options}


def _record(row: Any) -> RunRecord:
    with read_row("a run"):
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
