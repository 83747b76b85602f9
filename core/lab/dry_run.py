"""What the planner would do with a question: how it is read, and the calls, with no pixel read."""

from __future__ import annotations

import logging
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from treeline.core.disclosure.fixed import Flat
from treeline.core.engine.actions import Action, Call, Observation
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import Event, StepStarted
from treeline.core.engine.loop import drive
from treeline.core.engine.state import State
from treeline.core.lab.symbolic import NamesData, SymbolicEnvironment
from treeline.core.policies.planner.course import Courses
from treeline.core.policies.planner.policy import Planner
from treeline.core.policies.reading_choice import AS_IT_STANDS, HowToRead
from treeline.core.query.form import to_json
from treeline.core.query.reading import Reading
from treeline.core.workspace import Workspace
from treeline.core.workspace.area import inside
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.context import TellProgress
from treeline.toolkit.interest import AreaOfInterest

_LOG = logging.getLogger(__name__)
# Nothing is read, so that steps are fast: this ends a course that would go round in a made-up world.
_BUDGET = Budget(steps=400, seconds=120.0)
_OPEN = "What comes after these calls depends on what they give."


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a question is read and what would be called, without anything being run.

    Attributes
    ----------
    reading : Reading
    readings : tuple of (str, dict)
        Each expression in words and as JSON.
    offers : tuple of (str, dict)
        Questions near to one that cannot be read.
    plan : tuple of Call
        The calls that are certain before any of them is made.
    notes : tuple of str
    area : AreaOfInterest, optional
        Inside which the calls would be made.
    """

    reading: Reading
    readings: tuple[tuple[str, dict[str, Any]], ...]
    offers: tuple[tuple[str, dict[str, Any]], ...]
    plan: tuple[Call, ...]
    notes: tuple[str, ...]
    area: AreaOfInterest | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "status": self.reading.status,
            "words": [
                {"text": text, "entry": entry, "kind": kind} for text, entry, kind in self.reading.words
            ],
            "readings": _number_readings(self.readings),
            "uncovered": list(self.reading.uncovered),
            "offers": _number_readings(self.offers),
            "plan": [{"tool": call.tool, "arguments": dict(call.arguments)} for call in self.plan],
            "notes": list(self.notes),
            "area_of_interest": self.area.to_json() if self.area else None,
        }


def _number_readings(said: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [
        {"number": number, "read_as": words, "expression": expression}
        for number, (words, expression) in enumerate(said, start=1)
    ]


def explain(
    question: str, workspace: Workspace, how: HowToRead = AS_IT_STANDS, area: AreaOfInterest | None = None
) -> Explanation:
    """Read a question and plan its calls; nothing is run.

    The planner's course is followed in several made-up worlds, in which the calls give different
    values; the calls that all have in common are the plan. The others depend on what nobody knows yet.
    """
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        data = _names(workspace, Path(folder) / "likely", area)
        courses = Courses(data, Flat(SkillTree.of(registry())), how=how)
        reading = courses.read(question)
        readings = tuple((inside(courses.say(node), area), to_json(node)) for node in reading.expressions)
        offers = tuple((said, to_json(node)) for said, node in reading.offers if not readings)
        notes = reading.notes
        plan: tuple[Call, ...] = ()
        if readings:
            courses_taken = [
                _follow(question, _names(workspace, Path(folder) / name, area), how, world)
                for name, world in _WORLDS.items()
            ]
            plan = tuple(
                call for call, *_ in takewhile(_are_alike, zip(*(c for c, _ in courses_taken), strict=False))
            )
            if any(len(calls) > len(plan) or not ended for calls, ended in courses_taken):
                notes = (*notes, _OPEN)
    return Explanation(reading, readings, offers, plan, notes, area)


def _names(workspace: Workspace, folder: Path, area: AreaOfInterest | None) -> NamesData:
    data = NamesData(workspace, "explain", folder)
    data.area = area
    return data


def foresee(
    question: str, workspace: Workspace, how: HowToRead, area: AreaOfInterest | None = None
) -> tuple[Call, ...]:
    """Return the calls that a question leads to for certain."""
    return explain(question, workspace, how, area).plan


def _are_alike(calls: tuple[Call, ...]) -> bool:
    return all(call == calls[0] for call in calls)


# What a stand-in's number becomes: values in each order, and none at all.
_WORLDS: dict[str, Callable[[float], float]] = {
    "one": lambda value: value / 100,
    # Half of what is left to 1: a value above 1 is none of an index, and the answer to it a refusal.
    "reversed": lambda value: (1 - value / 100) / 2,
    "zero": lambda value: 0.0,
}


class _World(SymbolicEnvironment):
    """Reads no pixel; a made-up number is what the world makes of it."""

    world: Callable[[float], float]

    def act(
        self,
        action: Action,
        state: State,
        progress: TellProgress | None = None,
        stop: threading.Event | None = None,
    ) -> Observation:
        """Carry out an action; its numbers are those of the world."""
        observation = super().act(action, state, progress, stop)
        return replace(observation, value=_stand_in(observation.value, self.world))


def _stand_in(value: Any, world: Callable[[float], float]) -> Any:
    match value:
        case bool():
            return value
        case int() | float():
            return world(value)
        case dict():
            return {name: _stand_in(item, world) for name, item in value.items()}
        case list() | tuple():
            return [_stand_in(item, world) for item in value]
    return value


def _follow(
    question: str, data: NamesData, how: HowToRead, world: Callable[[float], float]
) -> tuple[list[Call], bool]:
    """Return the calls of the planner's course in a world, and whether it came to an answer."""
    calls: list[Call] = []

    def hear(event: Event) -> None:
        if isinstance(event, StepStarted) and isinstance(event.action, Call):
            calls.append(event.action)

    disclosure = Flat(SkillTree.of(registry()))
    environment = _World(data, disclosure, registry())
    environment.world = world
    try:
        finished = drive(
            State(question), Planner(data, disclosure, how=how), environment, _BUDGET, hear, threading.Event()
        )
    except Exception as error:  # made-up results need not have the form of real ones
        _LOG.debug("The dry run ends: %s", error)
        return calls, False
    # Made-up results need not carry what is said of them either.
    return calls, finished.status in ("answered", "unverified", "asks")
