"""Clouds of which a question says nothing: its expression tells that they were left in."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.query.checks import matches
from treeline.core.query.expression import (
    Cloud,
    Composite,
    Correlation,
    Facts,
    Node,
    Several,
    Show,
    Valid,
    Variable,
)
from treeline.core.query.inventory import Inventory
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves
from treeline.toolkit.variables import CLOUD_ROLES


def assume_clouds(expression: Node, inventory: Inventory) -> Node:
    """Return an expression that tells by itself where clouds are left in because nothing was said of them.

    So it is with each variable that has a date of which clouds are known, also with those that choose a date.
    A picture shows its clouds, and a fact is none of the pixels: nothing is assumed there.
    """
    if isinstance(expression, Several):
        return replace(expression, of=tuple(assume_clouds(part, inventory) for part in expression.of))
    if isinstance(expression, Facts) or isinstance(expression, Show) and isinstance(expression.of, Composite):
        return expression
    # Clouds that are themselves set against something are no disturbance of it.
    related = (node for node in expression.walk() if isinstance(node, Correlation))
    if any(isinstance(leaf, Cloud) for node in related for leaf in leaves(node)):
        return expression

    # A cloudy pixel has a value, unless it is said that clouds leave none.
    looked_at = {node.of for node in expression.walk() if isinstance(node, Valid)}

    def change(leaf: Variable) -> Variable:
        if leaf in looked_at or leaf.timeless or leaf.clouds != "included" or _under_clouds(leaf):
            return leaf
        if "clouds" in leaf.assumed:  # as it was in the question before
            return leaf
        dated = any(matches(date, leaf.when) for date in inventory.cloud_dates)
        if leaf.role in CLOUD_ROLES or not (dated or inventory.undated_clouds):
            return leaf
        return replace(leaf, assumed=(*leaf.assumed, "clouds"))

    return rewrite(expression, Variable, change)


def says_they_stay(expression: Node, inventory: Inventory) -> bool:
    """Return whether an expression leaves clouds in because that was said: nothing marks it as assumed."""
    assumed = [leaf for leaf in leaves(assume_clouds(expression, inventory)) if "clouds" in leaf.assumed]
    return bool(assumed) and not any("clouds" in leaf.assumed for leaf in leaves(expression))


def _under_clouds(leaf: Variable) -> bool:
    """Return whether the cloudy pixels themselves are asked for."""
    return leaf.where is not None and any(isinstance(node, Cloud) for node in leaf.where.walk())
