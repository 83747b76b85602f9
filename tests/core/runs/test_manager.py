from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import StepStarted
from treeline.core.engine.journal import ending_of, events_of, recorded_state
from treeline.core.record.store import Store
from treeline.core.record.tables import EVENTS
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.runs.spending import budget_of
from treeline.core.workspace import Workspace, described
from treeline.core.workspace.area import area_of
from treeline.toolkit.errors import InputError

QUESTION = "What is the mean NDVI of each date?"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A workspace with red and near infrared of three dates."""
    inputs = tmp_path / "workspaces" / "lake" / "inputs"
    inputs.mkdir(parents=True)
    rng = np.random.default_rng(11)
    for date in ("2021-05-01", "2021-06-01", "2021-07-01"):
        bands = rng.integers(500, 4000, (2, 64, 64)).astype("uint16")
        write_raster(
            inputs / f"Lake_{date}.tif", bands, descriptions=("red", "nir"), scale=0.0001, offset=0.0
        )
    return tmp_path


def manager_of(home: Path) -> RunManager:
    return RunManager(Store(home / "store.sqlite"), lambda name: Workspace(home / "workspaces" / name))


def finish(manager: RunManager, run: str) -> None:
    manager.wait(run, 60)
    assert manager.record(run).is_finished


def answer_of(manager: RunManager, run: str):
    finished = [
        stored.event for stored in events_of(manager.store, run) if stored.event.kind == "run_finished"
    ][-1]
    assert finished.answer is not None, finished
    return finished.answer


@pytest.mark.parametrize(
    "question",
    [
        "How many images are there: 3, 30 or 300?",
        "How many images are there? A) 3 B) 30 C) 300",
    ],
)
def test_a_run_in_the_background_chooses_from_the_options_of_its_question(home, question):
    manager = manager_of(home)
    run = manager.start("lake", question, RunOptions())
    finish(manager, run)
    assert answer_of(manager, run).choice == "A"
    assert run_result(manager.store, run).chosen_option == "A (3)"


def test_a_run_that_used_up_its_steps_goes_on_with_more(home):
    manager = manager_of(home)
    whole = manager.start("lake", QUESTION, RunOptions())
    finish(manager, whole)
    run = manager.start("lake", QUESTION, RunOptions(budget=Budget(steps=3)))
    finish(manager, run)
    assert manager.record(run).status == "failed"
    assert ending_of(manager.store, run).limit == "steps"
    manager.resume(run)
    finish(manager, run)
    assert len(recorded_state(manager.store, run).steps) == 3, "resumed alone it has no step more"
    manager.resume(run, more={"steps": 1})
    finish(manager, run)
    assert len(recorded_state(manager.store, run).steps) == 4
    manager.resume(run, more={"steps": 60})
    finish(manager, run)
    assert manager.record(run).status == "answered"
    assert answer_of(manager, run).text == answer_of(manager, whole).text
    assert budget_of(manager.store, manager.record(run)).steps == 64
    raised = [s.event.more for s in events_of(manager.store, run) if s.event.kind == "budget_raised"]
    assert raised == [{"steps": 1}, {"steps": 60}]
    ends = [s.event.reason for s in events_of(manager.store, run) if s.event.kind == "run_finished"]
    assert [reason.split(" is used up")[0] for reason in ends[:3]] == [
        "The budget of 3 steps",
        "The budget of 3 steps",
        "The budget of 4 steps",
    ]


def test_a_budget_is_raised_of_runs_that_can_go_on_alone(home):
    manager = manager_of(home)
    run = manager.start("lake", QUESTION, RunOptions())
    finish(manager, run)
    with pytest.raises(InputError, match="answered"):
        manager.resume(run, more={"steps": 60})
    run = manager.start("lake", QUESTION, RunOptions(budget=Budget(steps=3), rounds=2, memory="own"))
    finish(manager, run)
    with pytest.raises(InputError, match="rounds have budgets of their own"):
        manager.resume(run, more={"steps": 60})


def test_a_follow_up_in_the_background_stays_inside(home):
    manager = manager_of(home)
    area = area_of("15,46,15.003,46.054", manager.workspace("lake"))
    assert area is not None
    first = manager.start("lake", "mean red on 2021-05-01", RunOptions(aoi=area.to_json()))
    finish(manager, first)
    then = manager.start("lake", "and on 2021-06-01?", RunOptions(after=first))
    finish(manager, then)
    inside = run_result(manager.store, first)
    assert run_result(manager.store, then).area_of_interest == inside.area_of_interest is not None
    whole = manager.start("lake", "mean red on 2021-06-01", RunOptions())
    finish(manager, whole)
    assert answer_of(manager, then).value != answer_of(manager, whole).value


def test_a_run_in_the_background_is_recorded_to_its_answer(home):
    manager = manager_of(home)
    run = manager.start("lake", QUESTION, RunOptions())
    assert manager.record(run).status == "running"
    assert set(Workspace(home / "workspaces" / "lake").handles) == {"@red", "@nir"}, "other data change none"
    finish(manager, run)
    assert manager.record(run).status == "answered"
    assert [product.date for product in manager.data(run).products] == [
        "2021-05-01",
        "2021-06-01",
        "2021-07-01",
    ]
    assert all(
        product.path.startswith(str(home / "workspaces" / "lake" / "products" / run))
        for product in manager.data(run).products
    )


def test_another_process_sees_the_same_record(home):
    manager = manager_of(home)
    run = manager.start("lake", QUESTION, RunOptions())
    finish(manager, run)
    other = manager_of(home)
    assert other.recover() == []
    assert answer_of(other, run) == answer_of(manager, run)


@pytest.mark.parametrize(
    ("question", "options", "says"),
    [
        ("  ", RunOptions(), "question"),
        (QUESTION, RunOptions(policy="oracle"), "planner"),
        (QUESTION, RunOptions(disclosure="x-ray"), "progressive"),
        (QUESTION, RunOptions(profile="art"), "science"),
    ],
)
def test_bad_options_are_refused_before_anything_is_recorded(home, question, options, says):
    manager = manager_of(home)
    with pytest.raises(InputError, match=says):
        manager.start("lake", question, options)
    assert manager.store.runs() == []


def test_a_run_that_has_an_answer_is_not_resumed(home):
    manager = manager_of(home)
    run = manager.start("lake", QUESTION, RunOptions())
    finish(manager, run)
    with pytest.raises(InputError, match="answered"):
        manager.resume(run)


HELD = textwrap.dedent("""
    import sys, time
    from pathlib import Path
    from treeline.core.policies import registry as policies
    from treeline.core.policies.planner import Planner
    from treeline.core.runs.options import RunOptions
    from treeline.core.runs.manager import RunManager
    from treeline.core.record.store import Store
    from treeline.core.workspace import Workspace

    class Held(Planner):
        def decide(self, state, notify, stop):
            if len(state.steps) == int(sys.argv[3]):
                time.sleep(600)
            return super().decide(state, notify, stop)

    policies.POLICIES["planner"] = lambda data, endpoint, disclosure, how: Held(data, disclosure)
    home = Path(sys.argv[1])
    manager = RunManager(Store(home / "store.sqlite"), lambda name: Workspace(home / "workspaces" / name))
    # its steps are the most, so that there are some to be killed between
    run = manager.start("lake", sys.argv[2], RunOptions(disclosure="progressive"))
    print(run, flush=True)
    manager.wait(run)
""")


def held_run(home: Path, steps: int) -> tuple[subprocess.Popen[str], str]:
    """Return a process and its run, which goes no further after some steps."""
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, str(home), QUESTION, str(steps)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def kill_after(process: subprocess.Popen[str], store: Store, run: str, steps: int) -> None:
    deadline = time.monotonic() + 240
    while len(recorded_state(store, run).steps) < steps:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


@pytest.mark.parametrize("steps", [1, 4, 6])
def test_a_killed_run_is_listed_as_interrupted_and_resumes_to_the_same_answer(home, steps):
    manager = manager_of(home)
    whole = manager.start("lake", QUESTION, RunOptions())
    finish(manager, whole)
    process, run = held_run(home, steps)
    kill_after(process, manager.store, run, steps)
    assert manager.record(run).status == "running"
    assert manager.recover() == [run]
    assert manager.record(run).status == "interrupted"
    before = len(recorded_state(manager.store, run).steps)
    manager.resume(run)
    finish(manager, run)
    assert answer_of(manager, run).text == answer_of(manager, whole).text
    events = [stored.event for stored in events_of(manager.store, run)]
    resumed = next(index for index, event in enumerate(events) if event.kind == "run_resumed")
    assert events[resumed].after_step == before
    assert min(event.step for event in events[resumed:] if isinstance(event, StepStarted)) == before + 1


def test_a_run_that_another_process_works_on_is_left_alone(home):
    process, run = held_run(home, 1)
    manager = manager_of(home)
    try:
        assert manager.recover() == []
        assert manager.record(run).status == "running"
    finally:
        kill_after(process, manager.store, run, 1)


def test_stop_ends_the_reading_of_the_files_before_the_first_step(home, monkeypatch):
    inputs = home / "workspaces" / "lake" / "inputs"
    for number in range(60):
        shutil.copy(inputs / "Lake_2021-05-01.tif", inputs / f"Lake_2021-08-01_{number}.tif")
    reads, describe = threading.Event(), described.describe_confined
    read = []

    def describe_slowly(path, *others):
        read.append(path)
        reads.set()
        time.sleep(0.1)
        return describe(path, *others)

    monkeypatch.setattr(described, "describe_confined", describe_slowly)
    # Who asks from a page has read the files there, in another process than the run's.
    monkeypatch.setattr(Workspace, "keep_handles", lambda self: None)
    manager = manager_of(home)
    run = manager.start("lake", QUESTION, RunOptions())
    assert reads.wait(60)
    manager.stop(run)
    finish(manager, run)
    assert manager.record(run).status == "stopped"
    assert ending_of(manager.store, run).reason == "The work was stopped."
    assert len(read) < 30


def test_stop_ends_a_run_and_resume_goes_on(home, monkeypatch):
    from treeline.core.policies import registry as policies
    from treeline.core.policies.planner import Planner

    second = threading.Event()

    class HeldPolicy(Planner):
        def decide(self, state, notify, stop):
            if state.steps:
                second.set()
                stop.wait(600)
            return super().decide(state, notify, stop)

    held = lambda data, endpoint, disclosure, how: HeldPolicy(data, disclosure)  # noqa: E731
    monkeypatch.setitem(policies.POLICIES, "planner", held)
    manager = manager_of(home)
    run = manager.start("lake", QUESTION, RunOptions())
    assert second.wait(60)
    manager.stop(run)
    finish(manager, run)
    assert manager.record(run).status == "stopped"
    monkeypatch.undo()
    manager.resume(run)
    finish(manager, run)
    assert manager.record(run).status == "answered"


def test_a_run_that_was_lost_between_its_answer_and_its_end_ends_with_it(home):
    manager = manager_of(home)
    run = manager.start("lake", QUESTION, RunOptions())
    finish(manager, run)
    whole = answer_of(manager, run).text
    last = manager.store.event_rows(run)[-1]
    assert last.kind == "run_finished"
    query = EVENTS.delete().where(EVENTS.c.run == run, EVENTS.c.number >= last.number)
    manager.store.write(lambda connection: connection.execute(query) and None)
    manager.store.set_status(run, "interrupted")
    manager.resume(run)
    finish(manager, run)
    assert manager.record(run).status == "answered" and answer_of(manager, run).text == whole
