"""Time: parts of one statement, pairs, ranges, since and until, the first and the last date."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Iterable

from treeline.core.query.expression import ALWAYS, Span, When, Which
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Display, InUnit, RoundedTo
from treeline.core.query.phrases.comparisons import (
    ChangeOf,
    Changes,
    DeltaLimit,
    FirstSide,
    OneSide,
    Stepwise,
    ToCompare,
    Versus,
)
from treeline.core.query.phrases.conditions import Claim, Condition, FirstTimeOf, OperatorOf, Relative
from treeline.core.query.phrases.counts import AreaOf, ShareOf, Unit
from treeline.core.query.phrases.courses import CourseOf, DepartureOf, RelationOf, Unusual
from treeline.core.query.phrases.phrase import Half, Join, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Location, Mask, Polygons, StatPolygons
from treeline.core.query.phrases.ranks import RankedZone, Ranking, WhichZone
from treeline.core.query.phrases.times import Clouds, DayOfYear, Ordinal, Time
from treeline.core.query.phrases.values import Anaphor, Measure, Raw, Series, Value
from treeline.core.query.slots import (
    fill_time,
    goes_on,
    lend,
    merge,
    months_in,
    months_of,
    span_from,
    together,
    whole_year,
)

# What has leaves that a time can be said of.
DATED = (
    Raw, Measure, Series, Value, Mask, Location, Condition, Many, Ranking, ChangeOf, OperatorOf, AreaOf,
    ShareOf, CourseOf, DepartureOf, Unusual, InUnit, Display, Claim, FirstSide, Versus, Changes, Stepwise,
    RelationOf, DeltaLimit, Anaphor, OneSide, FirstTimeOf, Polygons, StatPolygons, Relative, ToCompare,
    WhichZone, RoundedTo, RankedZone,
)  # fmt: skip


# What a time can stand before as well.
LED = tuple(kind for kind in DATED if kind is not Location)


@rule(Time, Time)
def one_statement(left: Time, right: Time, names: Names) -> Iterable[Phrase]:
    """July + 2017; a gloss in brackets says the same again: summer (June to August)."""
    if left.when == right.when and left.when.months:
        yield left
        return
    if isinstance(left.when.at, Which) and left.when == When(at=left.when.at):
        found = fill_time(left.when.at, right.when)
        if isinstance(found, Which):
            yield Time(When(at=found))
        return
    merged = merge(left.when, right.when)
    if merged is not None and ALWAYS not in (left.when, right.when):
        yield Time(merged, left.joined or right.joined)


@rule(DATED, Time)
@rule(LED, Time, before=True)
def limit_to_time(item: Phrase, time: Time, names: Names) -> Iterable[Phrase]:
    """NDVI + in 2016."""
    filled = fill_time(item, time.when)
    if filled is not None:
        yield filled
    elif time.when == ALWAYS:
        yield item


@rule(DATED, DayOfYear, either=True, cost=1)
def limit_to_day_of_year(item: Phrase, day: DayOfYear, names: Names) -> Iterable[Phrase]:
    """NDVI + on 30 August: the only such day that there is."""
    existing = [date for date in names.inventory.dates if (date.month, date.day) == (day.month, day.day)]
    for date in existing:
        filled = fill_time(item, When((Span(date, date),)))
        if filled is not None:
            yield filled


@rule(DayOfYear, Time)
def day_of_a_year(day: DayOfYear, time: Time, names: Names) -> Iterable[Phrase]:
    """30 August + 2015."""
    year = whole_year(time.when.spans[0]) if len(time.when.spans) == 1 and not time.when.months else None
    if year is not None:
        yield from _day(year, day)


def _day(year: int, day: DayOfYear) -> Iterable[Phrase]:
    if day.day <= calendar.monthrange(year, day.month)[1]:
        date = dt.date(year, day.month, day.day)
        yield Time(When((Span(date, date),)))


@rule((Time, DayOfYear), Join)
def first_of_times(left: Phrase, join: Join, names: Names) -> Iterable[Phrase]:
    """2016 + and."""
    yield Half(left, join.by)


@rule(Half, (Time, DayOfYear))
def two_times(half: Half, right: Phrase, names: Names) -> Iterable[Phrase]:
    """2016 and + 2017: two times, the dates of both, or all from one to the other."""
    if not isinstance(half.left, Time | DayOfYear):
        return
    both = _settle(half.left, right, half.by == "together")
    if both is None:
        return
    one, other = both
    # "June" beside "July and August" is the first of a list: the two are no pair.
    if half.by != "together" and not any(getattr(side, "joined", False) for side in (half.left, right)):
        yield Pair(Time(one), Time(other), "and" if half.by == "each" else half.by)
    joined = (
        together(one, other)
        if half.by in ("and", "together")
        else span_from(one, other)
        if half.by == "to"
        else None
    )
    if joined is not None:
        yield Time(joined, joined=half.by != "to")


@rule(Half, (Pair, Many))
def list_of_times(half: Half, rest: Pair | Many, names: Names) -> Iterable[Phrase]:
    """2015-07-11, + 2016-08-14 and 2017-05-21: each by itself, or all together."""
    whens = _times_of_list(half, rest)
    joined = all_together(whens)
    if whens and not goes_on(joined):
        yield Many(tuple(map(Time, whens)))
    if joined is not None and not (isinstance(rest, Pair) and rest.by == "or"):
        yield Time(joined, joined=True)


@rule(Half, Many)  # what follows the first two has paid for being no one time
def longer_list_of_months_in_a_row(half: Half, rest: Many, names: Names) -> Iterable[Phrase]:
    """May, + June, July and August 2016."""
    yield from list_of_months_in_a_row(half, rest, names)


@rule(Half, Pair, cost=1)
def list_of_months_in_a_row(half: Half, rest: Pair | Many, names: Names) -> Iterable[Phrase]:
    """June, + July and August 2016: rather all together than each by itself."""
    whens = _times_of_list(half, rest)
    if goes_on(all_together(whens)):
        yield Many(tuple(map(Time, whens)))


def _times_of_list(half: Half, rest: Pair | Many) -> list[When]:
    """Return times of one length; none where something else is listed.

    The last may lend its year, as in "June, July and August 2016", and the first its months.
    """
    parts = (half.left, *(rest.of if isinstance(rest, Many) else (rest.left, rest.right)))
    times = [part.when for part in parts if isinstance(part, Time) and not part.joined]
    listed = isinstance(rest, Many) or rest.by in ("and", "or")
    if half.by not in ("and", "each") or not listed or len(times) < len(parts):
        return []
    whens = [_in_month_of(times[0], lend(times[-1], when)) for when in times]
    alike = len(set(whens)) == len(whens) and len({length(when) for when in whens}) == 1
    return whens if alike else []


def all_together(whens: list[When]) -> When | None:
    """Return the dates of several times; ``None`` where they are of several kinds."""
    joined = whens[0] if whens else None
    for when in whens[1:]:
        joined = together(joined, when) if joined is not None else None
    return joined


def _in_month_of(first: When, when: When) -> When:
    """Return the same part of another year where a whole year follows it: "July 2015, 2016 and 2017"."""
    if len(first.spans) != 1 or len(when.spans) != 1 or not (year := whole_year(when.spans[0])):
        return when
    start, end = first.spans[0].first, first.spans[0].last
    if start is None or end is None or length(first) != "part of a year" or start.year != end.year:
        return when
    months = tuple(range(start.month, end.month + 1))
    there = months_of(year, months) if first.spans[0] == months_of(start.year, months) else None
    return When((there,)) if there is not None else when


def _settle(left: Phrase, right: Phrase, mixed: bool = False) -> tuple[When, When] | None:
    """Return two times of which each has the year that the other lends it, and both are of one length.

    ``mixed`` times may be of several lengths.
    """
    if isinstance(right, DayOfYear):
        return None
    assert isinstance(right, Time)
    if isinstance(left, DayOfYear):
        year = right.when.spans[0].last if len(right.when.spans) == 1 and right.when.spans[0].is_day else None
        found = [] if year is None else list(_day(year.year, left))
        left = found[0] if found else left
    if not isinstance(left, Time):
        return None
    one, other = lend(right.when, left.when), right.when
    if other.months and not other.spans:
        other = lend(one, other) if one.spans and not one.months else other
    return (one, other) if (mixed or length(one) == length(other)) and one != other else None


def starts_later(one: When, other: When) -> bool:
    """Return whether a time begins after another; a difference "between" two is that of the later one."""
    if len(one.spans) != 1 or len(other.spans) != 1:
        return False
    first, second = one.spans[0].first, other.spans[0].first
    return first is not None and second is not None and first > second


def length(when: When) -> str:
    """Return how long a time is, so that like is set against like."""
    if when.pick:
        return "day"
    if len(when.spans) != 1:
        return "months" if when.months else "several"
    if when.spans[0].is_day:
        return "day"
    return "year" if whole_year(when.spans[0]) else "part of a year"


@rule(Word, Pair)
def between_two(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Between + 2016 and 2017; from + 2016 to 2017."""
    if not isinstance(pair.left, Time) or not isinstance(pair.right, Time):
        return
    fits = (word.name == "between" and pair.by == "and") or (word.name == "from" and pair.by == "to")
    if fits:
        if word.name == "between" and starts_later(pair.left.when, pair.right.when):
            pair = Pair(pair.right, pair.left, pair.by)
        assert isinstance(pair.left, Time) and isinstance(pair.right, Time)
        yield Pair(pair.left, pair.right, "between")
        span = span_from(pair.left.when, pair.right.when)
        if span is not None:
            yield Time(span)
        elif (pair.left.when, pair.right.when) == (When(pick=1), When(pick=-1)):
            yield Time(ALWAYS)


@rule(Unit, Time)
def time_with_its_length(unit: Unit, time: Time, names: Names) -> Iterable[Phrase]:
    """The year + 2016; the month of + July 2017, or July of any year."""
    whole = len(months_in(time.when)) == 1 and not time.when.single
    lasts = "month" if whole else length(time.when)
    if unit in (Unit("month"), Unit("year")) and lasts == unit.of:
        yield time


@rule(Word, Time)
def bound_time(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """Since + 2016, until + May 2017, without + July."""
    if word.name == "without" and time.when != ALWAYS:
        yield Time(When(without=time.when))
    if len(time.when.spans) != 1 or time.when.months or time.when.pick:
        return
    span = time.when.spans[0]
    day = dt.timedelta(days=1)
    match word.name:
        case "since" if span.first:
            yield Time(When((Span(span.first, None),)))
        case "until" if span.last:
            yield Time(When((Span(None, span.last),)))
        case "before" if span.first:
            yield Time(When((Span(None, span.first - day),)))
        case "after" if span.last:
            yield Time(When((Span(span.last + day, None),)))
        case "from" | "over":
            yield time


@rule(Word, Time)
def before_and_after(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """Before and after + 1 August 2016: both times."""
    if word.name == "before_and_after":
        both = [found for name in ("before", "after") for found in bound_time(Word(name), time, names)]
        if len(both) == 2:
            yield Pair(both[0], both[1], "and")


@rule(Ordinal, Unit)
def nth_date(ordinal: Ordinal, unit: Unit, names: Names) -> Iterable[Phrase]:
    """First + date."""
    if unit.of in ("date", "image") and not unit.clear:
        yield Time(When(pick=ordinal.nth))
    elif unit.clear:
        yield Many((Time(When(pick=ordinal.nth)), Clouds("clear_dates")))


@rule(Unit, Time)
def image_of_a_time(unit: Unit, time: Time, names: Names) -> Iterable[Phrase]:
    """Image of + 14 August 2016: that date."""
    told = unit.of == "date" and not (unit.clear or unit.owns or unit.asks)
    if told and time.when == When(time.when.spans) and time.when.single:
        yield time


@rule(Time, Unit)
def dates_of_a_time(time: Time, unit: Unit, names: Names) -> Iterable[Phrase]:
    """2017 + images."""
    if unit.asks:
        return
    if unit.of in ("date", "image") and not unit.clear and time.when != ALWAYS:
        yield time
    if unit.of in ("date", "image") and unit.clear:
        yield Many((time, Clouds("clear_dates")))
