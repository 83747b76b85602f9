"""What a strategy of disclosure is."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from treeline.core.engine.actions import Doc, Observation, Skill, action_name
from treeline.core.engine.state import State
from treeline.core.errors import NotDisclosed
from treeline.toolkit.tree import SkillTree


class Disclosure(Protocol):
    """How tool information reaches the policy of one run, and which tools may therefore be called.

    RS-Claw (arXiv 2605.13391), section III: the tools whose document is in the trajectory are
    the callable set V_k; a call outside it is refused. A strategy decides by what it was given when
    it is made and by the state; the same state gives the same answer.

    Attributes
    ----------
    name : str
    """

    name: str

    @property
    def tree(self) -> SkillTree:
        """The uppermost branches, each with all tools below it."""
        ...

    def context(self) -> dict[str, str]:
        """Return what is said of the tools before the first action: parts ``tree`` and ``documents``."""
        ...

    def answer(self, action: Skill | Doc, state: State) -> Observation:
        """Return the information that an action asks for, or a refusal."""
        ...

    def callable_set(self, state: State) -> frozenset[str]:
        """Return the names of the tools that may be called in a state."""
        ...

    def way_to(self, tool: str, opened: Collection[str] = ()) -> tuple[Skill | Doc, ...]:
        """Return what is still to be opened before a tool may be called.

        Parameters
        ----------
        opened : collection of str
            Names of the branches opened and of the tools whose document was read.
        """
        ...

    def refusal(self, tool: str) -> NotDisclosed:
        """Return why a tool outside the callable set was not called, and what would do."""
        ...


def opened_names(state: State) -> frozenset[str]:
    """Return the names of the branches opened and of the documents read in a state."""
    return frozenset(
        action_name(step.action)
        for step in state.steps
        if isinstance(step.action, Skill | Doc) and step.observation.is_success
    )
