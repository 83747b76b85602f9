"""The course over time: trends, the growing season, departures, relations, runs, first times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import by_zones, departure_from, kind_or_none, series
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Combine,
    Compare,
    Dates,
    Node,
    Number,
    Phenology,
    Seasonal,
    Trend,
    When,
)
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.counting import per_date
from treeline.core.query.grammar.formal import compare_with
from treeline.core.query.grammar.place import is_place
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import starts_later
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Target
from treeline.core.query.phrases.comparisons import ChangeOf, Comparative, Delta, DeltaLimit, HowMuch
from treeline.core.query.phrases.conditions import (
    CompareTo,
    Condition,
    FirstTime,
    FirstTimeOf,
    Limit,
    Operator,
    Runs,
)
from treeline.core.query.phrases.counts import AreaOf, CountOf, Unit
from treeline.core.query.phrases.courses import (
    Baseline,
    Course,
    CourseOf,
    Departure,
    DepartureFrom,
    DepartureOf,
    Unusual,
    Usual,
)
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.ranks import Extreme, Ranking
from treeline.core.query.phrases.times import Clouds, Ordinal, PartOf, Time
from treeline.core.query.phrases.values import Along, Each, Measure, Raw, Series, Stat, Value
from treeline.core.query.slots import fill_clouds, fill_place, fill_time, leaves, merge, set_time

# --- Trends and the growing season ----------------------------------------------------------------


@rule(Course, Series, either=True, cost=1)
def course_of_a_series(course: Course, item: Series, names: Names) -> Iterable[Phrase]:
    """Trend + of the yearly mean NDVI: "trend per year in NDVI" rather means its unit."""
    yield from course_of(course, item, names)


@rule(Course, (Measure, Raw), either=True)
def course_of(course: Course, item: Measure | Raw | Series, names: Names) -> Iterable[Phrase]:
    """Trend + in mean NDVI."""
    if course.pixelwise:
        yield from _raster_of(course, item.node)
        return
    found = series(item.node)
    if found is None:
        return
    made = _course(course, found)
    if made is not None and kind_or_none(made) is not None:
        yield CourseOf(made)


@rule((Course, CourseOf, Series), (Condition, Mask))
def season_by_its_condition(
    course: Course | CourseOf | Series, held: Condition | Mask, names: Names
) -> Iterable[Phrase]:
    """Growing season + (mean NDVI over 0.5, clear dates); end of the season 2017 + NDVI below 0.5."""
    gives = course.gives if isinstance(course, Course) else getattr(course.node, "gives", None)
    match held.node:
        case Compare(of, "gt" | "ge" | "lt" | "le" as sign, Number() as limit):
            each = series(of)
            if each is None or sign in ("lt", "le") and gives != "end":
                return
            founds = course_of(course, Series(each), names) if isinstance(course, Course) else (course,)
            for found in founds:
                if not isinstance(found, CourseOf | Series) or not isinstance(found.node, Phenology):
                    continue
                season = found.node
                when = leaves(season.of)[0].when
                of_its_time = all(leaf.when in (ALWAYS, when) for leaf in leaves(each))
                if season.limit is None and of_its_time and season.of == set_time(each, when):
                    yield replace(found, node=replace(season, limit=limit, assumed=()))


@rule(Word, ChangeOf)
def how_fast(word: Word, found: ChangeOf, names: Names) -> Iterable[Phrase]:
    """How fast + did mean NDVI fall: the slope of its trend."""
    each = series(found.node)
    if word.name == "how_fast" and found.how == "difference" and each is not None:
        yield CourseOf(Trend(each, assumed=("method",)))


@rule(Course, Along, either=True)
def course_of_pixels(course: Course, along: Along, names: Names) -> Iterable[Phrase]:
    """Trend + per pixel; per-pixel + trend."""
    if course.name == "Trend" and along.stands == "both":
        yield replace(course, pixelwise=True)


def _raster_of(course: Course, of: Node) -> Iterable[Phrase]:
    made = _course(course, of)
    kind = kind_or_none(made) if made is not None else None
    if made is not None and kind is not None and "pixel" in kind.axes:
        yield Raw(made)
        if kind.value == "truth":
            yield Mask(made)


def _course(course: Course, of: Node) -> Node | None:
    if course.when != ALWAYS:
        dated = fill_time(of, course.when)
        if not isinstance(dated, Node):
            return None
        of = dated
    if course.name == "Trend":
        # A correlation needs no line.
        assumed = () if course.method or course.gives in ("pearson", "spearman") else ("method",)
        return Trend(of, course.method, course.gives, course.per or "year", assumed=assumed)  # type: ignore[arg-type]
    if course.name == "Seasonal":
        return Seasonal(of, course.gives)  # type: ignore[arg-type]
    # Where a season begins and ends has no part in its amplitude.
    assumed = () if course.gives == "amplitude" else ("limit",)
    return Phenology(of, course.gives, assumed=assumed)  # type: ignore[arg-type]


@rule(Course, Time, either=True)
def course_in(course: Course, time: Time, names: Names) -> Iterable[Phrase]:
    """Growing season + in 2017."""
    if course.when == ALWAYS and course.name == "Phenology":
        dated = replace(course, when=time.when)
        yield dated
        if not course.gives:
            return
        vegetation = names.variable("ndvi")
        if vegetation is not None:
            mean = Aggregate("mean", vegetation, "pixel", assumed=("statistic", "variable"))
            made = _course(dated, mean)
            if made is not None:
                yield CourseOf(made)


@rule(Course, Time)
def season_by_its_months(course: Course, time: Time, names: Names) -> Iterable[Phrase]:
    """Growing season 2016 + (April to September): those months, as a time."""
    only_months = time.when.months and not time.when.spans and not time.when.pick
    if course.name == "Phenology" and not course.gives and only_months:
        joined = time.when if course.when == ALWAYS else merge(course.when, time.when)
        if joined is not None:
            yield Time(joined)


@rule(Course, (Mask, Location))
def course_of_ground(course: Course, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """Growing season + of the forest: by its NDVI."""
    vegetation = names.variable("ndvi")
    if course.name == "Phenology" and vegetation is not None and is_place(mask.node):
        placed = fill_place(vegetation, mask.node)
        if placed is not None:
            mean = Aggregate("mean", placed, "pixel", assumed=("statistic", "variable"))
            made = _course(course, mean)
            if made is not None:
                yield CourseOf(made)


_SEASON = {"starts": "start", "ends": "end", "lasts": "length", "peaks": "peak", "amplitude": "amplitude"}


@rule((Course, CourseOf), (Word, PartOf), either=True)
def part_of_a_season(course: Course | CourseOf, word: Word | PartOf, names: Names) -> Iterable[Phrase]:
    """Growing season + start; end of + the growing season."""
    asked = {"early": "start", "late": "end"}.get(word.name, _SEASON.get(word.name, ""))
    if isinstance(course, CourseOf):
        if isinstance(course.node, Phenology) and course.node.gives in ("", asked) and asked:
            yield CourseOf(replace(course.node, gives=asked))  # type: ignore[arg-type]
    elif course.name == "Phenology" and course.gives in ("", asked) and asked:
        made = replace(course, gives=asked)
        yield made
        if course.when != ALWAYS:
            yield from course_in(replace(made, when=ALWAYS), Time(course.when), names)


@rule(
    Course, (Word, PartOf), either=True, cost=1
)  # a time or ground that follows rather is that of the season
def part_of_the_usual_season(course: Course, word: Word | PartOf, names: Names) -> Iterable[Phrase]:
    """Growing season + start, of no year: by the NDVI of each."""
    for part in part_of_a_season(course, word, names):
        if isinstance(part, Course):
            yield from _usual_season(part, names)


@rule(Unit, Course, cost=1)
def when_in_the_usual_season(unit: Unit, course: Course, names: Names) -> Iterable[Phrase]:
    """When is + the season start, of no year."""
    if unit.of == "date" and course.gives in ("start", "end", "peak"):
        yield from _usual_season(course, names)


def _usual_season(course: Course, names: Names) -> Iterable[Phrase]:
    vegetation = names.variable("ndvi")
    if course.name == "Phenology" and course.gives and course.when == ALWAYS and vegetation is not None:
        made = _course(course, Aggregate("mean", vegetation, "pixel", assumed=("statistic", "variable")))
        yield from (CourseOf(made),) if made is not None else ()


@rule(Word, Join)
def one_part_and(word: Word, join: Join, names: Names) -> Iterable[Phrase]:
    """Start + and, of the season to come."""
    if word.name in _SEASON and join.by == "and":
        yield Half(word, "and")


@rule(Half, Word)
def two_parts_of_a_season(half: Half, word: Word, names: Names) -> Iterable[Phrase]:
    """Start and + end, of the season to come; did the season start and + end."""
    if half.by != "and" or word.name not in _SEASON:
        return
    if isinstance(half.left, Word) and half.left != word:
        yield Many((half.left, word))
    elif isinstance(half.left, CourseOf) and isinstance(half.left.node, Phenology):
        other = replace(half.left.node, gives=_SEASON[word.name])  # type: ignore[arg-type]
        yield from (Many((half.left, CourseOf(other))),) if other != half.left.node else ()


@rule(Many, (Course, CourseOf))
def both_parts_of_a_season(many: Many, course: Course | CourseOf, names: Names) -> Iterable[Phrase]:
    """Start and end + of the growing season."""
    words = [part for part in many.of if isinstance(part, Word)]
    if len(words) == len(many.of):
        ways = [list(part_of_a_season(course, word, names)) for word in words]
        found = [[one for one in way if isinstance(one, CourseOf)] for way in ways]
        yield from (Many(tuple(way[0] for way in found)),) if all(len(way) == 1 for way in found) else ()


@rule((Course, CourseOf), Each)
def season_of_each_year(found: Course | CourseOf, each: Each, names: Names) -> Iterable[Phrase]:
    """Length of the growing season + for each year."""
    season = _season_by_year(found, names) if each.axis == "year" else None
    yield from (Series(season),) if season is not None else ()


@rule((Course, CourseOf), Ordinal, either=True)
def earliest_season(found: Course | CourseOf, ordinal: Ordinal, names: Names) -> Iterable[Phrase]:
    """Season start + earliest; latest + end of the growing season: in which year."""
    season = _season_by_year(found, names) if ordinal.nth in (1, -1) else None
    if season is not None and season.is_date:
        yield Ranking("lowest" if ordinal.nth == 1 else "highest", season, after=True)


@rule(Extreme, (Course, CourseOf))
def longest_season(extreme: Extreme, found: Course | CourseOf, names: Names) -> Iterable[Phrase]:
    """Longest + growing season, largest + amplitude: in which year."""
    season = _season_by_year(found, names)
    if season is not None and not season.is_date:
        yield Ranking(extreme.direction, season, extreme.nth, extreme.top)


def _season_by_year(found: Course | CourseOf, names: Names) -> Phenology | None:
    """Return a fact of the season of each year, of NDVI where nothing else is said."""
    if isinstance(found, CourseOf):
        made: Node | None = found.node
    else:
        vegetation = names.variable("ndvi")
        if vegetation is None or found.name != "Phenology":
            return None
        made = _course(found, Aggregate("mean", vegetation, "pixel", assumed=("statistic", "variable")))
    if not isinstance(made, Phenology) or not made.gives or made.by is not None:
        return None
    season = replace(made, by="year")
    return season if kind_or_none(season) is not None else None


@rule(Unit, (Course, CourseOf))
def when_in_the_season(unit: Unit, found: Course | CourseOf, names: Names) -> Iterable[Phrase]:
    """When + did the growing season start."""
    gives = found.gives if isinstance(found, Course) else getattr(found.node, "gives", "")
    if unit.of == "date" and gives in ("start", "end", "peak", "change_points"):
        yield found


@rule((Course, CourseOf), Target)
def season_in_days(course: Course | CourseOf, target: Target, names: Names) -> Iterable[Phrase]:
    """Length of the growing season + in days, which it is in anyway."""
    gives = course.gives if isinstance(course, Course) else getattr(course.node, "gives", "")
    if gives == "length" and target.unit == "days":
        yield course


@rule(CourseOf, Limit)
def season_limit(found: CourseOf, limit: Limit, names: Names) -> Iterable[Phrase]:
    """Growing season of NDVI + above 0.5."""
    if isinstance(found.node, Phenology) and found.node.limit is None and limit.sign in ("gt", "ge"):
        yield CourseOf(replace(found.node, limit=limit.number, assumed=()))


# --- Departures -----------------------------------------------------------------------------------


@rule(Departure, (Measure, Raw, Series, Value), either=True)
def departure_of(
    departure: Departure, item: Measure | Raw | Series | Value, names: Names
) -> Iterable[Phrase]:
    """Z-score + of the mean NDVI."""
    if departure.how == "scene":
        if isinstance(item, Raw):
            yield Raw(Combine("difference", item.node, Aggregate("mean", item.node, "pixel")))
        return
    yield DepartureOf(departure.how, item.node)


@rule(DepartureOf, Each, either=True)
def departure_of_each(found: DepartureOf, each: Each, names: Names) -> Iterable[Phrase]:
    """NDVI anomaly + of each region: from what is usual in it."""
    made = by_zones(found.node, each.zones) if each.zones is not None else None
    if made is not None and kind_or_none(made) is not None:
        yield replace(found, node=made)


@rule(Join, Time)
def baseline(join: Join, time: Time, names: Names) -> Iterable[Phrase]:
    """Compared with + all November dates."""
    if join.by == "than":
        yield Baseline(time.when)


@rule(Stat, Time)
def usual(stat: Stat, time: Time, names: Names) -> Iterable[Phrase]:
    """The mean + of all Julys."""
    if stat.statistic == "mean" and stat.over is None and not time.when.pick and not time.when.at:
        yield Usual(time.when)


@rule(Usual, Clouds, either=True)
def usual_without_clouds(found: Usual, clouds: Clouds, names: Names) -> Iterable[Phrase]:
    """The mean of all Julys + cloud-free."""
    if found.clouds == "included":
        yield replace(found, clouds=clouds.mode)


@rule(Stat, Clouds)
def usual_over_clear_dates(stat: Stat, clouds: Clouds, names: Names) -> Iterable[Phrase]:
    """The mean + of all cloud-free dates."""
    if stat.statistic == "mean" and stat.over is None and clouds.mode == "clear_dates":
        yield Usual(ALWAYS, clouds.mode)


@rule(Stat, Many)
def usual_of_clear_dates(stat: Stat, many: Many, names: Names) -> Iterable[Phrase]:
    """The mean + of all cloud-free Julys."""
    for base in clear_baseline(many):
        for found in usual(stat, Time(base.when), names):
            if isinstance(found, Usual):
                yield replace(found, clouds=base.clouds)


def clear_baseline(many: Many) -> Iterable[Baseline]:
    """Yield a time of which only what is clear counts as what a departure is from."""
    match many.of:
        case (Time(when), Clouds(mode)):
            yield Baseline(when, mode)


@rule(Word, (Time, Many))
def among_dates(word: Word, dates: Time | Many, names: Names) -> Iterable[Phrase]:
    """Z-score of the mean NDVI on a day + among all August dates."""
    if word.name == "among":
        yield from (Baseline(dates.when),) if isinstance(dates, Time) else clear_baseline(dates)


@rule(Time, Stat)
def usual_before(time: Time, stat: Stat, names: Names) -> Iterable[Phrase]:
    """July 2017 + average."""
    yield from usual(stat, time, names)


@rule(Join, Usual)
def usual_baseline(join: Join, found: Usual, names: Names) -> Iterable[Phrase]:
    """Relative to + the mean of all Julys."""
    if join.by == "than":
        yield Baseline(found.when, found.clouds)


@rule(Word, Usual)
def from_the_usual(word: Word, found: Usual, names: Names) -> Iterable[Phrase]:
    """From, or away from, + the long-term mean."""
    if word.name in ("from", "away"):
        yield Baseline(found.when, found.clouds)


@rule(Operator, Usual)
def above_the_usual(operator: Operator, found: Usual, names: Names) -> Iterable[Phrase]:
    """How many standard deviations does it lie + above the average of all Julys."""
    if operator.sign in ("gt", "lt"):
        yield Baseline(found.when, found.clouds)


@rule(CompareTo, Usual)
def above_the_usual_mean(left: CompareTo, found: Usual, names: Names) -> Iterable[Phrase]:
    """Mean NDVI, or NDVI of one date, above + the average of all clear dates."""
    item = left.left
    each = series(item.node) if isinstance(item, Measure | Raw) and _is_of_a_date(item) else None
    at_base = set_time(each, found.when) if each is not None else None
    if at_base is None or each is None:
        return
    if found.clouds != "included":
        at_base = fill_clouds(at_base, found.clouds) or at_base
    made = compare_with(each, left, Aggregate("mean", at_base, "date"))
    if made is not None:
        yield Condition(made)


def _is_of_a_date(item: Measure | Raw) -> bool:
    """Return whether it is a number for each date; pixels of many dates may be meant one by one."""
    return isinstance(item, Measure) or all(leaf.when.single for leaf in leaves(item.node))


@rule(DepartureOf, Baseline)
def against(found: DepartureOf, base: Baseline, names: Names) -> Iterable[Phrase]:
    """Z-score of the mean NDVI on a day + against all November dates."""
    if any(leaf.when == ALWAYS for leaf in leaves(found.node) if not getattr(leaf, "timeless", False)):
        return
    made = departure_from(found, base.when, base.clouds)
    if made is not None:
        yield Value(made)


@rule(Comparative, Baseline)
def more_than_usual(word: Comparative, base: Baseline, names: Names) -> Iterable[Phrase]:
    """Warmer + than usual."""
    if word.node is not None and word.sign in ("gt", "lt") and base == Baseline(ALWAYS):
        yield Unusual(word.node, word.sign)


@rule(HowMuch, Unusual)
def how_unusual(asked: HowMuch, found: Unusual, names: Names) -> Iterable[Phrase]:
    """How much + warmer than usual."""
    if asked.how == "difference":
        yield replace(found, sign="")


@rule(Departure, Baseline)
def departure_from_base(departure: Departure, base: Baseline, names: Names) -> Iterable[Phrase]:
    """How many standard deviations + from the mean of all Augusts."""
    if departure.how != "scene":
        yield DepartureFrom(departure.how, base)


@rule(DepartureOf, Departure)
def by_which_it_departs(found: DepartureOf, verb: Departure, names: Names) -> Iterable[Phrase]:
    """Number of standard deviations by which the mean NDVI + departs."""
    if verb.how == "difference":
        yield found


@rule(DepartureFrom, (Measure, Raw))
def departure_from_base_of(found: DepartureFrom, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """How many standard deviations from the mean of all Augusts + is the mean NDVI on a day."""
    yield from against(DepartureOf(found.how, item.node), found.base, names)


# --- Runs and first times -------------------------------------------------------------------------


@rule(Runs, (Condition, Mask))
def run_of(runs: Runs, held: Condition | Mask, names: Names) -> Iterable[Phrase]:
    """Longest run of dates + with mean NDVI above 0.6."""
    node = per_date(held)
    if node is not None:
        yield Value(Aggregate(runs.statistic, node, "date"))


@rule(Word, (Condition, Mask))
def how_long_it_held(word: Word, held: Condition | Mask, names: Names) -> Iterable[Phrase]:
    """How long did + NDVI stay above 0.6: by its longest run of dates, or from its rise to its fall."""
    node = per_date(held) if word.name in ("lasts", "for_days") else None
    match node:
        case Compare(of, "gt" | "ge", Number() as limit):
            season = Phenology(of, "length", limit)
            if kind_or_none(season) is not None:
                yield Value(Aggregate("longest_run", node, "date"))
                yield Value(season)


@rule(Runs, Value)
def run_of_dates(runs: Runs, dates: Value, names: Names) -> Iterable[Phrase]:
    """Longest unbroken series of + completely overcast images."""
    if isinstance(dates.node, Dates) and dates.node.pick == "all":
        yield Value(Aggregate(runs.statistic, dates.node.of, "date"))


@rule(CountOf, Value)
def how_many_in_the_run(asked: CountOf, item: Value, names: Names) -> Iterable[Phrase]:
    """How many images + has the longest run of dates."""
    node = item.node
    if asked.unit.of == "date" and isinstance(node, Aggregate) and node.statistic == "longest_run":
        yield item


@rule(Ordinal, Limit, either=True)
def first_time(ordinal: Ordinal, limit: Limit, names: Names) -> Iterable[Phrase]:
    """First + above 0.7."""
    if ordinal.nth in (1, -1):
        yield FirstTime("first" if ordinal.nth == 1 else "last", limit)


@rule((Measure, Raw), FirstTime)
def first_time_of(item: Measure | Raw, first: FirstTime, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + first above 0.7."""
    found = series(item.node)
    made = compare(found, first.limit) if found is not None else None
    if made is not None:
        yield FirstTimeOf(first.pick, made)


@rule(Unit, FirstTimeOf)
def date_of_first(unit: Unit, first: FirstTimeOf, names: Names) -> Iterable[Phrase]:
    """When + did mean NDVI first exceed 0.7."""
    held = fill_clouds(first.node, "clear_dates") if unit.clear else first.node
    made = Dates(held, first.pick) if held is not None else None
    if unit.of == "date" and made is not None and kind_or_none(made) is not None:
        yield Value(made)


@rule(Time, (Condition, Mask))
def first_date_on_which(time: Time, held: Condition | Mask, names: Names) -> Iterable[Phrase]:
    """First date + with mean NDVI above 0.7."""
    if time.when.pick in (1, -1) and not time.when.spans and not time.when.months:
        node = per_date(held)
        if node is not None:
            yield Value(Dates(node, "first" if time.when.pick == 1 else "last"))


# --- Named differences ----------------------------------------------------------------------------


@rule(Delta, Limit)
def delta_limit(delta: Delta, limit: Limit, names: Names) -> Iterable[Phrase]:
    """DNBR + above 0.27."""
    yield DeltaLimit(delta.node, limit)


@rule(DeltaLimit, Pair, either=True)
def delta_between(delta: DeltaLimit, pair: Pair, names: Names) -> Iterable[Phrase]:
    """DNBR above 0.27 + between 18 July and 20 August 2022: the earlier less the later."""
    loss = _loss(delta.node, pair)
    made = compare(loss, delta.limit) if loss is not None else None
    if made is not None:
        yield Mask(made)


@rule(Word, Mask)
def burned_ground(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Burned + where the burn ratio fell by more than a limit."""
    if word.name == "burned" and any(getattr(leaf, "role", "") == "nbr" for leaf in leaves(mask.node)):
        yield mask


@rule(Word, (AreaOf, Series))
def burned_area(word: Word, found: AreaOf | Series, names: Names) -> Iterable[Phrase]:
    """Burned + area with dNBR above 0.1."""
    if word.name == "burned" and any(getattr(leaf, "role", "") == "nbr" for leaf in leaves(found.node)):
        yield found


@rule(Delta, Pair, either=True)
def delta_raster(delta: Delta, pair: Pair, names: Names) -> Iterable[Phrase]:
    """DNBR + between two dates."""
    loss = _loss(delta.node, pair)
    if loss is not None:
        yield Raw(loss)


def _loss(node: Node, pair: Pair) -> Node | None:
    """Return something at the earlier of two times less that at the later one."""
    if not isinstance(pair.left, Time) or not isinstance(pair.right, Time):
        return None
    first, last = in_order(pair.left.when, pair.right.when)
    earlier, later = (
        found if found is None or when.single else Aggregate("mean", found, "date", assumed=("dates",))
        for when in (first, last)
        for found in (fill_time(node, when),)
    )
    if pair.by in ("between", "to", "and") and isinstance(earlier, Node) and isinstance(later, Node):
        return Combine("difference", earlier, later)
    return None


def in_order(one: When, other: When) -> tuple[When, When]:
    """Return two times, the earlier one first."""
    return (other, one) if starts_later(one, other) else (one, other)


@rule(Delta, (Mask, Location))
def delta_of_ground(delta: Delta, mask: Mask | Location, names: Names) -> Iterable[Phrase]:
    """DNBR + of Pinehurst."""
    filled = fill_place(delta, mask.node)
    if filled is not None:
        yield filled
