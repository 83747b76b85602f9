"""Ranking: the date, period or zone where something is highest or lowest, and things asked of that date."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import by_zones, depth_of, kind_or_none, number, series
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Combine,
    Compare,
    Dates,
    Node,
    Number,
    Phenology,
    Place,
    Rank,
    Several,
    When,
    Which,
    Zones,
)
from treeline.core.query.grammar.change import between
from treeline.core.query.grammar.groups import PERIODS, SPREADS, ground_of_all_zones, named_zones, zones_of
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import ChangeOf, Changes, Comparative, HowMuch
from treeline.core.query.phrases.conditions import Claim, Condition
from treeline.core.query.phrases.counts import Area, AreaOf, CountOf, Share, ShareOf, Unit
from treeline.core.query.phrases.courses import CourseOf, Usual
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import (
    AmongFirst,
    Ends,
    Extreme,
    LargestArea,
    LargestChange,
    Ranking,
    Superlative,
    SuperlativeShare,
    WhichZone,
)
from treeline.core.query.phrases.times import Ordinal, Time
from treeline.core.query.phrases.values import Along, Amount, Each, Measure, Raw, Series, Value
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import (
    as_mask,
    fill_clouds,
    fill_place,
    fill_time,
    is_one_period,
    leaves,
    month_of_its_year,
    months_in,
    together,
)


@rule(Ordinal, Extreme)
def nth_extreme(ordinal: Ordinal, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Second + highest."""
    if ordinal.nth > 1 and extreme.nth == 1:
        yield Extreme(extreme.direction, ordinal.nth)


@rule(Word, Ordinal)
def ranks_nth(word: Word, ordinal: Ordinal, names: Names) -> Iterable[Phrase]:
    """Ranks + third; comes + last."""
    if word.name == "ranks" and ordinal.nth:
        yield Extreme("highest", ordinal.nth) if ordinal.nth > 0 else Extreme("lowest", -ordinal.nth)


@rule(Extreme, (Measure, Raw))
def rank_by(extreme: Extreme, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """Highest + mean NDVI."""
    yield Ranking(extreme.direction, item.node, extreme.nth, extreme.top)


@rule((Measure, Raw), Extreme)
def rank_after(item: Measure | Raw, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + highest."""
    yield Ranking(extreme.direction, item.node, extreme.nth, extreme.top, after=True)


@rule(Ranking, Unit)
def ranked_unit(ranked: Ranking, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Greenest + date."""
    if not (ranked.after and zones_of(unit, names) is not None):
        yield from which(unit, ranked, names)


@rule(Unit, Extreme, either=True)
def unit_and_extreme(unit: Unit, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Which date + has the highest."""
    if not unit.owns:
        yield Superlative(unit, extreme)


@rule(Unit, Comparative)
def the_higher(unit: Unit, word: Comparative, names: Names) -> Iterable[Phrase]:
    """Which of two dates has + the higher."""
    if word.node is None and word.sign in ("gt", "lt"):
        yield Superlative(unit, Extreme("highest" if word.sign == "gt" else "lowest"))


@rule(Mask, WhichZone)
def is_the_first(mask: Mask, found: WhichZone, names: Names) -> Iterable[Phrase]:
    """The built-up land + was the hottest class: whether it has the first rank."""
    zones = named_zones((mask,))
    table = found.node.left if isinstance(found.node, Combine) else found.node
    by = getattr(table, "by", None)
    if zones is None or found.extreme.top != 1 or by != replace(zones, names=()):
        return
    rank = Rank(found.node, mask.node, found.extreme.direction)
    made = Compare(rank, "eq", Number(float(found.extreme.nth)))
    if kind_or_none(made) is not None:
        yield Claim(made)


@rule((Mask, Time), Value)
def is_the_one_found(item: Mask | Time, found: Value, names: Names) -> Iterable[Phrase]:
    """The forest + is the largest class; 5 July 2017 + was the greenest date: whether it has that rank."""
    node = found.node
    if isinstance(node, Which) and node.top == 1:
        yield from _has_rank(item, node, "eq", node.nth)


@rule(Word, (Value, WhichZone))
def among_those_found(word: Word, found: Value | WhichZone, names: Names) -> Iterable[Phrase]:
    """Among, one of + the five greenest dates, the two greenest classes."""
    node = found.node
    if isinstance(found, WhichZone):
        node = Which(node, found.extreme.direction, found.extreme.nth, found.extreme.top)
    if word.name in ("among", "in") and isinstance(node, Which) and node.top > 1 and node.nth == 1:
        yield AmongFirst(node)


@rule((Mask, Time), AmongFirst)
def is_among_those_found(item: Mask | Time, first: AmongFirst, names: Names) -> Iterable[Phrase]:
    """5 July 2017 + is among the five greenest dates: whether it has one of these ranks."""
    yield from _has_rank(item, first.node, "le", first.node.top)


def _has_rank(item: Mask | Time, found: Which, operator: str, limit: int) -> Iterable[Phrase]:
    """Yield whether a date or zone has a rank among those that are looked through."""
    member: Node | None
    if isinstance(item, Time):
        plain = item.when == When(item.when.spans) and item.when.single
        axes = kind.axes if (kind := kind_or_none(found.of)) is not None else None
        period = month_of_its_year(item.when, found.of)
        one = is_one_period(period, found.of)
        member = item.when if plain and axes == {"date"} else period if one else None
    else:
        zones, by = named_zones((item,)), getattr(found.of, "by", None)
        member = item.node if zones is not None and by == replace(zones, names=()) else None
    if member is None:
        return
    made = Compare(Rank(found.of, member, found.direction), operator, Number(float(limit)))  # type: ignore[arg-type]
    if kind_or_none(made) is not None:
        yield Claim(made)


@rule(Value, Time)
def is_found_then(found: Value, time: Time, names: Names) -> Iterable[Phrase]:
    """The greenest date of 2017 + was 5 July 2017."""
    told = leaves(found.node)
    # "The year with the highest NDVI of 2017": a month or year behind it is rather its own time.
    if told and all(leaf.when != ALWAYS for leaf in told) and time.when.single:
        yield from is_the_one_found(time, found, names)


@rule(Half, Mask)
def both_ends(half: Half, mask: Mask, names: Names) -> Iterable[Phrase]:
    """The hottest and + the coldest region: both as ground."""
    found = mask.node.at if isinstance(mask.node, Place) else None
    if not isinstance(half.left, Ranking) or half.by not in ("and", "to") or not isinstance(found, Which):
        return
    zones = found.of.by if isinstance(found.of, Aggregate) else None
    grouped = by_zones(half.left.node, zones) if isinstance(zones, Zones) else None
    if grouped is not None and (half.left.nth, half.left.top) == (1, 1):
        for ground in ground_found(Which(grouped, half.left.direction)):
            yield Pair(ground, mask, half.by)


@rule(Half, WhichZone)
def both_ends_of_zones(half: Half, found: WhichZone, names: Names) -> Iterable[Phrase]:
    """Hottest and + coolest region: which they are."""
    left, zones = half.left, getattr(found.node, "by", None)
    if not isinstance(left, Ranking) or half.by != "and" or not isinstance(zones, Zones) or left.after:
        return
    end = Extreme(left.direction, left.nth, left.top)
    if by_zones(left.node, zones) == found.node and end != found.extreme:
        yield Many((WhichZone(found.node, end), found))


@rule(Ranking, Word)
def ranked_terrain(ranked: Ranking, word: Word, names: Names) -> Iterable[Phrase]:
    """Steepest + terrain, of what is put in order."""
    if word.name == "whole" and not ranked.after and not any(leaf.where for leaf in leaves(ranked.node)):
        yield ranked


@rule(Mask, Ranking)
def ranked_ground(mask: Mask, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """On which date was the grassland + greenest."""
    placed = fill_place(ranked.node, mask.node)
    if isinstance(placed, Node):
        yield replace(ranked, node=placed)


@rule(Ranking, Mask, cost=1)
def ground_ranked_by_its_adjective(ranked: Ranking, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Which month had the greenest + grassland."""
    if not ranked.after and ranked.top == 1:
        yield from ranked_ground(mask, ranked, names)


@rule(Ranking, Join)
def rank_and(ranked: Ranking, join: Join, names: Names) -> Iterable[Phrase]:
    """The highest mean NDVI + and; greenest + to."""
    if join.by in ("and", "to", "each") and not ranked.after:
        yield Half(ranked, "and" if join.by == "each" else join.by)


@rule((Half, WhichZone, Value), HowMuch)
def and_by_how_much(item: Half | WhichZone | Value, word: HowMuch, names: Names) -> Iterable[Phrase]:
    """Which region cooled most + and by how much: its value, which is told with its name."""
    left = item.left if isinstance(item, Half) else item
    if isinstance(item, Half) and item.by not in ("and", "clause") or word.how != "difference":
        return
    # Of anything but a change it may be the lead over the next one.
    each = left.node if isinstance(left, WhichZone) else getattr(getattr(left, "node", None), "of", None)
    if isinstance(each, Combine) and each.how == "difference":
        yield left


@rule(LargestChange, HowMuch)
def most_and_by_how_much(item: LargestChange, word: HowMuch, names: Names) -> Iterable[Phrase]:
    """Cooled most + and by how much, before it is said from when to when."""
    if word.how == "difference":
        yield item


@rule((WhichZone, Value), Area)
def largest_in_unit(found: WhichZone | Value, area: Area, names: Names) -> Iterable[Phrase]:
    """Which region has the most forest, + in hectares."""
    which = found.node if isinstance(found, WhichZone) else getattr(found.node, "of", None)
    if not area.unit or not isinstance(which, Aggregate) or which.statistic != "area":
        return
    told = replace(which, unit=area.unit)
    if isinstance(found, WhichZone):
        yield replace(found, node=told)
    elif isinstance(found.node, Which):
        yield Value(replace(found.node, of=told))


@rule(Half, Unit)
def and_when(half: Half, unit: Unit, names: Names) -> Iterable[Phrase]:
    """The highest mean NDVI and + on which date: the date, which is told with its value."""
    asks = unit.asks or unit.of in PERIODS
    if half.by == "and" and isinstance(half.left, Ranking) and asks:
        yield from (found for found in which(unit, half.left, names) if isinstance(found, Value))


@rule(Ordinal, Ranking)
def nth_ranked(ordinal: Ordinal, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Second + greenest."""
    if ordinal.nth > 1 and ranked.nth == ranked.top == 1:
        yield replace(ranked, nth=ordinal.nth)


@rule(Unit, LargestArea, either=True)
def zone_of_largest_area(unit: Unit, largest: LargestArea, names: Names) -> Iterable[Phrase]:
    """Which class covers + the largest area."""
    zones = zones_of(unit, names)
    every = ground_of_all_zones(zones, names) if zones is not None else None
    if every is not None and zones is not None:
        extreme = largest.extreme
        each = Aggregate("area", every, "pixel", by=zones)
        found = Which(each, extreme.direction, extreme.nth, extreme.top)
        yield Value(found)


@rule(Amount, LargestArea, either=True)
def the_first_few_by_area(amount: Amount, largest: LargestArea, names: Names) -> Iterable[Phrase]:
    """Three + largest, of which things is to come."""
    count, plain = amount.number.value, Extreme(largest.extreme.direction)
    if largest.extreme == plain and not amount.number.unit and count.is_integer() and 1 < count <= 50:
        yield replace(largest, extreme=replace(plain, top=int(count)))


@rule(LargestArea, Unit)
def the_largest(largest: LargestArea, unit: Unit, names: Names) -> Iterable[Phrase]:
    """The largest + class, as ground."""
    for found in zone_of_largest_area(unit, largest, names):
        if isinstance(found, Value) and isinstance(found.node, Which):
            yield from ground_found(found.node)


@rule(Ranking, Unit)
def the_greenest(ranked: Ranking, unit: Unit, names: Names) -> Iterable[Phrase]:
    """The greenest + region, as ground."""
    for found in which(unit, ranked, names):
        if isinstance(found, WhichZone) and not ranked.after:
            yield from ground_found(which_of_zones(found))


def which_of_zones(found: WhichZone) -> Which:
    """Return the expression of the zone that is highest or lowest."""
    return Which(found.node, found.extreme.direction, found.extreme.nth, found.extreme.top)


@rule(WhichZone, Each, either=True)
def which_on_each_date(found: WhichZone, each: Each, names: Names) -> Iterable[Phrase]:
    """Which region is hottest + on each date, or every date: each by itself, as none need be so on all."""
    made = which_of_zones(found)
    kind = kind_or_none(made) if each in (Each("date"), Each("every date")) else None
    if kind is not None and kind.axes == {"date"}:
        yield Value(made)


def ground_found(found: Which) -> Iterable[Mask]:
    """Yield the classes or features that are looked for as ground: "of the largest class"."""
    # Of a change both sides are told for each of the same zones.
    sides = (found.of.left, found.of.right) if isinstance(found.of, Combine) else (found.of,)
    grouped = {side.by if isinstance(side, Aggregate) else None for side in sides}
    zones = grouped.pop() if len(grouped) == 1 else None
    if isinstance(zones, Zones) and zones.by in ("class", "feature") and found.top > 0:
        yield Mask(Place(zones.by, source=zones.source, attribute=zones.attribute, at=found))


@rule((Raw, Measure), WhichZone, cost=1)
def of_the_zone_found(item: Raw | Measure, found: WhichZone, names: Names) -> Iterable[Phrase]:
    """Mean elevation + of the region with the highest mean LST."""
    for ground in ground_found(which_of_zones(found)):
        placed = fill_place(item, ground.node)
        yield from (placed,) if isinstance(placed, Phrase) else ()


@rule((Raw, Measure), Value, cost=1)
def of_the_zones_found(item: Raw | Measure, found: Value, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + of the regions with more than 40 % forest: of all of them together."""
    match found.node:
        case Dates(Compare(Aggregate(by=Zones(by="class" | "feature" as by) as zones)), "all"):
            ground = Place(by, source=zones.source, attribute=zones.attribute, at=found.node)
            placed = fill_place(item, ground)
            yield from (placed,) if isinstance(placed, Phrase) else ()


@rule(Unit, Comparative)
def the_greener(unit: Unit, word: Comparative, names: Names) -> Iterable[Phrase]:
    """Which year was + greener, of two."""
    if word.node is not None and word.sign in ("gt", "lt"):
        yield from which(unit, Ranking("highest" if word.sign == "gt" else "lowest", word.node), names)


@rule(AreaOf, Extreme)
def area_ranked(found: AreaOf, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Area with NDVI above 0.75 + largest: on which date."""
    made = Aggregate("area", found.node, "pixel", unit=found.unit)
    if leaves(found.node) and kind_or_none(made) is not None:
        yield Ranking(extreme.direction, made, extreme.nth, extreme.top, after=True)


@rule(Ordinal, LargestArea)
def nth_largest(ordinal: Ordinal, largest: LargestArea, names: Names) -> Iterable[Phrase]:
    """Second + largest."""
    if ordinal.nth > 1 and largest.extreme.nth == 1:
        yield LargestArea(Extreme(largest.extreme.direction, ordinal.nth))


@rule(Superlative, (Measure, Raw, CourseOf))
def extreme_of(found: Superlative, item: Measure | Raw | CourseOf, names: Names) -> Iterable[Phrase]:
    """Which date has the highest + mean NDVI; which class has the highest + trend of NDVI."""
    ranked = Ranking(found.extreme.direction, item.node, found.extreme.nth, found.extreme.top)
    yield from which(found.unit, ranked, names)


@rule(Superlative, Series)
def extreme_of_a_series(found: Superlative, item: Series, names: Names) -> Iterable[Phrase]:
    """Which month has the highest + monthly mean NDVI."""
    if isinstance(item.node, Aggregate) and item.node.by == found.unit.of:
        made = Which(item.node, found.extreme.direction, found.extreme.nth, found.extreme.top)
        if kind_or_none(made) is not None:
            yield Value(made)


@rule(Unit, Ranking)
def which(unit: Unit, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Which date + greenest."""
    zones = zones_of(unit, names)
    grouped = by_zones(ranked.node, zones) if zones is not None else None
    if grouped is not None:
        yield WhichZone(grouped, Extreme(ranked.direction, ranked.nth, ranked.top))
        return
    node = by_unit(ranked.node, unit)
    if node is not None and unit.clear:
        node = fill_clouds(node, "clear_dates")
    if node is None:
        return
    found = Which(node, ranked.direction, ranked.nth, ranked.top)
    kind = kind_or_none(found)
    if kind is None:
        return
    if unit.of in ("date", "image") and kind.value != "date":
        by = {part.by for part in found.walk() if isinstance(part, Aggregate) and isinstance(part.by, Zones)}
        bare = rewrite(found, Aggregate, lambda part: replace(part, by=None))
        if len(by) == 1:
            yield from date_of_each_zone(Value(bare), Each("zone", by.pop()), names)
        return
    yield Value(found)
    # "Which year" asks for it, where "the year with the most cloud" may be a time as well.
    period = unit.of in PERIODS and ranked.top == 1 and not unit.asks
    if unit.of in ("date", "image") and ranked.top or period:
        yield Time(When(at=found))


@rule(Value, Each, either=True)
def date_of_each_zone(found: Value, each: Each, names: Names) -> Iterable[Phrase]:
    """The greenest date + for each class, where they are few."""
    every = ground_of_all_zones(each.zones, names) if isinstance(each.zones, Zones) else None
    if not isinstance(every, Place) or not 1 < len(every.names) <= _MOST_ZONES:
        return
    kind = kind_or_none(found.node)
    if not isinstance(found.node, Which) or kind is None or kind.value != "date":
        return
    parts = [fill_place(found.node, replace(every, names=(name,))) for name in every.names]
    dates = [part for part in parts if isinstance(part, Node)]
    if len(dates) == len(parts):
        yield Value(Several(tuple(dates)))


# So many zones are still told one by one.
_MOST_ZONES = 8


def by_unit(node: Node, unit: Unit) -> Node | None:
    """Return numbers for each date, period or zone."""
    if isinstance(node, Phenology):
        return node if node.by == unit.of else None
    if unit.of in ("date", "image"):
        return series(node)
    if unit.of == "period":
        told = kind_or_none(node)
        return node if told is not None and told.axes == {"period"} else None
    if unit.of in PERIODS:
        match node:
            case Combine(left=of, right=Number()) if (each := by_unit(of, unit)) is not None:
                return replace(node, left=each)  # what is near to a number is the mean of a month
            case Combine("absolute_difference", of) if (each := by_unit(of, unit)) is not None:
                return replace(node, left=each)  # ups and downs within a year must not add up
        if isinstance(node, Aggregate) and (node.over, node.by) == ("date", None):
            return replace(node, by=unit.of)  # type: ignore[arg-type]
        each = series(node)
        if each is None or (kind := kind_or_none(each)) is None or kind.axes != {"date"}:
            return None
        if (depth := depth_of(each)) is not None:
            return Aggregate("sum", depth, "date", by=unit.of)  # type: ignore[arg-type]
        if isinstance(each, Aggregate) and each.statistic in ("max", "min") and each.by is None:
            return replace(each, over="all", by=unit.of)  # type: ignore[arg-type]
        return Aggregate("mean", each, "date", by=unit.of, assumed=("dates",))  # type: ignore[arg-type]
    return None


@rule(Word, (Value, Measure))
def farthest_from_the_mean(word: Word, found: Value | Measure, names: Names) -> Iterable[Phrase]:
    """Deviates most from + the average of the mean NDVI: of its dates, up or down."""
    usual = found.node
    if word.name == "farthest_from" and isinstance(usual, Aggregate) and usual.over == "date":
        apart = Combine("absolute_difference", usual.of, usual)
        if usual.statistic in ("mean", "median") and kind_or_none(apart) is not None:
            yield Ranking("highest", apart)


@rule(Word, Usual)
def farthest_from_the_usual(word: Word, usual: Usual, names: Names) -> Iterable[Phrase]:
    """Deviates most from + the long-term average, before it is said of what."""
    if word.name == "farthest_from" and usual == Usual(ALWAYS):
        yield Word("farthest_from_usual")


@rule(Word, (Measure, Raw))
def farthest_from_the_usual_of(word: Word, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """Deviates most from the long-term average of + mean NDVI."""
    each = series(item.node) if word.name == "farthest_from_usual" else None
    if each is not None:
        yield from farthest_from_the_mean(
            Word("farthest_from"), Value(Aggregate("mean", each, "date")), names
        )


@rule((Ranking, Value), Word, either=True)
def up_or_down(item: Ranking | Value, word: Word, names: Names) -> Iterable[Phrase]:
    """Deviates most, + in either direction: what is counted without its sign."""
    node = item.node.of if isinstance(item.node, Which) else item.node
    if word.name == "either_way" and isinstance(node, Combine) and node.how == "absolute_difference":
        yield item


@rule(Superlative, (Share, ShareOf))
def zone_of_share(found: Superlative, share: Share | ShareOf, names: Names) -> Iterable[Phrase]:
    """Which region has the highest + share of forest; which class has the highest + share, of everything."""
    zones = zones_of(found.unit, names)
    if zones is None:
        return
    if isinstance(share, Share) or share.node is None:
        yield SuperlativeShare(zones, found.extreme, ground_of_all_zones(zones, names))
    elif not leaves(share.node):
        yield WhichZone(Aggregate("share", share.node, "pixel", by=zones), found.extreme)


@rule(SuperlativeShare, Mask)
def zone_of_share_that_passes(found: SuperlativeShare, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Which class has the highest share of pixels + with NDVI above 0.8."""
    made = Aggregate("share", as_mask(mask.node), "pixel", by=found.zones)
    if leaves(mask.node) and kind_or_none(made) is not None:
        yield WhichZone(made, found.extreme)


@rule(Superlative, Mask)
def zone_of_most(found: Superlative, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Which region has the most + forest; "the smallest class; its area" is no class with most of another."""
    zones = zones_of(found.unit, names)
    sought = any(isinstance(part, Place) and part.at is not None for part in mask.node.walk())
    if zones is not None and not leaves(mask.node) and not sought:
        yield WhichZone(Aggregate("area", mask.node, "pixel", by=zones), found.extreme)


@rule((Unit, CountOf), (Condition, Mask))
def zones_that_pass(asked: Unit | CountOf, held: Condition | Mask, names: Names) -> Iterable[Phrase]:
    """Which regions have + mean NDVI above 0.7; have + more forest than cropland: each of them."""
    unit = asked.unit if isinstance(asked, CountOf) else asked
    zones = zones_of(unit, names)
    node = held.node
    kind = kind_or_none(node)
    if zones is None or not isinstance(node, Compare) or kind is None:
        return
    if kind.axes == {"zone"} and zones in {part.by for part in node.walk() if isinstance(part, Aggregate)}:
        yield Value(Aggregate("count", node, "zone") if isinstance(asked, CountOf) else Dates(node))
    if node.upper is not None and not isinstance(node.limit, Number) or "zone" in kind.axes:
        return
    sides = [side if isinstance(side, Number) else by_zones(side, zones) for side in (node.of, node.limit)]
    each, limit = (side if side is None or isinstance(side, Number) else number(side) for side in sides)
    if each is None or limit is None:
        return
    passed = replace(node, of=each, limit=limit)
    if kind_or_none(passed) is not None:
        yield Value(Aggregate("count", passed, "zone") if isinstance(asked, CountOf) else Dates(passed))


@rule(WhichZone, Along)
def zone_that_varies_over_time(found: WhichZone, along: Along, names: Names) -> Iterable[Phrase]:
    """Which region's NDVI varied most + over the dates: the mean of each of them."""
    table = found.node
    if along.axis not in ("date", "period") or not isinstance(table, Aggregate) or table.by is None:
        return
    if table.statistic in SPREADS and table.over == "pixel":
        each = Aggregate("mean", table.of, "pixel", by=table.by, assumed=("statistic",))
        made = Aggregate(table.statistic, each, "date", parameter=table.parameter)
        if kind_or_none(made) is not None:
            yield replace(found, node=made)


@rule(ShareOf, Extreme)
def share_that_is_highest(share: ShareOf, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """In which region is the share of water + highest."""
    if isinstance(share.node, Place):
        node = Aggregate("share", share.node, "pixel")
        yield Ranking(extreme.direction, node, extreme.nth, extreme.top)


@rule(Value, Many)
def of_these_periods(item: Value, several: Many, names: Names) -> Iterable[Phrase]:
    """Which year had the highest NDVI, + 2015, 2016 or 2017."""
    by = getattr(item.node.of, "by", None) if isinstance(item.node, Which) else None
    when: When | None = None
    for part in several.of:
        if not isinstance(part, Time) or _period(part.when) != by:
            return
        when = part.when if when is None else together(when, part.when)
    found = fill_time(item, when) if when is not None else None
    if found is not None:
        yield found


@rule(Value, Pair)
def of_these(item: Value, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which date has the lower mean NDVI, + 2015-09-29 or 2015-08-20."""
    if not isinstance(item.node, Which) or pair.by not in ("or", "and"):
        return
    if not isinstance(pair.left, Time) or not isinstance(pair.right, Time):
        return
    when = together(pair.left.when, pair.right.when)
    each, period = item.node.of, _period(pair.left.when)
    kind = kind_or_none(each)
    if period and kind is not None and kind.axes == {"date"}:  # "when was it greener, March or May 2016"
        by_period = by_unit(each, Unit(period)) if period in PERIODS else None
        if by_period is None:
            return
        item = Value(replace(item.node, of=by_period))
    found = fill_time(item, when) if when is not None else None
    if found is not None:
        yield found


def _period(when: When) -> str:
    """Return what is longer than a day and named as a time: a month, a year, or several months."""
    if len(when.spans) != 1 or when.spans[0].is_day or when.pick:
        return ""
    months = months_in(when)
    return "month" if len(months) == 1 else "months" if months else "year"


@rule(Changes, Extreme, either=True)
def ranked_changes(found: Changes, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Warmed from A to B + most: by the change, its direction minded; changed + most: up or down."""
    how = found.how
    if not found.sign and how == "difference":
        how = "absolute_difference"
    elif not found.sign and how == "percent_change":
        return
    direction = extreme.direction if found.sign >= 0 else OPPOSITE[extreme.direction]
    node = Combine(how, found.left, found.right)  # type: ignore[arg-type]
    yield Ranking(direction, node, extreme.nth, extreme.top)


@rule(ChangeOf, Extreme, either=True)
def ranked_change(found: ChangeOf, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Warmed + most, before it is said from when to when."""
    yield LargestChange(found, extreme)


@rule(LargestChange, Pair, either=True)
def most_changed(most: LargestChange, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Warmed most + from A to B."""
    for found in between(most.changed, pair, names):
        if isinstance(found, Changes):
            yield from ranked_changes(found, most.extreme, names)


OPPOSITE: dict[str, Ends] = {"highest": "lowest", "lowest": "highest"}
