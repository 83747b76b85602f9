"""Several things asked for at once, and things asked of what was found just before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from treeline.core.query.closing import by_zones, kind_or_none, series
from treeline.core.query.expression import ALWAYS, Aggregate, Node, Several, When, Which, Zones
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Fact, FactOf, InUnit
from treeline.core.query.phrases.comparisons import Changes, Versus
from treeline.core.query.phrases.conditions import Claim
from treeline.core.query.phrases.counts import AreaOf
from treeline.core.query.phrases.courses import CourseOf
from treeline.core.query.phrases.phrase import Half, Join, Many, Phrase, Word
from treeline.core.query.phrases.ranks import Extreme, RankedZone, Ranking, Superlative, WhichZone
from treeline.core.query.phrases.values import Anaphor, Measure, Raw, Series, Stat, Stats, ToCompute, Value
from treeline.core.query.repetition import says
from treeline.core.query.slots import fill_time, leaves, set_time

ASKED = (
    Measure, Value, Series, CourseOf, AreaOf, Changes, InUnit, Claim, Fact, FactOf, Versus, WhichZone,
    RankedZone,
)  # fmt: skip


JOINS = ("and", ";", "clause")


@rule((*ASKED, Many, Raw), Join)
def first_of_several(left: Phrase, join: Join, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + and."""
    if join.by in JOINS or isinstance(left, Raw | Measure) or isinstance(left, FactOf) and join.by == "or":
        yield Half(left, join.by)


@rule(Half, Anaphor)
def its_other_statistic(half: Half, it: Anaphor, names: Names) -> Iterable[Phrase]:
    """Mean NDVI, + its standard deviation; of a mean of each month that is one of these means."""
    kind = kind_or_none(half.left.node) if isinstance(half.left, Series) else None
    if kind is not None and "period" in kind.axes:
        return
    if isinstance(it.of, Stat) and not it.several:
        yield from another_statistic(half, it.of, names)


@rule(Word, Raw)
def to_compute(word: Word, item: Raw, names: Names) -> Iterable[Phrase]:
    """Calculate + EVI for 11 July 2015, and report a statistic of it."""
    if word.name == "compute":
        yield ToCompute(item.node)


@rule(ToCompute, Join)
def compute_and(item: ToCompute, join: Join, names: Names) -> Iterable[Phrase]:
    """Calculate EVI for 11 July 2015 + and, or then."""
    if join.by in JOINS:
        yield Half(item, join.by)


@rule(Half, (Stat, Stats, Anaphor))
def statistic_of_what_is_made(half: Half, item: Stat | Stats | Anaphor, names: Names) -> Iterable[Phrase]:
    """Calculate EVI for 11 July 2015 and + report its median, or its median and maximum."""
    asked = item.of if isinstance(item, Anaphor) and not item.several else item
    if not isinstance(half.left, ToCompute) or not isinstance(asked, Stat | Stats):
        return
    measured = []
    for stat in asked.of if isinstance(asked, Stats) else (asked,):
        made = Aggregate(stat.statistic, half.left.node, "pixel", parameter=stat.parameter)  # type: ignore[arg-type]
        if stat.over is not None or kind_or_none(made) is None:
            return
        measured.append(Measure(made))
    yield Many(tuple(measured)) if len(measured) > 1 else measured[0]


@rule(Half, Stat)
def another_statistic(half: Half, stat: Stat, names: Names) -> Iterable[Phrase]:
    """What was the mean NDVI, and what was + the standard deviation: of the same, of which all was asked."""
    parts = half.left.of if isinstance(half.left, Many) else (half.left,)
    nodes = [part.node if isinstance(part, Measure) else None for part in parts]
    alike = {
        replace(node, statistic=stat.statistic, parameter=stat.parameter, assumed=())  # type: ignore[arg-type]
        for node in nodes
        if isinstance(node, Aggregate) and node.over == "pixel"
    }
    if half.by not in JOINS or len(alike) != 1 or None in nodes or stat.over is not None:
        return
    (made,) = alike
    if made not in nodes and kind_or_none(made) is not None:
        yield Many((*parts, Measure(made)))


@rule(Half, ASKED)
def several(half: Half, right: Phrase, names: Names) -> Iterable[Phrase]:
    """Mean NDVI and + mean LST."""
    parts = _parts(half, right)
    if len(parts) == 1 and _ranks_several(parts[0]):
        # "Their mean LST" is of each of them, which nothing here can say, but for what the ranks tell anyway.
        yield from (parts[0],) if says(parts[0].node, right) else ()  # type: ignore[attr-defined]
    elif parts and not _only_last_placed(half, parts, right) and not _only_last_grouped(half, parts, right):
        yield Many((*parts, right), half.by == ";", half.by == "clause")
        if half.by != ";":
            yield from _of_the_date_found(parts, right)


@rule(Half, ASKED, cost=1)
def several_with_the_last_in_a_place(half: Half, right: Phrase, names: Names) -> Iterable[Phrase]:
    """Mean NDVI and + mean LST of Pinehurst, or by class: rather both are meant to be of it."""
    parts = _parts(half, right)
    if parts and (_only_last_placed(half, parts, right) or _only_last_grouped(half, parts, right)):
        yield Many((*parts, right))


def _ranks_several(asked: Phrase) -> bool:
    """Return whether the first few of a ranking are asked for: the three greenest dates."""
    if isinstance(asked, WhichZone):
        return asked.extreme.top > 1
    return isinstance(asked, Value) and isinstance(asked.node, Which) and asked.node.top > 1


def _parts(half: Half, right: Phrase) -> tuple[Phrase, ...]:
    """Return what is asked for before the last of several things; nothing where they do not go together."""
    left = half.left
    if half.by == "versus" and not (isinstance(left, Measure) and isinstance(right, Measure)):
        return ()
    if half.by not in (*JOINS, "versus") or not isinstance(left, (*ASKED, Many)):
        return ()
    parts = left.of if isinstance(left, Many) else (left,)
    return parts if all(isinstance(part, ASKED) for part in parts) and right not in parts else ()


def _only_last_placed(half: Half, parts: tuple[Phrase, ...], right: Phrase) -> bool:
    """Return whether a place stands at the last of several measures alone: they may share it."""
    if half.by != "and" or not all(isinstance(part, Measure) for part in (*parts, right)):
        return False
    return all(_places_of(right)) and not any(where for part in parts for where in _places_of(part))


def _only_last_grouped(half: Half, parts: tuple[Phrase, ...], right: Phrase) -> bool:
    """Return whether the last of several things alone is told by zone or period: they may share that."""
    return (
        half.by == "and"
        and _grouping(right) is not None
        and not any(where for part in parts for where in _places_of(part))
        and all(isinstance(part, Measure | AreaOf) and _grouping(part) is None for part in parts)
    )


def _grouping(part: Phrase) -> Any:
    """Return the zones or periods by which something is told."""
    node = getattr(part, "node", None)
    first = node.of[0] if isinstance(node, Several) else node
    return getattr(part, "by", None) or getattr(first, "by", None)


def _places_of(part: Phrase) -> list[bool]:
    return [leaf.where is not None for leaf in leaves(part)]


def _of_the_date_found(parts: tuple[Phrase, ...], right: Phrase) -> Iterable[Phrase]:
    """Yield what the second question is if it means the date, month or year that the first finds."""
    first = parts[0]
    if isinstance(first, Value) and isinstance(first.node, Which) and first.node.top == 1 and _is_time(first):
        open_time = any(leaf.when == ALWAYS for leaf in leaves(right) if not getattr(leaf, "timeless", False))
        filled = fill_time(right, When(at=first.node)) if open_time else None
        if isinstance(filled, Phrase):
            yield Many((*parts, filled))


def _is_time(found: Value) -> bool:
    kind = kind_or_none(found.node)
    period = isinstance(found.node, Which) and found.node.period is not None
    return kind is not None and (period or kind.value == "date")


@rule(Half, Ranking)
def another_end(half: Half, ranked: Ranking, names: Names) -> Iterable[Phrase]:
    """Which class is the greenest, and which is + the least green: of the same classes."""
    table = half.left.node if isinstance(half.left, WhichZone) else None
    zones = table.by if isinstance(table, Aggregate) else None
    grouped = by_zones(ranked.node, zones) if isinstance(zones, Zones) and half.by in JOINS else None
    if grouped is not None and table is not None and set_time(table, ALWAYS) == grouped:
        grouped = table  # of the same time, which is told once
    if grouped is not None and not ranked.after:
        yield Many((half.left, WhichZone(grouped, Extreme(ranked.direction, ranked.nth, ranked.top))))


@rule(Half, (Extreme, Superlative, Ranking))
def other_end_of_dates(half: Half, word: Extreme | Superlative | Ranking, names: Names) -> Iterable[Phrase]:
    """When was mean NDVI highest, and when + lowest; which date is greenest, and which + the least green."""
    if half.by in JOINS and isinstance(half.left, Value):
        yield from (Many((half.left, found)) for found in other_end(half.left.node, word))


def other_end(former: Node, word: Extreme | Superlative | Ranking) -> Iterable[Value]:
    """Yield the date of the other end of a series, of which that of one end was asked for."""
    if not isinstance(former, Which) or (former.nth, former.top) != (1, 1):
        return
    if isinstance(word, Ranking):
        told, alike = Extreme(word.direction, word.nth, word.top), _is_same(series(word.node), former.of)
    elif isinstance(word, Superlative):
        told, alike = word.extreme, word.unit.of == "date"
    else:
        told, alike = word, True
    if alike and told == Extreme(told.direction) and told.direction != former.direction:
        yield Value(Which(former.of, told.direction))


def _is_same(one: Node | None, other: Node) -> bool:
    """Return whether two series are of the same, whenever that is."""
    return one is not None and set_time(one, ALWAYS) == set_time(other, ALWAYS)
