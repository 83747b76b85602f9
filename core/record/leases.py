"""Leases: which process works on a run, and which runs are left behind by one that is gone.

A process holds its runs for as long as it says that it lives. Another one on the same machine looks whether
the process is there; one on another machine waits until nothing was heard of it for a while, by the clock of
the database. Whoever has lost a run so can write no more of it.
"""

from __future__ import annotations

import os
import socket
import threading
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import Connection, delete, insert, select, text, update

from treeline.core.errors import LeaseLost, RecordError
from treeline.core.record.store import RunRecord, Store, now
from treeline.core.record.tables import LEASES, RUNS

# Six beats may be missed: a database that is started again takes less.
BEAT_SECONDS = 10.0
LEASE_SECONDS = 60.0
# Half a lease: a run of a host that died is shown as interrupted within a lease and a half.
WATCH_SECONDS = 30.0
_PROCESSES = Path("/proc")


def owner_of_this_process() -> str:
    """Return what names this process even when its number is given to another one later."""
    return f"{os.getpid()}-{_begin_of(os.getpid())}-{uuid.uuid4().hex[:8]}"


def this_host() -> str:
    """Return what names the machine, or the container, within which process numbers are unique."""
    try:
        # Two containers may have one host name, and number their processes each from 1.
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return f"{socket.gethostname()} {space}".strip()


def claim(store: Store, run: str, owner: str) -> None:
    """Record that a process works on a run.

    Raises
    ------
    LeaseLost
        Another process that lives works on it.
    """

    def take(connection: Connection) -> None:
        # The row is locked until the transaction ends, so that of two processes which claim it at once one
        # sees the other.
        held = connection.execute(select(RUNS.c.owner).where(RUNS.c.id == run).with_for_update()).scalar()
        if held and held != owner and _lives(connection, held):
            raise LeaseLost("Another process works on this run already.", "Stop it there first.")
        _beat(connection, owner)
        connection.execute(
            update(RUNS).where(RUNS.c.id == run).values(status="running", owner=owner, updated=now())
        )

    store.write(take)


def hold(store: Store, run: str, owner: str) -> None:
    """Record that a run waits in a process, unless it has begun or ended meanwhile."""

    def take(connection: Connection) -> None:
        _beat(connection, owner)
        # A run that goes on waits again.
        idle = (RUNS.c.id == run) & RUNS.c.owner.in_(("", owner)) & (RUNS.c.status != "running")
        connection.execute(update(RUNS).where(idle).values(status="waiting", owner=owner, updated=now()))

    store.write(take)


def take_away(store: Store, run: str) -> bool:
    """Record a run as stopped that another process may hold, and return whether it had not ended.

    That process is refused its next writing, and gives up.
    """

    def take(connection: Connection) -> bool:
        going = (RUNS.c.id == run) & RUNS.c.status.in_(("waiting", "running"))
        changed: Any = connection.execute(
            update(RUNS).where(going).values(status="stopped", owner="", updated=now())
        )
        return bool(changed.rowcount)

    return store.write(take)


def beat(store: Store, owner: str) -> None:
    """Record that a process lives."""
    store.write(lambda connection: _beat(connection, owner))


def mark_interrupted(store: Store, live: Iterable[str] = ()) -> list[str]:
    """Mark runs as interrupted whose process is gone; return their identifiers.

    Parameters
    ----------
    store : Store
    live : iterable of str
        The runs that this process works on.
    """
    unfinished = list(store.unfinished_runs())
    owners = {record.id: record.owner for record in unfinished}
    others = [r for r in unfinished if not {r.id, r.parent} & set(live) and not _is_being_begun(r)]
    if not others:
        return []

    def mark(connection: Connection) -> list[str]:
        # A member's run that has not begun is held by whoever works on the team's.
        held = [(record, record.owner or owners.get(record.parent or "", "")) for record in others]
        lost = [record for record, owner in held if not _lives(connection, owner)]
        return [record.id for record in lost if _interrupt(connection, record)]

    return store.write(mark)


class Heartbeat:
    """Says that a process lives while it works on runs.

    Parameters
    ----------
    busy : callable
        Returns whether it works on any; without work it ends until it is started again.
    look : callable
        Called at each beat.
    """

    def __init__(
        self, store: Store, owner: str, busy: Callable[[], bool], look: Callable[[], None] = lambda: None
    ) -> None:
        self._look = look
        self._store = store
        self._owner = owner
        self._busy = busy
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread that records that the process lives, unless it runs."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(BEAT_SECONDS)
            with self._lock:
                if not self._busy():
                    self._thread = None
                    return
            # The database may be back at the next beat; the writers of the runs say what is wrong.
            with suppress(RecordError):
                beat(self._store, self._owner)
                self._look()


def _beat(connection: Connection, owner: str) -> None:
    moment = _moment(connection)
    known = update(LEASES).where(LEASES.c.owner == owner).values(beat=moment)
    if connection.execute(known).rowcount == 0:
        row = {"owner": owner, "host": this_host(), "beat": moment}
        connection.execute(insert(LEASES).values(row))
        # Of processes long ended; one that wakes after a night writes its row again.
        connection.execute(delete(LEASES).where(LEASES.c.beat < moment - 100 * LEASE_SECONDS))


def _is_being_begun(record: RunRecord) -> bool:
    """Return whether a run was recorded, or handed over, so lately that a process may be about to take it."""
    return not record.owner and abs(now() - record.updated.timestamp()) < BEAT_SECONDS


def _interrupt(connection: Connection, record: RunRecord) -> bool:
    """Mark a run as interrupted unless its process or status changed since it was looked at."""
    same = (RUNS.c.id == record.id) & (RUNS.c.owner == record.owner) & (RUNS.c.status == record.status)
    changed: Any = connection.execute(
        update(RUNS).where(same).values(status="interrupted", owner="", updated=now())
    )
    return bool(changed.rowcount)


def _lives(connection: Connection, owner: str) -> bool:
    """Return whether the process that holds a run lives, as far as can be known from here."""
    lease = connection.execute(select(LEASES).where(LEASES.c.owner == owner)).first()
    if lease is not None and lease.host != this_host():
        # A beat that is to come was before the clock was set back.
        return bool(abs(_moment(connection) - lease.beat) < LEASE_SECONDS)
    # The system gives the number of a process again; the moment at which it began tells the two apart.
    number, _, rest = owner.partition("-")
    # This process looks only at runs that it does not work on itself, so one that has its number was
    # another's before.
    if not number.isdigit() or int(number) == os.getpid():
        return False
    try:
        return _begin_of(int(number)) == rest.partition("-")[0]
    except (OSError, psutil.Error):
        return False


def _begin_of(process: int) -> str:
    """Return when a process began, on Linux by a clock that nobody sets."""
    if not _PROCESSES.joinpath("self").exists():
        return f"{psutil.Process(process).create_time():.2f}"
    told = _PROCESSES.joinpath(str(process), "stat").read_text("utf-8", "replace")
    boot = _PROCESSES.joinpath("sys/kernel/random/boot_id").read_text("utf-8")
    # The name of the program, in brackets, may hold anything; the 22nd field counts from before it.
    return f"{told.rpartition(')')[2].split()[19]}.{boot[:8]}"


def _moment(connection: Connection) -> float:
    """Return the moment by the one clock that all hosts of a store share."""
    if connection.dialect.name == "postgresql":
        return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    return now()
