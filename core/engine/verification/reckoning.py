"""Arithmetic on numbers that a policy hands over: whether these were found before, and by which steps.

A product of two invented numbers is as invented as they are, whichever tool multiplied them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.claims import claim_of, claims_in
from treeline.core.engine.verification.evidence import Evidence, limits_of
from treeline.core.engine.verification.evidence_of_steps import evidence_of
from treeline.core.engine.verification.results import numbers_in
from treeline.toolkit import Registry, registry
from treeline.toolkit.index.formula import constants_in
from treeline.toolkit.tool import Tool

# What a calculation is steered by; it is chosen, not found.
_SETTINGS = frozenset({"limit", "upper", "indexes", "radius", "gsd", "width", "height", "period", "ddof"})
_FORMULA = "formula"
# Numbers that lead from one unit to another and need no evidence beside one that does.
_CONSTANTS = frozenset({0.0, 1.0, 2.0, 12.0, 24.0, 60.0, 273.15, 365.0, 365.25, 3600.0, 86400.0})
_MOST_NAMED = 3
# Of so many digits a number is a rounded result, and no small constant.
_DIGITS = 3
# Each is tried against every sum and difference of the results.
_MOST_DERIVED = 40


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The calculations of a run with numbers that were handed to them.

    Attributes
    ----------
    unfounded : mapping
        By step the numbers that neither an earlier result nor the question gives.
    sources : mapping
        By step those whose results its numbers are.
    """

    unfounded: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    sources: Mapping[int, frozenset[int]] = field(default_factory=dict)

    def doubt(self, step: Step) -> str:
        """Return why no answer should rest on a step; empty where nothing speaks against it."""
        numbers = self.unfounded.get(step.number)
        if not numbers:
            return ""
        named = ", ".join(f"{number:.6g}" for number in numbers[:_MOST_NAMED])
        more = f" and {len(numbers) - _MOST_NAMED} more" if len(numbers) > _MOST_NAMED else ""
        return (
            f"Step {step.number} ({action_name(step.action)}) calculates with {named}{more}, which neither "
            "an earlier result nor the question gives."
        )


def reckoning_of(state: State) -> Reckoning:
    """Return the calculations of a run; what rests on an unfounded one is unfounded too."""
    tools = registry()
    told = _initial_evidence(state)
    unfounded: dict[int, tuple[float, ...]] = {}
    sources: dict[int, frozenset[int]] = {}
    found: list[Step] = []
    for step in state.calls:
        if step.observation.kind != "result":
            continue
        numbers = _operands(step, tools)
        if numbers:
            sources[step.number] = _sources(numbers, found)
            missing = _numbers_without_source(numbers, found, told, limits_of(state.question))
            if missing:
                unfounded[step.number] = missing
                continue
        found.append(step)
    return Reckoning(unfounded, sources)


def calculates(tool: Tool) -> bool:
    """Return whether a tool turns numbers into numbers and reads no file."""
    return not tool.inputs and not tool.outputs and bool(list(_parameters(tool)))


def _parameters(tool: Tool) -> Iterator[str]:
    """Yield the parameters of a tool that hold the numbers it calculates with."""
    for parameter in tool.parameters:
        numeric = "float" in parameter.type_text or "list[Any]" in parameter.type_text
        wanted = parameter.required and numeric and parameter.name not in _SETTINGS
        if wanted or (parameter.name == _FORMULA and not tool.inputs):
            yield parameter.name


def _operands(step: Step, tools: Registry) -> list[float]:
    """Return the numbers that a calculation was handed, each once; none for another tool."""
    assert isinstance(step.action, Call)
    name = step.action.tool
    if name not in tools or not calculates(tools.get(name)):
        return []
    arguments: Mapping[str, Any] = step.observation.arguments or step.action.arguments
    tool = tools.get(name)
    handed: list[float] = []
    for parameter in (*_parameters(tool), "values"):
        value = arguments.get(parameter)
        handed += constants_in(value) if parameter == _FORMULA and isinstance(value, str) else []
        handed += [number for number in numbers_in(value) if math.isfinite(number)]
    return list(dict.fromkeys(handed))


def _initial_evidence(state: State) -> Evidence:
    """Return the numbers that were said before anything was found: of the question and the workspace."""
    asked = [claim.number for claim in claims_in("\n".join([state.question, *state.choices]))]
    known = [
        claim.number for part in ("catalogue", "cards") for claim in claims_in(state.context.get(part, ""))
    ]
    areas = [number * number for number in known]  # of a pixel, by its size
    return Evidence(numbers=(*asked, *limits_of(state.question), *known, *areas))


def _sources(numbers: Sequence[float], found: Sequence[Step]) -> frozenset[int]:
    """Return the steps whose results hold the numbers; of several that hold one, the last."""
    held = {number: step.number for step in found for number in numbers_in(step.observation.value)}
    return frozenset(
        held[given]
        for number in numbers
        if (given := number if number in held else _as_rounded(number, held)) is not None
    )


def _as_rounded(number: float, held: Iterable[float]) -> float | None:
    """Return the last of some numbers that one is, as far as it is written; ``None`` for a short one."""
    if len(f"{number:.12g}".strip("-0.").replace(".", "")) < _DIGITS:
        return None
    half = claim_of(number).half * (1 + 1e-6)
    return next((each for each in reversed([*held]) if abs(each - number) <= half), None)


def _results(value: Any) -> Iterator[float]:
    """Yield the numbers of a result; a condition that holds is handed on as 1, one that does not as 0."""
    yield from numbers_in(value)
    yield from (
        float(one) for one in (value if isinstance(value, list) else [value]) if isinstance(one, bool)
    )


def _numbers_without_source(
    numbers: Sequence[float], found: Sequence[Step], told: Evidence, limits: Sequence[float]
) -> tuple[float, ...]:
    """Return the numbers that nothing gives; all of them where they are but constants."""
    held = {number for step in found for number in _results(step.observation.value)}
    held |= {-number for step in found if _is_distance(step) for number in numbers_in(step.observation.value)}
    open_ones = [number for number in numbers if number not in held and not _is_constant(number)]
    if not open_ones:
        founded = held & set(numbers) or any(told.shows(claim_of(number)) for number in numbers)
        return () if founded else tuple(numbers)
    evidence = evidence_of(found, limits)
    # What is derived from results is looked for among few numbers; a long list is one that a tool gave.
    follows = evidence.gives if len(open_ones) <= _MOST_DERIVED else evidence.shows
    claims = {number: claim_of(number) for number in open_ones}
    return tuple(
        number
        for number, claim in claims.items()
        if not (told.shows(claim) or follows(claim, falls=True) or _is_multiple(number, evidence, told))
    )


def _is_distance(step: Step) -> bool:
    """Return whether a step told how far two numbers are apart, of which either may be the larger."""
    return isinstance(step.action, Call) and step.action.tool == "difference"


def _is_multiple(number: float, evidence: Evidence, told: Evidence) -> bool:
    """Return whether a number is a result times one that was asked with, such as 1.5 deviations."""
    products = itertools.product(evidence.single, told.numbers)
    return any(math.isclose(number, found * times, rel_tol=1e-9) for found, times in products)


def _is_constant(number: float) -> bool:
    size = abs(number)
    return size in _CONSTANTS or (size > 0 and math.log10(size).is_integer())
