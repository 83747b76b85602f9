"""What is said of an expression is read as that expression again."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.core.query.strategies import sample
from treeline.core.query.checks import is_partly_dated, zones_elsewhere
from treeline.core.query.expression import Aggregate, Distance, Node, Place, Several, Which
from treeline.core.query.inventory import Inventory
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.ranges import contradicts
from treeline.core.query.reading import read
from treeline.core.query.sayings import CannotSay
from treeline.core.query.slots import settle


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
        elif reading.expression != settle(expression):
            self.wrong.append(f"{said}\n    {expression}\n    {reading.expression}")


def readings(inventory: Inventory, seed: int, count: int) -> Readings:
    found = Readings()
    for expression in sample(inventory, seed, count, methods=True):
        if is_asked(expression):
            found.add(expression, inventory)
    return found


def is_asked(expression: Node) -> bool:
    """Return whether words can ask for an expression: what leaves a part of it open is asked back instead.

    The algebra has more: a mean of all dates less one of some of them, what lies above and below one height,
    classes of a ground within another of its kind, a distance to the nearer of two grounds; and a month of no
    year may be one of a year or of all.
    """
    refused = (
        is_partly_dated(expression, apart=True) or zones_elsewhere(expression) or contradicts(expression)
    )
    return not (refused or any(map(_is_open, expression.walk())))


def _is_open(node: Node) -> bool:
    match node:
        case Distance(to, of) if of is not None:
            return any(isinstance(ground, Place) and len(ground.names) > 1 for ground in (to, of))
        case Which(Aggregate(by="month"), top=1):
            return True
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
