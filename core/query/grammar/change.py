"""Change: differences, ratios and per cent between two times, places, things; steps from date to date."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import change_mask, kind_or_none, number, raster, series, where_changed
from treeline.core.query.expression import ALWAYS, Aggregate, Combine, Node, Not, Number, Place, Steps, Which
from treeline.core.query.grammar.comparison import fill_slots
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import starts_later
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import (
    Change,
    ChangedBy,
    ChangeLimit,
    ChangeOf,
    Changes,
    HowMuch,
    PixelChange,
    Stepwise,
    Versus,
)
from treeline.core.query.phrases.conditions import Claim, Condition, EachLimit, Limit
from treeline.core.query.phrases.counts import Area, AreaChange, AreaOf, CountOf, ShareOf, Unit
from treeline.core.query.phrases.phrase import Half, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.ranks import Extreme
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Along, Each, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import as_mask, fill_clouds, fill_place, leaves, names_ground, set_time
from treeline.toolkit.recognition.dates import named_month


@rule(Change, (Raw, Measure), either=True)
def change_of(change: Change, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Change in + mean NDVI."""
    yield ChangeOf(change.how, change.sign, item.node, isinstance(item, Measure), change.how == "ratio")


@rule(Word, (Measure, Value, AreaOf, ChangeOf))
def in_which_range(word: Word, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Into which range does + the mean elevation fall: of that one number."""
    if word.name != "in_range":
        return
    if isinstance(item, ChangeOf):
        yield from (Measure(item.node),) if item.sign < 0 and item.measured else ()
    else:
        yield item


@rule(ChangeOf, Pair, either=True, cost=1)
def between_loosely(changed: ChangeOf, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Change in mean NDVI + 2015 to 2017, without from or between."""
    if pair.by != "between":
        yield from between(changed, pair, names)


@rule(ChangeOf, Pair, either=True)
def between_in_full(changed: ChangeOf, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Change in mean NDVI + from 2015 to 2017."""
    if pair.by == "between":
        yield from between(changed, pair, names)


def between(changed: ChangeOf, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Yield a change with both its sides: of times the later against the earlier."""
    two = sides(changed.node, pair)
    if two is None:
        return
    earlier, later = two
    if changed.of_first:
        yield Changes(changed.how, changed.sign, earlier, later, changed.measured, changed.asked)
        return
    if pair.by == "and" and _starts_later(pair):
        earlier, later = later, earlier
    # Dates that are found by their values are in no order, as the first and the last one are.
    found = (
        pair.by in ("and", "between")
        and not changed.sign
        and isinstance(pair.left, Time)
        and isinstance(pair.left.when.at, Which)
    )
    if found or (isinstance(pair.left, Mask) and not _are_times(pair)) or pair.by in ("than", "minus"):
        if changed.sign:
            return
        earlier, later = later, earlier
    yield Changes(changed.how, changed.sign, later, earlier, changed.measured, changed.asked)


_TIMELY = re.compile(r"(?<![a-z])(pre|post|before|after)", re.IGNORECASE)


def _are_times(pair: Pair) -> bool:
    """Return whether two sites follow each other as dates do: months of no year, before and after a fire."""
    places = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    names = [place.names[0] for place in places if isinstance(place, Place) and place.by == "site"]
    return len(names) == 2 and all(named_month(name) or _TIMELY.search(name) for name in names)


def _starts_later(pair: Pair) -> bool:
    """Return whether the first of two times is the later one; a difference is that of the later one."""
    if isinstance(pair.left, Time) and isinstance(pair.right, Time):
        return starts_later(pair.left.when, pair.right.when)
    return False


def sides(node: Node, pair: Pair) -> tuple[Node, Node] | None:
    """Return a node at both times or places of a pair."""
    if pair.by in ("or", "versus"):
        return None
    one, two = fill_slots(node, pair.left), fill_slots(node, pair.right)
    return None if one is None or two is None or one == two else (one, two)


@rule((Raw, Measure), Pair, either=True)
def less_another(item: Raw | Measure, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + 2017 minus 2016; mean NDVI + of forest minus grassland."""
    if pair.by == "minus":
        yield from between(ChangeOf("difference", 0, item.node, isinstance(item, Measure)), pair, names)


@rule(Change, Pair, cost=1)
def difference_that_is_spelt_out(change: Change, pair: Pair, names: Names) -> Iterable[Phrase]:
    """The difference + 29 August minus 24 August."""
    if pair.by == "minus" and change == Change():
        yield pair


@rule(Unit, Changes)
def pixels_that_changed(unit: Unit, found: Changes, names: Names) -> Iterable[Phrase]:
    """Pixels + got greener from A to B."""
    if unit.of == "pixel" and found.sign and not found.measured:
        mask = where_changed(found, Limit("gt", Number(0.0)))
        if mask is not None:
            yield Mask(mask)


@rule(HowMuch, ChangeOf)
def how_much_of_a_change(word: HowMuch, found: ChangeOf, names: Names) -> Iterable[Phrase]:
    """By how much + did NDVI change."""
    yield replace(found, how=word.how if word.how != "difference" else found.how, asked=True)


@rule(HowMuch, Changes)
def how_much_between(word: HowMuch, found: Changes, names: Names) -> Iterable[Phrase]:
    """How much + warmer from June to July."""
    if word.how == found.how == "difference" and not found.asked:
        yield replace(found, asked=True)


@rule(Changes, Word)
def in_value_and_per_cent(found: Changes, word: Word, names: Names) -> Iterable[Phrase]:
    """Change of NDVI from A to B + in value and per cent."""
    if word.name == "both_ways" and found.how == "difference":
        yield Many((found, replace(found, how="percent_change")))
    elif word.name == "as_share" and found.how in ("difference", "percent_change"):
        yield replace(found, how="percent_change")


@rule(Value, Word)
def difference_in_per_cent(found: Value, word: Word, names: Names) -> Iterable[Phrase]:
    """How much greener July was than April + in per cent.

    Areas may be meant in per cent of all ground as well, which is asked back; temperatures have no zero that
    it could be taken of.
    """
    node, kind = found.node, kind_or_none(found.node)
    match node:
        case Combine("difference", Aggregate("area") as left, Aggregate("area") as right) if (
            word.name == "as_share"
        ):
            yield Value(replace(node, how="percent_change"))
            one, other = (replace(side, statistic="share", unit="") for side in (left, right))
            yield Value(Combine("difference", one, other))
            return
    pure = kind is not None and not kind.axes and kind.unit in ("", "1")
    if word.name == "as_share" and pure and isinstance(node, Combine) and node.how == "difference":
        yield Value(replace(node, how="percent_change"))


@rule((Raw, Measure), Change)
def ratio_said_twice(item: Raw | Measure, change: Change, names: Names) -> Iterable[Phrase]:
    """B8/B4 + ratio, which it is."""
    ratios = [part for part in item.node.walk() if isinstance(part, Combine) and part.how == "ratio"]
    if change == Change("ratio") and len(ratios) == 1:
        yield item


@rule(Along, (Change, ChangeOf, Changes), either=True)
def change_of_each_pixel(along: Along, change: Change | ChangeOf | Changes, names: Names) -> Iterable[Phrase]:
    """Per-pixel + change, + NDVI change; NDVI change from A to B + pixel by pixel."""
    if along == Along("date", "both") and not getattr(change, "measured", False):
        yield PixelChange(change)


@rule((ChangeOf, Changes), Each)
def change_at_every_pixel(change: ChangeOf | Changes, each: Each, names: Names) -> Iterable[Phrase]:
    """NDVI rise + at every pixel."""
    if each.axis == "every pixel" and not change.measured and change.sign:
        yield PixelChange(change)


@rule(PixelChange, Raw)
def pixel_change_of(change: PixelChange, item: Raw, names: Names) -> Iterable[Phrase]:
    """Per-pixel change + in NDVI."""
    if isinstance(change.of, Change):
        yield from (PixelChange(found) for found in change_of(change.of, item, names))  # type: ignore[arg-type]


@rule(PixelChange, Pair, either=True)
def pixel_change_between(change: PixelChange, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Per-pixel change in NDVI + from A to B."""
    if isinstance(change.of, ChangeOf):
        yield from (PixelChange(found) for found in between(change.of, pair, names))  # type: ignore[arg-type]


@rule(Stat, PixelChange)
def statistic_of_pixel_changes(stat: Stat, change: PixelChange, names: Names) -> Iterable[Phrase]:
    """Mean + of the per-pixel change in NDVI from A to B: of the raster of differences.

    The mean of such a raster is not the difference of the two means where clouds hide other pixels on one
    date than on the other.
    """
    if isinstance(change.of, Changes) and not change.of.measured:
        yield from _statistic_of_raster(stat, change.of)


@rule(Word, PixelChange)
def did_every_pixel_change(word: Word, change: PixelChange, names: Names) -> Iterable[Phrase]:
    """Did + NDVI rise at every pixel from A to B."""
    if word.name == "did" and isinstance(change.of, Changes) and change.of.sign:
        moved = where_changed(change.of, Limit("gt", Number(0.0)))
        if moved is not None:
            yield from _on_pixels(moved, "every pixel")


# --- Steps ----------------------------------------------------------------------------------------


@rule((Stat, Extreme), Change)
def largest_change(stat: Stat | Extreme, change: Change, names: Names) -> Iterable[Phrase]:
    """Largest, second largest + drop: of the changes from each date to the next."""
    if isinstance(stat, Extreme):
        if stat.nth > 1 and stat.top == 1 and stat.direction == "highest":
            yield Stepwise(True, change, nth=stat.nth)
    elif stat.statistic in ("max", "min") and stat.over is None:
        yield Stepwise(stat.statistic == "max", change)


@rule(Stepwise, (Measure, Raw))
def largest_change_of(found: Stepwise, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """Largest drop + in mean NDVI."""
    yield replace(found, node=item.node)


@rule(ChangeOf, Word, cost=1)
def changes_between_neighbours(found: ChangeOf, word: Word, names: Names) -> Iterable[Phrase]:
    """Absolute change in mean NDVI + from one date to the next."""
    each = series(found.node)
    if word.name == "consecutive" and not found.sign and each is not None:
        made = Steps(each, found.how)  # type: ignore[arg-type]
        if kind_or_none(made) is not None:
            yield Series(made)


@rule(Word, ChangeOf)
def range_it_falls_in(word: Word, found: ChangeOf, names: Names) -> Iterable[Phrase]:
    """Into which range does + the mean elevation fall: it lies there, and changes nothing."""
    if word.name == "range_of" and found.how == "difference" and found.sign < 0:
        yield Measure(found.node) if found.measured else Raw(found.node)


@rule(Stepwise, Word)
def between_neighbours(found: Stepwise, word: Word, names: Names) -> Iterable[Phrase]:
    """Largest drop in mean NDVI + between consecutive dates; largest change, up or down."""
    change = found.change
    if word.name != "consecutive" or found.node is None or (change.sign and not found.largest):
        return
    each = series(found.node)
    how = "absolute_difference" if not change.sign and change.how == "difference" else change.how
    if each is None or not change.sign and how == "percent_change":
        return
    steps = Steps(each, how)  # type: ignore[arg-type]
    falls = change.sign < 0 or not found.largest
    made: Node = Aggregate("min" if falls else "max", steps, "date")
    if found.nth > 1:
        made = Which(steps, "lowest" if falls else "highest", found.nth)
    if kind_or_none(made) is not None:
        yield Value(made)


@rule(Change, Pair)
def difference_of_two(change: Change, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Difference between + mean NIR and mean red: the first less the second."""
    left, right = pair.left, pair.right
    if change.sign or pair.by == "or" or type(left) is not type(right) or not isinstance(left, Raw | Measure):
        return
    if isinstance(right, Raw | Measure) and left.node != right.node:
        sides = (left.node, right.node)
        if change.how == "difference" and _is_least(left.node) and _is_greatest(right.node):
            sides = (right.node, left.node)
        yield Changes(change.how, 0, *sides, isinstance(left, Measure))


def _is_least(node: Node) -> bool:
    return isinstance(node, Aggregate) and node.statistic == "min"


def _is_greatest(node: Node) -> bool:
    return isinstance(node, Aggregate) and node.statistic == "max"


@rule(Half, Measure, cost=1)
def statistic_and_its_opposite(half: Half, right: Measure, names: Names) -> Iterable[Phrase]:
    """Lowest and + highest point: both of the terrain."""
    node, left = right.node, half.left
    if half.by != "and" or not isinstance(left, Stat) or not isinstance(node, Aggregate):
        return
    if node.over == "pixel" and {left.statistic, node.statistic} == {"min", "max"} and not node.assumed:
        yield Pair(Measure(replace(node, statistic=left.statistic)), right, "and")  # type: ignore[arg-type]


@rule(Raw, Changes, cost=1)
def difference_of_the_same(raw: Raw, found: Changes, names: Names) -> Iterable[Phrase]:
    """Elevation + difference between the lowest and the highest point."""
    if {getattr(side, "of", None) for side in (found.left, found.right)} == {raw.node}:
        yield found


@rule(Half, (Raw, Measure))
def two_things(half: Half, right: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Mean NIR and + mean red."""
    if isinstance(half.left, Raw | Measure) and half.by in ("and", "to", "than", "or", "versus"):
        yield Pair(half.left, right, half.by)


@rule(Word, Pair)
def between_things(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Between + the forest and grassland; between + NDVI and LST; from + Oakhollow to Marshend."""
    if word.name == "between" and pair.by == "and" and isinstance(pair.left, Mask | Raw | Measure):
        yield Pair(pair.left, pair.right, "between")
    if word.name == "from" and pair.by == "to" and isinstance(pair.left, Mask):
        yield Pair(pair.left, pair.right, "between")


@rule(Stat, Changes)
def statistic_of_difference(stat: Stat, found: Changes, names: Names) -> Iterable[Phrase]:
    """Mean + ratio of NIR to red: of the raster that the two give."""
    if found.measured or stat.over not in (None, "pixel"):
        return
    if stat.statistic == "mean" and found.how == "difference":
        means = Aggregate("mean", found.left, "pixel"), Aggregate("mean", found.right, "pixel")
        if kind_or_none(means[0]) is not None and kind_or_none(means[1]) is not None:
            yield replace(found, left=means[0], right=means[1], measured=True)
        return
    yield from _statistic_of_raster(stat, found)


def _statistic_of_raster(stat: Stat, found: Changes) -> Iterable[Phrase]:
    """Yield the statistic of the raster that two others give."""
    left, right = raster(found.left), raster(found.right)
    if left is None or right is None or stat.over not in (None, "pixel"):
        return
    statistic = _TURNED.get(stat.statistic, stat.statistic) if found.sign < 0 else stat.statistic
    how = found.how
    if not found.sign and how == "difference" and statistic in _TURNED and one_thing(found):
        how = "absolute_difference"
    made = Aggregate(statistic, Combine(how, left, right), "pixel", parameter=stat.parameter)  # type: ignore[arg-type]
    if kind_or_none(made) is not None:
        yield Measure(made)


def one_thing(found: Changes) -> bool:
    """Return whether a change is that of one thing with time: then the largest one is up or down."""
    return set_time(found.left, ALWAYS) == set_time(found.right, ALWAYS)


@rule(Stat, Changes)
def statistic_over_dates_of_difference(stat: Stat, found: Changes, names: Names) -> Iterable[Phrase]:
    """Mean over the dates + of the difference between two percentiles."""
    left, right = series(found.left), series(found.right)
    if stat.over != "date" or left is None or right is None:
        return
    made = Aggregate(stat.statistic, Combine(found.how, left, right), "date", parameter=stat.parameter)  # type: ignore[arg-type]
    if kind_or_none(made) is not None:
        yield Value(made)


@rule(Word, Changes)
def did_it(word: Word, found: Changes, names: Names) -> Iterable[Phrase]:
    """Did + mean NDVI rise from A to B: a claim."""
    if word.name == "did" and found.sign and found.how == "difference":
        yield Versus("gt" if found.sign > 0 else "lt", found.left, found.right)


@rule((Changes, ChangeOf), Limit)
def change_beyond_limit(found: Changes | ChangeOf, limit: Limit, names: Names) -> Iterable[Phrase]:
    """NDVI fell from A to B + by more than 0.1: where it did; changed + by less than 0.02, up or down."""
    little = not found.sign and limit.sign in ("lt", "le")
    if limit.upper is None and (limit.sign in ("gt", "ge") or little):
        yield ChangedBy(found, limit)


@rule(Word, ChangedBy)
def did_by_more(word: Word, found: ChangedBy, names: Names) -> Iterable[Phrase]:
    """Has + mean NDVI dropped by more than 10 % from A to B: a claim on the means."""
    changes, bound = found.of, found.limit.number
    if word.name != "did" or not isinstance(changes, Changes) or not changes.sign:
        return
    how = "percent_change" if bound.unit == "%" else changes.how
    moved = number(Combine(how, changes.left, changes.right))  # type: ignore[arg-type]
    falls = changes.sign < 0
    sign = _FALLEN[found.limit.sign] if falls else found.limit.sign
    limit = Limit(sign, Number(-bound.value if falls else bound.value, bound.unit))
    made = compare(moved, limit) if moved is not None else None
    if made is not None:
        yield Claim(made)


_FALLEN = {"gt": "lt", "ge": "le"}


@rule(Change, Limit)
def change_and_limit(change: Change, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Lost + more than 0.1; changed + by less than 0.02."""
    signs = ("gt", "ge") if change.sign else ("gt", "ge", "lt", "le")
    if change.how == "difference" and limit.sign in signs and limit.upper is None:
        yield ChangeLimit(change, limit)


@rule(ChangeLimit, Raw)
def change_by_limit_of(found: ChangeLimit, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Lost more than 0.1 + NDVI."""
    yield ChangedBy(ChangeOf(found.change.how, found.change.sign, raw.node), found.limit)


@rule(Mask, ChangedBy)
def ground_changed_by(mask: Mask, found: ChangedBy, names: Names) -> Iterable[Phrase]:
    """Cropland + lost more than 0.1 NDVI."""
    placed = fill_place(found.of, mask.node)
    if isinstance(placed, Phrase):
        yield replace(found, of=placed)


@rule(ChangedBy, Pair)
def change_beyond_limit_between(found: ChangedBy, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI fell by more than 0.1 + from A to B."""
    if isinstance(found.of, ChangeOf):
        for changes in between(found.of, pair, names):
            if isinstance(changes, Changes):
                yield ChangedBy(changes, found.limit)


@rule(ChangedBy, Word)
def in_either_direction(found: ChangedBy, word: Word, names: Names) -> Iterable[Phrase]:
    """Changed by more than 0.15 + in either direction, which is meant anyway."""
    if word.name == "either_way" and isinstance(found.of, Changes | ChangeOf) and not found.of.sign:
        yield found


@rule(Unit, ChangedBy)
def pixels_changed_by(unit: Unit, found: ChangedBy, names: Names) -> Iterable[Phrase]:
    """Pixels + fell by more than 0.1 from A to B."""
    if unit.of == "pixel":
        yield from _mask_of(found)


@rule((Area, ShareOf, CountOf), (ChangedBy, Changes))
def ground_that_changed(asked: Phrase, found: ChangedBy | Changes, names: Names) -> Iterable[Phrase]:
    """Area + where NDVI fell by more than 0.1 from A to B."""
    if isinstance(found, Changes):
        found = ChangedBy(found, Limit("gt", Number(0.0)))
    for mask in _mask_of(found):
        if isinstance(asked, Area):
            yield AreaOf(as_mask(mask.node), asked.unit)
        elif isinstance(asked, CountOf) and asked.unit.of == "pixel":
            yield Measure(Aggregate("count", as_mask(mask.node), "pixel"))
        elif isinstance(asked, ShareOf) and asked.node is None:
            yield Measure(Aggregate("share", mask.node, "pixel"))
        elif isinstance(asked, ShareOf) and asked.node is not None:
            yield Measure(Aggregate("share", fill_place(mask.node, asked.node) or mask.node, "pixel"))


def _mask_of(found: ChangedBy) -> Iterable[Mask]:
    mask = change_mask(found)
    if mask is not None:
        yield Mask(mask)


# The largest fall is the smallest difference.
_TURNED = {"max": "min", "min": "max"}


@rule(Change, Area)
def area_change(change: Change, area: Area, names: Names) -> Iterable[Phrase]:
    """Difference in + area."""
    if not change.sign:
        yield AreaChange(change.how, area.unit)


@rule(Area, ChangeOf)
def change_of_an_area_in_a_unit(unit: Area, found: ChangeOf, names: Names) -> Iterable[Phrase]:
    """How many hectares + did the area with NDVI above 0.7 lose."""
    if unit.unit and found.how == "difference" and isinstance(found.node, Aggregate):
        made = replace(found.node, unit=unit.unit)
        yield from (replace(found, node=made, asked=True),) if found.node.statistic == "area" else ()


@rule(Value, Area)
def area_change_in_a_unit(found: Value, area: Area, names: Names) -> Iterable[Phrase]:
    """How much larger the forest is than the grassland + in ha."""
    match found.node:
        case Combine("difference", Aggregate("area") as left, Aggregate("area") as right) if area.unit:
            yield Value(
                replace(found.node, left=replace(left, unit=area.unit), right=replace(right, unit=area.unit))
            )


@rule(AreaChange, Pair)
def difference_of_areas(change: AreaChange, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Difference in area between + forest and grassland."""
    if isinstance(pair.left, Mask) and isinstance(pair.right, Mask) and pair.by != "or":
        left, right = (
            Aggregate("area", as_mask(side.node), "pixel", unit=change.unit)
            for side in (pair.left, pair.right)
        )
        yield Value(Combine(change.how, left, right))  # type: ignore[arg-type]


@rule((Each), Limit)
def each_limit(each: Each, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Ever + above 0.8; never + below 0.5."""
    if each.axis in ("any date", "every date", "no date", *_PIXELS):
        yield EachLimit(each.axis, limit)


@rule((Raw, Measure), EachLimit)
def limit_on_each(item: Raw | Measure, each: EachLimit, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + ever above 0.8."""
    made = compare(item.node, each.limit)
    if made is None:
        return
    if each.axis in _PIXELS:
        yield from _on_pixels(made, each.axis)
        return
    node: Node = Aggregate("all" if each.axis == "every date" else "any", made, "date")
    if kind_or_none(node) is not None:
        node = Not(node) if each.axis == "no date" else node
        yield Mask(node) if isinstance(item, Raw) else Condition(node)
        if isinstance(item, Measure):
            yield Claim(node)
    mean = series(item.node) if isinstance(item, Raw) else None
    if mean is not None:
        yield from (
            Claim(found.node)
            for found in limit_on_each(Measure(mean), each, names)
            if isinstance(found, Condition)
        )


@rule((Mask, Condition, Claim), Each)
def said_twice(held: Mask | Condition | Claim, each: Each, names: Names) -> Iterable[Phrase]:
    """Never exceeded 0.6 + on any image: that it never did says so already."""
    match held.node, each.axis:
        case Not(Aggregate("any", _, "date")), "any date":
            yield held
        case Not(Aggregate("any", _, "date")), "any clear date":
            clear = fill_clouds(held, "clear_dates")
            yield from () if clear is None else (clear,)


@rule(Each, (Location, Mask))
def limit_on_pixels(each: Each, found: Location | Mask, names: Names) -> Iterable[Phrase]:
    """No pixel + reaches an NDVI of 0.2."""
    if each.axis in _PIXELS and leaves(found.node):
        yield from _on_pixels(found.node, each.axis)


# Anywhere, everywhere, nowhere.
_PIXELS = ("any pixel", "every pixel", "no pixel", "not_every pixel")


def _on_pixels(made: Node, axis: str) -> Iterable[Phrase]:
    node: Node = Aggregate("all" if "every" in axis else "any", made, "pixel")
    if kind_or_none(node) is not None and not ("every" in axis and names_ground(made)):
        yield Condition(Not(node) if axis.startswith("no") else node)
