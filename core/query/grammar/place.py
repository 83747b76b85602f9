"""Place: named ground, masks joined by and, or, not, and the ground that something is asked of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both, either
from treeline.core.query.expression import (
    ALWAYS,
    And,
    Cloud,
    Compare,
    Distance,
    Hotspots,
    Node,
    Not,
    Or,
    Place,
    Valid,
    Variable,
    Which,
)
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.groups import zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import DATED, length
from treeline.core.query.inventory import TERRAIN_ROLES
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Display, InUnit
from treeline.core.query.phrases.comparisons import ChangeOf, Changes, Versus
from treeline.core.query.phrases.conditions import Claim, Limit
from treeline.core.query.phrases.counts import AreaOf, PixelsOf, Unit
from treeline.core.query.phrases.courses import CourseOf, DepartureOf, RelationOf, Unusual
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Definition, Facing, Location, Mask, Part, Source
from treeline.core.query.phrases.ranks import Candidates, WhichZone
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Amount, Measure, Raw, Series, Value
from treeline.core.query.slots import (
    as_mask,
    at_one_date,
    clashes,
    fill_place,
    fill_time,
    goes_on,
    leaves,
    together,
)


@rule(Word, Mask)
def locate(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """In + the forest; where + NDVI > 0.6; without + the forest; non + forest."""
    if word.name in ("in", "where", "over"):
        yield Location(mask.node, inside=word.name == "in")
    if word.name == "without" and is_place(mask.node):
        yield Location(Not(mask.node))
    if word.name == "not" and not _is_joined(mask.node):
        yield Mask(Not(mask.node))


@rule(Word, Mask, cost=1)
def not_all_of_it(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Not + (forest and NDVI > 0.6): rather, as in "not forest and NDVI > 0.6", it denies the first alone."""
    if word.name == "not" and _is_joined(mask.node):
        yield Mask(Not(mask.node))


def _is_joined(node: Node) -> bool:
    return isinstance(node, And | Or)


def is_place(node: Node) -> bool:
    """Return whether a mask is named ground, or what lies outside it."""
    if isinstance(node, Not):
        return is_place(node.of)
    return isinstance(node, Place) or (isinstance(node, And) and all(is_place(part) for part in node.of))


@rule(DATED, Location)
def limit_to_place(item: Phrase, located: Location, names: Names) -> Iterable[Phrase]:
    """NDVI + in the forest."""
    if isinstance(item, Many) and (item.clauses or item.apart):
        return
    filled = fill_place(item, located.node)
    if filled is not None:
        yield filled


@rule(Value, Mask, cost=1)
def date_found_for_a_place(found: Value, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Hottest date in 2022 + for Stonebridge."""
    if isinstance(found.node, Which) and isinstance(mask.node, Place) and kind_of(found.node).value == "date":
        filled = fill_place(found, mask.node)
        yield from (filled,) if isinstance(filled, Phrase) else ()


@rule(Location, (Raw, Measure, Series))
def limit_to_place_before(located: Location, item: Phrase, names: Names) -> Iterable[Phrase]:
    """In the forest + mean NDVI."""
    yield from limit_to_place(item, located, names)


@rule((Raw, Measure, Many, AreaOf, Changes), Pair, either=True)
def of_each_ground(item: Phrase, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI, change of NDVI from A to B + of forest and grassland: of each by itself, beside both together."""
    against = pair.by == "versus" and not isinstance(item, Measure)
    if against or (pair.by == "and" and (_are_apart(pair) or isinstance(pair.left, Mask))):
        yield from for_both(item, pair)


@rule((Pair, Many), Word)
def each_by_itself(both: Pair | Many, word: Word, names: Names) -> Iterable[Phrase]:
    """Forest and grassland + separately."""
    if isinstance(both, Many):
        told = {frozenset((leaf.when, leaf.where) for leaf in leaves(part)) for part in both.of}
        apart = len(told) == len(both.of)
    else:
        apart = both.by in ("and", "each") and isinstance(both.left, Mask | Time)
    if word.name == "separately" and apart:
        yield both


def _are_apart(pair: Pair) -> bool:
    """Return whether two times are days, years, or do not follow each other: summer and winter."""
    if not isinstance(pair.left, Time) or not isinstance(pair.right, Time):
        return False
    if length(pair.left.when) in ("day", "year"):
        return True
    joined = together(pair.left.when, pair.right.when)
    return joined is not None and not goes_on(joined)


def for_both(item: Phrase, pair: Pair) -> Iterable[Phrase]:
    """Yield something at both times, or for both grounds, of a pair."""
    if isinstance(pair.left, Mask) and isinstance(pair.right, Mask):
        ways = [fill_place(item, side.node) for side in (pair.left, pair.right)]
    elif isinstance(pair.left, Time) and isinstance(pair.right, Time):
        ways = [fill_time(item, side.when) for side in (pair.left, pair.right)]
    else:
        return
    if all(isinstance(way, Phrase) for way in ways) and ways[0] != ways[1]:
        yield Many(tuple(way for way in ways if isinstance(way, Phrase)))


@rule(Definition, (Mask, Location))
def definition_by_condition(word: Definition, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Steep slopes + (slope > 20 degrees): the condition alone, if it points the way of the word."""
    node = mask.node
    if not isinstance(node, Compare) or node.operator not in _WAYS[word.sign]:
        return
    if getattr(node.of, "role", "") in word.roles:
        yield Mask(node)


@rule(Definition, Limit)
def definition_by_limit(word: Definition, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Steep slopes + (> 20 degrees)."""
    held = next((found for role in word.roles if (found := names.variable(role)) is not None), None)
    made = compare(held, limit) if held is not None and limit.sign in _WAYS[word.sign] else None
    if made is not None:
        yield Mask(made)


_WAYS = {"gt": ("gt", "ge"), "lt": ("lt", "le")}


@rule(Word, Pair)
def in_each_ground(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """In + forest and grassland."""
    if word.name == "in" and pair.by == "and" and isinstance(pair.left, Mask):
        yield pair


@rule((Raw, Measure, Series, Many, InUnit), Mask, either=True)
def of_ground(item: Phrase, mask: Mask, names: Names) -> Iterable[Phrase]:
    """NDVI + forest; forest + NDVI; slope + steeper than 20 degrees: a condition on itself."""
    if isinstance(item, Many) and (item.clauses or item.apart):
        return
    if isinstance(mask.node, Not) and isinstance(mask.node.of, Cloud):
        return
    node = getattr(item, "node", None)
    if isinstance(mask.node, Valid) and set(leaves(item)) == {mask.node.of}:
        yield item  # a statistic is of the pixels that have a value anyway
        return
    own = mask.node.of if isinstance(mask.node, Compare) else None
    if isinstance(own, Variable) and isinstance(node, Variable) and own.role == node.role:
        if own == node:
            yield mask
        return
    filled = fill_place(item, mask.node)
    if filled is not None:
        yield filled


@rule((Display, CourseOf, Claim, ChangeOf, Changes, RelationOf, DepartureOf, Unusual), Mask, either=True)
def of_named_ground(item: Phrase, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Chart of NDVI + forest; forest + warmed from 2015 to 2017; in the forest, + the correlation."""
    filled = fill_place(item, mask.node) if is_place(mask.node) else None
    if filled is not None:
        yield filled


@rule((ChangeOf, Changes, RelationOf), Mask, either=True)
def where_the_terrain_is_so(
    item: ChangeOf | Changes | RelationOf, mask: Mask, names: Names
) -> Iterable[Phrase]:
    """Change of mean NDVI from A to B + above 500 m."""
    filled = fill_place(item, mask.node) if _is_of_terrain(mask.node) else None
    if filled is not None:
        yield filled


@rule(Mask, Mask)
def ground_within(mask: Mask, other: Mask, names: Names) -> Iterable[Phrase]:
    """Forest + above 500 m; north-facing + forest."""
    joined = both(as_mask(mask.node), as_mask(other.node))
    if not isinstance(joined, And) or clashes(joined):
        return
    nodes = (mask.node, other.node)
    named = [is_place(node) for node in nodes]
    facing = any(isinstance(node, Place) and node.by == "facing" for node in nodes)
    if (any(named) and any(_is_of_terrain(node) for node in nodes)) or (all(named) and facing):
        yield Mask(joined)


@rule(PixelsOf, Mask)
def pixels_within(pixels: PixelsOf, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Forest pixels + more than 100 m from grassland."""
    for found in ground_within(Mask(pixels.node), mask, names):
        yield from (PixelsOf(found.node),) if isinstance(found, Mask) else ()


def _is_of_terrain(node: Node) -> bool:
    """Return whether a condition is one of the ground's form alone: above 500 m, steeper than 15 degrees."""
    found = leaves(node)
    if isinstance(node, Compare) and isinstance(node.of, Distance):
        return True
    return (
        bool(found) and isinstance(node, Compare) and all(getattr(leaf, "timeless", False) for leaf in found)
    )


@rule(Mask, Location, cost=1)
def class_in_region(mask: Mask, located: Location, names: Names) -> Iterable[Phrase]:
    """Cropland + in Oakhollow, set against another class or region; alone it rather limits what is asked."""
    one, other = mask.node, located.node
    if isinstance(one, Place) and isinstance(other, Place) and (one.by, other.by) == ("class", "feature"):
        yield Part(both(one, other))


@rule(Mask, (Value, WhichZone, Versus), cost=1)
def within_named_ground(mask: Mask, item: Value | WhichZone | Versus, names: Names) -> Iterable[Phrase]:
    """Within Oakhollow, + how much hotter was cropland than forest; apart from forest, + which class."""
    ground = mask.node.of if isinstance(mask.node, Not) else mask.node
    if isinstance(ground, Place) and ground.at is None:
        filled = fill_place(item, mask.node)
        yield from (filled,) if isinstance(filled, Phrase) else ()


@rule(Unit, (Mask, Location))
def pixels_with(unit: Unit, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Pixels + with NDVI above 0.6."""
    if unit.of == "pixel" and not isinstance(mask.node, Hotspots):
        yield Mask(mask.node)


@rule(Mask, Unit)
def class_by_name(mask: Mask, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Forest + class."""
    if unit == Unit("class") and isinstance(mask.node, Place) and mask.node.by in ("class", "feature"):
        yield mask


@rule(Mask, Unit)
def ground_pixels(mask: Mask, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Forest + pixels."""
    if unit.of == "pixel":
        yield mask


@rule(Unit, Amount)
def numbered_class(unit: Unit, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Class + 3."""
    value = amount.number.value
    if unit.of == "class" and not amount.number.unit and value == int(value):
        source = next((g.source for g in names.inventory.grounds if g.by == "class"), None)
        if source is not None:
            yield Mask(Place("class", (str(int(value)),), source))


@rule(Facing, Word, either=True)
def facing(direction: Facing, word: Word, names: Names) -> Iterable[Phrase]:
    """North + facing; northern + half."""
    if word.name == "facing" and names.inventory.holding("dem"):
        yield Mask(Place("facing", (direction.name,)))
    if word.name == "half":
        yield Mask(Place("side", (direction.name,)))
    if word.name == "corner pixel" and direction.name not in _HALVES:
        yield Mask(Place("point", (direction.name,), attribute="corner"))


_HALVES = ("north", "south", "east", "west")


# --- Joined ---------------------------------------------------------------------------------------


@rule((Mask, Part), Join)
def first_of_masks(mask: Mask, join: Join, names: Names) -> Iterable[Phrase]:
    """Forest + and."""
    yield Half(mask, join.by)


@rule(Half, Part)
def two_parts(half: Half, right: Part, names: Names) -> Iterable[Phrase]:
    """Cropland in Oakhollow and + forest in Marshend."""
    if isinstance(half.left, Part):
        yield Pair(half.left, right, "and" if half.by == "each" else half.by)


@rule(Half, Mask)
def two_masks(half: Half, right: Mask, names: Names) -> Iterable[Phrase]:
    """Forest and + grassland: both together; NDVI > 0.6 and + slope > 15: where both hold."""
    if not isinstance(half.left, Mask) or isinstance(half.left, Part):
        return
    one, other = half.left.node, at_one_date(half.left.node, right.node)
    if half.by != "together" and not (half.left.joined or right.joined):
        yield Pair(half.left, right, "and" if half.by == "each" else half.by)
    if half.by not in ("and", "or", "together"):
        return
    # A time that follows both is that of both, and not of the last alone.
    if isinstance(one, Place) and isinstance(other, Place) and _is_alike(one, other):
        yield Mask(replace(one, names=tuple(sorted({*one.names, *other.names}))), joined=True)
    elif half.by != "or":
        joined = both(one, other)
        # "The share of pixels above 0.7, and the greenest class": a class that is found is asked for as well.
        found = isinstance(other, Place) and other.at is not None and not isinstance(one, Place)
        if not found and not clashes(joined):
            yield Mask(joined)
    elif bool(leaves(one)) == bool(leaves(other)) and not _ends_alike(one, other):
        yield Mask(either(one, other))


def _ends_alike(one: Node, other: Node) -> bool:
    """Return whether ground lies in one region, and another is named: "forest in Marshend or Willowbank"."""
    regions = [part for part in one.of if isinstance(part, Place)] if isinstance(one, And) else []
    return isinstance(other, Place) and any(_one_source(part, other) for part in regions)


@rule(Half, Word)
def ground_and_the_rest(half: Half, word: Word, names: Names) -> Iterable[Phrase]:
    """Forest and + everything else."""
    if word.name == "rest" and isinstance(half.left, Mask) and isinstance(half.left.node, Place):
        yield Pair(half.left, Mask(Not(half.left.node)), "and" if half.by == "each" else half.by)


@rule(Half, Mask, cost=1)
def ground_or_condition(half: Half, right: Mask, names: Names) -> Iterable[Phrase]:
    """Forest or + NDVI > 0.6; in "cropland or grassland with NDVI > 0.6" the grounds rather go together."""
    if not isinstance(half.left, Mask) or half.by != "or":
        return
    if bool(leaves(half.left.node)) != bool(leaves(right.node)):
        yield Mask(either(half.left.node, right.node))


@rule(Word, Pair, cost=1)
def none_of_two(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Neither + forest nor water."""
    if word.name == "neither" and pair.by == "nor":
        sides = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
        if len(sides) == 2 and not any(isinstance(side, And) for side in sides):
            yield Mask(both(*(Not(side) for side in sides)))


@rule(Mask, Word)
def holds_at_neither(mask: Mask, word: Word, names: Names) -> Iterable[Phrase]:
    """NDVI above 0.7 + neither, of two dates to come."""
    if word.name == "neither" and all(leaf.when == ALWAYS for leaf in leaves(mask.node)):
        yield Half(mask, "neither")


@rule(Half, Pair)
def at_neither_date(half: Half, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI above 0.7 neither + on 14 August 2016 nor on 5 July 2017."""
    if half.by != "neither" or pair.by != "nor" or not isinstance(half.left, Mask):
        return
    times = [side.when for side in (pair.left, pair.right) if isinstance(side, Time) and side.when.single]
    dated = [fill_time(half.left.node, when) for when in times]
    if len(dated) == 2 and all(isinstance(one, Node) for one in dated):
        yield Mask(both(*(Not(one) for one in dated if isinstance(one, Node))))


@rule(Pair, Word)
def both_together(pair: Pair, word: Word, names: Names) -> Iterable[Phrase]:
    """Forest and grassland + together: one ground."""
    if word.name != "jointly" or pair.by not in ("and", "or") or not isinstance(pair.left, Mask):
        return
    if isinstance(pair.right, Mask):
        yield from two_masks(Half(pair.left, "together"), pair.right, names)


def _is_alike(one: Place, other: Place) -> bool:
    return _one_source(one, other) and one.when == other.when


def _one_source(one: Place, other: Place) -> bool:
    return (one.by, one.source, one.attribute) == (other.by, other.source, other.attribute)


@rule((*DATED,), Source)
def with_source(item: Phrase, source: Source, names: Names) -> Iterable[Phrase]:
    """Forest + from the land cover: the data that the item is of anyway."""
    if source.role in _sources(item, names):
        yield item


def _sources(item: Phrase, names: Names) -> set[str]:
    found: set[str] = set()
    for leaf in leaves(item):
        role = getattr(leaf, "role", "") or "cloud"
        found |= {role, "dem"} if role in TERRAIN_ROLES else {role}
    node = getattr(getattr(item, "of", item), "node", None)
    if isinstance(node, Node) and any(
        isinstance(n, Place) and n.by in ("class", "feature") for n in node.walk()
    ):
        found.add("landcover")
    return found


@rule(Pair, Join)
def list_of_grounds(pair: Pair, join: Join, names: Names) -> Iterable[Phrase]:
    """Forest, grassland + and; of forest, of grassland + and of; forest, grassland + or."""
    grounds = isinstance(pair.left, Mask) and isinstance(pair.right, Mask)
    if grounds and pair.by == "and" and join.by in ("and", "each", "or"):
        yield Half(Many((pair.left, pair.right)), "or" if join.by == "or" else "and")


@rule(Half, Mask)
def one_more_ground(half: Half, right: Mask, names: Names) -> Iterable[Phrase]:
    """Forest, grassland and + shrubland; forest, grassland or + shrubland, of which one is looked for."""
    if not isinstance(half.left, Many) or right.joined or right in half.left.of:
        return
    if all(isinstance(part, Mask) for part in half.left.of):
        parts = (*half.left.of, right)
        yield Candidates(parts) if half.by == "or" else Many(parts)


@rule((Raw, Measure), Many)
def of_each_of_several(item: Raw | Measure, many: Many, names: Names) -> Iterable[Phrase]:
    """NDVI + of forest, grassland and shrubland, each by itself; on three dates."""
    if len(many.of) > 2 and all(isinstance(part, Mask | Time) for part in many.of):
        ways = [
            fill_place(item, part.node) if isinstance(part, Mask) else fill_time(item, part.when)
            for part in many.of
            if isinstance(part, Mask | Time)
        ]
        if all(isinstance(way, Phrase) for way in ways):
            yield Many(tuple(way for way in ways if isinstance(way, Phrase)))


@rule(Word, Many)
def in_each_of_several(word: Word, many: Many, names: Names) -> Iterable[Phrase]:
    """In, over + forest, grassland and shrubland."""
    if word.name in ("in", "over") and all(isinstance(part, Mask) for part in many.of):
        yield many


@rule(Unit, Mask)
def ground_named_with_its_kind(unit: Unit, mask: Mask, names: Names) -> Iterable[Phrase]:
    """The region + Ashfield."""
    zones = zones_of(unit, names) if isinstance(mask.node, Place) and not (unit.asks or unit.owns) else None
    if zones is not None and isinstance(mask.node, Place) and mask.node.at is None and mask.node.names:
        place = mask.node
        if (zones.by, zones.source, zones.attribute) == (place.by, place.source, place.attribute):
            yield mask


@rule(Word, Pair, cost=1)  # "over the forest and grassland" is rather over both together
def over_both(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Over + the forest and over the grassland: of each by itself."""
    if word.name == "over" and isinstance(pair.left, Mask) and isinstance(pair.right, Mask):
        yield pair


@rule(Raw, Word)
def like(item: Raw, word: Word, names: Names) -> Iterable[Phrase]:
    """What is NDVI + like."""
    if word.name == "like":
        yield item


@rule(Mask, Word)
def first_of_distance(mask: Mask, word: Word, names: Names) -> Iterable[Phrase]:
    """The lake + from, with the other ground to come."""
    if word.name == "from" and isinstance(mask.node, Place):
        yield Half(mask, "from")
