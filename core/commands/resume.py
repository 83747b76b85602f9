"""``treeline resume``: continue a run that was interrupted, or that used up its budget."""

from __future__ import annotations

import argparse
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.policies.names import PERSON
from treeline.core.runs.names import OFF


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "resume", COMMANDS["resume"].summary, run)
    parser.add_argument("run_id", metavar="RUN")
    for limit, kind in (("steps", int), ("tokens", int), ("money", float)):
        told = f"so many more {limit}" if limit != "money" else "so much more money"
        parser.add_argument(f"--{limit}", type=kind, help=f"{told} than it was asked with")


def run(options: argparse.Namespace) -> Outcome:
    """Go on with the run from its last event, to the end."""
    # These take most of a second, which the options of the command do without.
    from treeline.core.commands.answering import outcome_of
    from treeline.core.commands.person import attend_from_terminal
    from treeline.core.runs.asking import run_manager, work_to_end
    from treeline.core.runs.reporting import run_result

    manager = run_manager()
    manager.recover()
    record = manager.check_resumable(options.run_id)
    given = {name: getattr(options, name) for name in ("steps", "tokens", "money")}
    more = {name: amount for name, amount in given.items() if amount is not None}
    if more:
        manager.raise_budget(options.run_id, more)
    attended = record.options.get("policy") == PERSON or record.options.get("approve", OFF) != OFF
    work_to_end(manager, options.run_id, attend=attend_from_terminal if attended else None)
    return outcome_of(run_result(manager.store, options.run_id))
