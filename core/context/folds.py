"""A context that is appended to until half of the window is used; then older steps are shortened.

Of a listing that has served, and of one behind which two more were asked for, the briefs go at once.

Three things are never lost: what came before the first step, the documents of the tools that may be
called, and the newest steps. Between two folds nothing but the end changes, so that an endpoint's
cache holds; a fold makes so much room that the next one is far away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from treeline.core.engine.actions import Doc, Skill
from treeline.core.engine.state import Step

WINDOW = 16_384
"""Tokens that a model's context is taken to hold where neither a person nor a refusal says so."""

# What the model is about to build on: the call that it reads and the one that led there.
STEPS_KEPT_WHOLE = 2
LISTINGS_KEPT_WHOLE = 2
# Shares of the window: above the first older steps are folded until the second is reached; a fold that saves
# less than the third is not worth what it costs an endpoint's cache, unless the fourth is used.
_FULL, _ROOMY, _WORTH, _PRESSED = 1 / 2, 1 / 4, 1 / 16, 4 / 5


@dataclass(frozen=True, slots=True)
class Size:
    """Tokens of a step: whole, and shortened."""

    whole: int
    short: int


def is_document(step: Step) -> bool:
    """Return whether a step made a tool callable."""
    if not isinstance(step.action, Skill | Doc) or not step.observation.is_success:
        return False
    return isinstance(step.action, Doc) or bool((step.observation.value or {}).get("given"))


def is_listing(step: Step) -> bool:
    """Return whether a step told what a branch holds, and nothing besides."""
    return isinstance(step.action, Skill) and step.observation.is_success and not is_document(step)


def is_served(step: Step, later: Sequence[Step]) -> bool:
    """Return whether a listing has done its work: a document was read since, or two more listings.

    Its briefs go then, the one change before a fold: it comes right after the listings, where an endpoint's
    cache has hardly begun to hold them, and nothing that was found is lost. The names stay.
    """
    value = step.observation.value or {}
    if not is_listing(step) or not (value.get("tools") or value.get("parts")):
        return False
    read = any(isinstance(other.action, Doc) and is_document(other) for other in later)
    return read or sum(map(is_listing, later)) >= LISTINGS_KEPT_WHOLE


def folds(sizes: Sequence[Size], beginning: int = 0, window: int = WINDOW) -> Iterator[int]:
    """Yield how many of the oldest steps are shortened before the first step and after each.

    The same steps give the same numbers, so the context of any turn follows from the record.

    Parameters
    ----------
    beginning : int
        Tokens of what stands before the first step.
    """
    whole = [0, *accumulate(size.whole for size in sizes)]
    short = [0, *accumulate(size.short for size in sizes)]
    folded = 0
    yield folded
    for count in range(1, len(sizes) + 1):

        def count_tokens(first: int, count: int = count) -> int:
            return beginning + short[first] + whole[count] - whole[first]

        now = count_tokens(folded)
        if now > _FULL * window:
            # What was folded stays folded: unfolding would change the beginning, and with it what an endpoint
            # has cached.
            newest = range(folded, max(folded, count - STEPS_KEPT_WHOLE) + 1)
            first = next((n for n in newest if count_tokens(n) <= _ROOMY * window), newest[-1])
            if now - count_tokens(first) >= _WORTH * window or now > _PRESSED * window:
                folded = first
        yield folded


def fold_further(steps: int, folded: int) -> int | None:
    """Return how many of the oldest steps to fold when an endpoint takes no more; ``None`` if all are."""
    for kept in (STEPS_KEPT_WHOLE, 1):
        if steps - kept > folded:
            return steps - kept
    return None
