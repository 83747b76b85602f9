"""Where an answer comes from: the step that gave its numbers, and the rasters that the step read or wrote."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeline.core.engine.actions import Answer, Call
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import claims_in
from treeline.pages.parts.map.layers import Entry, LayersByFile
from treeline.pages.parts.shared.run_view import RunView

_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_DATE = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b(?!-)")
_YEAR = re.compile(r"(?<![\d.,-])(?:19|20)\d{2}\b(?![.,]\d|-)")


@dataclass(frozen=True)
class Origin:
    """The rasters that an answer's number was computed from, the one that shows it first.

    Attributes
    ----------
    value : float, optional
        The number that the step gave of the first layer alone, as the answer tells it.
    """

    step: Step
    layers: tuple[Entry, ...]
    value: float | None = None


def origin_of(view: RunView, answer: Answer, entries: Sequence[Entry]) -> Origin | None:
    """Return where the first number that an answer tells comes from.

    A number that was made of other numbers, such as a mean of means, comes from the rasters of those. What
    was called later, such as how cloudy the dates are, only checks it.
    """
    steps = evidence_steps(view, answer)
    for place, step in enumerate(steps):
        if tells(step, answer):
            return _trace(steps[: place + 1], answer, entries)
    return None


def evidence_steps(view: RunView, answer: Answer) -> list[Step]:
    """Return the steps that an answer rests on, in their order."""
    return [step for number in answer.evidence if (step := view.step(number)) is not None]


def _trace(steps: Sequence[Step], answer: Answer, entries: Sequence[Entry]) -> Origin | None:
    *before, step = steps
    own = _of_value(step, answer, entries) or _of_middle(step, answer, entries)
    if own is not None:
        return own
    layers = [entry for entry in layers_of(step, entries) if not entry.empty]
    if layers:
        return Origin(step, tuple(sorted(layers, key=lambda entry: entry.date, reverse=True)))
    given = list((step.observation.arguments or {}).values())
    for place in range(len(before), 0, -1):
        value = before[place - 1].observation.value
        # Numbers are given as they came, one alone, or cut into the periods of which each has a number.
        lists = [x for x in given if isinstance(x, list)]
        cut = [[n for part in x for n in part] for x in lists if all(isinstance(part, list) for part in x)]
        if value in given or value in cut or _is_number(value) and any(value in x for x in lists):
            return _trace(before[:place], answer, entries)
    return None


def _of_value(step: Step, answer: Answer, entries: Sequence[Entry]) -> Origin | None:
    """Return the raster of which a step gave a number that the answer tells, one of a list."""
    for address, value in _numbers_of_rasters(step):
        if _is_told(value, answer):
            layers = tuple(entry for entry in entries if entry.is_at(address))
            if layers:
                return Origin(step, layers, value)
    return None


def _of_middle(step: Step, answer: Answer, entries: Sequence[Entry]) -> Origin | None:
    """Return the raster whose number is nearest to the mean or the median of all, which an answer tells."""
    numbers = _numbers_of_rasters(step)
    values = [value for _, value in numbers]
    middles = [f(values) for f in (statistics.fmean, statistics.median) if values]
    middle = next((value for value in middles if _is_told(value, answer)), None)
    if middle is None:
        return None
    for address, _ in sorted(numbers, key=lambda each: abs(each[1] - middle)):
        layers = tuple(entry for entry in entries if entry.is_at(address) and not entry.empty)
        if layers:
            return Origin(step, layers)
    return None


def _numbers_of_rasters(step: Step) -> list[tuple[str, float]]:
    """Return the rasters of which a step gave a number each, with these."""
    values = step.observation.value
    if not isinstance(values, list):
        return []
    return [
        (address, value)
        for given in (step.observation.arguments or {}).values()
        if isinstance(given, list) and len(given) == len(values)
        for address, value in zip(given, values, strict=True)
        if isinstance(address, str) and _is_number(value)
    ]


def tells_several(step: Step, answer: Answer) -> bool:
    """Return whether an answer tells numbers of more than one of the rasters of a step."""
    return sum(_is_told(value, answer) for _, value in _numbers_of_rasters(step)) > 1


def dates_of_answer(text: str) -> list[str]:
    """Return the days and months that the first sentence of an answer names, in its order.

    What is said after it, such as which date is the cloudiest, does not answer.
    """
    return list(dict.fromkeys(_DATE.findall(_SENTENCE_END.split(text, maxsplit=1)[0])))


def years_of_answer(text: str) -> list[str]:
    """Return the years that the first sentence of an answer names."""
    return _YEAR.findall(_SENTENCE_END.split(text, maxsplit=1)[0])


def is_same_date(of_raster: str, named: str) -> bool:
    """Return whether a raster's date is one that a text names: the day of both, or the month of a month's."""
    return bool(of_raster) and (of_raster.startswith(named) or named.startswith(of_raster))


def tells(step: Step, answer: Answer) -> bool:
    """Return whether a number of the answer stands among those that a step gave: one, a list, or in rows."""
    return any(_is_told(value, answer) for value in _numbers(step.observation.value))


def _numbers(given: Any) -> Iterator[float]:
    for value in given if isinstance(given, list) else [given]:
        yield from filter(_is_number, value.values() if isinstance(value, dict) else [value])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_told(value: float, answer: Answer) -> bool:
    # Whole numbers are years and counts mostly, which stand in many steps by chance.
    return any(
        abs(value - claim.number) <= claim.half for claim in claims_in(answer.text) if claim.number % 1
    )


def layers_of(step: Step, entries: Sequence[Entry]) -> list[Entry]:
    """Return the layers that a step wrote, then those that it read."""
    written = [entry for entry in entries if entry.step == step.number]
    files = LayersByFile(entries)
    return [*written, *(entry for address in addresses_of(step) for entry in files.at(address))]


def addresses_of(step: Step) -> list[str]:
    """Return the texts among the arguments of a call that was carried out."""
    if not isinstance(step.action, Call) or not step.observation.is_success:
        return []
    return list(_texts(step.observation.arguments or {}))


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value; a formula has its rasters in lists by their names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)
