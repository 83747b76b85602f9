"""The store, the workspaces and the run manager, as commands use them."""

from __future__ import annotations

from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.settings import home, store_url
from treeline.core.workspace import Workspace

COMMAND_LINE = "command-line"


def workspace_of(name: str) -> Workspace:
    """Return the workspace of a name below the home."""
    return Workspace(home() / "workspaces" / name)


def run_manager() -> RunManager:
    """Return a run manager over the store of the settings."""
    return RunManager(Store(store_url()), workspace_of)
