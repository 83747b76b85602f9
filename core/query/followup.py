"""A fragment after a question changes its expression: one typed substitution."""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from treeline.core.query.canonical import both
from treeline.core.query.closing import close, kind_or_none, number
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    And,
    Combine,
    Compare,
    Convert,
    Dates,
    Node,
    Not,
    Place,
    Several,
    Show,
    Span,
    Trend,
    Variable,
    When,
    Which,
)
from treeline.core.query.grammar.anaphora import ask_of
from treeline.core.query.phrases.answers import Display, Form, Target
from treeline.core.query.phrases.comparisons import Changes, HowMuch
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.counts import Area, Count, CountOf, Share, Unit
from treeline.core.query.phrases.courses import Course
from treeline.core.query.phrases.phrase import Phrase, Word
from treeline.core.query.phrases.places import Location, Mask
from treeline.core.query.phrases.ranks import Extreme, Superlative
from treeline.core.query.phrases.times import Clouds, Ordinal, Time
from treeline.core.query.phrases.values import Anaphor, Each, Measure, Raw, Stat
from treeline.core.query.rewriting import rewrite
from treeline.core.query.slots import (
    Leaf,
    as_mask,
    leaves,
    lend,
    merge,
    rebuild,
    set_place,
    set_time,
    whole_year,
)

Way = Callable[[Any, Node], Iterable[Node]]


def apply_fragment(former: Node, fragment: Phrase) -> list[Node]:
    """Return what a fragment makes of an expression; nothing where it does not fit."""
    way = _WAYS.get(type(fragment))
    if way is None:
        return []
    made = list(way(fragment, former))
    if not made and isinstance(former, Show):  # "and its mean?" after a map
        shown = Aggregate("mean", former.of, "pixel")
        made = list(way(fragment, shown if kind_or_none(shown) is not None else former.of))
    # "Which date was it", of what was a date; "as a map", of what is one.
    told_again = isinstance(fragment, Anaphor) or isinstance(fragment, Form) and _is_shown(former, fragment)
    return [node for node in made if (told_again or node != former) and kind_or_none(node) is not None]


def is_fragment(phrase: Phrase) -> bool:
    """Return whether a meaning can only change the expression of a question before."""
    # A variable or a statistic is a question by itself as well, and so is all that closes.
    return type(phrase) in _WAYS and not isinstance(phrase, Raw | Measure) and not any(close(phrase))


def _time(fragment: Time, former: Node) -> Iterable[Node]:
    told = {leaf.when for leaf in _dated_leaves(former)}
    # Of several times nothing says which one the new one replaces, but for a change between two days.
    if len(told) != 1:
        yield from _between(fragment.when, former)
        return
    single = _reopen(former)
    for when in _possible_times(fragment.when, told.pop()):
        yield _close(set_time(single, when)) if single is not None else set_time(former, when)


def _between(when: When, former: Node) -> Iterable[Node]:
    """Yield a change between two other days: "and between 2021-06-19 and 2022-06-15?"."""
    changes = [node for node in former.walk() if isinstance(node, Combine)]
    span = when.spans[0] if len(when.spans) == 1 else None
    if len(changes) != 1 or span is None or span.first is None or span.last is None or span.is_day:
        return
    (change,) = changes
    left, right = (_one_day(side) for side in (change.left, change.right))
    if when != When((span,)) or left is None or right is None:
        return
    begins, ends = (When((Span(day, day),)) for day in (span.first, span.last))
    # The one that was the later day stays the later one.
    first, second = (begins, ends) if left < right else (ends, begins)
    changed = replace(change, left=set_time(change.left, first), right=set_time(change.right, second))
    yield rewrite(former, (Combine,), lambda node: changed if node == change else node)


def _one_day(side: Node) -> dt.date | None:
    """Return the day that a side of a change is of; ``None`` where it is of anything else."""
    whens = {leaf.when for leaf in _dated_leaves(side)}
    when = whens.pop() if len(whens) == 1 else ALWAYS
    is_day = len(when.spans) == 1 and when == When(when.spans) and when.spans[0].is_day
    return when.spans[0].first if is_day else None


def _possible_times(when: When, former: When) -> Iterable[When]:
    """Yield what a time may mean: "and in 2017" after July 2016 may be its July, or all of it."""
    if len(when.spans) == len(former.spans) == 1 and not when.months and whole_year(when.spans[0]):
        months = _months(former)
        yield from (merge(When(months=months), when) or when,) if months else ()
    yield _in_its_years(when, former)


def _in_its_years(when: When, former: When) -> When:
    """Return a season or month without a year in the years that were asked of before: "and in summer"."""
    if not when.months or when.spans or when.at is not None or former.at is not None:
        return when
    bare = replace(former, months=())
    if former.spans and all(whole_year(span) for span in former.spans):
        return merge(when, bare) or when
    return lend(bare, when)


def _months(when: When) -> tuple[int, ...]:
    """Return the whole months of one year that a time is; none for a day, a year or anything else."""
    span = when.spans[0]
    if span.first is None or span.last is None or span.first.year != span.last.year or whole_year(span):
        return when.months if whole_year(span) else ()
    ends = calendar.monthrange(span.last.year, span.last.month)[1]
    months = tuple(range(span.first.month, span.last.month + 1))
    return months if (span.first.day, span.last.day) == (1, ends) else ()


def _dated_leaves(node: Node) -> list[Any]:
    return [leaf for leaf in leaves(node) if not (isinstance(leaf, Variable) and leaf.timeless)]


def _reopen(former: Node) -> Aggregate | None:
    """Return the statistic of each date below a default over the dates, which another time may not need."""
    if isinstance(former, Aggregate):
        if former.over == "date" and "dates" in former.assumed and isinstance(former.of, Aggregate):
            return former.of
        if former.over == "all" and "over" in former.assumed:
            kept = tuple(slot for slot in former.assumed if slot != "over")
            return replace(former, over="pixel", assumed=kept)
        if former.over == "pixel" and not _lists_dates(former):
            return former
    return None


def _lists_dates(former: Aggregate) -> bool:
    """Return whether a statistic was asked of each of several dates, which another time keeps."""
    return any(len(leaf.when.spans) != 1 or not leaf.when.spans[0].is_day for leaf in _dated_leaves(former))


def _close(node: Node) -> Node:
    return number(node) or node


def _place(fragment: Mask | Location, former: Node) -> Iterable[Node]:
    mask = as_mask(fragment.node)
    if isinstance(former, Aggregate) and former.over == "pixel" and isinstance(former.of, Place):
        yield _size_of_another(former, former.of, mask)
        return
    wheres = {leaf.where for leaf in leaves(former)}
    # Of several grounds nothing says which one gives way.
    if len(wheres) != 1:
        return

    def change(leaf: Any) -> Any:
        where = leaf.where
        # Named ground takes the place of named ground; a condition limits it further.
        parts = where.of if isinstance(where, And) else (where,) if where is not None else ()
        kept = [part for part in parts if not _is_ground(part)] if _is_ground(mask) else list(parts)
        return replace(leaf, where=both(*kept, mask))

    made = rebuild(former, lambda leaf: change(leaf) if leaf.where in wheres else leaf)
    if isinstance(made, Aggregate) and made.statistic in ("area", "count") and made.over == "pixel":
        made = replace(made, of=as_mask(made.of))
    yield made


def _size_of_another(former: Aggregate, ground: Place, mask: Node) -> Node:
    """Return the share or area of another class, "and cropland?", or within some ground, "above 500 m?"."""
    if isinstance(mask, Place) and mask.by == ground.by:
        return replace(former, of=mask)
    if former.statistic == "share":
        return replace(former, within=both(*filter(None, (former.within, mask))))
    return replace(former, of=set_place(mask, ground) if isinstance(mask, Compare) else both(ground, mask))


def _of_it(fragment: Anaphor, former: Node) -> Iterable[Node]:
    """Yield what is asked of what was found before."""
    former = _date_of_extreme(former)
    if isinstance(fragment.of, Stat) and not fragment.several:
        yield from _statistic(fragment.of, former)
    if isinstance(fragment.of, Superlative):  # "which one is lowest"
        yield from _extreme(fragment.of.extreme, former)
    if _asks_for_its_date(fragment.of) and _is_a_date(former):
        yield former
        return
    if _is_height(fragment.of) and (height := found_height(former)) is not None:
        yield height
        return
    for found in ask_of(fragment, former):
        yield from close(found)


def _date_of_extreme(former: Node) -> Node:
    """Return which date it was of which the highest or lowest number was told; "it" is that date."""
    match former:
        case Aggregate("max" | "min" as statistic, Aggregate() as each, "date", by=None) if _many_dates(each):
            return Which(each, "highest" if statistic == "max" else "lowest")
    return former


def _is_a_date(former: Node) -> bool:
    """Return whether one date was found, or several in order."""
    kind = kind_or_none(former) if isinstance(former, Which) else None
    return kind is not None and kind.value == "date"


def _asks_for_its_date(of: Phrase) -> bool:
    return isinstance(of, Unit) and of.of == "date"


def _is_height(of: Phrase) -> bool:
    return isinstance(of, Raw) and isinstance(of.node, Variable) and of.node.role == "dem"


def found_height(former: Node) -> Node | None:
    """Return the number itself of a date that was found, "how high was it?"; ``None`` where none was."""
    if isinstance(former, Several):
        heights = [height for part in former.of if (height := found_height(part)) is not None]
        return Several(tuple(heights)) if len(heights) == len(former.of) else None
    found = former.of if isinstance(former, Show) else former
    listed, ends = (found.of, found.direction) if isinstance(found, Which) else (found, "highest")
    if not isinstance(found, Which) and not isinstance(former, Show) or not _many_dates(listed):
        return None
    return Aggregate("max" if ends == "highest" else "min", listed, "date")


def _when_or_which(fragment: Unit, former: Node) -> Iterable[Node]:
    """Yield on which dates, or in which zones, that is so of which it was asked if it ever is: "When?"."""
    yield from _of_it(Anaphor(fragment, several=True), former)


def _is_ground(node: Node) -> bool:
    return isinstance(node.of if isinstance(node, Not) else node, Place)


def _statistic(fragment: Stat, former: Node) -> Iterable[Node]:
    if fragment.over is None:
        yield from _of_both_sides(
            former, statistic=fragment.statistic, parameter=fragment.parameter, assumed=()
        )
    opened = _reopen(former)
    if opened is None or fragment.over is not None:
        return
    made = replace(opened, statistic=fragment.statistic, parameter=fragment.parameter, assumed=())  # type: ignore[arg-type]
    closed = _close(made) if kind_or_none(made) is not None else None
    told, meant = kind_or_none(former), kind_or_none(closed) if closed is not None else None
    if closed is not None and (told is None or meant is None or told.axes == meant.axes):
        yield closed
    if told is not None and told.axes:  # of several numbers it may be the one that they have together
        yield from (found for it in ask_of(Anaphor(fragment, several=True), former) for found in close(it))


def _of_both_sides(former: Node, **changes: Any) -> Iterable[Node]:
    """Yield a difference with both its sides changed: another statistic, each class."""
    if isinstance(former, Combine):
        sides = [_reopen(side) for side in (former.left, former.right)]
        changed = [_close(replace(side, **changes)) for side in sides if side is not None]
        if len(changed) == len(sides):
            yield replace(former, left=changed[0], right=changed[1])


def _extreme(fragment: Extreme, former: Node) -> Iterable[Node]:
    """Yield another place in an order: "and the lowest?"; of a table or series, which of it that is."""
    if isinstance(former, Which):
        yield replace(former, direction=fragment.direction, nth=fragment.nth, top=fragment.top)
        return
    listed = former.of if isinstance(former, Convert | Show) else former
    kind = kind_or_none(listed)
    if kind is not None and len(kind.axes) == 1:
        yield Which(listed, fragment.direction, fragment.nth, fragment.top)


def _ordinal(fragment: Ordinal, former: Node) -> Iterable[Node]:
    """Yield the second of what was put in order: "and the second?"."""
    if isinstance(former, Which) and fragment.nth > 0:
        yield replace(former, nth=fragment.nth, top=1)


def _is_shown(former: Node, fragment: Form) -> bool:
    """Return whether what was asked for is already in the form that is wanted."""
    return isinstance(former, Show) and former.form == fragment.form


def _form(fragment: Form, former: Node) -> Iterable[Node]:
    if _is_shown(former, fragment):
        yield former
    if isinstance(former, Show):
        return  # it is of what is shown, as another form of it
    if isinstance(former, Which) and fragment.form == "map":
        found = list(_of_it(Anaphor(fragment), former))  # the map of the date or the place that was found
        yield from found or _form(fragment, former.of)  # of a class or region: of what they were ranked by
        return
    opened = _reopen(former)
    phrase: Phrase
    listed = former.of if isinstance(former, Which | Trend) else former
    if fragment.form != "map" and _is_listed(listed):
        phrase = Measure(listed)
    elif opened is not None and opened.statistic in ("share", "area", "count"):
        phrase = Mask(opened.of)
    elif opened is not None:
        phrase = Measure(opened) if opened.statistic != "mean" or _many_dates(opened) else Raw(opened.of)
    elif isinstance(former, Combine):
        sides = [_reopen(side) for side in (former.left, former.right)]
        if sides[0] is None or sides[1] is None:
            return
        bare = [rebuild(side.of, lambda leaf: replace(leaf, where=None)) for side in sides if side]
        phrase = Changes(former.how, 0, sides[0].of, sides[1].of)
        if bare[0] == bare[1]:
            # Two grounds have no pixel in common: a map shows what was compared, and a chart has nothing.
            if fragment.form != "map":
                return
            phrase = Raw(bare[0])
    else:
        phrase = Raw(former)
    yield from close(Display(phrase, fragment.picture))


def _many_dates(node: Node) -> bool:
    kind = kind_or_none(node)
    return kind is not None and "date" in kind.axes


def _is_listed(node: Node) -> bool:
    """Return whether an expression has a number for each date, class or region."""
    kind = kind_or_none(node)
    return kind is not None and kind.axes in ({"date"}, {"zone"}, {"period"})


def _each(fragment: Each, former: Node) -> Iterable[Node]:
    if isinstance(former, Trend) and fragment.axis in ("decade", "year", "month"):
        yield replace(former, gives="slope", per=fragment.axis)  # type: ignore[arg-type]
        return
    if fragment.zones is not None:
        yield from _of_both_sides(former, by=fragment.zones)
    opened = _reopen(former) or former
    if not isinstance(opened, Aggregate) or opened.by is not None or opened.over != "pixel":
        return
    if fragment.zones is not None:
        yield _close(replace(opened, by=fragment.zones))
    elif fragment.axis in ("date", "time"):
        yield opened
    elif opened.statistic == "mean":
        yield Aggregate("mean", opened, "date", by=fragment.axis, assumed=("dates",))  # type: ignore[arg-type]


def _clouds(fragment: Clouds, former: Node) -> Iterable[Node]:
    yield rebuild(
        former,
        lambda leaf: (
            replace(leaf, clouds=fragment.mode, assumed=tuple(one for one in leaf.assumed if one != "clouds"))
            if isinstance(leaf, Variable) and not leaf.timeless
            else leaf
        ),
    )


def _variable(fragment: Raw, former: Node) -> Iterable[Node]:
    new = fragment.node
    roles = {leaf.role for leaf in leaves(former)}
    if (
        not isinstance(new, Variable)
        or len(roles) != 1
        or any(not isinstance(leaf, Variable) for leaf in leaves(former))
    ):
        return

    # With a time or a place of its own it is a question and no change of one.
    if new.when != ALWAYS or new.where is not None:
        return
    if isinstance(former, Trend) and new.role == "terrain_slope":  # the word for how steep the ground is
        yield replace(former, gives="slope")
        return

    shown = former.of if isinstance(former, Show) else former
    if new.timeless and (isinstance(shown, Which) or _many_dates(shown)):
        return  # it has no course

    def change(leaf: Leaf) -> Leaf:
        if new.timeless:
            return replace(new, where=leaf.where)
        return replace(new, when=leaf.when, where=leaf.where, clouds=getattr(leaf, "clouds", "included"))

    yield rebuild(former, change)


def _measure(fragment: Measure, former: Node) -> Iterable[Node]:
    """Yield another statistic of another variable: "and the maximum LST?"."""
    node = fragment.node
    if not isinstance(node, Aggregate) or (node.over, node.by, node.weight) != ("pixel", None, None):
        return
    for changed in _variable(Raw(node.of), former):
        opened = _reopen(changed)
        if opened is not None:
            made = replace(opened, statistic=node.statistic, parameter=node.parameter, assumed=node.assumed)
            yield from (_close(made),) if kind_or_none(made) is not None else ()
        # There is no statistic to exchange, and the one that is asked for is that of the former question.
        elif all(part.statistic == node.statistic for part in changed.walk() if _is_of_pixels(part)):  # type: ignore[attr-defined]
            yield changed


def _is_of_pixels(node: Node) -> bool:
    return isinstance(node, Aggregate) and node.over == "pixel"


def _unit(fragment: Target, former: Node) -> Iterable[Node]:
    yield Convert(former.of if isinstance(former, Convert) else former, fragment.unit)


def _limit(fragment: Limit, former: Node) -> Iterable[Node]:
    found = [node for node in former.walk() if isinstance(node, Compare)]
    listed = former.of if isinstance(former, Convert) else former
    if not found and _is_listed(listed):
        yield Dates(Compare(listed, fragment.sign, fragment.number, fragment.upper))  # type: ignore[arg-type]
    # Of several limits nothing says which one is another now.
    if len(found) == 1:
        new = replace(found[0], operator=fragment.sign, limit=fragment.number, upper=fragment.upper)  # type: ignore[arg-type]
        yield _swap(former, found[0], new)


def _swap(node: Any, old: Node, new: Node) -> Any:
    if node == old:
        return new
    if isinstance(node, tuple):
        return tuple(_swap(one, old, new) for one in node)
    if isinstance(node, Node):
        slots = {name: getattr(node, name) for name in node.__dataclass_fields__}
        kept = {name: _swap(value, old, new) for name, value in slots.items()}
        return replace(node, **kept) if kept != slots else node
    return node


def _change_of_statistic(statistic: str) -> Way:
    def change(fragment: Any, former: Node) -> Iterable[Node]:
        if (
            isinstance(former, Aggregate)
            and former.statistic in ("share", "area", "count")
            and former.over == "pixel"
        ):
            unit = fragment.unit if isinstance(fragment, Area) else ""
            yield replace(former, statistic=statistic, unit=unit)  # type: ignore[arg-type]

    return change


def _count_of(fragment: CountOf, former: Node) -> Iterable[Node]:
    """Yield how many pixels a share or area is; on how many dates something was so that was asked about."""
    if fragment.unit.of == "pixel":
        yield from _change_of_statistic("count")(fragment, former)
    elif fragment.unit.of == "date":
        yield from _how_many(Count(), former)


def _how_many(fragment: Count, former: Node) -> Iterable[Node]:
    """Yield how many dates, classes or regions those are that were listed: "how many?"."""
    claimed = former.of if isinstance(former, Not) else former
    if isinstance(claimed, Aggregate) and (claimed.statistic, claimed.over) in (
        ("any", "date"),
        ("all", "date"),
    ):
        yield Aggregate("count", claimed.of, "date")
    if isinstance(former, Dates):
        kind = kind_or_none(former.of)
        yield from (Aggregate("count", former.of, axis) for axis in (kind.axes if kind is not None else ()))


def _as_share(fragment: Word, former: Node) -> Iterable[Node]:
    """Yield a size as a share, a difference in per cent."""
    if fragment.name != "as_share":
        return
    yield from _change_of_statistic("share")(fragment, former)
    if isinstance(former, Combine) and former.how == "difference":
        yield replace(former, how="percent_change")


def _how_much(fragment: HowMuch, former: Node) -> Iterable[Node]:
    """Yield the difference of what was set against each other: "by how much?"."""
    if isinstance(former, Compare) and former.operator in ("gt", "ge", "lt", "le"):
        yield Combine("difference", former.of, former.limit)


def _course(fragment: Course, former: Node) -> Iterable[Node]:
    """Yield another fact of the trend that was asked for: "and is the trend significant?"."""
    trends = [part for part in former.walk() if isinstance(part, Trend)]
    if fragment.name == "Trend" and fragment.method in ("", trends[0].method if trends else "") and trends:
        yield replace(trends[0], gives=fragment.gives)  # type: ignore[arg-type]


_WAYS: dict[type[Phrase], Way] = {
    Time: _time,
    Mask: _place,
    Location: _place,
    Stat: _statistic,
    Extreme: _extreme,
    Ordinal: _ordinal,
    Form: _form,
    Each: _each,
    Clouds: _clouds,
    Raw: _variable,
    Measure: _measure,
    Target: _unit,
    Limit: _limit,
    Anaphor: _of_it,
    Unit: _when_or_which,
    Course: _course,
    Area: _change_of_statistic("area"),
    Count: _how_many,
    CountOf: _count_of,
    HowMuch: _how_much,
    Word: _as_share,
    Share: _change_of_statistic("share"),
}
