"""What makes another question has another key; dates, limits and names are its parameters."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.core.query.strategies import inventory_of, sample
from tests.core.query.world import make_world
from treeline.core.memory.keys import NO_KEY, _abstract, _Particulars, differences, key_of
from treeline.core.query.expression import (
    Aggregate,
    Combine,
    Compare,
    Convert,
    Node,
    Number,
    Place,
    Rank,
    Span,
    Variable,
    When,
    Which,
    Zones,
)
from treeline.core.query.rewriting import rewrite

EXPRESSIONS = list(sample(inventory_of(make_world()), seed=5, count=600, methods=True))
TURNED = {"highest": "lowest", "lowest": "highest"}
OPPOSED = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge", "eq": "ne", "ne": "eq", "between": "gt"}
SIDES = {"north": "south", "south": "north", "east": "west", "west": "east"}
NDVI = Variable("ndvi", When((Span(dt.date(2016, 1, 1), dt.date(2016, 12, 31)),)))


def key(node: Node) -> str:
    return key_of([node]).text


def other_facing(place: Place) -> Place:
    if place.by not in ("facing", "side"):
        return place
    return replace(place, names=tuple(SIDES.get(name, "north") for name in place.names))


def other_limits(node: Number | Zones) -> Node:
    """Return all limits moved alike: those that were the same are the same again."""
    if isinstance(node, Number):
        return replace(node, value=node.value + 17.5)
    return replace(node, limits=tuple(limit + 17.5 for limit in node.limits))


def other_source(place: Place, by: str) -> Place:
    return replace(place, source=f"{place.source} 2") if place.by == by else place


ANOTHER_QUESTION: dict[str, tuple[type[Node], Callable[..., Node]]] = {
    "direction": (Which, lambda node: replace(node, direction=TURNED[node.direction])),
    "rank": (Rank, lambda node: replace(node, direction=TURNED[node.direction])),
    "how many": (Which, lambda node: replace(node, top=node.top + 1)),
    "which one": (Which, lambda node: replace(node, nth=node.nth + 1)),
    "operator": (Compare, lambda node: replace(node, operator=OPPOSED[node.operator])),
    "statistic": (
        Aggregate,
        lambda node: replace(node, statistic="median" if node.statistic == "mean" else "mean"),
    ),
    "variable": (Variable, lambda node: replace(node, role=f"{node.role}_2")),
    "clouds": (
        Variable,
        lambda node: replace(node, clouds="included" if node.clouds == "masked" else "masked"),
    ),
    "sides of a change": (Combine, lambda node: replace(node, how="ratio" if node.how != "ratio" else "sum")),
    "unit": (Convert, lambda node: replace(node, unit=f"{node.unit}2")),
    "unit of a limit": (Number, lambda node: replace(node, unit=f"{node.unit}2")),
    "period count": (
        When,
        lambda node: replace(node, spans=(*node.spans, Span(dt.date(1999, 1, 1), dt.date(1999, 2, 1)))),
    ),
    "first or last": (When, lambda node: replace(node, pick=node.pick + 1)),
    "facing": (Place, other_facing),
    "raster of classes": (Place, lambda node: other_source(node, "class")),
}

SAME_KIND: dict[str, tuple[type[Node] | tuple[type[Node], ...], Callable[..., Node]]] = {
    "limit": ((Number, Zones), lambda node: other_limits(node)),
    "date": (
        Span,
        lambda node: replace(
            node,
            first=node.first and node.first + dt.timedelta(1000),
            last=node.last and node.last + dt.timedelta(1000),
        ),
    ),
    "file of polygons": (Place, lambda node: other_source(node, "feature")),
    "name": (
        Place,
        lambda node: (
            replace(node, names=tuple(f"{name} 2" for name in node.names))
            if node.by in ("class", "feature", "site")
            else node
        ),
    ),
}


@pytest.mark.parametrize("what", ANOTHER_QUESTION)
def test_another_question_has_another_key(what: str):
    kind, change = ANOTHER_QUESTION[what]
    changed = [(node, other) for node in EXPRESSIONS if (other := rewrite(node, kind, change)) != node]
    assert changed, what
    for node, other in changed:
        assert key(node) != key(other)
        assert differences(key(node), key(other))


@pytest.mark.parametrize("what", SAME_KIND)
def test_particulars_are_parameters(what: str):
    kind, change = SAME_KIND[what]
    changed = [(node, other) for node in EXPRESSIONS if (other := rewrite(node, kind, change)) != node]
    # A number that stands twice is one parameter, until one of the two is changed.
    changed = [pair for pair in changed if len({len(key_of([one]).parameters) for one in pair}) == 1]
    assert changed, what
    for node, other in changed:
        assert key(node) == key(other)
        # A file says where to look, and is no particular that the question names.
        assert (key_of([node]).parameters == key_of([other]).parameters) == (what == "file of polygons")


def test_the_same_particular_twice_is_one_parameter():
    july = When((Span(dt.date(2016, 7, 1), dt.date(2016, 7, 1)),))
    august = When((Span(dt.date(2016, 8, 1), dt.date(2016, 8, 1)),))

    def difference(left: When, right: When) -> Combine:
        sides = (
            Aggregate("mean", Variable(role, when), "pixel")
            for role, when in (("ndvi", left), ("ndwi", right))
        )
        return Combine("difference", *sides)

    assert key(difference(july, july)) == key(difference(august, august))
    assert key(difference(july, july)) != key(difference(july, august))
    assert key_of([difference(july, august)]).parameters == {"day 1": "2016-07-01", "day 2": "2016-08-01"}


def test_what_differs_is_told_in_words():
    highest = Which(Aggregate("mean", NDVI, "pixel"), "highest")
    told = differences(key(highest), key(replace(highest, direction="lowest")))
    assert told == ("direction: highest, not lowest",)
    assert differences(key(highest), key(highest)) == () and differences("", key(highest)) == ()


def test_a_question_that_is_read_as_nothing_has_no_key():
    assert key_of([]) == NO_KEY and NO_KEY.text == ""


def test_a_key_is_found_by_the_words_of_its_kind():
    words = key_of([Compare(Aggregate("mean", NDVI, "pixel"), "gt", Number(0.6))]).words.split()
    assert {"compare", "gt", "aggregate", "mean", "ndvi", "period", "limit"} <= set(words)
    assert not any(letter.isdigit() for letter in "".join(words))


def test_of_what_is_assumed_a_key_has_the_clouds_alone():
    assert _abstract(["clouds", "scale"], "assumed", _Particulars()) == ["clouds"]
