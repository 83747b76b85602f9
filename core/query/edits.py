"""The parts of an expression that can be changed one by one, each with what it could be instead.

The data decide what is offered: the variables, dates and classes that are there. A change is an expression
again, told in words that the reader reads as that expression.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice

from treeline.core.query.checks import absences
from treeline.core.query.closing import kind_or_none
from treeline.core.query.expression import (
    ALWAYS,
    Aggregate,
    Clouds,
    Facts,
    Node,
    Place,
    Several,
    Show,
    Span,
    Variable,
    When,
)
from treeline.core.query.inventory import STATIC_ROLES, Inventory
from treeline.core.query.kinds import IllTyped
from treeline.core.query.names import variable_of
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.reading import read
from treeline.core.query.rewriting import rewrite
from treeline.core.query.sayings import CannotSay
from treeline.core.query.slots import Leaf, leaves, rebuild
from treeline.core.query.words import span_words
from treeline.toolkit.variables import CLOUD_ROLES, variable

MOST = 30
_STATISTICS = {
    "mean": "mean",
    "median": "median",
    "min": "minimum",
    "max": "maximum",
    "std": "standard deviation",
}
_CLOUDS: dict[Clouds, str] = {
    "included": "clouds included",
    "masked": "clouds masked",
    "clear_dates": "on cloud-free dates",
}
EVERYWHERE = "everywhere"
# Ground that has no name of its own.
_UNNAMED = {"feature": "all polygons", "aoi": "the area"}
_NO_BRACKETS = str.maketrans("", "", "()")
_GOING_ON = (
    "as a map",
    "per class",
    "which is the highest?",
    "what is the trend?",
    "as a chart",
    "for each year",
)
_SUGGESTED = ("period", "clouds", "place", "statistic")
_MOST_GOING_ON = 3
_TRIED, _MOST_SUGGESTED, _LONGEST_SUGGESTION = 3, 5, 60
_MADE_OF_ANY_SCENE = ("index", "temperature")
_NO_VARIABLES = frozenset({*CLOUD_ROLES, "landcover", "classes", "rgb", "clear_score"})


@dataclass(frozen=True, slots=True)
class Change:
    """One other thing that a part could be.

    Attributes
    ----------
    text : str
        In a few words.
    fragment : str
        The same as a question that follows the one before.
    expression : Node
        The whole expression with it.
    """

    text: str
    fragment: str
    expression: Node


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an expression that can be changed.

    Attributes
    ----------
    name : str
        ``variable``, ``period``, ``clouds``, ``place`` or ``statistic``.
    now : str
        What it is, in a few words.
    changes : tuple of Change
    """

    name: str
    now: str
    changes: tuple[Change, ...]


def parts_of(expression: Node, inventory: Inventory) -> tuple[Part, ...]:
    """Return the parts of an expression that can be changed, with what each could be instead."""
    ways: list[Callable[[Node, Inventory], Part | None]] = [_variable, _period, _clouds, _place, _statistic]
    if isinstance(expression, Facts):
        ways = ways[:2] if expression.about in _OF_DATES else []
    found = (way(expression, inventory) for way in ways)
    return tuple(part for part in found if part is not None and part.changes)


# Clouds, ground and statistics change no fact of the data, and a time only what is told of dates: whether
# something is there is told with all its dates.
_OF_DATES = ("images", "dates", "first_date", "last_date", "span", "gap", "interval")


def edited_question(change: Change, former: Node, inventory: Inventory) -> str:
    """Return a question after the former one that is read as a change; empty where none is.

    The shortest that is: the change alone, else the whole question, with brackets only where it needs them.
    """
    for text in (change.fragment, *_wholes(change.expression, inventory)):
        reading = read(text, inventory, former)
        if reading.status == "read" and reading.expression == change.expression:
            return text
    return ""


def _wholes(expression: Node, inventory: Inventory) -> tuple[str, ...]:
    """Return an expression in words, the plainest first."""
    try:
        whole = paraphrase(expression, inventory)
    except CannotSay:
        return ()
    said = whole.partition(" (assumed: ")[0]
    return said.translate(_NO_BRACKETS), said, whole


def suggestions(expression: Node, inventory: Inventory) -> list[str]:
    """Return a few questions that can follow one: another form, what of it, another time, clouds, place."""
    # Each that is tried is read, on a page that waits for it: no more than are shown.
    going_on = islice(_readable(expression, inventory), _MOST_GOING_ON)
    return list(islice(chain(going_on, _changes_in_short(expression, inventory)), _MOST_SUGGESTED))


def _readable(expression: Node, inventory: Inventory) -> Iterator[str]:
    """Yield the ways to go on that are read after a question."""
    return (text for text in _GOING_ON if _is_read(text, expression, inventory))


def _changes_in_short(expression: Node, inventory: Inventory) -> Iterator[str]:
    """Yield a short question for one change of each part that is suggested."""
    parts = {part.name: part for part in parts_of(expression, inventory)}
    for name in _SUGGESTED:
        changes = parts[name].changes if name in parts else ()
        texts = (edited_question(change, expression, inventory) for change in changes[:_TRIED])
        yield from islice((text for text in texts if text and len(text) <= _LONGEST_SUGGESTION), 1)


def _is_read(text: str, former: Node, inventory: Inventory) -> bool:
    reading = read(text, inventory, former)
    if reading.status != "read" or reading.expression == former:
        return False
    match reading.expression:
        case Show(of=shown, form="chart"):  # of one number there is nothing to draw
            kind = kind_or_none(shown)
            return kind is not None and bool(kind.axes)
    return True


def _part(
    name: str, now: str, expression: Node, changed: Iterable[tuple[str, str, Node]], inventory: Inventory
) -> Part:
    """Return a part with those of its changes that are sound and whose data are there."""
    sound = [
        Change(text, fragment, node)
        for text, fragment, node in changed
        if node != expression and _fits(node) and not absences(node, inventory)
    ]
    return Part(name, now, tuple(sound[:MOST]))


def _fits(node: Node) -> bool:
    if isinstance(node, Several):  # which is a text, whatever its parts are
        return all(map(_fits, node.of))
    try:
        return kind_or_none(node) is not None
    except (IllTyped, ValueError):
        return False


def _variables(expression: Node) -> list[Variable]:
    return [leaf for leaf in leaves(expression) if isinstance(leaf, Variable)]


def _variable(expression: Node, inventory: Inventory) -> Part | None:
    roles = {leaf.role for leaf in _variables(expression)}
    if len(roles) != 1:
        return None
    role = roles.pop()
    others = [
        held
        for held in inventory.holdings
        if held.role != role and held.role not in _NO_VARIABLES and variable(held.role) is not None
        if not held.made or _is_made_for(held.role, role)
    ]
    others.sort(key=lambda held: (_kind(held.role) != _kind(role), held.made))

    def with_variable(new: Variable) -> Node:
        def change(leaf: Leaf) -> Leaf:
            if not isinstance(leaf, Variable):
                return leaf
            when = ALWAYS if new.timeless else leaf.when
            return replace(
                new, when=when, where=leaf.where, clouds="included" if new.timeless else leaf.clouds
            )

        return _rebuilt(expression, change)

    named = (
        (_title(held.role), _title(held.role), with_variable(variable_of(held, inventory))) for held in others
    )
    return _part("variable", _title(role), expression, named, inventory)


def _is_made_for(other: str, role: str) -> bool:
    """Return whether what a tool makes can stand where a variable stood.

    Seasons and waters need what the question does not tell; ground has no dates.
    """
    if role in STATIC_ROLES:
        return other in STATIC_ROLES
    return _kind(other) in _MADE_OF_ANY_SCENE


def _kind(role: str) -> str:
    known = variable(role)
    return known.kind if known is not None else ""


def _title(role: str) -> str:
    known = variable(role)
    if known is None:
        return role
    return role.upper() if known.kind == "index" else known.title


def _period(expression: Node, inventory: Inventory) -> Part | None:
    dated = [leaf for leaf in leaves(expression) if not (isinstance(leaf, Variable) and leaf.timeless)]
    whens = {leaf.when for leaf in dated}
    if len(whens) != 1:
        return None
    now = whens.pop()
    if now.at is not None or now.without is not None:
        return None
    held = inventory.holding(_variables(expression)[0].role) if _variables(expression) else None
    dates = held.dates if held is not None and held.dates else inventory.dates

    def with_time(when: When) -> Node:
        def change(leaf: Leaf) -> Leaf:
            return replace(leaf, when=when) if leaf in dated else leaf

        return _rebuilt(expression, change)

    whens_offered = [When((span,)) for span in _spans(dates, now)]
    named = [(_time_words(when), _time_words(when), with_time(when)) for when in whens_offered]
    if now != ALWAYS:
        named.append((_time_words(ALWAYS), "over all dates", with_time(ALWAYS)))
    return _part("period", _time_words(now), expression, named, inventory)


def _spans(dates: tuple[dt.date, ...], now: When) -> Iterator[Span]:
    """Yield years, then days; where a day is asked for, the days nearest to it first.

    Of a part of a year the same part of the others comes before these.
    """
    years = sorted({date.year for date in dates})
    if not now.single and len(years) > 1:
        if len(now.spans) == 1:
            yield from _parts_of_years(now.spans[0], years)
        yield from (Span(dt.date(year, 1, 1), dt.date(year, 12, 31)) for year in years)
    day = now.spans[0].first if now.single and now.spans else None
    near = sorted(dates, key=lambda date: abs((date - day).days)) if day is not None else dates
    yield from (Span(date, date) for date in near)


def _parts_of_years(span: Span, years: Sequence[int]) -> Iterator[Span]:
    """Yield the days of a span in other years, where it is a part of one."""
    first, last = span.first, span.last
    if first is None or last is None or first.year != last.year:
        return
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return
    for year in years:
        with suppress(ValueError):  # the 29th of February
            if year != first.year:
                yield Span(first.replace(year=year), last.replace(year=year))


def _time_words(when: When) -> str:
    if when == ALWAYS:
        return "all dates"
    if len(when.spans) == 1 and not when.months and not when.pick:
        return span_words(when.spans[0])
    if when.pick in (1, -1) and not when.spans and not when.months:
        return "the first date" if when.pick == 1 else "the latest date"
    return "these dates"


def _clouds(expression: Node, inventory: Inventory) -> Part | None:
    found = {leaf.clouds for leaf in _variables(expression) if not leaf.timeless}
    if len(found) != 1 or not inventory.knows_clouds:
        return None

    def with_clouds(mode: Clouds) -> Node:
        def change(leaf: Leaf) -> Leaf:
            if isinstance(leaf, Variable) and not leaf.timeless:
                return replace(leaf, clouds=mode)
            return leaf

        return _rebuilt(expression, change)

    named = ((text, text, with_clouds(mode)) for mode, text in _CLOUDS.items())
    return _part("clouds", _CLOUDS[found.pop()], expression, named, inventory)


def _place(expression: Node, inventory: Inventory) -> Part | None:
    variables = _variables(expression)
    wheres = {leaf.where for leaf in variables}
    if len(wheres) != 1:
        return None
    now = wheres.pop()
    if now is not None and not isinstance(now, Place):
        return None

    def with_place(place: Place | None) -> Node:
        def change(leaf: Leaf) -> Leaf:
            return replace(leaf, where=place) if isinstance(leaf, Variable) and leaf.where == now else leaf

        return _rebuilt(expression, change)

    named = [] if now is None else [(EVERYWHERE, EVERYWHERE, with_place(None))]
    for ground in inventory.grounds:
        if ground.geometry != "polygon":
            continue
        for name in ground.names:
            place = Place(
                "class" if ground.by == "class" else "feature", (name,), ground.source, ground.attribute
            )
            named.append((name, f"only {name}", with_place(place)))
    said = EVERYWHERE if now is None else " and ".join(now.names) or _UNNAMED.get(now.by, now.by)
    return _part("place", said, expression, named, inventory)


def _statistic(expression: Node, inventory: Inventory) -> Part | None:
    found = [n for n in expression.walk() if isinstance(n, Aggregate) and n.statistic in _STATISTICS]
    if not found:
        return None
    first = found[-1]

    def with_statistic(statistic: str) -> Node:
        def change(node: Aggregate) -> Aggregate:
            return replace(node, statistic=statistic) if node == first else node  # type: ignore[arg-type]

        changed: Node = rewrite(expression, (Aggregate,), change)
        return changed

    named = ((text, f"the {text}", with_statistic(name)) for name, text in _STATISTICS.items())
    return _part("statistic", _STATISTICS[first.statistic], expression, named, inventory)


def _rebuilt(expression: Node, change: object) -> Node:
    made: Node = rebuild(expression, change)  # type: ignore[arg-type]
    return made
