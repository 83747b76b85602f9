"""Over what a statistic goes, where two could go over it or two things could be meant by it.

"The average standard deviation of NDVI over the dates of 2016" is the average over the dates of what the
pixels of each date give, or the average over the pixels of what the dates of each give. "The range of mean
NDVI across the classes in 2016" goes over the classes, though there are dates as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from treeline.core.query.closing import kind_or_none, number
from treeline.core.query.demands_of_times import names_crossings
from treeline.core.query.expression import Aggregate, Node, Place, Several, Show, Variable, Zones
from treeline.core.query.grammar.groups import ground_of_all_zones
from treeline.core.query.names import Names
from treeline.core.query.phrases.counts import Unit
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.values import Along, Raw, Stat
from treeline.core.query.rewriting import rewrite
from treeline.core.query.tokens import Token


def with_other_scopes(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return readings with those in which the other of two statistics goes over the dates."""
    readings = list(found)
    if not _tells_the_dates_last(tokens):
        return readings
    turned = [rewrite(node, Aggregate, _turn) for node in readings]
    return list(dict.fromkeys((*readings, *turned)))


def over_the_zones_named(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return readings with the statistic over the zones "across" which it is asked for."""
    told = [token for token in tokens if token.meanings]
    across = any(
        one.text.lower() in _ACROSS and any(isinstance(m, Unit) and m.of in _ZONES for m in other.meanings)
        for one, other in pairwise(told)
    )
    if not across or any(m == Along("date") for token in told for m in token.meanings):
        return list(found)
    return [rewrite(node, Aggregate, _over_zones) for node in found]


def with_each_time(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return readings of how often something fell below a limit with those that count each fall once.

    Three dates in a row below a limit are three dates on which it was there, and one time that it fell there.
    """
    readings = list(found)
    said = " ".join(token.text for token in tokens)
    if not _HOW_OFTEN.search(said) or not _MOVES.search(said):
        return readings
    return [*readings, *_each_counted_once(readings, "onsets")]


def of_crossings(found: Iterable[Node], tokens: Sequence[Token]) -> list[Node]:
    """Return readings of how often a limit was crossed, which count crossings in both directions."""
    readings = list(found)
    return _each_counted_once(readings, "crossings") if names_crossings(tokens) else readings


def _each_counted_once(readings: Iterable[Node], statistic: Literal["onsets", "crossings"]) -> list[Node]:
    return [
        replace(node, statistic=statistic)
        for node in readings
        if isinstance(node, Aggregate) and (node.statistic, node.over, node.by) == ("count", "date", None)
    ]


_HOW_OFTEN = re.compile(r"\b(?:how many times|how often|number of times)\b")
_MOVES = re.compile(
    r"\b(?:fall|falls|fell|drop|drops|dropped) (?:below|under)\b|\b(?:rise|rises|rose) above\b"
)


_ACROSS = ("across", "among", "amongst", "between")
_ZONES = ("class", "region", "polygon", "zone")


def _over_zones(node: Aggregate) -> Node:
    match node:
        case Aggregate(of=Aggregate(by=Zones()) as each, over="date", by=None) if "dates" not in node.assumed:
            mean = number(each)
            made = None if mean is None else replace(node, of=mean, over="zone")
            return made if made is not None and kind_or_none(made) is not None else node
    return node


def with_its_zones(found: Iterable[Node], names: Names) -> list[Node]:
    """Return readings in which "each class with its area and its mean NDVI" tells both of each class."""
    return [rewrite(node, Several, lambda several: _of_each_zone(several, names)) for node in found]


def _of_each_zone(several: Several, names: Names) -> Several:
    tables = {
        part.by
        for shown in several.of
        if isinstance(part := _shown(shown), Aggregate) and isinstance(part.by, Zones)
    }
    if len(tables) != 1:
        return several
    (zones,) = tables
    ground = ground_of_all_zones(zones, names)

    def divide(part: Aggregate) -> Node:
        match part:
            case Aggregate(over="pixel", by=None, of=Variable(where=Place() as where) as of) if (
                where == ground
            ):
                made = replace(part, of=replace(of, where=None), by=zones)
                told = number(made) if kind_or_none(made) is not None else None
                return part if told is None else told
        return part

    return replace(several, of=tuple(rewrite(part, Aggregate, divide) for part in several.of))


def _shown(node: Node) -> Node:
    return node.of if isinstance(node, Show) else node


def _tells_the_dates_last(tokens: Sequence[Token]) -> bool:
    """Return whether two statistics, a variable and "over the dates" follow each other."""
    told = [token for token in tokens if token.meanings]
    for start in range(len(told) - 3):
        part = told[start : start + 4]
        if any(all(map(_may_be, part, kinds)) for kinds in _ORDERS):
            return not any(isinstance(m, Stat) and m.over for token in part for m in token.meanings)
    return False


_ORDERS = ((Stat, Stat, Raw, Along), (Stat, Raw, Stat, Along))


def _may_be(token: Token, kind: type[Phrase]) -> bool:
    return any(isinstance(meaning, kind) for meaning in token.meanings)


def _turn(node: Aggregate) -> Node:
    match node:
        case Aggregate(of=Aggregate(of=Variable(), over="date", by=None) as inner, over="pixel", by=None):
            made = replace(node, of=replace(inner, over="pixel"), over="date")
            return made if kind_or_none(made) is not None else node
    return node
