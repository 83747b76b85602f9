"""Claims that deny, and claims on ground: what did not rise, where one date was greener, what is larger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import raster_of_mean
from treeline.core.query.expression import Aggregate, Compare, Place, Which
from treeline.core.query.grammar.change import sides
from treeline.core.query.grammar.counting import ground_asked
from treeline.core.query.grammar.groups import named_zones
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import (
    Change,
    Comparative,
    HowMuch,
    Larger,
    LargerThan,
    Unchanged,
    Versus,
)
from treeline.core.query.phrases.conditions import Held, Limit
from treeline.core.query.phrases.counts import Area, AreaChange, Counted, ShareOf
from treeline.core.query.phrases.phrase import Join, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Amount, Measure, Raw, Value
from treeline.core.query.slots import as_mask, leaves

_OPPOSITE = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt", "eq": "ne", "ne": "eq"}

# --- Denied ---------------------------------------------------------------------------------------


@rule(Word, (Limit, Comparative))
def deny(word: Word, item: Limit | Comparative, names: Names) -> Iterable[Phrase]:
    """Did not + exceed 0.8; not + greener."""
    if word.name == "not" and item.sign in _OPPOSITE:
        yield replace(item, sign=_OPPOSITE[item.sign])


@rule(Word, Change)
def no_change(word: Word, change: Change, names: Names) -> Iterable[Phrase]:
    """Did not + decrease."""
    if word.name == "not" and change.sign and change.how == "difference":
        yield Unchanged(change.sign)


@rule((Raw, Measure), Unchanged, either=True)
def no_change_of(item: Raw | Measure, found: Unchanged, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + did not decrease."""
    if found.node is None:
        yield replace(found, node=item.node)


@rule(Unchanged, Pair)
def no_change_between(found: Unchanged, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Mean NDVI did not decrease + from 2016 to 2017: it is at least as high in the later time."""
    two = sides(found.node, pair) if found.node is not None else None
    if two is not None and isinstance(pair.left, Time) and pair.by in ("between", "to", "and"):
        earlier, later = two
        yield Versus("ge" if found.sign < 0 else "le", later, earlier)


# --- Ground of a claim ------------------------------------------------------------------------------


@rule((ShareOf, Counted, Area), Versus)
def ground_of_a_claim(asked: ShareOf | Counted | Area, found: Versus, names: Names) -> Iterable[Phrase]:
    """What share of the pixels + was greener on A than on B: pixel by pixel."""
    if found.sign in _OPPOSITE:
        left, right = raster_of_mean(found.left), raster_of_mean(found.right)
        yield from ground_asked(asked, Compare(left, found.sign, right))  # type: ignore[arg-type]


# --- Larger ground --------------------------------------------------------------------------------


@rule(Larger, Join)
def larger_than(larger: Larger, join: Join, names: Names) -> Iterable[Phrase]:
    """Larger + than."""
    if join.by == "than" and not larger.than:
        yield replace(larger, than=True)


@rule(Mask, Larger)
def first_ground(mask: Mask, larger: Larger, names: Names) -> Iterable[Phrase]:
    """The forest + is larger than."""
    if larger.than and not leaves(mask.node):
        yield LargerThan(larger.sign, mask.node)


@rule(Larger, Amount)
def larger_than_a_share(larger: Larger, amount: Amount, names: Names) -> Iterable[Phrase]:
    """Covers more than + 60 %, of everything to come."""
    if larger.than and amount.number.unit == "%":
        yield Limit(larger.sign, amount.number)


@rule(Larger, Pair)
def more_ground(larger: Larger, pair: Pair, names: Names) -> Iterable[Phrase]:
    """More + forest than grassland: a claim on their areas."""
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if pair.by == "than" and not larger.than and len(grounds) == 2 and not any(map(leaves, grounds)):
        left, right = (Aggregate("area", as_mask(ground), "pixel") for ground in grounds)
        yield Held(Compare(left, larger.sign, right))  # type: ignore[arg-type]


@rule(HowMuch, Larger)
def how_much_larger(word: HowMuch, larger: Larger, names: Names) -> Iterable[Phrase]:
    """How many times + larger."""
    if not larger.than:
        yield AreaChange(word.how)


@rule(LargerThan, Mask)
def second_ground(found: LargerThan, mask: Mask, names: Names) -> Iterable[Phrase]:
    """The forest is larger than + the grassland: a claim on their areas."""
    if not leaves(mask.node) and mask.node != found.node:
        left, right = (Aggregate("area", as_mask(node), "pixel") for node in (found.node, mask.node))
        yield Versus(found.sign, left, right)


@rule(Larger, Pair)
def which_ground(larger: Larger, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Which is larger, + the forest or the grassland."""
    zones = named_zones((pair.left, pair.right)) if pair.by == "or" and not larger.than else None
    grounds = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    if zones is None or not all(isinstance(ground, Place) for ground in grounds):
        return
    every = Place(zones.by, tuple(sorted(zones.names)), zones.source, zones.attribute)  # type: ignore[arg-type]
    each = Aggregate("area", every, "pixel", by=zones)
    yield Value(Which(each, "highest" if larger.sign == "gt" else "lowest"))
