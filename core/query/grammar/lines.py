"""Straight lines from one point to another: how long they are, and what lies along them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Aggregate, Distance, Place, Profile
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.phrase import Half, Pair, Phrase, Word
from treeline.core.query.phrases.places import Line, Mask
from treeline.core.query.phrases.values import Measure, Raw, Value
from treeline.core.query.slots import leaves


@rule(Word, Pair)
def line_between(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Along the line from + this point to that one."""
    if word.name == "line" and pair.by in ("to", "and", "from", "between"):
        yield from _line(pair)


@rule(Word, Pair)
def length_of_a_line(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Length of the line from + this point to that one."""
    if word.name == "line_length" and pair.by in ("to", "and", "from", "between"):
        yield from (Value(Distance(line.end, line.start)) for line in _line(pair))


def _line(pair: Pair) -> Iterable[Line]:
    match pair.left, pair.right:
        case Mask(Place("point") as start), Mask(Place("point") as end) if start != end:
            yield Line(start, end)


@rule(Word, Raw)
def profile_of_what(word: Word, item: Raw, names: Names) -> Iterable[Phrase]:
    """Profile of + the elevation, before its ends are told."""
    if word.name == "line":
        yield Half(item, "line")


@rule(Half, Pair)
def profile_between(half: Half, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Profile of the elevation + from this point to that one."""
    if half.by == "line" and isinstance(half.left, Raw) and pair.by in ("to", "and", "from", "between"):
        for line in _line(pair):
            yield from profile_of(half.left, line, names)


@rule(Raw, Line, either=True)
def profile_of(item: Raw, line: Line, names: Names) -> Iterable[Phrase]:
    """Elevation profile + along the line from this point to that one."""
    made = Profile(item.node, line.start, line.end)
    at_a_point = any(isinstance(leaf.where, Place) and leaf.where.by == "point" for leaf in leaves(item.node))
    if not at_a_point and kind_or_none(made) is not None:
        yield Value(made)


@rule(Measure, Line, either=True)
def statistic_along(item: Measure, line: Line, names: Names) -> Iterable[Phrase]:
    """Mean elevation + along the line from this point to that one."""
    node = item.node
    if not isinstance(node, Aggregate) or node.over != "pixel" or node.by is not None:
        return
    for found in profile_of(Raw(node.of), line, names):
        assert isinstance(found, Value)
        made = replace(node, of=found.node, over="zone")
        if kind_or_none(made) is not None:
            yield Value(made)
