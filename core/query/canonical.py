"""Conditions in the one form that they have, however a question words them."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.query.expression import Aggregate, And, Cloud, Compare, Node, Number, Or
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


def shares_in_per_cent(expression: Node) -> Node:
    """Return an expression in which a share of 0.5 that is a limit is one of 50 %, as shares are told."""
    return rewrite(expression, (Compare,), _limit_in_per_cent)


def _limit_in_per_cent(held: Compare) -> Compare:
    of_share = any(isinstance(part, Aggregate) and part.statistic == "share" for part in held.of.walk())
    if not of_share or kind_of(held.of).unit != "%":
        return held
    return replace(held, limit=_in_per_cent(held.limit), upper=held.upper and _in_per_cent(held.upper))


def _in_per_cent(limit: Node) -> Node:
    bare = isinstance(limit, Number) and not limit.unit and 0 < limit.value < 1
    return Number(round(100 * limit.value, 9), "%") if bare else limit  # type: ignore[attr-defined]
