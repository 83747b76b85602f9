"""Several planners on the same tasks, rated by whose plans win against whose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeline.core.lab.geoplan.bench import (
    PlanOptions,
    bench_planner,
    planning_tools,
    ratings_of,
    summarise_plans,
)
from treeline.core.lab.geoplan.elo import Judge, by_coverage
from treeline.core.lab.geoplan.judging import LanguageJudge, check_read, reachable_judge
from treeline.core.lab.geoplan.key_tools import PROXY, choose_key_tools, chosen_scores, describe_chooser
from treeline.core.lab.geoplan.model_planners import Advisor, check_model
from treeline.core.lab.results import ResultStore
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
    results_of: Callable[[PlanOptions], ResultStore | None] = lambda options: None,
    progress: TellProgress | None = None,
    endpoint: Endpoint | None = None,
    selection: Selection = ALL,
) -> dict[str, Any]:
    """Return each planner's report and the Elo ratings; the simplest planners always take part.

    Parameters
    ----------
    judge : str
        ``rule``, by the coverage of key tools, or ``language``, by a model that chooses the key tools too.
    results_of : callable
        Returns what keeps the results of one planner.

    Raises
    ------
    InputError, BackendMissing, EndpointError
        Before anything is planned: there is no such planner, no language model to ask, or it does not answer.
    """
    # A rating says only who is ahead of whom: without the simplest planners nobody knows how high
    # the field is.
    names = [*planners, *(name for name in _ALWAYS if options.neighbours or name != "nearest")]
    each = [replace(options, planner=name) for name in dict.fromkeys(names)]
    for one in each:
        one.check(endpoint)
    advisor = reachable_judge(endpoint, planning_tools(tasks_file, [])) if judge == "language" else None
    reports = {
        one.planner: bench_planner(tasks_file, one, results_of(one), progress, None, endpoint, selection)
        for one in each
    }
    key_tools = PROXY
    if advisor is not None:
        key_tools = describe_chooser(check_model(endpoint, "The judge").model)
        reports = _by_choice(reports, each, advisor, key_tools)
    rows = {(row["id"], name): row for name, report in reports.items() for row in report["tasks"]}
    decide = _judge(rows, advisor)
    report = {
        "bench": "geoplan-tournament",
        "judge": _LANGUAGE if advisor else _RULE,
        "tuned_on": tuning_statement(["geoplan"]),
        "key_tools": key_tools,
        **ratings_of(rows, decide),
        "planners": reports,
    }
    if isinstance(decide, LanguageJudge):
        # At the end however few were asked: on the way a judge is refused after ten replies.
        check_read(decide.asked, decide.unread, 1)
        report |= {"verdicts_asked": decide.asked, "verdicts_unread": decide.unread}
    return report


def _by_choice(
    reports: Mapping[str, dict[str, Any]], options: Sequence[PlanOptions], advisor: Advisor, key_tools: str
) -> dict[str, dict[str, Any]]:
    """Return the reports with the scores by the key tools that the model chooses, none by the proxy."""
    chosen: dict[tuple[str, ...], frozenset[str] | None] = {}

    def with_key_tool_scores(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for row in rows:
            paths = [tuple(row["ground_truth"]), tuple(row["path"])]
            for path in paths:
                # By task and path: several planners make the same plan, and the gold path is that of all.
                if (row["id"], *path) not in chosen:
                    chosen[row["id"], *path] = choose_key_tools(advisor, row["question"], path)
            gold, plan = (chosen[row["id"], *path] for path in paths)
            check_read(len(chosen), sum(found is None for found in chosen.values()))
            yield {**row, "key_tool_scores": chosen_scores(gold, plan, row["path"], row["ground_truth"])}

    found = {
        one.planner: {
            **reports[one.planner],
            **summarise_plans(list(with_key_tool_scores(reports[one.planner]["tasks"])), one, key_tools),
        }
        for one in options
    }
    check_read(len(chosen), sum(key is None for key in chosen.values()), 1)
    return found


def _judge(rows: Rows, advisor: Advisor | None) -> Judge:
    if advisor is not None:
        return LanguageJudge(rows, advisor)
    return by_coverage({key: row["key_tool_scores"]["recall"] for key, row in rows.items()})
