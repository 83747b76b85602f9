"""Whether the steps that an answer rests on carry it, whoever gave it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from treeline.core.engine.actions import Answer, Observation
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import State, Step

_MOST = 2
_EMPTY = re.compile(r"No pixel of (\S+) is valid: ")


def verified(answer: Answer, state: State) -> Answer:
    """Return an answer as its evidence carries it: unverified where a step that it rests on is in doubt."""
    if answer.status != "answered":
        return answer
    grounds = grounds_of(answer, state)
    doubts = list(dict.fromkeys(doubt for step in grounds for doubt in step.observation.doubts))
    doubts += empty_map(answer.map, (step.observation for step in grounds))
    if not doubts:
        return answer
    more = f" (and {len(doubts) - _MOST} more of this kind)" if len(doubts) > _MOST else ""
    return replace(answer, unverified=" ".join(doubts[:_MOST]) + more)


def empty_map(name: str, observations: Iterable[Observation]) -> list[str]:
    """Return why a map shows nothing, in sentences; empty where it, or one made with it, shows something."""
    known = list(observations)
    for observation in known:
        products = [product for product in observation.products if product.kind == "raster"]
        shown = any(name in (product.name, product.path) for product in products)
        if shown and all(product.valid_share == 0.0 for product in products):
            return _traced(f"No pixel of {name} is valid.", [w for o in known for w in o.warnings])
    return []


def _traced(said: str, warnings: Sequence[str]) -> list[str]:
    """Return why a raster is empty, and why those are empty that it was made from."""
    reasons = {match[1]: text for text in warnings if (match := _EMPTY.match(text))}
    told: list[str] = []
    while said:
        own = next((text for name, text in reasons.items() if name in said and text not in told), "")
        told += [own] if own else []
        said = own
    return told or ["The map shows no valid pixel."]


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
