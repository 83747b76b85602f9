"""Clouds of which a question said nothing: whether they matter, left out, or said not to be there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treeline.core.policies.planner.rewriting import rewritten
from treeline.core.query.expression import Node, Variable


def needs_clouds(node: Node) -> bool:
    """Return whether a default left clouds in somewhere in an expression."""
    return any(isinstance(part, Variable) and _left_in(part) for part in node.walk())


def masked(expression: Node) -> Node:
    """Return an expression with the clouds left out of each variable of which nothing was said."""
    return _settled(expression, lambda node: replace(_said(node), clouds="masked"))


def without_clouds_said(expression: Node) -> Node:
    """Return an expression that says nothing of clouds, as there are none."""
    return _settled(expression, _said)


def _settled(expression: Node, settle: Callable[[Variable], Variable]) -> Node:
    return rewritten(expression, Variable, lambda node: settle(node) if _left_in(node) else node)


def _left_in(node: Variable) -> bool:
    return node.clouds == "included" and "clouds" in node.assumed


def _said(node: Variable) -> Variable:
    return replace(node, assumed=tuple(name for name in node.assumed if name != "clouds"))
