"""``treeline ask``: answer a question on rasters."""

from __future__ import annotations

import argparse
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.area import add_area
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.commands.run_options import add_question, add_run_options
from treeline.core.engine.budget import Budget
from treeline.core.memory.entries import SCOPES
from treeline.core.runs.names import APPROVALS, OFF


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "ask", COMMANDS["ask"].summary, run)
    add_question(parser)
    add_area(parser)
    parser.add_argument(
        "--choice", action="append", default=[], metavar="TEXT", help="an option to choose from"
    )
    add_run_options(parser, "science", attended=True)
    parser.add_argument(
        "--approve",
        choices=APPROVALS,
        default=OFF,
        help="ask before: the plan, each call, or calls that write much (default: off)",
    )
    parser.add_argument("--steps", type=int, default=Budget().steps, help="most steps")
    parser.add_argument(
        "--tokens", type=int, default=Budget().tokens, help="most tokens of a model, read and written"
    )
    parser.add_argument("--money", type=float, help="what the tokens may cost at most, where a price is set")
    parser.add_argument("--seconds", type=float, default=Budget().seconds, help="most seconds")
    parser.add_argument(
        "--memory",
        choices=SCOPES,
        help="whose failures are part of the context (default: own with rounds, else off)",
    )
    parser.add_argument(
        "--reading",
        type=int,
        default=0,
        metavar="N",
        help="which of the readings that were asked back is meant",
    )
    parser.add_argument("--after", default="", metavar="RUN", help="the run whose question this one follows")
    parser.add_argument("--out", metavar="DIR", help="where products go")


def run(options: argparse.Namespace) -> Outcome:
    """Work on the question to the end and report."""
    # The engine's modules take most of a second, which the options of the command do without.
    from treeline.core.commands.answering import answer

    return answer(options)
