"""Groups: one result for each class, polygon, month, season, year; which of them; what regions have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import by_zones, depth_of, kind_or_none, series
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Compare,
    Node,
    Not,
    Number,
    Place,
    Several,
    Trend,
    Valid,
    Variable,
    Which,
    Zones,
)
from treeline.core.query.grammar.registry import rule
from treeline.core.query.inventory import NamedGround
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Display, InUnit
from treeline.core.query.phrases.comparisons import Changes
from treeline.core.query.phrases.conditions import Claim, Condition, ZoneQuantifier
from treeline.core.query.phrases.counts import Area, AreaOf, Share, ShareEach, ShareOf, Unit
from treeline.core.query.phrases.courses import CourseOf
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import (
    Location,
    Mask,
)
from treeline.core.query.phrases.values import Amount, Each, Measure, Raw, Series, Value
from treeline.core.query.slots import as_mask, leaves

PERIODS = ("month", "quarter", "season", "year", "calendar_month")


@rule(Word, Unit)
def for_each(word: Word, unit: Unit, names: Names) -> Iterable[Phrase]:
    """By + region; per + class; each + date."""
    if word.name != "per" or unit.clear:
        return
    zones = zones_of(unit, names)
    if zones is not None:
        yield Each("zone", zones)
    elif unit.of in PERIODS or unit.of in ("date", "patch"):
        yield Each(unit.of)


def zones_of(unit: Unit, names: Names) -> Zones | None:
    """Return the zones that a noun means; ``None`` where there are none, or several kinds."""
    if unit.zones is not None:
        return unit.zones
    if unit.of == "class":
        ground = class_ground(names)
        return None if ground is None else zones_in(ground)
    if unit.of == "zone":
        grounds = [g for g in names.inventory.grounds if g.by == "feature" and g.noun != "class"]
        if len(grounds) == 1:
            return zones_in(grounds[0])
        every = [g for g in names.inventory.grounds if g.by == "feature"]
        if not grounds and len(every) == 1:
            return Zones("feature", source=every[0].source)
    return None


def class_ground(names: Names) -> NamedGround | None:
    """Return where the classes are named: of a raster, else of a vector file."""
    classes = [g for g in names.inventory.grounds if g.by == "class" or g.noun == "class"]
    named = [g for g in classes if g.names] or classes
    return sorted(named, key=lambda g: g.by != "class")[0] if named else None


def zones_in(ground: NamedGround) -> Zones:
    """Return all zones of one kind."""
    return Zones(
        "class" if ground.by == "class" else "feature", source=ground.source, attribute=ground.attribute
    )


@rule(Amount, (Each, Unit), cost=1)
def all_years(amount: Amount, years: Each | Unit, names: Names) -> Iterable[Phrase]:
    """Three + yearly means, which of the three + years: where the images are of three years."""
    there = {date.year for date in names.inventory.dates}
    if years in (Each("year"), Unit("year")) and amount.number == Number(float(len(there))):
        yield years


@rule(Word, Many)
def for_each_of(word: Word, said: Many, names: Names) -> Iterable[Phrase]:
    """Each of + several named places."""
    zones = named_zones(said.of)
    if word.name == "per" and zones is not None:
        yield Each("zone", zones)


@rule(Unit, (Mask, Location))
def every_one_but(unit: Unit, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Which land cover class + other than the forest: each of the others that have a name."""
    zones = zones_of(unit, names)
    out = mask.node.of if isinstance(mask.node, Not) else None
    if zones is None or zones.names or not isinstance(out, Place) or not out.names:
        return
    kind = (out.by, out.source, out.attribute)
    ground = next((g for g in names.inventory.grounds if (g.by, g.source, g.attribute) == kind), None)
    if ground is None or (zones.by, zones.source, zones.attribute) != kind:
        return
    left_out = {name.casefold() for name in out.names}
    others = tuple(name for name in ground.names if name.casefold() not in left_out)
    if 1 < len(others) < len(ground.names):
        yield replace(unit, zones=replace(zones, names=others))


def named_zones(places: tuple[Phrase, ...]) -> Zones | None:
    """Return places of one kind as zones."""
    nodes = [place.node for place in places if isinstance(place, Mask) and isinstance(place.node, Place)]
    kinds = {(node.by, node.source, node.attribute) for node in nodes}
    if len(nodes) != len(places) or len(kinds) != 1 or any(len(node.names) != 1 for node in nodes):
        return None
    by, source, attribute = kinds.pop()
    if by not in ("class", "feature", "facing", "site", "side"):
        return None
    return Zones(by, tuple(node.names[0] for node in nodes), source, attribute)


@rule(Word, Pair)
def for_each_of_two(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Each of + forest and grassland."""
    zones = named_zones((pair.left, pair.right))
    if word.name == "per" and pair.by == "and" and zones is not None:
        yield Each("zone", zones)


@rule(Series, (Pair, Many))
def course_of_named(item: Series, places: Pair | Many, names: Names) -> Iterable[Phrase]:
    """Monthly NDVI + of forest and grassland: of each."""
    yield from group_named(item, places, names)


@rule((Raw, Measure), (Pair, Many), cost=2)
def group_named(item: Raw | Measure | Series, places: Pair | Many, names: Names) -> Iterable[Phrase]:
    """Mean NDVI over time + forest and grassland: of each, where one chart is to show both."""
    if isinstance(places, Many):
        zones = named_zones(places.of)
    else:
        zones = named_zones((places.left, places.right)) if places.by in ("and", "versus") else None
    made = by_zones(item.node, zones) if zones is not None else None
    if made is not None and kind_or_none(made) is not None:
        yield Series(made)


@rule(CourseOf, Each, either=True)
def course_of_each(item: CourseOf, each: Each, names: Names) -> Iterable[Phrase]:
    """NDVI trend + of each class."""
    made = by_zones(item.node, each.zones) if each.zones is not None else None
    if isinstance(made, Trend) and kind_or_none(made) is not None:
        yield CourseOf(made)


@rule((Raw, Measure), Each, either=True)
def group(item: Raw | Measure, each: Each, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + by region; monthly + NDVI; NDVI + of each date."""
    if each.zones is not None:
        made = by_zones(item.node, each.zones)
        if made is not None and kind_or_none(made) is not None:
            yield Measure(made)
    elif each.axis == "date" or (each.axis == "time" and not _spreads(item.node)):
        found = series(item.node)
        kind = kind_or_none(found) if found is not None else None
        if found is not None and kind is not None and "date" in kind.axes:
            yield Series(found)


def _spreads(node: Node) -> bool:
    """Return whether a statistic tells how much values differ, which over time is one number."""
    return isinstance(node, Aggregate) and node.statistic in SPREADS


SPREADS = frozenset({"std", "variance", "range", "iqr", "cv", "mad"})


@rule((Raw, Measure), Each, either=True, cost=1)
def by_period(item: Raw | Measure, each: Each, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + per month."""
    if each.axis in PERIODS:
        yield from _by_period(item.node, each.axis)


@rule(InUnit, Each)
def group_in_unit(item: InUnit, each: Each, names: Names) -> Iterable[Phrase]:
    """Temperature in Celsius + of each class."""
    if isinstance(item.of, Raw | Measure):
        for made in (*group(item.of, each, names), *by_period(item.of, each, names)):
            yield InUnit(made, item.unit)


def _by_period(node: Node, period: str) -> Iterable[Phrase]:
    each = series(node)
    kind = kind_or_none(each) if each is not None else None
    if each is None or kind is None or "date" not in kind.axes or not isinstance(each, Aggregate):
        return
    if (depth := depth_of(each)) is not None:
        yield Series(Aggregate("sum", depth, "date", by=period))  # type: ignore[arg-type]
    elif each.statistic in ("mean", "share", "area", "count"):
        yield Series(Aggregate("mean", each, "date", by=period, assumed=("dates",)))  # type: ignore[arg-type]
    elif each.by is None:
        yield Series(replace(each, over="all", by=period, assumed=("over",)))  # type: ignore[arg-type]


@rule(Many, Each, either=True)
def each_grouped(many: Many, each: Each, names: Names) -> Iterable[Phrase]:
    """Mean and standard deviation of NDVI + per class, per month; area and mean NDVI + per class."""
    ways = [list(_by_each(part, each, names)) for part in many.of]
    if all(len(way) == 1 for way in ways):
        yield Many(tuple(way[0] for way in ways))


def _by_each(part: Phrase, each: Each, names: Names) -> Iterable[Phrase]:
    """Yield one of several things for each zone, date or period."""
    if isinstance(part, Area):
        yield from area_of_each(part, each, names)
    elif isinstance(part, AreaOf):
        yield from areas_by(part, each, names)
    elif isinstance(part, Raw | Measure):
        yield from (by_period if each.axis in PERIODS else group)(part, each, names)


@rule(Changes, Each)
def difference_by_period(found: Changes, each: Each, names: Names) -> Iterable[Phrase]:
    """Difference in NDVI between forest and grassland + per year: of their means of each year."""
    if each.axis in PERIODS and not found.sign:
        sides = [way for side in (found.left, found.right) for way in _by_period(side, each.axis)]
        nodes = [side.node for side in sides if isinstance(side, Series)]
        made = Combine(found.how, *nodes) if len(nodes) == 2 else None  # type: ignore[arg-type]
        if made is not None and kind_or_none(made) is not None:
            yield Series(made)


@rule(AreaOf, Each)
def area_of_each_patch(item: AreaOf, each: Each, names: Names) -> Iterable[Phrase]:
    """Area of the forest + for each patch."""
    if each.axis == "patch":
        mask = as_mask(item.node)
        yield Series(Aggregate("area", mask, "pixel", by=Zones("patch", of=mask), unit=item.unit))


@rule(AreaOf, Each, either=True)
def areas_by(item: AreaOf, each: Each, names: Names) -> Iterable[Phrase]:
    """Area with NDVI above 0.7 + by class."""
    made = Aggregate("area", as_mask(item.node), "pixel", by=each.zones, unit=item.unit)
    kind = kind_or_none(made)
    if kind is not None and (
        each.zones is not None or (each.axis in ("date", "time") and "date" in kind.axes)
    ):
        yield Series(made)


@rule(Area, Each)
def area_of_each(area: Area, each: Each, names: Names) -> Iterable[Phrase]:
    """Area + per class."""
    if each.zones is not None:
        every = ground_of_all_zones(each.zones, names)
        if every is not None:
            yield Series(Aggregate("area", every, "pixel", by=each.zones, unit=area.unit))


@rule(Area, Join)
def area_and(area: Area, join: Join, names: Names) -> Iterable[Phrase]:
    """Area + and, another to be told by the same zones."""
    if join.by == "and":
        yield Half(area, "and")


@rule(Half, (Series, Measure))
def all_by_the_zones_of_the_last(half: Half, last: Series | Measure, names: Names) -> Iterable[Phrase]:
    """Area and + mean NDVI of each class: both class by class."""
    zones, left = grouping_of(last), half.left
    if half.by != "and" or zones is None:
        return
    parts = left.of if isinstance(left, Many) else (left,)
    ways = [list(_to_each(part, Each("zone", zones), names)) for part in parts]
    if all(len(way) == 1 for way in ways):
        yield Many((*(way for (way,) in ways), last))


def grouping_of(item: Phrase) -> Zones | None:
    """Return the zones by which something is told; ``None`` where it is not."""
    node = item.node if isinstance(item, Measure | Series) else None
    by = node.by if isinstance(node, Aggregate) else None
    return by if isinstance(by, Zones) else None


def _to_each(item: Phrase, each: Each, names: Names) -> Iterable[Phrase]:
    """Yield what is told without a place or zones, by zones."""
    if isinstance(item, Area):
        yield from area_of_each(item, each, names)
    elif grouping_of(item) is not None or any(leaf.where is not None for leaf in leaves(item)):
        return
    elif isinstance(item, Raw | Measure):
        yield from group(item, each, names)
    elif isinstance(item, AreaOf):
        yield from areas_by(item, each, names)


@rule(Half, Area)
def and_area(half: Half, area: Area, names: Names) -> Iterable[Phrase]:
    """Mean NDVI and + area, both to be told by zones."""
    parts = half.left.of if isinstance(half.left, Many) else (half.left,)
    if half.by == "and" and all(isinstance(part, Raw | Measure) for part in parts):
        yield Many((*parts, area))


@rule(Half, (Raw, Measure))
def area_and_another(half: Half, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Area and + mean NDVI, both to be told by zones."""
    if half.by == "and" and isinstance(half.left, Area):
        yield Many((half.left, item))


@rule(Series, Mask)
def area_of_each_that_passes(item: Series, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Area of each region + with NDVI above 0.7."""
    node = item.node
    if not isinstance(node, Aggregate) or node.statistic != "area" or not leaves(mask.node):
        return
    if isinstance(node.by, Zones) and node.of == ground_of_all_zones(node.by, names):
        yield Series(replace(node, of=as_mask(mask.node)))


@rule(ShareOf, Each)
def share_of_each_zone(share: ShareOf, each: Each, names: Names) -> Iterable[Phrase]:
    """Share of the area + per class."""
    if share.node is None:
        yield from share_of_each(Share(), each, names)
    elif each.zones is not None and not leaves(share.node):
        yield Series(Aggregate("share", share.node, "pixel", by=each.zones))


@rule(Value, (Each, ZoneQuantifier))
def largest_class_in_each(item: Value, each: Each | ZoneQuantifier, names: Names) -> Iterable[Phrase]:
    """Largest class + in each region: region by region."""
    node, zones = item.node, each.zones
    if isinstance(each, ZoneQuantifier) and each.quantifier != "every" or zones is None:
        return
    every = ground_of_all_zones(zones, names)
    if not isinstance(node, Which) or not isinstance(node.of, Aggregate) or not isinstance(every, Place):
        return
    if node.of.statistic == "area" and zones.by == "feature" and getattr(node.of.by, "by", "") == "class":
        named = zones.names or every.names
        grounds = [replace(every, names=(name,)) for name in named]
        parts = [replace(node, of=replace(node.of, of=both(node.of.of, ground))) for ground in grounds]
        if 1 < len(parts) <= MOST_APART and all(kind_or_none(part) is not None for part in parts):
            yield Value(Several(tuple(parts)))


@rule(Value, Each, either=True)
def dates_that_pass_in_each_zone(item: Value, each: Each, names: Names) -> Iterable[Phrase]:
    """Number of dates with mean NDVI above 0.7 + for each class: by the mean of that class."""
    match item.node:
        case Aggregate("count", Compare(limit=Number()) as held, "date", by=None) as node:
            placed = by_zones(held.of, each.zones) if each.zones is not None else None
        case _:
            return
    made = None if placed is None else replace(node, of=replace(held, of=placed))
    kind = kind_or_none(made) if made is not None else None
    if made is not None and kind is not None and kind.axes == {"zone"}:
        yield Series(made)


# So many answers are still read one by one.
MOST_APART = 12


@rule(Share, Each)
def share_of_each(share: Share, each: Each, names: Names) -> Iterable[Phrase]:
    """Share + of each class."""
    if each.zones is not None and (every := ground_of_all_zones(each.zones, names)) is not None:
        yield Series(Aggregate("share", every, "pixel", by=each.zones))
    if each.zones is not None:
        yield ShareEach(each.zones)


@rule(ShareEach, Mask)
def share_of_each_that_is(share: ShareEach, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Share of each region + covered by water; that of each class in a region is rather of the region."""
    if share.zones.by == "class" and isinstance(mask.node, Place) and mask.node.by == "feature":
        return
    made = Aggregate("share", mask.node, "pixel", by=share.zones)
    yield Measure(made) if leaves(mask.node) else Series(made)


_FACINGS = ("east", "north", "south", "west")


@rule(Display, Unit)
def table_of_all_zones(shown: Display, unit: Unit, names: Names) -> Iterable[Phrase]:
    """List the mean LST + of all regions: of each of them."""
    zones = zones_of(unit, names)
    if shown.form != "table" or zones is None or not isinstance(shown.of, Raw | Measure):
        return
    made = by_zones(shown.of.node, zones)
    if made is not None and kind_or_none(made) is not None:
        yield Display(Measure(made), "table")


def ground_of_all_zones(zones: Zones, names: Names) -> Node | None:
    """Return the ground of all zones together; bands have all of it where what they are of has a value."""
    if zones.by == "band" and isinstance(zones.of, Variable):
        return Valid(zones.of)
    if zones.by == "facing":
        return Place("facing", zones.names or _FACINGS)
    for ground in names.inventory.grounds:
        if (ground.source, ground.attribute) == (zones.source, zones.attribute) and ground.names:
            names_of_all = tuple(sorted(ground.names))
            return Place(zones.by, names_of_all, zones.source, zones.attribute, dated=ground.dated)  # type: ignore[arg-type]
    here = [ground for ground in names.inventory.grounds if ground.source == zones.source]
    if zones.by == "feature" and not zones.attribute and all(g.geometry == "polygon" for g in here):
        return Place("feature", source=zones.source)
    return None


def how_many_there_are(unit: Unit, names: Names) -> set[int]:
    """Return how many there are of a unit: zones of a kind; dates are as many as a time has."""
    zones = zones_of(unit, names)
    if zones is not None:
        every = ground_of_all_zones(zones, names)
        return {len(every.names)} if isinstance(every, Place) and every.names else set()
    return set()


# --- What ground has ------------------------------------------------------------------------------


@rule(Word, Mask, cost=1)  # "have forest cooler than 300 K" rather asks for the temperature of their forest
def has_some(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Contain + water; no + forest: some area of it, or none."""
    if word.name in ("has", "no") and isinstance(mask.node, Place) and mask.node.by == "class":
        area = Aggregate("area", mask.node, "pixel", unit="ha")
        yield Condition(Compare(area, "gt" if word.name == "has" else "eq", Number(0.0, "ha")))


@rule(Mask, Condition, cost=1)
def region_that_has_some(mask: Mask, held: Condition, names: Names) -> Iterable[Phrase]:
    """Does Lakeside + contain water; has Lakeside + more forest than cropland."""
    yield from ground_held_there(held, mask, names)


@rule((Claim, Condition), Location)
def ground_held_there(
    held: Claim | Condition, place: Mask | Location, names: Names
) -> Iterable[Claim | Condition]:
    """Is there more forest than cropland + in Lakeside: both of it there."""
    node, region = held.node, place.node
    if not isinstance(node, Compare) or not isinstance(region, Place) or region.by != "feature":
        return
    sides = [
        replace(side, of=both(side.of, region))
        if isinstance(side, Aggregate) and side.statistic == "area" and getattr(side.of, "by", "") == "class"
        else side
        for side in (node.of, node.limit)
    ]
    if sides[0] != node.of and (sides[1] != node.limit or isinstance(node.limit, Number)):
        yield replace(held, node=replace(node, of=sides[0], limit=sides[1]))


@rule(Changes, Each)
def changes_by_zone(found: Changes, each: Each, names: Names) -> Iterable[Phrase]:
    """Change of NDVI from A to B + by class."""
    if each.zones is not None:
        left, right = by_zones(found.left, each.zones), by_zones(found.right, each.zones)
        if left is not None and right is not None:
            yield replace(found, left=left, right=right, measured=True)


@rule(Measure, Word)
def spread_of_class_means(measure: Measure, word: Word, names: Names) -> Iterable[Phrase]:
    """Standard deviation of NDVI + among the class means."""
    node, zones = measure.node, zones_of(Unit("class"), names)
    if word.name != "class_means" or zones is None or not isinstance(node, Aggregate):
        return
    if node.over == "pixel" and node.by is None and not node.assumed:
        yield Measure(replace(node, of=Aggregate("mean", node.of, "pixel", by=zones), over="zone"))
