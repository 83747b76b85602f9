"""Whether the number of an answer was produced by a step."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from treeline.core.engine.actions import Observation
from treeline.core.memory.trace import Attempt

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_DATE = re.compile(r"(?:19|20)\d\d[-_]?[01]\d(?:[-_]?[0-3]\d)?")
# Answers are written with three digits: the rounding of the third is half a per cent at most.
_TOLERANCE = 0.005
_WORDS = {"half": 50.0, "third": 100 / 3, "quarter": 25.0, "majority": 50.0}

# (factor, shift): what a number of a result becomes in another unit. Shares and per cent, kelvin and
# degree Celsius, square metres, hectares and square kilometres.
_CONVERSIONS = (
    (1.0, 0.0), (100.0, 0.0), (0.01, 0.0), (1.0, -273.15), (1.0, 273.15), (1e-4, 0.0), (1e-6, 0.0),
    (1e4, 0.0), (1e6, 0.0),
)  # fmt: skip


def ungrounded(attempt: Attempt) -> str:
    """Return which number of the answer no step produced, in a sentence; empty where every one was."""
    answer = attempt.finished.answer
    if answer is None or answer.declined:
        return ""
    results = [step for step in attempt.calls if step.observation.kind == "result"]
    computed = [s for s in results if (tool := attempt.tool(s)) is None or tool.gives.kind != "files"]
    if not computed:
        return "The answer rests on no computation: no tool was called with success."
    if answer.value is None:
        return ""
    known = {number for step in results for number in _numbers_of(step.observation)}
    limits = [
        *_numbers_in(attempt.question),
        *(n for w, n in _WORDS.items() if w in attempt.question.lower()),
    ]
    known |= {number for step in results for number in _counts(step.observation, limits)}
    if any(_means(answer.value, number) for number in known):
        return ""
    return f"No step produced the number {answer.value:.6g} of the answer."


def _numbers_of(observation: Observation) -> Iterator[float]:
    yield from _numbers_in(observation.value)
    yield from _numbers_in(observation.text)
    for product in observation.products:
        yield from (
            n for n in (product.minimum, product.maximum, product.mean, product.valid_share) if n is not None
        )


def _counts(observation: Observation, limits: list[float]) -> Iterator[float]:
    """Yield what counting gives: numbers of a series on one side of a limit, and shares of all rasters."""
    value = observation.value
    if isinstance(value, int | float):
        read = {len(v) for v in (observation.arguments or {}).values() if isinstance(v, list)}
        yield from (100 * value / length for length in read if length)
    series = [item for item in value if isinstance(item, int | float)] if isinstance(value, list) else []
    if len(series) < 2:
        return
    for limit in _limits_of(series, limits):
        for count in (sum(item > limit for item in series), sum(item >= limit for item in series)):
            for chosen in (count, len(series) - count):
                yield float(chosen)
                yield 100 * chosen / len(series)


def _limits_of(series: list[float], limits: list[float]) -> set[float]:
    """Return what a question's limits can mean for a series: in its unit, or relative to its mean."""
    mean = sum(series) / len(series)
    relative = {
        mean * factor for limit in limits for factor in (1 + limit / 100, 1 - limit / 100, limit / 100)
    }
    return {
        mean,
        0.0,
        *relative,
        *limits,
        *(limit / 100 for limit in limits),
        *(limit + 273.15 for limit in limits),
    }


def _numbers_in(value: Any) -> Iterator[float]:
    match value:
        case bool() | None:
            return
        case int() | float():
            yield float(value)
        case str():
            undated = _DATE.sub(" ", value)
            yield from (float(found.replace(",", "")) for found in _NUMBER.findall(undated))
        case dict():
            for item in value.values():
                yield from _numbers_in(item)
        case list() | tuple():
            yield from (number for item in value for number in _numbers_in(item))


def _means(claimed: float, computed: float) -> bool:
    """Return whether a claimed number is a computed one, rounded, with another sign or in another unit."""
    return any(_alike(abs(claimed), abs(computed * factor + shift)) for factor, shift in _CONVERSIONS)


def _alike(claimed: float, computed: float) -> bool:
    digits = len(f"{claimed:.10g}".partition(".")[2])
    rounding = 0.5 * 10**-digits if digits else 0.0
    return math.isclose(claimed, computed, rel_tol=_TOLERANCE, abs_tol=rounding * 1.01 + 1e-12)
