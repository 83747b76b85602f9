"""Who comes is kept and noted, and let in where that cannot be written."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, update

from treeline.core.errors import RecordError
from treeline.core.record.audit import deeds
from treeline.core.record.people import People
from treeline.core.record.store import Store, now
from treeline.core.record.tables import PEOPLE


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def go_away(store: Store, seconds: float) -> None:
    store.write(lambda connection: connection.execute(update(PEOPLE).values(seen=now() - seconds)) and None)


def came(store: Store) -> list[tuple[str, str]]:
    return [(deed.action, deed.detail) for deed in reversed(deeds(store))]


def test_who_comes_is_noted_once_a_visit(store: Store) -> None:
    for seconds, visits in ((0, 1), (0, 1), (600, 1), (7_200, 2)):
        go_away(store, seconds)
        assert People(store).find_or_add("ana") is not None
        assert len(came(store)) == visits
    assert came(store) == [("come", "for the first time"), ("come", "")]
    People(store).set_blocked("ana", True)
    go_away(store, 7_200)
    assert People(store).find_or_add("ana") is None
    assert came(store)[-1] == ("refused", "")


def test_whom_the_server_knows_is_let_in_where_nothing_can_be_written(store: Store) -> None:
    assert People(store).find_or_add("ana") is not None
    go_away(store, 7_200)
    store.close()

    @event.listens_for(store.engine, "connect")
    def keep_from_writing(connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA query_only = ON")

    store.patience = 30.0
    began = time.monotonic()
    assert People(store).find_or_add("ana") is not None
    assert time.monotonic() - began < store.patience
    store.patience = 0.2
    with pytest.raises(RecordError):
        People(store).find_or_add("ben")
