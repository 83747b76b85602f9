from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord, Skill
from treeline.core.engine.events import (
    BudgetRaised,
    Note,
    Progress,
    RunFinished,
    RunResumed,
    RunStarted,
    StepFinished,
    StepStarted,
    from_json,
    to_json,
)
from treeline.core.engine.journal import events_of, record_event
from treeline.core.engine.state import state_of
from treeline.core.record.store import Store

EVENTS = [
    RunStarted("q", ("a", "b"), {"tree": "t"}),
    StepStarted(1, Skill("Index"), "look"),
    StepFinished(1, Observation("information", "briefs"), 0.1),
    StepStarted(2, Call("mean", {"x": [1.0, 2.0]})),
    Progress(2, 1, 2, "items"),
    Note("a note", {"k": 1}),
    RunResumed(1),
    StepFinished(
        2,
        Observation("result", "1.5", value=1.5, products=(ProductRecord("a.tif", "/a.tif", "ndvi", "1"),)),
        0.2,
    ),
    RunFinished("answered", Answer("1.5", value=1.5, evidence=(2,))),
    BudgetRaised({"steps": 60}),
]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "deep" / "store.sqlite")


@pytest.mark.parametrize("event", EVENTS, ids=lambda e: e.kind)
def test_event_survives_json(event):
    assert from_json(to_json(event)) == event


def test_events_come_back_in_order_and_after_a_number(store):
    store.create_run("r", "w", "q", {})
    numbers = [record_event(store, "r", event) for event in EVENTS]
    assert numbers == list(range(1, len(EVENTS) + 1))
    assert [stored.event for stored in events_of(store, "r")] == EVENTS
    assert [stored.number for stored in events_of(store, "r", after=7)] == [8, 9, 10]


def test_state_is_rebuilt_from_events_and_leaves_out_the_unanswered_step():
    state = state_of(EVENTS[:7])
    assert [step.number for step in state.steps] == [1]
    assert state.question == "q" and state.choices == ("a", "b")
    assert [step.number for step in state_of(EVENTS).steps] == [1, 2]


def test_runs_are_listed_newest_first_and_children_apart(store):
    store.create_run("old", "w", "q", {"policy": "planner"})
    time.sleep(0.01)
    store.create_run("new", "w", "q", {})
    store.create_run("child", "w", "q", {}, parent="new")
    store.create_run("other", "elsewhere", "q", {})
    assert [run.id for run in store.runs("w")] == ["new", "old"]
    assert [run.id for run in store.runs(parent="new")] == ["child"]
    assert store.run("old").options == {"policy": "planner"}
    store.delete_run("old")
    assert store.run("old") is None


def test_opening_a_store_again_keeps_what_is_in_it(tmp_path):
    path = tmp_path / "s.sqlite"
    first = Store(path)
    first.create_run("r", "w", "q", {})
    record_event(first, "r", EVENTS[0])
    first.close()
    assert [stored.event for stored in events_of(Store(path), "r")] == EVENTS[:1]


WRITER = textwrap.dedent("""
    import sys
    from treeline.core.engine.events import Note
    from treeline.core.engine.journal import record_event
    from treeline.core.record.store import Store
    store = Store(sys.argv[1])
    store.create_run("r", "w", "q", {})
    print("ready", flush=True)
    for number in range(100000):
        record_event(store, "r", Note("x" * 2000, {"number": number}))
""")


def test_a_killed_writer_leaves_a_whole_record(tmp_path):
    rng = random.Random(5)
    for attempt in range(6):
        path = tmp_path / f"{attempt}.sqlite"
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=Path.cwd()
        )
        assert process.stdout is not None and process.stdout.readline().strip() == b"ready"
        time.sleep(rng.uniform(0.01, 0.2))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        events = events_of(Store(path), "r")
        assert [stored.event.data["number"] for stored in events] == list(range(len(events)))


OPENER = textwrap.dedent("""
    import sys
    from treeline.core.record.store import Store
    print("ready", flush=True)
    sys.stdin.readline()
    Store(sys.argv[1]).create_run(sys.argv[2], "w", "q", {})
""")


def test_a_new_store_is_opened_by_several_processes_at_once(tmp_path):
    path = tmp_path / "new.sqlite"
    openers = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, str(path), f"r{number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path.cwd(),
            text=True,
        )
        for number in range(4)
    ]
    assert all(opener.stdout.readline() == "ready\n" for opener in openers)
    for opener in openers:
        opener.stdin.write("go\n")
        opener.stdin.flush()
    assert [opener.wait(60) for opener in openers] == [0, 0, 0, 0]
    for opener in openers:
        opener.stdin.close()
        opener.stdout.close()
    assert {record.id for record in Store(path).runs()} == {"r0", "r1", "r2", "r3"}
