"""GeoPlan-bench: plans made by a planner, or recorded ones, scored."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from treeline.core.lab.geoplan.elo import Judge, bradley_terry, by_coverage, elo_ratings, play
from treeline.core.lab.geoplan.embedders import planning_embedder
from treeline.core.lab.geoplan.floors import FLOORS
from treeline.core.lab.geoplan.key_tools import PROXY, RareTools, key_scores
from treeline.core.lab.geoplan.model_planners import check_model
from treeline.core.lab.geoplan.planners import MODELLED, PLANNERS, Experience
from treeline.core.lab.geoplan.tasks import (
    PlanningTask,
    PlanningTool,
    RecordedPlan,
    gold_paths,
    read_beside,
    read_tasks,
)
from treeline.core.lab.intervals import confidence_interval, intervals
from treeline.core.lab.metrics import average, group_rows
from treeline.core.lab.records import read_records
from treeline.core.lab.results import ResultStore
from treeline.core.lab.selection import ALL, Selection
from treeline.core.lab.tuning import tuning_statement
from treeline.core.settings import Endpoint
from treeline.core.teams.geoplan.similarity import PathSimilarity, known_tools, tool_text
from treeline.toolkit.context import TellProgress
from treeline.toolkit.errors import InputError, Stopped

_PUBLISHED = "tool_flow_similarity"
_NOTE = (
    "Path similarity rewards what all plans share: read it against the rows random (as many tools as the "
    "gold path, at random) and constant (one workflow for every task). A planner that draws on neighbours "
    "is chosen by the same similarity that it is scored by."
)


def planning_tools(file: Path, paths: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the planning tools that belong to a file, with their descriptions."""
    described = {tool.name: tool.description for tool in read_beside("tools.jsonl", PlanningTool, file)}
    return known_tools(described, paths)


def similarity_for(file: Path, paths: Sequence[Sequence[str]], embedder: str) -> PathSimilarity:
    """Return the path similarity over the planning tools that belong to a file."""
    tools = planning_tools(file, paths)
    texts = [tool_text(name, text) for name, text in tools.items()]
    return PathSimilarity(planning_embedder(embedder, texts), tools)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How tasks are planned.

    Attributes
    ----------
    planner : str
        A key of :data:`treeline.core.lab.geoplan.planners.PLANNERS`.
    neighbours : str
        File of solved tasks that a planner may draw on; empty for none.
    embedder : str
        See :func:`treeline.core.lab.geoplan.embedders.planning_embedder`.
    """

    planner: str = "layered"
    neighbours: str = ""
    embedder: str = "auto"

    def check(self, endpoint: Endpoint | None = None) -> None:
        """Refuse a planner that there is not, or that has no language model to ask.

        Raises
        ------
        InputError
        BackendMissing
        """
        if self.planner not in PLANNERS:
            raise InputError(f"There is no planner {self.planner!r}.", f"There are {', '.join(PLANNERS)}.")
        if self.planner in MODELLED:
            check_model(endpoint, f"The planner {self.planner!r}")


def bench_planner(
    tasks_file: Path,
    options: PlanOptions,
    results: ResultStore | None = None,
    progress: TellProgress | None = None,
    stop: threading.Event | None = None,
    endpoint: Endpoint | None = None,
    selection: Selection = ALL,
) -> dict[str, Any]:
    """Plan every task of a file that has no result yet, and score the paths of all that have one.

    Parameters
    ----------
    results : Kept, optional
        Keeps each result, so that a bench that was cut goes on where it was.
    progress : callable, optional
        ``progress(done, total, task)``.
    stop : threading.Event, optional
        Set from elsewhere, it ends the bench after the task under way.
    endpoint : Endpoint, optional
        Where a planner asks a language model; by default that of the environment.
    selection : Selection
        Which tasks of the file are planned.

    Raises
    ------
    InputError
        There is no such planner, it lacks what it needs, or a file cannot be read.
    """
    options.check(endpoint)
    stop = stop or threading.Event()
    read = read_tasks(tasks_file)
    tasks = selection(read)
    rows = dict(results.rows) if results else {}
    if progress:
        progress(len(rows), len(tasks), "")
    for row in _plan_rest(tasks_file, tasks, set(rows), options, endpoint, stop):
        rows[row["id"]] = row
        if results:
            results.keep(row)
        if progress:
            progress(len(rows), len(tasks), row["id"])
        if stop.is_set():
            break
    report = summarise_plans([rows[task.id] for task in tasks if task.id in rows], options)
    return {**report, "unread": list(read.unread)}


def _plan_rest(
    tasks_file: Path,
    tasks: Sequence[PlanningTask],
    done: Set[str],
    options: PlanOptions,
    endpoint: Endpoint | None,
    stop: threading.Event,
) -> Iterator[dict[str, Any]]:
    remaining = [task for task in tasks if task.id not in done]
    if not remaining:
        return
    neighbours = read_tasks(Path(options.neighbours)) if options.neighbours else []
    gold = [task.ground_truth for task in tasks]
    similarity = similarity_for(tasks_file, gold, options.embedder)
    tools = planning_tools(tasks_file, gold)
    experience = experience_of(neighbours, tools, endpoint, stop)
    maker = PLANNERS[options.planner](experience)
    nearest = PLANNERS["nearest"](experience) if neighbours else None
    # Rareness is counted over solved tasks where there are some, so that no gold path decides its own score.
    rare = RareTools([task.ground_truth for task in (neighbours or tasks)])
    for task in remaining:
        floors = {name: floor(task, tools) for name, floor in FLOORS.items()}
        if nearest:
            floors["nearest"] = nearest.plan(task.question)
        before = maker.malformed_replies
        try:
            path = maker.plan(task.question)
        except Stopped:
            return
        yield {
            **plan_row(task, path, similarity, rare),
            "malformed": maker.malformed_replies - before,
            "beside": {name: similarity(floor, task.ground_truth) for name, floor in floors.items()},
        }


def experience_of(
    neighbours: Sequence[PlanningTask],
    tools: Mapping[str, str],
    endpoint: Endpoint | None,
    stop: threading.Event,
    lessons: Path | None = None,
) -> Experience:
    """Return what a planner may draw on."""
    embedder = partial(planning_embedder, "lexical")
    return Experience(neighbours, embedder, tools, endpoint, stop, lessons)


def summarise_plans(
    rows: Sequence[dict[str, Any]], options: PlanOptions, key_tools: str = PROXY
) -> dict[str, Any]:
    """Return the mean of each score of plans, with an interval, and by domain and complexity.

    Parameters
    ----------
    key_tools : str
        By which key tools the results are scored.
    """
    scores = [row["path_similarity"] for row in rows]
    scored = [{"path_similarity": row["path_similarity"], **row["key_tool_scores"]} for row in rows]
    return {
        "bench": "geoplan",
        "tuned_on": tuning_statement(["geoplan"]),
        "settings": asdict(options),
        "planner": options.planner,
        "embedder": rows[0]["embedder"] if rows else options.embedder,
        "path_similarity": float(np.mean(scores)) if scores else None,
        "interval": confidence_interval(scores),
        "intervals": intervals(scored),
        "beside": average([row.get("beside", {}) for row in rows]),
        "malformed": sum(row.get("malformed", 0) for row in rows),
        "note": _NOTE,
        "key_tools": key_tools,
        "by_complexity": _means(rows, "complexity"),
        "by_domain": _means(rows, "domain"),
        **average([row["key_tool_scores"] for row in rows]),
        "tasks": list(rows),
    }


def score_plans(recorded_file: Path, embedder: str = "auto") -> dict[str, Any]:
    """Score recorded plans, in their order, and compare with the published scores.

    Raises
    ------
    InputError
        The file cannot be read, or a task's gold path is not to be found.
    """
    plans = read_records(recorded_file, RecordedPlan)
    gold = gold_paths(recorded_file, plans)
    similarity = similarity_for(recorded_file, [gold[plan.task_id] for plan in plans], embedder)
    rare = RareTools(list(gold.values()))
    rows = [_record_of(plan, gold[plan.task_id], similarity, rare) for plan in plans]
    errors = [abs(r["path_similarity"] - r["published"]) for r in rows if r["published"] is not None]
    return {
        "embedder": _short(similarity.name),
        "key_tools": PROXY,
        "mean_error": float(np.mean(errors)) if errors else None,
        "largest_error": max(errors, default=None),
        "by_architecture": _means(rows, "architecture"),
        **_ratings(rows),
        "plans": rows,
    }


def plan_row(
    task: PlanningTask, path: list[str], similarity: PathSimilarity, rare: RareTools
) -> dict[str, Any]:
    """Return the result of a task: the path, and how it compares with the gold one."""
    gold = task.ground_truth
    return {
        "id": task.id,
        "domain": task.domain,
        "complexity": task.complexity,
        "question": task.question,
        "path": path,
        "ground_truth": list(gold),
        "embedder": _short(similarity.name),
        "path_similarity": similarity(path, gold),
        "key_tool_scores": asdict(key_scores(rare(gold), rare(path), path, gold)),
    }


def _record_of(
    plan: RecordedPlan, gold: Sequence[str], similarity: PathSimilarity, rare: RareTools
) -> dict[str, Any]:
    path = plan.tool_path
    chosen = None
    if plan.gt_key_tools is not None and plan.agent_key_tools is not None:
        chosen = asdict(key_scores(plan.gt_key_tools, plan.agent_key_tools, path, gold))
    return {
        "task_id": plan.task_id,
        "architecture": plan.architecture,
        "path_similarity": similarity(path, gold),
        "published": plan.metrics.get(_PUBLISHED),
        "key_tool_scores": asdict(key_scores(rare(gold), rare(path), path, gold)),
        "recorded_key_tool_scores": chosen,
    }


def _ratings(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    coverage = {(r["task_id"], r["architecture"]): r["key_tool_scores"]["recall"] for r in rows}
    return ratings_of(coverage, by_coverage(coverage))


def ratings_of(plans: Iterable[tuple[str, str]], judge: Judge) -> dict[str, Any]:
    """Return how planners fare against each other, of (task, planner) pairs that have a plan."""
    tasks: dict[str, list[str]] = {}
    for task, planner in plans:
        tasks.setdefault(task, []).append(planner)
    games = play(tasks, judge)
    elo = elo_ratings(games)
    return {
        "elo": {name: rating.value for name, rating in elo.items()},
        "elo_intervals": {name: [rating.low, rating.high] for name, rating in elo.items()},
        "bradley_terry": bradley_terry(games),
        "games": len(games),
    }


def _means(rows: Sequence[dict[str, Any]], key: str) -> dict[str, dict[str, float | None]]:
    return {
        name: average(
            [{"path_similarity": row["path_similarity"], **row["key_tool_scores"]} for row in group]
        )
        for name, group in group_rows(rows, key).items()
    }


def _short(name: str) -> str:
    # The embedder of the published scores, whatever path or prefix its name has here.
    return "all-MiniLM-L6-v2" if "minilm" in name.casefold() else name
