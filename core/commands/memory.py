"""``treeline memory``: what both memories hold; list, show, export, import, and keep in order."""

from __future__ import annotations

import argparse
from typing import Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.memory.names import MARKS, MEMORIES

OF_BOTH = ("list", "show", "export", "import")
OF_BANK = ("mute", "unmute", "accept", "reject", "delete")


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "memory", COMMANDS["memory"].summary, run)
    actions = dict.fromkeys((*OF_BOTH, *MARKS, *OF_BANK))
    parser.add_argument("action", nargs="?", choices=tuple(actions), default="list")
    parser.add_argument(
        "target", nargs="?", default="", help="an entry's id or an item's key; the file to write or to read"
    )
    parser.add_argument("--memory", choices=MEMORIES, default="", help="one of the memories (default: both)")


def run(options: argparse.Namespace) -> Outcome:
    """List, show, mark, review, export or import what the memories hold."""
    # What knows the memories takes long to import, which the options of the command do without.
    from treeline.core.commands.lessons import work

    return work(options)
