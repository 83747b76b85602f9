"""Expressions as JSON and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.core.query.strategies import expressions, inventory_of, sample
from tests.core.query.world import make_world
from treeline.core.query import form
from treeline.core.query.expression import Aggregate, Node, Variable
from treeline.core.query.inventory import Inventory

INVENTORY = inventory_of(make_world())


@given(expressions(INVENTORY, methods=True))
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_is_read_again(expression: Node):
    written = json.loads(json.dumps(form.to_json(expression)))
    assert form.from_json(written) == expression


def test_thousands_are_read_again(inventory: Inventory):
    for expression in sample(inventory, seed=1, count=5000, methods=True):
        assert form.from_json(form.to_json(expression)) == expression


def test_what_was_assumed_is_kept():
    expression = Aggregate("mean", Variable("ndvi", assumed=("clouds",)), "pixel", assumed=("statistic",))
    read = form.from_json(form.to_json(expression))
    assert [part.assumed for part in read.walk() if hasattr(part, "assumed")] == [("statistic",), ("clouds",)]


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"version": 2, "node": "Number", "value": 1},
        {"version": 1, "node": "Noise"},
        {"version": 1, "node": "Number"},
        {"version": 1, "node": "Number", "value": 1, "colour": "red"},
    ],
)
def test_what_is_no_expression_is_refused(stored: dict):
    with pytest.raises(ValueError):
        form.from_json(stored)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["node", "of", "spans", "first"]), inner),
)


@given(JSON, st.sampled_from(["Number", "Variable", "When", "Span", "Aggregate", "Place"]))
def test_noise_is_refused_with_a_value_error(noise: object, name: str):
    stored = {"version": 1, "node": name, "of": noise, "first": noise}
    with pytest.raises(ValueError):
        form.from_json(stored)
