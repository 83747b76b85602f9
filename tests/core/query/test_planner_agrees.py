"""Random expressions carried out by the planner and its tools are what the evaluator says.

A disagreement is wrong science, a wrong compilation, or a meaning that the algebra leaves open.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.core.policies.planning.running import evaluate as carry_out
from tests.core.query.agreement import disagreement
from tests.core.query.evaluator import Unsettled, evaluate
from tests.core.query.strategies import inventory_of, sample
from tests.core.query.world import make_world, write_world
from treeline.core.query.expression import Node, Rounded


def disagreements(seed: int, count: int, folder: Path) -> Iterable[str]:
    """Yield what of so many expressions over a place came out otherwise."""
    world = make_world(seed)
    data = write_world(world, folder / "data")
    for number, made in enumerate(sample(inventory_of(world), seed, count)):
        # The planner rounds as it writes its answer.
        expression: Node = made.of if isinstance(made, Rounded) else made
        try:
            expected = evaluate(expression, world)
        except Unsettled:
            continue
        home = folder / str(number)
        found = disagreement(expected, carry_out(expression, data, home), world)
        shutil.rmtree(home, ignore_errors=True)
        if found:
            yield f"{found}\n    {expression}"


def test_tools_and_evaluator_agree(tmp_path: Path):
    assert not list(disagreements(seed=1, count=40, folder=tmp_path))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_tools_and_evaluator_agree_on_thousands(seed: int, tmp_path: Path):
    found = list(disagreements(seed, 300, tmp_path))
    assert not found, "\n".join(found)
