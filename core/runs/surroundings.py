"""What runs work in: real rasters, or something that stands for them."""

from __future__ import annotations

from dataclasses import dataclass

from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData
from treeline.core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The kinds of workspace, data and environment that a run manager gives its runs.

    Attributes
    ----------
    apart : bool
        Members of a team may work in processes of their own.
    """

    workspace: type[Workspace] = Workspace
    data: type[RunData] = RunData
    environment: type[Environment] = Environment
    apart: bool = True
