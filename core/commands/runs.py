"""``treeline runs``: the history."""

from __future__ import annotations

import argparse
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.home import store_url


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    add_command(commands, common, "runs", COMMANDS["runs"].summary, run)


def run(options: argparse.Namespace) -> Outcome:
    """List the runs, the newest first; those whose process is gone are interrupted."""
    # What reads the record takes half a second, which the options of the command do without.
    from treeline.core.lab.bench_marks import is_bench
    from treeline.core.record.leases import mark_interrupted
    from treeline.core.record.store import Store

    store = Store(store_url())
    mark_interrupted(store)
    records = [record for record in store.runs() if not is_bench(record)]
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
