"""Two statistics and the dates that are told after both of them: either may go over them.

"The average standard deviation of NDVI over the dates of 2016" is the average over the dates of what the
pixels of each date give, or the average over the pixels of what the dates of each give.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Aggregate, Node, Variable
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
