"""Times that stand beside words without a variable, parts of months and years, the last few dates."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.checks import dates_of, matches
from treeline.core.query.expression import ALWAYS, Facts, Span, Variable, When
from treeline.core.query.grammar.facts import images_then
from treeline.core.query.grammar.registry import RULES, rule
from treeline.core.query.grammar.time import DATED
from treeline.core.query.names import Names
from treeline.core.query.phrases.catalogue import KINDS
from treeline.core.query.phrases.conditions import Tolerance, ZoneQuantifier
from treeline.core.query.phrases.counts import Area, CountOf, Quantifier, SharedUnit, Unit
from treeline.core.query.phrases.phrase import Half, Join, Many, Nothing, Pair, Phrase, Word
from treeline.core.query.phrases.ranks import RankOf, Superlative
from treeline.core.query.phrases.times import Ordinal, PartOf, SeveralDates, Time, TimeModifier
from treeline.core.query.phrases.values import Amount, Each, Value
from treeline.core.query.slots import fill_time, leaves, merge, months_of, set_time, whole_year

# --- Words without a variable ---------------------------------------------------------------------

# What a time can be said of before the variable that bears it.
BEARERS = (Area, Unit, CountOf, SharedUnit, Superlative, Each, Quantifier, RankOf, ZoneQuantifier)
_SELF_STANDING = (Time, TimeModifier, Nothing, Half, Pair, Join, Many)
_OTHERS = tuple(kind for kind in KINDS.values() if kind not in _SELF_STANDING)


@rule(BEARERS, Time, cost=1)
def of_a_time(item: Phrase, time: Time, names: Names) -> Iterable[Phrase]:
    """On every date + of 2017."""
    if time.when != ALWAYS and not (isinstance(item, Unit) and item.of not in _OF_TIME):
        yield TimeModifier(item, time.when)


_OF_TIME = ("date", "image", "month", "season", "year")


@rule(Time, Unit, cost=1)
def dates_in_a_time(time: Time, unit: Unit, names: Names) -> Iterable[Phrase]:
    """2017 + dates."""
    yield from of_a_time(unit, time, names)


@rule(Word, Time)
def years_of_a_season(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """Which + summer: of which year; for each + July: of each year. A winter lies in two of them."""
    months = time.when.months
    if not months or time.when != When(months=months):
        return
    by = "season" if {12, 1} <= set(months) else "year"
    if word.name == "which":
        yield TimeModifier(Unit(by), time.when)
    elif word.name == "per":
        yield TimeModifier(Each(by), time.when)


@rule(Word, Time)
def from_one_of_a_time(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """From one + 2016 date to the next, the noun still to come."""
    if word.name == "from_one":
        yield TimeModifier(word, time.when)


@rule(TimeModifier, Word)
def to_the_next_of_a_time(timed: TimeModifier, word: Word, names: Names) -> Iterable[Phrase]:
    """From one 2016 + date to the next."""
    if timed.of == Word("from_one") and word.name == "to_the_next":
        yield TimeModifier(Word("consecutive"), timed.when)


@rule(TimeModifier, _OTHERS)
def time_before(timed: TimeModifier, other: Phrase, names: Names) -> Iterable[Phrase]:
    """The dates of 2017 + with mean NDVI above 0.6."""
    for joined, _ in RULES.get((type(timed.of), type(other)), ()):
        yield from _join_time(timed.when, joined(timed.of, other, names))


@rule(_OTHERS, TimeModifier)
def time_after(other: Phrase, timed: TimeModifier, names: Names) -> Iterable[Phrase]:
    """Mean NDVI above 0.6 + on every date of 2017."""
    for joined, _ in RULES.get((type(other), type(timed.of)), ()):
        yield from _join_time(timed.when, joined(other, timed.of, names))


def _join_time(when: When, made: Iterable[Phrase]) -> Iterable[Phrase]:
    """Yield meanings with a time, in their variables or still to be borne by them."""
    for one in made:
        filled = fill_time(one, when)
        if filled is not None:
            yield filled
        elif isinstance(one, BEARERS) and not leaves(one):
            yield TimeModifier(one, when)
        else:
            yield from images_then(one, when)


# --- Parts of a time ------------------------------------------------------------------------------

# The first and the last day of a part of a month; a negative one is counted from the end.
_DAYS = {
    "early": (1, 10),
    "mid": (11, 20),
    "late": (21, 31),
    "first decade": (1, 10),
    "second decade": (11, 20),
    "last decade": (21, 31),
    "first week": (1, 7),
    "last week": (-7, 31),
    "first half": (1, 15),
    "second half": (16, 31),
}
_MONTHS = {
    "first half": tuple(range(1, 7)),
    "second half": tuple(range(7, 13)),
    "first quarter": (1, 2, 3),
    "second quarter": (4, 5, 6),
    "third quarter": (7, 8, 9),
    "fourth quarter": (10, 11, 12),
}


@rule(PartOf, Time)
def part_of_a_time(part: PartOf, time: Time, names: Names) -> Iterable[Phrase]:
    """Early + July 2017: its first ten days; the first half of + 2016."""
    when = time.when
    if len(when.months) == 1 and when == When(months=when.months):
        yield from _days_of_each_year(part, when.months[0], names)
    if len(when.spans) != 1 or when != When(when.spans):
        return
    span = when.spans[0]
    year = whole_year(span)
    if year is not None and part.name in _MONTHS:
        found = months_of(year, _MONTHS[part.name])
        if found is not None:
            yield Time(When((found,)))
    elif span.first is not None and span == months_of(span.first.year, (span.first.month,)):
        yield from _days_of(span.first.year, span.first.month, part.name)


def _days_of_each_year(part: PartOf, month: int, names: Names) -> Iterable[Phrase]:
    """Yield a part of a month in all the years that have an image in it."""
    days = names.inventory.dates
    parts = [t.when for year in sorted({day.year for day in days}) for t in _days_of(year, month, part.name)]
    there = [span for when in parts for span in when.spans if any(matches(day, when) for day in days)]
    if there:
        yield Time(When(tuple(there)))


def _days_of(year: int, month: int, part: str) -> Iterable[Time]:
    if part in _DAYS:
        first, last = _DAYS[part]
        length = calendar.monthrange(year, month)[1]
        first = first if first > 0 else length + 1 + first
        yield Time(When((Span(dt.date(year, month, first), dt.date(year, month, min(last, length))),)))


@rule(Ordinal, Time, cost=1)
def first_of_a_time(ordinal: Ordinal, time: Time, names: Names) -> Iterable[Phrase]:
    """The last image of 2016 and the first + of 2017; the first of July is a day."""
    when = time.when
    if ordinal.nth in (1, -1) and len(when.spans) == 1 and when == When(when.spans):
        yield from (Time(replace(when, pick=ordinal.nth)),) if whole_year(when.spans[0]) else ()


@rule(Word, Time)
def nearest_date(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """Date closest to + 15 August 2016: the one that there is."""
    day = time.when.spans[0].first if time.when.single and time.when.spans else None
    if word.name == "nearest" and day is not None:
        far = {date: abs((date - day).days) for date in names.inventory.dates}
        near = [date for date, days in far.items() if days == min(far.values())]
        if len(near) == 1:
            yield Time(When((Span(near[0], near[0]),)))


@rule(Word, Time)
def nearest_image(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """Nearest image to + 21 June 2016: its date is asked for."""
    if word.name == "nearest_image" and time.when.single and time.when == When(time.when.spans):
        yield Value(Facts("nearest_date", time.when))


# --- The last few dates ---------------------------------------------------------------------------


@rule(Ordinal, Amount)
def first_few(ordinal: Ordinal, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Last + three."""
    count = amount.number.value
    if ordinal.nth in (1, -1) and not amount.number.unit and count == int(count) and 1 < count <= 50:
        yield SeveralDates(ordinal.nth * int(count))


@rule(SeveralDates, Unit)
def first_few_dates(few: SeveralDates, unit: Unit, names: Names) -> Iterable[Phrase]:
    """Last three + images."""
    if unit.of in ("date", "image") and not unit.clear and not few.complete:
        yield replace(few, complete=True)


@rule(SeveralDates, Time)
def first_few_of(few: SeveralDates, time: Time, names: Names) -> Iterable[Phrase]:
    """Last three images + of 2016."""
    if few.complete and few.when == ALWAYS and time.when.spans:
        yield replace(few, when=time.when)


@rule(DATED, SeveralDates, either=True)
def on_first_few(item: Phrase, few: SeveralDates, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + of the last three images: those that there are."""
    found = [leaf for leaf in leaves(item) if not (isinstance(leaf, Variable) and leaf.timeless)]
    roles = {getattr(leaf, "role", "") for leaf in found}
    told = {leaf.when for leaf in found}
    if not few.complete or len(roles) != 1 or len(told) != 1:
        return
    when = merge(told.pop(), few.when) if few.when != ALWAYS else found[0].when
    if when is None or when != When(when.spans, when.months):
        return
    if any(isinstance(leaf, Variable) and leaf.clouds == "clear_dates" for leaf in found):
        return
    days = sorted({day for day in dates_of(found[0], names.inventory) if matches(day, when)})
    if len(days) >= abs(few.count):
        kept = days[: few.count] if few.count > 0 else days[few.count :]
        yield set_time(item, When(tuple(Span(day, day) for day in kept)))


@rule(Tolerance, Time)
def days_around(width: Tolerance, time: Time, names: Names) -> Iterable[Phrase]:
    """Within 10 days of + 14 August 2016: from ten days before it to ten days after."""
    days = {"days": 1, "weeks": 7}.get(width.number.unit, 0) * width.number.value
    if not days or not time.when.single or time.when != When(time.when.spans):
        return
    (span,) = time.when.spans
    if span.first is not None and span.last is not None:
        far = dt.timedelta(days=days)
        yield Time(When((Span(span.first - far, span.last + far),)))
