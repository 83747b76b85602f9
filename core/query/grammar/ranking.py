"""Ranking: the date, period or zone where something is highest or lowest, and things asked of that date."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.query.closing import kind_or_none, series
from treeline.core.query.expression import Aggregate, Node, When, Which
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases import (
    Amount,
    Extreme,
    Measure,
    Ordinal,
    Pair,
    Phrase,
    Ranked,
    Raw,
    Superlative,
    Time,
    Unit,
    Value,
)
from treeline.core.query.slots import fill_time, together

PERIODS = ("month", "season", "year", "calendar_month")


@rule(Ordinal, Extreme)
def nth_extreme(ordinal: Ordinal, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Second + highest."""
    if ordinal.nth > 1 and extreme.nth == 1:
        yield Extreme(extreme.direction, ordinal.nth)


@rule(Extreme, Amount, either=True)
def top_several(extreme: Extreme, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Three + highest."""
    value = amount.number.value
    if not amount.number.unit and value == int(value) and 1 < value <= 1000 and extreme.nth == 1:
        yield Extreme(extreme.direction, 1, int(value))


@rule(Extreme, (Measure, Raw), either=True)
def ranked_by(extreme: Extreme, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """Highest + mean NDVI."""
    yield Ranked(extreme.direction, item.node, extreme.nth, extreme.top)


@rule(Unit, Extreme, either=True)
def unit_and_extreme(unit: Unit, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Which date + has the highest."""
    yield Superlative(unit, extreme)


@rule(Superlative, (Measure, Raw))
def extreme_of(found: Superlative, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """Which date has the highest + mean NDVI."""
    ranked = Ranked(found.extreme.direction, item.node, found.extreme.nth, found.extreme.top)
    yield from which(found.unit, ranked, names)


@rule(Unit, Ranked, either=True)
def which(unit: Unit, ranked: Ranked, names: Names) -> Iterable[Phrase]:
    """Which date + greenest."""
    node = by_unit(ranked.node, unit)
    if node is None:
        return
    found = Which(node, ranked.direction, ranked.nth, ranked.top)
    if kind_or_none(found) is None:
        return
    yield Value(found)
    if unit.of in ("date", "image") and ranked.top == 1:
        yield Time(When(at=found))


def by_unit(node: Node, unit: Unit) -> Node | None:
    """Return numbers for each date, period or zone."""
    if unit.of in ("date", "image"):
        return series(node)
    if unit.of in PERIODS:
        each = series(node)
        if each is None or (kind := kind_or_none(each)) is None or kind.axes != {"date"}:
            return None
        return Aggregate("mean", each, "date", by=unit.of, assumed=("dates",))  # type: ignore[arg-type]
    if unit.zones is not None:
        return None
    return None


@rule(Value, Pair)
def of_these(item: Value, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which date has the lower mean NDVI, + 2015-09-29 or 2015-08-20."""
    if not isinstance(item.node, Which) or pair.by not in ("or", "and"):
        return
    if not isinstance(pair.left, Time) or not isinstance(pair.right, Time):
        return
    when = together(pair.left.when, pair.right.when)
    found = fill_time(item, when) if when is not None else None
    if found is not None:
        yield found
