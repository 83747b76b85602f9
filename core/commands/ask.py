"""``treeline ask``: answer a question on rasters."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.area import add_area
from treeline.core.commands.model import chosen_endpoint
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.commands.working import (
    add_question,
    add_working,
    question_and_data,
    working_options,
)
from treeline.core.engine.actions import action_name
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import Event, Note, Progress, StepFinished, StepStarted
from treeline.core.engine.observations import shorten
from treeline.core.memory.entries import SCOPES
from treeline.core.policies.person import PERSON
from treeline.core.runs.approval import APPROVALS, OFF
from treeline.core.runs.asking import ask, run_manager
from treeline.core.runs.manager import RunManager
from treeline.core.runs.result import AreaResult, RunResult
from treeline.core.runs.usage import used_tokens
from treeline.core.workspace.area import crs_text
from treeline.toolkit.interest import size_text


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "ask", COMMANDS["ask"].summary, run)
    add_question(parser)
    add_area(parser)
    parser.add_argument(
        "--choice", action="append", default=[], metavar="TEXT", help="an option to choose from"
    )
    add_working(parser, "science", attended=True)
    parser.add_argument(
        "--approve",
        choices=APPROVALS,
        default=OFF,
        help="ask before: the plan, each call, or calls that write much (default: off)",
    )
    parser.add_argument("--steps", type=int, default=Budget().steps, help="most steps")
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
    # The planner's modules, which the options of the command do without.
    from treeline.core.lab.dry_run import foresee

    question, data = question_and_data(options)
    endpoint, manager = chosen_endpoint(options), run_manager()
    manager.foresee = foresee
    attended = options.policy == PERSON or options.approve != OFF
    result = ask(
        question,
        data,
        endpoint=endpoint,
        manager=manager,
        on_event=None if options.json or attended else _tell,
        attend=attend if attended else None,
        approve=options.approve,
        choices=tuple(options.choice),
        budget=Budget(steps=options.steps, seconds=options.seconds),
        out=options.out or "",
        memory=options.memory or "off",
        reading=options.reading,
        after=options.after,
        aoi=options.aoi,
        **working_options(options),
    )
    outcome = outcome_of(result)
    if endpoint is None or not endpoint.settings.has_prices:
        return outcome
    used = used_tokens(manager.store, result.run)
    cost = endpoint.settings.cost_of(used.input, used.cached, used.output)
    return replace(outcome, value={**outcome.value, "cost": cost}, text=f"{outcome.text}\nCost: {cost:.4g}")


def attend(manager: RunManager, run: str) -> None:
    """Lead the person at the terminal through a run."""
    from treeline.core.commands.attending import attend_from_terminal

    attend_from_terminal(manager, run)


def outcome_of(result: RunResult) -> Outcome:
    """Return what is printed of a run that has ended."""
    text = result.reason if result.answer is None else result.answer
    if result.choice:
        text = f"{result.choice}: {text}"
    lines = [f"Read as: {result.read_as}"] if result.read_as else []
    if result.area_of_interest is not None:
        lines.append(_area_text(result.area_of_interest))
    lines += [text, *(f"--reading {each.number}: {each.read_as}" for each in result.readings)]
    if result.status == "unverified":
        lines.append(f"Unverified: {result.reason}")
    if result.difference:
        lines.append(result.difference)
    return Outcome(result.to_json(), "\n".join(lines), 1 if result.status == "failed" else 0)


def _area_text(area: AreaResult) -> str:
    return (
        f"Area of interest: {area.name}, {size_text(area.square_kilometres)}, taken in {crs_text(area.crs)}; "
        "a pixel is inside when its centre is."
    )


def _tell(event: Event) -> None:
    match event:
        case StepStarted(step=number, action=action, thought=thought):
            print(f"{number:3d} {action.kind:6s} {action_name(action)}  {thought}", file=sys.stderr)
        case StepFinished(observation=observation, seconds=seconds) if observation.kind != "information":
            mark = {"result": "=", "refusal": "refused:", "failure": "failed:"}[observation.kind]
            print(f"    {mark} {shorten(observation.text, 300)} ({seconds:.2f} s)", file=sys.stderr)
        case Note(text=text):
            print(f"    {text}", file=sys.stderr)
        case Progress(done=done, total=total, label=label):
            print(f"    {done}/{total} {label}", file=sys.stderr)
        case _:
            pass
