"""What needs no understanding of a task: the rows that stand beside every planner's score.

The path similarity rewards what all plans share, so that a score says little before these are seen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from treeline.core.lab.geoplan.planners import TEMPLATE
from treeline.core.lab.geoplan.tasks import PlanningTask

Floor = Callable[[PlanningTask, Mapping[str, str]], list[str]]


def random_path(task: PlanningTask, tools: Mapping[str, str]) -> list[str]:
    """Return tools drawn at random, as many as the gold path has; the same ones for the same task."""
    names = sorted(tools)
    return random.Random(task.id).sample(names, min(len(task.ground_truth), len(names)))


def constant_path(task: PlanningTask, tools: Mapping[str, str]) -> list[str]:
    """Return the same general workflow for every task."""
    return list(TEMPLATE)


FLOORS: dict[str, Floor] = {"random": random_path, "constant": constant_path}
