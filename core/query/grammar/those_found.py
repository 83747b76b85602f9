"""What is asked of several dates, zones or values that were found: how many of them, the last of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from treeline.core.query.canonical import both
from treeline.core.query.closing import by_zones, kind_or_none, series
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Compare,
    Dates,
    Facts,
    Node,
    Number,
    Several,
    Show,
    When,
    Which,
)
from treeline.core.query.grammar.groups import named_zones
from treeline.core.query.grammar.ranking import which_of_zones
from treeline.core.query.phrases.answers import FactOf
from treeline.core.query.phrases.counts import (
    Count,
    Unit,
)
from treeline.core.query.phrases.phrase import Phrase
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Superlative, WhichZone
from treeline.core.query.phrases.times import Time
from treeline.core.query.phrases.values import Stat, Value
from treeline.core.query.slots import (
    fill_time,
    leaves,
    rebuild,
    set_place,
    set_time,
)


def is_any(former: Node) -> bool:
    """Return whether it was asked if something holds on any date or in any zone."""
    return isinstance(former, Aggregate) and former.statistic == "any" and former.over in ("date", "zone")


def ask_of_several(of: Phrase, former: Node) -> Iterable[Phrase]:
    """Yield what is asked of several dates, zones or values once it is known of which."""
    condition = _condition(former)
    if isinstance(of, Stat):
        yield from _of_values(of, former)
    elif isinstance(former, Several):
        yield from _of_listed(of, former.of)
    elif condition is not None:
        yield from _of_dates(of, condition)
    elif isinstance(former, Facts) and former.about in ("images", "dates"):
        yield from _of_images(of, former)
    elif (passed := zones_condition(former)) is not None:
        yield from _of_zones(of, passed)
    elif counts_zones(former) and isinstance(of, Unit) and of.of in ("zone", "class"):
        yield Value(Dates(former.of))  # type: ignore[attr-defined]
    elif (counts_zones(former) or _finds_zone(former)) and isinstance(of, Value | WhichZone):
        zones = {part.by for part in former.walk() if isinstance(part, Aggregate)}
        asked = {part.by for part in of.node.walk() if isinstance(part, Aggregate) and part.over == "pixel"}
        yield from (of,) if asked and asked <= zones else ()


def zones_condition(former: Node) -> Compare | None:
    """Return the condition of the classes or regions counted, listed or asked for; of all of them none."""
    counted = isinstance(former, Aggregate) and (former.statistic, former.over) == ("count", "zone")
    counted = counted or (is_any(former) and former.over == "zone")  # type: ignore[attr-defined]
    if not counted and not isinstance(former, Dates) or counts_zones(former):
        return None
    condition = former.of  # type: ignore[attr-defined]
    kind = kind_or_none(condition)
    return (
        condition if isinstance(condition, Compare) and kind is not None and kind.axes == {"zone"} else None
    )


def _of_zones(of: Phrase, passed: Compare) -> Iterable[Phrase]:
    """Yield how many or which of the zones that passed a condition pass another; the highest of them."""
    match of:
        case Value(Aggregate("count", over="zone") as node) | Value(Dates() as node):
            both_hold = replace(node, of=both(passed, node.of))
            yield from (Value(both_hold),) if kind_or_none(both_hold) is not None else ()
        case WhichZone(each, extreme) if (
            each == passed.of and _SIDES.get(passed.operator) == extreme.direction
        ):
            yield Value(which_of_zones(of))
        case Unit(of="zone" | "class"):
            yield Value(Dates(passed))
        case Count():
            yield Value(Aggregate("count", passed, "zone"))


# The highest of those above a limit is the highest of all.
_SIDES = {"gt": "highest", "ge": "highest", "lt": "lowest", "le": "lowest"}


def _of_values(stat: Stat, former: Node) -> Iterable[Phrase]:
    """Yield a statistic of the numbers that were found: over months, dates, zones or pixels."""
    values = former.of if isinstance(former, Show) else former
    if counts_zones(former):
        values = former.of.of  # type: ignore[attr-defined]
    kind = kind_or_none(values)
    for axis in kind.axes if kind is not None and len(kind.axes) == 1 else ():
        made = Aggregate(stat.statistic, values, axis, parameter=stat.parameter)  # type: ignore[arg-type]
        if kind_or_none(made) is not None:
            yield Value(made)


def _condition(former: Node) -> Node | None:
    """Return the condition of the dates that were counted, listed or asked for."""
    counted = isinstance(former, Aggregate) and former.statistic in ("count", "any") and former.over == "date"
    if not counted and not (isinstance(former, Dates) and former.pick == "all"):
        return None
    kind = kind_or_none(former.of)  # type: ignore[attr-defined]
    return former.of if kind is not None and kind.axes == {"date"} else None  # type: ignore[attr-defined]


def _of_dates(of: Phrase, condition: Node) -> Iterable[Phrase]:
    """Yield what is asked of the dates on which a condition holds."""
    whens = {leaf.when for leaf in leaves(condition)}
    when = whens.pop() if len(whens) == 1 else ALWAYS
    match of:
        case Unit(of="date"):
            yield Value(Dates(condition))
        case Count():
            yield Value(Aggregate("count", condition, "date"))
        case Time(When(pick=1 | -1) as picked):
            yield Value(Dates(condition, "first" if picked.pick == 1 else "last"))
        case Value(Aggregate(statistic="count", over="date") as node) | Value(Dates() as node):
            other = fill_time(node.of, when) if when != ALWAYS else node.of
            if isinstance(other, Node):
                yield Value(replace(node, of=both(condition, other)))
        case _:
            filled = fill_time(of, When(at=Dates(condition)))
            yield from (filled,) if isinstance(filled, Phrase) else ()


def _of_images(of: Phrase, former: Facts) -> Iterable[Phrase]:
    """Yield what is asked of all images, or those of a time."""
    if isinstance(of, Time) and of.when.pick in (1, -1) and isinstance(former.of, When):
        yield FactOf("first_date" if of.when.pick == 1 else "last_date", former.of)
    elif former.of is None:
        yield of
    elif isinstance(former.of, When):
        filled = fill_time(of, former.of)
        yield from (filled,) if isinstance(filled, Phrase) else ()


def _of_listed(of: Phrase, parts: tuple[Node, ...]) -> Iterable[Phrase]:
    """Yield which of several dates or grounds that were told one by one is highest or lowest."""
    bare = {set_time(part, ALWAYS) for part in parts}
    grounds = tuple(Mask(leaf.where) for part in parts for leaf in leaves(part) if leaf.where is not None)
    each: Node | None = None
    if len(bare) == 1:
        whens = [leaf.when for part in parts for leaf in leaves(part)]
        days = tuple(sorted({span for when in whens for span in when.spans}, key=repr))
        if len(days) == len(parts) and all(when == When(when.spans) and when.single for when in whens):
            each = series(set_time(parts[0], When(days)))
    elif len(grounds) == len(parts) and (zones := named_zones(grounds)) is not None:
        alike = {set_place(part, grounds[0].node) for part in parts}
        each = by_zones(_without_places(parts[0]), zones) if len(alike) == 1 else None
    if each is None or not isinstance(of, Superlative):
        return
    made = Which(each, of.extreme.direction, of.extreme.nth, of.extreme.top)
    if kind_or_none(made) is not None:
        yield Value(made)


def _without_places(node: Node) -> Node:
    found: Node = rebuild(node, lambda leaf: replace(leaf, where=None))
    return found


def _finds_zone(former: Node) -> bool:
    """Return whether a node is which of all zones is highest or lowest."""
    kind = kind_or_none(former)
    return isinstance(former, Which) and former.top == 1 and kind is not None and kind.value == "name"


def counts_zones(former: Node) -> bool:
    """Return whether a node is how many zones there are."""
    if not isinstance(former, Aggregate) or (former.statistic, former.over) != ("count", "zone"):
        return False
    return isinstance(former.of, Compare) and former.of.limit == Number(0.0, "ha")
