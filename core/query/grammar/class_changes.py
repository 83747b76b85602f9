"""How the areas of classes changed between maps of two dates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import ALWAYS, Aggregate, And, Combine, Node, Place, Zones
from treeline.core.query.grammar.change import between
from treeline.core.query.grammar.groups import class_ground, ground_of_all_zones, zones_of
from treeline.core.query.grammar.ranking import OPPOSITE
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import (
    Change,
    ChangeOf,
    Changes,
    HowMuch,
    Larger,
    MoreGround,
    Turned,
    Versus,
)
from treeline.core.query.phrases.counts import Area, AreaOf, Unit
from treeline.core.query.phrases.courses import SignedCourse
from treeline.core.query.phrases.phrase import Half, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import ExtremeChange, LargestChange, WhichZone
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Series
from treeline.core.query.slots import year_when


@rule(Mask, Time, cost=2)  # beside a variable, the time is rather that of the variable
def class_of_a_time(mask: Mask, time: Time, names: Names) -> Iterable[Phrase]:
    """Forest + in 2018: as the map of that time has it."""
    if isinstance(mask.node, Place) and mask.node.dated and mask.node.when == ALWAYS:
        yield Mask(replace(mask.node, when=time.when))


@rule(Change, (AreaOf, Mask), either=True)
def change_of_classes(change: Change, found: AreaOf | Mask, names: Names) -> Iterable[Phrase]:
    """Forest + shrank; change in + the area of forest: of classes whose map there is of several dates."""
    if _is_dated(found.node):
        unit = found.unit if isinstance(found, AreaOf) else ""
        area = Aggregate("area", found.node, "pixel", unit=unit)
        yield ChangeOf(change.how, change.sign, area, measured=True)


@rule(Mask, SignedCourse)
def class_that_shrinks(mask: Mask, course: SignedCourse, names: Names) -> Iterable[Phrase]:
    """Grassland + shrinking."""
    yield from change_of_classes(Change(sign=1 if course.sign == "gt" else -1), mask, names)


@rule(Change, Series, either=True)
def change_of_each_class(change: Change, areas: Series, names: Names) -> Iterable[Phrase]:
    """Change in + the area of each class."""
    match areas.node:
        case Aggregate("area" | "share", Place() as ground, by=Zones()) if _is_dated(ground):
            yield ChangeOf(change.how, change.sign, areas.node, measured=True)


def _is_dated(node: Node | None) -> bool:
    return isinstance(node, Place) and node.dated


@rule(ExtremeChange, Area)
def most_area_changed(found: ExtremeChange, area: Area, names: Names) -> Iterable[Phrase]:
    """Lost the most + area, in hectares."""
    if found.area is None:
        yield replace(found, area=area)


@rule(Unit, ExtremeChange)
def class_that_changed_most(unit: Unit, found: ExtremeChange, names: Names) -> Iterable[Phrase]:
    """Which class + grew most; lost the most area."""
    zones = zones_of(unit, names)
    every = ground_of_all_zones(zones, names) if zones is not None else None
    if every is not None and _is_dated(every):
        areas = Aggregate("area", every, "pixel", by=zones, unit=found.area.unit if found.area else "")
        changed = ChangeOf(found.change.how, found.change.sign, areas, measured=True)
        yield LargestChange(changed, found.extreme)


@rule(LargestChange, Pair, either=True)
def class_that_changed_most_between(most: LargestChange, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which class grew most + from 2018 to 2022."""
    node, extreme = most.changed.node, most.extreme
    if not isinstance(node, Aggregate) or not isinstance(node.by, Zones) or node.statistic != "area":
        return
    for found in between(most.changed, pair, names):
        if isinstance(found, Changes):
            how = found.how if found.sign or found.how != "difference" else "absolute_difference"
            table = Combine(how, found.left, found.right)  # type: ignore[arg-type]
            direction = extreme.direction if found.sign >= 0 else OPPOSITE[extreme.direction]
            if kind_or_none(table) is not None:
                yield WhichZone(table, replace(extreme, direction=direction))


@rule(Larger, Mask)
def more_of_a_class(larger: Larger, mask: Mask, names: Names) -> Iterable[Phrase]:
    """More + forest."""
    if not larger.than and _is_dated(mask.node):
        yield MoreGround(larger.sign, mask.node)


@rule(MoreGround, Pair)
def more_than_then(found: MoreGround, pair: Pair, names: Names) -> Iterable[Phrase]:
    """More forest + in 2022 than in 2018."""
    one, other, place = pair.left, pair.right, found.node
    if pair.by == "than" and isinstance(one, Time) and isinstance(other, Time) and isinstance(place, Place):
        left, right = (Aggregate("area", replace(place, when=time.when), "pixel") for time in (one, other))
        yield Versus(found.sign, left, right)


@rule(ChangeOf, Time, either=True)
def changed_since(changed: ChangeOf, time: Time, names: Names) -> Iterable[Phrase]:
    """The forest shrank + since 2018: until its last map."""
    span = time.when.spans[0] if len(time.when.spans) == 1 else None
    ground = class_ground(names)
    of_areas = isinstance(changed.node, Aggregate) and _is_dated(changed.node.of)
    if span is None or span.first is None or span.last is not None or ground is None or not of_areas:
        return
    if ground.dates[-1].year > span.first.year:
        first, last = (Time(year_when(date.year)) for date in (span.first, ground.dates[-1]))
        yield from between(changed, Pair(first, last, "to"), names)


# --- From one class to another --------------------------------------------------------------------


@rule(Mask, Word)
def ground_that_turned(mask: Mask, word: Word, names: Names) -> Iterable[Phrase]:
    """Forest + turned into; became."""
    if word.name == "turned" and _is_dated(mask.node):
        yield Half(mask, "turned")


@rule(Word, Pair)
def turned_from_one_to_another(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Converted from + forest to cropland."""
    if word.name == "turned" and pair.by in ("to", "between") and _is_dated(getattr(pair.left, "node", None)):
        yield from turned_into(Half(pair.left, "turned"), pair.right, names)


@rule(Half, Mask)
def turned_into(half: Half, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Forest turned into + cropland, of which the times may have been told."""
    one, other = getattr(half.left, "node", None), mask.node
    if half.by != "turned" or not isinstance(one, Place) or not isinstance(other, Place):
        return
    if one.when == ALWAYS == other.when and one != other:
        yield Turned(one, other)
    elif ALWAYS not in (one.when, other.when):
        yield Mask(both(one, other))


@rule(Turned, Pair)
def turned_between(turned: Turned, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Forest to cropland + between 2018 and 2022: what was the one and is the other."""
    first, second = turned.first, turned.second
    timed = isinstance(pair.left, Time) and isinstance(pair.right, Time) and pair.by != "or"
    if timed and isinstance(first, Place) and isinstance(second, Place):
        yield Mask(both(replace(first, when=pair.left.when), replace(second, when=pair.right.when)))  # type: ignore[attr-defined]


@rule(HowMuch, Mask)
def how_much_turned(word: HowMuch, mask: Mask, names: Names) -> Iterable[Phrase]:
    """How much + forest became cropland between 2018 and 2022: its area."""
    match mask.node:
        case And((Place(when=one), Place(when=other))) if ALWAYS not in (one, other):
            yield AreaOf(mask.node)
