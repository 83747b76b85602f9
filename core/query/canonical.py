"""Conditions in the one form that they have, however a question words them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from treeline.core.query.expression import Aggregate, And, Cloud, Compare, Convert, Node, Number, Or
from treeline.core.query.kinds import kind_of
from treeline.core.query.rewriting import rewrite


def both(*conditions: Node) -> Node:
    """Return conditions joined by and: flat, each once, in a fixed order."""
    return _join(And, conditions)


def either(*conditions: Node) -> Node:
    """Return conditions joined by or: flat, each once, in a fixed order."""
    return _join(Or, conditions)


def _join(join: type[And] | type[Or], conditions: tuple[Node, ...]) -> Node:
    flat: list[Node] = []
    for condition in conditions:
        flat.extend(condition.of if isinstance(condition, join) else (condition,))
    once = sorted(dict.fromkeys(flat), key=repr)
    return once[0] if len(once) == 1 else join(tuple(once))


# Of the pixels, in per cent, under cloud: beyond it a sky is called mostly cloudy (5 oktas of 8 and more).
_CLOUDY = 50.0


def is_mostly_cloudy(clouds: Cloud) -> Compare:
    """Return the condition that more than half of the pixels are under cloud, told as what was assumed."""
    return Compare(Aggregate("share", clouds, "pixel"), "gt", Number(_CLOUDY, "%"), assumed=("cloudy",))


def with_units_of_limits(expression: Node) -> Node:
    """Return an expression in which a limit of 0.5 on a share is 50 %, and one on an area has its unit."""
    return rewrite(expression, (Compare,), _with_unit)


def _with_unit(held: Compare) -> Compare:
    """Return a condition whose limits say the unit that they are in, as the paraphrase tells it."""
    measured = held.of.of if isinstance(held.of, Convert) else held.of
    statistic = measured.statistic if isinstance(measured, Aggregate) else ""
    unit = kind_of(held.of).unit
    if statistic == "area":
        return _rewrite_limits(held, partial(_in_unit, unit=unit))
    if unit == "%" and any(isinstance(p, Aggregate) and p.statistic == "share" for p in held.of.walk()):
        return _rewrite_limits(held, _in_per_cent)
    return held


def _rewrite_limits(held: Compare, change: Callable[[Node], Node]) -> Compare:
    return replace(held, limit=change(held.limit), upper=held.upper and change(held.upper))


def _in_unit(limit: Node, unit: str) -> Node:
    return replace(limit, unit=unit) if isinstance(limit, Number) and not limit.unit else limit


def _in_per_cent(limit: Node) -> Node:
    if not isinstance(limit, Number) or limit.unit or not 0 < limit.value < 1:
        return limit
    return Number(round(100 * limit.value, 9), "%")
