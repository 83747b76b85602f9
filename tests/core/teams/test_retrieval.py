"""Which lessons a team that a language model leads is given first."""

from __future__ import annotations

import json

from treeline.core.memory.bank import Hit
from treeline.core.memory.items import BankItem
from treeline.core.teams.retrieval import nearest_first


def key(statistic: str, compared: str = "", clouds: str = "") -> str:
    node = {"node": "Statistic", "statistic": statistic, "compared": compared, "clouds": clouds}
    return json.dumps([node])


def hit(text: str, score: float = 0.8, expression: str = "", runs: int = 1, **counts: int) -> Hit:
    provenance = tuple(f"r{number}" for number in range(runs))
    return Hit(BankItem("pattern", "topic", text, None, provenance, expression, **counts), score)


def order(hits: list[Hit], asked: str = "") -> list[str]:
    return [each.item.text for each in nearest_first(hits, asked)]


def test_of_what_is_as_near_that_goes_first_which_helped_and_was_found_again():
    hits = [hit("new", 0.9), hit("helped", 0.7, helps=2), hit("found again", 0.65, runs=4), hit("far", 0.3)]
    assert order(hits) == ["found again", "helped", "new", "far"]
    assert order([hit("harmed", helps=9, harms=1), hit("new")]) == ["new", "harmed"]


def test_the_nearest_key_goes_before_likeness_and_help():
    asked = key("mean")
    hits = [
        hit("unread", 0.9, helps=9),
        hit("two differences", 0.9, key("max", "above"), helps=5),
        hit("one difference", 0.3, key("max")),
        hit("the same", 0.2, asked),
        hit("another kind", 1.0, key("max", "above", "masked"), helps=9),
    ]
    assert order(hits, asked) == ["the same", "one difference", "unread", "two differences"]
