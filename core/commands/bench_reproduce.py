"""``treeline bench reproduce``: a paper's tables with one's own models."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treeline.core.commands.bench_text import add_inspect, add_report
from treeline.core.commands.model import add_model, model_settings
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.commands.question_choice import add_selection, selection
from treeline.core.settings import Endpoint

if TYPE_CHECKING:
    from treeline.core.lab.reproduce.reproduction import Reproduction

_LIMITS: dict[str, tuple[type, str]] = {
    "calls": (int, "most calls of models"),
    "tokens": (int, "most tokens"),
    "price": (float, "highest price"),
    "hours": (float, "most hours"),
}


def add_reproduce(parts: Any, common: argparse.ArgumentParser) -> None:
    """Declare the reproduction of a paper's tables."""
    parser = add_command(parts, common, "reproduce", "a paper's tables with one's own models", run_reproduce)
    parser.add_argument(
        "paper",
        metavar="PAPER",
        type=lambda name: name.strip().lower().replace("_", "-"),
        help="rs-claw, earth-agent, rsmem, geoevolver or htam",
    )
    parser.add_argument("--table", default="", metavar="N", help="one table, such as 2 or II (default: all)")
    parser.add_argument(
        "--models",
        nargs="+",
        action="extend",
        default=[],
        metavar="A,B",
        help="models at the endpoint (default: TREELINE_MODEL); none: what needs no model",
    )
    parser.add_argument("--estimate", action="store_true", help="run nothing; print what it will take")
    parser.add_argument(
        "--pilot",
        action="store_true",
        help="work on some questions of each cell, keep them; print what the rest will take, within a tenth",
    )
    parser.add_argument(
        "--failing",
        type=float,
        metavar="SHARE",
        help="of attempts and plans, for the estimate (default: as in the results so far)",
    )
    add_selection(parser)
    parser.add_argument("--questions", default="", metavar="FILE", help="the benchmark's own file or folder")
    parser.add_argument("--data", default="", metavar="DIR", help="its rasters (default: by file names)")
    parser.add_argument("--neighbours", default="", metavar="FILE", help="solved tasks to draw on")
    parser.add_argument("--seed", type=int, default=0, help="of a model's choices and of a random tree")
    parser.add_argument("--repeats", type=int, default=1, help="how often each cell is worked on")
    parser.add_argument("--workers", type=int, default=2, help="questions at the same time (default 2)")
    parser.add_argument("--results", default="", metavar="FILE", help="keeps results (default: in the home)")
    limits = parser.add_argument_group("limits, after which nothing further is begun")
    for name, (kind, what) in _LIMITS.items():
        limits.add_argument(f"--most-{name}", type=kind, metavar="N", help=what)
    parser.add_argument(
        "--judge",
        choices=("rule", "language"),
        default="rule",
        help="who compares plans, for Elo ratings, and says which tools are key",
    )
    parser.add_argument(
        "--judge-model", default="", metavar="NAME", help="the model that judges (default: the first model)"
    )
    add_model(parser)
    for form in ("csv", "latex"):
        parser.add_argument(f"--{form}", metavar="FILE", help=f"write the rows as {form.upper()}")
    add_report(parser)
    add_inspect(parser, "DIR")


def run_reproduce(options: argparse.Namespace) -> Outcome:
    """Reproduce a paper's tables, or say what that will take."""
    from treeline.core.lab.progress import show_progress
    from treeline.core.lab.reports import html_of
    from treeline.core.lab.reproduce.reproduction import (
        estimate_reproduction,
        pilot_reproduction,
        reproduce,
    )
    from treeline.core.lab.reproduce.writing import as_text, csv_of, latex_of, write_text

    endpoint = replace(Endpoint.from_environment(), settings=model_settings(options))
    wanted = _reproduction_of(options, endpoint)
    if options.estimate or options.pilot:
        found = (
            pilot_reproduction(wanted, endpoint, show_progress)
            if options.pilot
            else estimate_reproduction(wanted, endpoint, options.failing)
        )
        price = "unknown: give --price-input and --price-output" if found["price"] is None else found["price"]
        tokens = found["tokens"]
        lines = [
            f"calls   {found['calls']:,}{_range(*found['range'])}",
            f"tokens  {tokens['input']:,} read, {tokens['output']:,} written",
            f"price   {price}",
            f"hours   {found['hours']:.2g}",
            *(f"        {count} questions by {name}" for name, count in found["basis"].items()),
            *found["assumes"],
            *_pilot(found.get("pilot")),
        ]
        return Outcome(found, "\n".join(lines))
    report = reproduce(wanted, show_progress, endpoint=endpoint)
    for file, form in ((options.csv, csv_of), (options.latex, latex_of), (options.report, html_of)):
        if file:
            write_text(Path(file), form(report))
    if options.inspect:
        _write_logs(Path(options.inspect), wanted, report, endpoint)
    return Outcome(report, as_text(report))


def _pilot(pilot: dict[str, Any] | None) -> list[str]:
    """Return what a pilot took, and what of it is not as narrow as it should be."""
    if pilot is None:
        return []
    said = [f"The pilot made {pilot['calls']:,} calls; its results are kept."]
    if not pilot["narrow"]:
        said.append("The range is wider than a tenth: the replies differ much, or little is left.")
    return [*said, *filter(None, [pilot["stopped"]])]


def _range(least: int, most: int) -> str:
    """Return how few or many calls it may be, where the replies decide."""
    return f" ({least:,} to {most:,}, as the replies turn out)" if least < most else ""


def _write_logs(folder: Path, wanted: Reproduction, report: dict[str, Any], endpoint: Endpoint) -> None:
    """Write a log of each system, model and regime."""
    from treeline.core.lab.inspect_logs import reproduction_logs, write_log
    from treeline.core.lab.reproduce.reproduction import kept_results

    for name, log in reproduction_logs(report, *kept_results(wanted, endpoint)).items():
        write_log(folder / name, log)


def _reproduction_of(options: argparse.Namespace, endpoint: Endpoint) -> Reproduction:
    from treeline.core.lab.reproduce.reproduction import Reproduction

    models = [name for text in options.models for name in text.replace(",", " ").split()]
    # "none" is a choice too: then the endpoint's own model is not asked.
    own = [endpoint.model] if endpoint.model and not models else []
    return Reproduction(
        paper=options.paper,
        table=options.table,
        models=tuple(dict.fromkeys(name for name in (models or own) if name != "none")),
        seed=options.seed,
        repeats=options.repeats,
        questions=options.questions,
        data=options.data,
        neighbours=options.neighbours,
        **asdict(selection(options)),
        workers=options.workers,
        **{f"most_{name}": getattr(options, f"most_{name}") for name in _LIMITS},
        judge=options.judge,
        judge_model=options.judge_model,
        results=options.results,
    )
