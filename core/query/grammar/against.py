"""Dates, classes and regions set against one of them, or against their average."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treeline.core.query.closing import by_zones, kind_or_none, number, raster_of_mean, series
from treeline.core.query.expression import ALWAYS, Aggregate, Compare, Dates, Node, Place, Zones
from treeline.core.query.grammar.groups import named_zones, zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import Against, Comparative, FirstSide, SameOf, Versus
from treeline.core.query.phrases.conditions import CompareTo, Relative, ZoneQuantifier
from treeline.core.query.phrases.counts import CountOf, SharedUnit, Unit
from treeline.core.query.phrases.courses import Usual
from treeline.core.query.phrases.phrase import Half, Phrase
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Measure, Raw, Stat, Value
from treeline.core.query.slots import fill_place, fill_time, leaves, set_time

_SIGNS = ("gt", "ge", "lt", "le")


@rule(Half, (Mask, Time, Stat, Usual))
def greener_than_another(half: Half, other: Phrase, names: Names) -> Iterable[Phrase]:
    """Hotter than + Larchford; 22 July; average."""
    word = half.left
    if isinstance(word, Comparative) and word.node is not None and half.by == "than":
        yield from _against(word.sign, word.node, other)


@rule(Half, (Mask, Time))
def higher_than_another(half: Half, other: Mask | Time, names: Names) -> Iterable[Phrase]:
    """How many dates had a higher mean NDVI than + 14 August 2016."""
    first = half.left
    if half.by == "than" and isinstance(first, FirstSide) and isinstance(first.side, Raw | Measure):
        yield from _against(first.sign, first.node, other)


@rule(Half, Stat)
def hotter_than_the_scene(half: Half, stat: Stat, names: Names) -> Iterable[Phrase]:
    """Hotter than + average: of pixels, against the mean of them all."""
    word = half.left
    if isinstance(word, Comparative) and word.node is not None and half.by == "than":
        level = Aggregate("mean", raster := raster_of_mean(word.node), "pixel")
        made = Compare(raster, word.sign, level)  # type: ignore[arg-type]
        if stat == Stat("mean") and kind_or_none(made) is not None:
            yield Relative(made)


@rule(CompareTo, (SameOf, Mask, Time, Stat))
def above_another(left: CompareTo, other: Phrase, names: Names) -> Iterable[Phrase]:
    """Mean LST above + that of Larchford; than on 22 July; the average."""
    if isinstance(left.left, Raw | Measure) and (left.factor, left.deviations) == (1.0, 0.0):
        yield from _against(left.sign, left.left.node, other.of if isinstance(other, SameOf) else other)


def _against(sign: str, node: Node, other: Phrase) -> Iterator[Phrase]:
    """Yield it where the other is one place, one date or the plain average."""
    match other:
        case Mask(Place()) | Time():
            one = not other.joined if isinstance(other, Mask) else other.when.single
        case Usual(clouds="included"):
            one = True
        case Stat("mean", over=over):
            one = over in (None, "date", "zone")
        case _:
            one = False
    if sign in _SIGNS and one:
        yield Against(sign, node, other)


@rule(Against, Time)
def above_another_then(found: Against, time: Time, names: Names) -> Iterable[Phrase]:
    """Hotter than Larchford + on 22 July: both on that day."""
    node = fill_time(found.node, time.when)
    if not isinstance(found.other, Time | Usual) and isinstance(node, Node):
        yield Against(found.sign, node, found.other)


@rule(Stat, ZoneQuantifier)
def average_of_zones(stat: Stat, each: ZoneQuantifier, names: Names) -> Iterable[Phrase]:
    """The average + of all regions."""
    if stat == Stat("mean") and each.quantifier == "every" and not each.zones.names:
        yield Stat("mean", over="zone", zones=each.zones)


@rule(Stat, Unit, cost=1)
def the_average_zone(stat: Stat, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Greener than the average + region: than the mean of the regions."""
    zones = zones_of(unit, names)
    if stat == Stat("mean") and zones is not None:
        yield Stat("mean", over="zone", zones=zones)


@rule((Unit, CountOf, SharedUnit), Against)
def those_above_another(asked: Unit | CountOf | SharedUnit, found: Against, names: Names) -> Iterable[Phrase]:
    """Which regions were + hotter than Larchford; how many dates were + greener than average."""
    unit = asked if isinstance(asked, Unit) else asked.unit
    zones = zones_of(unit, names)
    if zones is not None:
        axis, passed = "zone", _zones_above(found, zones)
    elif unit.of in ("date", "image") and not unit.clear:
        axis, passed = "date", _dates_above(found)
    else:
        return
    for condition in passed:
        kind = kind_or_none(condition)
        if kind is None or kind.axes != {axis}:
            continue
        if isinstance(asked, Unit):
            yield Value(Dates(condition))
        else:
            statistic = "count" if isinstance(asked, CountOf) else "share"
            yield Value(Aggregate(statistic, condition, axis))  # type: ignore[arg-type]


def _zones_above(found: Against, zones: Zones) -> Iterator[Node]:
    """Yield the condition on each zone; an average may be that of the zones or of the whole area."""
    grouped = by_zones(found.node, zones)
    each, whole = number(grouped) if grouped is not None else None, number(found.node)
    if each is None or whole is None or any(isinstance(leaf.where, Place) for leaf in leaves(found.node)):
        return
    match found.other:
        case Mask(place):
            limits = [fill_place(whole, place)]
        case Stat(over="zone", zones=named):
            limits = [Aggregate("mean", each, "zone")] if named in (None, zones) else []
        case Stat(over=None):
            limits = [Aggregate("mean", each, "zone"), whole]
        case _:
            limits = []
    yield from (Compare(each, found.sign, limit) for limit in limits if isinstance(limit, Node))  # type: ignore[arg-type]


def _dates_above(found: Against) -> Iterator[Node]:
    each = series(found.node)
    if each is None or any(leaf.when != ALWAYS for leaf in leaves(found.node)):
        return
    if isinstance(found.other, Time):
        limit = number(set_time(each, found.other.when))
    elif isinstance(found.other, Usual):
        limit = Aggregate("mean", set_time(each, found.other.when), "date")
    elif isinstance(found.other, Stat) and found.other.over in (None, "date"):
        limit = Aggregate("mean", each, "date")
    else:
        return
    if limit is not None:
        yield Compare(each, found.sign, limit)  # type: ignore[arg-type]


@rule((Mask, Time), Against)
def one_above_average(item: Mask | Time, found: Against, names: Names) -> Iterable[Phrase]:
    """Larchford was + hotter than the average of the regions; 22 July was + greener than average."""
    if not isinstance(found.other, Stat):
        return
    if isinstance(item, Time):
        conditions = _dates_above(found) if item.when.single else iter(())
    else:
        zones = named_zones((item,))
        conditions = (
            iter(())
            if zones is None
            else _zones_above(found, Zones(zones.by, (), zones.source, zones.attribute))
        )
    for condition in conditions:
        if isinstance(condition, Compare):
            mean = number(found.node) if isinstance(item, Mask) else series(found.node)
            own = None
            if mean is not None:
                own = set_time(mean, item.when) if isinstance(item, Time) else fill_place(mean, item.node)
            if isinstance(own, Node):
                yield Versus(found.sign, own, condition.limit)
