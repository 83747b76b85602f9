"""The lessons that ship: actions on the demo workspace, taken from runs on it, carried out again."""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from treeline.core.engine.actions import Action, Decision
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import Event, RunFinished, RunStarted
from treeline.core.engine.journal import record_event
from treeline.core.engine.loop import drive
from treeline.core.engine.state import State
from treeline.core.policies.replay import Replay
from treeline.core.runs import lessons
from treeline.core.runs.lessons.lesson import Lesson, StepNote, keep_lesson
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.toolkit import registry


class ReadyStep(BaseModel):
    """An action with its thought, and what a teacher says of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    action: Annotated[Action, Field(discriminator="kind")]
    thought: str = ""
    hint: str = ""
    note: str = ""


class ReadyLesson(BaseModel):
    """A lesson without its rasters, which are those of the demo workspace."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: str
    title: str
    introduction: str
    question: str
    choices: tuple[str, ...] = ()
    steps: tuple[ReadyStep, ...]


@cache
def ready_lessons() -> dict[str, ReadyLesson]:
    """Return the lessons that ship, by name."""
    found = [
        ReadyLesson.model_validate_json(path.read_text("utf-8"))
        for path in sorted(files(lessons).iterdir(), key=lambda path: path.name)
        if path.name.endswith(".json")
    ]
    return {lesson.name: lesson for lesson in found}


def prepare(manager: RunManager, workspace: str, ready: ReadyLesson) -> Lesson:
    """Carry out the actions of a lesson on a workspace that holds the demo; keep and return the lesson.

    The run is recorded as any other, so that its answer is verified and its rasters are on the map.
    """
    run = manager.create(workspace, ready.question, RunOptions(choices=ready.choices))
    finished = _carry_out(manager, run, ready)
    manager.store.set_status(run, finished.status)
    notes = {n: StepNote(hint=s.hint, note=s.note) for n, s in enumerate(ready.steps, start=1)}
    lesson = Lesson(run=run, title=ready.title, introduction=ready.introduction, notes=notes)
    keep_lesson(manager.workspace_of(workspace).folder, lesson)
    return lesson


def _carry_out(manager: RunManager, run: str, ready: ReadyLesson) -> RunFinished:
    data, disclosure = manager.data(run), manager.disclosure(run)
    environment = manager.surroundings.environment(data, disclosure, registry())
    context = {**disclosure.context(), "catalogue": data.catalogue()}
    started = RunStarted(ready.question, ready.choices, context, dict(data.workspace.problems))
    record_event(manager.store, run, started)

    def emit(event: Event) -> None:
        record_event(manager.store, run, event)

    return drive(
        State(ready.question, ready.choices, context),
        Replay(Decision(step.action, step.thought) for step in ready.steps),
        environment,
        Budget(),
        emit,
        threading.Event(),
    )
