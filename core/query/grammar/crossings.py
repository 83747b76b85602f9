"""One variable that passes limits at two times: above one then and below another later, or no longer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both, either
from treeline.core.query.expression import ALWAYS, And, Compare, Node, Not, Variable, When
from treeline.core.query.grammar.conditions import compare
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import Change
from treeline.core.query.phrases.conditions import Crossing, Limit, LimitThen, NotThen
from treeline.core.query.phrases.phrase import Half, Join, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Raw
from treeline.core.query.slots import fill_time, leaves, set_time


@rule(Limit, Time)
def limit_then(limit: Limit, time: Time, names: Names) -> Iterable[Phrase]:
    """Below 0.7 + on 4 August 2017."""
    if time.when.single and time.when.at is None:
        yield LimitThen(limit, time.when)


@rule(Word, Time)
def not_then(word: Word, time: Time, names: Names) -> Iterable[Phrase]:
    """Not + on 5 July 2017."""
    if word.name == "not" and time.when.single:
        yield NotThen(time.when)


@rule(Half, (LimitThen, NotThen, Time))
def and_then(half: Half, then: LimitThen | NotThen | Time, names: Names) -> Iterable[Phrase]:
    """NDVI above 0.75 on 5 July but + below 0.7 on 4 August; not on 4 August; as well as on 4 August."""
    held = half.left.node if isinstance(half.left, Mask) else None
    if half.by not in _JOINED or not isinstance(held, Compare) or not isinstance(held.of, Variable):
        return
    if held.of.when in (ALWAYS, then.when) or not then.when.single or not held.of.when.single:
        return
    other = set_time(held, then.when)
    if isinstance(then, NotThen):
        other = Not(other)
    elif isinstance(then, LimitThen):
        other = compare(set_time(held.of, then.when), then.limit)
    if other is not None:
        yield Mask(either(held, other) if half.by == "or" else both(held, other))


_JOINED = ("and", "or", "each")


@rule(Mask, LimitThen)
def which_was_then(mask: Mask, then: LimitThen, names: Names) -> Iterable[Phrase]:
    """NDVI above 0.7 on 11 July that was + below 0.7 on 5 August."""
    yield from and_then(Half(mask, "and"), then, names)


# --- From below one to above another --------------------------------------------------------------


@rule((Limit, LimitThen), Join)
def first_crossing(limit: Limit | LimitThen, join: Join, names: Names) -> Iterable[Phrase]:
    """Below 0.4 + to."""
    if join.by == "to":
        yield Half(limit, "to")


@rule(Half, (Limit, LimitThen))
def second_crossing(half: Half, other: Limit | LimitThen, names: Names) -> Iterable[Phrase]:
    """Below 0.4 to + above 0.6."""
    if half.by == "to" and type(half.left) is type(other) and half.left != other:
        yield Pair(half.left, other, "to")


@rule(Word, Pair)
def from_one_to_another(word: Word, pair: Pair, names: Names) -> Iterable[Phrase]:
    """From + below 0.4 to above 0.6."""
    if word.name != "from" or pair.by != "to":
        return
    if isinstance(pair.left, Limit) and isinstance(pair.right, Limit):
        yield Crossing(pair.left, pair.right)
    if isinstance(pair.left, LimitThen) and isinstance(pair.right, LimitThen):
        yield pair


@rule((Word, Change), (Crossing, Pair))
def went(word: Word | Change, crossing: Crossing | Pair, names: Names) -> Iterable[Phrase]:
    """Went, rose + from below 0.4 to above 0.6."""
    later = crossing.later if isinstance(crossing, Crossing) else getattr(crossing.right, "limit", None)
    if not isinstance(later, Limit):
        return
    if isinstance(word, Word):
        yield from (crossing,) if word.name == "went" else ()
    elif word.how == "difference" and _SIGNS.get(later.sign, word.sign) * word.sign >= 0:
        yield crossing


@rule(Word, Mask)
def went_from_one_to_another(word: Word, mask: Mask, names: Names) -> Iterable[Phrase]:
    """Went + from an NDVI above 0.7 on one date to below 0.7 on another."""
    node = mask.node
    both_dated = isinstance(node, And) and len({getattr(leaf, "when", None) for leaf in leaves(node)}) == 2
    if word.name == "went" and both_dated and len(node.of) == 2:  # type: ignore[attr-defined]
        yield mask


_SIGNS = {"gt": 1, "ge": 1, "lt": -1, "le": -1}


@rule(Raw, Crossing, either=True)
def crossing_of(raw: Raw, crossing: Crossing, names: Names) -> Iterable[Phrase]:
    """NDVI + from below 0.4 to above 0.6."""
    if crossing.node is None and all(leaf.when == ALWAYS for leaf in leaves(raw.node)):
        yield replace(crossing, node=raw.node)


@rule(Crossing, Pair)
def crossing_between(crossing: Crossing, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI from below 0.4 to above 0.6 + between two dates."""
    if crossing.node is None or pair.by not in ("between", "to", "and"):
        return
    if isinstance(pair.left, Time) and isinstance(pair.right, Time):
        yield from _crossing(
            crossing.node, (crossing.earlier, pair.left.when), (crossing.later, pair.right.when)
        )


@rule(Raw, Pair)
def crossing_with_times(raw: Raw, pair: Pair, names: Names) -> Iterable[Phrase]:
    """NDVI + below 0.4 on one date to above 0.6 on another."""
    left, right = pair.left, pair.right
    if pair.by == "to" and isinstance(left, LimitThen) and isinstance(right, LimitThen):
        yield from _crossing(raw.node, (left.limit, left.when), (right.limit, right.when))


def _crossing(node: Node, *limits: tuple[Limit, When]) -> Iterable[Phrase]:
    """Yield where a variable passes a limit at one time and another at another."""
    parts = []
    for limit, when in limits:
        dated = fill_time(node, when)
        passed = compare(dated, limit) if isinstance(dated, Node) and when.single else None
        if passed is None:
            return
        parts.append(passed)
    yield Mask(both(*parts))
