"""Counting: dates, images, pixels; areas and shares of masks; dates on which something holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import kind_or_none, series
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Cloud,
    Compare,
    Dates,
    Node,
    Not,
    Number,
    Place,
    Valid,
    When,
)
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.registry import rule
from treeline.core.query.kinds import same_dimension
from treeline.core.query.names import Names
from treeline.core.query.phrases.conditions import Claim, Condition, Limit
from treeline.core.query.phrases.counts import (
    Area,
    AreaOf,
    Base,
    Count,
    CountOf,
    FoundBy,
    PixelLimit,
    PixelsOf,
    Quantifier,
    Share,
    SharedUnit,
    ShareLimit,
    ShareOf,
    Unit,
)
from treeline.core.query.phrases.phrase import Half, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.times import Ordinal, Time
from treeline.core.query.phrases.values import Amount, Measure, PixelValues, Series, Value
from treeline.core.query.slots import as_mask, clashes, fill_clouds, fill_place, leaves, set_time


@rule(Count, Unit)
def how_many(count: Count, unit: Unit, names: Names) -> Iterable[Phrase]:
    """How many + dates."""
    yield CountOf(unit)
    if unit.of in ("date", "image") and unit.clear and names.inventory.cloud_dates:
        yield Value(Aggregate("count", Not(Aggregate("any", Cloud(), "pixel")), "date"))


@rule(CountOf, (Condition, Mask))
def count_of(counted: CountOf, held: Condition | Mask, names: Names) -> Iterable[Phrase]:
    """How many dates + mean NDVI above 0.7; how many pixels + NDVI above 0.7."""
    unit = counted.unit
    if unit.of in ("date", "image"):
        node = per_date(held, clear=unit.clear)
        if node is not None:
            yield Value(Aggregate("count", node, "date"))
    elif unit.of == "pixel" and isinstance(held, Mask):
        yield Measure(Aggregate("count", as_mask(held.node), "pixel"))


@rule(Measure, Share, cost=1)
def share_in_per_cent(item: Measure, word: Share, names: Names) -> Iterable[Phrase]:
    """How cloudy was this date + (percent): what a share is in anyway."""
    kind = kind_or_none(item.node)
    if kind is not None and kind.unit == "%":
        yield item


@rule(Mask, Unit)
def pixels_of(mask: Mask, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Forest + pixels, of which the number is asked."""
    if unit.of == "pixel" and not isinstance(mask.node, Compare):
        yield PixelsOf(mask.node)


@rule(Count, (PixelsOf, Mask))
def number_of_pixels(count: Count, found: PixelsOf | Mask, names: Names) -> Iterable[Phrase]:
    """How many + forest pixels; how many + cloudy pixels."""
    if isinstance(found, PixelsOf) or (isinstance(found.node, Cloud | Not | Valid) and leaves(found.node)):
        yield Measure(Aggregate("count", as_mask(found.node), "pixel"))


@rule(PixelValues, Limit)
def pixel_values_that_pass(found: PixelValues, limit: Limit, names: Names) -> Iterable[Phrase]:
    """How many NDVI pixels are + above 0.7."""
    held = compare(found.node, limit)
    if held is not None and kind_or_none(held) is not None:
        yield PixelsOf(held)


@rule(Share, PixelsOf)
def share_of_pixel_values(share: Share, found: PixelsOf, names: Names) -> Iterable[Phrase]:
    """Share of + the NDVI pixels above 0.7."""
    if isinstance(found.node, Compare):
        yield Measure(Aggregate("share", found.node, "pixel"))


@rule(Limit, Unit)
def so_many_pixels(limit: Limit, unit: Unit, names: Names) -> Iterable[Phrase]:
    """More than 1000 + pixels."""
    if unit.of == "pixel" and not limit.number.unit and limit.upper is None:
        yield PixelLimit(limit)


@rule(PixelLimit, Mask)
def so_many_pixels_that_are(found: PixelLimit, mask: Mask, names: Names) -> Iterable[Phrase]:
    """More than 1000 pixels + with NDVI above 0.75, on such dates."""
    placed = mask if found.ground is None else fill_place(mask, found.ground)
    if isinstance(placed, Mask):
        yield from _so_much(Aggregate("count", as_mask(placed.node), "pixel"), found.limit)


@rule(Limit, PixelsOf)
def so_many_pixels_of(limit: Limit, pixels: PixelsOf, names: Names) -> Iterable[Phrase]:
    """More than 500 + forest pixels, before it is said what they are; more than 500 + pixels under cloud."""
    if limit.number.unit or limit.upper is not None:
        return
    if isinstance(pixels.node, Place):
        yield PixelLimit(limit, pixels.node)
    else:
        yield from _so_much(Aggregate("count", as_mask(pixels.node), "pixel"), limit)


@rule(Limit, Mask, either=True, cost=1)
def so_much_ground(limit: Limit, mask: Mask, names: Names) -> Iterable[Phrase]:
    """More than 50 ha + with NDVI above 0.7; more than 5000 + cloudy pixels, on such dates."""
    if limit.upper is not None:
        return
    if limit.number.unit and same_dimension(limit.number.unit, "ha"):
        yield from _so_much(Aggregate("area", as_mask(mask.node), "pixel", unit=limit.number.unit), limit)
    elif isinstance(mask.node, Cloud) and not limit.number.unit:
        yield from _so_much(Aggregate("count", mask.node, "pixel"), limit)


def _so_much(counted: Aggregate, limit: Limit) -> Iterable[Condition]:
    """Yield a condition on each date, where there is a number for each."""
    kind = kind_or_none(counted)
    if kind is not None and kind.axes == {"date"}:
        yield Condition(Compare(counted, limit.sign, limit.number))  # type: ignore[arg-type]


@rule(Measure, Word)
def share_as_share(item: Measure, word: Word, names: Names) -> Iterable[Phrase]:
    """Cloud cover + in per cent, which it is in anyway."""
    if word.name == "as_share" and isinstance(item.node, Aggregate) and item.node.statistic == "share":
        yield item


def per_date(held: Condition | Mask, clear: bool = False) -> Node | None:
    """Return a condition on each date, or each cloud-free date: one on a raster is one on its mean."""
    node = _on_each(held)
    return fill_clouds(node, "clear_dates") if clear and node is not None else node


def _on_each(held: Condition | Mask) -> Node | None:
    node = held.node
    if isinstance(held, Mask):
        if isinstance(node, Cloud):
            return Aggregate("any", node, "pixel")
        if isinstance(node, Not) and isinstance(node.of, Cloud):
            return Not(Aggregate("any", node.of, "pixel"))
        if isinstance(node, Not) and isinstance(node.of, Valid):
            return Aggregate("any", node, "pixel")
        if not isinstance(node, Compare) or not isinstance(node.limit, Number):
            return None
        mean = series(node.of)
        if mean is None:
            return None
        node = Compare(mean, node.operator, node.limit, node.upper, assumed=("statistic",))
    kind = kind_or_none(node)
    return node if kind is not None and kind.axes == {"date"} else None


@rule(Value, (Condition, Mask, Claim))
def dates_that_pass_another(found: Value, held: Condition | Mask | Claim, names: Names) -> Iterable[Phrase]:
    """How many dates, which dates with less than 10 % cloud + have a mean NDVI below 0.3: both hold then."""
    match found.node:
        case Aggregate("count", first, "date", by=None) | Dates(first, "all"):
            second = per_date(Condition(held.node) if isinstance(held, Claim) else held)
        case _:
            return
    kind = kind_or_none(first)
    # Cloud-free dates are told by the variable itself, which leaves the others out.
    if second is None or second == first or isinstance(first, Not) or kind is None or kind.axes != {"date"}:
        return
    times = {leaf.when for leaf in leaves(first)}
    if len(times) == 1 and all(leaf.when == ALWAYS for leaf in leaves(second)):
        second = set_time(second, times.pop())
    yield Value(replace(found.node, of=both(first, second)))


@rule(Unit, (Condition, Mask))
def dates_on_which(unit: Unit, held: Condition | Mask, names: Names) -> Iterable[Phrase]:
    """Dates + with mean NDVI above 0.7."""
    if unit.of in ("date", "image"):
        node = per_date(held, clear=unit.clear)
        if node is not None:
            yield Value(Dates(node))
            yield Time(When(at=Dates(node)))


@rule(CountOf, Condition)
def dates_that_pass_in_zones(counted: CountOf, held: Condition, names: Names) -> Iterable[Phrase]:
    """Number of dates + with (mean NDVI of each class) above 0.7: for each of them."""
    kind = kind_or_none(held.node)
    if counted.unit == Unit("date") and kind is not None and kind.axes == {"date", "zone"}:
        yield Series(Aggregate("count", held.node, "date"))


@rule(Condition, Unit)
def dates_under_clouds(held: Condition, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Completely overcast + dates."""
    if all(isinstance(leaf, Cloud) for leaf in leaves(held.node)):
        yield from dates_on_which(unit, held, names)


@rule(Quantifier, (Condition, Mask), either=True)
def so_many_dates(quantified: Quantifier, held: Condition | Mask, names: Names) -> Iterable[Phrase]:
    """More than 30 % of the images + completely overcast; mean NDVI above 0.5 + on most of the dates."""
    apart = isinstance(held, Mask) and not all(isinstance(leaf, Cloud) for leaf in leaves(held.node))
    node = None if apart or quantified.unit != "date" else per_date(held, clear=quantified.clear)
    if node is not None:
        statistic = "share" if quantified.number.unit == "%" else "count"
        yield Claim(Compare(Aggregate(statistic, node, "date"), quantified.sign, quantified.number))  # type: ignore[arg-type]


@rule(Count, Value)
def how_many_of_those_dates(count: Count, found: Value, names: Names) -> Iterable[Phrase]:
    """How many + cloudy dates; polygons with mean NDVI above 0.8."""
    if isinstance(found.node, Dates) and found.node.pick == "all":
        kind = kind_or_none(found.node.of)
        of_zones = kind is not None and kind.axes == {"zone"}
        yield Value(Aggregate("count", found.node.of, "zone" if of_zones else "date"))


@rule(Ordinal, Value)
def first_of_dates(ordinal: Ordinal, found: Value, names: Names) -> Iterable[Phrase]:
    """Last + clear image."""
    node = found.node
    if isinstance(node, Dates) and node.pick == "all" and ordinal.nth in (1, -1):
        yield Value(Dates(node.of, "first" if ordinal.nth == 1 else "last"))


@rule(Unit, Value)
def when_it_was(unit: Unit, found: Value, names: Names) -> Iterable[Phrase]:
    """When was + the first image with mean NDVI above 0.7."""
    if unit.of == "date" and not unit.clear and isinstance(found.node, Dates) and found.node.pick != "all":
        yield found


@rule(Measure, Mask)
def count_of_those(item: Measure, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Number of pixels of cropland + hotter than 310 K."""
    node = item.node
    if not isinstance(node, Aggregate) or (node.statistic, node.over) != ("count", "pixel"):
        return
    joined = both(as_mask(node.of), as_mask(mask.node))
    apart = leaves(mask.node) or isinstance(mask.node, Place)
    if apart and not leaves(node.of) and not clashes(joined):
        yield Measure(replace(node, of=joined))


def ground_asked(asked: Phrase, held: Node) -> Iterable[Phrase]:
    """Yield the area, number or share of the pixels on which a condition holds, as it is asked for."""
    kind = kind_or_none(held)
    if kind is None or kind.axes != {"pixel"}:
        return
    if isinstance(asked, Area):
        yield AreaOf(held, asked.unit)
    elif isinstance(asked, CountOf) and asked.unit.of == "pixel":
        yield Measure(Aggregate("count", held, "pixel"))
    elif asked == ShareOf():
        yield Measure(Aggregate("share", held, "pixel"))


@rule(Area, Pair)
def areas_of_two(area: Area, pair: Pair, names: Names) -> Iterable[Phrase]:
    """How many hectares + of forest and grassland, each by itself."""
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    kinds = {(getattr(ground, "by", ""), getattr(ground, "source", "")) for ground in grounds}
    if pair.by == "and" and len(grounds) == 2 and len(kinds) == 1 and isinstance(grounds[0], Place):
        yield Many(tuple(AreaOf(as_mask(ground), area.unit) for ground in grounds))


@rule(Area, (Mask, Location))
def area_of(area: Area, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """How many hectares + of forest."""
    yield AreaOf(as_mask(mask.node), area.unit)


@rule(Area, (Mask, Location), cost=1)  # rather the area of one ground
def area_as_it_varies(area: Area, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Area with + NDVI above 0.7: a number of each date, as any statistic is."""
    held = as_mask(mask.node)
    made = Aggregate("area", held, "pixel", unit=area.unit)
    if any(not getattr(leaf, "timeless", False) for leaf in leaves(held)) and kind_or_none(made) is not None:
        yield Measure(made)


@rule(ShareOf, Area)
def how_much_in_unit(share: ShareOf, area: Area, names: Names) -> Iterable[Phrase]:
    """How much grassland + in km2."""
    if share.node is not None and area.unit:
        yield AreaOf(as_mask(share.node), area.unit)


@rule(Measure, Area)
def part_that_passes_in_unit(found: Measure, area: Area, names: Names) -> Iterable[Phrase]:
    """How much of the forest is above 0.7, + in hectares."""
    match found.node:
        case Aggregate("share", Compare() as passed, "pixel", by=None, within=None) if area.unit:
            yield AreaOf(passed, area.unit)


@rule(Value, Area)
def part_in_unit(found: Value, area: Area, names: Names) -> Iterable[Phrase]:
    """How much forest is there in Pinehurst, + in hectares."""
    node = found.node
    if isinstance(node, Aggregate) and node.statistic == "share" and node.within is not None and area.unit:
        yield AreaOf(both(as_mask(node.of), node.within), area.unit)


@rule(Limit, Word)
def limit_of_everything(limit: Limit, word: Word, names: Names) -> Iterable[Phrase]:
    """More than half + of the scene."""
    if word.name == "whole" and limit.number.unit == "%":
        yield ShareLimit(limit)


@rule(Limit, Mask)
def cloud_limit(limit: Limit, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Less than 10 % + clouds; at least 80 % + clear."""
    clouds = mask.node.of if isinstance(mask.node, Not) else mask.node
    if isinstance(clouds, Cloud) and limit.number.unit == "%":
        made = compare(Aggregate("share", mask.node, "pixel"), limit)
        if made is not None:
            yield Condition(made)


@rule(Amount, Mask)
def wholly_clouded(amount: Amount, mask: Mask, names: Names) -> Iterable[Phrase]:
    """100 % + cloud."""
    if isinstance(mask.node, Cloud) and amount.number == Number(100.0, "%"):
        yield Condition(Aggregate("all", mask.node, "pixel"))


@rule(Share, (Mask,))
def share_in_unit(share: Share, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Share + of cloudy pixels."""
    if isinstance(mask.node, Cloud | Not | Valid) and leaves(mask.node):
        yield Measure(Aggregate("share", mask.node, "pixel"))


@rule(Mask, Area, cost=1)
def ground_area(mask: Mask, area: Area, names: Names) -> Iterable[Phrase]:
    """Forest + area."""
    yield AreaOf(as_mask(mask.node), area.unit)


@rule(AreaOf, (Mask, Location))
def area_of_both(area: AreaOf, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """How many hectares of Willowbank + are forest."""
    joined = both(area.node, as_mask(mask.node))
    if not clashes(joined):
        yield AreaOf(joined, area.unit)


@rule(Word, Mask)
def find_by_condition(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """From + NDWI above 0."""
    if word.name == "from" and isinstance(mask.node, Compare) and leaves(mask.node):
        yield FoundBy(mask.node)


@rule(AreaOf, FoundBy)
def area_found_by(area: AreaOf, found: FoundBy, names: Names) -> Iterable[Phrase]:
    """Water extent + from NDWI above 0: where that holds at all, or on the ground that is called water."""
    if not leaves(area.node):
        yield AreaOf(as_mask(found.node), area.unit)
        yield AreaOf(both(area.node, as_mask(found.node)), area.unit)


@rule(AreaOf, Limit)
def area_that_passes(found: AreaOf, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Area with NDVI above 0.6 + over 100 ha."""
    made = compare(Aggregate("area", found.node, "pixel", unit=found.unit), limit)
    if made is not None:
        yield Condition(made)


@rule(AreaOf, Area)
def area_in_unit(found: AreaOf, area: Area, names: Names) -> Iterable[Phrase]:
    """Area with NDVI above 0.75, + in hectares."""
    if area.unit and found.unit in ("", area.unit):
        yield AreaOf(found.node, area.unit)


@rule(Area, Area)
def area_and_unit(one: Area, other: Area, names: Names) -> Iterable[Phrase]:
    """Area + in hectares."""
    if (not one.unit) != (not other.unit):
        yield Area(one.unit or other.unit)


@rule(Share, Unit)
def share_of_unit(share: Share, unit: Unit, names: Names) -> Iterable[Phrase]:
    """What share + of the pixels."""
    if unit.of == "pixel":
        yield ShareOf()
    if unit.of in ("date", "image") and not unit.clear:
        yield SharedUnit(unit)
    if unit.of in ("date", "image") and unit.clear and names.inventory.cloud_dates:
        yield Value(Aggregate("share", Not(Aggregate("any", Cloud(), "pixel")), "date"))


@rule(Share, Word)
def share_of_it_all(share: Share, word: Word, names: Names) -> Iterable[Phrase]:
    """What share + of the study area."""
    if word.name == "whole":
        yield ShareOf()


@rule(Mask, Share, cost=1)
def ground_share(mask: Mask, share: Share, names: Names) -> Iterable[Phrase]:
    """Forest + share."""
    yield ShareOf(mask.node)


@rule(ShareOf, Word)
def how_much_of_it_there_is(share: ShareOf, word: Word, names: Names) -> Iterable[Phrase]:
    """How much steep ground + is there: its area, where it is no class that has a share of all."""
    if word.name == "exists" and isinstance(share.node, Compare):
        yield AreaOf(share.node)


@rule(Share, Mask)
def share_of_ground(share: Share, mask: Mask, names: Names) -> Iterable[Phrase]:
    """What share + of the forest."""
    yield ShareOf(mask.node)


@rule(Mask, ShareOf)
def ground_share_of(mask: Mask, share: ShareOf, names: Names) -> Iterable[Phrase]:
    """Forest + share of Willowbank; cloud-free + share of the forest, of the scene."""
    if leaves(mask.node):
        yield from share_where(share, mask, names) if not isinstance(mask.node, Place) else ()
    elif share.node is not None and mask.node != share.node:
        yield Value(Aggregate("share", mask.node, "pixel", within=as_mask(share.node)))


@rule(ShareOf, (Mask, Location))
def share_where(share: ShareOf, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """What share of the forest + NDVI under 0.6."""
    if share.node is None:
        node: Node | None = mask.node
    elif not leaves(mask.node):
        if mask.node != share.node:
            yield Value(Aggregate("share", mask.node, "pixel", within=as_mask(share.node)))
            if isinstance(mask, Location) and mask.inside and not leaves(share.node):
                yield Value(Aggregate("share", share.node, "pixel", within=as_mask(mask.node)))
        return
    else:
        node = fill_place(mask.node, share.node)
    if node is not None:
        yield Measure(Aggregate("share", node, "pixel"))


@rule(ShareOf, Word)
def share_that_is(share: ShareOf, word: Word, names: Names) -> Iterable[Phrase]:
    """What share of the land above 400 m + is, with what it is to come."""
    if word.name == "did" and share.node is not None:
        yield Half(share, "is")


@rule(Half, (Mask, Location))
def share_that_is_so(half: Half, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """What share of the land above 400 m is + forest: of that land alone."""
    if half.by == "is" and isinstance(half.left, ShareOf):
        yield from share_where(half.left, mask, names)


@rule(Word, (Mask, Location))
def base_of(word: Word, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Among + the pixels with NDVI above 0.7: what a share is taken of."""
    if word.name == "among":
        yield Base(mask.node)


@rule(ShareOf, Base)
def share_among(share: ShareOf, base: Base, names: Names) -> Iterable[Phrase]:
    """Share of forest + among the pixels with NDVI above 0.7."""
    if share.node is not None and share.node != base.node:
        made = Aggregate("share", share.node, "pixel", within=as_mask(base.node))
        if not leaves(share.node):
            yield Measure(made)


@rule(Measure, Base)
def share_of_base(item: Measure, base: Base, names: Names) -> Iterable[Phrase]:
    """Share of the pixels with NDVI above 0.7 + among the forest."""
    if isinstance(item.node, Aggregate) and item.node.within is None:
        filled = fill_place(item, base.node)
        if filled is not None:
            yield filled


@rule(Base, Share)
def base_and_share(base: Base, share: Share, names: Names) -> Iterable[Phrase]:
    """Among the forest pixels, + what share."""
    yield ShareOf(base.node)
