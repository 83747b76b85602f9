"""The benches that work on questions: Earth-Bench, what disclosure costs, what a team's parts are worth."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treeline.core.commands.bench_text import (
    add_inspect,
    add_report,
    metrics_text,
    parts_text,
    report_outcome,
)
from treeline.core.commands.model import add_model, chosen_endpoint
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.commands.question_choice import add_selection, add_tools, selection
from treeline.core.commands.run_options import add_run_options, add_seed, add_team_size, run_options_of
from treeline.core.disclosure.names import DISCLOSURES
from treeline.core.policies.names import PLANNER, UNATTENDED
from treeline.toolkit.errors import InputError


def add_earth_bench(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the bench of Earth-Bench's questions."""
    parser = add_command(parts, common, "earth-bench", "work on Earth-Bench's questions and score", run_earth)
    parser.add_argument(
        "--regime", choices=("ap", "if"), required=True, help="auto-planning or with the steps"
    )
    parser.set_defaults(benchmark="earth-bench")
    _add_bench_options(parser)


def add_think_geo(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the bench of ThinkGeo's questions."""
    parser = add_command(parts, common, "thinkgeo", "work on ThinkGeo's questions and score", run_earth)
    parser.set_defaults(regime="ap", benchmark="thinkgeo")
    _add_bench_options(parser)


def _add_bench_options(parser: argparse.ArgumentParser) -> None:
    """Declare what every bench has whose questions are worked on by runs."""
    parser.add_argument(
        "--questions",
        required=True,
        metavar="FILE",
        help="the benchmark's own file, its folder, or one a line",
    )
    add_selection(parser)
    add_run_options(parser, "earth_bench", partial=True)
    add_tools(parser)
    parser.add_argument(
        "--memory",
        choices=("off", "bench"),
        default="off",
        help="bench: in order, and a team's memory bank keeps what earlier questions taught (default: off)",
    )
    data = parser.add_mutually_exclusive_group(required=True)
    data.add_argument("--data", default="", metavar="DIR", help="the benchmark's data")
    data.add_argument("--files-only", action="store_true", help="by file names, without pixels")
    parser.add_argument("--workers", type=int, default=2, help="questions at the same time (default 2)")
    parser.add_argument(
        "--repeats", type=int, default=1, help="how often each question is worked on, each with the next seed"
    )
    parser.add_argument(
        "--results", metavar="FILE", help="keeps results; an interrupted bench goes on from it"
    )
    add_report(parser)
    add_inspect(parser)


def add_context(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the replay of the expert's calls."""
    parser = add_command(
        parts, common, "context", "what the expert's calls cost under a strategy", run_context
    )
    parser.add_argument("--questions", required=True, metavar="FILE")
    add_selection(parser)
    parser.add_argument("--disclosure", choices=sorted(DISCLOSURES), required=True)
    parser.add_argument("--paths", action="store_true", help="write out every path instead of handles")
    parser.add_argument("--no-cards", action="store_true", help="adaptive uses no task card")
    parser.add_argument(
        "--way",
        choices=("known", "found"),
        default="known",
        help="whether the way to a tool is known, or branches are opened until it is seen",
    )
    add_tools(parser)
    add_seed(parser)
    add_report(parser)


def add_cards(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the comparison of questions with and without their task cards."""
    parser = add_command(
        parts,
        common,
        "cards",
        "what task cards are worth on questions that were read, and on others",
        run_cards,
    )
    parser.add_argument("--questions", required=True, metavar="FILE", help="the public questions")
    parser.add_argument(
        "--unseen", metavar="FILE", help="others; those among the public ones are passed over"
    )
    add_selection(parser)
    parser.add_argument(
        "--policy", choices=("planner", "language"), help="whose runs are made with and without cards, too"
    )
    parser.add_argument("--data", default="", metavar="DIR", help="the benchmark's data, for right answers")
    add_model(parser)
    add_report(parser)


def add_scaling(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the replay in larger and larger trees."""
    parser = add_command(parts, common, "scaling", "the same in larger and larger trees", run_scaling)
    parser.add_argument("--questions", required=True, metavar="FILE")
    add_selection(parser)
    parser.add_argument(
        "--disclosure", nargs="+", choices=sorted(DISCLOSURES), default=["progressive", "adaptive"]
    )
    parser.add_argument("--kind", choices=("same", "cross"), default="cross", help="which tools are added")
    parser.add_argument(
        "--policy", choices=("expert", "planner", "language"), default="expert", help="whose trajectories"
    )
    parser.add_argument(
        "--data",
        default="",
        metavar="DIR",
        help="the benchmark's data: the questions are worked on, and answers are scored (not by the expert)",
    )
    add_seed(parser, "order of the tools, and ")
    add_model(parser)
    add_report(parser)


def add_ablation(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the ablation of the team that evolves."""
    parser = add_command(parts, common, "ablation", "what each part of the evolver is worth", run_ablations)
    parser.add_argument(
        "--questions", required=True, metavar="FILE", help="one a line: question, value or choices and choice"
    )
    parser.add_argument("--data", nargs="+", required=True, metavar="PATH", help="GeoTIFFs or folders")
    parser.add_argument("--policy", choices=sorted(UNATTENDED), default=PLANNER)
    add_team_size(parser)
    add_report(parser)


def add_worth(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the comparison of one policy with a team, without and with experience."""
    parser = add_command(
        parts,
        common,
        "worth",
        "what a team and its experience are worth, beside one policy",
        run_worth_of_team,
    )
    parser.add_argument(
        "--questions",
        metavar="FILE",
        default="",
        help="as for ablation; by default on the demo, with repeats, opposites and neighbours",
    )
    parser.add_argument("--data", nargs="+", metavar="PATH", default=[], help="GeoTIFFs or folders")
    parser.add_argument("--policy", choices=sorted(UNATTENDED), default=PLANNER)
    add_team_size(parser)
    add_report(parser)


def run_worth_of_team(options: argparse.Namespace) -> Outcome:
    """Work on questions alone, with a team without experience, and with one that keeps its experience."""
    from treeline.core.lab.ablation import AblationOptions, read_questions_asked
    from treeline.core.lab.progress import show_progress
    from treeline.core.lab.worth.bench import demo_data, run_worth, worth_text

    def run(asked: Any, data: tuple[str, ...]) -> Outcome:
        settings = AblationOptions(data, options.policy, options.variants, options.executors)
        report = run_worth(asked, settings, show_progress)
        return report_outcome(options, report, worth_text(report))

    if bool(options.questions) != bool(options.data):
        raise InputError("Questions and their data go together.", "Name both, or none for the demo.")
    if options.questions:
        return run(read_questions_asked(Path(options.questions)), tuple(options.data))
    with demo_data() as (asked, folder):
        return run(asked, (folder,))


def run_earth(options: argparse.Namespace) -> Outcome:
    """Work on the questions and score the calls and the answers."""
    from treeline.core.lab.bench_options import BenchOptions
    from treeline.core.lab.earth_bench import run_questions
    from treeline.core.lab.parts import PARTS
    from treeline.core.lab.progress import show_progress
    from treeline.core.lab.records import read_questions
    from treeline.core.lab.results import Results

    read = read_questions(Path(options.questions))
    _require_benchmark(read, options.benchmark, options.questions)
    questions = selection(options)(read)
    settings = BenchOptions(
        regime=options.regime,
        data=options.data,
        memory=options.memory,
        workers=options.workers,
        tools=options.tools,
        repeats=options.repeats,
        # Beside the results, so that a bench which goes on still remembers what it learned.
        record=f"{options.results}.sqlite" if options.results and options.memory == "bench" else "",
        **run_options_of(options),
    )
    endpoint = chosen_endpoint(options)
    decisive = settings.to_json() | (endpoint.settings.deciding if endpoint else {})
    results = Results(Path(options.results), decisive) if options.results else None
    report = run_questions(questions, settings, results, show_progress, endpoint=endpoint)
    parts = parts_text({name: report[name] for name in PARTS})
    text = "\n".join(filter(None, [metrics_text(report["metrics"], report["intervals"]), parts]))
    if options.inspect:
        from treeline.core.lab.inspect_logs import bench_log, write_log

        model = endpoint.model if endpoint else ""
        write_log(Path(options.inspect), bench_log(report, report["questions"], questions, model))
    report["unread"] = list(read.unread)
    return report_outcome(options, report, f"{text}\n{report['tuned_on']}")


def _require_benchmark(questions: Sequence[Any], benchmark: str, file: str) -> None:
    """Refuse questions of one benchmark that would be reported as those of another."""
    others = {question.benchmark for question in questions} - {benchmark}
    if others:
        raise InputError(
            f"{file} holds questions of {' and '.join(sorted(others))}, not of {benchmark}.",
            f"`bench {sorted(others)[0]}` works on them.",
        )


def run_context(options: argparse.Namespace) -> Outcome:
    """Replay the expert's calls under a strategy of disclosure and count tokens."""
    from treeline.core.lab.context import replay_questions
    from treeline.core.lab.progress import show_progress
    from treeline.core.lab.records import read_questions
    from treeline.core.lab.toolbox import toolbox

    read = read_questions(Path(options.questions))
    questions = selection(options)(read)
    report = replay_questions(
        questions,
        options.disclosure,
        handles=not options.paths,
        seed=options.seed,
        cards=not options.no_cards,
        tree=toolbox(options.tools),
        way=options.way,
        progress=show_progress,
    )
    names = (
        "tokens_per_question",
        "tokens_per_turn",
        "turns_per_question",
        "openings_per_question",
        "hit_rate",
    )
    lines = [f"{name:22s} {report[name]:12,.3f}" for name in names]
    text = "\n".join([*lines, parts_text(report["by_part"]), report["note"], report["tuned_on"]])
    return report_outcome(
        options, {"bench": "context", "tools": options.tools, "unread": list(read.unread), **report}, text
    )


def run_cards(options: argparse.Namespace) -> Outcome:
    """Compare what cards are worth on the parts of the questions."""
    from treeline.core.lab.bench_options import BenchOptions
    from treeline.core.lab.card_gain import card_gain, gain_text
    from treeline.core.lab.progress import show_progress
    from treeline.core.lab.records import read_questions

    chosen = selection(options)
    read = read_questions(Path(options.questions))
    questions = chosen(read)
    unseen = chosen(read_questions(Path(options.unseen))) if options.unseen else []
    worked, endpoint = None, None
    if options.policy:
        worked, endpoint = BenchOptions(policy=options.policy, data=options.data), chosen_endpoint(options)
        worked.check(endpoint)
    report = card_gain(questions, unseen, worked, show_progress, endpoint)
    return report_outcome(options, {**report, "unread": list(read.unread)}, gain_text(report))


def run_scaling(options: argparse.Namespace) -> Outcome:
    """Replay the expert's calls in larger and larger trees."""
    from treeline.core.lab.bench_options import BenchOptions
    from treeline.core.lab.progress import show_progress
    from treeline.core.lab.records import read_questions
    from treeline.core.lab.scaling import measure_scaling, scaling

    read = read_questions(Path(options.questions))
    questions = selection(options)(read)
    if options.data or options.policy == "language":
        worked = BenchOptions(policy=options.policy, data=options.data, seed=options.seed or 0)
        worked.check(endpoint := chosen_endpoint(options))
        report = measure_scaling(questions, options.disclosure, worked, options.kind, show_progress, endpoint)
    else:
        report = scaling(
            questions, options.disclosure, options.kind, options.policy, options.seed, show_progress
        )
    lines = [
        f"{name:12s} {point['tools']:6.0f} tools {point['tokens_per_turn'] or 0:10,.0f} tokens a turn, "
        + ", ".join(
            f"{label} {point[key]:.3f}" for key, label in _SHOWN.items() if point.get(key) is not None
        )
        for name, curve in report["curves"].items()
        for point in curve
    ]
    report = {"bench": "scaling", "unread": list(read.unread), **report}
    return report_outcome(options, report, "\n".join([*lines, report["tuned_on"]]))


_SHOWN = {"hit_rate": "hit rate", "accuracy": "accuracy", "tool_in_order": "tools in order"}


def run_ablations(options: argparse.Namespace) -> Outcome:
    """Work on questions with parts of the evolver switched off."""
    from treeline.core.lab.ablation import MEASURES, AblationOptions, read_questions_asked, run_ablation
    from treeline.core.lab.progress import show_progress

    settings = AblationOptions(tuple(options.data), options.policy, options.variants, options.executors)
    report = run_ablation(read_questions_asked(Path(options.questions)), settings, progress=show_progress)
    lines = [f"{'':20s} " + " ".join(f"{name:>10s}" for name in MEASURES)]
    for name, row in report["by_setting"].items():
        values = ("-" if row[measure] is None else f"{row[measure]:.2f}" for measure in MEASURES)
        lines.append(f"{name:20s} " + " ".join(f"{value:>10s}" for value in values))
    return report_outcome(options, report, "\n".join(lines))
