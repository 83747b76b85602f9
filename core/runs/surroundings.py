"""What runs work in: real rasters, or something that stands for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData
from treeline.core.workspace import Workspace
from treeline.toolkit import SkillTree, registry


def whole_tree() -> SkillTree:
    """Return the tree of all tools."""
    return SkillTree.of(registry())


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The kinds of workspace, data and environment that a run manager gives its runs.

    Attributes
    ----------
    apart : bool
        Members of a team may work in processes of their own.
    tree : callable
        Returns the tools that the runs may be shown; by default all of the registry.
    """

    workspace: type[Workspace] = Workspace
    data: type[RunData] = RunData
    environment: type[Environment] = Environment
    apart: bool = True
    tree: Callable[[], SkillTree] = whole_tree
