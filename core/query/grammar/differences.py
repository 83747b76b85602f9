"""The difference of two that were just told, or of the two of which one was looked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import ALWAYS, Aggregate, Combine, Node, Place, When, Which
from treeline.core.query.grammar.comparison import claim_with_difference
from treeline.core.query.grammar.registry import rule
from treeline.core.query.grammar.several import JOINS
from treeline.core.query.grammar.time import starts_later
from treeline.core.query.names import Names
from treeline.core.query.phrases.comparisons import Change, ChangeOf, Changes, HowMuch, TheDifference, Versus
from treeline.core.query.phrases.phrase import Half, Many, Pair, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Ends, Extreme, WhichZone
from treeline.core.query.phrases.values import Measure, Raw, Value
from treeline.core.query.repetition import says
from treeline.core.query.slots import leaves, set_time


@rule(Word, Change)
def how_it_changed(word: Word, change: Change, names: Names) -> Iterable[Phrase]:
    """Did it + change, or rise; do they + differ."""
    if word.name == "it" or word.name == "they_two" and not change.sign:
        yield TheDifference(change.how, in_time=word.name == "it")


@rule(Change, Pair)
def between_the_ends(change: Change, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Difference between + the hottest and the coldest region: between what they are chosen by."""
    masks = [side.node for side in (pair.left, pair.right) if isinstance(side, Mask)]
    ends = [mask.at for mask in masks if isinstance(mask, Place)]
    if change != Change() or pair.by != "and" or len(ends) != 2:
        return
    one, other = ends
    if isinstance(one, Which) and other == replace(one, direction=_OTHER_END[one.direction]):
        spread = Aggregate("range", one.of, "zone")
        yield from (Value(spread),) if one.nth == 1 and kind_or_none(spread) is not None else ()


_OTHER_END: dict[str, Ends] = {"highest": "lowest", "lowest": "highest"}


@rule(HowMuch, (Change, TheDifference))
def how_much_it_changed(word: HowMuch, found: Change | TheDifference, names: Names) -> Iterable[Phrase]:
    """How much + did it change; by how many per cent + do they differ."""
    if isinstance(found, TheDifference) or not found.sign:
        how = word.how if found.how == "difference" else found.how
        yield TheDifference(how, getattr(found, "in_time", False))


@rule(Half, (Change, TheDifference, HowMuch))
def and_the_difference(half: Half, asked: Phrase, names: Names) -> Iterable[Phrase]:
    """Mean NDVI on A and on B, + and what is the difference; which is greener, + and by how much."""
    apart = not getattr(asked, "in_time", False) or _is_of_two_times(half.left)
    if half.by in JOINS and not getattr(asked, "sign", 0) and apart:
        yield from _difference_of(half.left, asked.how)  # type: ignore[attr-defined]


def _is_of_two_times(told: Phrase) -> bool:
    """Return whether two measures are of one thing at two times."""
    parts = told.of if isinstance(told, Many) else ()
    alike = {set_time(part.node, ALWAYS) for part in parts if isinstance(part, Measure)}
    return len(parts) == 2 and len(alike) == 1


@rule(Half, ChangeOf)
def and_the_difference_in(half: Half, changed: ChangeOf, names: Names) -> Iterable[Phrase]:
    """Which is greener, + and what is the difference in mean NDVI: of what was compared."""
    told = half.left.of if isinstance(half.left, Many) else (half.left,)
    said = Measure(changed.node) if isinstance(changed.node, Aggregate) else Raw(changed.node)
    if half.by in JOINS and changed.measured and not changed.sign and all(_says(one, said) for one in told):
        yield from _difference_of(half.left, changed.how)


def _says(told: Phrase, said: Phrase) -> bool:
    nodes = (told.left, told.right) if isinstance(told, Versus) else (getattr(told, "node", None),)
    return all(isinstance(node, Node) and says(node, said) for node in nodes)


@rule(Changes, HowMuch)
def and_by_how_much_it_changed(found: Changes, word: HowMuch, names: Names) -> Iterable[Phrase]:
    """Did mean NDVI rise or fall from A to B, + and by how much: which tells both."""
    if not found.sign and found.how == "difference":
        yield replace(found, how=word.how, asked=True)


@rule((WhichZone, Value), HowMuch)
def and_by_how_much(found: WhichZone | Value, word: HowMuch, names: Names) -> Iterable[Phrase]:
    """Which of forest and grassland is greener + and by how much."""
    yield from _difference_of(found, word.how)


@rule(Many, Word)
def and_their_difference(several: Many, word: Word, names: Names) -> Iterable[Phrase]:
    """Mean NDVI of grassland and of forest, + and the difference between the two."""
    if word.name == "and_difference":
        yield from _difference_of(several, "difference")


def _difference_of(told: Phrase, how: str) -> Iterable[Phrase]:
    """Yield what was told with the difference: of two measures, or of the two of which one is looked for."""
    if isinstance(told, Versus):
        yield from claim_with_difference(told, HowMuch(how))
    elif isinstance(told, Many):
        measures = [part for part in told.of if isinstance(part, Measure)]
        if len(measures) == len(told.of) == 2:
            made = Combine(how, *_later_first(measures[0].node, measures[1].node))  # type: ignore[arg-type]
            if kind_or_none(made) is not None:
                yield Many((*told.of, Measure(made)))
    elif how == "difference" and (table := _two_of_which_one(told)) is not None:
        (axis,) = kind_or_none(table).axes  # type: ignore[union-attr]
        yield Many((told, Value(Aggregate("range", table, axis))))


def _later_first(first: Node, second: Node) -> tuple[Node, Node]:
    """Return two measures, that of the later time first where they are of one thing at two times."""
    whens = [{leaf.when for leaf in leaves(side)} for side in (first, second)]
    if any(len(told) != 1 for told in whens) or set_time(first, ALWAYS) != set_time(second, ALWAYS):
        return first, second
    earlier, later = (told.pop() for told in whens)
    return (second, first) if starts_later(later, earlier) else (first, second)


def _two_of_which_one(told: Phrase) -> Node | None:
    """Return the numbers of two dates, periods or zones of which the higher or lower is asked for."""
    if isinstance(told, WhichZone):
        alone, table = told.extreme == Extreme(told.extreme.direction), told.node
    elif isinstance(told, Value) and isinstance(told.node, Which):
        alone, table = (told.node.nth, told.node.top) == (1, 1), told.node.of
    else:
        return None
    kind = kind_or_none(table)
    if not alone or kind is None or kind.value != "number" or len(kind.axes) != 1:
        return None
    return table if _members(table, next(iter(kind.axes))) == 2 else None


def _members(table: Node, axis: str) -> int:
    """Return over how many members that the question names a table goes."""
    if axis == "zone":
        by = getattr(table, "by", None)
        return len(getattr(by, "names", ()))
    whens = {leaf.when for leaf in leaves(table)}
    when = whens.pop() if len(whens) == 1 else ALWAYS
    return len(when.spans) if when == When(when.spans, when.months) else 0
