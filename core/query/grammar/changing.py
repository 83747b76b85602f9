"""What changed more: a change on one ground set against that on another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import Aggregate, Combine, Compare, Node
from treeline.core.query.grammar.change import between
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import ChangedMore, ChangeOf, Changes, Comparative
from treeline.core.query.phrases.conditions import Condition, Operator
from treeline.core.query.phrases.phrase import Half, Join, Pair, Phrase
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Extreme, ExtremeChange, LargestChange
from treeline.core.query.phrases.values import Measure, Raw
from treeline.core.query.slots import fill_place

_SIGNS: dict[str, Literal["gt", "lt"]] = {"highest": "gt", "lowest": "lt"}


@rule(ChangeOf, Comparative)
def changed_more(changed: ChangeOf, word: Comparative, names: Names) -> Iterable[Phrase]:
    """NDVI fell + more."""
    if word.node is None and word.sign in ("gt", "lt") and changed.sign:
        yield LargestChange(changed, Extreme("highest" if word.sign == "gt" else "lowest"))


@rule((Raw, Measure), ExtremeChange)
def more_of_it(item: Raw | Measure, found: ExtremeChange, names: Names) -> Iterable[Phrase]:
    """NDVI + fell more."""
    change = found.change
    changed = ChangeOf(change.how, change.sign, item.node, isinstance(item, Measure))
    yield LargestChange(changed, found.extreme)


@rule(LargestChange, Join)
def more_than(most: LargestChange, join: Join, names: Names) -> Iterable[Phrase]:
    """Lost more NDVI + than."""
    if join.by == "than" and (most.extreme.nth, most.extreme.top) == (1, 1):
        yield Half(most, "than")


@rule(ChangeOf, Operator)
def changed_more_than(changed: ChangeOf, operator: Operator, names: Names) -> Iterable[Phrase]:
    """Warmed + more than."""
    if changed.sign and operator.sign in ("gt", "lt"):
        yield Half(LargestChange(changed, Extreme("highest" if operator.sign == "gt" else "lowest")), "than")


@rule(Half, Mask)
def more_than_there(half: Half, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Warmed more than + the grassland."""
    if half.by == "than" and isinstance(half.left, LargestChange):
        yield ChangedMore(half.left.changed, _SIGNS[half.left.extreme.direction], mask.node)


@rule(LargestChange, Pair)
def more_here_than_there(most: LargestChange, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI fell more + in cropland than in the forest."""
    if pair.by == "than" and isinstance(pair.left, Mask) and isinstance(pair.right, Mask):
        sign = _SIGNS[most.extreme.direction]
        yield ChangedMore(most.changed, sign, pair.right.node, pair.left.node)


@rule(Mask, ChangedMore)
def ground_that_changed_more(mask: Mask, found: ChangedMore, names: Names) -> Iterable[Phrase]:
    """The forest + warmed more than the grassland."""
    if found.first is None and mask.node != found.second:
        yield replace(found, first=mask.node)


@rule(ChangedMore, Pair)
def more_from_one_time_to_another(found: ChangedMore, pair: Pair, names: Names) -> Iterable[Phrase]:
    """The forest warmed more than the grassland + from April to July."""
    if found.first is None:
        return
    first, second = (_size(found.changed, ground, pair, names) for ground in (found.first, found.second))
    if first is not None and second is not None:
        assumed = () if found.changed.measured else ("statistic",)
        made = Compare(first, found.sign, second, assumed=assumed)
        if kind_or_none(made) is not None:
            yield Condition(made)


def _size(changed: ChangeOf, ground: Node, pair: Pair, names: Names) -> Node | None:
    """Return how large a change is on a ground, in its own direction."""
    placed = fill_place(changed, ground)
    for found in between(placed, pair, names) if isinstance(placed, ChangeOf) else ():
        if isinstance(found, Changes):
            sides = (found.left, found.right) if changed.sign > 0 else (found.right, found.left)
            more, less = (s if changed.measured else Aggregate("mean", s, "pixel") for s in sides)
            return Combine("difference", more, less)
    return None
