"""Brackets that say again what the question says: "the spread (standard deviation)", "forest (both kinds)".

Such a gloss adds nothing; it settles which of several meanings is meant. The question is read without it,
and the reading stands if everything in the brackets is said by it. Brackets that add something
("pixels (NDVI above 0.6)") are read with the question as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from treeline.core.query.expression import ALWAYS, Aggregate, Combine, Node, Phenology, Trend
from treeline.core.query.phrases.courses import Course, CourseOf
from treeline.core.query.phrases.phrase import Many, Pair, Phrase
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Clouds, Time
from treeline.core.query.phrases.values import Along, Each, Measure, Raw, Series, Stat, StatPair, Stats, Value
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import leaves, rebuild
from treeline.core.query.tokens import Token


def split_gloss(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], list[Token]]]:
    """Yield the question without each of its brackets, and what stands in them.

    Brackets within brackets, and many of them, are those of a formula: they say no more than its order.
    """
    opens = [place for place, token in enumerate(tokens) if token.kind == "open"]
    closes = [place for place, token in enumerate(tokens) if token.kind == "close"]
    apart = len(opens) == len(closes) and all(
        first < last for first, last in zip(closes[:-1], opens[1:], strict=False)
    )
    if not apart or len(opens) > _MOST_GLOSSES:
        return
    for start, end in zip(opens, closes, strict=True):
        inside = list(tokens[start + 1 : end])
        if start < end and any(token.kind not in _SILENT for token in inside):
            yield [*tokens[:start], *tokens[end + 1 :]], inside


_MOST_GLOSSES = 3
_SILENT = ("filler", "open", "close")


def says(node: Node, gloss: Phrase) -> bool:
    """Return whether an expression says all that a meaning says."""
    rule = _RULES.get(type(gloss))
    return rule is not None and rule(node, gloss)


def _says_statistic(node: Node, gloss: Stat) -> bool:
    return any(
        (part.statistic, part.parameter) == (gloss.statistic, gloss.parameter)
        and gloss.over in (None, part.over)
        for part in _aggregates(node)
    )


def _aggregates(node: Node) -> list[Aggregate]:
    return [part for part in node.walk() if isinstance(part, Aggregate)]


def _says_range(node: Node, gloss: StatPair) -> bool:
    """Maximum minus minimum is the range; the third quartile minus the first is the interquartile range."""
    pair = tuple((stat.statistic, stat.parameter) for stat in gloss.stats.of[:2])
    meant = _SPANS.get(pair, "")
    if meant and gloss.how == "difference":
        return any(part.statistic == meant for part in _aggregates(node))
    combined = [part for part in node.walk() if isinstance(part, Combine) and part.how == gloss.how]
    return any((_statistic(part.left), _statistic(part.right)) == pair for part in combined)


def _statistic(node: Node) -> tuple[str, float | None] | None:
    return (node.statistic, node.parameter) if isinstance(node, Aggregate) else None


_SPANS: dict[tuple[tuple[str, float | None], ...], str] = {
    (("max", None), ("min", None)): "range",
    (("percentile", 75.0), ("percentile", 25.0)): "iqr",
}


def _says_value(node: Node, gloss: Any) -> bool:
    """Say the same value, at times and places that are said as well."""
    if any(leaf.when not in (ALWAYS, *_times(node)) for leaf in leaves(gloss.node)):
        return False
    wanted = _bare(gloss.node)
    return any(_bare(part) == wanted for part in node.walk() if isinstance(part, type(wanted)))


def _times(node: Node) -> list[Any]:
    return [leaf.when for leaf in leaves(node)]


def _bare(node: Node) -> Node:
    """Return a value without time, place, clouds and groups."""

    def strip(leaf: Any) -> Any:
        return replace(
            leaf, when=ALWAYS, where=None, **({"clouds": "included"} if hasattr(leaf, "clouds") else {})
        )

    def ungroup(part: Aggregate) -> Aggregate:
        return replace(part, by=None, over="pixel" if part.over == "all" else part.over)

    return rewrite(rebuild(node, strip), Aggregate, ungroup)


def _says_place(node: Node, gloss: Mask) -> bool:
    return any(part == gloss.node for part in node.walk())


def _says_groups(node: Node, gloss: Each) -> bool:
    if gloss.axis == "date":
        return any(part.over == "date" for part in _aggregates(node))
    return any(part.by is not None and part.by in (gloss.zones, gloss.axis) for part in _aggregates(node))


def _says_course(node: Node, gloss: Course) -> bool:
    kinds = {"Trend": Trend, "Phenology": Phenology}
    kind = kinds.get(gloss.name)
    return kind is not None and any(
        isinstance(part, kind) and gloss.method in ("", getattr(part, "method", "")) for part in node.walk()
    )


def _says_all(node: Node, gloss: Many | Stats) -> bool:
    return all(says(node, part) for part in gloss.of)


def _says_both(node: Node, gloss: Pair) -> bool:
    return gloss.by in ("and", "") and says(node, gloss.left) and says(node, gloss.right)


_RULES: dict[type[Phrase], Callable[[Node, Any], bool]] = {
    Stat: _says_statistic,
    Stats: _says_all,
    StatPair: _says_range,
    Raw: _says_value,
    Measure: _says_value,
    Series: _says_value,
    Value: _says_value,
    CourseOf: _says_value,
    Mask: _says_place,
    Each: _says_groups,
    Along: lambda node, gloss: any(part.over == gloss.axis for part in _aggregates(node)),
    Time: lambda node, gloss: gloss.when in _times(node),
    Clouds: lambda node, gloss: any(getattr(leaf, "clouds", "") == gloss.mode for leaf in leaves(node)),
    Course: _says_course,
    Many: _says_all,
    Pair: _says_both,
}
