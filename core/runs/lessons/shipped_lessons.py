"""The lessons that ship: actions on the demo workspace, taken from runs on it, carried out again."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from treeline.core.engine.actions import Action, Decision
from treeline.core.policies.replay import Replay
from treeline.core.runs import lessons
from treeline.core.runs.lessons.lesson import Lesson, StepNote, keep_lesson
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions


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
    replay = Replay(Decision(step.action, step.thought) for step in ready.steps)
    run = manager.play(workspace, ready.question, RunOptions(choices=ready.choices), replay)
    manager.wait(run)
    notes = {n: StepNote(hint=s.hint, note=s.note) for n, s in enumerate(ready.steps, start=1)}
    lesson = Lesson(run=run, title=ready.title, introduction=ready.introduction, notes=notes)
    keep_lesson(manager.workspace_of(workspace).folder, lesson)
    return lesson
