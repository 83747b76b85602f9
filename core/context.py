"""A context that does not grow: older steps are told in short when it passes a limit.

The documents that were read stay whole, because they are what makes their tools callable; so do
the newest steps. What comes before the steps never changes during a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.actions import Doc, Skill
from core.state import Step

STEPS_LIMIT = 2_000
"""Tokens of steps told whole, documents aside."""

STEPS_KEPT_WHOLE = 4
# Each fold changes the prompt behind the question, where an endpoint's cache then ends: seldom is cheaper.
_FEWEST_FOLDED = 4


def is_document(step: Step) -> bool:
    """Return whether a step made a tool callable."""
    if not isinstance(step.action, Skill | Doc) or not step.observation.succeeded:
        return False
    return isinstance(step.action, Doc) or bool((step.observation.value or {}).get("given"))


def is_served(step: Step, later: Sequence[Step]) -> bool:
    """Return whether a listing has done its work: a document of one of its tools was read since."""
    value = step.observation.value
    if not isinstance(step.action, Skill) or not isinstance(value, dict) or value.get("given"):
        return False
    return any(
        isinstance(other.action, Doc) and other.action.tool in value.get("tools", ()) for other in later
    )


def folded_at(
    steps: Sequence[Step],
    cost_of: Callable[[Step], int],
    limit: int = STEPS_LIMIT,
) -> int:
    """Return how many of the oldest steps are told in short after some steps.

    The same steps give the same number, so the context of any turn follows from the record.

    Parameters
    ----------
    cost_of : callable
        Tokens of a whole step.
    limit : int
        In tokens.
    """
    costs = [0 if is_document(step) else cost_of(step) for step in steps]
    folded = 0
    for count in range(1, len(steps) + 1):
        foldable = count - STEPS_KEPT_WHOLE - folded
        if sum(costs[folded:count]) > limit and foldable >= _FEWEST_FOLDED:
            folded = count - STEPS_KEPT_WHOLE
    return folded


def fold_further(steps: int, folded: int) -> int | None:
    """Return how many of the oldest steps to fold when an endpoint takes no more; ``None`` if all are."""
    for kept in (STEPS_KEPT_WHOLE, 1):
        if steps - kept > folded:
            return steps - kept
    return None
