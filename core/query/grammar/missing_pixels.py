"""Pixels that have a value, and those whose data are missing."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Aggregate, Node, Not, Valid, Variable
from treeline.core.query.grammar.ranking import which
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Ranking, Superlative
from treeline.core.query.phrases.values import Raw


@rule(Word, Raw)
def valid_pixels_of(word: Word, item: Raw, names: Names) -> Iterable[Phrase]:
    """Valid + NDVI; missing + NDVI pixels, of which the number is asked."""
    if isinstance(item.node, Variable) and word.name in ("valid", "missing"):
        valid = Valid(item.node)
        yield Mask(valid if word.name == "valid" else Not(valid))


@rule(Raw, Word)
def variable_is_missing(item: Raw, word: Word, names: Names) -> Iterable[Phrase]:
    """NDVI + missing."""
    yield from valid_pixels_of(word, item, names)


@rule(Superlative, Mask)
def with_most_values(found: Superlative, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Which date has the most + missing pixels: by their number."""
    counted = Aggregate("count", mask.node, "pixel")
    if is_of_values(mask.node) and found.unit.of == "date" and kind_or_none(counted) is not None:
        extreme = found.extreme
        yield from which(found.unit, Ranking(extreme.direction, counted, extreme.nth, extreme.top), names)


def is_of_values(node: Node) -> bool:
    """Return whether a mask says where something has a value, or where it has none."""
    return isinstance(node.of if isinstance(node, Not) else node, Valid)
