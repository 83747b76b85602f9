"""Planners by name: those without a language model, and the baselines that ask one."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from treeline.core.lab.geoplan.aflow import aflow
from treeline.core.lab.geoplan.earthagent import earthagent, earthagent_without_layers
from treeline.core.lab.geoplan.evolver import Lessons, evolve
from treeline.core.lab.geoplan.model_planners import (
    NO_USAGE,
    Advisor,
    Usage,
    chain_of_thought,
    check_model,
    debate,
    plan_and_execute,
    react,
)
from treeline.core.lab.geoplan.tasks import PlanningTask
from treeline.core.settings import Endpoint
from treeline.core.teams.geoplan.planner import LayeredPlanner, PlannedTask
from treeline.knowledge import Embedder
from treeline.toolkit.errors import InputError

# The commonest steps of a workflow in their order: what a plan scores that nobody has read the task for.
TEMPLATE = (
    "download_satellite_imagery",
    "geometric_correction",
    "atmospheric_correction",
    "cloud_mask_removal",
    "crop_image",
    "classify_land_cover",
    "statistical_analysis",
    "correlation_analysis",
    "format_data",
    "generate_analysis_reports",
)


@dataclass(frozen=True)
class Experience:
    """What a planner may draw on.

    Attributes
    ----------
    neighbours : sequence of PlanningTask
        Solved tasks, none of them the one it plans.
    embedder : callable, optional
        Makes an embedder of texts.
    tools : mapping of str to str
        Descriptions of the planning tools, by name.
    endpoint : Endpoint, optional
        Where a language model is asked; by default that of the environment.
    lessons : Path, optional
        File of what earlier tasks taught; without it a planner remembers its own tasks alone.
    """

    neighbours: Sequence[PlanningTask] = ()
    embedder: Callable[[Sequence[str]], Embedder] | None = None
    tools: Mapping[str, str] = field(default_factory=dict)
    endpoint: Endpoint | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    lessons: Path | None = None


Plan = Callable[[Advisor, str], list[str]]


def _free(plan: Plan) -> Callable[[Experience], Plan]:
    return lambda experience: plan


def _evolver(experience: Experience) -> Plan:
    return partial(evolve, lessons=Lessons(experience.lessons))


MODELLED: dict[str, Callable[[Experience], Plan]] = {
    "chain-of-thought": _free(chain_of_thought),
    "react": _free(react),
    "plan-and-execute": _free(plan_and_execute),
    "debate": _free(debate),
    "aflow": _free(aflow),
    "earthagent": _free(earthagent),
    "earthagent-flat": _free(earthagent_without_layers),
    "geoevolver": _evolver,
}
"""Planners that ask a language model."""


class Planner(Protocol):
    """Makes a path of planning tools for a question."""

    @property
    def malformed_replies(self) -> int:
        """How many replies of a model lacked the form that was asked for, so far."""
        ...

    @property
    def usage(self) -> Usage:
        """Replies that were asked of a model so far, and the tokens that it read and wrote."""
        ...

    def plan(self, question: str) -> list[str]:
        """Return the names of the tools in their order."""
        ...


class Template:
    """The same general workflow whatever the question."""

    malformed_replies = 0
    usage = NO_USAGE

    def __init__(self, experience: Experience) -> None:
        pass

    def plan(self, question: str) -> list[str]:
        """Return the fixed path."""
        return list(TEMPLATE)


class Nearest:
    """The path of the solved task whose question is nearest; the question itself is passed over."""

    malformed_replies = 0
    usage = NO_USAGE

    def __init__(self, experience: Experience) -> None:
        if not experience.neighbours or experience.embedder is None:
            raise InputError("The planner 'nearest' needs solved tasks.", "Give them with --neighbours FILE.")
        self._neighbours = experience.neighbours
        self._embedder = experience.embedder([task.question for task in self._neighbours])
        self._vectors = self._embedder.embed([task.question for task in self._neighbours])

    def plan(self, question: str) -> list[str]:
        """Return the path of the nearest neighbour."""
        likeness = self._vectors @ self._embedder.embed([question])[0]
        same = [number for number, task in enumerate(self._neighbours) if _same(task.question, question)]
        # The bench may ask a question that is among the solved tasks.
        likeness[same] = -math.inf
        if len(same) == len(self._neighbours):
            return []
        return list(self._neighbours[int(likeness.argmax())].ground_truth)


class Layered:
    """The layered team's plan, by rules or by the experience of solved tasks."""

    malformed_replies = 0
    usage = NO_USAGE

    def __init__(self, experience: Experience) -> None:
        solved = experience.neighbours
        self._planner = LayeredPlanner.over(
            [PlannedTask(task.question, task.ground_truth, task.domain) for task in solved]
        )

    def plan(self, question: str) -> list[str]:
        """Return the tools of the three layers, the lowest first."""
        # The domain is left out: a task tells it, a question that a person asks does not.
        return list(self._planner.plan(PlannedTask(question)).path)


class ModelPlanner:
    """A baseline that asks a language model."""

    def __init__(self, name: str, experience: Experience) -> None:
        endpoint = check_model(experience.endpoint, f"The planner {name!r}")
        self._plan = MODELLED[name](experience)
        self._advisor = Advisor(endpoint, experience.tools, experience.stop)

    @property
    def malformed_replies(self) -> int:
        """How many of its replies lacked the form that was asked for."""
        return self._advisor.malformed_replies

    @property
    def usage(self) -> Usage:
        """Replies of the model so far, and the tokens that it read and wrote."""
        return self._advisor.usage

    def plan(self, question: str) -> list[str]:
        """Return the tools that the model settles on; none where it names none."""
        return self._plan(self._advisor, question)


PLANNERS: dict[str, Callable[[Experience], Planner]] = {
    "template": Template,
    "nearest": Nearest,
    "layered": Layered,
    **{name: partial(ModelPlanner, name) for name in MODELLED},
}


def _same(first: str, second: str) -> bool:
    return first.casefold().split() == second.casefold().split()
