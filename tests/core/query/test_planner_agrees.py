"""Random expressions carried out by the planner and its tools are what the evaluator says.

A disagreement is wrong science, a wrong compilation, or a meaning that the algebra leaves open.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.core.policies.planner.running import ask
from tests.core.policies.planner.running import evaluate as carry_out
from tests.core.query.agreement import OF_POLYGONS, RELATIVE, disagreement
from tests.core.query.evaluator import Unsettled, evaluate
from tests.core.query.strategies import inventory_of, sample
from tests.core.query.world import make_world, write_world
from treeline.core.query.expression import Aggregate, Node, Place, Rounded, Variable


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
        relative = OF_POLYGONS if measures_polygons(expression) else RELATIVE
        found = disagreement(expected, carry_out(expression, data, home), world, relative)
        shutil.rmtree(home, ignore_errors=True)
        if found:
            yield f"{found}\n    {expression}"


def measures_polygons(expression: Node) -> bool:
    """Return whether the area of named polygons is asked for."""
    areas = (node for node in expression.walk() if isinstance(node, Aggregate) and node.statistic == "area")
    return any(isinstance(area.of, Place) and area.of.by == "feature" for area in areas)


def test_tools_and_evaluator_agree(tmp_path: Path):
    assert not list(disagreements(seed=1, count=40, folder=tmp_path))


def test_where_clouds_change_the_answer_both_are_told(tmp_path: Path):
    world = make_world(7)
    data = write_world(world, tmp_path / "data")
    asked = 0
    for number, made in enumerate(sample(inventory_of(world), 3, 12, "cloudy")):
        with_clouds, without = (
            evaluate(set_clouds(made, clouds), world).item for clouds in ("included", "masked")
        )
        answer = ask(set_clouds(made, "included", "clouds"), data, tmp_path / str(number))
        if answer.readings:
            asked += 1
            told = " ".join(reading.value for reading in answer.readings)
            for value in (with_clouds, without):
                assert is_told(value, told) or (np.isnan(value) and "no pixel is left" in told), (
                    answer,
                    value,
                )
        elif not answer.declined:
            assert answer.value == pytest.approx(with_clouds, rel=1e-4)
            assert f"{with_clouds:.2g}" == f"{without:.2g}", answer
    assert asked


def set_clouds(node: Any, clouds: str, *assumed: str) -> Any:
    """Return an expression of which every dated variable treats clouds in one way."""
    if isinstance(node, Variable) and not node.timeless:
        return replace(node, clouds=clouds, where=set_clouds(node.where, clouds, *assumed), assumed=assumed)
    parts = {f.name: getattr(node, f.name) for f in fields(node)} if isinstance(node, Node) else {}
    return (
        replace(node, **{name: set_clouds(part, clouds, *assumed) for name, part in parts.items()})
        if parts
        else node
    )


def is_told(value: float, text: str) -> bool:
    """Return whether a number stands in a text, at the precision that it is written with."""
    numbers = re.findall(r"-?\d+(?:\.\d+)?", text.replace("\u2212", "-").replace(",", ""))
    return any(abs(float(n) - value) <= 0.51 * 10.0 ** -len(n.partition(".")[2]) for n in numbers)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 7))
def test_tools_and_evaluator_agree_on_a_thousand(seed: int, tmp_path: Path):
    found = list(disagreements(seed, 200, tmp_path))
    assert not found, "\n".join(found)
