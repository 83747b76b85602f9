"""Comparisons told side by side, whether there is any such date."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none, series
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Combine,
    Compare,
    Dates,
    Node,
    Number,
    Place,
    Steps,
    Which,
)
from treeline.core.query.grammar.change import between, change_of, difference_of_areas
from treeline.core.query.grammar.formal import phrases_of, sum_of_two
from treeline.core.query.grammar.groups import (
    PERIODS,
    by_period,
    for_each,
    ground_of_all_zones,
    group,
    zones_of,
)
from treeline.core.query.grammar.place import for_both, is_place
from treeline.core.query.grammar.ranking import by_unit, zone_of_largest_area
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import length, starts_later
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Fact, InUnit
from treeline.core.query.phrases.comparisons import (
    Change,
    ChangeBetween,
    ChangeOf,
    Changes,
    Comparative,
    FirstSide,
    SameOf,
    ToCompare,
)
from treeline.core.query.phrases.conditions import (
    Condition,
)
from treeline.core.query.phrases.counts import Area, AreaChange, AreaOf, Count, CountOf, Unit
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask, Source
from treeline.core.query.phrases.ranks import (
    Extreme,
    ExtremeChange,
    LargestArea,
    LargestChange,
    LargestStep,
    Superlative,
)
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Each, Infix, Measure, Raw, Stat, StatPair, Value
from treeline.core.query.slots import fill_place, fill_time, leaves, rebuild, set_place, set_time

# --- Side by side ---------------------------------------------------------------------------------


@rule(Word, (Raw, Measure))
def compare(word: Word, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Compare + the mean NDVI."""
    if word.name == "compare":
        yield ToCompare(item)


@rule((Raw, Measure), Word)
def compare_after(item: Raw | Measure, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of the forest + compare, with the other side to come."""
    yield from compare(word, item, names)


@rule(Word, Pair)
def compare_pair(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Compare + forest and grassland."""
    if word.name == "compare" and pair.by in _SIDES and isinstance(pair.left, Mask | Time):
        yield ToCompare(pair)


@rule(ToCompare, (Raw, Measure))
def compare_pair_by(found: ToCompare, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Compare forest and grassland + by mean NDVI."""
    if isinstance(found.of, Pair):
        yield from _compare_sides(item, found.of)


_SIDES = ("and", "than", "versus", "to", "between")


@rule(ToCompare, Join)
def compare_to(found: ToCompare, join: Join, names: Names) -> Iterable[Phrase]:
    """Compare the mean NDVI of the forest + to."""
    if join.by in ("to", "than") and isinstance(found.of, Raw | Measure):
        yield found


@rule(ToCompare, Pair)
def compare_both(found: ToCompare, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Compare the mean NDVI of + forest and grassland."""
    if pair.by in _SIDES and isinstance(found.of, Raw | Measure):
        yield from _compare_sides(found.of, pair)


@rule(Measure, Pair, either=True)
def measure_against(item: Measure, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + of forest versus grassland."""
    if pair.by == "versus":
        yield from _compare_sides(item, pair)


def _compare_sides(item: Phrase, pair: Pair) -> Iterable[Phrase]:
    for both in for_both(item, pair):
        if isinstance(both, Many):
            yield _set_against(*both.of)


def _set_against(first: Phrase, second: Phrase) -> Phrase:
    """Return the difference of two, whose answer tells both; tables and unlike ones stay side by side."""
    both = Many((first, second))
    if not (isinstance(first, Raw | Measure) and type(first) is type(second)):
        return both
    if any(isinstance(side, Measure) and not _is_one_number(side.node) for side in (first, second)):
        return both
    times = [leaf.when for leaf in (*leaves(first)[:1], *leaves(second)[:1])]
    if _without_ground_and_time(first) != _without_ground_and_time(second):
        return both
    one, other = first.node, second.node
    if times[0] != times[1] and not starts_later(*times):
        one, other = other, one
    return Changes("difference", 0, one, other, measured=isinstance(first, Measure))


def _without_ground_and_time(item: Phrase) -> Phrase:
    return rebuild(set_time(item, ALWAYS), lambda leaf: replace(leaf, where=None))


def _is_one_number(node: Node) -> bool:
    kind = kind_or_none(node)
    return kind is not None and not kind.axes - {"date"}


@rule(ToCompare, (Location, Mask, Time))
def compare_with_another(found: ToCompare, other: Location | Mask | Time, names: Names) -> Iterable[Phrase]:
    """Compare the mean NDVI of the forest + with grassland; in 2016 + with 2017."""
    if isinstance(found.of, Pair):
        return
    for same in _same_of(found.of, other):
        yield _set_against(found.of, same)


def _same_of(item: Phrase, other: Location | Mask | Time) -> Iterable[Phrase]:
    """Yield the same of another time or ground, where it has one of that kind already."""
    told = leaves(item)
    if getattr(other, "joined", False):
        return
    if isinstance(other, Time):
        dated = [leaf.when for leaf in told if not getattr(leaf, "timeless", False)]
        if dated and not any(w in (ALWAYS, other.when) or length(w) != length(other.when) for w in dated):
            yield set_time(item, other.when)
    else:
        measured = [leaf for leaf in told if leaf not in leaves(other.node)]
        if measured and all(_is_another(leaf.where, other.node) for leaf in measured):
            yield set_place(item, other.node)


def _is_another(ground: Node | None, other: Node) -> bool:
    """Return whether two grounds are places of one kind, or conditions on one thing, and not the same."""
    match ground, other:
        case Place(by=by), Place(by=other_by):
            return by == other_by and ground != other
        case Compare(of=of), Compare(of=other_of):
            return of == other_of and ground != other
    return False


@rule(Half, (Mask, Time))
def compare_with_other_half(half: Half, other: Mask | Time, names: Names) -> Iterable[Phrase]:
    """Mean elevation of the grassland compared with + that of the forest; how warm is water compared to."""
    if half.by != "than" or not isinstance(half.left, Raw | Measure):
        return
    for same in _same_of(half.left, other):
        # Rasters side by side may be asked as a map; they have no one difference.
        both = isinstance(half.left, Raw)
        yield Many((half.left, same)) if both else _set_against(half.left, same)


@rule(Word, (Mask, Time))
def that_of(word: Word, other: Mask | Time, names: Names) -> Iterable[Phrase]:
    """That of + the grassland."""
    if word.name == "that_of":
        yield SameOf(other)


@rule(Half, SameOf)
def and_that_of(half: Half, other: SameOf, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of the forest on a date, and + that of the grassland."""
    if half.by == "and" and isinstance(half.left, Measure) and isinstance(other.of, Mask | Time):
        for same in _same_of(half.left, other.of):
            yield Many((half.left, same))


@rule(Half, SameOf)
def to_that_of(half: Half, other: SameOf, names: Names) -> Iterable[Phrase]:
    """Ratio of the forest's mean NDVI + to that of the grassland; difference between ... and that of."""
    sides = half.by in ("and", "to") and isinstance(half.left, Raw | Measure)
    if sides and isinstance(other.of, Mask | Time):
        for same in _same_of(half.left, other.of):
            yield Pair(half.left, same, half.by)


@rule(Infix, SameOf)
def sum_with_that_of(left: Infix, other: SameOf, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of 2017 divided by + that of 2016."""
    if isinstance(left.left, Measure):
        yield from _sum_with_same(left, other, names)


@rule(Infix, SameOf, cost=1)
def sum_of_pixels_with_that_of(left: Infix, other: SameOf, names: Names) -> Iterable[Phrase]:
    """NDVI of a date divided by + that of another, pixel by pixel: rather that of the statistic before it."""
    if isinstance(left.left, Raw):
        yield from _sum_with_same(left, other, names)


def _sum_with_same(left: Infix, other: SameOf, names: Names) -> Iterable[Phrase]:
    if isinstance(other.of, Mask | Time):
        for same in _same_of(left.left, other.of):
            if isinstance(same, Raw | Measure):
                yield from sum_of_two(left, same, names)


@rule(Word, (Many, Pair))
def compare_several(word: Word, item: Many | Pair, names: Names) -> Iterable[Phrase]:
    """Compare + mean NIR and mean red; NDVI and LST, by their means."""
    if word.name != "compare":
        return
    parts = item.of if isinstance(item, Many) else (item.left, item.right)
    if all(isinstance(part, Measure) for part in parts):
        yield _set_against(*parts) if len(parts) == 2 else Many(parts)
    elif all(isinstance(part, Raw) for part in parts):
        means = [Aggregate("mean", part.node, "pixel", assumed=("statistic",)) for part in parts]  # type: ignore[attr-defined]
        if all(map(kind_or_none, means)):
            measured = tuple(map(Measure, means))
            yield _set_against(*measured) if len(measured) == 2 else Many(measured)


@rule(Mask, Half)
def ground_first(mask: Mask, half: Half, names: Names) -> Iterable[Phrase]:
    """Forest + a higher mean NDVI than, with the other ground to come."""
    if isinstance(half.left, FirstSide) and isinstance(half.left.side, Raw | Measure):
        filled = fill_place(half.left.node, mask.node)
        if isinstance(filled, Node):
            kind = type(half.left.side)
            yield Half(FirstSide(half.left.sign, filled, kind(filled)), half.by)


@rule(Many, Word)
def how_several_compare(item: Many, word: Word, names: Names) -> Iterable[Phrase]:
    """How do the mean NDVI of 2016 and of 2017 + compare?"""
    yield from compare_several(word, item, names)


# --- Groups of two kinds, changes -----------------------------------------------------------------


@rule(Each, Join)
def first_of_groups(each: Each, join: Join, names: Names) -> Iterable[Phrase]:
    """By class + and."""
    if join.by == "and":
        yield Half(each, "and")


@rule(Half, (Unit, Each))
def two_groups(half: Half, other: Unit | Each, names: Names) -> Iterable[Phrase]:
    """By class and + month."""
    if isinstance(half.left, Each) and half.by == "and":
        for each in [other] if isinstance(other, Each) else for_each(Word("per"), other, names):
            if isinstance(each, Each) and (each.zones is None) != (half.left.zones is None):
                yield Many((half.left, each))


@rule((Raw, Measure), Many, either=True)
def by_both(item: Raw | Measure, many: Many, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + by class and month."""
    groups = sorted((g for g in many.of if isinstance(g, Each)), key=lambda each: each.zones is None)
    if len(groups) == len(many.of) == 2:
        for zoned in group(item, groups[0], names):
            if isinstance(zoned, Measure):
                yield from by_period(zoned, groups[1], names)


@rule(Change, Extreme)
def largest_change(change: Change, extreme: Extreme, names: Names) -> Iterable[Phrase]:
    """Lost + the most."""
    if extreme.direction == "highest":
        yield ExtremeChange(change, extreme)


@rule(Change, Comparative)
def larger_change(change: Change, word: Comparative, names: Names) -> Iterable[Phrase]:
    """Lost + more, of two."""
    if word.node is None and word.sign in ("gt", "lt") and change.how == "difference" and change.sign:
        yield ExtremeChange(change, Extreme("highest" if word.sign == "gt" else "lowest"))


@rule(ExtremeChange, (Raw, Measure))
def largest_change_of(found: ExtremeChange, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Lost the most + NDVI."""
    change = found.change
    yield LargestChange(
        ChangeOf(change.how, change.sign, item.node, isinstance(item, Measure)), found.extreme
    )


@rule(Word, LargestChange)
def between_which_dates(word: Word, most: LargestChange, names: Names) -> Iterable[Phrase]:
    """Between which two consecutive dates + did mean NDVI drop most."""
    changed, extreme = most.changed, most.extreme
    found = series(changed.node)
    how = changed.how
    if not changed.sign:
        how = "absolute_difference" if how == "difference" else ""
    if word.name != "which_steps" or not how or extreme.direction != "highest" or found is None:
        return
    direction = "highest" if changed.sign >= 0 else "lowest"
    made = Which(Steps(found, how), direction, extreme.nth, extreme.top)  # type: ignore[arg-type]
    if kind_or_none(made) is not None:
        yield Value(made)


@rule(LargestChange, Word)
def most_from_one_date_to_the_next(most: LargestChange, word: Word, names: Names) -> Iterable[Phrase]:
    """Did mean NDVI drop the most + between two successive dates."""
    if word.name == "consecutive":
        yield LargestStep(most)


@rule(Unit, (LargestStep, LargestChange))
def when_it_changed_most(unit: Unit, found: LargestStep | LargestChange, names: Names) -> Iterable[Phrase]:
    """When + did mean NDVI drop the most: from one date to the next, which need not be said."""
    if unit == Unit("date", asks=True):
        most = found.most if isinstance(found, LargestStep) else found
        yield from between_which_dates(Word("which_steps"), most, names)


# --- Said of the answer ---------------------------------------------------------------------------


@rule(AreaOf, Word)
def as_share(found: AreaOf, word: Word, names: Names) -> Iterable[Phrase]:
    """Area of the forest + in % of the whole area."""
    if word.name == "as_share" and not found.unit:
        yield from _share(found.node)


@rule(Mask, Word)
def ground_as_share(found: Mask, word: Word, names: Names) -> Iterable[Phrase]:
    """Forest + in % of the whole area."""
    if word.name == "as_share" and is_place(found.node):
        yield from _share(found.node)


def _share(node: Node) -> Iterable[Phrase]:
    made = Aggregate("share", node, "pixel")
    if kind_or_none(made) is not None:
        yield Value(made) if not leaves(node) else Measure(made)


@rule(Word, (AreaOf, InUnit))
def convert(word: Word, item: AreaOf | InUnit, names: Names) -> Iterable[Phrase]:
    """Convert + the area of the forest in acres."""
    if word.name == "convert" and item.unit:
        yield item


@rule(Value, Area)
def by_area(item: Value, area: Area, names: Names) -> Iterable[Phrase]:
    """Smallest class + by area, as is meant anyway."""
    node = item.node
    ranked = isinstance(node, Which) and isinstance(node.of, Aggregate) and node.of.statistic == "area"
    if ranked and not area.unit:
        yield item


@rule(Unit, Word)
def month_on_average(unit: Unit, word: Word, names: Names) -> Iterable[Phrase]:
    """Which month has + on average the lowest NDVI: a month of the year, whichever year."""
    if word.name == "on_average" and unit.of in ("month", "calendar_month"):
        yield replace(unit, of="calendar_month")


@rule(Change, Pair)
def change_between(change: Change, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Difference + between forest and grassland, before it is said in what."""
    told = pair.by == "between" or (pair.by == "to" and change.how == "ratio")
    if told and not change.sign and isinstance(pair.left, Mask | Time):
        yield ChangeBetween(change, pair)


@rule(ChangeBetween, (Raw, Measure))
def change_between_of(found: ChangeBetween, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Difference between forest and grassland + in mean NDVI."""
    for changed in change_of(found.change, item, names):
        if isinstance(changed, ChangeOf):
            yield from between(changed, found.pair, names)


@rule(ChangeBetween, Area)
def change_between_areas(found: ChangeBetween, area: Area, names: Names) -> Iterable[Phrase]:
    """Ratio of forest to grassland + area."""
    yield from difference_of_areas(AreaChange(found.change.how, area.unit), found.pair, names)


@rule(StatPair, Measure)
def extremes_against(pair: StatPair, item: Measure, names: Names) -> Iterable[Phrase]:
    """Difference between maximum and minimum + mean NDVI: over the dates."""
    if pair.how == "to":
        return
    left, right = (
        Aggregate(stat.statistic, item.node, "date", parameter=stat.parameter)  # type: ignore[arg-type]
        for stat in pair.stats.of
    )
    made = Combine(pair.how, left, right)  # type: ignore[arg-type]
    if all(stat.over in (None, "date") for stat in pair.stats.of) and kind_or_none(made) is not None:
        yield from phrases_of(made)


# --- Months --------------------------------------------------------------------


@rule(Stat, Each)
def mean_of_each(stat: Stat, each: Each, names: Names) -> Iterable[Phrase]:
    """Mean + monthly; total + annual."""
    if stat.statistic in ("mean", "sum") and stat.over is None and each.axis in ("month", "year", "season"):
        yield Many((stat, each))


@rule(Many, Raw)
def mean_of_each_of(many: Many, raw: Raw, names: Names) -> Iterable[Phrase]:
    """Mean monthly + NDVI."""
    if len(many.of) == 2 and isinstance(many.of[0], Stat) and isinstance(many.of[1], Each):
        measure = Measure(Aggregate(many.of[0].statistic, raw.node, "pixel"))  # type: ignore[arg-type]
        if kind_or_none(measure.node) is not None:
            yield from by_period(measure, many.of[1], names)


@rule(CountOf, (Word, Source))
def number_of_classes(counted: CountOf, where: Word | Source, names: Names) -> Iterable[Phrase]:
    """How many classes + are there; does the land cover have."""
    there = where.name == "available" if isinstance(where, Word) else where.role == "landcover"
    if there and counted.unit.of in ("class", "zone"):
        yield from how_many_zones(Count(), counted.unit, names)


@rule(Count, Unit, cost=1)
def how_many_zones(count: Count, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Number of + classes: those that have an area."""
    zones = zones_of(unit, names) if unit.of in ("class", "zone") and not unit.clear else None
    every = ground_of_all_zones(zones, names) if zones is not None else None
    if every is not None and zones is not None:
        each = Aggregate("area", every, "pixel", by=zones)
        yield Value(Aggregate("count", Compare(each, "gt", Number(0.0, "ha")), "zone"))


# --- Periods, facts of the images ------------------------------------------------------------------


@rule((Unit, CountOf), Condition)
def periods_that_pass(asked: Unit | CountOf, held: Condition, names: Names) -> Iterable[Phrase]:
    """Which months have + mean NDVI above 0.6: by the mean of each month."""
    unit, node = (asked.unit if isinstance(asked, CountOf) else asked), held.node
    if unit.of not in PERIODS or not isinstance(node, Compare) or not isinstance(node.limit, Number):
        return
    each = by_unit(node.of, unit)
    kind = kind_or_none(each) if each is not None else None
    if each is not None and kind is not None and kind.axes == {"period"}:
        passed = replace(node, of=each)
        yield Value(Aggregate("count", passed, "period") if isinstance(asked, CountOf) else Dates(passed))


@rule(Superlative, Area)
def largest_zones(found: Superlative, area: Area, names: Names) -> Iterable[Phrase]:
    """Top three classes + by area."""
    if not area.unit:
        yield from zone_of_largest_area(found.unit, LargestArea(found.extreme), names)


@rule(Fact, Unit)
def fact_of_images(fact: Fact, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Resolution + of the images."""
    if fact.about in ("crs", "pixel_size", "extent") and unit.of == "date" and not unit.clear:
        yield fact


@rule(Comparative, Time, cost=1)
def comparative_in(word: Comparative, time: Time, names: Names) -> Iterable[Phrase]:
    """Greener + on 2017-07-05, of two places to come."""
    filled = fill_time(word.node, time.when) if word.node is not None else None
    if isinstance(filled, Node):
        yield replace(word, node=filled)
