"""Tasks, planning tools, recorded plans, and where they lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, Field, field_validator

from treeline.core.lab.records import Items, Model, Record, lines_of, objects_of, read_records, usable
from treeline.toolkit.errors import InputError

FOLDER_SETTING = "TREELINE_GEOPLAN_BENCH"

_NAMES = ("tool", "tool_name", "name")
_TASK_FILES = "task_*.json"


class PlanningTask(Record):
    """A task with the gold path of tools; the path serves scoring, and neighbours as experience."""

    id: str = Field(validation_alias=AliasChoices("id", "task_id"))
    question: str
    # Nothing can be scored against a task without one; it is reported as not read.
    ground_truth: tuple[str, ...] = Field(
        min_length=1, validation_alias=AliasChoices("ground_truth", "ground_truth_tool_flow")
    )
    domain: str = ""
    complexity: str = ""
    split: str = ""

    @field_validator("ground_truth", mode="before")
    @classmethod
    def _names_alone(cls, value: Any) -> Any:
        """Return the names of a flow whose steps may be objects."""
        steps = value if isinstance(value, list | tuple) else ()
        return [next((s[k] for k in _NAMES if k in s), s) if isinstance(s, dict) else s for s in steps]


class PlanningTool(Record):
    """A tool that plans are made of; it is planned with, never run."""

    name: str
    description: str = ""


class RecordedPlan(Record):
    """A plan with published scores; key tools where they were published."""

    task_id: str
    tool_path: tuple[str, ...]
    architecture: str = ""
    metrics: dict[str, float] = Field(default_factory=dict)
    ground_truth: tuple[str, ...] = ()
    gt_key_tools: tuple[str, ...] | None = None
    agent_key_tools: tuple[str, ...] | None = None

    @field_validator("metrics", mode="before")
    @classmethod
    def _numbers_alone(cls, value: Any) -> Any:
        return {k: v for k, v in (value or {}).items() if isinstance(v, int | float)}


def read_tasks(path: Path) -> Items[PlanningTask]:
    """Read tasks from a file with one a line, or from a folder of ``task_*.json`` as they are published.

    Raises
    ------
    InputError
        There is nothing to read, or nothing of it is a task.
    """
    if not path.is_dir():
        return usable((objects_of if path.suffix == ".json" else lines_of)(path), PlanningTask, path)
    # Sorted, since a folder lists its files in any order, and the names of like-named tasks depend on it.
    files = sorted(path.rglob(_TASK_FILES))
    if not files:
        raise InputError(
            f"There are no tasks in the folder {str(path)!r}.",
            f"GeoPlan-bench's tasks are files {_TASK_FILES}.",
        )
    found: list[tuple[Path, PlanningTask]] = []
    unread: list[str] = []
    for file in files:
        try:
            tasks = usable(objects_of(file), PlanningTask, file)
        except InputError as error:
            unread.append(str(error))
            continue
        found += [(file, task) for task in tasks]
        unread += tasks.unread
    if not found:
        raise InputError(unread[0], f"No file in {str(path)!r} holds a task.")
    return Items(_tell_apart(found, path), unread)


def _tell_apart(found: list[tuple[Path, PlanningTask]], folder: Path) -> list[PlanningTask]:
    """Return the tasks with a name each: of one name, the same task is one, another is called by its file."""
    tasks: dict[str, PlanningTask] = {}
    for file, task in found:
        if task in tasks.values():
            continue
        own = file.relative_to(folder).with_suffix("").as_posix()
        name = task.id if task.id not in tasks else f"{task.id} ({own})"
        tasks[name] = task.model_copy(update={"id": name})
    return list(tasks.values())


def read_beside(name: str, model: type[Model], file: Path) -> list[Model]:
    """Read one of the benchmark's own files, which lies beside a given one or in the benchmark's folder.

    Returns an empty list where it is not to be found.
    """
    found = next((folder / name for folder in _folders(file) if (folder / name).is_file()), None)
    return read_records(found, model) if found else []


def gold_paths(file: Path, plans: list[RecordedPlan]) -> dict[str, tuple[str, ...]]:
    """Return the gold path of each plan's task.

    Raises
    ------
    InputError
        A task is not to be found.
    """
    known = {task.id: task.ground_truth for task in read_beside("tasks.jsonl", PlanningTask, file)}
    known.update({plan.task_id: plan.ground_truth for plan in plans if plan.ground_truth})
    lost = [plan.task_id for plan in plans if plan.task_id not in known]
    if lost:
        raise InputError(
            f"The gold path of {len(lost)} tasks is not known, such as {lost[0]!r}.",
            f"Put tasks.jsonl beside the file, or name its folder in {FOLDER_SETTING}.",
        )
    return known


def _folders(file: Path) -> list[Path]:
    setting = os.environ.get(FOLDER_SETTING)
    return [file.resolve(), file.resolve().parent, *([Path(setting)] if setting else [])]
