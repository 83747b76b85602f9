"""What it costs to put one planning tool for another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from treeline.core.teams.geoplan.agents import agents, agents_of_layer, tool_names
from treeline.core.teams.geoplan.metric import PathMetric


class _Lengthy:
    """Gives the first tool one direction, the second the opposite one, and all vectors a length of two."""

    name = "lengthy"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), 2), np.float32)
        vectors[:, 1] = 2.0
        vectors[:2] = [[2.0, 0.0], [-2.0, 0.0]]
        return vectors


def test_a_tool_costs_nothing_for_itself_half_for_an_unlike_one_and_one_for_its_opposite():
    costs = PathMetric(_Lengthy()).substitution  # type: ignore[arg-type]
    assert costs[0, 0] == pytest.approx(0) and costs[0, 1] == pytest.approx(1)
    assert costs[0, 2] == pytest.approx(0.5)


def test_a_tool_that_the_table_does_not_know_costs_as_little_as_any():
    metric = PathMetric(further=["no_such_tool"])
    assert metric.names == (*tool_names(), "no_such_tool")
    assert metric.costs[-1] == 1.0 <= metric.costs.min()


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_the_sub_agents_of_a_layer_are_its_own(layer: int):
    assert {agents()[name]["layer"] for name in agents_of_layer(layer)} == {layer}
