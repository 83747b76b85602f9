"""Where ground lies: distances to it, its centre and side, hot spots; ranks of one date in a series."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none, series
from treeline.core.query.expression import (
    Aggregate,
    Centroid,
    Compare,
    Direction,
    Distance,
    Hotspots,
    Place,
    Rank,
    Which,
    both,
)
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.counts import Base, Unit
from treeline.core.query.phrases.phrase import Join, Pair, Phrase, Word
from treeline.core.query.phrases.places import About, Located, Mask, Near
from treeline.core.query.phrases.ranks import Among, Ranked, RankOf
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Amount, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import as_mask

_LENGTHS = ("m", "km", "ft")
_NEARNESS = {"within": "le", "closer": "lt", "farther": "gt"}


@rule(Word, Amount)
def within(word: Word, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Within + 200 m."""
    if word.name in _NEARNESS and amount.number.unit in _LENGTHS:
        yield Near(_NEARNESS[word.name], amount.number)


@rule(Limit, Word)
def far_from(limit: Limit, word: Word, names: Names) -> Iterable[Phrase]:
    """More than 500 m + away from."""
    if word.name == "away" and limit.number.unit in _LENGTHS and limit.upper is None:
        yield Near(limit.sign, limit.number)


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


@rule(About, (Measure, Ranked))
def where_the_extreme_is(about: About, item: Measure | Ranked, names: Names) -> Iterable[Phrase]:
    """Where is + the highest NDVI; at the pixel with + the highest NDVI."""
    extreme = extreme_of_pixels(item)
    if extreme is None or about.name not in ("location", "at the extreme"):
        return
    there = Compare(extreme.of, "eq", extreme)
    yield Value(Centroid(there)) if about.name == "location" else Located(there)


@rule(Ranked, Unit)
def hottest_pixel(ranked: Ranked, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Hottest + pixel: the maximum."""
    extreme = extreme_of_pixels(ranked)
    if unit.of == "pixel" and not unit.clear and extreme is not None:
        yield Measure(extreme)


def extreme_of_pixels(item: Measure | Ranked) -> Aggregate | None:
    """Return the maximum or minimum over the pixels that is meant; ``None`` for any other statistic."""
    node = item.node
    if isinstance(item, Ranked):
        if (item.nth, item.top) != (1, 1) or not isinstance(node, Aggregate) or node.statistic != "mean":
            return None
        node = Aggregate("max" if item.direction == "highest" else "min", node.of, "pixel")
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
    """Distance + between Oakhollow and Marshend."""
    if (about.name, pair.by) not in (("distance between", "between"), ("how far", "from")):
        return
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if len(grounds) == 2 and grounds[0] != grounds[1] and all(isinstance(g, Place) for g in grounds):
        yield Value(Distance(grounds[1], grounds[0]))


@rule(Amount, Word)
def trimmed(amount: Amount, word: Word, names: Names) -> Iterable[Phrase]:
    """10 % + trimmed mean."""
    if word.name == "trimmed" and amount.number.unit == "%" and 0 < amount.number.value < 50:
        yield Stat("trimmed_mean", amount.number.value)


@rule(Value, (Mask, Located, Base))
def largest_class_within(item: Value, mask: Mask | Located | Base, names: Names) -> Iterable[Phrase]:
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


@rule(Word, Time)
def rank_of(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """What rank has + 2017-07-05."""
    if word.name in ("rank", "rank_low") and len(time.when.spans) == 1 and time.when.spans[0].is_day:
        yield RankOf(time, "highest" if word.name == "rank" else "lowest")


@rule(Time, Word)
def rank_after(time: Time, word: Word, names: Names) -> Iterable[Phrase]:
    """2017-07-05 + rank."""
    yield from rank_of(word, time, names)


@rule(Word, Unit)
def among_units(word: Word, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Among + the dates, which are ranked or chosen from."""
    if word.name == "among" and unit.of != "pixel":
        yield Among(unit)


@rule(RankOf, (Unit, Among))
def rank_among(rank: RankOf, found: Unit | Among, names: Names) -> Iterable[Phrase]:
    """What rank has 2017-07-05 + among the dates."""
    unit = found.unit if isinstance(found, Among) else found
    if unit.of == "date" and not unit.clear:
        yield rank


@rule(RankOf, (Measure, Series))
def rank_by(rank: RankOf, item: Measure | Series, names: Names) -> Iterable[Phrase]:
    """What rank has 2017-07-05 + by mean NDVI."""
    found = series(item.node)
    if found is None or not isinstance(rank.member, Time):
        return
    made = Rank(found, rank.member.when, rank.direction)
    kind = kind_or_none(found)
    if kind is not None and kind.axes == {"date"} and kind_or_none(made) is not None:
        yield Value(made)
