"""Runs in processes of their own, as a team's server has them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.actions import Call
from treeline.core.errors import RecordError
from treeline.core.policies.form import Form
from treeline.core.record.leases import claim, owner_of_this_process
from treeline.core.record.store import Store
from treeline.core.runs import manager as manager_module
from treeline.core.runs.manager import RunManager, may_part
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.runs.task import Place
from treeline.core.runs.workers import Workers
from treeline.core.workspace import Workspace

QUESTION = "What is the mean NDVI of each date?"
LOST = "The record of runs cannot be written: the database does not answer."


@pytest.fixture
def manager(tmp_path: Path) -> RunManager:
    inputs = tmp_path / "lake" / "inputs"
    inputs.mkdir(parents=True)
    bands = np.random.default_rng(11).integers(500, 4000, (2, 64, 64)).astype("uint16")
    for day in range(1, 21):
        write_raster(inputs / f"Lake_2021-05-{day:02d}.tif", bands, descriptions=("red", "nir"), scale=0.0001)
    found = RunManager(Store(tmp_path / "store.sqlite"), lambda name: Workspace(tmp_path / name))
    found.apart = True
    return found


def process_of(manager: RunManager, run: str) -> int:
    """Return the process that has taken a run."""
    until = time.monotonic() + 60
    while True:
        owner = manager.record(run).owner
        if owner and owner != manager.owner:
            return int(owner.partition("-")[0])
        assert time.monotonic() < until and not manager.record(run).is_finished
        time.sleep(0.005)


def test_a_run_is_worked_on_by_another_process(manager):
    run = manager.start("lake", QUESTION, RunOptions())
    assert process_of(manager, run) != os.getpid()
    assert manager.recover() == []
    manager.wait(run, 120)
    assert manager.record(run).status == "answered"


def take_and_lose_the_record(
    place: Place, run: str, endpoint: object, stop: object, policy: object = None
) -> None:
    """Work on a run in another process until the record is lost, which that one cannot record."""
    claim(Store(place.store), run, owner_of_this_process())
    raise RecordError(LOST)


def test_a_run_whose_process_loses_the_record_ends_as_failed_and_goes_on(manager, monkeypatch):
    with monkeypatch.context() as lost:
        lost.setattr(manager_module, "work_at", take_and_lose_the_record)
        run = manager.start("lake", QUESTION, RunOptions())
        manager.wait(run, 120)
    assert manager.record(run).status == "failed"
    assert run_result(manager.store, run).reason == LOST
    manager.resume(run)
    manager.wait(run, 120)
    assert manager.record(run).status == "answered"


def test_a_run_whose_process_is_killed_ends_as_failed_and_goes_on(manager):
    run = manager.start("lake", QUESTION, RunOptions())
    os.kill(process_of(manager, run), signal.SIGKILL)
    manager.wait(run, 120)
    result = run_result(manager.store, run)
    assert result.status == "failed" and "process that worked on the run ended" in result.reason
    manager.resume(run)
    manager.wait(run, 120)
    assert manager.record(run).status == "answered"


def test_a_run_that_needs_too_much_memory_ends(manager, monkeypatch):
    monkeypatch.setenv("TREELINE_QUOTAS", "memory=1000")
    # One that has worked before may find room in what it has.
    monkeypatch.setattr(manager_module, "WORKERS", Workers())
    run = manager.start("lake", QUESTION, RunOptions())
    manager.wait(run, 120)
    assert manager.record(run).is_finished and manager.record(run).status != "answered"


def test_whoever_is_asked_or_has_processes_of_its_own_stays():
    assert may_part(RunOptions()) and may_part(RunOptions(policy="person"), Form(Call("x", {})))
    for options in (RunOptions(policy="person"), RunOptions(team="evolver"), RunOptions(approve="plan")):
        assert not may_part(options)


def test_a_tool_that_is_run_by_its_form_works_apart(manager):
    options = RunOptions(policy="person")
    call = Call("calc_batch_image_mean", {"file_list": "@red"})
    run = manager.play("lake", "By its form", options, Form(call))
    assert process_of(manager, run) != os.getpid()
    manager.wait(run, 120)
    assert manager.record(run).status == "answered"
