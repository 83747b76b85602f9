"""``treeline explain``: how a question is read and what would be called; nothing is run."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.area import add_area
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.commands.run_options import add_question, question_and_data

if TYPE_CHECKING:
    from treeline.core.lab.dry_run import Explanation
    from treeline.core.runs.manager import RunManager
    from treeline.core.workspace import Workspace
    from treeline.toolkit.interest import AreaOfInterest

_LONGEST = 100


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "explain", COMMANDS["explain"].summary, run)
    add_question(parser)
    add_area(parser)
    parser.add_argument("--after", default="", metavar="RUN", help="the run whose question this one follows")


def run(options: argparse.Namespace) -> Outcome:
    """Read the question, plan its calls and report."""
    # These take most of a second, which the options of the command do without.
    from treeline.core.engine.journal import expression_of
    from treeline.core.lab.dry_run import explain
    from treeline.core.policies.reading_choice import HowToRead
    from treeline.core.runs.asking import run_manager, workspace_over
    from treeline.core.runs.question_options import split_options

    manager = run_manager()
    former = expression_of(manager.store, manager.record(options.after).id) if options.after else None
    question, data = question_and_data(options)
    workspace = workspace_over(manager, data)
    area = _area(options, workspace, manager)
    explanation = explain(split_options(question)[0], workspace, HowToRead(former=former), area)
    return Outcome(explanation.to_json(), text_of(explanation))


def _area(options: argparse.Namespace, workspace: Workspace, manager: RunManager) -> AreaOfInterest | None:
    """Return the area that is given, or that of the run that is followed."""
    from treeline.core.runs.asking import area_option
    from treeline.core.runs.options import RunOptions
    from treeline.toolkit.interest import AreaOfInterest

    given = area_option(options.aoi, workspace)
    if given is None and options.after:
        given = RunOptions.from_json(manager.record(options.after).options).aoi
    return AreaOfInterest.from_json(given) if given else None


def text_of(explanation: Explanation) -> str:
    """Return an explanation for people: the words, what is read, the calls."""
    reading = explanation.reading
    width = max((len(text) for text, _, _ in reading.words), default=0)
    lines = ["Words:", *(f"  {text:{width}}  {entry}" for text, entry, _ in reading.words)]
    if reading.uncovered:
        lines.append("Not understood: " + ", ".join(reading.uncovered))
    lines += _list_lines("Read as:" if len(explanation.readings) == 1 else "Readings:", explanation.readings)
    lines += _list_lines("I can answer:", explanation.offers)
    if explanation.plan:
        lines += ["Plan:"] + [
            f"  {number}. {call.tool} {_shorten(call.arguments)}"
            for number, call in enumerate(explanation.plan, start=1)
        ]
    return "\n".join([*lines, *explanation.notes])


def _list_lines(title: str, said: tuple[tuple[str, dict[str, Any]], ...]) -> list[str]:
    if not said:
        return []
    return [title, *(f"  {number}. {words}" for number, (words, _) in enumerate(said, start=1))]


def _shorten(arguments: dict[str, Any]) -> str:
    text = json.dumps(arguments, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2]} …"
