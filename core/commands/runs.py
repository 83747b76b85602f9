"""``treeline runs``: the history."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
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
    value = [
        {
            "id": r.id,
            "question": r.question,
            "choices": list(r.options.get("choices", ())),
            "status": r.status,
            "workspace": r.workspace,
            "created": r.created.isoformat(),
        }
        for r in store.runs()
        if not is_bench(r)
    ]
    return Outcome(value, "\n".join(map(_line, value)) or "There are no runs.")


def _line(run: Mapping[str, Any]) -> str:
    """Return a run in one line, with the options that its question was asked with."""
    from treeline.core.runs.question_options import list_options

    asked = " ".join([*run["question"].split(), list_options(run["choices"])]).rstrip()
    return f"{run['id']}  {run['status']:12s} {run['created'][:16].replace('T', ' ')}  {asked}"
