"""How alike two paths of tools are: the sums of costs by hand."""

from __future__ import annotations

import json
from importlib import resources
from types import SimpleNamespace

import numpy as np
import pytest

from treeline.core.teams.geoplan.similarity import PathSimilarity, _similarity, collapse, table_of_costs

COSTS = np.array([1.0, 1.5, 2.0])
SUBSTITUTION = np.array([[0.0, 0.4, 1.0], [0.4, 0.0, 1.0], [1.0, 1.0, 0.0]])


@pytest.mark.parametrize(
    ("path", "other", "cost"),
    [
        ([], [], 0.0),
        ([0, 1, 2], [0, 1, 2], 0.0),
        ([0], [], 1.0),
        ([], [1], 1.5),
        ([0, 1], [], 2.5),
        ([], [0, 1], 2.5),
        ([0], [1], 0.4),
        ([0, 2], [1, 2], 0.4),
        ([0, 1, 2], [0, 2], 1.4),  # one is put for the other, and one left out
        ([0, 2], [0, 1, 2], 1.4),
        ([0, 1], [1, 0], 0.8),  # two put for each other cost less than one left out and put in
        ([2, 0], [0], 2.0),
        ([2], [0, 1], 2.0),
    ],
)
def test_paths_differ_by_the_least_cost_of_leaving_out_putting_in_and_putting_for(
    path: list[int], other: list[int], cost: float
):
    one, two = (np.array(numbers, np.int64) for numbers in (path, other))
    expected = max(0.0, 1 - cost / (1.5 * max(len(path), len(other), 1)))
    assert _similarity(one, two, COSTS, SUBSTITUTION) == pytest.approx(expected)


def test_a_tool_costs_one_and_the_mean_of_its_two_centralities():
    text = resources.files("treeline.core.teams.geoplan").joinpath("centrality.json").read_text("utf-8")
    table = json.loads(text)
    costs = table_of_costs()
    assert costs.keys() == table["tools"].keys()
    for name, (degree, rank) in table["tools"].items():
        assert costs[name] == pytest.approx(1 + degree / table["highest_out_degree"] / 2 + rank / 2)
    assert all(1.0 <= cost <= 2.0 for cost in costs.values())


def test_a_tool_after_itself_is_one_call():
    assert collapse(["a", "a", "b", "a", "a"]) == ["a", "b", "a"] and collapse([]) == []


def test_a_tool_costs_for_another_what_their_texts_are_apart_and_one_that_is_unknown_all():
    vectors = np.array([[1.0, 0.0], [0.6, 0.8]])
    embedder = SimpleNamespace(name="e", embed=lambda texts: vectors)
    measure = PathSimilarity(embedder, {"a": "A tool.", "b": "Another."})  # type: ignore[arg-type]
    costs = measure._substitution(["a", "b", "unknown"])
    assert costs == pytest.approx(np.array([[0.0, 0.2, 1.0], [0.2, 0.0, 1.0], [1.0, 1.0, 1.0]]))
