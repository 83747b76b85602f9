from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.budget import Budget
from treeline.core.engine.journal import ending_of
from treeline.core.errors import QuotaReached
from treeline.core.policies import registry as policies
from treeline.core.policies.planner import Planner
from treeline.core.record.store import Store
from treeline.core.runs.manager import LEFT_QUEUE, STOPPED_ELSEWHERE, RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.queue import QueuedRun, RunQueue, in_turn, place_of
from treeline.core.runs.quotas import Quotas, check_workspace
from treeline.core.runs.reporting import run_result
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError

QUESTION = "What is the mean NDVI of each date?"


def queued_runs(*names: str) -> list[QueuedRun]:
    """Return runs such as ``a1``, the first run of the person ``a``, in the order of their coming."""
    return [QueuedRun(name, name[0], float(moment)) for moment, name in enumerate(names)]


@pytest.mark.parametrize(
    ("came", "at_work", "order"),
    [
        (["a1", "a2", "a3", "b1"], {}, ["a1", "b1", "a2", "a3"]),
        (["a1", "a2", "b1", "c1"], {"a": 2}, ["b1", "c1", "a1", "a2"]),
        (["a1", "b1", "a2", "b2"], {"a": 1}, ["b1", "a1", "b2", "a2"]),
        ([], {"a": 1}, []),
    ],
)
def test_people_take_turns(came, at_work, order):
    assert [each.run for each in in_turn(queued_runs(*came), at_work)] == order


def test_so_many_begin_at_once_in_all_and_of_each_person():
    begun: list[str] = []
    line = RunQueue(lambda: Quotas(runs=3, runs_each=2))
    for each in queued_runs("a1", "a2", "a3", "b1", "b2"):
        line.enter(each, lambda name=each.run: begun.append(name))
    assert begun == ["a1", "a2", "b1"]
    assert (line.waiting, line.at_work) == (2, 3)
    line.end("b1")
    assert begun[3:] == ["b2"]
    assert line.leave("a3") and not line.leave("a3")
    line.end("a1")
    line.end("a2")
    line.end("b2")
    assert (line.waiting, line.at_work) == (0, 0)


def test_runs_of_a_language_model_take_no_place_from_others():
    begun: list[str] = []
    quotas = Quotas(runs=1, runs_each=1, model_runs=3, model_runs_each=2)
    line = RunQueue(lambda: quotas)
    models = [replace(each, of_model=True) for each in queued_runs("a1", "a2", "a3", "b1", "c1")]
    for each in (*models, *queued_runs("d1", "e1")):
        line.enter(each, lambda name=each.run: begun.append(name))
    assert begun == ["a1", "a2", "b1", "d1"]
    assert (line.waiting, line.at_work) == (3, 4)
    line.end("d1")
    assert begun[4:] == ["e1"]
    line.rest("b1")
    assert begun[5:] == ["c1"]
    line.end("a1")
    assert begun[6:] == ["a3"]


def test_ones_place_is_among_runs_of_the_same_kind(tmp_path):
    store = Store(tmp_path / "store.sqlite")
    for run, policy in (("m1", "language"), ("m2", "language"), ("p1", "planner")):
        store.create_run(run, "w", QUESTION, {"person": "a", "policy": policy})
        store.set_status(run, "waiting", "process")
    places = [place_of(store, record) for run in ("m1", "m2", "p1") if (record := store.run(run))]
    assert places == [1, 2, 1]


def test_a_run_that_waits_for_a_person_lets_others_begin_and_goes_on_at_once():
    begun: list[str] = []
    line = RunQueue(lambda: Quotas(runs=1, runs_each=1))
    for each in queued_runs("a1", "b1", "c1"):
        line.enter(each, lambda name=each.run: begun.append(name))
    assert begun == ["a1"]
    line.rest("a1")
    assert begun == ["a1", "b1"] and line.at_work == 1
    line.go_on("a1")
    assert line.at_work == 2
    line.end("b1")
    assert begun == ["a1", "b1"], "the room is the first one's"
    line.rest("a1")
    line.end("a1")
    assert begun == ["a1", "b1", "c1"] and line.at_work == 1
    line.go_on("a1")
    line.rest("zz")
    assert line.at_work == 1


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A planner that decides nothing before it is let through."""
    opened = threading.Event()

    class Waits(Planner):
        def decide(self, state, notify, stop):
            while not opened.is_set() and not stop.is_set():
                time.sleep(0.01)
            return super().decide(state, notify, stop)

    through = lambda data, endpoint, disclosure, how: Waits(data, disclosure)  # noqa: E731
    monkeypatch.setitem(policies.POLICIES, "planner", through)
    return opened


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunManager:
    inputs = tmp_path / "lake" / "inputs"
    inputs.mkdir(parents=True)
    bands = np.random.default_rng(11).integers(500, 4000, (2, 32, 32)).astype("uint16")
    for date in ("2021-05-01", "2021-06-01"):
        write_raster(inputs / f"Lake_{date}.tif", bands, descriptions=("red", "nir"), scale=0.0001)
    monkeypatch.setenv("TREELINE_QUOTAS", "runs=1 queue_each=3")
    return RunManager(Store(tmp_path / "store.sqlite"), lambda name: Workspace(tmp_path / name))


def test_ones_place_is_in_the_result_until_the_run_begins(manager, gate):
    first, second, third = (
        manager.start("lake", QUESTION, RunOptions(person=person)) for person in ("ann", "ann", "bob")
    )
    assert run_result(manager.store, first).place is None
    assert [run_result(manager.store, run).place for run in (second, third)] == [2, 1]
    assert run_result(manager.store, second).state == "queued"
    assert manager.recover() == []
    gate.set()
    for run in (first, second, third):
        manager.wait(run, 60)
        assert manager.record(run).status == "answered"
    order = sorted((second, third), key=lambda run: manager.record(run).updated)
    assert order == [third, second]


def test_a_run_that_leaves_the_queue_is_stopped_and_can_be_resumed(manager, gate):
    first = manager.start("lake", QUESTION, RunOptions())
    second = manager.start("lake", QUESTION, RunOptions())
    manager.stop(second)
    manager.wait(second, 1)
    assert manager.record(second).status == "stopped"
    finished = ending_of(manager.store, second)
    assert finished is not None and finished.reason == LEFT_QUEUE
    gate.set()
    manager.wait(first, 60)
    manager.resume(second)
    manager.wait(second, 60)
    assert manager.record(second).status == "answered"


def test_another_process_stops_what_works_and_what_waits_here(manager, gate):
    first, second, third = (manager.start("lake", QUESTION, RunOptions()) for _ in range(3))
    other = RunManager(Store(manager.store.address), manager.workspace_of)
    for run in (first, second):
        other.stop(run)
        assert manager.record(run).status == "stopped"
        assert ending_of(manager.store, run).reason == STOPPED_ELSEWHERE
    manager._stop_what_is_stopped()  # as the next beat of the heart does
    for run in (first, second):
        manager.wait(run, 60)
        assert manager.record(run).status == "stopped" and not manager.trouble(run)
    gate.set()
    manager.wait(third, 60)
    assert manager.record(third).status == "answered"
    other.stop(third)
    assert manager.record(third).status == "answered"
    for run in (first, second):
        other.resume(run)
        other.wait(run, 60)
        assert manager.record(run).status == "answered"
    until = time.monotonic() + 60
    while manager.queue.at_work + manager.queue.waiting and time.monotonic() < until:
        time.sleep(0.01)
    assert manager.queue.at_work == manager.queue.waiting == 0


def test_a_person_has_so_many_runs_that_wait_or_work(manager, gate):
    runs = [manager.start("lake", QUESTION, RunOptions(person="ann")) for _ in range(3)]
    with pytest.raises(QuotaReached, match="3 are allowed"):
        manager.start("lake", QUESTION, RunOptions(person="ann"))
    runs.append(manager.start("lake", QUESTION, RunOptions(person="bob")))
    for run in reversed(runs):
        manager.stop(run)
    for run in runs:
        manager.wait(run, 60)
        assert manager.record(run).status == "stopped"


def test_a_workspace_holds_so_much(tmp_path):
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "a.tif").write_bytes(b"x" * 1000)
    (tmp_path / "products" / "r").mkdir(parents=True)
    (tmp_path / "products" / "r" / "b.tif").write_bytes(b"x" * 1000)
    check_workspace(tmp_path, 1000, Quotas(disk=3000))
    with pytest.raises(QuotaReached, match="allowed"):
        check_workspace(tmp_path, 1001, Quotas(disk=3000))
    with pytest.raises(QuotaReached, match="1 are allowed"):
        check_workspace(tmp_path, 0, Quotas(files=1))


def test_a_run_takes_no_longer_than_is_allowed_and_writes_into_no_full_workspace(manager, monkeypatch):
    monkeypatch.setenv("TREELINE_QUOTAS", "seconds=60")
    for budget in (Budget(seconds=61), Budget(seconds=None)):
        with pytest.raises(QuotaReached, match="60 seconds are allowed"):
            manager.start("lake", QUESTION, RunOptions(budget=budget))
    monkeypatch.setenv("TREELINE_QUOTAS", "disk=100")
    with pytest.raises(QuotaReached, match="GiB are allowed"):
        manager.start("lake", QUESTION, RunOptions())
    assert manager.store.runs() == []


def test_so_many_questions_a_minute(manager, monkeypatch):
    monkeypatch.setenv("TREELINE_QUOTAS", "asks=1")
    run = manager.start("lake", QUESTION, RunOptions(person="ann"))
    with pytest.raises(QuotaReached, match="1 are allowed"):
        manager.start("lake", QUESTION, RunOptions(person="ann"))
    manager.wait(run, 60)


def test_a_quota_that_does_not_exist_is_refused(monkeypatch):
    monkeypatch.setenv("TREELINE_QUOTAS", "speed=3")
    with pytest.raises(InputError, match="TREELINE_QUOTAS holds 'speed=3'"):
        Quotas.from_environment()


def test_processes_of_one_record_share_the_places_and_the_turns(tmp_path):
    store = Store(tmp_path / "store.sqlite")
    for run, person in (("a1", "a"), ("a2", "a"), ("b1", "b"), ("c1", "c")):
        store.create_run(run, "w", QUESTION, {"person": person})
    begun: list[str] = []
    lines = [RunQueue(lambda: Quotas(runs=2, runs_each=1), store.queue) for _ in range(2)]

    def enter(line: RunQueue, run: str) -> None:
        record = store.run(run)
        assert record is not None

        def begin() -> None:
            begun.append(run)
            store.set_status(run, "running", f"process-{lines.index(line)}")

        line.enter(QueuedRun(run, record.person, record.created.timestamp()), begin)

    enter(lines[0], "a1")
    enter(lines[1], "a2")
    enter(lines[1], "b1")
    enter(lines[0], "c1")
    assert begun == ["a1", "b1"]
    store.set_status("a1", "answered")
    lines[0].end("a1")
    assert begun == ["a1", "b1", "c1"]
    lines[1].look()
    assert begun == ["a1", "b1", "c1"] and lines[1].waiting == 1
    # A run that waits for a person leaves its place to one of another process.
    store.append("c1", "awaited", "{}")
    lines[0].rest("c1")
    lines[1].look()
    assert begun == ["a1", "b1", "c1", "a2"]
    store.close()
