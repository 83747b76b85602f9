"""Readings that another one makes needless: of two alike the one stays that uses more of what is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treeline.core.query.demands_of_grounds import compares_areas, lists_grounds
from treeline.core.query.expression import Dates, Node, Not, Place, Several, Variable, When, Zones
from treeline.core.query.rewriting import rewrite
from treeline.core.query.tokens import Token


def keep_best_of_alike(found: list[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return readings without those that another one beside them makes needless."""
    kept = _of_areas(found) if compares_areas(tokens) else found
    kept = [
        node
        for node in kept
        if not _repeats_the_first_beside(node, kept)
        and not _forgets_the_clouds(node, kept)
        and not _leaves_a_zone_without_ground(node, kept)
    ]
    return _each_of_a_list(kept) if lists_grounds(tokens) else kept


def _of_areas(found: list[Node]) -> list[Node]:
    """Return the readings of areas rather than of the number of their pixels, where there are such."""
    areas = [node for node in found if any(getattr(part, "statistic", "") == "area" for part in node.walk())]
    return areas or found


def _each_of_a_list(found: list[Node]) -> list[Node]:
    """Return the readings of each of several grounds in a list, where there are such."""
    apart = [node for node in found if isinstance(node, Several)]
    pooled = [node for node in found if any(isinstance(p, Place) and len(p.names) > 2 for p in node.walk())]
    return [node for node in found if node not in pooled] if apart else found


def _repeats_the_first_beside(node: Node, found: Sequence[Node]) -> bool:
    """Return whether it is the first date after another one within a time: it is that of all data as well."""
    if not any(isinstance(part, Dates) and part.pick == "first" for part in node.walk()):
        return False

    def widen(when: When) -> When:
        return replace(when, spans=(), months=()) if when.side == "after" else when

    wider = rewrite(node, When, widen)
    return wider != node and wider in found


def _forgets_the_clouds(node: Node, found: Sequence[Node]) -> bool:
    """Return whether another reading is the same but for clouds left out, which some words then tell."""

    def include(variable: Variable) -> Variable:
        return replace(variable, clouds="included")

    return any(other != node and rewrite(other, Variable, include) == node for other in found)


def _leaves_a_zone_without_ground(node: Node, found: Sequence[Node]) -> bool:
    """Return whether all zones are told, one of them without ground, where another reading has the others."""
    outside = {
        (out.of.by, out.of.source)
        for out in node.walk()
        if isinstance(out, Not) and isinstance(out.of, Place)
    }
    every = {(part.by, part.source) for part in node.walk() if isinstance(part, Zones) and not part.names}
    some = [other for other in found if any(isinstance(p, Zones) and p.names for p in other.walk())]
    return not outside.isdisjoint(every) and any(other != node for other in some)
