"""A team's pages with a PostgreSQL record: the server killed in a run, the database beside an open page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import postgres
from tests.browser.server import Server
from tests.security.team import ANA, SETTINGS, visitor, write_workspace
from treeline.core.record.ownership import Ownership
from treeline.core.record.store import RunRecord, Store

QUESTION = "What is the mean NDVI of each date?"
PATIENCE = 120.0


@pytest.fixture(scope="module")
def database() -> Iterator[postgres.Server]:
    with postgres.server() as running:
        yield running


@pytest.fixture
def served(database: postgres.Server, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    url = database.create(f"d{abs(hash(request.node.name))}")
    write_workspace(tmp_path, "demo", "Demo", "")
    write_workspace(tmp_path, "quarry", "Quarry", "")
    store = Store(url)
    Ownership(store).set_owner("workspace", "quarry", ANA)
    store.close()
    server = Server(tmp_path, {**SETTINGS, "TREELINE_STORE": url})
    with server:
        yield server


@pytest.fixture
def store(served: Server) -> Iterator[Store]:
    opened = Store(served.settings["TREELINE_STORE"])
    yield opened
    opened.close()


def until(wanted: Callable[[RunRecord], bool], store: Store) -> RunRecord:
    """Return the one run as soon as it is as wanted."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = store.runs("quarry")
        if found and wanted(found[0]):
            return found[0]
        time.sleep(0.05)
    raise AssertionError([run.status for run in store.runs("quarry")])


def ask(served: Server) -> None:
    with visitor(served, ANA).session() as session:
        page = session.open("", "workspace=quarry")
        typed, pressed = page.element("text_input", "Question").id, page.element("button", "Ask").id
        session.use(
            {typed: ("string_value", QUESTION), pressed: ("trigger_value", True)}, query="workspace=quarry"
        )


# How a killed server leaves a run to be resumed is tried in the browser, with the record of one file.
@pytest.mark.soak
def test_a_killed_server_leaves_a_run_that_the_page_resumes(served: Server, store: Store) -> None:
    ask(served)
    run = until(lambda record: record.status in ("waiting", "running"), store).id
    served.end(killed=True)
    served.start()
    until(lambda record: record.status in ("interrupted", "answered"), store)
    with visitor(served, ANA).session() as session:
        page = session.open("", f"workspace=quarry&run={run}")
        if store.run(run).status == "interrupted":
            resume = page.element("button", "Resume").id
            session.use({resume: ("trigger_value", True)}, query=f"workspace=quarry&run={run}")
        until(lambda record: record.status == "answered", store)
        assert "0.5" in session.open("", f"workspace=quarry&run={run}").text
    assert [record.id for record in store.runs("quarry")] == [run]


def test_a_page_outlives_its_killed_database(served: Server, store: Store, database: postgres.Server) -> None:
    ask(served)
    run = until(lambda record: record.status == "answered", store).id
    with visitor(served, ANA).session() as session:
        assert "0.5" in session.open("", f"workspace=quarry&run={run}").text
        database.stop("immediate")
        try:
            reply = visitor(served, ANA).ask("/readyz")
            assert reply.status == 503
            assert "psycopg" not in reply.text
        finally:
            database.start()
        assert "0.5" in session.open("", f"workspace=quarry&run={run}").text
    assert visitor(served, ANA).ask("/readyz").status == 200
