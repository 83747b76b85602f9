"""``treeline bench``: the benchmarks and their metrics."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from core.cards import AUTO
from core.commands.outcome import Outcome, add_command
from core.disclosure import STRATEGIES
from core.policies import POLICIES
from core.teams import TEAMS
from core.teams.names import SOLO

if TYPE_CHECKING:
    from core.lab.geoplan.bench import PlanOptions
    from core.lab.results import Results


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command and its parts."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench", help="benchmarks and their metrics", description="benchmarks and their metrics"
    )
    parts = parser.add_subparsers(required=True, metavar="BENCH")
    metrics = add_command(parts, common, "metrics", "score recorded runs against the expert's", run_metrics)
    metrics.add_argument("--expected", required=True, metavar="FILE", help="predicted and expected calls")

    calls = add_command(parts, common, "calls", "present recorded calls to our environment", run_calls)
    calls.add_argument("--calls", required=True, metavar="FILE", help="calls that language models made")
    calls.add_argument("--questions", required=True, metavar="FILE", help="the questions they belong to")

    earth = add_command(parts, common, "earth-bench", "work on Earth-Bench's questions and score", run_earth)
    earth.add_argument("--questions", required=True, metavar="FILE")
    earth.add_argument(
        "--regime", choices=("ap", "if"), required=True, help="auto-planning or with the steps"
    )
    earth.add_argument("--policy", choices=sorted(POLICIES), default="planner")
    earth.add_argument("--disclosure", choices=sorted(STRATEGIES), default="progressive")
    earth.add_argument("--profile", choices=("science", "earth_bench"), default="earth_bench")
    earth.add_argument("--team", choices=TEAMS, default=SOLO, help="who works on a question (default: solo)")
    earth.add_argument("--variants", type=int, default=2, help="ways that a team explores side by side")
    earth.add_argument("--executors", type=int, default=3, help="most sub-goals of a team")
    earth.add_argument("--rounds", type=int, default=1, help="most attempts; only a failed one is repeated")
    earth.add_argument(
        "--memory", choices=("off", "bench"), default="off",
        help="bench: in order, and a team's memory bank keeps what earlier questions taught (default: off)",
    )  # fmt: skip
    earth.add_argument("--card", default=AUTO, metavar="ID", help="task card: an id, auto (the best) or none")
    earth.add_argument("--seed", type=int, default=0, help="lot of random_tree")
    data = earth.add_mutually_exclusive_group(required=True)
    data.add_argument("--data", default="", metavar="DIR", help="the benchmark's data")
    data.add_argument("--files-only", action="store_true", help="by file names, without pixels")
    earth.add_argument("--workers", type=int, default=2, help="questions at the same time (default 2)")
    earth.add_argument(
        "--results", metavar="FILE", help="keeps results; an interrupted bench goes on from it"
    )

    context = add_command(
        parts, common, "context", "what the expert's calls cost under a strategy", run_context
    )
    context.add_argument("--questions", required=True, metavar="FILE")
    context.add_argument("--disclosure", choices=sorted(STRATEGIES), required=True)
    context.add_argument("--paths", action="store_true", help="write out every path instead of handles")
    context.add_argument("--no-cards", action="store_true", help="adaptive goes by no task card")
    context.add_argument("--seed", type=int, default=0, help="lot of random_tree")

    scale = add_command(parts, common, "scaling", "the same in larger and larger trees", run_scaling)
    scale.add_argument("--questions", required=True, metavar="FILE")
    scale.add_argument(
        "--disclosure", nargs="+", choices=sorted(STRATEGIES), default=["progressive", "adaptive"]
    )
    scale.add_argument("--kind", choices=("same", "cross"), default="cross", help="which tools are added")
    scale.add_argument(
        "--policy",
        choices=("expert", "planner"),
        default="expert",
        help="whose trajectories",
    )
    scale.add_argument("--seed", type=int, default=0, help="order of the tools, and lot of random_tree")

    geoplan = add_command(parts, common, "geoplan", "plan GeoPlan-bench's tasks and score", run_geoplan)
    geoplan.add_argument("--tasks", required=True, metavar="FILE")
    geoplan.add_argument(
        "--planner", action="append", required=True,
        help="template, nearest, layered, chain-of-thought, react, plan-and-execute or debate; several are "
        "rated against each other",
    )  # fmt: skip
    geoplan.add_argument(
        "--judge", choices=("rule", "language"), default="rule", help="who compares the plans of several"
    )
    geoplan.add_argument("--neighbours", metavar="FILE", help="solved tasks that a planner may draw on")
    geoplan.add_argument(
        "--results", metavar="FILE", help="keeps results; an interrupted bench goes on from it"
    )
    plans = add_command(parts, common, "geoplan-metrics", "score recorded plans", run_geoplan_metrics)
    plans.add_argument("--recorded", required=True, metavar="FILE")
    for each in (geoplan, plans):
        each.add_argument("--embedder", default="auto", help="auto, minilm, lexical, or as TREELINE_EMBEDDER")

    ablation = add_command(parts, common, "ablation", "what each part of the evolver is worth", run_ablations)
    ablation.add_argument(
        "--questions", required=True, metavar="FILE", help="one a line: question, value or choices and choice"
    )
    ablation.add_argument("--data", nargs="+", required=True, metavar="PATH", help="GeoTIFFs or folders")
    ablation.add_argument("--policy", choices=sorted(POLICIES), default="planner")
    ablation.add_argument("--variants", type=int, default=2, help="ways that a team explores side by side")
    ablation.add_argument("--executors", type=int, default=3, help="most sub-goals of a team")

    comparison = add_command(parts, common, "compare", "compare two reports of one bench", run_compare)
    comparison.add_argument("first", metavar="FIRST", help="what a bench printed with --json")
    comparison.add_argument("second", metavar="SECOND", help="the same of another run")
    for each in (metrics, calls, earth, context, scale, geoplan, comparison):
        each.add_argument("--report", metavar="FILE", help="write a report as HTML")


def run_metrics(options: argparse.Namespace) -> Outcome:
    """Score recorded runs as Earth-Bench does."""
    from core.lab.scoring import score_runs

    report = score_runs(Path(options.expected))
    return _reported(options, report, _metrics_text(report["metrics"], report["intervals"]))


def run_calls(options: argparse.Namespace) -> Outcome:
    """Present recorded calls and report what became of each."""
    from core.lab.calls import present_calls

    report = present_calls(Path(options.calls), Path(options.questions))
    lines = [f"{name:14s} {count:6d}" for name, count in report["counts"].items()]
    return _reported(options, report, "\n".join(lines))


def run_earth(options: argparse.Namespace) -> Outcome:
    """Work on the questions and score the calls and the answers."""
    from core.lab.bench_options import BenchOptions
    from core.lab.earth_bench import run_questions
    from core.lab.progress import show_progress
    from core.lab.records import read_questions
    from core.lab.results import Results

    questions = read_questions(Path(options.questions))
    settings = BenchOptions(
        regime=options.regime,
        policy=options.policy,
        disclosure=options.disclosure,
        data=options.data,
        profile=options.profile,
        team=options.team,
        variants=options.variants,
        executors=options.executors,
        rounds=options.rounds,
        memory=options.memory,
        card=options.card,
        workers=options.workers,
        seed=options.seed,
        record=f"{options.results}.sqlite" if options.results and options.memory == "bench" else "",
    )
    results = Results(Path(options.results), settings.to_json()) if options.results else None
    report = run_questions(questions, settings, results, show_progress)
    return _reported(options, report, _metrics_text(report["metrics"], report["intervals"]))


def run_context(options: argparse.Namespace) -> Outcome:
    """Replay the expert's calls under a strategy of disclosure and count tokens."""
    from core.lab.context import replay_questions
    from core.lab.progress import show_progress
    from core.lab.records import read_questions

    report = replay_questions(
        read_questions(Path(options.questions)), options.disclosure, handles=not options.paths,
        seed=options.seed, cards=not options.no_cards, progress=show_progress,
    )  # fmt: skip
    names = ("tokens_per_question", "tokens_per_turn", "hit_rate")
    lines = [f"{name:20s} {report[name]:12,.3f}" for name in names]
    return _reported(options, {"bench": "context", **report}, "\n".join(lines))


def run_scaling(options: argparse.Namespace) -> Outcome:
    """Replay the expert's calls in larger and larger trees."""
    from core.lab.progress import show_progress
    from core.lab.records import read_questions
    from core.lab.scaling import scaling

    questions = read_questions(Path(options.questions))
    report = scaling(questions, options.disclosure, options.kind, options.policy, options.seed, show_progress)
    lines = [
        f"{name:12s} {point['tools']:6.0f} tools {point['tokens_per_turn']:10,.0f} tokens a turn, "
        f"hit rate {point['hit_rate']:.3f}"
        for name, curve in report["curves"].items()
        for point in curve
    ]
    return _reported(options, {"bench": "scaling", **report}, "\n".join(lines))


def run_geoplan(options: argparse.Namespace) -> Outcome:
    """Plan the tasks and compare the paths with the gold ones."""
    from core.lab.geoplan.bench import PlanOptions, bench_planner
    from core.lab.progress import show_progress
    from core.lab.results import Results

    settings = PlanOptions(options.planner[0], options.neighbours or "", options.embedder)

    def results_of(planned: PlanOptions) -> Results | None:
        if not options.results:
            return None
        file = Path(options.results)
        several = len(options.planner) > 1
        own = file.with_name(f"{file.stem}-{planned.planner}{file.suffix}") if several else file
        return Results(own, asdict(planned))

    if len(options.planner) > 1:
        return _tournament(options, settings, results_of)
    report = bench_planner(Path(options.tasks), settings, results_of(settings), show_progress)
    names = ("path_similarity", "recall", "precision", "f1")
    beside = {f"path_similarity of {name}": value for name, value in report["beside"].items()}
    return _reported(options, report, _metrics_text({**{name: report.get(name) for name in names}, **beside}))


def _tournament(
    options: argparse.Namespace, settings: PlanOptions, results_of: Callable[[PlanOptions], Results | None]
) -> Outcome:
    from core.lab.geoplan.tournament import tournament
    from core.lab.progress import show_progress

    report = tournament(
        Path(options.tasks), options.planner, settings, options.judge, results_of, show_progress
    )
    columns = ("path_similarity", "recall", "precision", "f1")
    lines = [f"{'':20s} {'Elo':>6s} " + " ".join(f"{name:>15s}" for name in columns)]
    for name, one in report["planners"].items():
        values = " ".join(f"{one[column]:15.4f}" for column in columns)
        lines.append(f"{name:20s} {report['elo'][name]:6.0f} {values}")
    return Outcome(report, "\n".join([*lines, f"judge: {report['judge']}; key tools: proxy"]))


def run_geoplan_metrics(options: argparse.Namespace) -> Outcome:
    """Score recorded plans and tell how far the published scores are."""
    from core.lab.geoplan.bench import score_plans

    report = score_plans(Path(options.recorded), options.embedder)
    lines = _metrics_text({"mean_error": report["mean_error"], "largest_error": report["largest_error"]})
    ratings = "\n".join(f"{name:30s} {rating:.0f}" for name, rating in sorted(report["elo"].items()))
    return Outcome(report, f"embedder {report['embedder']}\n{lines}\nElo by coverage of key tools\n{ratings}")


def run_ablations(options: argparse.Namespace) -> Outcome:
    """Work on questions with parts of the evolver switched off."""
    from core.lab.ablation import MEASURES, Asked, run_ablation
    from core.lab.progress import show_progress
    from core.lab.records import read_records
    from core.options import RunOptions
    from toolkit.errors import InputError

    questions = read_records(Path(options.questions), Asked)
    if not questions:
        raise InputError(f"There is no question in {options.questions!r}.", "Give one JSON object a line.")
    settings = RunOptions(policy=options.policy, variants=options.variants, executors=options.executors)
    with TemporaryDirectory() as folder:
        report = run_ablation(questions, options.data, Path(folder), settings, show_progress)
    lines = [f"{'':20s} " + " ".join(f"{name:>10s}" for name in MEASURES)]
    for name, row in report["settings"].items():
        values = ("-" if row[measure] is None else f"{row[measure]:.2f}" for measure in MEASURES)
        lines.append(f"{name:20s} " + " ".join(f"{value:>10s}" for value in values))
    return Outcome(report, "\n".join(lines))


def run_compare(options: argparse.Namespace) -> Outcome:
    """Compare two reports of one bench."""
    from core.lab.comparing import compare, read_report

    report = compare(read_report(Path(options.first)), read_report(Path(options.second)))
    return _reported(options, report, "\n".join(_compared(*found) for found in report["metrics"].items()))


def _reported(options: argparse.Namespace, report: dict[str, Any], text: str) -> Outcome:
    """Write the report as HTML where a file is named, and return it to be printed."""
    if options.report:
        from core.lab.reports import write_html

        write_html(Path(options.report), report)
    return Outcome(report, text)


def _compared(name: str, found: dict[str, Any]) -> str:
    if found["difference"] is None:
        return f"{name:30s} -"
    spread = found["interval"]
    around = f"  ({spread[0]:+.4f} to {spread[1]:+.4f})" if spread else ""
    counts = f"{found['wins']} won, {found['losses']} lost, {found['ties']} equal"
    values = f"{found['first']:.4f} to {found['second']:.4f}: {found['difference']:+.4f}"
    return f"{name:30s} {values}{around}; {counts}"


def _metrics_text(metrics: dict[str, float | None], spread: dict[str, Any] | None = None) -> str:
    lines = []
    for name, value in metrics.items():
        low_high = (spread or {}).get(name)
        around = f"  ({low_high[0]:.4f} to {low_high[1]:.4f})" if low_high else ""
        lines.append(f"{name:30s} {'-' if value is None else f'{value:.4f}'}{around}")
    return "\n".join(lines)
