"""Whether the steps that an answer rests on carry it, whoever gave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treeline.core.engine.actions import Answer
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import State, Step

_MOST = 2


def verified(answer: Answer, state: State) -> Answer:
    """Return an answer as its evidence carries it: unverified where a step that it rests on is in doubt."""
    if answer.status != "answered":
        return answer
    doubts = list(
        dict.fromkeys(doubt for step in grounds_of(answer, state) for doubt in step.observation.doubts)
    )
    if not doubts:
        return answer
    more = f" (and {len(doubts) - _MOST} more of this kind)" if len(doubts) > _MOST else ""
    return replace(answer, unverified=" ".join(doubts[:_MOST]) + more)


def grounds_of(answer: Answer, state: State) -> Sequence[Step]:
    """Return the calls that an answer rests on: those that it cites, and those that wrote what these read.

    An answer that cites nothing rests on every call that gave something.
    """
    calls = [step for step in state.calls if step.observation.succeeded]
    wanted = {step.number for step in calls if step.number in answer.evidence}
    if not wanted:
        return calls
    read: set[str] = {answer.map} if answer.map else set()
    found = []
    for step in reversed(calls):
        wrote = {
            file_name(name) for product in step.observation.products for name in (product.name, product.path)
        }
        handles = {product.handle for product in step.observation.products if product.handle}
        if step.number in wanted or (wrote | handles) & read:
            found.append(step)
            read |= {file_name(text) for text in texts(step.observation.arguments)}
    return found[::-1]
