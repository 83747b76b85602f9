"""``treeline bench geoplan`` and ``geoplan-metrics``: plans made or recorded, scored."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treeline.core.commands.bench_text import add_inspect, add_report, metrics_text, report_outcome
from treeline.core.commands.model import add_model, model_settings
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.commands.question_choice import add_selection, selection
from treeline.core.settings import Endpoint

if TYPE_CHECKING:
    from treeline.core.lab.geoplan.bench import PlanOptions
    from treeline.core.lab.results import Results
    from treeline.core.lab.selection import Selection

_SCORES = ("path_similarity", "recall", "precision", "f1")


def add_geoplan(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the bench of plans."""
    parser = add_command(parts, common, "geoplan", "plan GeoPlan-bench's tasks and score", run_geoplan)
    parser.add_argument(
        "--tasks", required=True, metavar="FILE", help="one a line, or the folder of task files"
    )
    add_selection(parser)
    parser.add_argument(
        "--planner",
        action="append",
        required=True,
        help="template, nearest, layered, or with a model chain-of-thought, react, plan-and-execute, debate, "
        "aflow, earthagent, geoevolver; several are rated against each other",
    )
    parser.add_argument(
        "--judge",
        choices=("rule", "language"),
        default="rule",
        help="who compares the plans of several and says which tools are key",
    )
    parser.add_argument("--neighbours", metavar="FILE", help="solved tasks that a planner may draw on")
    parser.add_argument(
        "--results", metavar="FILE", help="keeps results; an interrupted bench goes on from it"
    )
    _add_embedder(parser)
    parser.add_argument("--seed", type=int, help="of a model's choices")
    add_model(parser)
    add_report(parser)
    add_inspect(parser, "FILE|DIR")


def add_geoplan_metrics(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the scoring of recorded plans."""
    parser = add_command(parts, common, "geoplan-metrics", "score recorded plans", run_geoplan_metrics)
    parser.add_argument("--recorded", required=True, metavar="FILE")
    _add_embedder(parser)


def _add_embedder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--embedder", default="auto", help="auto, minilm, lexical, or as TREELINE_EMBEDDER")


def run_geoplan(options: argparse.Namespace) -> Outcome:
    """Plan the tasks and compare the paths with the gold ones."""
    from treeline.core.lab.geoplan.bench import PlanOptions, bench_planner
    from treeline.core.lab.geoplan.embedders import embedder_setting
    from treeline.core.lab.progress import show_progress
    from treeline.core.lab.results import Results

    settings = PlanOptions(options.planner[0], options.neighbours or "", options.embedder)

    def results_of(planned: PlanOptions) -> Results | None:
        if not options.results:
            return None
        file = Path(options.results)
        several = len(options.planner) > 1
        # A file of results is of one planner: with another it would be refused as other settings.
        own = file.with_name(f"{file.stem}-{planned.planner}{file.suffix}") if several else file
        return Results(own, asdict(planned) | {"embedder": embedder_setting(planned.embedder)})

    chosen = selection(options)
    if len(options.planner) > 1 or options.judge == "language":
        return _tournament(options, settings, results_of, chosen)
    report = bench_planner(
        Path(options.tasks),
        settings,
        results_of(settings),
        show_progress,
        endpoint=_endpoint(options),
        selection=chosen,
    )
    _write_logs(options, {report["planner"]: report})
    beside = {f"path_similarity of {name}": value for name, value in report["beside"].items()}
    text = metrics_text({**{name: report.get(name) for name in _SCORES}, **beside})
    malformed = f"\n{report['malformed']} malformed replies" if report["malformed"] else ""
    return report_outcome(options, report, f"{text}{malformed}\n{report['note']}\n{report['tuned_on']}")


def _tournament(
    options: argparse.Namespace,
    settings: PlanOptions,
    results_of: Callable[[PlanOptions], Results | None],
    chosen: Selection,
) -> Outcome:
    from treeline.core.lab.geoplan.tournament import tournament
    from treeline.core.lab.progress import show_progress

    report = tournament(
        Path(options.tasks),
        options.planner,
        settings,
        options.judge,
        results_of,
        show_progress,
        endpoint=_endpoint(options),
        selection=chosen,
    )
    _write_logs(options, report["planners"])
    lines = [f"{'':20s} {'Elo':>20s} {'Bradley-Terry':>14s} " + " ".join(f"{name:>15s}" for name in _SCORES)]
    for name, one in report["planners"].items():
        values = " ".join(_number(one.get(column)) for column in _SCORES)
        low, high = report["elo_intervals"][name]
        elo = f"{report['elo'][name]:.0f} ({low:.0f} to {high:.0f})"
        lines.append(f"{name:20s} {elo:>20s} {report['bradley_terry'][name]:14.0f} {values}")
    said = ""
    if report.get("verdicts_unread"):
        said = f"; {report['verdicts_unread']} of {report['verdicts_asked']} verdicts named no plan"
    return report_outcome(
        options,
        report,
        "\n".join([*lines, f"judge: {report['judge']}{said}; key tools: {report['key_tools']}"]),
    )


def _number(value: float | None) -> str:
    return f"{'-':>15s}" if value is None else f"{value:15.4f}"


def _write_logs(options: argparse.Namespace, reports: Mapping[str, dict[str, Any]]) -> None:
    """Write the log of each planner: to the file that is named, of several to a folder of that name."""
    if not options.inspect:
        return
    from treeline.core.lab.geoplan.planners import MODELLED
    from treeline.core.lab.geoplan.tasks import read_tasks
    from treeline.core.lab.inspect_logs import bench_log, log_name, write_log

    tasks, target = read_tasks(Path(options.tasks)), Path(options.inspect)
    for planner, report in reports.items():
        model = _endpoint(options).model if planner in MODELLED else ""
        place = target if len(reports) == 1 else target / log_name(datetime.now(UTC), planner)
        write_log(place, bench_log(report, report["tasks"], tasks, model))


def _endpoint(options: argparse.Namespace) -> Endpoint:
    return replace(Endpoint.from_environment(), settings=model_settings(options))


def run_geoplan_metrics(options: argparse.Namespace) -> Outcome:
    """Score recorded plans and tell how far the published scores are."""
    from treeline.core.lab.geoplan.bench import score_plans

    report = score_plans(Path(options.recorded), options.embedder)
    lines = metrics_text({"mean_error": report["mean_error"], "largest_error": report["largest_error"]})
    ratings = "\n".join(f"{name:30s} {rating:.0f}" for name, rating in sorted(report["elo"].items()))
    return Outcome(report, f"embedder {report['embedder']}\n{lines}\nElo by coverage of key tools\n{ratings}")
