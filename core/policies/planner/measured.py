"""Numbers that steps gave, for one date or for many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from treeline.core.policies.planner.intent import Condition, Subject
from treeline.core.policies.planner.layers import Item, Layer
from treeline.core.policies.planner.plan import Result
from treeline.core.policies.planner.titles import short_title
from treeline.toolkit.variables import variable

Value = float | None


@dataclass(frozen=True, slots=True)
class Number:
    """A number that a step gave.

    Attributes
    ----------
    how : str
        What it is over several dates, such as "mean of the dates' means"; empty for one date.
    """

    value: Value
    unit: str
    how: str = ""
    dates: int = 1


@dataclass(frozen=True, slots=True)
class Series:
    """A number for each date.

    Attributes
    ----------
    argument : Any
        How a later call is given the values: ``@result4`` where one step gave them all.
    """

    items: tuple[Item, ...]
    values: tuple[Value, ...]
    unit: str
    argument: Any

    @property
    def labels(self) -> list[str]:
        """The dates as people write them."""
        return [item.label for item in self.items]

    @property
    def dates(self) -> list[datetime | None]:
        """The dates."""
        return [item.date for item in self.items]


def unit_of(subject: Subject, layer: Layer) -> str:
    """Return the unit of a subject's statistic."""
    if subject.statistic in ("share", "area", "pixels"):
        return {"share": "%", "area": "ha", "pixels": "pixels"}[subject.statistic]
    if subject.statistic in ("skewness", "kurtosis"):
        return "1"
    known = variable(layer.role)
    return layer.unit or (known.unit if known else "")


def series_of(layer: Layer, result: Result, unit: str) -> Series:
    """Return what one call gave for the dates of a layer."""
    values = (
        result.value
        if isinstance(result.value, Sequence) and not isinstance(result.value, str)
        else [result.value]
    )
    argument: Any = result.reference if len(layer.items) > 1 else list(values)
    return Series(layer.items, tuple(values), unit, argument)


def describe(condition: Condition) -> str:
    """Return a condition in words."""
    threshold = condition.threshold
    role = short_title(condition.role)
    if threshold.of_mean is not None:
        return f"{role} is {threshold.side} {threshold.of_mean:g} times the mean"
    if threshold.upper is not None:
        return f"{role} is between {threshold.value:g} and {_bound(threshold.upper, threshold.unit)}"
    side = (
        {"above": "at least", "below": "at most"}[threshold.side] if threshold.inclusive else threshold.side
    )
    return f"{role} is {side} {_bound(threshold.value, threshold.unit)}"


def _bound(value: float | None, unit: str) -> str:
    shown = {"degC": " \u00b0C", "degF": " \u00b0F", "degree": "\u00b0", "1": "", "": ""}
    return f"{value:g}{shown.get(unit, f' {unit}')}"
