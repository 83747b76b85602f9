"""An offer leaves words out, and never those that turn what is left into the opposite."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.core.query.test_reading import QUESTIONS, STORED, content, reading
from tests.core.query.workspaces import MEADOWS, PLACES
from treeline.core.query.expression import ALWAYS, Cloud, Node, Not, Place, Variable, When
from treeline.core.query.reading import read
from treeline.core.query.slots import rebuild

FOREST = Place("feature", ("forest",), "Cover.gpkg", "LULC_NAME")
BEFORE = (
    "not", "no", "without", "except", "excluding", "unless", "if not", "but not", "never",
    "excluding zorbified", "not in zorbified", "without the zorbified", "no zorbified", "only without",
)  # fmt: skip
AFTER = ("not", "must not be", "never", "are not to be", "don't get", "left out and", "must be left out as")
FRAMES = (
    ("mean NDVI of 2016 {} the forest", BEFORE, FOREST),
    ("{} the forest, mean NDVI on 2016-08-14", BEFORE, FOREST),
    ("mean NDVI on 2016-08-14 {} cloudy pixels", BEFORE, Cloud()),
    ("mean NDVI of 2016, forest {} zorbify", AFTER, FOREST),
    ("mean NDVI on 2016-08-14 if cloudy pixels {} zorbify", AFTER, Cloud()),
)
LIMITED = [(frame.format(word), of) for frame, words, of in FRAMES for word in words]
# What denies by itself; in its place a word that nobody knows may be anything.
DENYING = re.compile(
    r".*\b(?:non|not|never|no|nowhere|without|exclud|except|apart|but|other|outside|ignor|mask|discard|leav|left|out"
    r"|clear|cloud|unless|must|at least)"
)


def plain(item: Any) -> Any:
    """Return a condition whatever its time."""
    return rebuild(item, lambda leaf: replace(leaf, when=ALWAYS, assumed=()))


def exclusions_of(expressions: tuple[Node, ...]) -> set[Node]:
    """Return what is excluded: the conditions after not, and clouds where they are masked."""
    found: set[Node] = set()
    for expression in expressions:
        for node in expression.walk():
            if isinstance(node, Not):
                found.add(plain(node.of))
            if isinstance(node, Variable) and node.clouds != "included":
                found.add(Cloud())
    return found


def statements_of(expression: Node) -> set[Node]:
    """Return every part of an expression that does not stand after not."""
    if isinstance(expression, Not):
        return set()
    return {plain(expression)}.union(*(statements_of(part) for part in expression.parts()))


# By the words of what they mean: to read them all would take longer than the tests.
EXCLUDES = re.compile(r"\b(?:outside|not|masked out|cloud-free)\b")
TURNING = [
    (place, question) for place, question in QUESTIONS if EXCLUDES.search(STORED["read"][place][question])
]


@pytest.mark.parametrize(("place", "question"), TURNING)
def test_no_offer_states_what_the_question_excludes(place: str, question: str):
    expressions = reading(place, question).expressions
    # "Hotter than everything else" states the ground and excludes it from the rest.
    stated = set().union(*(statements_of(expression) for expression in expressions))
    assert exclusions_of(expressions), "its paraphrase excludes something, and its expression nothing"
    told = {plain(each) for each in stated if isinstance(each, Place | Cloud)}
    excluded = exclusions_of(expressions) - told
    for token in content(place, question):
        if DENYING.match(token.text.lower()):
            continue
        changed = f"{question[: token.start]} zorbify {question[token.end :]}"
        for said, expression in read(changed, PLACES[place]).offers:
            assert not excluded & statements_of(expression), (changed, said)


@pytest.mark.parametrize(("question", "of"), LIMITED)
def test_a_limiting_word_is_left_out_with_all_that_it_limits(question: str, of: Node):
    for said, expression in read(question, MEADOWS).offers:
        assert of not in statements_of(expression), said


def test_an_exclusion_of_something_unknown_does_not_exclude_what_comes_next():
    for said, expression in read("mean NDVI excluding glaciers on 2016-08-14", MEADOWS).offers:
        whens = [node for node in expression.walk() if isinstance(node, When)]
        assert not any(when.without for when in whens), said


def test_a_date_that_is_not_there_is_offered_as_the_nearest_ones() -> None:
    found = read("mean NDVI of the forest on 2016-08-20", MEADOWS)
    assert found.status == "declined"
    days = sorted(date for date in MEADOWS.holding("ndvi").dates if date)
    near = sorted(sorted(days, key=lambda day: abs((day - dt.date(2016, 8, 20)).days))[:2])
    assert [str(day) for day in near] == [said.partition(" on ")[2][:10] for said, _ in found.offers]
    again = [read(said, MEADOWS).expressions for said, _ in found.offers]
    assert again == [(node,) for _, node in found.offers]


def test_a_change_from_a_date_that_is_not_there_is_not_turned_round() -> None:
    found = read("by how much did the mean NDVI change from 2016-08-20 to 2016-08-14", MEADOWS)
    assert found.status == "declined" and not found.offers
