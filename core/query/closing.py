"""From an open meaning to a finished expression: what the question left unsaid, by stated defaults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.checks import is_partly_dated, is_partly_placed
from treeline.core.query.expression import (
    ALWAYS,
    DAY_OF_YEAR,
    Aggregate,
    Anomaly,
    Centroid,
    Cloud,
    Clouds,
    Combine,
    Compare,
    Convert,
    Correlation,
    Facts,
    Hotspots,
    Majority,
    Node,
    Not,
    Number,
    Or,
    Phenology,
    Place,
    Rank,
    Rounded,
    Several,
    Show,
    Trend,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.kinds import IllTyped, Kind, are_rates_of_known_times, kind_of
from treeline.core.query.phrases.answers import Display, Fact, FactOf, InUnit, LastStep, RoundedTo
from treeline.core.query.phrases.comparisons import ChangedBy, ChangeOf, Changes, Versus
from treeline.core.query.phrases.conditions import Claim, Limit
from treeline.core.query.phrases.counts import AreaOf, CountOf, ShareOf, Unit
from treeline.core.query.phrases.courses import CourseOf, DepartureOf, RelationOf, Unusual
from treeline.core.query.phrases.phrase import Many, Pair, Phrase
from treeline.core.query.phrases.places import Mask, StatPolygons
from treeline.core.query.phrases.ranks import RankedZone, Ranking, SuperlativeShare, WhichZone
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Each, Measure, Raw, Series, Value
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import fill_clouds, leaves, months_in, set_place, set_time

# The mean of several dates is the mean of the dates' means; extremes and spreads pool all pixels.
_MEANS = ("mean",)


def kind_or_none(node: Node) -> Kind | None:
    """Return the kind of an expression; ``None`` where its nodes do not fit together."""
    try:
        return kind_of(node)
    except IllTyped:
        return None


def series(node: Node) -> Node | None:
    """Return numbers for each date or zone: of a raster its mean, which the question did not say."""
    kind = kind_or_none(node)
    if kind is None or kind.value != "number":
        return None
    if "pixel" not in kind.axes:
        return node
    if isinstance(node, Combine):
        left, right = series(node.left), series(node.right)
        # A difference or change of two means is told as well as one of pixels; any other way of joining
        # two rasters only where their grounds differ, so that no pixel of one has a partner in the other.
        of_means = node.how in ("difference", "percent_change") or _grounds(node.left) != _grounds(node.right)
        if left is None or right is None or not of_means:
            return None
        return replace(node, left=left, right=right)
    return _usual(node, kind)


def _usual(node: Node, kind: Kind) -> Aggregate:
    """Return the statistic of all pixels where the question names none: the mean, of people the sum."""
    if kind.unit == "persons":
        return Aggregate("sum", node, "pixel", assumed=("people",))
    return Aggregate("mean", node, "pixel", assumed=("statistic",))


def _grounds(node: Node) -> set[Node | None]:
    """Return where the pixels of an expression lie; of two grounds, nothing is told pixel by pixel."""
    return {leaf.where for leaf in leaves(node)}


def date_extremes(node: Node) -> Node:
    """Return an expression in which an extreme of several dates is looked for on the date that has it."""

    def date(centroid: Centroid) -> Centroid:
        match centroid.of:
            case Compare(raster, "eq", Aggregate("max" | "min", same, "pixel", by=None) as extreme):
                kind = kind_or_none(raster)
                # The extreme of all dates is reached on one of them: without its date each raster would be
                # searched for a level that most of them never have.
                if raster != same or kind is None or "date" not in kind.axes:
                    return centroid
                found = When(at=Which(extreme, "highest" if extreme.statistic == "max" else "lowest"))
                there = set_time(raster, found)
                return Centroid(Compare(there, "eq", replace(extreme, of=there)))
        return centroid

    made: Node = rewrite(node, Centroid, date)
    return made


def number(node: Node) -> Node | None:
    """Return a single number (or one for each zone), order and statistic filled by default."""
    kind = kind_or_none(node)
    if kind is None or kind.value != "number":
        return None
    if isinstance(node, Combine):
        left, right = _side(node.left), _side(node.right)
        if left is None or right is None:
            return None
        if "pixel" in kind.axes and node.how not in _OF_MEANS and not _of_one_role(node):
            return None
        return replace(node, left=left, right=right)
    # How far the mean departs is the anomaly of the means, not the mean of a map of departures.
    if isinstance(node, Anomaly) and "pixel" in kind.axes:
        return None
    if "pixel" in kind.axes:
        # A statistic of the dates at each pixel is a map; which number of the map is meant, nothing says.
        if isinstance(node, Aggregate) and node.over == "date":
            return None
        return number(_usual(node, kind))
    if "date" not in kind.axes:
        depth = depth_of(node)
        return node if depth is None else _as_depth(depth)
    return _over_dates(node)


def _side(node: Node) -> Node | None:
    """Return one side of a difference as a number: an area of several dates is the mean of theirs."""
    made = number(node)
    if made is None and isinstance(node, Aggregate) and node.statistic in _OF_MASKS and node.over == "pixel":
        made = _if_sound(Aggregate("mean", node, "date", assumed=("dates",)))
    return made


_OF_MASKS = ("count", "area", "share")


def depth_of(node: Node) -> Node | None:
    """Return the mean of the pixels for a sum of depths of water: those of neighbours are not added up."""
    if not isinstance(node, Aggregate) or (node.statistic, node.over) != ("sum", "pixel"):
        return None
    kind = kind_or_none(node)
    if kind is None or (kind.unit != "mm" and not are_rates_of_known_times(node.of)):
        return None
    return replace(node, statistic="mean", assumed=("depth",))


def _as_depth(depth: Node) -> Node:
    """Return what is measured at one time as a depth, where it is a rate."""
    if isinstance(depth, Aggregate) and isinstance(depth.of, Variable) and depth.of.periods:
        return replace(depth, of=Convert(depth.of, "mm"))
    return depth


# What may be said of two means as well as of each pixel, so that it does not matter which is meant.
_OF_MEANS = ("difference", "percent_change", "sum")


def _of_one_role(node: Combine) -> bool:
    """Return whether one variable is set against itself at another time or place: two means are meant."""
    sides = [{getattr(leaf, "role", "") for leaf in leaves(side)} for side in (node.left, node.right)]
    return node.how == "ratio" and len(sides[0]) == 1 and sides[0] == sides[1]


def _are_people(node: Aggregate) -> bool:
    """Return whether a sum is of people, who are not counted anew on each date."""
    kind = kind_or_none(node)
    return node.statistic == "sum" and kind is not None and kind.unit == "persons"


def _over_dates(node: Node) -> Node | None:
    if not isinstance(node, Aggregate) or node.over != "pixel":
        return None
    if (
        _are_people(node)
        or node.statistic in _MEANS
        or (node.statistic == "share" and isinstance(node.of, Cloud))
    ):
        return Aggregate("mean", node, "date", assumed=("dates",))
    # The same ground counts on each date again, so that these have no usual sum over dates.
    if node.statistic in ("count", "area", "share", "all", "any"):
        return None
    if (depth := depth_of(node)) is not None:
        return Aggregate("sum", depth, "date")
    return replace(node, over="all", assumed=(*node.assumed, "over"))


def by_zones(node: Node, zones: Zones) -> Node | None:
    """Return a statistic of each zone; of a raster its mean. A number is that of all of them."""
    if isinstance(node, Number):
        return node
    if isinstance(node, Trend) and isinstance(node.of, Aggregate):
        grouped = by_zones(node.of, zones)
        return None if grouped is None else replace(node, of=grouped)
    if isinstance(node, Combine):
        left, right = by_zones(node.left, zones), by_zones(node.right, zones)
        return None if left is None or right is None else replace(node, left=left, right=right)
    if isinstance(node, Aggregate) and node.over == "pixel" and node.by in (None, zones):
        return replace(node, by=zones)
    if isinstance(node, Aggregate) and node.over in ("date", "period"):
        inner = by_zones(node.of, zones)
        return None if inner is None else replace(node, of=inner)
    kind = kind_or_none(node)
    if kind is None or "pixel" not in kind.axes or kind.value != "number":
        return None
    return replace(_usual(node, kind), by=zones)


def raster(node: Node) -> Node | None:
    """Return one raster: of several dates the mean of each pixel."""
    kind = kind_or_none(node)
    if kind is None or "pixel" not in kind.axes:
        return None
    if "date" not in kind.axes:
        return node
    if isinstance(node, Combine):
        left, right = raster(node.left), raster(node.right)
        apart = None not in (grounds := _grounds(node.left) | _grounds(node.right)) and len(grounds) > 1
        return None if left is None or right is None or apart else replace(node, left=left, right=right)
    if kind.value == "truth":
        return _mask_of_one(node)
    return Aggregate("mean", node, "date", assumed=("dates",))


def raster_of_mean(node: Node) -> Node:
    """Return the raster whose plain mean over the pixels a node is; any other node as it is."""
    mean = isinstance(node, Aggregate) and node.statistic == "mean" and node.over == "pixel"
    plain = mean and node.weight is None  # type: ignore[attr-defined]
    return node.of if plain else node  # type: ignore[attr-defined]


def _mask_of_one(node: Node) -> Node | None:
    """Return a condition on one raster; a condition that differs by date needs to be told which."""
    return None


def claim(node: Node) -> Node | None:
    """Return something that is true or false once."""
    node = _of_two_sides(node)
    kind = kind_or_none(node)
    if kind is None or kind.value != "truth":
        return None
    if not kind.axes:
        return node
    if isinstance(node, Not | Aggregate):
        inner = _of_one_time(node.of)
        return None if inner is None else claim(replace(node, of=inner))
    if not isinstance(node, Compare) or "pixel" in kind.axes or "zone" in kind.axes:
        return None
    sides = [one if kind_of(one).axes == frozenset() else number(one) for one in (node.of, node.limit)]
    if sides[0] is None or sides[1] is None:
        return None
    closed = replace(node, of=sides[0], limit=sides[1])
    # By the same default on both sides, a number would be held against one that is made of itself.
    if closed.of in closed.limit.walk():
        return None
    after = kind_or_none(closed)
    return closed if after is not None and not after.axes else None


def _of_two_sides(node: Node) -> Node:
    """Return "below 0.5 or above 0.5", of which one always holds, as the one of them that is asked about."""
    match node:
        case Or((Compare(one, sign, limit) as first, Compare(other, opposite, same))):
            if (one, limit) == (other, same) and {sign[0], opposite[0]} == {"g", "l"}:
                return first
    return node


def _of_one_time(node: Node) -> Node | None:
    """Return a condition on each zone and date as one on each zone, its sides taken over the dates."""
    if isinstance(node, Not | Aggregate):
        inner = _of_one_time(node.of)
        return None if inner is None else replace(node, of=inner)
    if not isinstance(node, Compare) or kind_of(node).axes != {"zone", "date"}:
        return None
    sides = [side if isinstance(side, Number) else number(side) for side in (node.of, node.limit)]
    if sides[0] is None or sides[1] is None:
        return None
    return replace(node, of=sides[0], limit=sides[1])


def versus(sign: str, left: Node, right: Node) -> Node | None:
    """Return whether one number exceeds another."""
    one, other = _side(left), _side(right)
    if one is None or other is None:
        return None
    return claim(Compare(one, sign, other))  # type: ignore[arg-type]


def close(phrase: Phrase) -> Iterable[Node]:
    """Yield the expressions that a meaning can be as the answer to a question."""
    match phrase:
        case InUnit(inner, unit):
            yield from _convert(inner, unit)
        case LastStep(inner):
            yield from close(inner)
        case RoundedTo(inner, decimals):
            for node in close(inner):
                parts = node.of if isinstance(node, Several) else (node,)
                shown = tuple(Rounded(part, decimals) for part in parts)
                yield Several(shown) if isinstance(node, Several) else shown[0]
        case RelationOf(gives, over, left, right, sign, limit, by):
            for made in _relations(gives, over, left, right, by):
                yield Compare(made, sign, Number(limit)) if sign else made  # type: ignore[arg-type]
        case DepartureOf():
            yield from _departures(phrase)
        case Unusual(node, sign):
            # What is usual in a July is known from Julys.
            for made in list(_departures(DepartureOf("difference", node)))[-1:]:
                yield Compare(made, sign, Number(0.0)) if sign else made  # type: ignore[arg-type]
        case Many(parts, apart) if not all(isinstance(part, Each | Mask) for part in parts):
            yield from _close_each(parts, apart)
        case _:
            found = _answer(phrase) or _fact(phrase) or _of_masks(phrase)
            if found is not None and not _is_open(found, isinstance(phrase, Series)):
                yield from _of_calendar_months(found)


def _of_calendar_months(node: Node) -> Iterable[Node]:
    """Yield an answer, with which month of the year is meant where "which month" is asked of no year.

    "In which month is NDVI lowest": that of all Januaries, or the January of one year. "July or August":
    all of them.
    """
    each = node.of if isinstance(node, Which) else None
    if not isinstance(each, Aggregate) or each.by != "month" or node.top != 1:  # type: ignore[attr-defined]
        yield node
        return
    whens = {leaf.when for leaf in leaves(each)}
    of_the_year: Node = replace(node, of=replace(each, by="calendar_month"))  # type: ignore[call-arg]
    if whens == {ALWAYS}:
        yield node
        yield of_the_year
    else:
        named = all(when.months and not when.spans for when in whens)
        yield of_the_year if named else node


def departure_from(found: DepartureOf, base: When, clouds: Clouds = "included") -> Node | None:
    """Return how far something dated lies from its usual state over the dates of a base."""
    at_base = set_time(found.node, base)
    if clouds != "included":
        at_base = fill_clouds(at_base, clouds) or at_base
    of, usual = number(found.node), series(at_base)
    if of is None or usual is None:
        return None
    return _if_sound(Anomaly(of, usual, found.how))  # type: ignore[arg-type]


def _departures(found: DepartureOf) -> Iterable[Node]:
    """Yield a departure from all dates, and from those of the same months: the question does not say."""
    whens = {leaf.when for leaf in leaves(found.node) if not getattr(leaf, "timeless", False)}
    when = whens.pop() if len(whens) == 1 else ALWAYS
    if when == ALWAYS:
        return
    months = months_in(when)
    for base in dict.fromkeys((ALWAYS, When(months=months)) if months else (ALWAYS,)):
        made = departure_from(found, base)
        if made is not None:
            yield made


def _each_condition(shown: Node) -> Node:
    """Return pixels that pass two limits as those that pass both: a map then tells all others too."""
    if not isinstance(shown, Compare) or not isinstance(shown.of, Variable):
        return shown
    if not isinstance(shown.of.where, Compare):
        return shown
    return both(replace(shown, of=replace(shown.of, where=None)), shown.of.where)


def _answer(phrase: Phrase) -> Node | None:
    """Return what is computed, with the defaults for what was not said."""
    match phrase:
        # Of these a mean tells nothing; at a place it is rather asked which class there is.
        case Raw(Variable(role="hillshade") as node) | Raw(Variable(role="landcover", where=None) as node):
            return _if_sound(Show(node, "map"))
        case Raw(Trend() as node):
            return _if_sound(Show(node, "map"))
        case Raw(node) | Measure(node):
            return number(node)
        case CourseOf(Phenology(gives="")):
            return None
        case Ranking(direction, node, nth, 1) if nth > 1 and (each := series(node)) is not None:
            return _if_sound(Which(each, direction, nth))
        case Series(node) | Value(node) | CourseOf(node):
            return node
        case StatPolygons(stat, polygons) if polygons.zones.by == "patch" and stat.statistic in _EXTREMES:
            # Which patch it is is told by its size.
            each = Aggregate("area", polygons.mask, "pixel", by=polygons.zones)
            return _if_sound(Aggregate(stat.statistic, each, "zone", parameter=stat.parameter))  # type: ignore[arg-type]
        case SuperlativeShare(zones, extreme, Node() as ground):
            each = Aggregate("area", ground, "pixel", by=zones)
            return _if_sound(Which(each, extreme.direction, extreme.nth, extreme.top))
        case Claim(node):
            return claim(node)
        case Versus(sign, left, right):
            return versus(sign, left, right)
        case Changes(how, _, left, right):
            return number(Combine(how, left, right))  # type: ignore[arg-type]
        case Display(inner, form, bins, width) if not isinstance(inner, ChangeOf):
            shown = _on_a_map(inner) if form in ("map", "histogram") else _list_of(inner)
            return _if_sound(Show(_each_condition(shown), form, bins, width)) if shown is not None else None
        case Pair(Time(When(at=Node() as one)), Time(When(at=Node() as other)), "and"):
            return Several((one, other))
    return None


_EXTREMES = ("max", "min")


def close_by_date(phrase: Phrase) -> Iterable[Node]:
    """Yield how many pixels, what share or area of them on each date: what is meant where no date is said.

    Unlike a mean of means, these have no usual sum over dates. A statistic over the dates at each pixel is
    a map.
    """
    match phrase:
        case Raw(Aggregate(over="date") as node) if kind_or_none(shown := Show(node, "map")) is not None:
            yield shown
        case Measure(Aggregate(statistic="count" | "area" | "share", over="pixel") as node) if kind_or_none(
            node
        ):
            yield node
        case AreaOf(node, unit) if kind_or_none(found := Aggregate("area", node, "pixel", unit=unit)):
            yield found
        case InUnit(inner, unit):
            yield from (Convert(node, unit) for node in close_by_date(inner))


def _fact(phrase: Phrase) -> Node | None:
    """Return what the data themselves say."""
    match phrase:
        case CountOf(Unit(of="date", clear=False)):
            return Facts("images")
        case Fact(about, by):
            return Facts(about, by=by)
        case FactOf(about, node, by):
            return Facts(about, node, by=by)
    return None


def _of_masks(phrase: Phrase) -> Node | None:
    """Return the area or share of a mask, and the zone that a statistic finds."""
    match phrase:
        case ShareOf(node) if isinstance(node, Place):
            return Aggregate("share", node, "pixel")
        case AreaOf(node, unit):
            return Aggregate("area", node, "pixel", unit=unit)
        case Mask(Hotspots() as node):
            return _if_sound(node)
        case RankedZone(node, member, direction):
            each = number(node)
            return _if_sound(Rank(each, member, direction)) if each else None
        case WhichZone(node, extreme):
            each = number(node)
            return _if_sound(Which(each, extreme.direction, extreme.nth, extreme.top)) if each else None
    return None


def _if_sound(node: Node) -> Node | None:
    return node if kind_or_none(node) is not None else None


def _relations(gives: str, over: str, left: Node, right: Node, by: Zones | None = None) -> Iterable[Node]:
    """Yield a relation over pixels, dates or zones; of pixels and dates both where none is said.

    Over the pixels ground that is said of one side is that of both: a pixel of it alone has two values.
    """
    if over == "zone":
        sides = number(left), number(right)
        made = Correlation(*sides, "zone", gives) if sides[0] and sides[1] else None  # type: ignore[arg-type]
        yield from (made,) if made is not None and kind_or_none(made) is not None else ()
        return
    wheres = {leaf.where for side in (left, right) for leaf in leaves(side) if leaf.where is not None}
    for axis in ("pixel", "date"):
        if over not in ("", axis) or axis == "pixel" and len(wheres) > 1:
            continue
        one, other = (left, right) if axis == "pixel" else (series(left), series(right))
        if axis == "pixel" and wheres:
            one, other = (set_place(side, next(iter(wheres))) for side in (left, right))
        if one is not None and other is not None:
            made = Correlation(one, other, axis, gives, by)  # type: ignore[arg-type]
            kinds = [kind_or_none(side) for side in (one, other)]
            if kind_or_none(made) and all(k and k.axes in ({axis}, {"pixel", "date"}) for k in kinds):
                yield made


def _convert(inner: Phrase, unit: str) -> Iterable[Node]:
    for node in close(inner):
        kind = kind_or_none(node)
        made = Convert(node, unit)
        if (
            kind is not None
            and (kind.unit or unit == DAY_OF_YEAR)
            and not isinstance(node, Convert)
            and kind_or_none(made) is not None
        ):
            yield made


def _on_a_map(item: Phrase) -> Node | None:
    """Return what a map of a meaning has: one raster, or zones."""
    if isinstance(item, ChangedBy):
        return change_mask(item)
    if isinstance(item, InUnit):
        inner = _on_a_map(item.of)
        converted = Convert(inner, item.unit) if inner is not None else None
        return inner if converted is None or _unit_of(inner) == item.unit else converted
    if isinstance(item, Changes):
        change = Combine(item.how, item.left, item.right)  # type: ignore[arg-type]
        return number(change) if _is_of_zones(change) else raster(change)
    if not isinstance(item, _WHOLE) or isinstance(node := item.node, Show):
        return None  # of what waits for more, its node alone would leave something out
    if isinstance(item, CourseOf):
        inner = node.of if isinstance(node, Trend) else None
        # A map of a trend has the slope of each pixel, where the series has that of the means.
        if isinstance(inner, Aggregate) and inner.over == "pixel" and inner.statistic == "mean":
            return replace(node, of=inner.of)  # type: ignore[call-arg]
        return None
    if isinstance(item, Measure | Series) and _is_of_zones(node):
        return number(node)  # each zone with its value
    if isinstance(item, Value) and (counted := _at_each_pixel(node)) is not None:
        return counted
    if isinstance(item, Measure) and isinstance(node, Aggregate) and node.by is None:
        # A weight is one of pixels among each other; a map keeps each pixel by itself.
        if node.weight is not None:
            return None
        turned = Aggregate(node.statistic, node.of, "date", parameter=node.parameter)
        return turned if kind_or_none(turned) is not None else None
    return raster(node)


def _is_of_zones(node: Node) -> bool:
    """Return whether it is a statistic of each zone: "NDVI by class" tells none, its pixels are mapped."""
    kind = kind_or_none(node)
    told = all("statistic" not in part.assumed for part in node.walk() if isinstance(part, Aggregate))
    return kind is not None and "zone" in kind.axes and told


_WHOLE = (Raw, Measure, Series, Value, Mask, CourseOf)


def _at_each_pixel(node: Node) -> Node | None:
    """Return on how many dates a condition holds at each pixel, where it was taken of the mean by default."""
    if not isinstance(node, Aggregate) or (node.over, node.by) != ("date", None):
        return None
    held = node.of
    if not isinstance(held, Compare) or "statistic" not in held.assumed or not isinstance(held.of, Aggregate):
        return None
    return _if_sound(replace(node, of=replace(held, of=held.of.of, assumed=())))


def _unit_of(node: Node | None) -> str:
    kind = kind_or_none(node) if node is not None else None
    return kind.unit if kind is not None else ""


def _list_of(item: Phrase) -> Node | None:
    """Return what a table or chart of a meaning has: numbers for each date or zone."""
    node = getattr(item, "node", None)
    if isinstance(item, Measure | Series | Value) and isinstance(node, Node):
        if isinstance(item, Measure) and isinstance(node, Aggregate) and node.by is not None:
            node = number(node) or node
        kind = kind_or_none(node)
        return node if kind is not None and kind.axes and "pixel" not in kind.axes else None
    return series(node) if isinstance(item, Raw) and isinstance(node, Node) else None


def _close_each(parts: tuple[Phrase, ...], apart: bool) -> Iterable[Node]:
    ways = [list(close(part)) for part in parts]
    # A part with two readings would give the whole as many, with nothing to tell them apart.
    if all(len(way) == 1 for way in ways):
        flat: list[Node] = []
        for way in ways:
            flat.extend(way[0].of if isinstance(way[0], Several) else way)
        made = Several(tuple(dict.fromkeys(flat)))
        if apart or not (is_partly_dated(made) or is_partly_placed(made)):
            yield made


def _is_open(node: Node, listed: bool = False) -> bool:
    """Return whether an expression is none that answers: a bare number, variable or mask for each date."""
    if isinstance(node, Variable | Number | Place):
        return True
    if isinstance(node, Majority):
        return not any(isinstance(leaf.where, Place) and leaf.where.by == "point" for leaf in leaves(node))
    kind = kind_or_none(node)
    if kind is None:
        return True
    counted = isinstance(found := node, Aggregate) and found.statistic in ("count", "area", "share")
    if counted and "date" in kind.axes and not listed:
        return True
    return {"pixel", "date"} <= kind.axes or (
        "pixel" in kind.axes and kind.value == "truth" and not _is_shown(node)
    )


def _is_shown(node: Node) -> bool:
    return type(node).__name__ in ("Show", "Several", "Hotspots")


_FALLEN = {"gt": "lt", "ge": "le"}


def where_changed(found: Changes, limit: Limit) -> Node | None:
    """Return where something rose or fell by more than a number, or by at least that."""
    left, right = raster(found.left), raster(found.right)
    if left is None or right is None:
        return None
    if found.how == "absolute_difference" and limit.sign in ("lt", "le"):
        return _if_sound(Compare(Combine(found.how, left, right), limit.sign, limit.number))  # type: ignore[arg-type]
    # "Rose by less than 0.1" would hold where it fell as well.
    if limit.sign not in _FALLEN:
        return None
    operator = limit.sign if found.sign >= 0 else _FALLEN[limit.sign]
    number = limit.number
    signed = Number(-number.value, number.unit) if found.sign < 0 and number.value else number
    made = Compare(Combine(found.how, left, right), operator, signed)  # type: ignore[arg-type]
    return made if kind_or_none(made) is not None else None


def change_mask(found: ChangedBy) -> Node | None:
    """Return where something changed by more than a limit."""
    changes = found.of
    if not isinstance(changes, Changes) or changes.measured:
        return None
    how = "percent_change" if found.limit.number.unit == "%" else changes.how
    if not changes.sign:
        if how != "difference" or not found.limit.number.value:
            return None
        how = "absolute_difference"
    return where_changed(replace(changes, how=how), found.limit)
