"""How a person does in a lesson: what was chosen at each step, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FULL, HALF = 1.0, 0.5
"""A decision: a step is worth one point at the first try, half with a hint or at the second, else nothing."""


@dataclass
class Attempt:
    """What was tried at one step.

    Attributes
    ----------
    tried : list of int
        The choices by their place, in the order in which they were tried.
    hinted : bool
    right : bool
        Whether the last one was what the run did.
    shown : bool
        The step was shown without an answer.
    """

    tried: list[int] = field(default_factory=list)
    hinted: bool = False
    right: bool = False
    shown: bool = False

    @property
    def done(self) -> bool:
        """Whether the step may be shown."""
        return self.right or self.shown

    @property
    def points(self) -> float:
        """What the step brought."""
        if not self.right:
            return 0.0
        lost = (len(self.tried) - 1) + self.hinted
        return {0: FULL, 1: HALF}.get(lost, 0.0)


def points_of(attempts: Mapping[int, Attempt]) -> float:
    """Return the points of a lesson."""
    return sum(attempt.points for attempt in attempts.values())
