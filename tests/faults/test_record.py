"""The record cannot be written: locked, full, read-only, damaged. No run is lost, none is stuck."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, event

from tests.rasters import write_raster
from treeline.core.engine.events import Note, RunFinished
from treeline.core.engine.journal import ending_of, events_of, record_event
from treeline.core.errors import RecordError
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace
from treeline.toolkit import cluster

QUESTION = "What is the mean NDVI of each date?"
SQL = ("sqlite3", "INSERT", "SELECT", "[SQL", "sqlalche")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    inputs = tmp_path / "workspaces" / "lake" / "inputs"
    inputs.mkdir(parents=True)
    bands = np.random.default_rng(11).integers(500, 4000, (2, 64, 64)).astype("uint16")
    for date in ("2021-05-01", "2021-06-01"):
        write_raster(inputs / f"Lake_{date}.tif", bands, descriptions=("red", "nir"), scale=0.0001)
    return tmp_path


@pytest.fixture
def manager(home: Path) -> RunManager:
    store = Store(home / "store.sqlite")
    store.patience = 0.3
    return RunManager(store, lambda name: Workspace(home / "workspaces" / name))


class FullDisk:
    """Makes SQLite find its disk full after so many more pages."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pages = 0
        event.listen(store.engine, "connect", self._limit)

    def fill(self, more: int = 0) -> None:
        """Leave room for a few more pages."""
        with self._store.engine.connect() as connection:
            self._pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one() + more
        self._store.engine.dispose()

    def free(self) -> None:
        """Take the limit away."""
        self._pages = 0
        self._store.engine.dispose()

    def _limit(self, connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {self._pages or 1_000_000}")


@contextmanager
def lock(path: Path, seconds: float) -> Iterator[None]:
    """Keep a database locked from another connection for a while."""
    begun = threading.Event()

    def hold() -> None:
        with sqlite3.connect(path, isolation_level=None) as connection:
            connection.execute("BEGIN IMMEDIATE")
            begun.set()
            time.sleep(seconds)
            connection.execute("COMMIT")

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait()
    yield
    thread.join()


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)


def assert_in_words(text: str) -> None:
    assert text
    for part in SQL:
        assert part not in text


def test_a_locked_record_is_waited_for(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite")
    store.create_run("r", "w", "q", {})
    with lock(tmp_path / "store.sqlite", 7):  # longer than SQLite itself waits
        assert record_event(store, "r", Note("after the lock")) == 1


def test_a_record_that_stays_locked_is_told_in_words(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite")
    store.patience = 0.1
    with lock(tmp_path / "store.sqlite", 7), pytest.raises(RecordError, match="locked") as fault:
        store.create_run("r", "w", "q", {})
    assert_in_words(str(fault.value))


def test_where_all_connections_are_in_use_it_is_said_in_words(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite")
    store.close()
    store.engine = create_engine(store.engine.url, pool_size=1, max_overflow=0, pool_timeout=0.05)
    with store.engine.connect(), pytest.raises(RecordError, match="all connections to it are in use"):
        store.runs()
    assert store.runs() == []
    store.close()


def test_many_writers_do_not_break_each_other(tmp_path: Path) -> None:
    stores = [Store(tmp_path / "store.sqlite") for _ in range(4)]
    stores[0].create_run("r", "w", "q", {})
    faults: list[BaseException] = []

    def write(store: Store) -> None:
        try:
            for number in range(25):
                record_event(store, "r", Note(str(number)))
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert [stored.number for stored in events_of(stores[0], "r")] == list(range(1, 101))


@pytest.mark.parametrize("more", [0, 1, 2])
def test_a_run_on_a_full_disk_ends_as_failed_once_there_is_room(manager: RunManager, more: int) -> None:
    disk = FullDisk(manager.store)
    manager.patience = 60
    heavy = "x" * 9_000  # an event that needs pages of its own
    manager.on_event = lambda event: None
    run = manager.create("lake", f"{QUESTION} {' ' * 10}", RunOptions())
    record_event(manager.store, run, Note(heavy))
    disk.fill(more)
    manager.launch(run, lambda stop: manager.work(run, None, stop))
    wait_for(lambda: bool(manager.trouble(run)))
    assert "its disk is full" in manager.trouble(run)
    assert_in_words(manager.trouble(run))
    disk.free()
    manager.wait(run, 60)
    record = manager.record(run)
    finished = ending_of(manager.store, run)
    assert finished is not None and record.status == finished.status
    assert record.status == "failed"
    assert_in_words(finished.reason)
    assert manager.trouble(run) == ""
    manager.resume(run)
    manager.wait(run, 60)
    assert manager.record(run).status == "answered"


def test_a_run_that_cannot_be_recorded_at_all_is_refused_in_words(manager: RunManager) -> None:
    disk = FullDisk(manager.store)
    disk.fill()
    with pytest.raises(RecordError, match="disk is full") as fault:
        for _ in range(200):  # a page may have room for a few rows
            manager.create("lake", QUESTION + " " + "x" * 900, RunOptions())
    assert_in_words(str(fault.value))


def test_a_lock_in_the_middle_of_a_run_changes_nothing(manager: RunManager, home: Path) -> None:
    manager.store.patience = 30
    run = manager.start("lake", QUESTION, RunOptions())
    with lock(home / "store.sqlite", 2):
        pass
    manager.wait(run, 60)
    assert manager.record(run).status == "answered"


def test_input_that_is_deleted_ends_a_run_in_words(manager: RunManager, home: Path) -> None:
    run = manager.create("lake", QUESTION, RunOptions())
    assert manager.workspace_of("lake").rasters
    for path in (home / "workspaces" / "lake" / "inputs").iterdir():
        path.unlink()
    finished = manager.work(run)
    assert isinstance(finished, RunFinished)
    assert manager.record(run).is_finished
    assert finished.status in ("declined", "failed", "asks")


def test_a_scheduler_that_is_not_there_ends_a_run_in_words(
    manager: RunManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    monkeypatch.setenv("TREELINE_SCHEDULER", "tcp://127.0.0.1:1")
    run = manager.start("lake", QUESTION, RunOptions())
    manager.wait(run, 120)
    finished = ending_of(manager.store, run)
    assert finished is not None and finished.status == "failed"
    assert "no dask scheduler answers" in finished.reason
    monkeypatch.delenv("TREELINE_SCHEDULER")
    manager.resume(run)
    manager.wait(run, 60)
    assert manager.record(run).status == "answered"


@pytest.mark.parametrize("another", [False, True])
def test_a_record_whose_file_goes_is_told_in_words_until_it_is_back(tmp_path: Path, another: bool) -> None:
    path, away = tmp_path / "store.sqlite", tmp_path / "away.sqlite"
    store = Store(path)
    store.create_run("r", "w", "q", {})
    os.rename(path, away)
    if another:
        path.write_bytes(b"")
    store.patience = 0.1
    for use in (lambda: store.create_run("s", "w", "q", {}), store.runs):
        with pytest.raises(RecordError, match="was deleted, moved or replaced while it was open") as fault:
            use()
        assert_in_words(str(fault.value))
        assert fault.value.hint == "Put it back, or start Treeline again."
    assert path.exists() is another, "no empty record is made in its place"
    os.replace(away, path)
    store.create_run("s", "w", "q", {})
    assert {run.id for run in Store(path).runs()} == {"r", "s"}
    store.close()


def test_a_record_that_is_closed_may_be_replaced(tmp_path: Path) -> None:
    store, other = Store(tmp_path / "store.sqlite"), Store(tmp_path / "other.sqlite")
    other.create_run("r", "w", "q", {})
    for each in (store, other):
        each.close()
    os.replace(tmp_path / "other.sqlite", tmp_path / "store.sqlite")
    assert [run.id for run in store.runs()] == ["r"]


@pytest.mark.parametrize(
    "content", [b"no database at all, but long enough to be one" * 40, b"SQLite format 3\0" * 90]
)
def test_a_damaged_record_is_told_in_words(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "store.sqlite").write_bytes(content)
    with pytest.raises(RecordError) as fault:
        Store(tmp_path / "store.sqlite")
    assert_in_words(str(fault.value))
