"""Which end of an order is meant by a word that has no sign: the strongest trend may rise or fall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from treeline.core.query.expression import Node, Trend, Which
from treeline.core.query.rewriting import rewrite
from treeline.core.query.tokens import Token


def with_both_directions(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return readings of the strongest trend with those of the strongest fall."""
    words = {word for token in tokens for word in token.text.lower().split()}
    readings = list(found)
    if words & _SIGNED or not words & {"strongest", "steepest"}:
        return readings
    return list(dict.fromkeys((*readings, *(rewrite(node, Which, _turn) for node in readings))))


_SIGNED = frozenset(
    {"upward", "positive", "rising", "increasing", "downward", "negative", "falling", "decreasing"}
    | {"increase", "decrease", "rise", "fall", "decline", "growth"}
)


def ranks_trends(node: Node) -> bool:
    """Return whether the highest or lowest of several trends is looked for."""
    return isinstance(node, Which) and isinstance(node.of, Trend)


def _turn(node: Which) -> Node:
    return replace(node, direction="lowest") if ranks_trends(node) and node.direction == "highest" else node
