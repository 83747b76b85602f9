"""Calculations that a question tells step by step: "average each date, then take the maximum"."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Aggregate, Node, Variable
from treeline.core.query.grammar.registry import rule, rules_for
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import LastStep
from treeline.core.query.phrases.phrase import Half, Join, Phrase, Word
from treeline.core.query.phrases.values import Measure, OfThat, Raw, Series, Stat, ToCompute, Value

_STEP = (Measure, Series, Raw, ToCompute)
_ON = ("then", ";", "clause", "and")


@rule(_STEP, Join)
def first_step(item: Phrase, join: Join, names: Names) -> Iterable[Phrase]:
    """Compute the mean NDVI of each date + then take."""
    if join.by == "then":
        yield Half(Raw(item.node) if isinstance(item, ToCompute) else item, "then")


@rule(Half, Stat)
def next_step(half: Half, stat: Stat, names: Names) -> Iterable[Phrase]:
    """Compute the mean NDVI of each date, then take + the maximum: of what was computed."""
    if half.by == "then":
        yield from _statistic_of(stat, half.left, names)


@rule(Stat, Word)
def statistic_of_that(stat: Stat, word: Word, names: Names) -> Iterable[Phrase]:
    """The mean + of that."""
    if word.name == "of_that":
        yield OfThat(stat)


@rule(Half, OfThat)
def step_on_that(half: Half, asked: OfThat, names: Names) -> Iterable[Phrase]:
    """Take the maximum of 2016 for each pixel; what is + the mean of that?"""
    if half.by in _ON:
        left = Raw(half.left.node) if isinstance(half.left, ToCompute) else half.left
        yield from _statistic_of(asked.stat, left, names)


def _statistic_of(stat: Stat, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Yield what the statistic before the item, as in "the maximum of the mean NDVI", would be.

    Of a number for each month or class it is over these.
    """
    node = getattr(item, "node", None)
    kind = kind_or_none(node) if isinstance(node, Node) else None
    if kind is not None and len(kind.axes) == 1 and kind.axes <= {"period", "zone"}:
        (axis,) = kind.axes
        made = Aggregate(stat.statistic, node, axis, parameter=stat.parameter)  # type: ignore[arg-type]
        if stat.over in (None, axis) and kind_or_none(made) is not None:
            yield LastStep(Value(made))
    elif not isinstance(node, Variable):  # a step before it has taken a statistic, or made a raster
        for step, _ in rules_for(stat, item):
            yield from map(LastStep, step(stat, item, names))
