"""The lightest words of an expression are read as that expression, and need fewer brackets."""

from __future__ import annotations

from tests.core.query.strategies import sample
from tests.core.query.workspaces import MEADOWS
from treeline.core.query.inventory import Inventory
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.reading import read
from treeline.core.query.sayings import CannotSay
from treeline.core.query.slots import settle
from treeline.core.query.wording import lightest_wording


def test_brackets_that_are_not_needed_go():
    (expression,) = read("mean NDVI in 2016 with cloudy pixels masked out", MEADOWS).expressions
    said = "mean over the dates of mean over all pixels of NDVI with cloudy pixels masked out in 2016"
    assert lightest_wording(expression, MEADOWS) == f"{said} (assumed: the mean of the dates)"


def test_light_words_are_read_as_what_they_stand_for(inventory: Inventory):
    lighter = 0
    for expression in map(settle, sample(inventory, seed=5, count=60)):
        try:
            full = paraphrase(expression, inventory)
        except CannotSay:
            continue
        if read(full, inventory).expressions != (expression,):
            continue
        light = lightest_wording(expression, inventory)
        assert read(light, inventory).expressions == (expression,), light
        assert light.replace("(", "").replace(")", "") == full.replace("(", "").replace(")", "")
        lighter += light.count("(") < full.count("(")
    assert lighter > 20
