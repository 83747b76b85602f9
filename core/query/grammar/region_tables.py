"""Tables of the classes of each region: one after the other, and told as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Aggregate, Node, Place, Several, Zones
from treeline.core.query.grammar.groups import MOST_APART, ground_of_all_zones, grouping_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.conditions import ZoneQuantifier
from treeline.core.query.phrases.phrase import Many, Phrase
from treeline.core.query.phrases.values import Each, Measure, Value
from treeline.core.query.slots import fill_place, leaves, rebuild


@rule(Measure, (Each, ZoneQuantifier))
def by_class_in_each_region(item: Measure, each: Each | ZoneQuantifier, names: Names) -> Iterable[Phrase]:
    """Mean LST per class + in each region, or per region + and class."""
    told, further, node = grouping_of(item), each.zones, item.node
    if isinstance(each, ZoneQuantifier) and each.quantifier != "every" or told is None or further is None:
        return
    kinds = {told.by: told, further.by: further}
    if set(kinds) == {"class", "feature"} and isinstance(node, Aggregate):
        parts = _in_each(replace(node, by=kinds["class"]), kinds["feature"], names)
        if parts and all(kind_or_none(part) is not None for part in parts):
            yield Value(Several(parts))


@rule(Many, (Each, ZoneQuantifier))
def several_by_class_in_each_region(
    many: Many, each: Each | ZoneQuantifier, names: Names
) -> Iterable[Phrase]:
    """Mean and maximum LST per class + in each region."""
    tables = [part for part in many.of if isinstance(part, Measure)]
    ways = [list(by_class_in_each_region(table, each, names)) for table in tables]
    if len(tables) == len(many.of) and all(len(way) == 1 for way in ways):
        yield Many(tuple(way[0] for way in ways))


def _in_each(table: Node, zones: Zones, names: Names) -> tuple[Node, ...]:
    """Return a table in each region by itself; none where there are too many to be read."""
    every = ground_of_all_zones(zones, names)
    named = zones.names or (every.names if isinstance(every, Place) else ())
    if not isinstance(every, Place) or not 1 < len(named) <= MOST_APART:
        return ()
    parts = [fill_place(table, replace(every, names=(name,))) for name in named]
    return tuple(part for part in parts if part is not None)


def region_by_region(node: Several, names: Names) -> tuple[Aggregate, Zones] | None:
    """Return the table that is told in each of all regions, and these; ``None`` for anything else."""
    table = node.of[0]
    wheres = {leaf.where for leaf in leaves(table)}
    place = wheres.pop() if len(wheres) == 1 else None
    if not isinstance(table, Aggregate) or not isinstance(place, Place) or place.by != "feature":
        return None
    bare: Aggregate = rebuild(table, lambda leaf: replace(leaf, where=None))
    zones = Zones("feature", source=place.source, attribute=place.attribute)
    return (bare, zones) if _in_each(bare, zones, names) == node.of else None
