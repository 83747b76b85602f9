"""Dates after or before one that is found: after the greenest date, before its minimum."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import ALWAYS, Aggregate, Combine, Dates, Node, Variable, When, Which
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.time import DATED
from treeline.core.query.names import Names
from treeline.core.query.phrases.counts import Count
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.times import BesideExtreme, Time, TimedExtreme
from treeline.core.query.phrases.values import Stat, Value
from treeline.core.query.slots import leaves, set_time

_EXTREMES = {"max": "highest", "min": "lowest"}


@rule(Word, Time)
def beside_a_found_date(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """After + the greenest date of 2016."""
    if word.name in ("before", "after") and time.when == When(at=time.when.at) and time.when.single:
        yield from (Time(when) for when in _beside(time.when.at, word.name, names))


def _beside(found: Any, side: str, names: Names) -> Iterable[When]:
    """Yield the dates after or before one that is found: of all data, and of the time where it is looked for.

    Both may be meant by "after the greenest date of 2016", where the data go on.
    """
    yield When(at=found, side=side)  # type: ignore[arg-type]
    sought = {leaf.when for leaf in leaves(found)}
    told = sought.pop() if len(sought) == 1 else ALWAYS
    if told == When(told.spans) and len(told.spans) == 1:
        first, last = told.spans[0].first, told.spans[0].last
        beyond = (
            (side == "after" and last is not None and date > last)
            or (side == "before" and first is not None and date < first)
            for date in names.inventory.dates
        )
        if any(beyond):
            yield When(told.spans, at=found, side=side)  # type: ignore[arg-type]


@rule(Time, (Word, Stat))
def extreme_of_a_time(time: Time, extreme: Word | Stat, names: Names) -> Iterable[Phrase]:
    """2017 + peak, minimum."""
    told = time.when == When(time.when.spans, time.when.months)
    if told and extreme == Word("peaks"):
        yield TimedExtreme("highest", time.when)
    elif told and isinstance(extreme, Stat) and extreme.statistic in _EXTREMES and extreme.over is None:
        yield TimedExtreme(_EXTREMES[extreme.statistic], time.when)  # type: ignore[arg-type]


@rule(Word, TimedExtreme)
def beside_a_timed_extreme(word: Word, extreme: TimedExtreme, names: Names) -> Iterable[Phrase]:
    """After + the 2017 peak."""
    if word.name in ("before", "after"):
        yield BesideExtreme(word.name, extreme.direction, extreme.when)  # type: ignore[arg-type]


@rule(BesideExtreme, Time)
def extreme_in_a_time(beside: BesideExtreme, time: Time, names: Names) -> Iterable[Phrase]:
    """After its peak + in 2017."""
    if beside.when == ALWAYS and time.when == When(time.when.spans, time.when.months):
        yield replace(beside, when=time.when)


@rule(DATED, BesideExtreme, either=True)
def dated_beside_its_extreme(item: Phrase, beside: BesideExtreme, names: Names) -> Iterable[Phrase]:
    """First date with mean NDVI below 0.6 + after its peak in 2017: that of the same mean."""
    measured = _the_one_series(item)
    if measured is None:
        return
    own = {leaf.when for leaf in leaves(item) if not getattr(leaf, "timeless", False)}
    told = beside.when if beside.when != ALWAYS else own.pop() if len(own) == 1 else ALWAYS
    if told.at is not None or told.pick or (beside.when != ALWAYS and own != {ALWAYS}):
        return
    found = Which(set_time(measured, told), beside.direction)
    if kind_or_none(found) is not None:
        for when in _beside(found, beside.side, names):
            yield set_time(item, when)


@rule(Count, Value)
def days_from_one_to_the_other(count: Count, found: Value, names: Names) -> Iterable[Phrase]:
    """How many + days after its peak in 2017 did mean NDVI first fall below 0.6: from date to date."""
    node = found.node
    if not isinstance(node, Dates) or node.pick == "all":
        return
    beside = {leaf.when for leaf in leaves(node) if leaf.when.side != "on"}
    if len(beside) == 1 and (when := beside.pop()).at is not None:
        yield Value(Combine("absolute_difference", node, when.at))


def _the_one_series(item: Phrase) -> Node | None:
    """Return the statistic of the pixels that an item is made of, where it is one of one variable."""
    found: list[Node] = []

    def note(node: Node) -> None:
        if isinstance(node, Aggregate) and node.over == "pixel" and node.by is None:
            found.append(node)
            return
        for part in node.parts():
            note(part)

    node = getattr(item, "node", None)
    if not isinstance(node, Node):
        return None
    note(node)
    told = {leaf.role for leaf in leaves(item) if isinstance(leaf, Variable)}
    return found[0] if len(set(found)) == 1 and len(told) == 1 else None
