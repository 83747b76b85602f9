from __future__ import annotations

import os
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path
from types import ModuleType

import psutil
import pytest

from treeline.core.confinement import call, can_cut_network, confine
from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of
from treeline.core.errors import RecordError
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager, work_at
from treeline.core.runs.options import RunOptions
from treeline.core.runs.task import Place
from treeline.core.runs.workers import Job, Worker
from treeline.core.workspace import Workspace
from treeline.toolkit import ToolContext, cluster, use_context
from treeline.toolkit.errors import BackendMissing
from treeline.toolkit.execution import each

QUESTION = "What is the mean NDVI of each date?"


@pytest.fixture
def worker():
    made = Worker()
    yield made
    made.end()


def job(manager: RunManager, question: str = QUESTION, **settings: str) -> tuple[str, Job]:
    run = manager.create("lake", question, RunOptions())
    own = manager.workspace("lake")
    place = Place.of(manager.store, own)
    return run, Job(partial(work_at, place, run, None), settings=settings)


def test_one_process_works_on_several_runs(bands, manager_over, worker):
    manager = manager_over(bands)
    jobs = [job(manager), job(manager, "What is the mean NDWI on 2021-06-01?")]
    pid = worker.pid
    assert [worker.work(each, threading.Event()) for _, each in jobs] == [None, None]
    assert {manager.record(run).status for run, _ in jobs} == {"answered"} and worker.pid == pid


def test_a_process_that_dies_tells_its_code(bands, manager_over, worker):
    os.kill(worker.pid, signal.SIGKILL)
    assert worker.work(job(manager_over(bands))[1], threading.Event()) == -signal.SIGKILL


def test_a_job_that_cannot_be_read_is_not_waited_for(worker, monkeypatch):
    monkeypatch.setitem(sys.modules, "here_alone", module := ModuleType("here_alone"))
    exec("def work(stop): pass", module.__dict__)
    assert worker.work(Job(module.work), threading.Event()) == 1


def test_a_process_sees_a_file_that_came_later(bands, manager_over, worker, tmp_path):
    _, first = job(manager_over(bands))
    worker.work(first, threading.Event())
    (bands / "Lake_2021-07-01.tif").unlink()
    (bands / "Lake_2021-06-01.tif").rename(bands / "Lake_2021-08-01.tif")
    manager = RunManager(
        Store(tmp_path / "home" / "store.sqlite"), lambda n: Workspace(tmp_path / n, [bands])
    )
    run, second = job(manager)
    worker.work(second, threading.Event())
    answer = events_of(manager.store, run)[-1].event.answer.text
    assert "2021-08-01" in answer and "2021-07-01" not in answer


def test_a_process_takes_the_settings_of_its_job(bands, manager_over, worker, tmp_path):
    manager = manager_over(bands)
    worker.work(job(manager, TREELINE_HOME=str(tmp_path / "elsewhere"))[1], threading.Event())
    assert (tmp_path / "elsewhere" / "cache").is_dir()


def tell_process(number: int) -> int:
    return os.getpid()


def tell_processes(told: Path, stop: threading.Event) -> None:
    with use_context(ToolContext(told.parent)):
        told.write_text(str(sorted(set(each(tell_process, range(8))))))


@pytest.fixture
def one_worker(monkeypatch):
    monkeypatch.delenv("TREELINE_SCHEDULER", raising=False)
    monkeypatch.setenv("TREELINE_WORKERS", "1")
    yield
    client = cluster._client("", "1")
    client.cluster.close()
    client.close()
    cluster._client.cache_clear()


def test_processes_share_the_workers_of_the_settings(tmp_path, one_worker):
    told = [tmp_path / "first", tmp_path / "second"]
    workers = [Worker(), Worker()]
    try:
        codes = [
            worker.work(Job(partial(tell_processes, path)), threading.Event())
            for worker, path in zip(workers, told, strict=True)
        ]
    finally:
        for worker in workers:
            worker.end()
    assert codes == [None, None]
    first, second = (path.read_text() for path in told)
    assert first == second
    assert str(os.getpid()) not in first


def test_workers_that_cannot_be_started_are_told_by_the_tool(worker, tmp_path, monkeypatch):
    monkeypatch.delenv("TREELINE_SCHEDULER", raising=False)
    monkeypatch.setenv("TREELINE_WORKERS", "many")
    assert worker.work(Job(partial(say_something, tmp_path / "told")), threading.Event()) is None
    with pytest.raises(BackendMissing, match="TREELINE_WORKERS is 'many'"):
        worker.work(Job(partial(tell_processes, tmp_path / "told")), threading.Event())


def say_something(told: Path, stop: threading.Event) -> None:
    told.write_text("something")


def test_a_run_is_stopped_in_its_process(bands, manager_over, worker):
    manager, stop = manager_over(bands), threading.Event()
    run, given = job(manager)
    stop.set()
    assert worker.work(given, stop) is None
    assert manager.record(run).status in ("stopped", "answered")


def lose_record(stop: threading.Event) -> None:
    raise RecordError("The record of runs cannot be written.", "See to it.")


def test_what_ended_a_job_is_raised_and_the_process_goes_on(worker):
    with pytest.raises(RecordError, match="cannot be written. See to it"):
        worker.work(Job(lose_record), threading.Event())
    assert worker.alive


def test_a_run_whose_giver_is_gone_is_not_stopped_but_left(bands, manager_over, worker, tmp_path):
    begun = tmp_path / "begun"
    threading.Thread(target=worker.work, args=(Job(partial(wait, begun)), threading.Event())).start()
    process = psutil.Process(worker.pid)
    while not begun.exists():
        time.sleep(0.02)
    worker.end()
    assert process.wait(timeout=60) in (1, None)
    assert begun.read_text() != "stopped"


def wait(begun: Path, stop: threading.Event) -> None:
    begun.write_text("begun")
    stop.wait()
    begun.write_text("stopped")


def test_an_idle_process_ends_with_its_team():
    worker = Worker()
    process = psutil.Process(worker.pid)
    worker.end()
    assert process.wait(timeout=20) in (0, None)


def test_the_next_team_uses_the_same_processes(bands, manager_over):
    manager = manager_over(bands)
    told: list[set[int]] = []

    def note(event) -> None:
        if isinstance(event, Note) and event.data.get("team") == "process":
            told[-1].add(event.data["pid"])

    manager.on_event = note
    for _ in range(2):
        told.append(set())
        manager.work(manager.create("lake", QUESTION, RunOptions(team="evolver", without=("memory",))))
    assert told[0] and told[1] & told[0]


def tell_parents(told: Path, stop: threading.Event) -> None:
    confine()
    told.write_text(f"{os.getppid()} {call(os.getppid)}")


@pytest.mark.skipif(not can_cut_network(), reason="no filter of system calls for this machine")
def test_confined_processes_come_from_the_same_server(worker, tmp_path):
    told = tmp_path / "told"
    assert worker.work(Job(partial(tell_parents, told)), threading.Event()) is None
    first, second = told.read_text().split()
    assert first == second
