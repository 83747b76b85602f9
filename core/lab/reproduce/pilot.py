"""Which questions are worked on first, so that what the rest takes is known."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.lab.reproduce.works import Job

FIRST = 5
"""Questions of each cell in the first turn: the spread of fewer is not known."""

GROWTH = 1.5
"""By how much each further turn has more."""

MOST = 0.5
"""The part of a cell's questions that is worked on at most."""

NARROW = 0.1
"""How far the ends of a range may lie from the calls that are expected, as a part of these."""


def pilot_turns(jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Yield the jobs of one turn after the other, each with those of the turns before.

    Questions are taken at random, in each cell others; the plans for a task from all cells, since a judge
    compares them; those of a cell that remembers in their order.
    """
    orders = [_order(cell) for cell in _by_cell(jobs)]
    count, longest = float(FIRST), max((len(order) for order in orders), default=0)
    while orders:
        yield [job for order in orders for job in order[: max(round(min(count, MOST * len(order))), 1)]]
        if count >= MOST * longest:
            return
        count *= GROWTH


def _by_cell(jobs: Sequence[Job]) -> list[list[Job]]:
    cells: dict[str, list[Job]] = {}
    for job in jobs:
        if job.cell.asks_model:
            cells.setdefault(job.cell.key, []).append(job)
    return list(cells.values())


def _order(jobs: list[Job]) -> list[Job]:
    first = next(iter(jobs))
    if first.remembers:
        return jobs
    # Plans are compared task by task, so that all cells take the same tasks; questions are not, and other
    # ones in each cell tell more of the table.
    return random.Random("" if isinstance(first.item, PlanningTask) else first.cell.key).sample(
        jobs, len(jobs)
    )


def is_narrow(estimate: Mapping[str, Any]) -> bool:
    """Return whether the calls that are left are known within a tenth."""
    # By the farther end, as the range need not lie evenly about what is expected.
    fewest, most = estimate["range"]
    far = max(estimate["calls"] - fewest, most - estimate["calls"])
    return bool(far <= NARROW * estimate["calls"])
