"""Limits that are statistics of the same values: above the mean, two standard deviations below it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Combine,
    Compare,
    Node,
    Place,
    Variable,
)
from treeline.core.query.grammar.formal import NUMBERS, compare_with, phrases_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.spots import extreme_of_pixels
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Display, Form
from treeline.core.query.phrases.conditions import (
    CompareTo,
    Condition,
    DeviatedMean,
    Deviations,
    Limit,
    Multiple,
    Operator,
    Relative,
    Surpass,
)
from treeline.core.query.phrases.counts import Area, AreaOf, CountOf, ShareOf, Unit
from treeline.core.query.phrases.phrase import Half, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.ranks import Extreme, ExtremeShare, HighestValues, Ranking
from treeline.core.query.phrases.values import Amount, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import as_mask, fill_place, leaves, rebuild, set_time

_ABOVE = {"gt": "ge", "lt": "le"}


@rule(CompareTo, Stat)
def above_its_statistic(left: CompareTo, stat: Stat, names: Names) -> Iterable[Phrase]:
    """NDVI above + its mean; mean NDVI above + the average of all dates."""
    node = getattr(left.left, "node", None)
    if not isinstance(node, Node) or not isinstance(left.left, Raw | Measure):
        return
    axis = "pixel" if isinstance(left.left, Raw) else "date"
    if stat.statistic not in _LEVELS:
        return
    # A number of one date is set against those of all dates.
    every = set_time(node, ALWAYS) if stat.over == "date" and axis == "date" else node
    levels = [Aggregate(stat.statistic, every, axis, parameter=stat.parameter)]  # type: ignore[arg-type]
    if stat.over not in (None, axis):
        levels = []
    elif axis == "pixel" and (whole := _without_place(node)) != node:
        levels.append(replace(levels[0], of=whole))
    if (beside := _statistic_beside(node, stat)) is not None:
        levels.append(beside)
    for level in levels:
        made = compare_with(node, left, level) if kind_or_none(level) is not None else None
        if made is not None:
            yield Relative(made) if axis == "pixel" else Condition(made)


def _without_place(node: Node) -> Node:
    """Return a raster of the whole scene, whose mean "the scene mean" is also for the pixels of a forest."""
    return rebuild(node, lambda leaf: replace(leaf, where=None))


def _statistic_beside(node: Node, stat: Stat) -> Aggregate | None:
    """Return the statistic of the pixels that another one is set against: the median above the mean."""
    if not isinstance(node, Aggregate) or node.over != "pixel" or stat.over not in (None, "pixel"):
        return None
    beside = replace(node, statistic=stat.statistic, parameter=stat.parameter, assumed=())  # type: ignore[arg-type]
    return beside if beside != replace(node, assumed=()) else None


_LEVELS = frozenset({"mean", "median", "percentile", "otsu"})


@rule(CompareTo, (Measure, Series, Value))
def raster_above_statistic(
    left: CompareTo, level: Measure | Series | Value, names: Names
) -> Iterable[Phrase]:
    """Pixels with NDVI above + the mean NDVI."""
    extreme = left.sign == "eq" and _is_extreme(level.node)
    if isinstance(left.left, Raw) and (_is_level(level.node) or extreme):
        made = compare_with(left.left.node, left, level.node)
        yield from phrases_of(made) if made is not None else ()


def _is_level(node: Node) -> bool:
    """Return whether a node is a statistic of a raster's pixels, or lies so many deviations beside one."""
    if isinstance(node, Combine) and node.how in ("sum", "difference"):
        width = node.right.left if isinstance(node.right, Combine) else node.right
        return _is_level(node.left) and isinstance(width, Aggregate) and width.statistic == "std"
    return (
        isinstance(node, Aggregate)
        and node.over == "pixel"
        and node.by is None
        and isinstance(node.of, Variable)
        and node.statistic in _LEVELS
    )


def _is_extreme(node: Node) -> bool:
    return isinstance(node, Aggregate) and node.statistic in ("max", "min") and node.over == "pixel"


@rule(Operator, Measure)
def above_the_mean(operator: Operator, level: Measure, names: Names) -> Iterable[Phrase]:
    """Above + the mean NDVI: of pixels, against their own raster."""
    node = level.node
    if operator.sign in ("gt", "ge", "lt", "le") and isinstance(node, Aggregate) and _is_level(node):
        yield Relative(Compare(node.of, operator.sign, node))  # type: ignore[arg-type]


@rule(Surpass, Measure)
def some_above_the_mean(surpass: Surpass, level: Measure, names: Names) -> Iterable[Phrase]:
    """20 % above + the mean NDVI; within two standard deviations of + the mean NDVI."""
    node = level.node
    if isinstance(node, Aggregate) and _is_level(node):
        made = compare_with(node.of, surpass, node)
        yield from (Relative(made),) if made is not None else ()


@rule(Word, Deviations)
def around_a_mean(word: Word, found: Deviations, names: Names) -> Iterable[Phrase]:
    """Within + two standard deviations, of a mean."""
    if word.name == "within" and not found.sign:
        yield Surpass("around", deviations=found.number)


@rule(Deviations, Word)
def outside_of_a_mean(found: Deviations, word: Word, names: Names) -> Iterable[Phrase]:
    """More than two standard deviations + away from a mean."""
    if word.name == "away" and found.sign == "gt":
        yield Surpass("outside", deviations=found.number)


@rule(Extreme, Amount)
def highest_share(extreme: Extreme, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Highest + 10 %."""
    number = amount.number
    if number.unit == "%" and 0 < number.value < _WHOLE and extreme.nth == extreme.top == 1:
        yield ExtremeShare(extreme.direction, number.value)


@rule(ExtremeShare, Raw)
def highest_share_of(share: ExtremeShare, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Highest 10 % + of NDVI: at or above its 90th percentile; or these values themselves."""
    for held in _at_or_beyond(share, raw.node):
        yield Relative(held)
        yield HighestValues(held)


def _at_or_beyond(share: ExtremeShare, node: Node) -> Iterable[Compare]:
    highest = share.direction == "highest"
    level = round(_WHOLE - share.percent if highest else share.percent, 9)
    limit = Aggregate("percentile", node, "pixel", parameter=level)
    made = Compare(node, "ge" if highest else "le", limit)
    if kind_or_none(made) is not None:
        yield made


@rule(Stat, HighestValues)
def statistic_of_the_highest(stat: Stat, found: HighestValues, names: Names) -> Iterable[Phrase]:
    """Mean of + the highest 10 % of NDVI."""
    placed = fill_place(found.node.of, found.node)
    if stat.over in (None, "pixel") and isinstance(placed, Node):
        made = Aggregate(stat.statistic, placed, "pixel", parameter=stat.parameter)  # type: ignore[arg-type]
        if kind_or_none(made) is not None:
            yield Measure(made)


@rule(Ranking, Amount, either=True)
def hottest_share(ranked: Ranking, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Hottest + 10 %, of the pixels."""
    extreme = extreme_of_pixels(ranked)
    for share in highest_share(Extreme(ranked.direction), amount, names):
        if isinstance(share, ExtremeShare) and extreme is not None:
            yield from map(Relative, _at_or_beyond(share, extreme.of))


_WHOLE = 100.0


@rule(Relative, Unit)
def pixels_so_high(found: Relative, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Hottest 10 % + of the pixels."""
    if unit.of == "pixel" and not unit.clear:
        yield Location(found.node)
        yield found


@rule(Relative, (Mask, Location))
def above_that_of_a_ground(found: Relative, ground: Mask | Location, names: Names) -> Iterable[Phrase]:
    """NDVI above the 90th percentile + of the cropland: the level is that of the cropland alone."""
    node = found.node
    if not isinstance(node, Compare) or not isinstance(node.limit, Aggregate):
        return
    if not isinstance(ground.node, Place) or any(leaf.where is not None for leaf in leaves(node)):
        return
    limit = fill_place(node.limit, ground.node)
    if isinstance(limit, Node):
        yield Relative(replace(node, limit=limit))


@rule((Unit, CountOf), Relative)
def pixels_above_the_mean(asked: Unit | CountOf, found: Relative, names: Names) -> Iterable[Phrase]:
    """How many pixels + above the mean NDVI."""
    unit = asked.unit if isinstance(asked, CountOf) else asked
    if unit.of == "pixel":
        counted = isinstance(asked, CountOf)
        yield Measure(Aggregate("count", as_mask(found.node), "pixel")) if counted else Mask(found.node)


@rule((Measure, Raw), Relative)
def measured_on_ground_so_high(item: Measure | Raw, found: Relative, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of + the highest 20 % of elevation; what is compared with itself stays a condition."""
    of = {getattr(leaf, "role", "") for leaf in leaves(found.node)}
    if getattr(found.node, "operator", "") in ("ge", "le") and of.isdisjoint(
        getattr(leaf, "role", "") for leaf in leaves(item.node)
    ):
        placed = fill_place(item, found.node)
        yield from (placed,) if isinstance(placed, Phrase) else ()


@rule((Area, ShareOf), Relative)
def ground_above_the_mean(asked: Area | ShareOf, found: Relative, names: Names) -> Iterable[Phrase]:
    """Area + above the mean NDVI."""
    if isinstance(asked, Area):
        yield AreaOf(as_mask(found.node), asked.unit)
    elif asked.node is None:
        yield Measure(Aggregate("share", found.node, "pixel"))


@rule(Word, Relative)
def where_above_the_mean(word: Word, found: Relative, names: Names) -> Iterable[Phrase]:
    """Where + NDVI is above its mean."""
    if word.name == "where":
        yield Location(found.node)


@rule(Form, Relative)
def show_above_the_mean(form: Form, found: Relative, names: Names) -> Iterable[Phrase]:
    """Map where + NDVI is above its mean."""
    yield Display(Mask(found.node), form.picture)


@rule(Amount, Operator)
def some_per_cent_above(amount: Amount, operator: Operator, names: Names) -> Iterable[Phrase]:
    """15 % + above."""
    if amount.number.unit == "%" and operator.sign in _ABOVE:
        yield Surpass(_ABOVE[operator.sign], _factor(amount.number.value, operator.sign))


@rule(Limit, Operator)
def more_per_cent_above(limit: Limit, operator: Operator, names: Names) -> Iterable[Phrase]:
    """More than 15 % + above."""
    if limit.number.unit != "%" or limit.sign not in _MORE or operator.sign not in _ABOVE:
        return
    sign = operator.sign if limit.sign == "gt" else _ABOVE[operator.sign]
    yield Surpass(sign, _factor(limit.number.value, operator.sign))


_MORE = ("gt", "ge")


def _factor(percent: float, sign: str) -> float:
    return round(1 + (percent if sign == "gt" else -percent) / 100, 9)


@rule((Amount, Limit), Word)
def so_many_times(count: Amount | Limit, word: Word, names: Names) -> Iterable[Phrase]:
    """Three + times; more than three + times."""
    if word.name != "times" or count.number.unit or count.number.value <= 0:
        return
    if isinstance(count, Amount):
        yield Multiple(count.number.value)
    elif count.upper is None:
        yield Surpass(count.sign, count.number.value)


@rule(Operator, Multiple)
def more_than_so_many_times(operator: Operator, found: Multiple, names: Names) -> Iterable[Phrase]:
    """At least + twice."""
    if operator.sign in _LIMITS:
        yield Surpass(operator.sign, found.factor)


_LIMITS = ("gt", "ge", "lt", "le")


@rule(NUMBERS, Multiple)
def first_of_multiple(item: Phrase, found: Multiple, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of the forest + twice, as that of the grassland: that much at least."""
    if found.factor > 1:
        yield CompareTo("ge", item, found.factor)


@rule(AreaOf, (Multiple, Surpass))
def first_of_so_many_areas(found: AreaOf, by: Multiple | Surpass, names: Names) -> Iterable[Phrase]:
    """Forest area + more than twice."""
    join = first_of_multiple if isinstance(by, Multiple) else surpassing
    yield from join(Value(Aggregate("area", found.node, "pixel", unit=found.unit)), by, names)


@rule((Multiple, Surpass), Word)
def as_high_as(found: Multiple | Surpass, word: Word, names: Names) -> Iterable[Phrase]:
    """At least twice + as high as."""
    if word.name == "as_high_as":
        yield found


@rule((Amount, Limit), Stat)
def so_many_deviations(count: Amount | Limit, stat: Stat, names: Names) -> Iterable[Phrase]:
    """Two + standard deviations; more than one + standard deviation."""
    if stat == Stat("std") and not count.number.unit and count.number.value > 0:
        if isinstance(count, Amount):
            yield Deviations(count.number.value)
        elif count.sign in _MORE and count.upper is None:
            yield Deviations(count.number.value, count.sign)


@rule((Deviations, Stat), Operator)
def deviations_above(found: Deviations | Stat, operator: Operator, names: Names) -> Iterable[Phrase]:
    """Two standard deviations + above; a standard deviation + below."""
    if operator.sign not in _ABOVE or not isinstance(found, Deviations) and found != Stat("std"):
        return
    found = found if isinstance(found, Deviations) else Deviations(1)
    sign = _ABOVE[operator.sign] if found.sign == "ge" else operator.sign
    yield Surpass(sign, deviations=found.number if operator.sign == "gt" else -found.number)


@rule(Half, (Deviations, Stat))
def mean_less_deviations(half: Half, found: Deviations | Stat, names: Names) -> Iterable[Phrase]:
    """The mean minus + two standard deviations."""
    if half.left != Stat("mean") or isinstance(found, Stat) and found != Stat("std"):
        return
    number = found.number if isinstance(found, Deviations) else 1.0
    if half.by in ("minus", "and"):
        yield DeviatedMean(-number if half.by == "minus" else number)


@rule(CompareTo, DeviatedMean)
def above_the_deviated_mean(left: CompareTo, found: DeviatedMean, names: Names) -> Iterable[Phrase]:
    """NDVI above + the mean plus two standard deviations."""
    yield from above_its_statistic(replace(left, deviations=found.deviations), Stat("mean"), names)


@rule(NUMBERS, Surpass)
def surpassing(item: Phrase, surpass: Surpass, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + 15 % above."""
    yield CompareTo(surpass.sign, item, surpass.factor, surpass.deviations)
