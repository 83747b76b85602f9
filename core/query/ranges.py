"""Ranges that exclude each other: "below 700 m, from 700 to 750 m and above" is asked of each."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.expression import And, Compare, Node, Number, Several, Variable
from treeline.core.query.rewriting import rewrite

_FEWEST = 2


def for_each_range(node: Node) -> Node:
    """Return an expression as several where it asks for ground that lies in ranges without a common value."""
    if isinstance(node, Several):
        return node
    for part in node.walk():
        ranges = _apart(part) if isinstance(part, And) else []
        if len(ranges) >= _FEWEST:
            return Several(tuple(_only(node, part, ranges, one) for one in ranges))
    return node


def contradicts(node: Node) -> bool:
    """Return whether an expression asks for ground on which two ranges that exclude each other both hold."""
    return any(
        isinstance(part, And)
        and len(_apart(part)) >= _FEWEST
        or isinstance(part, Compare)
        and _excludes_its_ground(part)
        for part in node.walk()
    )


def _excludes_its_ground(part: Compare) -> bool:
    """Return whether a range is asked of pixels that were kept for another range of the same variable."""
    of = part.of
    where = of.where if isinstance(of, Variable) else None
    kept = where.of if isinstance(where, And) else (where,)
    alike = [
        replace(one, of=of)
        for one in kept
        if isinstance(one, Compare) and isinstance(of, Variable) and one.of == replace(of, where=None)
    ]
    return any(len(_apart(And((part, one)))) >= _FEWEST for one in alike)


def _only(node: Node, joined: Node, ranges: list[Compare], one: Compare) -> Node:
    """Return an expression in which one of the ranges stands for all of them."""

    def keep(found: And) -> Node:
        return both(*(p for p in found.of if p not in ranges or p == one)) if found == joined else found

    made: Node = rewrite(node, And, keep)
    return made


def _apart(joined: And) -> list[Compare]:
    """Return the conditions of an And that are ranges of one variable which exclude each other, rising."""
    ranges = [part for part in joined.of if isinstance(part, Compare) and _limits(part) is not None]
    if len({part.of for part in ranges}) != 1:
        return []
    ranges.sort(key=lambda part: _limits(part) or (0.0, 0.0))
    neighbours = itertools.pairwise([_limits(part) or (0.0, 0.0) for part in ranges])
    return ranges if all(one[1] <= other[0] for one, other in neighbours) else []


def _limits(part: Compare) -> tuple[float, float] | None:
    """Return the limits of a range of numbers."""
    if not isinstance(part.limit, Number):
        return None
    value = part.limit.value
    if part.operator in ("gt", "ge"):
        return value, math.inf
    if part.operator in ("lt", "le"):
        return -math.inf, value
    if part.operator == "between" and isinstance(part.upper, Number):
        return value, part.upper.value
    return None
