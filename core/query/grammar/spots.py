"""Where ground lies: distances to it, its centre and side, hot spots; ranks of one date in a series."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import by_zones, kind_or_none, number, raster, series
from treeline.core.query.expression import (
    Aggregate,
    Anomaly,
    Centroid,
    Combine,
    Compare,
    Direction,
    Distance,
    Hotspots,
    Majority,
    Node,
    Place,
    Rank,
    Variable,
    Which,
    Zones,
)
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.groups import ground_of_all_zones, named_zones, zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import InUnit, Target
from treeline.core.query.phrases.conditions import Condition, Limit
from treeline.core.query.phrases.counts import Area, Base, Unit
from treeline.core.query.phrases.courses import DepartureOf
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import About, CentreOf, Location, Mask, Near
from treeline.core.query.phrases.ranks import Among, RankedZone, Ranking, RankOf
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Amount, Measure, Raw, Series, Stat, TrimmedShare, Value
from treeline.core.query.slots import as_mask, fill_place, is_one_period, leaves, rebuild

LENGTHS = ("m", "km", "ft", "mi")
_NEARNESS = {"within": "le", "closer": "lt", "farther": "gt"}


@rule(Word, Amount)
def within(word: Word, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Within + 200 m."""
    if word.name in _NEARNESS and amount.number.unit in LENGTHS:
        yield Near(_NEARNESS[word.name], amount.number)


@rule(Limit, Word)
def far_from(limit: Limit, word: Word, names: Names) -> Iterable[Phrase]:
    """More than 500 m + away from, or from."""
    if word.name in ("away", "from") and limit.number.unit in LENGTHS and limit.upper is None:
        yield Near(limit.sign, limit.number)


@rule(Amount, Word)
def buffer_of(amount: Amount, word: Word, names: Names) -> Iterable[Phrase]:
    """500 m + buffer around: a buffer holds what it is drawn around."""
    if word.name == "buffer" and amount.number.unit in LENGTHS:
        yield Near("le", amount.number)


@rule(Near, Join)
def near_to(near: Near, join: Join, names: Names) -> Iterable[Phrase]:
    """Closer than 200 m + to."""
    if join.by == "to":
        yield near


@rule(Near, Mask)
def near_ground(near: Near, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Within 200 m of + the forest."""
    if isinstance(mask.node, Place) and near.sign in ("le", "lt", "ge", "gt"):
        yield Mask(Compare(Distance(mask.node), near.sign, near.number))  # type: ignore[arg-type]


@rule(About, (Mask, Raw))
def about_ground(about: About, item: Mask | Raw, names: Names) -> Iterable[Phrase]:
    """Distance to + the forest; centroid of + the forest; hot spots of + NDVI."""
    if isinstance(item, Raw):
        if about.name in ("hot", "cold"):
            yield Mask(Hotspots(item.node, about.name))  # type: ignore[arg-type]
    elif about.name == "distance" and isinstance(item.node, Place):
        yield Raw(Distance(item.node))
    elif about.name == "centroid":
        yield Value(Centroid(as_mask(item.node)))
    elif about.name == "side":
        yield Value(Direction(as_mask(item.node)))


@rule(About, Word)
def where_it_is(about: About, word: Word, names: Names) -> Iterable[Phrase]:
    """Where is + it, before it is said that it is hottest there."""
    if about.name == "location" and word.name == "it":
        yield about


@rule(About, (Measure, Ranking))
def where_the_extreme_is(about: About, item: Measure | Ranking, names: Names) -> Iterable[Phrase]:
    """Where is + the highest NDVI; at the pixel with + the highest NDVI."""
    if _of_a_mean(item) is None:
        yield from _at_the_extreme(about, item)


@rule(About, Ranking, cost=1)  # of one date the mean of a pixel is its value
def where_that_of_a_date_is(about: About, item: Ranking, names: Names) -> Iterable[Phrase]:
    """Where is + the mean NDVI highest, on a date that is to come."""
    if _of_a_mean(item) is not None:
        yield from _at_the_extreme(about, item)


@rule(About, Ranking)
def where_the_mean_is_highest(about: About, item: Ranking, names: Names) -> Iterable[Phrase]:
    """Where is + the mean NDVI highest: the mean of each pixel over the dates."""
    mean = _of_a_mean(item)
    if mean is not None and kind_or_none(each := replace(mean, over="date")) is not None:
        yield from _at_the_extreme(about, replace(item, node=replace(mean, of=each)))


def _of_a_mean(item: Measure | Ranking) -> Aggregate | None:
    """Return the mean that is highest or lowest, where the question says that it is one."""
    match item:
        case Ranking(node=Aggregate("mean", Variable()) as node) if "statistic" not in node.assumed:
            return node
    return None


def _at_the_extreme(about: About, item: Measure | Ranking) -> Iterable[Phrase]:
    extreme = extreme_of_pixels(item)
    if extreme is not None and about.name == "location":
        yield location_of(extreme)
    elif extreme is not None and about.name == "at the extreme":
        yield Location(Compare(extreme.of, "eq", extreme))


def location_of(extreme: Aggregate) -> Value:
    """Return where the pixels lie that have a highest or lowest value."""
    return Value(Centroid(Compare(extreme.of, "eq", extreme)))


@rule(Ranking, Unit)
def hottest_pixel(ranked: Ranking, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Hottest + pixel: the maximum."""
    extreme = extreme_of_pixels(ranked)
    if unit.of == "pixel" and not unit.clear and extreme is not None:
        yield Measure(extreme)


@rule(Ranking, Unit, cost=1)  # what is hottest is rather asked for than something else at it
def at_the_hottest_pixel(ranked: Ranking, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Elevation of the: hottest + pixel."""
    yield from (Location(Compare(e.node.of, "eq", e.node)) for e in hottest_pixel(ranked, unit, names))  # type: ignore[attr-defined]


def extreme_of_pixels(item: Measure | Ranking) -> Aggregate | None:
    """Return the maximum or minimum over the pixels that is meant; ``None`` for any other statistic."""
    node = item.node
    if isinstance(item, Ranking):
        # What changed from one year to another is of the mean of each pixel in either.
        ranked = raster(node) if isinstance(node, Combine) else None
        if isinstance(node, Aggregate) and node.statistic == "mean":
            ranked = node.of
        if (item.nth, item.top) != (1, 1) or ranked is None:
            return None
        if isinstance(node, Combine) and ((kind := kind_or_none(ranked)) is None or kind.axes != {"pixel"}):
            return None
        node = Aggregate("max" if item.direction == "highest" else "min", ranked, "pixel")
    if isinstance(node, Aggregate) and node.statistic in ("max", "min") and node.over == "pixel":
        return node if node.by is None else None
    return None


@rule(Raw, About)
def spots_of(item: Raw, about: About, names: Names) -> Iterable[Phrase]:
    """LST + hot spots."""
    if about.name in ("hot", "cold"):
        yield from about_ground(about, item, names)


@rule(About, Pair)
def distance_between(about: About, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Distance + between Oakhollow and Marshend; how far apart are + both."""
    if (about.name, pair.by) not in _APART:
        return
    one, other = (_spot(side) for side in (pair.left, pair.right))
    if one is not None and other is not None and one != other:
        yield Value(Distance(other, one))


def _spot(side: Phrase) -> Node | None:
    """Return named ground, or where the pixels lie that have a highest or lowest value."""
    if isinstance(side, Mask):
        return side.node if isinstance(side.node, Place) or _is_extreme(side.node) else None
    extreme = extreme_of_pixels(side) if isinstance(side, Measure | Ranking) else None
    return None if extreme is None else Compare(extreme.of, "eq", extreme)


_APART = (
    ("distance between", "between"),
    ("distance between", "from"),
    ("distance", "to"),
    ("how far", "from"),
    ("how far", "and"),
    ("how far", "between"),
)


@rule(About, Mask)
def centre_of_one(about: About, mask: Mask, names: Names) -> Iterable[Phrase]:
    """The centre of + the forest, of which a distance is asked."""
    if about.name == "centroid" and isinstance(mask.node, Place):
        yield CentreOf(mask.node)


@rule(About, Mask, cost=1)  # where it is is rather asked for than something else there
def at_the_centre_of_a_region(about: About, mask: Mask, names: Names) -> Iterable[Phrase]:
    """NDVI at the: centre of + Oakhollow."""
    match about.name, mask.node:
        case "centroid", Place("feature", (_,), at=None) as region:
            yield Mask(Place("point", at=Centroid(region)))


@rule(Value, Word)
def coordinates_of_a_spot(found: Value, word: Word, names: Names) -> Iterable[Phrase]:
    """Centroid of the forest + easting and northing: what a spot is told by."""
    if word.name == "coordinates" and isinstance(found.node, Centroid):
        yield found


@rule(CentreOf, (Word, Join))
def first_centre(centre: CentreOf, word: Word | Join, names: Names) -> Iterable[Phrase]:
    """The centre of the forest + from; and."""
    if isinstance(word, Word) and word.name == "from":
        yield Half(centre, "from")
    elif isinstance(word, Join) and word.by in ("and", "to"):
        yield Half(centre, word.by)


@rule(Half, CentreOf)
def both_centres(half: Half, centre: CentreOf, names: Names) -> Iterable[Phrase]:
    """From the centre of the forest to + the centre of the grassland."""
    if isinstance(half.left, CentreOf):
        yield Pair(Mask(half.left.node), Mask(centre.node), half.by)


@rule(About, Pair)
def centres_of_both(about: About, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Centres of + Oakhollow and Marshend: where they are, or what lies between them."""
    grounds = [side for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if about.name == "centroids" and pair.by == "and" and len(grounds) == 2:
        yield pair
        yield Many(tuple(Value(Centroid(as_mask(ground.node))) for ground in grounds))


@rule(About, Pair)
def direction_from(about: About, pair: Pair, names: Names) -> Iterable[Phrase]:
    """In which direction lies + Pinehurst from Marshend; direction from + Marshend to Pinehurst."""
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if len(grounds) != 2 or grounds[0] == grounds[1] or not all(isinstance(g, Place) for g in grounds):
        return
    if (about.name, pair.by) == ("side", "from"):
        yield Value(Direction(grounds[0], grounds[1]))
    elif about.name == "direction from" and pair.by == "to":
        yield Value(Direction(grounds[1], grounds[0]))


@rule(Pair, About)
def apart(pair: Pair, about: About, names: Names) -> Iterable[Phrase]:
    """How many kilometres are Oakhollow and Marshend + apart."""
    yield from distance_between(about, pair, names) if about.name == "how far" else ()


@rule(Target, Pair)
def length_between(target: Target, pair: Pair, names: Names) -> Iterable[Phrase]:
    """How many kilometres is + Oakhollow from Marshend."""
    if pair.by == "from" and target.unit in LENGTHS:
        yield from (InUnit(found, target.unit) for found in distance_between(About("how far"), pair, names))


@rule(Value, Word, either=True)
def between_centres(found: Value, word: Word, names: Names) -> Iterable[Phrase]:
    """Distance from Oakhollow to Marshend, + centre to centre, as it is measured anyway."""
    if word.name == "centre_to_centre" and isinstance(found.node, Distance) and found.node.of is not None:
        yield found


@rule(Unit, (Mask, Location))
def class_at(unit: Unit, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Which land cover class is at + a point; which region contains it."""
    zones = zones_of(unit, names)
    if zones is not None and _is_extreme(mask.node):
        yield Value(Which(Aggregate("area", mask.node, "pixel", by=zones), "highest"))
    if zones is None or not isinstance(mask.node, Place) or mask.node.by != "point":
        return
    for found in _class_of(zones, names):
        placed = fill_place(found, mask.node)
        yield from (placed,) if isinstance(placed, Phrase) else ()
    if zones.by == "feature":
        yield Value(Which(Aggregate("area", mask.node, "pixel", by=zones), "highest"))


def _is_extreme(node: Node) -> bool:
    """Return whether a condition holds where a raster is highest or lowest."""
    match node:
        case Compare(raster, "eq", Aggregate("max" | "min", same, "pixel", by=None)):
            return raster == same
    return False


@rule(Location, (Mask, Location))
def extreme_lies_in(spot: Location, ground: Mask | Location, names: Names) -> Iterable[Phrase]:
    """The pixel with the highest elevation + lies in the forest."""
    if _is_extreme(spot.node) and isinstance(ground.node, Place):
        yield Condition(Aggregate("any", both(spot.node, ground.node), "pixel"))


@rule(Half, Unit)
def value_and_class(half: Half, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Elevation and + land cover, at a point to come."""
    zones = zones_of(unit, names)
    if half.by == "and" and isinstance(half.left, Raw) and zones is not None:
        yield from (Many((half.left, found)) for found in _class_of(zones, names))


def _class_of(zones: Zones, names: Names) -> Iterable[Value]:
    """Yield the class that a raster of classes has at a place to come."""
    classes = names.variable(zones.source) if zones.by == "class" else None
    if classes is not None:
        yield Value(Majority(classes))


@rule(Amount, Word)
def trim(amount: Amount, word: Word, names: Names) -> Iterable[Phrase]:
    """10 % + trimmed mean."""
    if word.name == "trimmed" and amount.number.unit == "%" and 0 < amount.number.value < 50:
        yield Stat("trimmed_mean", amount.number.value)


@rule(Amount, Word)
def cut_from_each_end(amount: Amount, word: Word, names: Names) -> Iterable[Phrase]:
    """10 % + from each end, of a trimmed mean."""
    if word.name == "from_each_end" and amount.number.unit == "%":
        yield TrimmedShare(amount.number.value)


@rule(Word, TrimmedShare, either=True)
def trimmed_mean_by_share(word: Word, cut: TrimmedShare, names: Names) -> Iterable[Phrase]:
    """Trimmed mean + (10 % from each end)."""
    if word.name == "trimmed" and 0 < cut.percent < 50:
        yield Stat("trimmed_mean", cut.percent)


@rule(Value, (Mask, Location, Base))
def largest_class_within(item: Value, mask: Mask | Location | Base, names: Names) -> Iterable[Phrase]:
    """Dominant land cover + above 600 m."""
    node = item.node
    if not isinstance(node, Which) or not isinstance(node.of, Aggregate) or node.of.statistic != "area":
        return
    if isinstance(node.of.of, Place) and node.of.by is not None:
        if isinstance(mask.node, Place) and mask.node.by == node.of.of.by:
            return
        made = replace(node, of=replace(node.of, of=both(node.of.of, as_mask(mask.node))))
        if kind_or_none(made) is not None:
            yield Value(made)


# --- Ranks ----------------------------------------------------------------------------------------


@rule(Word, (Time, Mask))
def rank_of(word: Word, item: Time | Mask, names: Names) -> Iterable[Phrase]:
    """What rank has + 2017-07-05; Oakhollow."""
    if word.name not in ("rank_of", "rank_low"):
        return
    one = len(item.when.spans) == 1 if isinstance(item, Time) else named_zones((item,))
    if one:
        yield RankOf(item, "lowest" if word.name == "rank_low" else "highest")


@rule((Time, Mask), Word)
def rank_after(item: Time | Mask, word: Word, names: Names) -> Iterable[Phrase]:
    """2017-07-05 + rank."""
    yield from rank_of(Word("rank_of") if word.name == "rank" else word, item, names)


@rule(Word, Unit)
def among_units(word: Word, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Among + the dates, which are ranked or chosen from."""
    if word.name == "among" and unit.of != "pixel":
        yield Among(unit)


@rule(RankOf, (Unit, Among))
def rank_among(rank: RankOf, found: Unit | Among, names: Names) -> Iterable[Phrase]:
    """What rank has 2017-07-05 + among the dates."""
    unit = found.unit if isinstance(found, Among) else found
    zones = _zones_of_member(rank)
    if zones is not None:
        yield from (rank,) if zones_of(unit, names) == zones else ()
    elif unit.of == "date" and not unit.clear and isinstance(rank.member, Time) and rank.member.when.single:
        yield rank


def _zones_of_member(rank: RankOf) -> Zones | None:
    """Return the zones that a class or region is one of."""
    zones = named_zones((rank.member,)) if rank.member is not None else None
    return None if zones is None else replace(zones, names=())


@rule(RankOf, (Raw, Measure, Series, Area))
def rank_of_zone_by(rank: RankOf, item: Raw | Measure | Series | Area, names: Names) -> Iterable[Phrase]:
    """What rank has Oakhollow + by mean LST; by area."""
    zones = _zones_of_member(rank)
    if zones is None or not isinstance(rank.member, Mask):
        return
    if isinstance(item, Area):
        every = ground_of_all_zones(zones, names)
        each = None if every is None else Aggregate("area", every, "pixel", by=zones)
    else:
        node = item.node
        each = node if isinstance(node, Aggregate) and node.by == zones else by_zones(node, zones)  # type: ignore[assignment]
    if each is not None:
        yield RankedZone(each, rank.member.node, rank.direction)


@rule(RankedZone, Among)
def rank_of_zone_among(found: RankedZone, among: Among, names: Names) -> Iterable[Phrase]:
    """Rank of Oakhollow by mean LST + among the regions."""
    if isinstance(found.node, Aggregate) and found.node.by == zones_of(among.unit, names):
        yield found


@rule(RankedZone, Limit)
def rank_of_zone_passes(found: RankedZone, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Rank of Oakhollow by mean LST + equal to 1."""
    each = number(found.node)
    made = compare(Rank(each, found.member, found.direction), limit) if each is not None else None
    if made is not None:
        yield Condition(made)


@rule(DepartureOf, Among)
def departure_among(found: DepartureOf, among: Among, names: Names) -> Iterable[Phrase]:
    """Z-score of the mean LST of Larchford + among the regions."""
    zones = zones_of(among.unit, names)
    wheres = {leaf.where for leaf in leaves(found.node)}
    where = wheres.pop() if len(wheres) == 1 else None
    if zones is None or not isinstance(where, Place) or (where.by, where.source) != (zones.by, zones.source):
        return
    every = rebuild(found.node, lambda leaf: replace(leaf, where=None))
    base = by_zones(every, zones)
    made = Anomaly(found.node, base, found.how) if base is not None else None  # type: ignore[arg-type]
    if made is not None and kind_or_none(made) is not None:
        yield Value(made)


@rule(RankOf, (Measure, Series))
def rank_by(rank: RankOf, item: Measure | Series, names: Names) -> Iterable[Phrase]:
    """What rank has 2017-07-05 + by mean NDVI."""
    found = series(item.node)
    if found is None or not isinstance(rank.member, Time):
        return
    made = Rank(found, rank.member.when, rank.direction)
    kind = kind_or_none(found)
    dated = kind is not None and kind.axes == {"date"} and rank.member.when.single
    if (dated or is_one_period(rank.member.when, found)) and kind_or_none(made) is not None:
        yield Value(made)
