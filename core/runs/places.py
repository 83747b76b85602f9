"""Where the workspaces of the home lie; light, for commands that work on no question."""

from __future__ import annotations

from treeline.core.settings import home
from treeline.core.workspace import Workspace

COMMAND_LINE = "command-line"
"""The workspace of what is asked and corrected on the command line."""


def workspace_of(name: str) -> Workspace:
    """Return the workspace of a name below the home."""
    return Workspace(home() / "workspaces" / name)
