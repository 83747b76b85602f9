"""Carries an expression out by the planner and the engine on the rasters of a folder."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from treeline.core.disclosure.progressive import Progressive
from treeline.core.engine.actions import Answer, Observation
from treeline.core.engine.budget import Budget
from treeline.core.engine.environment import Environment
from treeline.core.engine.events import Event, StepFinished
from treeline.core.engine.loop import drive
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, Step
from treeline.core.policies.planner.answering import round_value
from treeline.core.policies.planner.course import Courses, check_types
from treeline.core.policies.planner.plan import CannotAnswer, Feedback
from treeline.core.policies.planner.policy import Planner
from treeline.core.policies.planner.values import Bundle, Numbers, Rasters, Selection, Text, Value
from treeline.core.query.expression import Node
from treeline.core.query.inventory import Inventory
from treeline.core.query.reading import Reading
from treeline.core.workspace import Workspace
from treeline.toolkit import SkillTree, registry


@dataclass(frozen=True)
class Outcome:
    """What an expression came out as.

    Attributes
    ----------
    kind : str
        ``number``, ``truth``, ``raster``, ``chosen``, ``text``, ``several`` or ``declined``.
    axes : tuple
        (axis, labels) for each axis of numbers, or the one of dated rasters.
    values : tuple
        The numbers, the last axis varying fastest; ``None`` where there is none. Of chosen marks
        the values that they were chosen by.
    labels : tuple of str
        The dates or names that were chosen.
    paths : tuple of Path
        The rasters, in the order of their axis.
    text : str
        Why it was declined, or the words.
    parts : tuple of Outcome
        Of several.
    """

    kind: str
    axes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    values: tuple[float | None, ...] = ()
    unit: str = ""
    labels: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()
    text: str = ""
    parts: tuple[Outcome, ...] = ()
    tools: tuple[str, ...] = field(default=(), compare=False)


def evaluate(
    expression: Node, folder: Path | str | Sequence[Path | str], home: Path | None = None
) -> Outcome:
    """Return what an expression comes out as on the rasters of a folder (or of several, or files).

    Every step is a call in the engine's environment. Products stay in ``home``, a temporary
    folder by default.
    """
    data = data_of(folder, home)
    disclosure = Progressive(SkillTree.of(registry()))
    environment = Environment(data, disclosure, registry())
    work = Courses(data, disclosure).work
    steps = work.value(check_types(expression))
    state, tools = State("expression"), []
    feedback: Feedback | None = None
    try:
        while True:
            decision = next(steps) if feedback is None else steps.send(feedback)
            observation: Observation = environment.act(decision.action, state)
            number = len(state.steps) + 1
            state = state.after(Step(number, decision.action, observation))
            if decision.action.kind == "call":
                tools.append(decision.action.tool)
            feedback = Feedback(number, observation)
    except StopIteration as end:
        return _outcome(end.value, data, tuple(tools))
    except CannotAnswer as problem:
        return Outcome("declined", text=problem.text, tools=tuple(tools))


def ask(
    expression: Node | Sequence[Node],
    folder: Path | str | Sequence[Path | str],
    home: Path | None = None,
    choices: tuple[str, ...] = (),
) -> Answer:
    """Return the answer that the planner gives where a question is read as these expressions."""
    data = data_of(folder, home)
    disclosure = Progressive(SkillTree.of(registry()))
    expressions = (expression,) if isinstance(expression, Node) else tuple(expression)

    def read(question: str, inventory: Inventory, after: Node | None = None) -> Reading:
        return Reading(question, "read" if len(expressions) == 1 else "asks", expressions=expressions)

    planner = Planner(data, disclosure, reader=read)
    events: list[Event] = []
    environment = Environment(data, disclosure, registry())
    finished = drive(
        State("expression", choices), planner, environment, Budget(), events.append, threading.Event()
    )
    assert finished.answer is not None, finished.reason
    return finished.answer


def data_of(folder: Path | str | Sequence[Path | str], home: Path | None = None) -> RunData:
    """Return the data of a run that reads files or folders in place."""
    sources = [folder] if isinstance(folder, str | Path) else list(folder)
    own = Path(home or tempfile.mkdtemp(prefix="expression"))
    return RunData(Workspace(own / "workspace", [Path(source) for source in sources]), "run")


def _outcome(value: Value, data: RunData, tools: tuple[str, ...] = ()) -> Outcome:
    match value:
        case Numbers():
            axes = tuple((str(scale.axis), scale.labels) for scale in value.scales)
            values = tuple(v if v is None else round_value(v, value.places) for v in value.values)
            return Outcome("truth" if value.truth else "number", axes, values, value.unit, tools=tools)
        case Rasters():
            axes = tuple((str(scale.axis), scale.labels) for scale in value.scales)
            paths = tuple(_path(item.address, data) for item in value.items)
            kind = "mask" if value.truth else "raster"
            return Outcome(kind, axes, unit=value.unit, paths=paths, tools=tools)
        case Selection():
            labels = tuple(mark.label for mark in value.marks)
            return Outcome(
                "chosen", ((str(value.axis), labels),), value.values, value.unit, labels, tools=tools
            )
        case Text():
            number = () if value.value is None else (value.value,)
            return Outcome("text", (), number, value.unit, text=value.text, tools=tools)
        case Bundle():
            parts = tuple(_outcome(one, data) for one in value.values)
            return Outcome("several", parts=parts, tools=tools)


def _path(address: str, data: RunData) -> Path:
    name, _, band = address.partition("#")
    path = data.resolver.describe(name)[0].path
    return Path(f"{path}#{band}") if band else path


def calls_of(events: Sequence[Event]) -> int:
    """Return how many steps a run took."""
    return sum(isinstance(event, StepFinished) for event in events)
