"""Where the workspaces of the home lie; light, for commands that work on no question."""

from __future__ import annotations

from pathlib import Path

from treeline.core.home import home
from treeline.core.workspace import Workspace
from treeline.core.workspace.library import WorkspaceLibrary


def workspace_of(name: str) -> Workspace:
    """Return the workspace of a name below the home, with the folders that are linked to it on the pages."""
    library = WorkspaceLibrary(home() / "workspaces")
    linked = (Path(source) for source in library.settings(name).sources)
    return Workspace(library.folder / name, [path for path in linked if path.exists()])
