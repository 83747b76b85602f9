"""Clouds of which a question says nothing: told in its expression, left out, or of no matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treeline.core.policies.planning.rewriting import rewritten
from treeline.core.query import reading
from treeline.core.query.checks import matches
from treeline.core.query.expression import Facts, Node, Variable
from treeline.core.query.inventory import Inventory
from treeline.core.query.reading import Reading


def read(question: str, inventory: Inventory, after: Node | None = None) -> Reading:
    """Read a question; where it says nothing of clouds that are known, its expressions tell so."""
    found = reading.read(question, inventory, after)

    def told(node: Node) -> Node:
        return clouds_left_in(node, inventory)

    return replace(
        found,
        expressions=tuple(map(told, found.expressions)),
        offers=tuple((said, told(node)) for said, node in found.offers),
        largest=None if found.largest is None else told(found.largest),
    )


def clouds_left_in(expression: Node, inventory: Inventory) -> Node:
    """Return an expression in which it is told where clouds are left in because nothing was said of them.

    That is so of each variable with a date of which clouds are known.
    """

    def tell(node: Variable) -> Variable:
        if node.timeless or node.clouds != "included" or "clouds" in node.assumed:
            return node
        if not any(matches(date, node.when) for date in inventory.cloud_dates):
            return node
        return replace(node, assumed=(*node.assumed, "clouds"))

    return expression if isinstance(expression, Facts) else rewritten(expression, Variable, tell)


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
