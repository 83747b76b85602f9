"""Conditions that hold on every date, for every region, on any, on none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import by_zones, kind_or_none, number, raster, series, versus, where_changed
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Compare,
    Dates,
    Node,
    Not,
    Number,
    Place,
    Steps,
    When,
    Zones,
)
from treeline.core.query.grammar.change import between, change_beyond_limit_between
from treeline.core.query.grammar.conditions import on_each_date
from treeline.core.query.grammar.counting import per_date
from treeline.core.query.grammar.groups import PERIODS, changes_by_zone, named_zones, zones_of
from treeline.core.query.grammar.ranking import by_unit
from treeline.core.query.grammar.registry import RULES, rule
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import (
    ChangedBy,
    ChangeLimit,
    ChangeOf,
    Changes,
    StepBeyond,
    Versus,
)
from treeline.core.query.phrases.conditions import (
    Claim,
    Condition,
    DateQuantifier,
    Limit,
    PixelQuantifier,
    ZoneQuantifier,
)
from treeline.core.query.phrases.counts import CountOf, PixelsOf, SharedUnit, Unit
from treeline.core.query.phrases.phrase import Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Each, Measure, Raw, Value
from treeline.core.query.slots import fill_clouds, fill_place, fill_time, leaves, names_ground, together

_STATISTICS = {"every": "all", "any": "any", "no": "any"}
_WORDS = {"on every": "every", "per": "every", "exists": "any", "no": "no", "all": "every"}
_PLAIN = ("date", "zone")


@rule(Word, Unit)
def of_every_unit(word: Word, unit: Unit, names: Names) -> Iterable[Phrase]:
    """No + region; any + image; on every + date; every + cloud-free date."""
    quantifier = _WORDS.get(word.name)
    if (
        quantifier is None
        or unit.owns
        or unit.these
        or word.name == "per"
        and not (unit.clear or unit.of == "pixel")
    ):
        return
    zones = zones_of(unit, names)
    if zones is not None:
        yield ZoneQuantifier(quantifier, zones)  # type: ignore[arg-type]
    elif unit.of in ("date", "pixel") or unit.of in (*PERIODS, "period") and not unit.clear:
        yield Each(f"{quantifier} {'clear ' if unit.clear else ''}{unit.of}")


@rule(Word, Pair)
def of_both_grounds(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Both + Oakhollow and Marshend; neither + Oakhollow nor Marshend."""
    zones = named_zones((pair.left, pair.right))
    if zones is not None and (word.name, pair.by) in _BOTH:
        yield ZoneQuantifier(_BOTH[word.name, pair.by], zones)  # type: ignore[arg-type]


_BOTH = {
    ("both", "and"): "every",
    ("neither", "nor"): "no",
    ("neither", "or"): "no",
    ("either", "or"): "any",
    ("exists", "or"): "any",
    ("one_of", "or"): "any",
    ("one_of", "and"): "any",
}


@rule(Word, Pair)
def of_both_dates(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Both + 19 June and 22 July; either + 19 June or 22 July; neither + 19 June nor 22 July."""
    if not isinstance(pair.left, Time) or not isinstance(pair.right, Time):
        return
    when = together(pair.left.when, pair.right.when)
    quantifier = _BOTH.get((word.name, pair.by))
    if when is None or quantifier is None or when != When(when.spans):
        return
    # "Either July or August" is each of them as a whole, not any of its dates.
    if quantifier == "every" or all(span.is_day for span in when.spans):
        yield DateQuantifier(quantifier, when)  # type: ignore[arg-type]


@rule(Word, Time)
def of_listed_dates(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """At least one of + 8, 13 and 18 October 2017; on all three + 26 May, 4 August and 14 August 2016."""
    spans = time.when.spans
    each = word.name in ("on_all_of", f"all_{len(spans)}")
    quantifier = "every" if each else _BOTH.get((word.name, "and"))
    if quantifier and len(spans) > 2 and time.when == When(spans) and all(span.is_day for span in spans):
        yield DateQuantifier(quantifier, time.when)  # type: ignore[arg-type]


@rule(Mask, DateQuantifier)
def where_on_these_dates(mask: Mask, dates: DateQuantifier, names: Names) -> Iterable[Phrase]:
    """Pixels with NDVI above 0.65 + on at least one of 8, 13 and 18 October 2017: each pixel by itself."""
    if dates.quantifier != "every" and len(dates.when.spans) == 2:
        return  # "neither on A nor on B", "either on A or on B": two conditions
    dated = fill_time(mask.node, dates.when)
    if isinstance(dated, Node):
        yield from on_each_date(replace(mask, node=dated), Each(f"{dates.quantifier} date"), names)


@rule(Pair, Word)
def of_both_after(pair: Pair, word: Word, names: Names) -> Iterable[Phrase]:
    """19 June and 22 July + both; Oakhollow and Larchford + both, with what they were to come."""
    if word.name == "both":
        yield from of_both_dates(word, pair, names)
        yield from of_both_grounds(word, pair, names)


@rule(DateQuantifier, (Condition, Mask, Versus))
def on_these_dates(dates: DateQuantifier, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Both 19 June and 22 July + were cloud-free: so on each of them."""
    for claim in _holds(dates.quantifier, "date", None, item):
        filled = fill_time(claim, dates.when)
        if filled is not None:
            yield filled


@rule(Mask, DateQuantifier, cost=1)
@rule((Condition, Versus), DateQuantifier)
def on_these_dates_after(item: Phrase, dates: DateQuantifier, names: Names) -> Iterable[Phrase]:
    """Mean NDVI above 0.7 + on both 19 June and 22 July."""
    yield from on_these_dates(dates, item, names)


@rule((Each, ZoneQuantifier), (Condition, Claim, Mask, Versus, Changes, ChangedBy))
def each_before(each: Each | ZoneQuantifier, item: Phrase, names: Names) -> Iterable[Phrase]:
    """No date + had a mean LST above 305 K; every region + got hotter from A to B."""
    if isinstance(each, ZoneQuantifier):
        yield from _holds(each.quantifier, "zone", each.zones, item)
    elif each.axis in PERIODS and isinstance(item, Versus):
        yield from _holds("every", each.axis, None, item)
    elif each.axis in _PLAIN:
        yield from _holds("every", each.axis, each.zones, item)
    else:
        quantifier, _, of = each.axis.partition(" ")
        yield from _holds(quantifier, of, None, item)


@rule((Condition, Versus), (Each, ZoneQuantifier))
@rule((Changes, ChangedBy), ZoneQuantifier)
def each_after(item: Phrase, each: Each | ZoneQuantifier, names: Names) -> Iterable[Phrase]:
    """Forest greener than grassland + on every date; NDVI rose from A to B + in all regions."""
    if isinstance(each, ZoneQuantifier) or each.axis not in _PLAIN:
        yield from each_before(each, item, names)


@rule((Each, ZoneQuantifier), Pair)
def in_each_and_when(each: Each | ZoneQuantifier, pair: Pair, names: Names) -> Iterable[Phrase]:
    """In every region + between A and B, both said of a change."""
    if isinstance(pair.left, Time):
        yield Many((each, pair))


@rule((ChangeOf, ChangedBy), Many)
def change_in_each(found: ChangeOf | ChangedBy, said: Many, names: Names) -> Iterable[Phrase]:
    """NDVI fell + in every region between A and B."""
    pair = said.of[-1]
    if len(said.of) != 2 or not isinstance(pair, Pair):
        return
    each = said.of[0]
    changed = (
        change_beyond_limit_between(found, pair, names)
        if isinstance(found, ChangedBy)
        else between(found, pair, names)
    )
    for changes in changed:
        if isinstance(each, ZoneQuantifier):
            yield from each_before(each, changes, names)
        elif isinstance(each, Each) and isinstance(changes, Changes):
            yield from changes_by_zone(changes, each, names)


@rule(Word, PixelsOf)
def of_pixels_of(word: Word, pixels: PixelsOf, names: Names) -> Iterable[Phrase]:
    """Any + forest pixel; every + forest pixel."""
    if word.name in _WORDS and not leaves(pixels.node):
        yield PixelQuantifier(_WORDS[word.name], pixels.node)  # type: ignore[arg-type]


@rule(Each, (Mask, Location))
def of_pixels_in(each: Each, ground: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Every pixel + of the forest."""
    quantifier, _, of = each.axis.partition(" ")
    if of == "pixel" and quantifier in _STATISTICS and isinstance(ground.node, Place):
        yield PixelQuantifier(quantifier, ground.node)  # type: ignore[arg-type]


@rule(PixelQuantifier, Mask)
def pixels_pass(pixels: PixelQuantifier, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Any forest pixel + NDVI below 0.3."""
    placed = fill_place(mask.node, pixels.ground) if leaves(mask.node) else None
    if isinstance(placed, Node):
        yield from _holds(pixels.quantifier, "pixel", None, Mask(placed))


@rule(Word, ZoneQuantifier)
def in_each(word: Word, each: ZoneQuantifier, names: Names) -> Iterable[Phrase]:
    """In + all regions."""
    if word.name == "in":
        yield each


def _holds(quantifier: str, of: str, zones: Zones | None, item: Phrase) -> Iterable[Phrase]:
    axis = of.removeprefix("clear ")
    if quantifier not in _STATISTICS or axis not in (*_ON, *PERIODS):
        return
    held = _ON[axis](item, zones) if axis in _ON else _in_periods(item, axis)
    if held is not None and of != axis:
        held = fill_clouds(held, "clear_dates")
    if held is None:
        return
    over = axis if axis in _ON else "period"
    made: Node = Aggregate(_STATISTICS[quantifier], held, over)  # type: ignore[arg-type]
    if kind_or_none(made) is not None:
        yield Claim(Not(made) if quantifier == "no" else made)


@rule((Unit, CountOf, SharedUnit), (Changes, ChangedBy, Versus), cost=1)  # "lost most" rather ranks them
def zones_that_changed(asked: Unit | CountOf | SharedUnit, item: Phrase, names: Names) -> Iterable[Phrase]:
    """Which regions + warmed from A to B; how many classes + were greener on A than on B."""
    zones = zones_of(asked if isinstance(asked, Unit) else asked.unit, names)
    held = _on_zones(item, zones) if zones is not None else None
    kind = kind_or_none(held) if held is not None else None
    if held is None or kind is None or kind.axes != {"zone"}:
        return
    if isinstance(asked, Unit):
        yield Value(Dates(held))
    else:
        yield Value(Aggregate("count" if isinstance(asked, CountOf) else "share", held, "zone"))


@rule(Value, (Condition, Mask, Claim))
def zones_that_pass_another(found: Value, held: Condition | Mask | Claim, names: Names) -> Iterable[Phrase]:
    """How many polygons, which classes larger than 1 ha + have a mean NDVI above 0.8: both hold there."""
    match found.node:
        case Aggregate("count", first, "zone", by=None) | Dates(first, "all"):
            grouped = (part.by for part in first.walk() if isinstance(part, Aggregate))
            zones = next((by for by in grouped if isinstance(by, Zones)), None)
        case _:
            return
    if zones is None or (isinstance(first, Compare) and first.limit == Number(0.0, "ha")):
        return  # "how many polygons" counts those that have an area, which is no property of some
    second = _on_zones(Condition(held.node) if isinstance(held, Claim) else held, zones)
    kinds = [kind_or_none(each) for each in (first, second) if each is not None]
    if len(kinds) == len((first, second)) and all(kind and kind.axes == {"zone"} for kind in kinds):
        yield Value(replace(found.node, of=both(first, second)))  # type: ignore[arg-type]


def _on_pixels(item: Phrase, zones: Zones | None) -> Node | None:
    if isinstance(item, Changes):
        moved = where_changed(item, Limit("gt", Number(0.0))) if item.sign else None
        item = item if moved is None else Mask(moved)
    if isinstance(item, Versus):
        held = _condition_of(item, raster)
        item = item if held is None else Mask(held)
    node = item.node if isinstance(item, Mask) else None
    kind = kind_or_none(node) if node is not None and not names_ground(node) else None
    return node if kind is not None and "pixel" in kind.axes else None


def _on_dates(item: Phrase, zones: Zones | None) -> Node | None:
    """Return a condition on each date: one on a raster is one on its mean."""
    if isinstance(item, Claim):
        item = Condition(item.node)
    found = per_date(item) if isinstance(item, Condition | Mask) else _condition_of(item, series)
    kind = kind_or_none(found) if found is not None else None
    return found if kind is not None and kind.axes == {"date"} else None


def _on_zones(item: Phrase, zones: Zones | None) -> Node | None:
    """Return a condition on each zone; one that is already of zones as it is."""

    def group(side: Node) -> Node | None:
        each = by_zones(side, zones) if zones is not None else None
        # Of several dates it is the mean: warmer in July 2022 than in July 2021.
        return None if each is None else number(each) or each

    node = getattr(item, "node", None)
    kind = kind_or_none(node) if isinstance(node, Node) else None
    if kind is not None and "zone" in kind.axes:
        return node if kind.axes == {"zone"} else None
    return _condition_of(item, group)


def _in_periods(item: Phrase, period: str) -> Node | None:
    """Return a condition on each year or month: its sides are means of the dates in each."""
    return _condition_of(item, lambda side: by_unit(side, Unit(period)))


_ON = {"pixel": _on_pixels, "date": _on_dates, "zone": _on_zones}


def _condition_of(item: Phrase, change: Callable[[Node], Node | None]) -> Node | None:
    """Return the condition that a meaning is, its sides changed into numbers for each date or zone."""
    condition = _condition(item)
    if condition is None:
        return None
    sides = [side if isinstance(side, Number) else change(side) for side in (condition.of, condition.limit)]
    if sides[0] is None or sides[1] is None:
        return None
    made = replace(condition, of=sides[0], limit=sides[1])
    return made if kind_or_none(made) is not None else None


def _condition(item: Phrase) -> Compare | None:
    match item:
        case Versus(sign, left, right):
            return Compare(left, sign, right)  # type: ignore[arg-type]
        case Changes("difference", sign, left, right, asked=False) if sign:
            return Compare(left, "gt" if sign > 0 else "lt", right)
        case ChangedBy(Changes(how, sign, left, right), limit) if sign:
            bound = limit.number
            how = "percent_change" if bound.unit == "%" else how
            falls = sign < 0
            signed = Number(-bound.value if falls else bound.value, bound.unit)
            return Compare(Combine(how, left, right), _FALLEN[limit.sign] if falls else limit.sign, signed)  # type: ignore[arg-type]
        case Condition(Compare() as node) | Claim(Compare() as node) | Mask(Compare() as node):
            return node
    return None


_FALLEN = {"gt": "lt", "ge": "le"}


# --- From each date to the next -------------------------------------------------------------------


@rule(ChangeOf, Word)
def from_each_date_to_the_next(found: ChangeOf, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean NDVI fell + from each date to the next: always; + from one date to the next: such dates."""
    each = series(found.node) if found.sign and found.how == "difference" else None
    if word.name not in ("consecutive", "each_step") or each is None:
        return
    passed = Compare(Steps(each), "gt" if found.sign > 0 else "lt", Number(0.0))
    if kind_or_none(passed) is not None and kind_of(passed).axes == {"date"}:
        yield Condition(passed) if word.name == "consecutive" else Claim(Aggregate("all", passed, "date"))


@rule((Measure, Raw), ChangeLimit)
def changed_beyond_a_limit(item: Measure | Raw, found: ChangeLimit, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + fell by more than 0.2, from one date to the next."""
    if found.change.sign:
        changed = ChangeOf(found.change.how, found.change.sign, item.node, isinstance(item, Measure))
        yield StepBeyond(changed, found.limit)


@rule(StepBeyond, Word)
def steps_beyond_a_limit(found: StepBeyond, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean NDVI fell by more than 0.2 + from one date to the next: on such dates."""
    each, limit = series(found.changed.node), found.limit
    if word.name != "consecutive" or each is None:
        return
    falls = found.changed.sign < 0
    value = replace(limit.number, value=-limit.number.value) if falls else limit.number
    passed = Compare(Steps(each), _FALLEN[limit.sign] if falls else limit.sign, value)  # type: ignore[arg-type]
    if kind_or_none(passed) is not None and kind_of(passed).axes == {"date"}:
        yield Condition(passed)


# --- Asked whether it is so ------------------------------------------------------------------------

_STATED = (Condition, Mask, Versus, Changes, ChangedBy, Claim)


@rule(_STATED, Word, either=True)
def is_that_so(item: Phrase, word: Word, names: Names) -> Iterable[Phrase]:
    """More than half of the pixels lie above 700 m, + is that so: as if it began with "is"."""
    if word.name != "tag":
        return
    if isinstance(item, Claim | Versus):
        yield item
    else:
        for joined, _ in RULES.get((Word, type(item)), ()):
            yield from (made for made in joined(Word("did"), item, names) if isinstance(made, Claim | Versus))


# --- Denied ---------------------------------------------------------------------------------------


@rule(Word, (Claim, Condition, Versus))
def is_it_wrong(word: Word, item: Claim | Condition | Versus, names: Names) -> Iterable[Phrase]:
    """Is it wrong to say that + the forest was cooler than the cropland."""
    if word.name != "wrong_that":
        return
    node = versus(item.sign, item.left, item.right) if isinstance(item, Versus) else item.node
    if node is not None and kind_or_none(Not(node)) is not None:
        yield Claim(Not(node))
