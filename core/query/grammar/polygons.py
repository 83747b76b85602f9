"""Polygons of a vector file by themselves: how many, how large together, how large on average."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.query.expression import Aggregate, Compare, Number, Place, Zones
from treeline.core.query.grammar.groups import ground_of_all_zones, size_of, zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.counts import Area, AreaOf, Count, Unit
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.places import Mask, Polygons, StatArea, StatPolygons
from treeline.core.query.phrases.values import Value


def all_polygons(unit: Unit, names: Names) -> Polygons | None:
    """Return the polygons that a noun means, each by itself; ``None`` where there are none."""
    zones = zones_of(unit, names) if unit.of == "zone" and not unit.clear else None
    if zones is None or zones.by != "feature" or zones.names:
        return None
    if zones.attribute:
        if not _tells_polygons_apart(zones, names):
            return None
        zones = Zones("feature", source=zones.source)
    every = ground_of_all_zones(zones, names)
    return Polygons(zones, every) if every is not None else None


def _tells_polygons_apart(zones: Zones, names: Names) -> bool:
    """Return whether an attribute names polygons, not regions or classes that several may make up."""
    return any(
        (ground.source, ground.attribute) == (zones.source, zones.attribute)
        and ground.noun == ground.geometry == "polygon"
        for ground in names.inventory.grounds
    )


@rule(Count, Unit)
def number_of_polygons(count: Count, unit: Unit, names: Names) -> Iterable[Phrase]:
    """How many + polygons: those that have an area."""
    found = all_polygons(unit, names)
    if found is not None:
        each = Aggregate("area", found.mask, "pixel", by=found.zones)
        yield Value(Aggregate("count", Compare(each, "gt", Number(0.0, "ha")), "zone"))


@rule(Area, Unit)
def area_of_all_polygons(area: Area, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Total area + of the polygons."""
    found = all_polygons(unit, names)
    if found is not None:
        yield AreaOf(found.mask, area.unit)


@rule(StatArea, Unit)
def statistic_of_their_areas(found: StatArea, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Mean size + of the polygons."""
    polygons = all_polygons(unit, names)
    if polygons is not None:
        yield from size_of(StatPolygons(found.stat, polygons), Area(found.unit), names)


@rule(Unit, Mask)
def class_by_name(unit: Unit, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Class + forest: the word for what the name is."""
    named = (
        isinstance(mask.node, Place) and mask.node.by in ("class", "feature") and len(mask.node.names) == 1
    )
    if unit.of == "class" and not unit.clear and named:
        yield mask
