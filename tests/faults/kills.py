"""Processes that are killed while they work on runs, again and again, until each run has its answer.

``python -m tests.faults.kills SEED COUNT`` kills so many and prints what was lost: an event that was read
before a kill and is not there after it, a run that is stuck, an answer that differs from the undisturbed one.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.rasters import write_raster
from treeline.core.engine.journal import ending_of, events_of
from treeline.core.processes import process_context, without_main
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace

QUESTION = "What is the mean NDVI of each date?"
LONGEST_LIFE, GROWTH = 0.8, 5
PATIENCE = 300.0


def manager_of(home: Path) -> RunManager:
    """Return a manager of the runs in a home."""
    return RunManager(Store(home / "store.sqlite"), lambda name: Workspace(home / name))


def work(home: Path, run: str) -> None:
    """Work on a run, as a server does that was started anew."""
    manager = manager_of(home)
    manager.recover()
    manager.work(run)


def kill_many(seed: int, count: int) -> int:
    """Kill so many processes; print the faults and return how many there were."""
    chance = random.Random(seed)
    faults = kills = runs = 0
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        bands = np.random.default_rng(1).integers(500, 4000, (2, 400, 400)).astype("uint16")
        for day in range(1, 13):
            path = home / "lake" / "inputs" / f"Lake_2021-05-{day:02d}.tif"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_raster(path, bands + day * 20, descriptions=("red", "nir"), scale=0.0001)
        manager = manager_of(home)
        whole = manager.create("lake", QUESTION, RunOptions())
        manager.work(whole)
        expected = _answer(manager.store, whole)
        while kills < count:
            run = manager.create("lake", QUESTION, RunOptions())
            runs += 1
            killed, lost = _kill_until_it_ends(manager, home, run, chance, count - kills)
            kills += killed
            if lost or _answer(manager.store, run) != expected:
                faults += 1
                print(f"fault in run {run}: {lost or _answer(manager.store, run)}", flush=True)
    print(f"{kills} kills in {runs} runs, {faults} faults", flush=True)
    return faults


def _kill_until_it_ends(
    manager: RunManager, home: Path, run: str, chance: random.Random, most: int
) -> tuple[int, str]:
    """Let processes work on a run, each for a moment; return how many were killed, and what was lost."""
    kills, until = 0, time.monotonic() + PATIENCE
    undisturbed = False
    while not (record := manager.record(run)).is_finished or record.status == "interrupted":
        if undisturbed:
            return kills, f"stuck as {record.status}"
        # On a machine that is busy no process may come far: one of them then has all the time that it wants.
        undisturbed = kills >= most or time.monotonic() > until
        process = process_context().Process(target=work, args=(home, run), daemon=True)
        with without_main():
            process.start()
        # On a machine that is busy a process needs longer to do anything, so that lives grow.
        life = chance.uniform(0.0, LONGEST_LIFE * (1 + kills / GROWTH))
        process.join(PATIENCE if undisturbed else life)
        before = [(e.number, e.event.kind) for e in events_of(manager.store, run)]
        if process.is_alive():
            process.kill()
            process.join()
            kills += 1
        after = [(e.number, e.event.kind) for e in events_of(manager.store, run)]
        numbers = [number for number, _ in after]
        if after[: len(before)] != before or numbers != list(range(1, len(numbers) + 1)):
            return kills, f"events {before} became {after}"
        manager.recover()
    return kills, ""


def _answer(store: Store, run: str) -> str:
    finished = ending_of(store, run)
    return finished.answer.text if finished is not None and finished.answer is not None else ""


if __name__ == "__main__":
    # What a process is to do is named by its module, which must not be this one's other name.
    from tests.faults import kills

    sys.exit(min(kills.kill_many(int(sys.argv[1]), int(sys.argv[2])), 100))
