"""Twenty people who ask at once: how long each waits and works, with runs in threads and in processes."""

from __future__ import annotations

import os
import statistics
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.rasters import write_lake
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.reporting import run_result
from treeline.core.workspace import Workspace

PEOPLE = 20
QUESTION = "What is the mean NDVI of each date?"
LONGEST = 600.0


@dataclass
class PersonTimes:
    """What one person saw: seconds until the run began and until it ended, the places shown, the ending."""

    person: str
    waited: float = 0.0
    seconds: float = 0.0
    places: list[int] = field(default_factory=list)
    status: str = ""


def main() -> None:
    """Print the seconds of waiting and of the whole, and how the runs ended."""
    os.environ["TREELINE_QUOTAS"] = "runs=4 runs_each=2"
    for apart in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            asked, slowest = _ask_all(Path(folder), apart)
            whole = time.monotonic() - began
        ends = {each.status for each in asked}
        waited, seconds = [each.waited for each in asked], [each.seconds for each in asked]
        where = "processes" if apart else "threads"
        print(f"{PEOPLE} people, runs in {where}: all ended after {whole:.1f} s as {sorted(ends)}")
        print(f"  waited: median {statistics.median(waited):.1f} s, at most {max(waited):.1f} s")
        print(f"  answered: median {statistics.median(seconds):.1f} s, at most {max(seconds):.1f} s")
        print(f"  a place was shown to {sum(bool(each.places) for each in asked)} of {PEOPLE}")
        print(f"  reading a run's record took at most {slowest:.3f} s (load {psutil.getloadavg()[0]:.1f})")


def _ask_all(home: Path, apart: bool) -> tuple[list[PersonTimes], float]:
    workspaces = {}
    for number in range(PEOPLE):
        own = home / f"w{number}"
        own.mkdir()
        write_lake(own / "inputs")
        workspaces[own.name] = Workspace(own)
    manager = RunManager(Store(home / "store.sqlite"), workspaces.__getitem__)
    manager.apart = apart
    asked = [PersonTimes(f"person{number}") for number in range(PEOPLE)]
    slowest = [0.0]
    threads = [
        threading.Thread(target=_watch, args=(manager, name, each, slowest))
        for name, each in zip(workspaces, asked, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return asked, slowest[0]


def _watch(manager: RunManager, workspace: str, asked: PersonTimes, slowest: list[float]) -> None:
    """Ask, and look at the run as a page does."""
    began = time.monotonic()
    run = manager.start(workspace, QUESTION, RunOptions(person=asked.person))
    while time.monotonic() - began < LONGEST:
        looked = time.monotonic()
        record = manager.record(run)
        slowest[0] = max(slowest[0], time.monotonic() - looked)
        if record.status == "waiting":
            asked.waited = time.monotonic() - began
            place = run_result(manager.store, run).place
            asked.places += [place] if place and place not in asked.places[-1:] else []
        if record.is_finished:
            break
        time.sleep(0.5)
    asked.seconds, asked.status = time.monotonic() - began, record.status


if __name__ == "__main__":
    main()
