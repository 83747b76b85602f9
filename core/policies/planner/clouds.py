"""Clouds of which a question said nothing: whether they matter, left out, or said not to be there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treeline.core.query.expression import Node, Variable
from treeline.core.query.rewriting import rewrite


def needs_clouds(node: Node) -> bool:
    """Return whether a default left clouds in somewhere in an expression."""
    return any(isinstance(part, Variable) and _has_default(part) for part in node.walk())


def mask_clouds(expression: Node) -> Node:
    """Return an expression with the clouds left out of each variable of which nothing was said."""
    return _change(expression, lambda node: replace(_without_default(node), clouds="masked"))


def drop_default(expression: Node) -> Node:
    """Return an expression that says nothing of clouds, as there are none."""
    return _change(expression, _without_default)


def _change(expression: Node, settle: Callable[[Variable], Variable]) -> Node:
    return rewrite(expression, Variable, lambda node: settle(node) if _has_default(node) else node)


def _has_default(node: Variable) -> bool:
    return node.clouds == "included" and "clouds" in node.assumed


def _without_default(node: Variable) -> Variable:
    return replace(node, assumed=tuple(name for name in node.assumed if name != "clouds"))
