"""``treeline export``: a run as a file; ``treeline import``: a bundle or a lesson into the record."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from treeline import __version__
from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.home import home
from treeline.core.runs.names import COMMAND_LINE, EXPORTS


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare both commands."""
    parser = add_command(commands, common, "export", COMMANDS["export"].summary, run_export)
    parser.add_argument("run_id", metavar="RUN")
    parser.add_argument("--as", dest="kind", choices=EXPORTS, required=True, help="what to write")
    parser.add_argument("--out", required=True, metavar="PATH", help="the file")
    parser = add_command(commands, common, "import", COMMANDS["import"].summary, run_import)
    parser.add_argument("path", metavar="PATH")
    parser.add_argument(
        "--workspace",
        default=COMMAND_LINE,
        metavar="NAME",
        help="where a bundle's run goes (default: the command line's); a lesson gets one of its own",
    )


def run_export(options: argparse.Namespace) -> Outcome:
    """Write the run as a file."""
    # These take most of a second, which the options of the command do without.
    from treeline.core.runs.asking import run_manager
    from treeline.core.runs.exports.forms import write_export

    target = Path(options.out).resolve()
    write_export(run_manager(), options.run_id, options.kind, target, __version__)
    return Outcome({"path": str(target)}, str(target))


def run_import(options: argparse.Namespace) -> Outcome:
    """Check the bundle or the lesson and record its run."""
    from treeline.core.runs.asking import run_manager
    from treeline.core.runs.exports.bundle import open_bundle
    from treeline.core.runs.exports.lesson import is_lesson, open_lesson
    from treeline.core.workspace.library import WorkspaceLibrary

    path = Path(options.path).resolve()
    manager = run_manager()
    if is_lesson(path):
        run = open_lesson(manager, WorkspaceLibrary(home() / "workspaces"), path)
    else:
        run = open_bundle(manager, path, options.workspace)
    return Outcome({"path": str(path), "run": run}, f"The run {run} is in the record.")
