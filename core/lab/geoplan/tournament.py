"""Several planners on the same tasks, rated by whose plans win against whose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeline.core.lab.geoplan.bench import PlanOptions, bench_planner, planning_tools, ratings_of
from treeline.core.lab.geoplan.elo import Judge, by_coverage
from treeline.core.lab.geoplan.judging import LanguageJudge, check_read, reachable_judge
from treeline.core.lab.geoplan.key_tools import PROXY
from treeline.core.lab.geoplan.modelled import Advisor
from treeline.core.lab.results import Kept
from treeline.core.lab.selection import ALL, Selection
from treeline.core.lab.tuning import tuning_statement
from treeline.core.settings import Endpoint
from treeline.toolkit.context import TellProgress

Rows = Mapping[tuple[str, str], Mapping[str, Any]]
_RULE = "rule: the plan that covers more of the gold key tools wins"
_LANGUAGE = "language model, asked in both orders"
_ALWAYS = ("nearest", "template")


def tournament(
    tasks_file: Path,
    planners: Sequence[str],
    options: PlanOptions,
    judge: str = "rule",
    results_of: Callable[[PlanOptions], Kept | None] = lambda options: None,
    progress: TellProgress | None = None,
    endpoint: Endpoint | None = None,
    selection: Selection = ALL,
) -> dict[str, Any]:
    """Return each planner's report and the Elo ratings; the simplest planners always take part.

    Parameters
    ----------
    judge : str
        ``rule``, by the coverage of key tools, or ``language``, by a model.
    results_of : callable
        Returns what keeps the results of one planner.

    Raises
    ------
    InputError, BackendMissing, EndpointError
        Before anything is planned: there is no such planner, no language model to ask, or it does not answer.
    """
    names = [*planners, *(name for name in _ALWAYS if options.neighbours or name != "nearest")]
    each = [replace(options, planner=name) for name in dict.fromkeys(names)]
    for one in each:
        one.check(endpoint)
    advisor = reachable_judge(endpoint, planning_tools(tasks_file, [])) if judge == "language" else None
    reports = {
        one.planner: bench_planner(tasks_file, one, results_of(one), progress, None, endpoint, selection)
        for one in each
    }
    rows = {(row["id"], name): row for name, report in reports.items() for row in report["tasks"]}
    decide = _judge(rows, advisor)
    report = {
        "bench": "geoplan-tournament",
        "judge": _LANGUAGE if advisor else _RULE,
        "tuned_on": tuning_statement(["geoplan"]),
        "key_tools": PROXY,
        **ratings_of(rows, decide),
        "planners": reports,
    }
    if isinstance(decide, LanguageJudge):
        check_read(decide.asked, decide.unread, 1)
        report |= {"verdicts_asked": decide.asked, "verdicts_unread": decide.unread}
    return report


def _judge(rows: Rows, advisor: Advisor | None) -> Judge:
    if advisor is not None:
        return LanguageJudge(rows, advisor)
    return by_coverage({key: row["key_tool_scores"]["recall"] for key, row in rows.items()})
