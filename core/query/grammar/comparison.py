"""Comparison: one thing set against another of the same kind, at two times, two places, or of two variables."""

from __future__ import annotations

from collections.abc import Iterable

from treeline.core.query.closing import kind_or_none, number, series, versus
from treeline.core.query.expression import Combine, Node, Several
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases import (
    Comparative,
    Compared,
    Half,
    HowMuch,
    Join,
    Mask,
    Measure,
    Phrase,
    Raw,
    Time,
    Value,
    Versus,
)
from treeline.core.query.slots import fill_place, fill_time


def mean_of(node: Node) -> Node:
    """Return the series of a raster, or a series as it is."""
    return series(node) or node


@rule(Comparative, Join)
def than(word: Comparative, join: Join, names: Names) -> Iterable[Phrase]:
    """Greener + than."""
    if join.by == "than":
        yield Half(word, "than")


@rule((Time, Mask), Half)
def first_side(side: Time | Mask, half: Half, names: Names) -> Iterable[Phrase]:
    """Summer of 2017 + greener than."""
    if isinstance(half.left, Comparative) and half.left.node is not None:
        yield Compared(half.left.sign, half.left.node, side)


@rule(Compared, (Time, Mask))
def second_side(left: Compared, other: Time | Mask, names: Names) -> Iterable[Phrase]:
    """Summer of 2017 greener than + summer of 2016: a claim on both means."""
    if type(left.side) is not type(other):
        return
    one, two = filled(left.node, left.side), filled(left.node, other)
    if one is not None and two is not None and one != two:
        yield Versus(left.sign, one, two)


def filled(node: Node, side: Phrase) -> Node | None:
    """Return a node at a time or on a ground."""
    if isinstance(side, Time):
        found = fill_time(node, side.when)
    elif isinstance(side, Mask):
        found = fill_place(node, side.node)
    else:
        found = None
    return found if isinstance(found, Node) else None


@rule((Raw, Measure), Half)
def first_thing(item: Raw | Measure, half: Half, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of July + higher than."""
    if isinstance(half.left, Comparative) and half.left.node is None:
        yield Half(Compared(half.left.sign, item.node, item), "than")


@rule(Half, (Time, Mask, Raw, Measure))
def second_thing(half: Half, other: Phrase, names: Names) -> Iterable[Phrase]:
    """Mean NDVI higher in July than + in June; mean NIR higher than + mean red."""
    if not isinstance(half.left, Compared):
        return
    left = half.left
    if isinstance(other, Raw | Measure) and type(other) is type(left.side):
        if left.node != other.node:
            yield Versus(left.sign, left.node, other.node)


@rule(HowMuch, Versus)
def by_how_much(word: HowMuch, claim: Versus, names: Names) -> Iterable[Phrase]:
    """How much + higher is X than Y."""
    yield from difference(claim, word)


def difference(claim: Versus, word: HowMuch) -> Iterable[Phrase]:
    """Yield by how much one exceeds the other."""
    left, right = number(claim.left), number(claim.right)
    if left is not None and right is not None:
        node = Combine(word.how, left, right)  # type: ignore[arg-type]
        if kind_or_none(node) is not None:
            yield Value(node)


@rule(Versus, HowMuch)
def and_by_how_much(claim: Versus, word: HowMuch, names: Names) -> Iterable[Phrase]:
    """Was X greener than Y + and by how much."""
    said = versus(claim.sign, claim.left, claim.right)
    for found in difference(claim, word):
        if said is not None and isinstance(found, Value):
            yield Value(Several((said, found.node)))


@rule(Join, HowMuch)
def joined_amount(join: Join, word: HowMuch, names: Names) -> Iterable[Phrase]:
    """And + by how much."""
    if join.by == "and" and word.by:
        yield word
