"""Polygons of a vector file and patches of a mask by themselves: how many, how large together, on average."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import (
    Aggregate,
    Compare,
    Number,
    Place,
    Several,
    Which,
    Zones,
)
from treeline.core.query.grammar.groups import MOST_APART, ground_of_all_zones, group, zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.counts import Area, AreaOf, Count, CountOf, Unit
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.places import (
    EachPolygon,
    Mask,
    PatchSize,
    Polygons,
    StatArea,
    StatPolygons,
)
from treeline.core.query.phrases.ranks import Extreme
from treeline.core.query.phrases.values import Each, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import as_mask, fill_place


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


@rule(Mask, Unit, either=True)
def polygons_of(mask: Mask, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Forest + polygons; forest + patches."""
    node = mask.node
    if unit.of == "zone" and isinstance(node, Place) and node.by == "feature":
        yield Polygons(Zones("feature", source=node.source), node)
    # Where regions have names of their own, "forest regions" may be those with forest.
    patches = unit.of == "patch" or unit.of == "zone" and not _named_regions(names)
    if patches and (unit.of == "patch" or isinstance(node, Place) and node.by == "class"):
        yield Polygons(Zones("patch", of=as_mask(node)), as_mask(node))


def _named_regions(names: Names) -> bool:
    return any(ground.by == "feature" and ground.noun != "class" for ground in names.inventory.grounds)


@rule(Word, (Mask, Polygons))
def connected_patches(word: Word, item: Mask | Polygons, names: Names) -> Iterable[Phrase]:
    """Connected + forest; separate + lakes: patches, each by itself."""
    if word.name != "patchwise":
        return
    if isinstance(item, Mask):
        yield Polygons(Zones("patch", of=as_mask(item.node)), as_mask(item.node))
    elif item.zones.by == "patch":
        yield item


@rule(Polygons, Unit)
def patches_named_twice(polygons: Polygons, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Connected forest + patches."""
    if unit.of == "patch" and polygons.zones.by == "patch":
        yield polygons


@rule(Stat, Polygons)
def extreme_polygon(stat: Stat, polygons: Polygons, names: Names) -> Iterable[Phrase]:
    """Largest + forest polygon."""
    if stat.over is None:
        yield StatPolygons(stat, polygons)


@rule(Stat, Area)
def statistic_of_area(stat: Stat, area: Area, names: Names) -> Iterable[Phrase]:
    """Mean + size."""
    if stat.over is None and stat.statistic != "sum":
        yield StatArea(stat, area.unit)


@rule(Unit, Area)
def patch_size(unit: Unit, area: Area, names: Names) -> Iterable[Phrase]:
    """Patch + size."""
    if unit == Unit("patch"):
        yield PatchSize(area.unit)


@rule(Stat, PatchSize)
def statistic_of_patch_size(stat: Stat, size: PatchSize, names: Names) -> Iterable[Phrase]:
    """Mean + patch size."""
    if stat.over is None and stat.statistic != "sum":
        yield StatArea(stat, size.unit, of_patches=True)


@rule(StatArea, Mask)
def of_patches_of(found: StatArea, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Mean patch size + of grassland."""
    if found.of_patches:
        polygons = Polygons(Zones("patch", of=as_mask(mask.node)), as_mask(mask.node))
        yield from size_of(StatPolygons(found.stat, polygons), Area(found.unit), names)


@rule(Extreme, Polygons, cost=1)
def ground_of_the_largest_polygon(extreme: Extreme, polygons: Polygons, names: Names) -> Iterable[Phrase]:
    """NDVI of the largest + forest polygon: that polygon as ground."""
    if extreme.top == 1 and polygons.zones.by == "feature":
        each = Aggregate("area", polygons.mask, "pixel", by=polygons.zones)
        found = Which(each, extreme.direction, extreme.nth)
        yield Mask(Place("feature", source=polygons.zones.source, at=found))


@rule(Word, Polygons)
def each_polygon_of(word: Word, polygons: Polygons, names: Names) -> Iterable[Phrase]:
    """Each + forest polygon."""
    if word.name == "per":
        yield EachPolygon(polygons)


@rule(Area, EachPolygon)
def area_of_each_polygon(area: Area, each: EachPolygon, names: Names) -> Iterable[Phrase]:
    """Area of + each forest polygon."""
    yield Series(Aggregate("area", each.of.mask, "pixel", by=each.of.zones, unit=area.unit))


@rule((Raw, Measure), EachPolygon)
def of_each_polygon(item: Raw | Measure, each: EachPolygon, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of + each forest polygon."""
    placed = fill_place(item, each.of.mask)
    if isinstance(placed, Raw | Measure):
        yield from group(placed, Each("zone", each.of.zones), names)


@rule(StatArea, Polygons)
def area_of_polygons(found: StatArea, polygons: Polygons, names: Names) -> Iterable[Phrase]:
    """Mean size + of forest polygons."""
    yield from size_of(StatPolygons(found.stat, polygons), Area(found.unit), names)


@rule(Area, Polygons)
def area_of_them_all(area: Area, polygons: Polygons, names: Names) -> Iterable[Phrase]:
    """Total area of + grassland polygons: of all together."""
    yield AreaOf(polygons.mask, area.unit)


@rule(StatPolygons, Area, either=True)
def size_of(found: StatPolygons, area: Area, names: Names) -> Iterable[Phrase]:
    """Largest forest polygon + in ha."""
    each = Aggregate("area", found.polygons.mask, "pixel", by=found.polygons.zones, unit=area.unit)
    made = Aggregate(found.stat.statistic, each, "zone", parameter=found.stat.parameter)  # type: ignore[arg-type]
    if kind_or_none(made) is not None:
        yield Value(made)


@rule(Series, Area)
def areas_in_unit(item: Series, area: Area, names: Names) -> Iterable[Phrase]:
    """Area of each class + in ha."""
    node = item.node
    if (
        isinstance(node, Aggregate)
        and node.statistic == "area"
        and node.unit in ("", area.unit)
        and area.unit
    ):
        yield Series(replace(node, unit=area.unit))


@rule(Count, Polygons)
def how_many_polygons(count: Count, polygons: Polygons, names: Names) -> Iterable[Phrase]:
    """How many + forest polygons."""
    each = Aggregate("area", polygons.mask, "pixel", by=polygons.zones)
    yield Value(Aggregate("count", Compare(each, "gt", Number(0.0, "ha")), "zone"))


@rule(CountOf, Each)
def polygons_of_each_class(counted: CountOf, each: Each, names: Names) -> Iterable[Phrase]:
    """How many polygons + of each class."""
    zones = each.zones
    every = ground_of_all_zones(zones, names) if zones is not None else None
    if counted.unit.of != "zone" or not isinstance(every, Place) or every.by != "feature":
        return
    grounds = [replace(every, names=(name,)) for name in every.names]
    ways = [
        list(how_many_polygons(Count(), p, names))
        for g in grounds
        for p in polygons_of(Mask(g), counted.unit, names)
    ]
    parts = [way.node for (way,) in ways if isinstance(way, Value)]
    if 1 < len(parts) <= MOST_APART and len(parts) == len(grounds):
        yield Value(Several(tuple(parts)))


@rule(Value, Limit)
def polygons_that_pass(item: Value, limit: Limit, names: Names) -> Iterable[Phrase]:
    """How many forest polygons + are larger than 1 ha."""
    node = item.node
    if not isinstance(node, Aggregate) or (node.statistic, node.over) != ("count", "zone"):
        return
    held = node.of
    if isinstance(held, Compare) and held.limit == Number(0.0, "ha") and limit.number.unit:
        passed = Compare(held.of, limit.sign, limit.number, limit.upper)  # type: ignore[arg-type]
        if kind_or_none(passed) is not None:
            yield Value(replace(node, of=passed))


@rule(Value, Area)
def size_in_unit(item: Value, area: Area, names: Names) -> Iterable[Phrase]:
    """Size of the largest polygon, + in ha."""
    node = item.node
    if not area.unit or not isinstance(node, Aggregate) or not isinstance(node.of, Aggregate):
        return
    if node.of.statistic == "area" and node.of.unit in ("", area.unit):
        yield Value(replace(node, of=replace(node.of, unit=area.unit)))
