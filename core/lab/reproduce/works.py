"""How the questions or tasks of a cell are worked on, by benchmark."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.earth_bench_run import check_data, work_on
from treeline.core.lab.geoplan.bench import experience_of, plan_row, planning_tools, similarity_for
from treeline.core.lab.geoplan.floors import FLOORS as PLAN_FLOORS
from treeline.core.lab.geoplan.key_tools import RareTools
from treeline.core.lab.geoplan.planners import MODELLED, PLANNERS, Planner
from treeline.core.lab.geoplan.tasks import PlanningTask, read_tasks
from treeline.core.lab.records import Items, Question, read_questions
from treeline.core.lab.reproduce.cells import Cell
from treeline.core.lab.reproduce.floors import floor_rows
from treeline.core.lab.reproduce.papers import Paper
from treeline.core.lab.reproduce.sources import Sources
from treeline.core.lab.selection import Selection
from treeline.core.lab.toolbox import needed_tools
from treeline.core.settings import Endpoint
from treeline.toolkit.errors import InputError, Stopped

Item = Question | PlanningTask
Row = dict[str, Any]

WINDOW = 131_072
"""Tokens that a context is taken to hold where nobody says so: the papers' agents tell no step in short, and
their models hold 128 thousand and more (DeepSeek-V3.1, Kimi-K2)."""

ENDPOINT_ERRORS = frozenset({"EndpointUnreachable", "EndpointRefused"})
"""What a run fails with when the fault is the endpoint's, not the model's."""


@dataclass(frozen=True, slots=True)
class Job:
    """One question or task of a cell, with all that is needed to work on it.

    Attributes
    ----------
    options : dict
        Of the cell's system.
    needed : tuple of str
        The tools that the questions need.
    file : str
        Where the questions or tasks lie.
    record : str
        File with what the cell remembers; empty where it remembers nothing.
    """

    cell: Cell
    item: Item
    options: Mapping[str, Any]
    sources: Sources
    file: str
    needed: tuple[str, ...] = ()
    endpoint: Endpoint | None = None
    record: str = ""

    @property
    def remembers(self) -> bool:
        """Whether what earlier questions of the cell taught counts, so that their order matters."""
        return self.options.get("memory") == "bench"

    @property
    def key(self) -> str:
        """The name under which its result is kept."""
        return f"{self.cell.key} | {self.item.id}"


@dataclass(frozen=True, slots=True)
class Work:
    """How a benchmark's questions are read and worked on.

    Attributes
    ----------
    asks_model : callable
        Whether a system with such options asks a model: ``True`` or ``False``, ``None`` where it may.
    names : frozenset of str
        The options that a system may set.
    """

    read: Callable[[Path], Items[Any]]
    run: Callable[[Job, threading.Event], Row]
    asks_model: Callable[[Mapping[str, Any]], bool | None]
    names: frozenset[str]
    in_processes: bool
    floors: Callable[[Sequence[Job]], Iterable[tuple[str, Row]]]


def jobs_of(
    cells: Sequence[Cell],
    paper: Paper,
    sources: Sources,
    selection: Selection,
    endpoint: Endpoint | None,
    part: str = "",
) -> list[Job]:
    """Return what there is to do for some cells of a paper, cell by cell.

    Parameters
    ----------
    part : str
        The modality of the questions that are taken alone; empty for all.

    Raises
    ------
    InputError
        The questions are not to be found, or the selection leaves none.
    RasterMissing
        There is a folder of data, and no question has its files there.
    """
    jobs = [job for cell in cells for job in _jobs_of(cell, paper, sources, selection, endpoint, part)]
    if not jobs:
        raise InputError(f"There is no question of the part {part!r}.", "Name others.")
    return jobs


def _jobs_of(
    cell: Cell,
    paper: Paper,
    sources: Sources,
    selection: Selection,
    endpoint: Endpoint | None,
    part: str,
) -> list[Job]:
    file = sources.file(cell.bench)
    everything = _read(cell.bench, file)
    known = {str(item.id) for item in everything}
    # A paper leaves out questions of its own edition; to exclude one that is not there is an error.
    left_out = tuple(name for name in paper.exclude if name in known)
    # What is named may be of any part; so many are taken of this one.
    named = replace(selection, exclude=(*selection.exclude, *left_out), sample=None, limit=None)(everything)
    of_part = [item for item in named if not part or getattr(item, "modality", "") == part]
    items = Selection(sample=selection.sample, limit=selection.limit)(of_part) if of_part else []
    if cell.bench != "geoplan":
        check_data([item for item in items if isinstance(item, Question)], sources.data)
    own = paper.systems[cell.system].options
    asked = None
    if cell.asks_model and endpoint is not None:
        # Without a seed of the cell that of the settings stays, which may be none, and then none is sent.
        seeded = endpoint.settings.model_copy(update={"seed": cell.seed}) if cell.seed else endpoint.settings
        windowed = seeded.model_copy(update={"window": seeded.window or WINDOW})
        asked = replace(endpoint, model=cell.model, settings=windowed)
    needed = _needed_tools(cell.bench, file) if str(own.get("tools", "")).startswith("needed") else ()
    return [Job(cell, item, own, sources, str(file), needed, asked) for item in items]


@lru_cache(maxsize=4)
def _read(bench: str, file: Path) -> Items[Any]:
    return WORKS[bench].read(file)


@lru_cache(maxsize=4)
def _needed_tools(bench: str, file: Path) -> tuple[str, ...]:
    return needed_tools(item for item in _read(bench, file) if isinstance(item, Question))


def questions_of(bench: str, file: str) -> Items[Any]:
    """Return all questions or tasks of a file, and what of it is not usable."""
    return _read(bench, Path(file))


def planning_text(file: str) -> str:
    """Return the planning tools with their descriptions, as a model is told of them."""
    return "\n".join(f"- {name}: {text}" for name, text in planning_ground(file).tools.items())


def work(job: Job, stop: threading.Event) -> Row | None:
    """Work on one job; ``None`` when it was stopped."""
    if stop.is_set():
        return None
    try:
        row = WORKS[job.cell.bench].run(job, stop)
    except Stopped:
        return None
    return {**row, "id": job.key, "question_id": str(job.item.id), "cell": job.cell.key}


def _work_on_question(job: Job, stop: threading.Event) -> Row:
    assert isinstance(job.item, Question)
    options = bench_options(job)
    row = work_on(job.item, options, stop, job.endpoint)
    row.pop("faults", None)
    return row


def bench_options(job: Job) -> BenchOptions:
    """Return how a job's question is worked on."""
    return BenchOptions(
        regime="if" if job.cell.regime == "if" else "ap",
        policy="language" if job.cell.asks_model else "planner",
        data=job.sources.data,
        seed=job.cell.seed,
        needed=job.needed,
        record=job.record,
        window=(job.endpoint.settings.window if job.endpoint else None) or WINDOW,
        **job.options,
    )


def _work_on_task(job: Job, stop: threading.Event) -> Row:
    assert isinstance(job.item, PlanningTask)
    ground = planning_ground(job.file, job.sources.neighbours)
    planner = _planner(job, ground, stop)
    began = time.monotonic()
    path = planner.plan(job.item.question)
    seconds = round(time.monotonic() - began, 3)
    row = plan_row(job.item, path, ground.similarity, ground.rare)
    calls, read, written = planner.usage
    return {
        **row,
        "malformed": planner.malformed_replies,
        "seconds": seconds,
        "model_calls": calls,
        "tokens": {"input": read, "output": written, "cached": 0},
        "status": "answered" if path else "failed",
    }


@dataclass(frozen=True)
class Ground:
    """What all tasks of a file have in common."""

    tools: dict[str, str]
    similarity: Any
    rare: RareTools
    neighbours: tuple[PlanningTask, ...]


@lru_cache(maxsize=2)
def planning_ground(file: str, neighbours: str = "") -> Ground:
    """Return what all tasks of a file have in common."""
    tasks = read_tasks(Path(file))
    gold = [task.ground_truth for task in tasks]
    solved = tuple(read_tasks(Path(neighbours))) if neighbours else ()
    similarity = similarity_for(Path(file), gold, "auto")
    return Ground(
        planning_tools(Path(file), gold),
        similarity,
        # By solved tasks where there are some, so that no gold path that is scored decides what is rare.
        RareTools([task.ground_truth for task in solved or tasks]),
        solved,
    )


def _planner(job: Job, ground: Ground, stop: threading.Event) -> Planner:
    name = str(job.options["planner"])
    # A planner has no runs, and so no memory bank: what tasks taught it is lines of a file.
    lessons = Path(job.record).with_suffix(".jsonl") if job.record else None
    experience = experience_of(ground.neighbours, ground.tools, job.endpoint, stop, lessons)
    return PLANNERS[name](experience)


def _floors_of_questions(jobs: Sequence[Job]) -> Iterator[tuple[str, Row]]:
    first = next(iter(jobs))
    everything = [i for i in _read(first.cell.bench, Path(first.file)) if isinstance(i, Question)]
    items = {str(job.item.id): job.item for job in jobs}
    return floor_rows([item for item in items.values() if isinstance(item, Question)], everything)


def _floors_of_tasks(jobs: Sequence[Job]) -> Iterator[tuple[str, Row]]:
    """Yield the results of floors; the nearest task is looked for among all others of the file."""
    file = next(iter(jobs)).file
    ground, tasks = planning_ground(file), read_tasks(Path(file))
    nearest = PLANNERS["nearest"](experience_of(tasks, ground.tools, None, threading.Event()))
    items = {str(job.item.id): job.item for job in jobs}
    for item in items.values():
        assert isinstance(item, PlanningTask)
        paths = {name: floor(item, ground.tools) for name, floor in PLAN_FLOORS.items()}
        for name, path in {**paths, "nearest": nearest.plan(item.question)}.items():
            row = plan_row(item, path, ground.similarity, ground.rare)
            yield name, {**row, "question_id": str(item.id)}


_BENCH_OPTIONS = frozenset(field.name for field in fields(BenchOptions))


def _reader(bench: str) -> Callable[[Path], Items[Question]]:
    """Return what reads a benchmark's questions, and refuses those of another."""

    def read(file: Path) -> Items[Question]:
        questions = read_questions(file)
        other = next((each.benchmark for each in questions if each.benchmark != bench), None)
        if other is not None:
            raise InputError(
                f"{str(file)!r} holds questions of {other}, not of {bench}.", "Name its own file."
            )
        return questions

    return read


def _with_any_policy(options: Mapping[str, Any]) -> None:
    return None


WORKS: Mapping[str, Work] = {
    "earth-bench": Work(
        _reader("earth-bench"),
        _work_on_question,
        _with_any_policy,
        _BENCH_OPTIONS,
        True,
        _floors_of_questions,
    ),
    "thinkgeo": Work(
        _reader("thinkgeo"),
        _work_on_question,
        _with_any_policy,
        _BENCH_OPTIONS,
        True,
        _floors_of_questions,
    ),
    "geoplan": Work(
        read_tasks,
        _work_on_task,
        lambda options: options["planner"] in MODELLED,
        frozenset({"planner", "memory"}),
        False,
        _floors_of_tasks,
    ),
}
