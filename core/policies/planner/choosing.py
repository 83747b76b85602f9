"""Which date, period or zone: the highest, the lowest, the ranks, those where something holds."""

from __future__ import annotations

import re
from collections import Counter

from treeline.core.policies.planner.figures import join_words, plain
from treeline.core.policies.planner.phrases import phrase
from treeline.core.policies.planner.plan import CannotAnswer, Steps
from treeline.core.policies.planner.times import holds
from treeline.core.policies.planner.values import Mark, Numbers, Scale, Selection, Text, Value, number
from treeline.core.policies.planner.work import Work, computes, describe
from treeline.core.query.expression import Aggregate, Dates, Node, Phenology, Place, Rank, When, Which
from treeline.core.query.kinds import Kind, kind_of


def _course(work: Work, node: Node) -> Steps[tuple[Numbers, Scale]]:
    """Return numbers over a single axis, and that axis."""
    value = yield from work.numbers(node)
    if len(value.scales) != 1:
        raise CannotAnswer(f"Which one it is cannot be told of {describe(value)}.")
    if not any(v is not None for v in value.values):
        raise CannotAnswer("None of them has a valid value.", " ".join(work.emptied))
    return value, value.scales[0]


@computes(Which)
def which(work: Work, node: Which) -> Steps[Value]:
    """Return where a series or table is highest or lowest."""
    if kind_of(node) == Kind(frozenset({"date"}), "name"):
        return (yield from _zone_on_each_date(work, node))
    value, scale = yield from _course(work, node.of)
    if node.top == 1 and node.nth == 1:
        name = "max_value_and_index" if node.direction == "highest" else "min_value_and_index"
        places = [n for n, v in enumerate(value.values) if v is not None]
        # Of a year that has no season of its own it is told why.
        kept = places if isinstance(node.of, Phenology) else list(range(len(scale)))
        if node.direction == "highest" and _is_an_amount(node.of) and any(value.values):
            kept = [n for n in places if value.values[n]]  # no tool gave the 0 of what is nowhere
        given = value.argument if len(kept) == len(scale) else [value.values[n] for n in kept]
        result = yield from work.plan.call(name, f"The {node.direction} of {len(scale)}.", x=given)
        found = result.numbers
        position = kept[int(found[1] or 0)]
        ties = [m.label for m, v in zip(scale.marks, value.values, strict=True) if v == found[0]]
        if len(ties) > 1:
            others = " and others" if len(ties) > _MOST_TIES else ""
            axis = _NOUNS.get(scale.axis, scale.axis)
            names = ", ".join(ties[:_MOST_TIES])
            work.plan.remark(f"{len(ties)} of {len(scale)} {axis}s have this value: {names}{others}.")
        if len(scale) > len(places) == 1:
            work.plan.remark(f"No other of {len(scale)} has a value, so nothing was compared.")
        if found[0] == 0 and len(ties) == len(scale) and _is_an_amount(node.of):
            raise CannotAnswer(
                f"No {_NOUNS.get(scale.axis, scale.axis)} has any of it: {phrase(node.of)} is 0 everywhere."
            )
        return Selection(scale.axis, (scale.marks[position],), (found[0],), value.unit)
    ranks = yield from _ranks(work, value, node.direction)
    order = sorted((rank, position) for position, rank in enumerate(ranks) if rank is not None)
    first = node.nth - 1
    last = len(order) if node.top == 0 else first + node.top
    kept = [position for _, position in order[first:last]]
    if not kept or (node.top > 0 and len(kept) < node.top):
        raise CannotAnswer(f"There are only {len(order)} {scale.axis}s with a value.")
    if node.top > 1 and last < len(order) and value.values[order[last][1]] == value.values[kept[-1]]:
        alike = sum(v == value.values[kept[-1]] for v in value.values)
        work.plan.remark(f"{alike} {scale.axis}s have the value of the last one; the first of them are told.")
    marks = tuple(scale.marks[position] for position in kept)
    return Selection(scale.axis, marks, tuple(value.values[p] for p in kept), value.unit, node.top == 1)


def _zone_on_each_date(work: Work, node: Which) -> Steps[Value]:
    """Return which zone has the most or the least on each date, and how often each of them has."""
    value = yield from work.numbers(node.of)
    zones = value.scale("zone")
    (dates,), rows = value.rows("zone")
    known = [
        (mark, row)
        for mark, row in zip(dates.marks, rows, strict=True)
        if any(number is not None for number in row)
    ]
    if not known:
        raise CannotAnswer("None of them has a valid value.", " ".join(work.emptied))
    result = yield from work.plan.call(
        "summarize_values",
        f"The {node.direction} on each date.",
        values=[row for _, row in known],
        statistic="max" if node.direction == "highest" else "min",
    )
    told, winners = list[str](), Counter[str]()
    for (mark, row), extreme in zip(known, result.numbers, strict=True):
        name = join_words([zone for zone, v in zip(zones.labels, row, strict=True) if v == extreme])
        told.append(f"{mark.label} {name} ({plain(extreme, value.unit)})")
        winners[name] += 1
    often = join_words([f"{name} {count}" for name, count in winners.most_common()])
    text = f"By {phrase(node.of)}, the {node.direction} on each of {len(told)} dates: {'; '.join(told)}."
    numbers = tuple(number for number in result.numbers if number is not None)
    return Text(f"{text} So many dates each: {often}.", labels=tuple(winners), numbers=numbers)


_NOUNS = {"zone": "class or region"}
_MOST_TIES = 8


def _is_an_amount(node: Node) -> bool:
    """Return whether numbers tell how much there is of something."""
    return (
        isinstance(node, Aggregate) and node.statistic in ("area", "count", "share") and node.over == "pixel"
    )


def _ranks(work: Work, value: Numbers, direction: str) -> Steps[tuple[float | None, ...]]:
    result = yield from work.plan.call(
        "rank_values", "The order of all.", values=value.argument, descending=direction == "highest"
    )
    return result.numbers


@computes(Rank)
def rank(work: Work, node: Rank) -> Steps[Value]:
    """Return the place that one date or zone has."""
    value, scale = yield from _course(work, node.of)
    position = _position(scale, node.member)
    ranks = yield from _ranks(work, value, node.direction)
    if ranks[position] is None:
        raise CannotAnswer(f"{scale.marks[position].label} has no valid value, so it has no rank.")
    work.plan.remark(
        f"{scale.marks[position].label} among {sum(r is not None for r in ranks)} {scale.axis}s."
    )
    return number(ranks[position], "rank")


def _position(scale: Scale, member: Node) -> int:
    """Return where a member stands on an axis.

    Raises
    ------
    CannotAnswer
        It is not on it, or several are.
    """
    found = [n for n, mark in enumerate(scale.marks) if _is_member(mark, member)]
    if len(found) != 1:
        raise CannotAnswer(
            f"{'None' if not found else len(found)} of the {scale.axis}s is the one asked for.",
            f"They are {', '.join(scale.labels[:12])}.",
        )
    return found[0]


def _is_member(mark: Mark, member: Node) -> bool:
    if isinstance(member, When):
        return mark.date is not None and holds(member, mark.date)
    if isinstance(member, Place):
        return mark.label.casefold() in {_plain(name) for name in member.names}
    return False


def _plain(name: str) -> str:
    return re.sub(r"\s+", " ", name).casefold()


@computes(Dates)
def dates(work: Work, node: Dates) -> Steps[Value]:
    """Return the dates or zones at which a condition holds; the first or the last with what it has there."""
    value, scale = yield from _course(work, node.of)
    kept = [(place, mark) for place, mark in enumerate(scale.marks) if value.values[place]]
    alone = node.pick != "all"
    if not kept:
        return Selection(scale.axis, (), alone=alone)
    picked = {"all": kept, "first": kept[:1], "last": kept[-1:]}[node.pick]
    marks = tuple(mark for _, mark in picked)
    course = work.courses.get(node.of) if alone else None
    if course is None:
        return Selection(scale.axis, marks, alone=alone)
    return Selection(scale.axis, marks, tuple(course.values[place] for place, _ in picked), course.unit)
