"""Several planners on the same tasks, rated by whose plans win against whose."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeline.core.lab.geoplan.bench import BESIDE, PlanOptions, bench_planner, planning_tools
from treeline.core.lab.geoplan.elo import Judge, by_coverage, elo_ratings
from treeline.core.lab.geoplan.modelled import Advisor, check_model, preference
from treeline.core.lab.results import Kept
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress

Rows = Mapping[tuple[str, str], Mapping[str, Any]]
_RULE = "rule: the plan that covers more of the gold key tools wins"
_LANGUAGE = "language model, asked in both orders"


def tournament(
    tasks_file: Path,
    planners: Sequence[str],
    options: PlanOptions,
    judge: str = "rule",
    results_of: Callable[[PlanOptions], Kept | None] = lambda options: None,
    progress: TellProgress | None = None,
    endpoint: Endpoint | None = None,
) -> dict[str, Any]:
    """Return each planner's report and the Elo ratings; the simplest planners always take part.

    Parameters
    ----------
    judge : str
        A key of :data:`JUDGES`.
    results_of : callable
        Returns what keeps the results of one planner.

    Raises
    ------
    InputError, BackendMissing
        Before anything is planned: there is no such planner, or no language model to ask.
    """
    names = [*planners, *(name for name in BESIDE if options.neighbours or name != "nearest")]
    each = [replace(options, planner=name) for name in dict.fromkeys(names)]
    for one in each:
        one.check(endpoint)
    if judge == "language":
        check_model(endpoint, "The judge")
    reports = {
        one.planner: bench_planner(tasks_file, one, results_of(one), progress, None, endpoint) for one in each
    }
    rows = {(row["id"], name): row for name, report in reports.items() for row in report["tasks"]}
    tasks: dict[str, list[str]] = {}
    for task, name in rows:
        tasks.setdefault(task, []).append(name)
    title, judge_of = JUDGES[judge]
    return {
        "bench": "geoplan-tournament",
        "judge": title,
        "elo": elo_ratings(tasks, judge_of(rows, tasks_file, endpoint)),
        "planners": reports,
    }


def _by_rule(rows: Rows, tasks_file: Path, endpoint: Endpoint | None) -> Judge:
    return by_coverage({key: row["key_tool_scores"]["recall"] for key, row in rows.items()})


def _by_model(rows: Rows, tasks_file: Path, endpoint: Endpoint | None) -> Judge:
    tools = planning_tools(tasks_file, [row["path"] for row in rows.values()])
    advisor = Advisor(check_model(endpoint, "The judge"), tools, threading.Event())

    def judge(task: str, first: str, second: str) -> float:
        one, other = rows[task, first], rows[task, second]
        return preference(advisor, one["question"], one["path"], other["path"])

    return judge


JUDGES: dict[str, tuple[str, Callable[[Rows, Path, Endpoint | None], Judge]]] = {
    "rule": (_RULE, _by_rule),
    "language": (_LANGUAGE, _by_model),
}
