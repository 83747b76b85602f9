"""A real disk that is full, or may only be read, in the middle of a run; inputs that go; twenty who write."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.events import Note, StepFinished
from treeline.core.engine.journal import ending_of, events_of, record_event
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace

QUESTION = "What is the mean NDVI of each date?"
DATES = ("2021-05-01", "2021-06-01", "2021-07-01")

Mount = Callable[..., None]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[tuple[Path, Mount]]:
    """A small disk of its own, and how it is mounted anew with other options."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("a disk can only be mounted by root on Linux")
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(*options: str) -> None:
        arguments = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
        if subprocess.run(arguments, capture_output=True).returncode:
            pytest.skip("no disk may be mounted here")

    mount("size=4m")
    try:
        yield folder, mount
    finally:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True, check=True)


def write_inputs(folder: Path, size: int) -> None:
    folder.mkdir(parents=True)
    rng = np.random.default_rng(11)
    for date in DATES:
        bands = rng.integers(500, 4000, (2, size, size)).astype("uint16")
        write_raster(folder / f"Lake_{date}.tif", bands, descriptions=("red", "nir"), scale=0.0001)


def fill(folder: Path) -> Path:
    """Leave no room in a folder's disk."""
    filling = folder / "filling"
    with filling.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 65_536)
        except OSError:
            pass
    return filling


def message_of(manager: RunManager, run: str) -> str:
    """Return everything that a person reads of what went wrong."""
    found = [stored.event for stored in events_of(manager.store, run)]
    steps = [event.observation for event in found if isinstance(event, StepFinished)]
    ending = ending_of(manager.store, run)
    assert ending is not None
    answer = ending.answer.text if ending.answer else ""
    return "\n".join([*(f"{step.text} {step.hint}" for step in steps), ending.reason, answer])


def test_a_run_whose_products_fill_the_disk_ends_in_words_and_goes_on(disk, tmp_path):
    folder, mount = disk
    write_inputs(tmp_path / "inputs", 256)
    manager = RunManager(
        Store(tmp_path / "store.sqlite"), lambda name: Workspace(folder / name, [tmp_path / "inputs"])
    )
    _ = manager.workspace_of("lake").rasters
    filling = fill(folder)
    run = manager.start("lake", QUESTION, RunOptions())
    manager.wait(run, 120)
    record = manager.record(run)
    assert record.status == "failed"
    words = message_of(manager, run)
    assert "No space left" in words and "Traceback" not in words, words
    filling.unlink()
    manager.resume(run)
    manager.wait(run, 120)
    assert manager.record(run).status == "answered"


def test_a_record_on_a_full_disk_ends_the_run_once_there_is_room(disk, tmp_path):
    folder, mount = disk
    write_inputs(tmp_path / "lake" / "inputs", 64)
    store = Store(folder / "store.sqlite")
    store.patience = 0.3
    manager = RunManager(store, lambda name: Workspace(tmp_path / name))
    manager.patience = 60
    run = manager.create("lake", QUESTION, RunOptions())
    filling = fill(folder)
    seen = threading.Event()
    manager.launch(run, lambda stop: manager.work(run, None, stop))
    for _ in range(600):
        if manager.trouble(run) or manager.record(run).is_finished:
            break
        seen.wait(0.05)
    trouble = manager.trouble(run)
    filling.unlink()
    manager.wait(run, 120)
    record = manager.record(run)
    assert record.is_finished, record.status
    assert record.status == "answered" or "disk is full" in trouble


def test_a_home_that_may_only_be_read_is_told_in_words(disk, tmp_path):
    folder, mount = disk
    write_inputs(folder / "lake" / "inputs", 64)
    workspace = Workspace(folder / "lake")
    _ = workspace.rasters
    mount("remount", "ro")
    manager = RunManager(Store(tmp_path / "store.sqlite"), lambda name: workspace)
    run = manager.start("lake", QUESTION, RunOptions())
    manager.wait(run, 120)
    record = manager.record(run)
    assert record.is_finished and record.status in ("failed", "declined")
    words = message_of(manager, run)
    assert "Read-only" in words or "cannot be made" in words or "cannot be written" in words, words
    assert "Traceback" not in words


def test_inputs_that_go_in_the_middle_of_a_run_end_it_in_words(tmp_path):
    write_inputs(tmp_path / "lake" / "inputs", 64)
    manager = RunManager(Store(tmp_path / "store.sqlite"), lambda name: Workspace(tmp_path / name))

    def remove(event: object) -> None:
        if isinstance(event, StepFinished):
            shutil.rmtree(tmp_path / "lake" / "inputs", ignore_errors=True)

    manager.on_event = remove
    run = manager.start("lake", QUESTION, RunOptions())
    manager.wait(run, 120)
    assert manager.record(run).is_finished and manager.record(run).status != "answered"
    words = message_of(manager, run)
    assert "There is no raster" in words and "Traceback" not in words
    # Files have their names; where they lie on the server is told nobody.
    assert DATES[0] in words and str(tmp_path) not in words


def test_twenty_who_write_at_once_lose_nothing(tmp_path):
    path = tmp_path / "store.sqlite"
    Store(path).close()
    faults: list[BaseException] = []

    def write(name: str) -> None:
        try:
            store = Store(path)
            store.create_run(name, "w", "q", {})
            for number in range(10):
                record_event(store, name, Note(str(number)))
            store.set_status(name, "answered")
            store.close()
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(f"r{number}",)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    store = Store(path)
    assert {record.status for record in store.runs()} == {"answered"} and len(store.runs()) == 20
    assert all(len(events_of(store, f"r{number}")) == 10 for number in range(20))
