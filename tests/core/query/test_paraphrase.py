"""What is said of an expression is read as that expression again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from tests.core.query.strategies import sample
from treeline.core.query.checks import is_partly_based, is_partly_dated, zones_elsewhere
from treeline.core.query.expression import (
    Aggregate,
    Distance,
    Node,
    Phenology,
    Place,
    Several,
    Show,
    Variable,
    Which,
)
from treeline.core.query.inventory import Inventory
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.ranges import contradicts
from treeline.core.query.reading import read
from treeline.core.query.sayings import CannotSay
from treeline.core.query.slots import as_conditions, settle


@dataclass
class Readings:
    """What became of the paraphrases of random expressions.

    Attributes
    ----------
    wrong : list of str
        Read as something else.
    lost : list of str
        Not read, or asked back.
    unsaid : set of str
        Why there are no words for an expression.
    """

    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    unsaid: set[str] = field(default_factory=set)

    def add(self, expression: Node, inventory: Inventory) -> None:
        """Say and read an expression."""
        try:
            said = paraphrase(expression, inventory)
        except CannotSay as problem:
            self.unsaid.add(str(problem))
            return
        reading = read(said, inventory)
        if reading.status != "read":
            self.lost.append(f"{reading.status}: {said}\n    {expression}\n    {reading.uncovered}")
        elif _shown(reading.expression) != _shown(settle(expression)):
            self.wrong.append(f"{said}\n    {expression}\n    {reading.expression}")


def _shown(expression: Node) -> Node:
    """Return an expression as a map shows it: what holds where something else does is where both hold."""
    match expression:
        case Show(mask, "map"):
            return replace(expression, of=as_conditions(mask))
    return expression


def readings(inventory: Inventory, seed: int, count: int) -> Readings:
    found = Readings()
    for expression in sample(inventory, seed, count, methods=True):
        if is_asked(expression):
            found.add(expression, inventory)
    return found


def is_asked(expression: Node) -> bool:
    """Return whether words can ask for an expression: what leaves a part of it open is asked back instead.

    The algebra has more: a mean of all dates less one of some of them, what lies above and below one height,
    classes of a ground within another of its kind, a distance to the nearer of two grounds, a share of named
    ground beside one of everything; a month of no year may be one of a year or of all, and with a growing
    season on cloud-free dates the cloud-free dates in it may be meant.
    """
    refused = (
        is_partly_dated(expression, apart=True)
        or is_partly_based(expression)
        or zones_elsewhere(expression)
        or contradicts(expression)
    )
    return not (refused or any(map(_is_open, expression.walk())))


def _is_open(node: Node) -> bool:
    match node:
        case Distance(to, of) if of is not None:
            return any(isinstance(ground, Place) and len(ground.names) > 1 for ground in (to, of))
        case Which(Aggregate(by="month"), top=1):
            return True
        case Which(Phenology() as season):
            return any(part.clouds == "clear_dates" for part in season.walk() if isinstance(part, Variable))
    return False


# What a form can be given, or the algebra holds, and no question leads to.
UNASKED = {
    "There are no words for Composite.",  # of three variables in an order of one's own, and not shown
    "There are no words for zones by band.",  # with limits instead of steps
    "There are words for the class at a point alone.",  # else it is the class with the largest area
}


def test_no_paraphrase_is_read_as_something_else(inventory: Inventory):
    found = readings(inventory, seed=1, count=300)
    assert not found.wrong, "\n".join(found.wrong)


@pytest.mark.soak
def test_thousands_of_paraphrases_are_read_again(inventory: Inventory):
    found = readings(inventory, seed=2, count=5000)
    assert not found.wrong, "\n".join(found.wrong)
    assert not found.lost, "\n".join(found.lost)
    assert found.unsaid == UNASKED


@pytest.mark.parametrize(
    ("question", "grounds"),
    [
        ("Plot the mean NDVI of forest together with meadow", {("Forest", "Meadow")}),
        ("Plot the mean NDVI of forest and of meadow", {("Forest",), ("Meadow",)}),
    ],
)
def test_a_chart_shows_grounds_as_one_only_where_they_are_said_to_be(
    question: str, grounds: set[tuple[str, ...]], inventory: Inventory
):
    found = read(question, inventory).expressions
    assert {part.names for node in found for part in node.walk() if isinstance(part, Place)} == grounds


def test_a_bracket_that_ends_with_a_length_is_no_distance_from_what_follows(inventory: Inventory):
    where = "NDVI on 2020-07-22 where (elevation >= 440 m)"
    way = "from (x = 500140, y = 5100000) to (x = 500330, y = 5100100)"
    assert read(f"profile of ({where}) {way}", inventory).status == "read"


def test_a_share_of_ground_by_its_slope_is_limited_and_not_the_slope(inventory: Inventory):
    steep = "(LST where (slope >= 15 degrees)) > 289.5 K"
    limited = read(f"dates with (((share of the pixels with ({steep})) of each date) >= 50 %)", inventory)
    assert limited.status == "read"
    assert {part.role for part in limited.expression.walk() if isinstance(part, Variable)} == {
        "lst",
        "terrain_slope",
    }
    inclined = read("share of the pixels with (slope >= 30 %)", inventory)
    assert "terrain_slope_percent" in {
        part.role for part in inclined.expression.walk() if isinstance(part, Variable)
    }


def test_bracketed_questions_are_read_each_by_itself(inventory: Inventory):
    mean, relation = (
        "mean over all pixels of (LST on 2020-04-18)",
        "correlation over all pixels between NDVI and slope",
    )
    both = read(f"({relation}); ({mean})", inventory)
    assert both.status == "read"
    assert both.expression == Several(tuple(read(part, inventory).expression for part in (relation, mean)))
    assert read(f"({relation}); ({mean}) and more", inventory).status == "declined"
    assert read(f"({relation}); ({mean}); (colour of hope)", inventory).status == "declined"


@pytest.mark.parametrize(
    "question",
    [
        "On which date was the mean LST of the northwest quarter of the image highest?",
        "Was the mean LST of north-facing terrain on 2020-04-18 higher than on 2020-06-12?",
        "What is the correlation between LST and elevation on 2020-04-18, rounded to two decimals?",
    ],
)
def test_what_begins_as_another_word_is_not_that_word_and_relations_may_be_rounded(
    question: str, inventory: Inventory
):
    assert read(question, inventory).status == "read"
