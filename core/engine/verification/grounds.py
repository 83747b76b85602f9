"""What an answer rests on: the steps that it cites and those whose results these took, and its map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from treeline.core.engine.actions import Answer, Observation
from treeline.core.engine.calls import file_name, texts
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.reckoning import Reckoning, reckoning_of

_EMPTY = re.compile(r"No pixel of (\S+) is valid: ")


def grounds_of(answer: Answer, state: State, reckoning: Reckoning | None = None) -> Sequence[Step]:
    """Return the calls that an answer rests on: those that it cites, and those whose results these took.

    What was calculated of these results alone belongs to them: a model cites what it measured, and not each
    difference of it. An answer that cites nothing rests on every call that gave something.
    """
    calls = [step for step in state.calls if step.observation.is_success]
    wanted = {step.number for step in calls if step.number in answer.evidence}
    if not wanted:
        return calls
    reckoning = reckoning or reckoning_of(state)
    sources = reckoning.sources
    read: set[str] = {answer.map} if answer.map else set()
    found = []
    for step in reversed(calls):
        wrote = {
            file_name(name) for product in step.observation.products for name in (product.name, product.path)
        }
        handles = {product.handle for product in step.observation.products if product.handle}
        if step.number in wanted or (wrote | handles) & read:
            found.append(step)
            wanted |= sources.get(step.number, frozenset())
            read |= {file_name(text) for text in texts(step.observation.arguments)}
    own = {step.number for step in found}
    for step in calls:
        taken = sources.get(step.number)
        if taken and taken <= own and step.number not in own | reckoning.unfounded.keys():
            found.append(step)
            own.add(step.number)
    return sorted(found, key=lambda step: step.number)


def missing_citations(answer: Answer, state: State) -> tuple[int, ...]:
    """Return the numbers among an answer's citations that name no step."""
    known = {step.number for step in state.steps}
    return tuple(number for number in answer.evidence if number not in known)


def without_lost_citations(answer: Answer, state: State) -> Answer:
    """Return an answer without the citations that name no step."""
    lost = missing_citations(answer, state)
    return replace(answer, evidence=tuple(n for n in answer.evidence if n not in lost)) if lost else answer


def citation_remark(answer: Answer, state: State) -> str:
    """Return which citations of an answer name no step, in a sentence; empty where all name one."""
    lost = missing_citations(answer, state)
    if not lost:
        return ""
    several = len(lost) > 1
    numbers = " and ".join(", ".join(map(str, lost)).rsplit(", ", 1))
    exists = "do not exist" if several else "does not exist"
    return f"The answer cites step{'s' * several} {numbers}, which {exists}: left out."


def empty_map(name: str, observations: Iterable[Observation]) -> list[str]:
    """Return why a map shows nothing, in sentences; empty where it, or one made with it, shows something."""
    known = list(observations)
    for observation in known:
        products = [product for product in observation.products if product.kind == "raster"]
        shown = any(name in (product.name, product.path) for product in products)
        if shown and all(product.valid_share == 0.0 for product in products):
            return _trace_empty(f"No pixel of {name} is valid.", [w for o in known for w in o.warnings])
    return []


def are_the_same_map(one: str, other: str, observations: Iterable[Observation]) -> bool:
    """Return whether two rasters hold the same numbers: as many valid pixels, the same ends and mean.

    Masks are told apart by where they are true, which none of these tells.
    """
    products = [product for observation in observations for product in observation.products]
    facts = [
        {
            (p.role, p.unit, p.valid_share, p.minimum, p.maximum, p.mean)
            for p in products
            if name in (p.name, p.path) and p.kind == "raster" and p.mean is not None and p.unit != "class"
        }
        for name in (one, other)
    ]
    return facts[0] == facts[1] and len(facts[0]) == 1


def _trace_empty(said: str, warnings: Sequence[str]) -> list[str]:
    """Return why a raster is empty, and why those are empty that it was made from."""
    reasons = {match[1]: text for text in warnings if (match := _EMPTY.match(text))}
    told: list[str] = []
    while said:
        own = next((text for name, text in reasons.items() if name in said and text not in told), "")
        told += [own] if own else []
        said = own
    return told or ["The map shows no valid pixel."]
