"""``treeline bench``: the benchmarks and their metrics."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from core.commands.outcome import Outcome, add_command


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


def run_metrics(options: argparse.Namespace) -> Outcome:
    """Score recorded runs as Earth-Bench does."""
    from core.lab.scoring import score_runs

    report = score_runs(Path(options.expected))
    return Outcome(report, _metrics_text(report["metrics"], report["intervals"]))


def run_calls(options: argparse.Namespace) -> Outcome:
    """Present recorded calls and report what became of each."""
    from core.lab.calls import present_calls

    report = present_calls(Path(options.calls), Path(options.questions))
    return Outcome(report, "\n".join(f"{name:14s} {count:6d}" for name, count in report["counts"].items()))


def _metrics_text(metrics: dict[str, float | None], spread: dict[str, Any] | None = None) -> str:
    lines = []
    for name, value in metrics.items():
        low_high = (spread or {}).get(name)
        around = f"  ({low_high[0]:.4f} to {low_high[1]:.4f})" if low_high else ""
        lines.append(f"{name:30s} {'-' if value is None else f'{value:.4f}'}{around}")
    return "\n".join(lines)
