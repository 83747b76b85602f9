from __future__ import annotations

import subprocess
import sys
import time

import psutil
import pytest
from sqlalchemy import insert, select, update

from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of, record_event
from treeline.core.errors import LeaseLost
from treeline.core.record.leases import (
    LEASE_SECONDS,
    beat,
    claim,
    hold,
    mark_interrupted,
    owner_of_this_process,
    this_host,
)
from treeline.core.record.store import Store, now
from treeline.core.record.tables import LEASES, RUNS
from treeline.core.runs.manager import RunManager
from treeline.core.workspace import Workspace

ELSEWHERE = "4242-1.00-elsewhere"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store.sqlite")


def live_elsewhere(store: Store, seconds_ago: float) -> None:
    """Record that a process of another host was last heard of so many seconds ago."""
    row = {"owner": ELSEWHERE, "host": "another machine", "beat": now() - seconds_ago}
    store.write(lambda connection: connection.execute(insert(LEASES).values(row)))


def long_ago(store: Store) -> None:
    """Record that no run was touched for a while."""
    store.write(lambda connection: connection.execute(update(RUNS).values(updated=now() - 600)))


def test_a_live_run_of_another_host_is_left_alone(store):
    store.create_run("r", "w", "q", {})
    store.set_status("r", "running", ELSEWHERE)
    live_elsewhere(store, LEASE_SECONDS - 30)
    assert mark_interrupted(store) == []
    with pytest.raises(LeaseLost):
        claim(store, "r", owner_of_this_process())
    assert store.run("r").owner == ELSEWHERE


def test_a_run_of_a_host_that_is_silent_is_interrupted_and_its_writing_ends(store):
    store.create_run("r", "w", "q", {})
    store.set_status("r", "running", ELSEWHERE)
    live_elsewhere(store, LEASE_SECONDS + 1)
    record_event(store, "r", Note("before"), ELSEWHERE)
    assert mark_interrupted(store) == ["r"]
    mine = owner_of_this_process()
    claim(store, "r", mine)
    record_event(store, "r", Note("mine"), mine)
    with pytest.raises(LeaseLost):
        record_event(store, "r", Note("too late"), ELSEWHERE)
    with pytest.raises(LeaseLost):
        store.set_status("r", "failed", held_by=ELSEWHERE)
    assert [stored.event.text for stored in events_of(store, "r")] == ["before", "mine"]
    assert store.run("r").status == "running"


def test_a_process_of_this_machine_that_is_gone_is_found_at_once(store):
    store.create_run("r", "w", "q", {})
    store.set_status("r", "running", "999999999-1.00-dead")
    beat(store, "999999999-1.00-dead")
    assert mark_interrupted(store) == ["r"]


def test_a_beat_is_kept_once_a_process(store):
    for _ in range(3):
        beat(store, "a")
    with store.engine.connect() as connection:
        rows = connection.execute(select(LEASES)).all()
    assert [(row.owner, row.host) for row in rows] == [("a", this_host())]


def test_leases_that_ended_long_ago_are_forgotten(store):
    beat(store, "old")
    store.write(lambda c: c.execute(update(LEASES).values(beat=now() - 1000 * LEASE_SECONDS)))
    beat(store, "new")
    with store.engine.connect() as connection:
        assert [row.owner for row in connection.execute(select(LEASES)).all()] == ["new"]


def test_a_run_that_has_begun_does_not_wait_again(store):
    store.create_run("r", "w", "q", {})
    mine = owner_of_this_process()
    hold(store, "r", mine)
    assert (store.run("r").status, store.run("r").owner) == ("waiting", mine)
    claim(store, "r", mine)
    hold(store, "r", mine)
    assert store.run("r").status == "running"


def test_a_run_that_was_recorded_a_moment_ago_is_not_taken_for_lost(store):
    store.create_run("r", "w", "q", {})
    assert mark_interrupted(store) == []


def test_a_member_that_has_not_begun_is_held_by_whoever_has_the_teams_run(store):
    live_elsewhere(store, 1)
    store.create_run("team", "w", "q", {})
    store.set_status("team", "running", ELSEWHERE)
    store.create_run("member", "w", "q", {}, parent="team")
    long_ago(store)
    assert mark_interrupted(store) == []
    assert mark_interrupted(store, ["team"]) == []
    store.write(lambda c: c.execute(update(LEASES).values(beat=now() - 2 * LEASE_SECONDS)))
    assert sorted(mark_interrupted(store)) == ["member", "team"]


def test_a_server_finds_what_another_host_has_lost(store, tmp_path):
    live_elsewhere(store, 2 * LEASE_SECONDS)
    store.create_run("r", "w", "q", {})
    store.set_status("r", "running", ELSEWHERE)
    RunManager(store, lambda name: Workspace(tmp_path / name)).watch(0.05)
    until = time.monotonic() + 30
    while store.run("r").status != "interrupted":
        assert time.monotonic() < until
        time.sleep(0.02)


def test_an_event_whose_confirmation_was_lost_is_not_written_twice(store, monkeypatch):
    store.create_run("r", "w", "q", {})
    write = store.write

    def twice(work):
        write(work)
        return write(work)

    monkeypatch.setattr(store, "write", twice)
    assert record_event(store, "r", Note("once")) == 1
    assert len(events_of(store, "r")) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is known by the clock on the wall")
def test_a_clock_that_is_set_takes_no_run_from_a_process_of_this_machine(store, monkeypatch):
    started, command = psutil.boot_time(), [sys.executable, "-c", _HOLDS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        owner = other.stdout.readline().decode().strip()
        store.create_run("r", "w", "q", {})
        store.set_status("r", "running", owner)
        beat(store, owner)
        for seconds in (-86_400, 86_400):  # the system works out when it was started from the clock
            monkeypatch.setattr(psutil._pslinux, "boot_time", lambda seconds=seconds: started + seconds)
            assert mark_interrupted(store) == []
            with pytest.raises(LeaseLost):
                claim(store, "r", owner_of_this_process())
        other.communicate(b"\n")
    assert mark_interrupted(store) == ["r"]


_HOLDS = """
from treeline.core.record.leases import owner_of_this_process
print(owner_of_this_process(), flush=True)
input()
"""


@pytest.mark.parametrize("seconds", [-86_400, 86_400])
def test_a_run_of_a_host_that_is_gone_is_found_however_the_clock_was_set(store, seconds):
    store.create_run("r", "w", "q", {})
    store.set_status("r", "running", ELSEWHERE)
    live_elsewhere(store, seconds)
    store.create_run("handed over", "w", "q", {})
    store.write(lambda connection: connection.execute(update(RUNS).values(updated=now() - seconds)))
    assert sorted(mark_interrupted(store)) == ["handed over", "r"]
