"""Formal wordings, in which every order and axis is said: those of paraphrases, open to people as well."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import either
from treeline.core.query.closing import by_zones, kind_or_none, number
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Anomaly,
    Cloud,
    Combine,
    Compare,
    Correlation,
    Dates,
    Node,
    Not,
    Number,
    Place,
    Steps,
    Variable,
    When,
    Which,
)
from treeline.core.query.grammar.groups import PERIODS
from treeline.core.query.grammar.ranking import by_unit, ground_found
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import length
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import Changes, StepsOf, Versus
from treeline.core.query.phrases.conditions import CompareTo, Condition, Operator, Surpass
from treeline.core.query.phrases.counts import AreaOf, CountOf, PixelCount, SharedUnit, Unit
from treeline.core.query.phrases.courses import DepartureOf, Relation
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.ranks import Superlative
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Along, Amount, Each, Infix, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import at_another_place, leaves, rebuild, set_time

NUMBERS = (Raw, Measure, Series, Value)
_SUMS = {
    "minus": "difference",
    "divided": "ratio",
    "times": "product",
    "plus": "sum",
    "per_cent_from": "percent_change",
    "apart_from": "absolute_difference",
    "normalised_with": "normalised_difference",
}


def scale(node: Node, factor: float) -> Node:
    """Return so many times a value."""
    return node if factor == 1.0 else Combine("product", node, Number(factor))


def shift(level: Node, by: CompareTo | Surpass) -> Node | None:
    """Return what lies so many per cent, or standard deviations of the same values, beside a level."""
    if not by.deviations:
        return scale(level, by.factor)
    if not isinstance(level, Aggregate) or level.statistic != "mean" or level.weight is not None:
        return None
    width = scale(replace(level, statistic="std", assumed=()), abs(by.deviations))
    return Combine("sum" if by.deviations > 0 else "difference", level, width)


def compare_with(node: Node, by: CompareTo | Surpass, level: Node) -> Node | None:
    """Return the condition that a value passes a level, lies around it or outside of what is around it."""
    limit = shift(level, by)
    if limit is None or by.sign in ("around", "outside") and limit == level:
        return None
    if by.sign not in ("around", "outside"):
        return _typed(Compare(node, by.sign, limit))  # type: ignore[arg-type]
    lower = shift(level, replace(by, deviations=-by.deviations))
    if lower is None:
        return None
    if by.sign == "around":
        return _typed(Compare(node, "between", lower, limit))
    return _typed(either(Compare(node, "gt", limit), Compare(node, "lt", lower)))


def _typed(node: Node) -> Node | None:
    return node if kind_or_none(node) is not None else None


def phrases_of(node: Node) -> Iterable[Phrase]:
    """Yield a finished expression as the phrase that it is by its kind."""
    kind = kind_or_none(node)
    if kind is None:
        return
    if kind.value == "truth":
        yield Mask(node) if "pixel" in kind.axes else Condition(node)
    elif kind.value == "number":
        yield Raw(node) if "pixel" in kind.axes else Series(node) if kind.axes else Value(node)


@rule(Stat, (Raw, Series, Value))
def over_everything(stat: Stat, item: Raw | Series | Value, names: Names) -> Iterable[Phrase]:
    """Maximum over all pixels and dates + NDVI."""
    if stat.over == "all" and isinstance(item, Raw):
        yield from phrases_of(Aggregate(stat.statistic, item.node, "all", parameter=stat.parameter))  # type: ignore[arg-type]


# --- Sums and conditions on two things ------------------------------------------------------------


@rule(NUMBERS, Word)
def first_of_sum(item: Phrase, word: Word, names: Names) -> Iterable[Phrase]:
    """NIR + divided by."""
    if word.name in _SUMS:
        yield Infix(_SUMS[word.name], item)


@rule(AreaOf, Word)
def first_of_area_sum(found: AreaOf, word: Word, names: Names) -> Iterable[Phrase]:
    """Area of the forest + minus."""
    if word.name in _SUMS:
        yield Infix(_SUMS[word.name], Value(Aggregate("area", found.node, "pixel", unit=found.unit)))


@rule(Infix, AreaOf)
def sum_of_two_areas(left: Infix, right: AreaOf, names: Names) -> Iterable[Phrase]:
    """Area of the forest minus + area of the grassland."""
    yield from sum_of_two(left, Value(Aggregate("area", right.node, "pixel", unit=right.unit)), names)


@rule(Infix, NUMBERS)
def sum_of_two(left: Infix, right: Raw | Measure | Series | Value, names: Names) -> Iterable[Phrase]:
    """NIR divided by + red."""
    node = getattr(left.left, "node", None)
    if not isinstance(node, Node):
        return
    if isinstance(left.left, Measure) and isinstance(right, Measure):
        yield Changes(left.how, 0, node, right.node, measured=True)
    elif all(_is_single(side) for side in (node, right.node)) or not (
        isinstance(left.left, Measure) or isinstance(right, Measure) or _is_single(right.node)
    ):
        yield from phrases_of(Combine(left.how, node, right.node))  # type: ignore[arg-type]


@rule(Infix, Value, cost=1)
def each_against_a_number(left: Infix, right: Value, names: Names) -> Iterable[Phrase]:
    """NDVI minus + the mean of 2016: rather a statistic told before it is set against that."""
    node = getattr(left.left, "node", None)
    varies = isinstance(node, Node) and not isinstance(left.left, Measure) and not _is_single(node)
    if varies and _is_single(right.node):
        yield from phrases_of(Combine(left.how, node, right.node))  # type: ignore[arg-type]


def _is_single(node: Node) -> bool:
    """Return whether an expression is one number as it stands: the mean of a day, the mean over all dates."""
    kind = kind_or_none(node)
    return kind is not None and kind.value == "number" and not kind.axes


@rule(Infix, Amount)
def times_a_number(left: Infix, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of all dates times + 1.15."""
    node = getattr(left.left, "node", None)
    scales = left.how == "product" and not amount.number.unit and not isinstance(left.left, Measure)
    if scales and isinstance(node, Node):
        yield from phrases_of(Combine("product", node, amount.number))


@rule(NUMBERS, Operator)
def first_of_condition(item: Phrase, operator: Operator, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of the forest + above."""
    if operator.sign != "between":
        yield CompareTo(operator.sign, item)


@rule(NUMBERS, Word)
def first_of_range(item: Phrase, word: Word, names: Names) -> Iterable[Phrase]:
    """NDVI + between, of two limits that are worked out."""
    if word.name == "between":
        yield CompareTo("between", item)


@rule(CompareTo, Many)
def condition_on_range(left: CompareTo, limits: Many, names: Names) -> Iterable[Phrase]:
    """NDVI between + its mean minus 0.1 and its mean plus 0.1."""
    node, ends = getattr(left.left, "node", None), [end for end in limits.of if isinstance(end, Value)]
    if left.sign == "between" and isinstance(node, Node) and len(ends) == len(limits.of) == 2:
        yield from phrases_of(Compare(node, "between", ends[0].node, ends[1].node))


@rule(AreaOf, Operator)
def first_of_area_condition(found: AreaOf, operator: Operator, names: Names) -> Iterable[Phrase]:
    """Forest area + larger than."""
    yield from first_of_condition(
        Value(Aggregate("area", found.node, "pixel", unit=found.unit)), operator, names
    )


@rule(CompareTo, AreaOf)
def condition_on_two_areas(left: CompareTo, right: AreaOf, names: Names) -> Iterable[Phrase]:
    """Forest area larger than + grassland area."""
    area = Aggregate("area", right.node, "pixel", unit=right.unit)
    yield from condition_on_two(left, Value(area), names)


@rule(CompareTo, NUMBERS)
def condition_on_two(
    left: CompareTo, right: Raw | Measure | Series | Value, names: Names
) -> Iterable[Phrase]:
    """Mean NDVI of the forest above + mean NDVI of the grassland."""
    node = getattr(left.left, "node", None)
    same_form = isinstance(left.left, Raw) == isinstance(right, Raw)
    made = compare_with(node, left, right.node) if isinstance(node, Node) and node != right.node else None
    if isinstance(node, Node) and made is not None and same_form:
        yield from phrases_of(made)
        as_it_is = (left.factor, left.deviations) == (1.0, 0.0)
        if left.sign in _SIGNS and as_it_is and _is_same_elsewhere(node, right.node):
            yield Versus(left.sign, node, right.node)


def _is_same_elsewhere(node: Node, other: Node) -> bool:
    """Return whether two variables are one, of two named times or grounds: NDVI of forest, of grassland."""
    if not isinstance(node, Variable) or not isinstance(other, Variable) or node.role != other.role:
        return False
    timed, placed = node.when != ALWAYS != other.when, None not in (node.where, other.where)
    return (timed or node.when == other.when) and (placed or node.where == other.where)


_SIGNS = ("gt", "lt", "ge", "le")


@rule(CompareTo, Word)
def same_of_the_whole(left: CompareTo, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of the forest above that of + the whole scene."""
    if word.name != "whole" or not isinstance(left.left, Raw | Measure) or left.factor != 1.0:
        return
    node = left.left.node
    if left.sign in _SIGNS and all(leaf.where is not None for leaf in leaves(node)):
        yield Versus(left.sign, node, rebuild(node, lambda leaf: replace(leaf, where=None)))


@rule(CompareTo, (Time, Mask, Location))
def same_at_another(left: CompareTo, other: Time | Mask | Location, names: Names) -> Iterable[Phrase]:
    """Mean NDVI in July 2017 lower than + in July 2016; NDVI of the forest above that of + the grassland."""
    node = getattr(left.left, "node", None)
    if not isinstance(node, Node) or isinstance(left.left, Value) or left.sign not in _SIGNS:
        return
    then: Node | None = None
    if isinstance(other, Time):
        told = [leaf for leaf in leaves(node) if not getattr(leaf, "timeless", False)]
        if told and all(length(leaf.when) == length(other.when) for leaf in told):
            then = set_time(node, other.when)
    elif isinstance(other.node, Place):
        then = at_another_place(node, other.node)
    if then is not None and left.factor == 1.0:
        yield Versus(left.sign, node, then)
    elif then is not None:
        one, level = (node, then) if isinstance(left.left, Measure) else (number(node), number(then))
        if one is not None and level is not None:
            yield Versus(left.sign, one, scale(level, left.factor))


@rule(Word, Condition)
def not_held(word: Word, held: Condition, names: Names) -> Iterable[Phrase]:
    """Not + mean NDVI above 0.7."""
    if word.name == "not":
        yield Condition(Not(held.node))


@rule(Mask, Each)
def on_some(item: Mask, each: Each, names: Names) -> Iterable[Phrase]:
    """Cloud + on any pixel; NDVI above 0.8 + anywhere."""
    if each.axis in ("any pixel", "every pixel"):
        yield from phrases_of(Aggregate("any" if each.axis == "any pixel" else "all", item.node, "pixel"))


@rule(Condition, Each)
def condition_on_some_dates(item: Condition, each: Each, names: Names) -> Iterable[Phrase]:
    """Mean NDVI above 0.8 + on any date."""
    quantifier, _, axis = each.axis.partition(" ")
    if quantifier in ("any", "every") and axis in ("date", "zone", "period"):
        yield from phrases_of(Aggregate("any" if quantifier == "any" else "all", item.node, axis))  # type: ignore[arg-type]


@rule((CountOf, SharedUnit), Along)
def at_each_pixel(counted: CountOf | SharedUnit, along: Along, names: Names) -> Iterable[Phrase]:
    """Number of dates + per pixel; number of cloud-free observations + per pixel."""
    if counted.unit.of != "date" or along.stands != "both":
        return
    statistic = "count" if isinstance(counted, CountOf) else "share"
    if not counted.unit.clear:
        yield PixelCount(statistic)
    elif names.inventory.cloud_dates:
        yield from phrases_of(Aggregate(statistic, Not(Cloud()), "date"))  # type: ignore[arg-type]


@rule(PixelCount, Mask)
def dates_at_each_pixel(count: PixelCount, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Number of dates per pixel + with NDVI above 0.6."""
    yield from phrases_of(Aggregate(count.statistic, mask.node, "date"))  # type: ignore[arg-type]


# --- Series ---------------------------------------------------------------------------------------


@rule(StepsOf, (Series, Measure))
def steps_of(steps: StepsOf, item: Series | Measure, names: Names) -> Iterable[Phrase]:
    """Changes from each date to the next + of the mean NDVI."""
    if not steps.period:
        yield from phrases_of(Steps(item.node, steps.how))  # type: ignore[arg-type]
        return
    found = item.node if isinstance(item, Series) else by_unit(item.node, Unit(steps.period))
    if isinstance(found, Aggregate) and found.by == steps.period:
        yield from phrases_of(Steps(found, steps.how))  # type: ignore[arg-type]


@rule((Series, Value), Each, either=True)
def series_by(item: Series | Value, each: Each, names: Names) -> Iterable[Phrase]:
    """Mean over the dates of something + for each month; mean over the pixels + for each class."""
    node = item.node
    if each.zones is not None and isinstance(node, Combine):
        found = by_zones(node, each.zones)
        if found is not None:
            yield from phrases_of(found)
    if not isinstance(node, Aggregate) or node.by is not None:
        return
    if each.zones is not None and node.over in ("pixel", "all"):
        yield from phrases_of(replace(node, by=each.zones))
    elif each.axis in PERIODS and node.over in ("date", "all"):
        yield from phrases_of(replace(node, by=each.axis))  # type: ignore[arg-type]


@rule(Superlative, Series)
def extreme_of_series(found: Superlative, item: Series, names: Names) -> Iterable[Phrase]:
    """Date with the highest + mean over the pixels of NDVI."""
    kind = kind_or_none(item.node)
    axis = {"date": "date", "period": "period"}.get(found.unit.of, "zone")
    if kind is None or kind.axes != {axis}:
        return
    extreme = found.extreme
    made = Which(item.node, extreme.direction, extreme.nth, extreme.top)
    if kind_or_none(made) is not None:
        yield Value(made)
        if axis == "date" and extreme.top or axis == "period" and extreme.top == 1:
            yield Time(When(at=made))
        if axis == "zone":
            yield from ground_found(made)


@rule(Unit, Condition)
def zones_with(unit: Unit, held: Condition, names: Names) -> Iterable[Phrase]:
    """Classes + with a mean NDVI above 0.6."""
    kind = kind_or_none(held.node)
    axis = {"period": "period"}.get(unit.of, "zone")
    if kind is not None and kind.axes == {axis} and unit.of not in ("date", "pixel"):
        yield Value(Dates(held.node))


@rule(CountOf, Condition)
def number_of_zones(counted: CountOf, held: Condition, names: Names) -> Iterable[Phrase]:
    """Number of classes + with a mean NDVI above 0.6."""
    kind = kind_or_none(held.node)
    axis = {"period": "period"}.get(counted.unit.of, "zone")
    if kind is not None and kind.axes == {axis} and counted.unit.of not in ("date", "pixel"):
        yield Value(Aggregate("count", held.node, axis))  # type: ignore[arg-type]


# --- Departures and relations ---------------------------------------------------------------------


@rule(DepartureOf, Join)
def first_of_departure(found: DepartureOf, join: Join, names: Names) -> Iterable[Phrase]:
    """Z-score of the mean NDVI of a day + against."""
    if join.by == "than":
        yield Half(found, "than")


@rule(Half, (Series, Raw))
def departure_from(half: Half, base: Series | Raw, names: Names) -> Iterable[Phrase]:
    """Z-score of the mean NDVI of a day against + the mean NDVI of each date."""
    if isinstance(half.left, DepartureOf):
        made = Anomaly(half.left.node, base.node, half.left.how)  # type: ignore[arg-type]
        if kind_or_none(made) is not None:
            yield from phrases_of(made)


@rule(Half, Series)
def two_series(half: Half, right: Series, names: Names) -> Iterable[Phrase]:
    """One series and + another."""
    if isinstance(half.left, Series):
        yield Pair(half.left, right, half.by)


@rule(Relation, Along)
def relation_along(relation: Relation, along: Along, names: Names) -> Iterable[Phrase]:
    """Correlation + over the dates."""
    if not relation.over:
        yield replace(relation, over=along.axis)


@rule(Relation, Pair)
def relation_of_series(relation: Relation, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Correlation over the dates between + two series."""
    if relation.over and isinstance(pair.left, Series) and isinstance(pair.right, Series):
        made = Correlation(pair.left.node, pair.right.node, relation.over, relation.gives)  # type: ignore[arg-type]
        if kind_or_none(made) is not None:
            yield Value(made)
