"""Change: differences, ratios and per cent between two times, places, things; steps from date to date."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.closing import kind_or_none, raster
from treeline.core.query.expression import Aggregate, Combine, Compare, Node, Number, Steps
from treeline.core.query.grammar.comparison import filled
from treeline.core.query.grammar.registry import rule
from treeline.core.query.names import Names
from treeline.core.query.phrases import (
    Change,
    Changed,
    Changes,
    Extreme,
    HowMuch,
    Mask,
    Measure,
    Pair,
    Phrase,
    Raw,
    Stat,
    Stepwise,
    Unit,
    Value,
    Word,
)


@rule(Change, (Raw, Measure), either=True)
def change_of(change: Change, item: Raw | Measure, names: Names) -> Iterable[Phrase]:
    """Change in + mean NDVI."""
    yield Changed(change.how, change.sign, item.node, isinstance(item, Measure))


@rule(Changed, Pair, either=True)
def between(changed: Changed, pair: Pair, names: Names) -> Iterable[Phrase]:
    """Change in mean NDVI + from 2015 to 2017: the later against the earlier."""
    two = sides(changed.node, pair)
    if two is None:
        return
    earlier, later = two
    if isinstance(pair.left, Mask) or pair.by in ("than", "minus"):
        if changed.sign:
            return
        earlier, later = later, earlier
    yield Changes(changed.how, changed.sign, later, earlier, changed.measured)


def sides(node: Node, pair: Pair) -> tuple[Node, Node] | None:
    """Return a node at both times or places of a pair."""
    if pair.by == "or" or pair.by == "both":
        return None
    one, two = filled(node, pair.left), filled(node, pair.right)
    return None if one is None or two is None or one == two else (one, two)


@rule(Unit, Changes)
def pixels_that_changed(unit: Unit, found: Changes, names: Names) -> Iterable[Phrase]:
    """Pixels + got greener from A to B."""
    if unit.of == "pixel" and found.sign and not found.measured:
        mask = where_changed(found, Number(0.0))
        if mask is not None:
            yield Mask(mask)


def where_changed(found: Changes, limit: Number) -> Node | None:
    """Return where something rose or fell by more than a number."""
    left, right = raster(found.left), raster(found.right)
    if left is None or right is None:
        return None
    number_of = Number(found.sign * limit.value, limit.unit) if limit.value else limit
    made = Compare(Combine(found.how, left, right), "gt" if found.sign > 0 else "lt", number_of)  # type: ignore[arg-type]
    return made if kind_or_none(made) is not None else None


@rule(HowMuch, Changes, either=True)
def how_much_changed(word: HowMuch, found: Changes, names: Names) -> Iterable[Phrase]:
    """By how much + did NDVI change from A to B."""
    yield replace(found, how=word.how if word.how != "difference" else found.how, asked=True)


@rule(HowMuch, Changed)
def how_much_of_a_change(word: HowMuch, found: Changed, names: Names) -> Iterable[Phrase]:
    """By how much + did NDVI change."""
    yield replace(found, how=word.how if word.how != "difference" else found.how)


# --- Steps ----------------------------------------------------------------------------------------


@rule((Stat, Extreme), Change)
def largest_change(stat: Stat | Extreme, change: Change, names: Names) -> Iterable[Phrase]:
    """Largest + drop: of the changes from each date to the next."""
    if isinstance(stat, Stat) and stat.statistic in ("max", "min") and stat.over is None:
        yield Stepwise(stat.statistic == "max", change)


@rule(Stepwise, (Measure, Raw))
def largest_change_of(found: Stepwise, item: Measure | Raw, names: Names) -> Iterable[Phrase]:
    """Largest drop + in mean NDVI."""
    yield replace(found, node=item.node)


@rule(Stepwise, Word)
def between_neighbours(found: Stepwise, word: Word, names: Names) -> Iterable[Phrase]:
    """Largest drop in mean NDVI + between consecutive dates."""
    if word.name == "consecutive" and found.node is not None and found.change.sign and found.largest:
        steps = Steps(found.node, found.change.how)  # type: ignore[arg-type]
        made = Aggregate("min" if found.change.sign < 0 else "max", steps, "date")
        if kind_or_none(made) is not None:
            yield Value(made)
