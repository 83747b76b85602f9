"""Facts about the data: how many images, which dates, which bands, of what and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from treeline.core.query.closing import kind_or_none, series
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Cloud,
    Combine,
    Compare,
    Dates,
    Facts,
    Node,
    Not,
    Number,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.grammar.groups import PERIODS, by_period
from treeline.core.query.grammar.registry import rule
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Fact, FactOf, Form, ImageLimit, Imagery, Target
from treeline.core.query.phrases.comparisons import Comparative
from treeline.core.query.phrases.conditions import Condition, Limit
from treeline.core.query.phrases.counts import Area, Count, CountOf, Unit
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Source
from treeline.core.query.phrases.ranks import Ends, Extreme, Ranking, Superlative
from treeline.core.query.phrases.times import Ordinal, Time
from treeline.core.query.phrases.values import Each, Measure, Raw, Stat, Value
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import fill_clouds, fill_time, set_time

# What facts can be told of a variable or of a time.
_OF_VARIABLE = frozenset({
    "images", "dates", "first_date", "last_date", "pixel_size", "extent", "crs", "nodata", "gap", "interval",
    "span", "files", "sensors", "shape", "available",
})  # fmt: skip
_OF_TIME = frozenset({
    "images", "dates", "first_date", "last_date", "gap", "interval", "span", "available",
})  # fmt: skip


@rule(Fact, Fact)
def fact_in_other_words(fact: Fact, other: Fact, names: Names) -> Iterable[Phrase]:
    """Over what period do the images run, + first and last date: asked once."""
    if fact == other:
        yield fact


@rule((Fact, FactOf), Raw)
def fact_of(fact: Fact | FactOf, raw: Raw, names: Names) -> Iterable[Phrase]:
    """How many images + of NDVI."""
    if isinstance(fact, FactOf):
        return
    # "Span of elevation" is not that of the archive: what has no dates has none.
    undated = isinstance(raw.node, Variable) and raw.node.timeless and fact.about in _OF_TIME
    if fact.about in _OF_VARIABLE and isinstance(raw.node, Variable) and not undated:
        yield FactOf(fact.about, raw.node, fact.by)


@rule(Raw, Fact, cost=1)
def fact_after(raw: Raw, fact: Fact, names: Names) -> Iterable[Phrase]:
    """NDVI + available dates."""
    yield from fact_of(fact, raw, names)


@rule(Raw, Unit)
def imagery(raw: Raw, unit: Unit, names: Names) -> Iterable[Phrase]:
    """NDVI + images."""
    if unit.of == "date" and not unit.clear and isinstance(raw.node, Variable):
        yield Imagery(raw.node)


@rule(Fact, Imagery, either=True)
def fact_of_imagery(fact: Fact, found: Imagery, names: Names) -> Iterable[Phrase]:
    """Pixel size + of the NDVI rasters."""
    yield from fact_of(fact, Raw(found.node), names)


@rule(Count, FactOf)
def how_many_images(count: Count, fact: FactOf, names: Names) -> Iterable[Phrase]:
    """How many + NDVI images there are."""
    if fact.about == "dates":
        yield replace(fact, about="images")


@rule(Count, Imagery)
def how_many_images_of(count: Count, found: Imagery, names: Names) -> Iterable[Phrase]:
    """How many + NDVI images."""
    yield FactOf("images", found.node)


@rule((Fact, FactOf, CountOf), Each)
def images_by_period(fact: Fact | FactOf | CountOf, each: Each, names: Names) -> Iterable[Phrase]:
    """How many images + per year."""
    if each.axis != "calendar_month":
        yield from _images_by(fact, each)


@rule((Fact, FactOf, CountOf), Each, cost=1)  # "per month, on average" is rather the mean of the months
def images_by_calendar_month(fact: Fact | FactOf | CountOf, each: Each, names: Names) -> Iterable[Phrase]:
    """How many images + per month of the year."""
    if each.axis == "calendar_month":
        yield from _images_by(fact, each)


@rule(Many, Each)
def images_and_means_by_period(many: Many, each: Each, names: Names) -> Iterable[Phrase]:
    """Mean NDVI and number of images + per month."""
    ways: list[list[Phrase]] = []
    for part in many.of:
        if isinstance(part, Fact | FactOf | CountOf):
            ways.append(list(_images_by(part, each)))
        elif isinstance(part, Raw | Measure) and each.axis in PERIODS:
            ways.append(list(by_period(part, each, names)))
    parts = tuple(way[0] for way in ways if len(way) == 1)
    if len(parts) == len(many.of) and any(isinstance(part, Fact | FactOf) for part in parts):
        yield Many(parts)


@rule(Word, (Fact, FactOf), either=True)
def images_on_average(word: Word, fact: Fact | FactOf, names: Names) -> Iterable[Phrase]:
    """How many images per month + on average: the mean of the months."""
    if word.name == "on_average" and fact.about == "images" and fact.by is not None:
        each = Facts("images", fact.node if isinstance(fact, FactOf) else None, by=fact.by)
        yield Value(Aggregate("mean", each, "period"))


@rule(Stat, (Fact, FactOf))
def mean_of_images(stat: Stat, fact: Fact | FactOf, names: Names) -> Iterable[Phrase]:
    """Average + number of images per month."""
    if stat == Stat("mean"):
        yield from images_on_average(Word("on_average"), fact, names)


def _images_by(fact: Fact | FactOf | CountOf, each: Each) -> Iterable[Phrase]:
    if each.axis not in PERIODS:
        return
    if isinstance(fact, CountOf):
        if fact.unit.of == "date" and not fact.unit.clear:
            yield Fact("images", each.axis)  # type: ignore[arg-type]
    elif fact.about == "images" and fact.by is None:
        yield replace(fact, by=each.axis)  # type: ignore[arg-type]


@rule(Superlative, (Unit, Fact, FactOf))
def period_with_most_images(found: Superlative, item: Unit | Fact | FactOf, names: Names) -> Iterable[Phrase]:
    """Which year had the most + images."""
    told = item.by if isinstance(item, Fact | FactOf) and item.about == "images" else None
    images = item in (Fact("images"), Unit("date"))
    by = told if found.unit.of == "period" else found.unit.of if images and found.unit.of in PERIODS else None
    if by is not None:
        extreme = found.extreme
        each = Facts("images", item.node if isinstance(item, FactOf) else None, by=by)  # type: ignore[arg-type]
        yield Value(Which(each, extreme.direction, extreme.nth, extreme.top))


@rule(Superlative, Value)
def period_with_most_dates(found: Superlative, dates: Value, names: Names) -> Iterable[Phrase]:
    """Which year had the most + clear dates."""
    counted = _count_of(dates.node)
    if counted is not None and found.unit.of in PERIODS:
        each = replace(counted, by=found.unit.of)  # type: ignore[arg-type]
        yield Value(Which(each, found.extreme.direction, found.extreme.nth, found.extreme.top))


@rule(Comparative, Value)
def more_dates(word: Comparative, dates: Value, names: Names) -> Iterable[Phrase]:
    """Were there more + clear dates, in one year than in another."""
    counted = _count_of(dates.node)
    if counted is not None and word.node is None:
        yield replace(word, node=counted)


def _count_of(node: Node) -> Aggregate | None:
    """Return how many dates those are on which a condition holds."""
    if not isinstance(node, Dates) or node.pick != "all" or kind_of(node.of).axes != {"date"}:
        return None
    return Aggregate("count", node.of, "date")


@rule(Value, Time)
def period_with_most_images_of(found: Value, time: Time, names: Names) -> Iterable[Phrase]:
    """Which month had the most images + in 2017."""
    yield from images_then(found, time.when)


def images_then(found: Phrase, when: When) -> Iterable[Phrase]:
    """Yield which period has most images, or fewer than so many, of those of a time; or its dates."""
    if isinstance(found, Fact):
        yield from _fact_then(found, when)
        return
    node = found.node if isinstance(found, Value) else None
    if isinstance(node, Which | Dates | Aggregate):
        dated = rewrite(node, Facts, lambda f: replace(f, of=when) if f.by and f.of is None else f)
        yield from (Value(dated),) if dated != node else ()


@rule((Fact, FactOf), Limit)
def fact_that_passes(fact: Fact | FactOf, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Number of images for each year + below 20."""
    if fact.by is not None and not limit.number.unit:
        counted = Facts(fact.about, fact.node if isinstance(fact, FactOf) else None, by=fact.by)
        yield Condition(Compare(counted, limit.sign, limit.number, limit.upper))  # type: ignore[arg-type]


@rule(Limit, Unit)
def images_that_pass(limit: Limit, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Fewer than 20 + images; at least one + cloud-free image."""
    if unit.of == "date" and not limit.number.unit and (names.inventory.cloud_dates or not unit.clear):
        yield ImageLimit(limit, unit.clear)


@rule(Word, Unit)
def no_image(word: Word, unit: Unit, names: Names) -> Iterable[Phrase]:
    """No + image; no + cloud-free image: fewer than one."""
    if word.name == "no" and unit.of == "date" and (names.inventory.cloud_dates or not unit.clear):
        yield ImageLimit(Limit("lt", Number(1.0)), unit.clear)


@rule((Unit, CountOf), ImageLimit)
def periods_with_images(asked: Unit | CountOf, found: ImageLimit, names: Names) -> Iterable[Phrase]:
    """Which years have + fewer than 20 images; how many months have + at least one clear image."""
    unit, limit = asked.unit if isinstance(asked, CountOf) else asked, found.limit
    if unit.of not in PERIODS:
        return
    clear = Aggregate("count", Not(Aggregate("any", Cloud(), "pixel")), "date", by=unit.of)  # type: ignore[arg-type]
    counted: Node = clear if found.clear else Facts("images", by=unit.of)  # type: ignore[arg-type]
    passed = Compare(counted, limit.sign, limit.number, limit.upper)  # type: ignore[arg-type]
    yield Value(Aggregate("count", passed, "period") if isinstance(asked, CountOf) else Dates(passed))


@rule(Word, Pair)
def days_between(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """How many days lie between + 14 August 2016 and 5 July 2017."""
    if word.name != "days_between" or pair.by not in ("and", "to"):
        return
    whens = [side.when for side in (pair.left, pair.right) if isinstance(side, Time)]
    if len(whens) == 2 and all(w == When(w.spans) and len(w.spans) == 1 and w.spans[0].is_day for w in whens):
        yield Value(Facts("days_between", When((*whens[0].spans, *whens[1].spans))))
        return
    found = [when.at for when in whens if when.at is not None and when == When(at=when.at) and when.single]
    if len(found) == 2:
        yield Value(Combine("absolute_difference", found[0], found[1]))


@rule(Word, (Many, Pair))
def days_between_extremes(word: Word, both: Many | Pair, names: Names) -> Iterable[Phrase]:
    """How many days lie between + the NDVI minimum and the NDVI maximum: the dates of their means."""
    sides = both.of if isinstance(both, Many) else (both.left, both.right)
    found = [which for side in sides if (which := _date_of_extreme(side)) is not None]
    if word.name == "days_between" and len(found) == len(sides) == 2 and found[0] != found[1]:
        yield Value(Combine("absolute_difference", found[0], found[1]))


_DIRECTIONS: Mapping[str, Literal["highest", "lowest"]] = {"max": "highest", "min": "lowest"}


def _date_of_extreme(side: Phrase) -> Node | None:
    match side:
        case Measure(
            Aggregate(statistic="max" | "min" as extreme, of=Variable() as of, over="pixel", by=None)
        ):
            each = series(Aggregate("mean", of, "pixel", assumed=("statistic",)))
        case Value(Aggregate(statistic="max" | "min" as extreme, of=of, over="date", by=None)):
            each = of
        case _:
            return None
    kind = kind_or_none(each) if each is not None else None
    if each is None or kind is None or kind.axes != {"date"}:
        return None
    return Which(each, _DIRECTIONS[extreme])


@rule(Half, Ordinal)
def both_ends(half: Half, ordinal: Ordinal, names: Names) -> Iterable[Phrase]:
    """The first and + the last, of images to come."""
    if (half.left, ordinal, half.by) == (Ordinal(1), Ordinal(-1), "and"):
        yield Pair(half.left, ordinal, "and")


@rule(FactOf, Join)
def images_less(fact: FactOf, join: Join, names: Names) -> Iterable[Phrase]:
    """Number of images in 2017 + minus, that of another time."""
    if join.by == "minus" and fact.about == "images" and fact.by is None:
        yield Half(fact, "minus")


@rule(Half, FactOf)
def images_less_others(half: Half, fact: FactOf, names: Names) -> Iterable[Phrase]:
    """Number of images in 2017 minus + number of images in 2016."""
    if half.by == "minus" and isinstance(half.left, FactOf) and fact.about == "images" and fact.by is None:
        yield Value(Combine("difference", Facts("images", half.left.node), Facts("images", fact.node)))


@rule(Word, Pair)
def more_images(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """How many more images + in 2017 than in 2016."""
    whens = [side.when for side in (pair.left, pair.right) if isinstance(side, Time)]
    if word.name not in _MORE_IMAGES or pair.by != "than" or len(whens) != 2:
        return
    more, less = (Facts("images", when) for when in (whens if word.name == "more_images" else whens[::-1]))
    yield Value(Combine("difference", more, less))


_MORE_IMAGES = ("more_images", "fewer_images")


@rule(Word, Pair)
def span_between(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Days between + the first and the last (NDVI image)."""
    if word.name == "days_between" and pair == Pair(Ordinal(1), Ordinal(-1), "and"):
        yield Fact("span")


@rule(Fact, Unit)
def span_of_images(fact: Fact, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Days between the first and the last + image."""
    if fact == Fact("span") and unit == Unit("date"):
        yield fact


@rule(Superlative, Join)
def one_extreme_and(found: Superlative, join: Join, names: Names) -> Iterable[Phrase]:
    """The date with the highest + and, of what is to come."""
    if join.by == "and":
        yield Half(found, "and")


@rule(Half, (Value, Ranking))
def first_and_last(half: Half, found: Value | Ranking, names: Names) -> Iterable[Phrase]:
    """First and + last cloud-free image; greenest and + least green date; highest and + lowest NDVI."""
    node, left = found.node, half.left
    other: Node | None = None
    if isinstance(found, Ranking):
        each = series(found.node)
        node = Which(each, found.direction) if each is not None and (found.nth, found.top) == (1, 1) else node
    if half.by != "and":
        return
    if left == Ordinal(1) and isinstance(node, Dates) and node.pick == "last":
        other = replace(node, pick="first")
    elif isinstance(node, Which) and (direction := _other_end(left, node)):
        other = replace(node, direction=direction)
    if other is not None and kind_or_none(node) is not None:
        yield Pair(Time(When(at=other)), Time(When(at=node)), "and")


def _other_end(left: Phrase, node: Which) -> Ends | None:
    """Return the end of a series that is named before its other end; ``None`` where it is none."""
    match left:
        case Ranking(direction, ranked, 1, 1):
            each = series(ranked)
            same = each is not None and set_time(node.of, ALWAYS) in (each, fill_clouds(each, "clear_dates"))
        case Superlative(Unit(of="date"), Extreme(direction, 1, 1)):
            same = True
        case Stat("max" | "min" as statistic, over=None):
            # Of each zone both are told, and not which of the zones has them.
            zones = [p for p in node.of.walk() if isinstance(p, Aggregate) and isinstance(p.by, Zones)]
            direction, same = ("highest" if statistic == "max" else "lowest"), not zones
        case _:
            return None
    return direction if same and (node.nth, node.top) == (1, 1) and direction != node.direction else None


@rule(Pair, Fact)
def bands_of_both(pair: Pair, fact: Fact, names: Names) -> Iterable[Phrase]:
    """The red and near-infrared + bands."""
    if fact == Fact("bands") and isinstance(pair.left, Raw) and isinstance(pair.right, Raw):
        yield pair


@rule((Fact, FactOf), Time, either=True)
def fact_in(fact: Fact | FactOf, time: Time, names: Names) -> Iterable[Phrase]:
    """How many images + in 2016."""
    yield from _fact_then(fact, time.when)


def _fact_then(fact: Fact | FactOf, when: When) -> Iterable[Fact | FactOf]:
    if fact.about not in _OF_TIME or isinstance(when.at, Dates):
        return
    if fact.about == "available" and when != When(when.spans, when.months):
        return
    if when == ALWAYS:
        yield fact
    elif isinstance(fact, Fact):
        yield FactOf(fact.about, when, fact.by)
    elif isinstance(fact.node, Variable | Dates):
        filled = fill_time(fact.node, when)
        if filled is not None:
            yield FactOf(fact.about, filled, fact.by)


@rule(Fact, Value)
def fact_of_dates(fact: Fact, found: Value, names: Names) -> Iterable[Phrase]:
    """Longest gap between images + of the dates without clouds."""
    node = found.node
    if fact.about in ("gap", "interval", "span") and isinstance(node, Dates) and node.pick == "all":
        kind = kind_or_none(node.of)
        if kind is not None and kind.axes == {"date"}:
            yield FactOf(fact.about, node)


@rule(Area, Word, either=True)
def ground_area(area: Area, word: Word, names: Names) -> Iterable[Phrase]:
    """Area + of the study area; square kilometres + the scene covers; total ground + area."""
    if word.name == "whole":
        yield Value(Facts("ground_area", unit=area.unit))


@rule(Area, Area, cost=1)  # "what area, in hectares" is rather that of something
def size_of_the_area(asked: Area, area: Area, names: Names) -> Iterable[Phrase]:
    """How big is + the area in km2."""
    if not asked.unit:
        yield Value(Facts("ground_area", unit=area.unit))


@rule(Value, Area)
def ground_area_in(found: Value, area: Area, names: Names) -> Iterable[Phrase]:
    """Area of the study area + in km2."""
    if found.node == Facts("ground_area") and area.unit:
        yield Value(Facts("ground_area", unit=area.unit))


@rule(Count, Fact)
def number_told(count: Count, fact: Fact, names: Names) -> Iterable[Phrase]:
    """How many + bands: the answer tells their number."""
    if fact.about in ("bands", "variables", "sensors"):
        yield fact


@rule(Unit, (Fact, FactOf))
def when_told(unit: Unit, fact: Fact | FactOf, names: Names) -> Iterable[Phrase]:
    """When were + the first and the last image."""
    if unit == Unit("date", asks=True) and fact.about in ("span", "first_date", "last_date"):
        yield fact


@rule(Unit, Time)
def when_the_last_was(unit: Unit, time: Time, names: Names) -> Iterable[Phrase]:
    """When was + the last image of 2021: its date."""
    when = time.when
    if unit == Unit("date", asks=True) and when.pick in _PICKED and when.at is when.without is None:
        rest = replace(when, pick=0)
        yield Fact(_PICKED[when.pick]) if rest == ALWAYS else FactOf(_PICKED[when.pick], rest)


_PICKED = {1: "first_date", -1: "last_date"}


@rule((Fact, FactOf), Target)
def fact_in_unit(fact: Fact | FactOf, target: Target, names: Names) -> Iterable[Phrase]:
    """Pixel size + in metres, longest gap + in days, which they are in anyway."""
    if target.unit == {"pixel_size": "m", "gap": "days", "interval": "days", "span": "days"}.get(fact.about):
        yield fact


@rule(Form, Unit)
def list_of_classes(form: Form, unit: Unit, names: Names) -> Iterable[Phrase]:
    """List + the classes."""
    if form.form == "table" and unit == Unit("class"):
        yield Fact("classes")


@rule(Unit, Source)
def classes_of_source(unit: Unit, source: Source, names: Names) -> Iterable[Phrase]:
    """Which classes + does the land cover map have."""
    if unit == Unit("class") and source.role == "landcover":
        yield Fact("classes")


@rule(CountOf, Raw)
def images_of(counted: CountOf, raw: Raw, names: Names) -> Iterable[Phrase]:
    """How many dates + NDVI."""
    if counted.unit.of in ("date", "image") and not counted.unit.clear and isinstance(raw.node, Variable):
        yield FactOf("images", raw.node)


@rule(CountOf, Time)
def images_in(counted: CountOf, time: Time, names: Names) -> Iterable[Phrase]:
    """How many images + in 2016."""
    if counted.unit.of in ("date", "image") and not counted.unit.clear and not time.when.at:
        yield Fact("images") if time.when == ALWAYS else FactOf("images", time.when)


@rule(Unit, Word)
def available_dates(unit: Unit, word: Word, names: Names) -> Iterable[Phrase]:
    """Which dates + are available."""
    if word.name == "available" and unit.of in ("date", "image") and not unit.clear:
        yield Fact("dates")
    if word.name == "available" and unit.of == "class":
        yield Fact("classes")


@rule((Fact, FactOf, CountOf), Word)
def available(fact: Fact | FactOf | CountOf, word: Word, names: Names) -> Iterable[Phrase]:
    """How many images + are available."""
    if word.name == "available":
        yield fact


@rule(Fact, Word)
def gap_between_neighbours(fact: Fact, word: Word, names: Names) -> Iterable[Phrase]:
    """Longest gap (in days) + between two successive images."""
    if word.name == "consecutive" and fact.about in ("gap", "interval"):
        yield fact


@rule(Word, (Fact, FactOf))
def length_of_a_time(word: Word, fact: Fact | FactOf, names: Names) -> Iterable[Phrase]:
    """Length of + the longest gap between images."""
    if word.name == "lasts" and fact.about in ("gap", "interval", "span"):
        yield fact


@rule(Fact, Target, either=True)
def fact_in_days(fact: Fact, target: Target, names: Names) -> Iterable[Phrase]:
    """How many days is + the longest gap between images: it is in days anyway."""
    if fact.about in ("gap", "span", "interval") and target.unit == "days":
        yield fact
