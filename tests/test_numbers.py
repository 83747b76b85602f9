"""Numbers of papers, standards and decisions are changed on purpose or not at all: all are listed."""

from __future__ import annotations

import math

import pytest

from tests.mutation import modules_of
from tests.numbers import PACKAGES, listed_numbers, numbers_of

LISTED = listed_numbers()


@pytest.mark.parametrize("file", LISTED)
def test_the_numbers_are_those_of_the_list(file: str):
    assert numbers_of(file) == LISTED[file], "change tests/numbers.yaml too, and say why in the commit"


def test_every_module_with_numbers_is_listed():
    assert {file for file in modules_of(PACKAGES) if numbers_of(file)} == LISTED.keys()


def test_constants_fields_and_arguments_are_found():
    assert LISTED["core/lab/geoplan/elo.py"]["K"] == 32.0
    assert LISTED["core/engine/budget.py"]["Budget.steps"] == 60
    assert LISTED["core/lab/parts.py"]["_REST"] == 3, "of a pair of names too"
    assert LISTED["core/engine/advice.py"]["near_tools(count)"] == 3
    assert math.isclose(LISTED["knowledge/retrieval.py"]["KEYWORD_WEIGHT"], 0.08)
