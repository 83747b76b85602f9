"""What is said of an expression is read as that expression again."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.core.query.strategies import sample
from treeline.core.query.expression import Node
from treeline.core.query.inventory import Inventory
from treeline.core.query.paraphrase import CannotSay, paraphrase
from treeline.core.query.reading import read
from treeline.core.query.slots import settle


@dataclass
class Readings:
    """What became of the paraphrases of random expressions.

    Attributes
    ----------
    wrong : list of str
        Read as something else.
    lost : list of str
        Not read, asked back, or not said at all.
    """

    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def add(self, expression: Node, inventory: Inventory) -> None:
        """Say and read an expression."""
        try:
            said = paraphrase(expression, inventory)
        except CannotSay as problem:
            self.lost.append(f"{problem}\n    {expression}")
            return
        reading = read(said, inventory)
        if reading.status != "read":
            self.lost.append(f"{reading.status}: {said}\n    {expression}\n    {reading.uncovered}")
        elif reading.expression != settle(expression):
            self.wrong.append(f"{said}\n    {expression}\n    {reading.expression}")


def readings(inventory: Inventory, seed: int, count: int) -> Readings:
    found = Readings()
    for expression in sample(inventory, seed, count, methods=True):
        found.add(expression, inventory)
    return found


def test_no_paraphrase_is_read_as_something_else(inventory: Inventory):
    found = readings(inventory, seed=1, count=300)
    assert not found.wrong, "\n".join(found.wrong)


@pytest.mark.soak
def test_thousands_of_paraphrases_are_read_again(inventory: Inventory):
    found = readings(inventory, seed=2, count=5000)
    assert not found.wrong, "\n".join(found.wrong)
    assert not found.lost, "\n".join(found.lost)
