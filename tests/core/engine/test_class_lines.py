"""Results by class tell what the classes are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.disclosure.fixed import Flat
from treeline.core.engine.actions import Call
from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.evidence_of_steps import evidence_of
from treeline.core.workspace import Workspace
from treeline.toolkit import SkillTree, registry

LINE = "(classes: 0 (no name), 41 Mire, 42 Heath)"
TAGS = {"TREELINE_ROLE": "landcover", "TREELINE_CLASSES": '{"41": "Mire", "42": "Heath", "43": "Dune"}'}


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    folder = tmp_path / "in"
    folder.mkdir()
    classes = np.array([[0, 41, 42, 42], [41, 41, 42, 42]], "uint8")
    write_raster(folder / "landcover.tif", classes, tags=TAGS)
    write_raster(folder / "Bog_2021-06-01_ndvi.tif", np.full((2, 4), 0.5, "float32"))
    data = RunData(Workspace(tmp_path / "work", [folder]), "r")
    return Environment(data, Flat(SkillTree.of(registry())), registry())


def told(environment: Environment, tool: str, **arguments: Any) -> str:
    return environment.act(Call(tool, arguments), State("q")).text


def test_tables_by_class_end_with_the_names_of_their_classes(environment: Environment) -> None:
    calls: dict[str, dict[str, Any]] = {
        "statistics_by_class": {"file_list": "@ndvi", "classes_path": "@landcover"},
        "area_by_class": {"input_path": "@landcover"},
        "landscape_metrics": {"input_path": "@landcover"},
        "class_transitions": {"before_path": "@landcover", "after_path": "@landcover"},
    }
    for tool, arguments in calls.items():
        assert told(environment, tool, **arguments).splitlines()[-1] == LINE, tool


def test_names_are_of_the_raster_that_the_classes_are_from(environment: Environment) -> None:
    made = {"formula": "a * 1", "rasters": {"a": "@landcover"}, "output_path": "own.tif", "role": "landcover"}
    assert "own.tif" in told(environment, "raster_calculator", **made)
    by_own = told(environment, "statistics_by_class", file_list="@landcover", classes_path="own.tif")
    assert '"41"' in by_own and "(classes:" not in by_own
    assert "(classes:" not in told(environment, "area_by_class", input_path="own.tif")
    assert "(classes:" not in told(environment, "calc_batch_image_mean", file_list="@landcover")
    named = told(
        environment, "area_by_class", input_path="@landcover", class_names={"41": "Fen", "42": "Moor"}
    )
    assert "Fen" in named and "(classes:" not in named


def test_the_numbers_of_classes_are_none_that_a_step_found(environment: Environment) -> None:
    call = Call("statistics_by_class", {"file_list": "@ndvi", "classes_path": "@landcover"})
    observation = environment.act(call, State("q"))
    assert LINE in observation.text
    assert 42 not in evidence_of([Step(1, call, observation)]).numbers
