"""``treeline bench``: the benchmarks and their metrics."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.bench_plans import add_geoplan, add_geoplan_metrics
from treeline.core.commands.bench_questions import (
    add_ablation,
    add_cards,
    add_context,
    add_earth_bench,
    add_scaling,
    add_think_geo,
    add_worth,
)
from treeline.core.commands.bench_reproduce import add_reproduce
from treeline.core.commands.bench_text import add_report, metrics_text, report_outcome
from treeline.core.commands.outcome import Outcome, add_command


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command and its parts."""
    summary = COMMANDS["bench"].summary
    parser: argparse.ArgumentParser = commands.add_parser("bench", help=summary, description=summary)
    parts = parser.add_subparsers(required=True, metavar="BENCH")
    for add_part in _PARTS:
        add_part(parts, common)


def add_metrics(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the scoring of recorded runs."""
    parser = add_command(parts, common, "metrics", "score recorded runs against the expert's", run_metrics)
    parser.add_argument("--expected", required=True, metavar="FILE", help="predicted and expected calls")
    add_report(parser)


def add_calls(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the presentation of recorded calls."""
    parser = add_command(parts, common, "calls", "present recorded calls to our environment", run_calls)
    parser.add_argument("--calls", required=True, metavar="FILE", help="calls that language models made")
    parser.add_argument("--questions", required=True, metavar="FILE", help="the questions they belong to")
    add_report(parser)


def add_compare(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the comparison of two reports."""
    parser = add_command(parts, common, "compare", "compare two reports of one bench", run_compare)
    parser.add_argument("first", metavar="FIRST", help="what a bench printed with --json")
    parser.add_argument("second", metavar="SECOND", help="the same of another run")
    add_report(parser)


_PARTS = (
    add_metrics,
    add_calls,
    add_earth_bench,
    add_think_geo,
    add_context,
    add_cards,
    add_scaling,
    add_geoplan,
    add_geoplan_metrics,
    add_ablation,
    add_worth,
    add_reproduce,
    add_compare,
)


def run_metrics(options: argparse.Namespace) -> Outcome:
    """Score recorded runs as Earth-Bench does."""
    from treeline.core.lab.scoring import score_runs

    report = score_runs(Path(options.expected))
    return report_outcome(options, report, metrics_text(report["metrics"], report["intervals"]))


def run_calls(options: argparse.Namespace) -> Outcome:
    """Present recorded calls and report what became of each."""
    from treeline.core.lab.calls import present_calls

    report = present_calls(Path(options.calls), Path(options.questions))
    lines = [f"{name:14s} {count:6d}" for name, count in report["counts"].items()]
    return report_outcome(options, report, "\n".join(lines))


def run_compare(options: argparse.Namespace) -> Outcome:
    """Compare two reports of one bench."""
    from treeline.core.lab.comparing import compare, read_report, unlike_texts

    report = compare(read_report(Path(options.first)), read_report(Path(options.second)))
    lines = [_describe_difference(*found) for found in report["metrics"].items()]
    return report_outcome(options, report, "\n".join([*lines, *unlike_texts(report)]))


def _describe_difference(name: str, found: dict[str, Any]) -> str:
    if found["difference"] is None:
        return f"{name:30s} -"
    spread = found["interval"]
    around = f"  ({spread[0]:+.4f} to {spread[1]:+.4f})" if spread else ""
    counts = f"{found['wins']} won, {found['losses']} lost, {found['ties']} equal"
    values = f"{found['first']:.4f} to {found['second']:.4f}: {found['difference']:+.4f}"
    return f"{name:30s} {values}{around}; {counts}"
