"""The rows of pinned answers."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from treeline.core.record.store import Store, moment_of, now
from treeline.core.record.tables import PINS


@dataclass(frozen=True, slots=True)
class Pin:
    """An answer that is pinned.

    Attributes
    ----------
    person : str
        Whose it is.
    run, before : str
        The newest run of the question, and the one before it; empty where it was asked once.
    every : int
        Seconds after which it is looked whether there are new files; 0 for by hand alone.
    looked : datetime
        When that was last.
    files : str
        What names the files of the workspace as they were when it was asked.
    """

    id: str
    person: str
    workspace: str
    run: str
    before: str
    every: int
    looked: datetime
    files: str


def add_pin(store: Store, person: str, workspace: str, run: str, files: str) -> Pin:
    """Pin the answer of a run.

    Parameters
    ----------
    person : str
        Whose pin it is; empty where nobody is told apart.
    files : str
        What names the files of the workspace as they were when it was asked.
    """
    moment = now()
    row = {
        "id": uuid.uuid4().hex[:12],
        "person": person,
        "workspace": workspace,
        "run": run,
        "before": "",
        "every": 0,
        "looked": moment,
        "files": files,
        "created": moment,
    }
    store.write(lambda connection: connection.execute(insert(PINS).values(row)) and None)
    return pin_of(store, str(row["id"]))


def pins_of(store: Store) -> list[Pin]:
    """Return all pins, the newest first."""
    query = select(PINS).order_by(PINS.c.created.desc())
    return [_pin(row) for row in _rows(store, query)]


def pin_of(store: Store, pin: str) -> Pin:
    """Return a pin.

    Raises
    ------
    KeyError
        There is none.
    """
    rows = _rows(store, select(PINS).where(PINS.c.id == pin))
    if not rows:
        raise KeyError(pin)
    return _pin(rows[0])


def replace_run(store: Store, pin: Pin, run: str, files: str) -> None:
    """Put a newer run in place of a pin's."""
    values = {"run": run, "before": pin.run, "files": files, "looked": now()}
    store.write(lambda connection: connection.execute(_same(pin).values(values)) and None)


def set_every(store: Store, pin: Pin, seconds: int) -> None:
    """Change how often new files are looked for."""
    store.write(lambda connection: connection.execute(_same(pin).values(every=seconds)) and None)


def take_turn(store: Store, pin: Pin) -> bool:
    """Note that new files are looked for now; return whether no other process was first."""
    # Of several processes that find the pin due, only one still finds the moment that all have read.
    held = _same(pin).where(PINS.c.looked == pin.looked.timestamp()).values(looked=now())
    return store.write(lambda connection: bool(connection.execute(held).rowcount))


def remove_pin(store: Store, pin: Pin) -> None:
    """Forget a pin; its runs stay."""
    store.write(lambda connection: connection.execute(delete(PINS).where(PINS.c.id == pin.id)) and None)


def _same(pin: Pin) -> Any:
    return update(PINS).where(PINS.c.id == pin.id)


def _rows(store: Store, query: Any) -> Sequence[Row[Any]]:
    return store.read(lambda connection: connection.execute(query).all())


def _pin(row: Row[Any]) -> Pin:
    return Pin(
        row.id, row.person, row.workspace, row.run, row.before, row.every, moment_of(row.looked), row.files
    )
