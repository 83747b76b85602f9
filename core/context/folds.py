"""A context that does not grow: older steps are told in short once that saves enough.

Three things are never lost: what came before the first step, the documents of the tools that may be
called, and the newest steps. Between two folds nothing but the end changes, so that an endpoint's
cache holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from treeline.core.engine.actions import Doc, Skill
from treeline.core.engine.state import Step

FOLD_SAVES = 150
"""Tokens that a fold must take out of the context to be worth what it costs an endpoint's cache."""

STEPS_KEPT_WHOLE = 2


def is_document(step: Step) -> bool:
    """Return whether a step made a tool callable."""
    if not isinstance(step.action, Skill | Doc) or not step.observation.succeeded:
        return False
    return isinstance(step.action, Doc) or bool((step.observation.value or {}).get("given"))


def is_listing(step: Step) -> bool:
    """Return whether a step told what a branch holds, and nothing besides."""
    return isinstance(step.action, Skill) and step.observation.succeeded and not is_document(step)


def is_served(step: Step, later: Sequence[Step]) -> bool:
    """Return whether a listing has done its work: a document of one of its tools was read since."""
    if not is_listing(step):
        return False
    tools = (step.observation.value or {}).get("tools", ())
    return any(isinstance(other.action, Doc) and other.action.tool in tools for other in later)


def folds(
    steps: Sequence[Step],
    saving_of: Callable[[Step, Sequence[Step]], int],
    worth: int = FOLD_SAVES,
) -> Iterator[int]:
    """Yield how many of the oldest steps are told in short before the first step and after each.

    The same steps give the same numbers, so the context of any turn follows from the record.

    Parameters
    ----------
    saving_of : callable
        Tokens that a step costs less when it is told in short, by the step and those after it.
    worth : int
        In tokens.
    """
    folded = 0
    yield folded
    for count in range(1, len(steps) + 1):
        newest = max(folded, count - STEPS_KEPT_WHOLE)
        saved = sum(saving_of(steps[i], steps[i + 1 : count]) for i in range(folded, newest))
        if saved >= worth:
            folded = newest
        yield folded


def fold_further(steps: int, folded: int) -> int | None:
    """Return how many of the oldest steps to fold when an endpoint takes no more; ``None`` if all are."""
    for kept in (STEPS_KEPT_WHOLE, 1):
        if steps - kept > folded:
            return steps - kept
    return None
