"""Reports of benches as text, and as HTML where a file is named for it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treeline.core.commands.outcome import Outcome


def add_report(parser: argparse.ArgumentParser) -> None:
    """Declare the file of the HTML report."""
    parser.add_argument("--report", metavar="FILE", help="write a report as HTML")


def add_inspect(parser: argparse.ArgumentParser, what: str = "FILE") -> None:
    """Declare where the logs in Inspect's form go."""
    parser.add_argument(
        "--inspect", metavar=what, help="write tasks, calls and scores in the form of Inspect's logs"
    )


def report_outcome(options: argparse.Namespace, report: dict[str, Any], text: str) -> Outcome:
    """Write the report as HTML where a file is named, and return it to be printed."""
    text = "\n".join([text, *(f"not read: {each}" for each in report.get("unread", ()))])
    if options.report:
        from treeline.core.lab.reports import write_html

        write_html(Path(options.report), report)
    return Outcome(report, text)


def parts_text(parts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the means of each part of the questions that has some, a part a line."""
    lines = []
    for part, means in parts.items():
        shown = [f"{k} {v:.4g}" for k, v in means.items() if k != "questions" and v is not None]
        if means.get("questions"):
            lines.append(f"{part.replace('_', ' ')} ({means['questions']} questions): {', '.join(shown)}")
    return "\n".join(lines)


def metrics_text(metrics: Mapping[str, float | None], spread: Mapping[str, Any] | None = None) -> str:
    """Return metrics, one a line, with the interval of each where there is one."""
    lines = []
    for name, value in metrics.items():
        low_high = (spread or {}).get(name)
        around = f"  ({low_high[0]:.4f} to {low_high[1]:.4f})" if low_high else ""
        lines.append(f"{name:30s} {'-' if value is None else f'{value:.4f}'}{around}")
    return "\n".join(lines)
