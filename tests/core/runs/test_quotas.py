"""What a person may use: tokens and money of a day, workspaces and what they hold."""

from __future__ import annotations

import pytest

from treeline.core.access import Person
from treeline.core.engine.actions import Call, Observation, TokenUse
from treeline.core.engine.events import StepFinished, StepStarted
from treeline.core.engine.journal import record_event
from treeline.core.errors import QuotaReached
from treeline.core.record.ownership import Ownership
from treeline.core.record.store import Store
from treeline.core.runs.quotas import Quotas, bytes_of, check_asking, cost_of, tokens_today
from treeline.core.runs.reach import ReachedLibrary, ReachedStore, Rights
from treeline.core.workspace.library import WorkspaceLibrary
from treeline.toolkit.errors import InputError

QUESTION = "What is the mean NDVI of each date?"


def test_tokens_and_money_of_a_day_count_also_of_runs_that_were_deleted(tmp_path):
    store, quotas = Store(tmp_path / "store.sqlite"), Quotas(tokens=1_000)
    ann, library = Person("ann", role="analyst"), WorkspaceLibrary(tmp_path / "workspaces")
    Ownership(store).set_owner("workspace", "lake", "ann")
    store.create_run("r", "lake", QUESTION, {"person": "ann"})
    check_asking(store, "ann", 1.0, quotas)
    record_event(store, "r", StepStarted(1, Call("x", {}), tokens=TokenUse(900, 200, 100)))
    record_event(store, "r", StepFinished(1, Observation("result", "y"), 0.1))
    store.set_status("r", "answered")
    assert tokens_today(store, "ben") == TokenUse()
    for _ in range(2):
        with pytest.raises(QuotaReached, match="used 1,100 tokens; 1,000 tokens are allowed"):
            check_asking(store, "ann", 1.0, quotas)
        ReachedStore(store, Rights(ann, store, library)).delete_run("r")
    assert store.run("r") is None and tokens_today(store, "ann") == TokenUse(900, 200, 100)


def test_money_needs_prices(tmp_path, monkeypatch):
    monkeypatch.setenv("TREELINE_QUOTAS", "money=3")
    with pytest.raises(InputError, match="what tokens cost is not set"):
        Quotas.from_environment()
    monkeypatch.setenv("TREELINE_PRICES", "input=2 cached=1 output=10")
    assert Quotas.from_environment().money == 3
    assert cost_of(TokenUse(1_000_000, 100_000, 500_000)) == pytest.approx(0.5 * 2 + 0.5 * 1 + 0.1 * 10)
    for wrong in ("in=2", "input=dear"):
        monkeypatch.setenv("TREELINE_PRICES", wrong)
        with pytest.raises(InputError):
            Quotas.from_environment()


def test_a_person_has_so_many_workspaces_and_so_much_in_all_of_them(tmp_path, monkeypatch):
    store, folder = Store(tmp_path / "store.sqlite"), tmp_path / "workspaces"
    ann = Person("ann", role="analyst")
    library = ReachedLibrary(WorkspaceLibrary(folder), Rights(ann, store, WorkspaceLibrary(folder)), store)
    first = library.create("Lake")
    (folder / first / "inputs").mkdir(exist_ok=True)
    (folder / first / "inputs" / "a.txt").write_bytes(b"x" * 2_000)
    used = bytes_of(store, folder, "ann")
    assert used >= 2_000 and bytes_of(store, folder, "ben") == 0
    monkeypatch.setenv("TREELINE_QUOTAS", f"disk_each={used + 1_999} workspaces=2")
    with pytest.raises(QuotaReached, match="All workspaces of ann hold"):
        library.copy(first, "Again")
    library.create("Empty")
    with pytest.raises(QuotaReached, match="You have 2 workspaces; 2 are allowed"):
        library.create("One more")


def test_none_stands_for_no_limit_where_that_is_meant(monkeypatch):
    monkeypatch.setenv("TREELINE_MODE", "team")
    monkeypatch.setenv("TREELINE_QUOTAS", "asks=0 seconds=0 disk_each=0")
    quotas = Quotas.from_environment()
    assert (quotas.asks, quotas.seconds, quotas.disk_each) == (0, 0, 0)
    for wrong in ("runs=0", "memory=0", "asks=-1"):
        monkeypatch.setenv("TREELINE_QUOTAS", wrong)
        with pytest.raises(InputError, match="TREELINE_QUOTAS"):
            Quotas.from_environment()
