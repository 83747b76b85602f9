"""What a second variant costs, and what a pattern from an earlier success saves, each side in turn."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from tests.rasters import write_lake
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.teams.report import variant_costs
from treeline.core.workspace import Workspace

TURNS = 12
QUESTION = "What is the mean NDVI of each date?"


def main() -> None:
    """Print the ratio of seconds, that of processor time along the longest way, and the ledger's costs."""
    with tempfile.TemporaryDirectory() as folder:
        manager = _manager(Path(folder))
        for _ in range(2):
            _work(manager, 1), _work(manager, 2)
        turns = [(_work(manager, 1), _work(manager, 2)) for _ in range(TURNS)]
        costs = variant_costs(manager.store, turns[-1][1][0])
    ratio = statistics.median(two[1] / one[1] for one, two in turns)
    processor = statistics.median(two[2] / one[2] for one, two in turns)
    print(f"two variants: {ratio:.2f} x the seconds of one (load {psutil.getloadavg()[0]:.1f})")
    print(f"two variants: {processor:.2f} x the processor time of one along the longest way")
    _print_costs(costs)
    _print_saving()


def _print_saving() -> None:
    """Print what a question costs whose kind was answered before, against one without memory."""
    with tempfile.TemporaryDirectory() as folder:
        manager = _manager(Path(folder))
        _work(manager, 2, memory=True)
        turns = [(_work(manager, 2), _work(manager, 2, memory=True)) for _ in range(TURNS)]
        bare, known = ([variant_costs(manager.store, turn[i][0]) for turn in turns] for i in (0, 1))
    seconds = statistics.median(known[1] / bare[1] for bare, known in turns)
    steps = _steps(known) / _steps(bare)
    print(f"a known pattern: {seconds:.2f} x the seconds, {steps:.2f} x the steps of one without memory")


def _steps(runs: list[list[dict[str, Any]]]) -> float:
    return sum(cost["steps"] for costs in runs for cost in costs)


def _print_costs(costs: list[dict[str, Any]]) -> None:
    for cost in costs:
        print(
            f"variant {cost['variant']}: {cost['steps']} steps, {cost['seconds']:.3f} s of actions, "
            f"{cost['input']:,} tokens in (counted)"
        )


def _manager(folder: Path) -> RunManager:
    workspace = Workspace(folder / "lake", [write_lake(folder / "bands")])
    return RunManager(Store(folder / "store.sqlite"), lambda name: workspace)


def _work(manager: RunManager, variants: int, memory: bool = False) -> tuple[str, float, float]:
    """Return the run, its seconds, and the processor seconds of the team with the busiest process."""
    own, others = psutil.Process(), psutil.Process().children(recursive=True)
    before = {process.pid: _seconds(process) for process in (own, *others)}
    began = time.perf_counter()
    without = () if memory else ("memory",)
    run = manager.create("lake", QUESTION, RunOptions(team="evolver", variants=variants, without=without))
    finished = manager.work(run)
    seconds = time.perf_counter() - began
    assert finished.status == "answered", finished.reason
    spent = [_seconds(process) - before[process.pid] for process in others]
    return run, seconds, _seconds(own) - before[own.pid] + max(spent, default=0.0)


def _seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


if __name__ == "__main__":
    main()
