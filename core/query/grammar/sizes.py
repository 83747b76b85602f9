"""Sizes of ground: which is larger, which zones are larger than so much or have so much of something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import (
    Aggregate,
    Cloud,
    Combine,
    Compare,
    Dates,
    Node,
    Place,
    Which,
    Zones,
)
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.groups import ground_of_all_zones, named_zones, zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import Change, HasMore, Larger, LargerThan, Versus
from treeline.core.query.phrases.conditions import Condition, Limit
from treeline.core.query.phrases.counts import CountOf, SharedUnit, ShareLimit, SizeLimit, Unit
from treeline.core.query.phrases.phrase import Join, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.values import Amount, Series, Value
from treeline.core.query.slots import as_mask, clashes, fill_place, leaves
from treeline.toolkit.units import UNITS


@rule(Larger, Join)
def larger_than(larger: Larger, join: Join, names: Names) -> Iterable[Phrase]:
    """Larger + than."""
    if join.by == "than" and not larger.than:
        yield replace(larger, than=True)


@rule(Mask, Larger)
def first_ground(mask: Mask, larger: Larger, names: Names) -> Iterable[Phrase]:
    """The forest + is larger than."""
    if larger.than and not leaves(mask.node):
        yield LargerThan(larger.sign, mask.node)


@rule(Larger, Amount)
def larger_than_a_share(larger: Larger, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Covers more than + 60 %, of everything to come; larger than + 100 ha."""
    if larger.than and (amount.number.unit == "%" or _is_area(amount.number.unit)):
        yield Limit(larger.sign, amount.number)


@rule(Larger, Pair)
def more_ground(larger: Larger, pair: Pair, names: Names) -> Iterable[Phrase]:
    """More + forest than grassland: a claim on their areas."""
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if pair.by != "than" or larger.than or len(grounds) < 2 or any(map(leaves, grounds)):
        return
    if all(isinstance(ground, Place) for ground in grounds) and grounds[0].by != grounds[1].by:  # type: ignore[attr-defined]
        yield HasMore(larger.sign, *grounds)
    else:
        left, right = (Aggregate("area", as_mask(ground), "pixel") for ground in grounds)
        yield Condition(Compare(left, larger.sign, right))  # type: ignore[arg-type]


@rule(Mask, HasMore)
def has_more_than(mask: Mask, found: HasMore, names: Names) -> Iterable[Phrase]:
    """Marshend + has more forest than Willowbank: a claim on the areas of forest in both."""
    place, second = mask.node, found.second
    if isinstance(place, Place) and isinstance(second, Place) and place.by == second.by and place != second:
        left, right = (Aggregate("area", both(found.ground, one), "pixel") for one in (place, second))
        yield Condition(Compare(left, found.sign, right))  # type: ignore[arg-type]


@rule(Word, HasMore)
def has_more(word: Word, found: HasMore, names: Names) -> Iterable[Phrase]:
    """Has + more forest than Willowbank."""
    if word.name == "has":
        yield found


@rule(LargerThan, Mask)
def second_ground(found: LargerThan, mask: Mask, names: Names) -> Iterable[Phrase]:
    """The forest is larger than + the grassland: a claim on their areas."""
    if not leaves(mask.node) and mask.node != found.node:
        left, right = (Aggregate("area", as_mask(node), "pixel") for node in (found.node, mask.node))
        yield Versus(found.sign, left, right)


@rule(Larger, Pair)
def which_ground(larger: Larger, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which is larger, + the forest or the grassland."""
    zones = named_zones((pair.left, pair.right)) if pair.by == "or" and not larger.than else None
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if zones is None or not all(isinstance(ground, Place) for ground in grounds):
        return
    every = Place(zones.by, tuple(sorted(zones.names)), zones.source, zones.attribute)  # type: ignore[arg-type]
    each = Aggregate("area", every, "pixel", by=zones)
    yield Value(Which(each, "highest" if larger.sign == "gt" else "lowest"))


# --- So large, with so much of something ----------------------------------------------------------


def _is_area(unit: str) -> bool:
    return unit in UNITS and UNITS[unit].quantity == "area"


def _is_size(limit: Limit) -> bool:
    return limit.number.unit == "%" or _is_area(limit.number.unit)


@rule(Limit, Mask)
def so_much_of_a_ground(limit: Limit, mask: Mask, names: Names) -> Iterable[Phrase]:
    """More than 500 ha + of forest; more than 30 % + forest."""
    kind = kind_or_none(mask.node)
    if _is_size(limit) and not isinstance(mask.node, Cloud) and kind is not None and kind.axes == {"pixel"}:
        yield SizeLimit(limit, mask.node)


@rule(SizeLimit, (Mask, Location))
def so_much_of_a_ground_is(found: SizeLimit, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Is more than half of the forest + above 700 m: of its pixels."""
    if found.limit.number.unit != "%" or found.node == mask.node:
        return
    if leaves(mask.node):
        inside = fill_place(mask.node, found.node)
        share = Aggregate("share", inside, "pixel") if isinstance(inside, Node) else None
    else:
        share = Aggregate("share", mask.node, "pixel", within=as_mask(found.node))
    made = compare(share, found.limit) if share is not None else None
    yield from (Condition(made),) if made is not None and kind_or_none(made) is not None else ()


@rule((Unit, CountOf, SharedUnit), (SizeLimit, ShareLimit, Limit))
def zones_of_a_size(
    asked: Unit | CountOf | SharedUnit, found: SizeLimit | ShareLimit | Limit, names: Names
) -> Iterable[Phrase]:
    """Which regions have + more than 500 ha of forest; which classes cover + less than 5 % of the scene."""
    unit = asked if isinstance(asked, Unit) else asked.unit
    zones = zones_of(unit, names)
    limit = found if isinstance(found, Limit) else found.limit
    ground = found.node if isinstance(found, SizeLimit) else None
    if zones is None or not _is_size(limit):
        return
    if isinstance(found, Limit) and unit.of != "class" and limit.number.unit == "%":
        return  # of a region it may be the share of anything
    if isinstance(asked, CountOf) and ground is None and zones.by == "feature":
        return  # as polygons that are counted by their size
    for passed in _sizes(zones, ground, limit, names):
        if isinstance(asked, Unit):
            yield Value(Dates(passed))
        else:
            yield Value(Aggregate("count" if isinstance(asked, CountOf) else "share", passed, "zone"))


def _sizes(zones: Zones, ground: Node | None, limit: Limit, names: Names) -> Iterator[Node]:
    measured = ground_of_all_zones(zones, names) if ground is None else as_mask(ground)
    if measured is None:
        return
    each = (
        Aggregate("share", measured, "pixel", by=zones)
        if limit.number.unit == "%"
        else Aggregate("area", measured, "pixel", by=zones)
    )
    made = compare(each, limit)
    if made is not None:
        yield made


@rule((Mask, Location), (SizeLimit, Limit))
def ground_of_a_size(mask: Mask | Location, found: SizeLimit | Limit, names: Names) -> Iterable[Phrase]:
    """Marshend has + more than 500 ha of forest; is + larger than 2000 ha."""
    limit = found if isinstance(found, Limit) else found.limit
    ground = found.node if isinstance(found, SizeLimit) else None
    if leaves(mask.node) or not _is_size(limit) or ground == mask.node:
        return
    size: Node
    if limit.number.unit != "%":
        joined = as_mask(mask.node) if ground is None else both(as_mask(mask.node), as_mask(ground))
        if clashes(joined):
            return
        size = Aggregate("area", joined, "pixel")
    elif ground is None:
        return
    else:
        size = Aggregate("share", ground, "pixel", within=as_mask(mask.node))
    made = compare(size, limit)
    if made is not None:
        yield Condition(made)


@rule(Series, (Mask, Location))
def sizes_within(item: Series, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Area of each class + in Oakhollow; share of each class + above 400 m."""
    node = item.node
    if not isinstance(node, Aggregate) or not isinstance(node.by, Zones) or not isinstance(node.of, Place):
        return
    own = node.by.by == node.of.by == "class"
    if not own or isinstance(mask.node, Place) and mask.node.by == "class":
        return
    if node.statistic == "area":
        made = replace(node, of=both(node.of, as_mask(mask.node)))
    elif node.statistic == "share" and node.within is None:
        made = replace(node, within=as_mask(mask.node))
    else:
        return
    if kind_or_none(made) is not None:
        yield Series(made)


@rule(Change, Pair)
def ratio_of_grounds(change: Change, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Ratio of + forest to grassland: of their areas."""
    grounds = [as_mask(side.node) for side in (pair.left, pair.right) if isinstance(side, Mask)]
    named = len(grounds) == 2 and all(isinstance(ground, Place) for ground in grounds)
    if change == Change("ratio") and pair.by in ("to", "and") and named and grounds[0] != grounds[1]:
        left, right = (Aggregate("area", ground, "pixel") for ground in grounds)
        yield Value(Combine("ratio", left, right))
