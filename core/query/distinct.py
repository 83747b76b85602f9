"""Which of several readings differ by more than an order, or by a ground that makes no difference."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.query.expression import (
    Aggregate,
    Cloud,
    Combine,
    Correlation,
    Node,
    Not,
    Several,
    Show,
    Variable,
    Zones,
)
from treeline.core.query.grammar.groups import ground_of_all_zones
from treeline.core.query.names import Names
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import as_conditions, rebuild


def keep_distinct(found: tuple[Node, ...], names: Names) -> tuple[Node, ...]:
    """Return the expressions that differ by more than an order, or by a ground, that makes no difference.

    What lies so far apart has no first; the ground of all zones is that of each zone as well.
    """

    def plain(table: Aggregate | Combine | Correlation | Show | Variable) -> Node:
        if isinstance(table, Show):
            # A mask of ground on which something holds is that of both.
            return replace(table, of=as_conditions(table.of))
        if isinstance(table, Correlation):
            left, right = sorted((table.left, table.right), key=repr)
            directed = table.gives in ("slope", "scatter")
            return table if directed else replace(table, left=left, right=right)
        if isinstance(table, Variable):
            # "Clear-pixel NDVI" is NDVI where there is no cloud, and NDVI with clouds masked.
            clear = table.where in (Not(Cloud()), Not(Cloud(table.when)))
            return replace(table, where=None, clouds="masked") if clear else table
        if isinstance(table, Combine):
            left, right = sorted((table.left, table.right), key=repr)
            return replace(table, left=left, right=right) if table.how == "absolute_difference" else table
        of = table.of
        if isinstance(table.by, Zones) and not table.by.names:
            ground = ground_of_all_zones(table.by, names)
            of = rebuild(of, lambda leaf: replace(leaf, where=None) if leaf.where == ground else leaf)
        sized = table.statistic in ("count", "area") and table.over == "pixel"
        return replace(table, of=as_conditions(of) if sized else of)

    if len(found) < 2:
        return found
    kept = {
        rewrite(node, (Aggregate, Combine, Correlation, Show, Variable), plain): node
        for node in reversed(found)
    }
    return _in_one_order(tuple(reversed(kept.values())))


def _in_one_order(found: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return expressions of which no two ask for the same things in another order.

    The last one stays, which has the order of the text: conditions that exclude each other are sorted.
    """
    kept = {frozenset(node.of) if isinstance(node, Several) else node: node for node in found}
    return tuple(kept.values())
