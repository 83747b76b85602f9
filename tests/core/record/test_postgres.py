"""The record in a real PostgreSQL: its tables, its runs, its server killed and started again."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests import postgres
from tests.core.record.test_migrations import differences
from tests.rasters import write_raster
from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of, record_event
from treeline.core.errors import RecordError
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace

QUESTION = "What is the mean NDVI of each date?"


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    with postgres.server() as running:
        yield running


@pytest.fixture
def url(server: postgres.Server, request: pytest.FixtureRequest) -> str:
    return server.create(f"d{abs(hash(request.node.name))}")


def manager_of(url: str, home: Path) -> RunManager:
    return RunManager(Store(url), lambda name: Workspace(home / name))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    inputs = tmp_path / "lake" / "inputs"
    inputs.mkdir(parents=True)
    bands = np.random.default_rng(11).integers(500, 4000, (2, 64, 64)).astype("uint16")
    for date in ("2021-05-01", "2021-06-01"):
        write_raster(inputs / f"Lake_{date}.tif", bands, descriptions=("red", "nir"), scale=0.0001)
    return tmp_path


def test_the_scripts_make_the_tables_of_the_code(url):
    assert differences(Store(url).engine) == []


@pytest.mark.parametrize("attempt", range(5))
def test_six_threads_open_a_fresh_store_at_once(url, attempt):
    barrier = threading.Barrier(6)
    faults: list[BaseException] = []

    def open_it(number: int) -> None:
        barrier.wait()
        try:
            Store(url).create_run(f"r{number}", "w", "q", {})
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=open_it, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(Store(url).runs()) == 6


def test_a_question_is_answered_and_read_back(url, home):
    manager = manager_of(url, home)
    run = manager.start("lake", QUESTION, RunOptions())
    manager.wait(run, 60)
    assert manager.record(run).status == "answered"
    assert [r.id for r in Store(url).runs("lake")] == [run]


def test_writers_of_one_run_do_not_break_each_other(url):
    stores = [Store(url) for _ in range(4)]
    stores[0].create_run("r", "w", "q", {})

    def write(store: Store) -> None:
        for number in range(25):
            record_event(store, "r", Note(str(number)))

    threads = [threading.Thread(target=write, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [stored.number for stored in events_of(stores[0], "r")] == list(range(1, 101))


def test_a_run_goes_on_when_its_killed_database_is_back(server, url, home):
    manager = manager_of(url, home)
    run = manager.start("lake", QUESTION, RunOptions())
    server.stop("immediate")
    time.sleep(1)
    server.start()
    manager.wait(run, 60)
    assert manager.record(run).status == "answered"


def test_a_database_that_stays_away_ends_a_run_in_words_once_it_is_back(server, url, home):
    manager = manager_of(url, home)
    manager.store.patience, manager.patience = 0.3, 60
    run = manager.create("lake", QUESTION, RunOptions())
    server.stop("immediate")
    manager.launch(run, lambda stop: manager.work(run, None, stop))
    try:
        until = time.monotonic() + 30
        while not manager.trouble(run):
            assert time.monotonic() < until
            time.sleep(0.02)
        assert "the database does not answer" in manager.trouble(run)
        assert "psycopg" not in manager.trouble(run)
        with pytest.raises(RecordError, match="does not answer"):
            manager.store.runs()
    finally:
        server.start()
    manager.wait(run, 60)
    assert manager.record(run).status == "failed"
    manager.resume(run)
    manager.wait(run, 60)
    assert manager.record(run).status == "answered"
