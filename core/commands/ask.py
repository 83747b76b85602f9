"""``treeline ask``: answer a question on rasters."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.commands.services import COMMAND_LINE, run_manager
from treeline.core.commands.working import add_working, working
from treeline.core.context.cards import told_card
from treeline.core.context.ledger import ledger_of
from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import Event, Note, Progress, RunFinished, StepFinished, StepStarted
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.engine.observations import shorten
from treeline.core.engine.state import Step
from treeline.core.memory.entries import SCOPES
from treeline.core.memory.learning import Judgement
from treeline.core.memory.rounds import Round, rounds_of, shown_run
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.runs.usage import used_tokens
from treeline.core.teams.report import team_report, variant_costs
from treeline.core.workspace import Workspace
from treeline.toolkit.errors import InputError


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "ask", COMMANDS["ask"].summary, run)
    parser.add_argument("question")
    parser.add_argument(
        "--data", nargs="+", action="extend", required=True, metavar="PATH", help="GeoTIFFs or folders"
    )
    parser.add_argument(
        "--choice", action="append", default=[], metavar="TEXT", help="an option to choose from"
    )
    add_working(parser, "science")
    parser.add_argument("--steps", type=int, default=Budget().steps, help="most steps")
    parser.add_argument("--seconds", type=float, default=Budget().seconds, help="most seconds")
    parser.add_argument(
        "--memory", choices=SCOPES, help="whose failures are told (default: own with rounds, else off)"
    )
    parser.add_argument("--out", metavar="DIR", help="where products go")


def run(options: argparse.Namespace) -> Outcome:
    """Work on the question to the end and report."""
    for path in options.data:
        if not Path(path).exists():
            raise InputError(f"There is nothing at {path!r}.", "Give a folder or a GeoTIFF that exists.")
    manager = run_manager()
    settings = RunOptions(
        choices=tuple(options.choice),
        budget=Budget(steps=options.steps, seconds=options.seconds),
        data=tuple(str(Path(path).resolve()) for path in options.data),
        out=str(Path(options.out).resolve()) if options.out else "",
        memory=options.memory or ("own" if options.rounds > 1 else "off"),
        **working(options),
    )
    manager.on_event = None if options.json else _tell
    _require_rasters(manager.workspace(COMMAND_LINE, settings.data))
    run_id = manager.create(COMMAND_LINE, options.question, settings)
    finished = manager.work(run_id)
    return report(manager, run_id, finished)


def _require_rasters(workspace: Workspace) -> None:
    """Refuse data without one usable raster; what is wrong with each file is said."""
    if workspace.rasters:
        return
    if workspace.problems:
        raise InputError(" ".join(list(workspace.problems.values())[:3]))
    raise InputError("There is no raster in the data.", "Give GeoTIFF, PNG or JPEG files.")


def report(manager: RunManager, run_id: str, finished: RunFinished) -> Outcome:
    """Return what ``ask`` prints of a run that has ended."""
    rounds = rounds_of(manager.store, run_id)
    shown = shown_run(manager.store, run_id)
    state = recorded_state(manager.store, shown)
    data = manager.data(shown)
    answer = finished.answer
    tokens = used_tokens(manager.store, run_id)
    value = {
        "run": run_id,
        "answer": answer.text if answer else None,
        "value": answer.value if answer else None,
        "unit": answer.unit if answer else "",
        "choice": answer.choice if answer else None,
        "status": finished.status,
        "reason": finished.reason,
        "steps": [step_as_json(step) for step in state.steps],
        "tokens": {"input": tokens.input, "output": tokens.output},
        "ledger": ledger_of(state).as_json(),
        "products": [product.path for product in data.products],
        "problems": data.workspace.problems,
        "card": _card(manager, shown),
    }
    if team := team_report(manager.store, shown):
        value |= team
        value["ledger"] = {**ledger_of(state).as_json(), "variants": variant_costs(manager.store, shown)}
    if rounds:
        value["rounds"] = [_round_as_json(manager, each) for each in rounds]
    text = answer.text if answer else finished.reason
    if answer and answer.choice:
        text = f"{answer.choice}: {text}"
    return Outcome(value, text, 1 if finished.status == "failed" else 0)


def _round_as_json(manager: RunManager, each: Round) -> dict[str, Any]:
    steps = recorded_state(manager.store, each.run).steps
    judgement = each.judgement or Judgement()
    answer = each.finished.answer if each.finished else None
    return {
        "run": each.run,
        "steps": [step_as_json(step) for step in steps],
        "answer": answer.text if answer else None,
        "status": each.finished.status if each.finished else "interrupted",
        "issue": judgement.issue or None,
        "signs": [issue["sign"] for issue in judgement.issues],
        "reflection": judgement.reflection or None,
        "reflection_tokens": judgement.tokens,
    }


def _card(manager: RunManager, run: str) -> dict[str, Any] | None:
    """Return the task card that a run was told, with the parts of its score."""
    notes = [stored.event for stored in events_of(manager.store, run) if isinstance(stored.event, Note)]
    return next((card for note in notes if (card := told_card(note))), None)


def step_as_json(step: Step) -> dict[str, Any]:
    """Return a step as the command line prints it."""
    arguments = asdict(step.action) if not isinstance(step.action, Call) else step.action.arguments
    observation = step.observation
    return {
        "action": step.action.kind,
        "name": action_name(step.action),
        "arguments": {key: value for key, value in arguments.items() if key != "kind"},
        "thought": step.thought,
        "observation": {
            "kind": observation.kind,
            "text": observation.text,
            "hint": observation.hint,
            "value": observation.value,
            "warnings": list(observation.warnings),
        },
        "seconds": round(step.seconds, 4),
    }


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
