"""Conditions in the one form that they have, however a question words them."""

from __future__ import annotations

from treeline.core.query.expression import Aggregate, And, Cloud, Compare, Node, Number, Or


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
