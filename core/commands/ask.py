"""``treeline ask``: answer a question on rasters."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.actions import Call, action_name
from core.budget import Budget
from core.commands.outcome import Outcome, add_command
from core.commands.services import COMMAND_LINE, run_manager
from core.disclosure import STRATEGIES
from core.events import Event, Progress, RunFinished, StepFinished, StepStarted
from core.observations import shorten
from core.policies import POLICIES
from core.runs import RunManager, RunOptions
from core.state import Step, state_of
from core.workspace import Workspace
from toolkit.errors import InputError


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "ask", "answer a question on rasters", run)
    parser.add_argument("question")
    parser.add_argument(
        "--data", nargs="+", action="extend", required=True, metavar="PATH", help="GeoTIFFs or folders"
    )
    parser.add_argument(
        "--choice", action="append", default=[], metavar="TEXT", help="an option to choose from"
    )
    parser.add_argument("--policy", choices=sorted(POLICIES), default="planner")
    parser.add_argument("--disclosure", choices=sorted(STRATEGIES), default="progressive")
    parser.add_argument("--profile", choices=("science", "earth_bench"), default="science")
    parser.add_argument("--steps", type=int, default=Budget().steps, help="most steps")
    parser.add_argument("--seconds", type=float, default=Budget().seconds, help="most seconds")
    parser.add_argument("--out", metavar="DIR", help="where products go")


def run(options: argparse.Namespace) -> Outcome:
    """Work on the question to the end and report."""
    for path in options.data:
        if not Path(path).exists():
            raise InputError(f"There is nothing at {path!r}.", "Give a folder or a GeoTIFF that exists.")
    manager = run_manager()
    settings = RunOptions(
        policy=options.policy,
        disclosure=options.disclosure,
        profile=options.profile,
        choices=tuple(options.choice),
        budget=Budget(steps=options.steps, seconds=options.seconds),
        data=tuple(str(Path(path).resolve()) for path in options.data),
        out=str(Path(options.out).resolve()) if options.out else "",
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
    state = state_of(stored.event for stored in manager.store.events(run_id))
    data = manager.data(run_id)
    answer = finished.answer
    value = {
        "run": run_id,
        "answer": answer.text if answer else None,
        "value": answer.value if answer else None,
        "unit": answer.unit if answer else "",
        "choice": answer.choice if answer else None,
        "status": finished.status,
        "reason": finished.reason,
        "steps": [step_as_json(step) for step in state.steps],
        "tokens": {"input": state.tokens.input, "output": state.tokens.output},
        "products": [product.path for product in data.products],
        "problems": data.workspace.problems,
    }
    text = answer.text if answer else finished.reason
    if answer and answer.choice:
        text = f"{answer.choice}: {text}"
    return Outcome(value, text, 1 if finished.status == "failed" else 0)


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
        case Progress(done=done, total=total, label=label):
            print(f"    {done}/{total} {label}", file=sys.stderr)
        case _:
            pass
