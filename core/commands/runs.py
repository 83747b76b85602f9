"""``treeline runs``: the history; ``treeline resume``: go on with a run that was cut."""

from __future__ import annotations

import argparse
from typing import Any

from treeline.core.commands import COMMANDS, ask
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.lab.recorded import is_bench
from treeline.core.runs.asking import run_manager
from treeline.core.runs.reporting import run_result


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare both commands."""
    add_command(commands, common, "runs", COMMANDS["runs"].summary, run_list)
    parser = add_command(commands, common, "resume", COMMANDS["resume"].summary, run_resume)
    parser.add_argument("run_id", metavar="RUN")


def run_list(options: argparse.Namespace) -> Outcome:
    """List the runs, the newest first; those whose process is gone are interrupted."""
    manager = run_manager()
    manager.recover()
    records = [record for record in manager.store.runs() if not is_bench(record)]
    value = [
        {
            "id": r.id,
            "question": r.question,
            "status": r.status,
            "workspace": r.workspace,
            "created": r.created.isoformat(),
        }
        for r in records
    ]
    text = "\n".join(f"{r.id}  {r.status:12s} {r.created:%Y-%m-%d %H:%M}  {r.question}" for r in records)
    return Outcome(value, text or "There are no runs.")


def run_resume(options: argparse.Namespace) -> Outcome:
    """Go on with the run from its last event, to the end."""
    manager = run_manager()
    manager.recover()
    manager.check_resumable(options.run_id)
    manager.work(options.run_id)
    return ask.outcome_of(run_result(manager.store, options.run_id))
