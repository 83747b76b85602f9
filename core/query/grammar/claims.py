"""Claims that deny, and claims on ground: what did not rise, where one date was greener, what is larger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from treeline.core.query.closing import kind_or_none, raster, raster_of_mean, series
from treeline.core.query.expression import Aggregate, Compare, Node, Number, Variable
from treeline.core.query.grammar.change import sides
from treeline.core.query.grammar.counting import ground_asked
from treeline.core.query.grammar.registry import rule
from treeline.core.query.kinds import kind_of
from treeline.core.query.names import Names
from treeline.core.query.phrases.answers import Display, Form
from treeline.core.query.phrases.comparisons import (
    Change,
    Comparative,
    NoChange,
    Versus,
)
from treeline.core.query.phrases.conditions import Claim, Condition, Limit
from treeline.core.query.phrases.counts import Area, CountOf, PixelsOf, ShareOf, Unit
from treeline.core.query.phrases.phrase import Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Measure, Raw
from treeline.core.query.slots import fill_place

_OPPOSITE = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt", "eq": "ne", "ne": "eq"}


@rule(Word, Mask, cost=1)
def claim_on_two_bands(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Is + near infrared higher than red: on the mean, of which nothing else is said."""
    compared = mask.node
    if word.name != "did" or not isinstance(compared, Compare) or not isinstance(compared.limit, Variable):
        return
    left, right = series(compared.of), series(compared.limit)
    if isinstance(compared.of, Variable) and left is not None and right is not None:
        yield Claim(replace(compared, of=left, limit=right))


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
        yield NoChange(change.sign)


@rule((Raw, Measure), NoChange, either=True)
def no_change_of(item: Raw | Measure, found: NoChange, names: Names) -> Iterable[Phrase]:
    """Mean NDVI + did not decrease."""
    if found.node is None:
        yield replace(found, node=item.node)


@rule(NoChange, Pair)
def no_change_between(found: NoChange, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Mean NDVI did not decrease + from 2016 to 2017: it is at least as high in the later time."""
    two = sides(found.node, pair) if found.node is not None else None
    if two is not None and isinstance(pair.left, Time) and pair.by in ("between", "to", "and"):
        earlier, later = two
        yield Versus("ge" if found.sign < 0 else "le", later, earlier)


@rule(Raw, Word)
def skewed_to_a_side(raw: Raw, word: Word, names: Names) -> Iterable[Phrase]:
    """NDVI on 14 August 2016 + skewed to the left: its skewness is below 0."""
    if word.name in _SKEWED:
        made = Compare(Aggregate("skewness", raw.node, "pixel"), _SKEWED[word.name], Number(0.0))
        if kind_or_none(made) is not None:
            yield Condition(made)


_SKEWED: Mapping[str, Literal["lt", "gt"]] = {"skewed_left": "lt", "skewed_right": "gt"}

# --- Ground of a claim ------------------------------------------------------------------------------


@rule((ShareOf, CountOf, Area), Versus)
def ground_of_a_claim(asked: ShareOf | CountOf | Area, found: Versus, names: Names) -> Iterable[Phrase]:
    """What share of the pixels + was greener on A than on B: pixel by pixel."""
    for held in _held_by_pixels(found):
        yield from ground_asked(asked, held)


@rule(Unit, Versus)
def pixels_of_a_claim(unit: Unit, found: Versus, names: Names) -> Iterable[Phrase]:
    """Pixels where + NDVI on A was lower than on B."""
    if unit == Unit("pixel"):
        yield from (Mask(held) for held in _held_by_pixels(found) if kind_of(held).axes == {"pixel"})


@rule(PixelsOf, Versus)
def pixels_of_a_ground_in_a_claim(pixels: PixelsOf, found: Versus, names: Names) -> Iterable[Phrase]:
    """Forest pixels + had a lower NDVI on A than on B: those of them for which it holds."""
    placed = fill_place(found, pixels.node)
    for held in _held_by_pixels(placed) if isinstance(placed, Versus) else ():
        if kind_of(held).axes == {"pixel"}:
            yield PixelsOf(held)


@rule(Form, Versus)
def map_of_a_comparison(form: Form, found: Versus, names: Names) -> Iterable[Phrase]:
    """Where was + it greener in 2017 than in 2016."""
    if form.where:
        yield from (Display(Mask(h), "map") for h in _held_by_pixels(found) if kind_of(h).axes == {"pixel"})


def _held_by_pixels(found: Versus) -> Iterable[Node]:
    """Yield a claim on two means as what holds pixel by pixel; of several dates it is of their mean."""
    left, right = (raster_of_mean(side) for side in (found.left, found.right))
    if found.sign in _OPPOSITE:
        held = Compare(raster(left) or left, found.sign, raster(right) or right)  # type: ignore[arg-type]
        yield from (held,) if kind_or_none(held) is not None else ()
