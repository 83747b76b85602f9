"""The work of ``treeline ask``: a run from its options to what is printed of it."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from treeline.core.commands.model import chosen_endpoint
from treeline.core.commands.outcome import Outcome
from treeline.core.commands.person import attend_from_terminal
from treeline.core.commands.run_options import question_and_data, run_options_of
from treeline.core.engine.actions import action_name
from treeline.core.engine.budget import Budget
from treeline.core.engine.events import Event, Note, Progress, StepFinished, StepStarted
from treeline.core.engine.observations import shorten
from treeline.core.lab.dry_run import foresee
from treeline.core.policies.names import PERSON
from treeline.core.query.examples import others
from treeline.core.runs.asking import ask, run_manager, workspace_over
from treeline.core.runs.names import OFF
from treeline.core.runs.result import NUMBERS, AreaResult, RunResult
from treeline.core.runs.usage import count_tokens_used
from treeline.core.workspace.area import crs_text
from treeline.toolkit.interest import size_text

_MOST_OFFERED = 4


def answer(options: argparse.Namespace) -> Outcome:
    """Work on the question to the end and report."""
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
        attend=attend_from_terminal if attended else None,
        approve=options.approve,
        choices=tuple(options.choice),
        budget=Budget(options.steps, options.tokens, options.seconds, options.money),
        out=options.out or "",
        memory=options.memory or "off",
        reading=options.reading,
        after=options.after,
        aoi=options.aoi,
        **run_options_of(options),
    )
    outcome = outcome_of(result)
    if result.status == "declined" and not result.readings and not result.faults:
        outcome = _offer(outcome, others(workspace_over(manager, data).collections, question, _MOST_OFFERED))
    if endpoint is None or not endpoint.settings.has_prices:
        return outcome
    used = count_tokens_used(manager.store, result.run)
    cost = endpoint.settings.cost_of(used.input, used.cached, used.output)
    return replace(outcome, value={**outcome.value, "cost": cost}, text=f"{outcome.text}\nCost: {cost:.4g}")


def _offer(outcome: Outcome, questions: list[str]) -> Outcome:
    """Return an outcome with what can be asked instead, as the pages offer it."""
    lines = ["Such as:", *(f"  {text}" for text in questions)]
    text = "\n".join([outcome.text, *lines])
    return replace(outcome, value={**outcome.value, "suggestions": questions}, text=text)


def outcome_of(result: RunResult) -> Outcome:
    """Return what is printed of a run that has ended."""
    text = result.reason if result.answer is None else result.answer
    if result.chosen_option:
        text = f"{result.chosen_option}: {text}"
    lines = [f"Read as: {result.read_as}"] if result.read_as else []
    if result.area_of_interest is not None:
        lines.append(_area_text(result.area_of_interest))
    lines += [text, *(f"--reading {each.number}: {each.read_as}" for each in result.readings)]
    if result.status == "unverified":
        lines.append(f"Unverified: {result.reason}")
    lines += result.beside
    lines += [NUMBERS, *(f"  {each.line}" for each in result.sources)] if result.sources else []
    lines.append(_run_text(result))
    # What could not be answered because of a fault of ours is not declined for what was asked.
    failed = result.status == "failed" or (result.status == "declined" and bool(result.faults))
    return Outcome(result.to_json(), "\n".join(lines), int(failed))


def _run_text(result: RunResult) -> str:
    """Return the name of a run, which other commands take, and how one that can go on does so."""
    on = f"treeline resume {result.run}"
    told = {
        "stopped": f" ({on} goes on)",
        "failed": f" ({on} goes on; --steps, --tokens or --money give more of what is used up)",
    }
    return f"Run: {result.run}{told.get(result.status or '', '')}"


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
