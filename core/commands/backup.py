"""``treeline backup``: the home as one archive; ``treeline restore``: a home from it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.home import home, store_url
from treeline.core.runs.backup import RECORD, back_up, restore
from treeline.toolkit.errors import InputError


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare both commands."""
    for name, run in (("backup", run_backup), ("restore", run_restore)):
        parser = add_command(commands, common, name, COMMANDS[name].summary, run)
        parser.add_argument("path", metavar="PATH")


def run_backup(options: argparse.Namespace) -> Outcome:
    """Write the archive.

    Raises
    ------
    InputError
        The record is not in the home.
    """
    if store_url() != str(home() / RECORD):
        raise InputError(
            "TREELINE_STORE names a record that is not the home's own, which the archive would be of.",
            "Save a PostgreSQL record by pg_dump, and the home by a copy.",
        )
    path = Path(options.path).resolve()
    count = back_up(home(), path)
    return Outcome({"path": str(path), "files": count}, f"{path}: {count} files.")


def run_restore(options: argparse.Namespace) -> Outcome:
    """Put the home back."""
    path = Path(options.path).resolve()
    count = restore(path, home())
    return Outcome({"path": str(path), "files": count}, f"{home()}: {count} files.")
