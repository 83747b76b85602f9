"""A limit that stands after the second of two grounds, which may be of both.

"Is the forest greener than the grassland above 500 m": the grassland up there, or both of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from treeline.core.query.expression import Aggregate, Combine, Compare, Node, Number, Place
from treeline.core.query.phrases.conditions import Operator
from treeline.core.query.rewriting import rewrite
from treeline.core.query.tokens import Token


def with_limits_of_both(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return readings with those in which a limit of the second ground is that of the first as well.

    A limit in brackets is of what stands in them.
    """
    if _limit_is_in_brackets(tokens):
        return list(dict.fromkeys(found))
    return list(dict.fromkeys(one for node in found for one in (node, _limit_both(node))))


def _limit_is_in_brackets(tokens: Sequence[Token]) -> bool:
    depths = list(itertools.accumulate((t.kind == "open") - (t.kind == "close") for t in tokens))
    signs = [any(isinstance(m, Operator) for m in token.meanings) for token in tokens]
    return any(depth for depth, sign in zip(depths, signs, strict=True) if sign)


def _limit_both(node: Node) -> Node:
    return rewrite(node, (Combine, Compare), _share_limit)


def _share_limit(node: Combine | Compare) -> Node:
    if isinstance(node, Combine):
        return replace(node, left=_as_limited(node.left, node.right))
    return node if isinstance(node.limit, Number) else replace(node, of=_as_limited(node.of, node.limit))


def _as_limited(first: Node, second: Node) -> Node:
    """Return the first side as the second is, of its own ground, where only the second has a limit."""
    one, other = _sole_place(first), _sole_place(second)
    if one is None or other is None or one == other or not isinstance(first, Aggregate):
        return first
    limited = rewrite(second, Place, lambda place: one)
    return limited if _has_limit(second) and not _has_limit(first) else first


def _sole_place(side: Node) -> Place | None:
    places = {part for part in side.walk() if isinstance(part, Place)}
    return places.pop() if len(places) == 1 else None


def _has_limit(side: Node) -> bool:
    return any(isinstance(part, Compare) for part in side.walk())
