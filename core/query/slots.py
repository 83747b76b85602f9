"""Open slots of an expression, filled: time, place and clouds go into the leaves that have none."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeline.core.query.canonical import both
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    And,
    Cloud,
    Clouds,
    Compare,
    Dates,
    Node,
    Not,
    Phenology,
    Place,
    Several,
    Span,
    Variable,
    When,
    Zones,
)
from treeline.core.query.kinds import IllTyped, kind_of
from treeline.core.query.phrases.places import Mask
from treeline.core.query.rewriting import rewrite

Leaf = Variable | Cloud


_LEAVES = (Variable, Cloud)


def rebuild(item: Any, change: Callable[[Leaf], Leaf]) -> Any:
    """Return an expression or phrase with its leaves changed, those of masks within leaves too.

    What chooses a date ("on the date when it was highest") is another question: its leaves stay.
    """
    return rewrite(item, _LEAVES, change, closed=When)


def leaves(item: Any) -> list[Leaf]:
    """Return the leaves of an expression or phrase, those of masks within leaves too."""
    found: list[Leaf] = []

    def note(leaf: Leaf) -> Leaf:
        found.append(leaf)
        return leaf

    rebuild(item, note)
    return found


# --- Time -----------------------------------------------------------------------------------------


def fill_time(item: Any, when: When) -> Any | None:
    """Return an item whose open leaves have a time; ``None`` where no leaf takes it."""

    def change(leaf: Leaf) -> Leaf:
        if isinstance(leaf, Variable) and leaf.timeless:
            return leaf
        if leaf.when.at is not None:  # of a date that is found the time is that of where it is looked for
            at = fill_time(leaf.when.at, when)
            return leaf if at is None else replace(leaf, when=replace(leaf.when, at=at))
        joined = merge(leaf.when, when)
        return leaf if joined is None else replace(leaf, when=joined)

    filled = rebuild(item, change)
    if filled is item:  # nothing else has a time: the classes may
        filled = _fill_time_of_classes(item, when)
    return None if filled is item else filled


def _fill_time_of_classes(item: Any, when: When) -> Any:
    """Return an item whose classes are those of maps of a time; not bare ground, of which nothing is said."""

    def change(place: Place) -> Place:
        return replace(place, when=when) if place.dated and place.when == ALWAYS else place

    return item if isinstance(item, Mask) else rewrite(item, Place, change)


def set_time(item: Any, when: When) -> Any:
    """Return an item whose leaves have another time than before."""

    def change(leaf: Leaf) -> Leaf:
        return leaf if isinstance(leaf, Variable) and leaf.timeless else replace(leaf, when=when)

    return rebuild(item, change)


def set_place(item: Any, mask: Node) -> Any:
    """Return an item whose leaves have another place than before."""
    return _outer(item, lambda leaf: replace(leaf, where=as_mask(mask)))


def at_another_place(node: Node, place: Node) -> Node | None:
    """Return an expression of another ground than it is of; ``None`` where it is not of named ground."""
    if isinstance(node, Aggregate) and isinstance(node.of, Place):
        return replace(node, of=place)
    told = [leaf for leaf in leaves(node) if not (isinstance(leaf, Cloud) and _is_of_the_sky(place))]
    if not told or not all(_is_ground_like(place, leaf.where) for leaf in told):
        return None
    found: Node = set_place(node, place)
    return found


def _is_ground_like(place: Node, where: Node | None) -> bool:
    """Return whether ground may be named instead of another: for a class in a region it is such a one too.

    The cloudy pixels and the clear ones are such a pair as well.
    """
    if _is_of_the_sky(place):
        return where is not None and _is_of_the_sky(where)
    named = _kinds_of_ground(place)
    return isinstance(where, Place) if len(named) < 2 else _kinds_of_ground(where) == named


def _is_of_the_sky(place: Node) -> bool:
    return isinstance(place.of if isinstance(place, Not) else place, Cloud)


def _kinds_of_ground(where: Node | None) -> list[str]:
    parts = where.of if isinstance(where, And) else ()
    kinds: list[str] = sorted(part.by for part in parts if isinstance(part, Place))
    return kinds if len(kinds) == len(parts) else []


def merge(one: When, other: When) -> When | None:
    """Return what two statements of time say together; ``None`` where both say the same slot."""
    if one == ALWAYS:
        return other
    if other == ALWAYS:
        return None
    if (one.spans and other.spans) or (one.months and other.months) or (one.pick and other.pick):
        return None
    # Dates that pass a test are looked for in the time that is told beside them.
    for found, told in ((one, other), (other, one)):
        if isinstance(found.at, Dates) and found == When(at=found.at) and told.at is None and not told.pick:
            at = fill_time(found.at, told)
            return None if at is None else When(at=at)
    # A date that is found is one date, to which no year or season can be added.
    if one.at or other.at or (one.without and other.without):
        return None
    joined = When(
        one.spans or other.spans,
        one.months or other.months,
        one.pick or other.pick,
        without=one.without or other.without,
    )
    return None if _leaves_nothing(joined) else _plain(joined)


def _leaves_nothing(when: When) -> bool:
    """Return whether what is left out of a time is all of it: a day "without" its own year."""
    out = when.without
    if out is None or not (when.spans or when.months):
        return False
    if out.months and not out.spans:
        months = set(when.months) or {m for span in when.spans for m in _months_within(span)}
        return bool(months) and months <= set(out.months)
    return bool(out.spans and when.spans) and all(
        any(_lies_in(span, other) for other in out.spans) for span in when.spans
    )


def _lies_in(span: Span, other: Span) -> bool:
    first, last = span.first or dt.date.min, span.last or dt.date.max
    return (other.first or dt.date.min) <= first and last <= (other.last or dt.date.max)


def _months_within(span: Span) -> set[int]:
    """Return the months in which a span of less than a year lies; nothing of a longer or open one."""
    if span.first is None or span.last is None or (span.last - span.first).days > 364:
        return set()
    count = (span.last.year - span.first.year) * 12 + span.last.month - span.first.month
    return {(span.first.month - 1 + step) % 12 + 1 for step in range(count + 1)}


def _plain(when: When) -> When | None:
    """Return months of one year as the span that they are."""
    # Months choose within spans of a year or more; those of shorter ones contradict or repeat them.
    if when.months and len(when.spans) > 1 and not any(map(_has_a_year, when.spans)):
        return None
    if not when.months or len(when.spans) != 1:
        return when
    year = whole_year(when.spans[0])
    if year is None:
        return _within(when)
    span = months_of(year, when.months)
    return when if span is None else replace(when, spans=(span,), months=())


def _within(when: When) -> When | None:
    """Return months within a longer span; a gloss that agrees with the span adds nothing to it."""
    span = when.spans[0]
    if span.last is not None and span == months_of(span.last.year, when.months):
        return replace(when, months=())
    return when if _has_a_year(span) else None


def _has_a_year(span: Span) -> bool:
    """Return whether a span is long enough that calendar months choose within it."""
    # A year of 365 days ends 364 days after its first.
    return span.first is None or span.last is None or (span.last - span.first).days >= 364


def whole_year(span: Span) -> int | None:
    """Return the year that a span is; ``None`` for any other span."""
    if span.first is None or span.last is None:
        return None
    is_year = (span.first.month, span.first.day, span.last.month, span.last.day) == (1, 1, 12, 31)
    return span.first.year if is_year and span.first.year == span.last.year else None


def months_of(year: int, months: tuple[int, ...]) -> Span | None:
    """Return the span of consecutive months of a year; winter begins in the December before."""
    first = year - 1 if months[0] > months[-1] else year
    steps = [(b - a) % 12 for a, b in zip(months, months[1:], strict=False)]
    if any(step != 1 for step in steps):
        return None
    last_day = calendar.monthrange(year, months[-1])[1]
    return Span(dt.date(first, months[0], 1), dt.date(year, months[-1], last_day))


def months_in(when: When) -> tuple[int, ...]:
    """Return the calendar months that one statement of time is in; none for a year or more."""
    if when.months and not when.spans:
        return when.months
    if len(when.spans) != 1 or when.months or when.spans[0].first is None or when.spans[0].last is None:
        return ()
    first, last = when.spans[0].first, when.spans[0].last
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    return tuple((first.month - 1 + k) % 12 + 1 for k in range(count)) if count < 12 else ()


def is_one_period(when: When, of: Node) -> bool:
    """Return whether a time is one of the months or years that a table is of: "July 2017", "2016"."""
    if not isinstance(of, Aggregate) or when != When(when.spans) or len(when.spans) != 1:
        return False
    span = when.spans[0]
    if of.by == "month" and span.first is not None:
        return span == months_of(span.first.year, (span.first.month,))
    return of.by == "year" and whole_year(span) is not None


def month_of_its_year(when: When, of: Node) -> When:
    """Return a month without a year in the one year that a table of months is of: "July" of 2017."""
    years = {whole_year(leaf.when.spans[0]) for leaf in leaves(of) if len(leaf.when.spans) == 1}
    year = years.pop() if len(years) == 1 else None
    if when != When(months=when.months) or len(when.months) != 1 or year is None:
        return when
    span = months_of(year, when.months)
    return When((span,)) if span is not None else when


def span_from(first: When, last: When) -> When | None:
    """Return the time from one statement to another."""
    if first.months and last.months and not first.spans and not last.spans:
        months = [(first.months[0] - 1 + k) % 12 + 1 for k in range(12)]
        return When(months=tuple(months[: months.index(last.months[-1]) + 1]))
    if (
        len(first.spans) != 1
        or len(last.spans) != 1
        or first.months
        or last.months
        or first.pick
        or last.pick
    ):
        return None
    start, end = first.spans[0].first, last.spans[0].last
    if start is None or end is None or start > end:
        return None
    return When((Span(start, end),))


def together(one: When, other: When) -> When | None:
    """Return the dates of two statements: July and August, 2016 and 2018; none where one leaves dates out."""
    if one.without is not None or other.without is not None:
        return None
    if one.months and other.months and not one.spans and not other.spans:
        return When(months=tuple(dict.fromkeys((*one.months, *other.months))))
    if one.spans and other.spans and not (one.months or other.months or one.pick or other.pick):
        return When(_without_seams(sorted({*one.spans, *other.spans}, key=_start)))
    return None


def goes_on(joined: When | None) -> bool:
    """Return whether times follow each other without a gap."""
    if joined is None:
        return False
    steps = [(b - a) % 12 for a, b in zip(joined.months, joined.months[1:], strict=False)]
    return len(joined.spans) == 1 or bool(joined.months) and all(step == 1 for step in steps)


def _without_seams(spans: list[Span]) -> tuple[Span, ...]:
    """Return sorted spans of which a part of a year that goes on from the one before is one with it."""
    kept: list[Span] = []
    for span in spans:
        before = kept[-1] if kept else None
        if (
            before is not None
            and before.last is not None
            and span.first == before.last + dt.timedelta(days=1)
            and not any(part.is_day or whole_year(part) for part in (before, span))
        ):
            kept[-1] = Span(before.first, span.last)
        else:
            kept.append(span)
    return tuple(kept)


def _start(span: Span) -> dt.date:
    return span.first or dt.date.min


def lend(giver: When, taker: When) -> When:
    """Return a time that takes the year of its partner: "July and August 2017"."""
    if taker.months and not taker.spans and len(giver.spans) == 1 and not giver.months:
        span = giver.spans[0]
        # A winter goes over the turn of the year and is named by its end.
        if span.first is not None and span.last is not None and span.last.year - span.first.year <= 1:
            return merge(taker, year_when(span.last.year)) or taker
    return taker


def year_when(year: int) -> When:
    """Return a whole year."""
    return When((Span(dt.date(year, 1, 1), dt.date(year, 12, 31)),))


# --- Place and clouds -----------------------------------------------------------------------------


# That all ground is meant was said: no other place is taken.
_WHOLE = "whole"


def mark_whole(leaf: Leaf) -> Leaf:
    """Return a leaf that is said to be of all ground."""
    return replace(leaf, assumed=(*leaf.assumed, _WHOLE))


def _unmark(leaf: Leaf) -> Leaf:
    kept = tuple(slot for slot in leaf.assumed if slot != _WHOLE)
    return leaf if kept == leaf.assumed else replace(leaf, assumed=kept)


def fill_place(item: Any, mask: Node) -> Any | None:
    """Return an item whose leaves count only within a mask; ``None`` where it has no leaf."""
    plain = as_mask(mask)
    if any(_WHOLE in leaf.assumed for leaf in leaves(item)):
        return None

    def change(leaf: Leaf) -> Leaf:
        there = _at_the_date_of(leaf, plain)
        return replace(leaf, where=there if leaf.where is None else both(leaf.where, there))

    filled = _hoist(_outer(item, change))
    # A mask that limits nothing, or asks for two classes of one map at once, was said of something else.
    if filled == item or any(clashes(leaf.where) for leaf in leaves(filled)):
        return None
    return filled


def _at_the_date_of(leaf: Leaf, mask: Node) -> Node:
    """Return a mask that is of the time that a variable is of, where it has no time of its own.

    "LST on 2021-07-22 where NDVI exceeds 0.5" is of the NDVI of that day.
    """
    when = ALWAYS if getattr(leaf, "timeless", False) else leaf.when
    return mask if when == ALWAYS else _at_time(mask, when)


def at_one_date(one: Node, other: Node) -> Node:
    """Return the second of two conditions at the one date of the first, where it has no time of its own.

    "LST above 300 K on 2021-07-22 and NDVI above 0.6": both hold that day.
    """
    whens = {leaf.when for leaf in leaves(one) if not getattr(leaf, "timeless", False)}
    when = whens.pop() if len(whens) == 1 else ALWAYS
    return _at_time(other, when) if when.single else other


def _at_time(mask: Node, when: When) -> Node:
    if not _varies_by_date(mask):
        return mask

    def fill(one: Leaf) -> Leaf:
        undated = one.when == ALWAYS and not getattr(one, "timeless", False)
        return replace(one, when=when) if undated else one

    return rebuild(mask, fill)


def _varies_by_date(mask: Node) -> bool:
    try:
        return "date" in kind_of(mask).axes
    except IllTyped:
        return False


def _hoist(item: Any) -> Any:
    """Return an item in which the places of counted pixels are conditions of their own."""
    node = getattr(item, "node", None)
    if isinstance(node, Aggregate) and node.over == "pixel" and node.statistic in ("count", "area"):
        return replace(item, node=replace(node, of=as_mask(node.of)))
    return item


def _outer(item: Any, change: Callable[[Leaf], Leaf]) -> Any:
    """Rebuild the leaves alone, not those within their masks."""
    return rewrite(item, _LEAVES, change, closed=(When, *_LEAVES))


def as_mask(condition: Node) -> Node:
    """Return a condition as a mask: the place of its variables stands beside it, not in them."""
    if isinstance(condition, And):
        return both(*(as_mask(part) for part in condition.of))
    if (
        isinstance(condition, Aggregate)
        and condition.statistic in ("all", "any")
        and condition.over == "date"
    ):
        inner = as_mask(condition.of)
        parts = inner.of if isinstance(inner, And) else (inner,)
        places = [part for part in parts if isinstance(part, Place)]
        rest = [part for part in parts if not isinstance(part, Place)]
        return both(replace(condition, of=both(*rest)), *places) if places and rest else condition
    if not isinstance(condition, Compare) or any(isinstance(node, Aggregate) for node in condition.walk()):
        return condition
    wheres = {leaf.where for leaf in leaves(condition)}
    if len(wheres) != 1 or None in wheres:
        return condition
    bare = _outer(condition, lambda leaf: replace(leaf, where=None))
    return both(bare, *(as_mask(where) for where in wheres if where is not None))


def names_ground(condition: Node) -> bool:
    """Return whether a condition names the ground that it holds on: "every pixel of it" is of that ground."""
    return isinstance(condition, And) and any(isinstance(part, Place) for part in condition.of)


def clashes(where: Node | None) -> bool:
    """Return whether a mask asks for two classes of one source at once, which no pixel has."""
    if not isinstance(where, And):
        return False
    parts = [part for each in where.of for part in (each.of if isinstance(each, And) else (each,))]
    named = [p for p in parts if isinstance(p, Place) and p.by in ("class", "feature", "facing")]
    keys = [(p.by, p.source, p.attribute) for p in named]
    return len(set(keys)) < len(keys)


def fill_clouds(item: Any, mode: Clouds) -> Any | None:
    """Return an item whose dated variables treat clouds as said; ``None`` where none is open."""

    def change(leaf: Leaf) -> Leaf:
        if isinstance(leaf, Cloud) or leaf.timeless or leaf.clouds != "included":
            return leaf
        return replace(leaf, clouds=mode)

    filled = rebuild(item, change)
    return None if filled is item else filled


def measured_ground(node: Node) -> Node | None:
    """Return the ground whose area or pixels are asked for: "it" is that ground."""
    if isinstance(node, Aggregate) and node.over == "pixel" and node.statistic in ("area", "count"):
        return node.of if node.by is None and isinstance(node.of, Compare | And) else None
    return None


def settle(expression: Node) -> Any:
    """Return an expression in which counted ground stands in the slot of the variables that it limits."""
    told = rewrite(rewrite(expression, _LEAVES, _unmark), (Aggregate, Zones), _settled_part, closed=When)
    if isinstance(told, Several):
        return replace(told, of=tuple(map(_season_of_each_year, told.of)))
    return _season_of_each_year(told)


def _season_of_each_year(node: Node) -> Node:
    """Return a growing season of which no time is said as that of each year: none lasts from year to year."""
    match node:
        case Phenology(
            Aggregate(over="pixel") as each, "start" | "end" | "length" | "peak" | "amplitude", by=None
        ):
            return node if any(leaf.when != ALWAYS for leaf in leaves(each)) else replace(node, by="year")
    return node


def _settled_part(node: Aggregate | Zones) -> Node:
    if isinstance(node, Aggregate) and node.over == "pixel" and node.statistic in ("count", "area"):
        return replace(node, of=_place_ground(_conditions_apart(node.of)))
    if isinstance(node, Aggregate) and node.statistic == "share" and node.within is None:
        return replace(node, of=_share_of_a_class(node.of))
    if isinstance(node, Zones) and node.by == "patch" and node.of is not None:
        return replace(node, of=_place_ground(node.of))
    return node


def _conditions_apart(condition: Node) -> Node:
    """Return a condition on a variable where another holds as both: of what is counted they are the same."""
    match condition:
        case Compare(Variable(where=Node() as where) as raster) if leaves(where):
            return both(where, replace(condition, of=replace(raster, where=None)))
    return condition


def _share_of_a_class(condition: Node) -> Node:
    """Return a condition on a class in which the region beside it limits the class, of which the share is."""
    parts = condition.of if isinstance(condition, And) else ()
    regions = [part for part in parts if isinstance(part, Place)]
    grounds = [leaf.where for leaf in leaves(condition)]
    of_classes = bool(grounds) and all(isinstance(where, Place) and where.by == "class" for where in grounds)
    regional = bool(regions) and all(region.by == "feature" for region in regions)
    return _place_ground(condition) if of_classes and regional else condition


def _place_ground(condition: Node) -> Node:
    """Return a condition with named ground in the slots of its variables."""
    mask = as_mask(condition)
    if not isinstance(mask, And):
        return mask
    places = [part for part in mask.of if not leaves(part)]
    rest = [part for part in mask.of if leaves(part)]
    if not places or not rest or not all(isinstance(part, Compare | Aggregate) for part in rest):
        return mask
    ground = both(*places)

    def change(leaf: Leaf) -> Leaf:
        return replace(leaf, where=ground if leaf.where is None else both(leaf.where, ground))

    return both(*(_outer(part, change) for part in rest))


def as_conditions(ground: Node) -> Node:
    """Return a ground as the conditions that a pixel of it meets, each of the whole raster.

    "NDVI in the forest above 0.7" is the forest, and NDVI above 0.7.
    """
    if isinstance(ground, And):
        return both(*map(as_conditions, ground.of))
    match ground:
        case Compare(Variable(where=Node() as where) as of, limit=limit) if not leaves(limit):
            return both(replace(ground, of=replace(of, where=None)), as_conditions(where))
    places = {leaf.where for leaf in leaves(ground)} if isinstance(ground, Compare) else set()
    place = places.pop() if len(places) == 1 else None
    if place is None:
        return ground
    return both(rebuild(ground, lambda leaf: replace(leaf, where=None)), as_conditions(place))
