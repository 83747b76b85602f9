"""Calls of one message that wait for nothing of one another are made at the same time, and told in order."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.disclosure.fixed import Flat
from treeline.core.engine.actions import Call
from treeline.core.engine.environment import Environment
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.workspace import Workspace
from treeline.toolkit import SkillTree, registry

MEAN, NDVI = "calc_batch_image_mean", "calculate_batch_ndvi"
CALLS = [Call(MEAN, {"file_list": f"Lake_2021-0{n}-01_NDVI.tif"}) for n in (5, 6, 7)]


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    (tmp_path / "data").mkdir()
    for number in (5, 6, 7):
        write_raster(
            tmp_path / "data" / f"Lake_2021-0{number}-01_NDVI.tif", np.full((4, 4), number / 10, "float32")
        )
    data = RunData(Workspace(tmp_path / "ws", [tmp_path / "data"]), "run")
    return Environment(data, Flat(SkillTree.of(registry())), registry())


def test_independent_calls_are_made_at_the_same_time_and_answered_in_order(environment, monkeypatch):
    together, run_tool, made = threading.Barrier(3), environment.run_tool, []

    def wait_for_the_others(tool, arguments, context):
        together.wait(30)  # one after the other would wait for ever
        made.append(arguments)
        return run_tool(tool, arguments, context)

    monkeypatch.setattr(environment, "run_tool", wait_for_the_others)
    environment.begin(CALLS, State("q"))
    values = [environment.act(call, State("q")).value for call in CALLS]
    assert values == [[pytest.approx(n / 10, abs=1e-6)] for n in (5, 6, 7)] and len(made) == 3


def test_what_fails_ahead_is_refused_in_its_turn(environment):
    missing = Call(MEAN, {"file_list": "Lake_2021-09-01_NDVI.tif"})
    environment.begin([CALLS[0], missing], State("q"))
    assert environment.act(CALLS[0], State("q")).kind == "result"
    refused = environment.act(missing, State("q"))
    assert refused.kind == "refusal" and "Lake_2021-09-01_NDVI.tif" in refused.text


@pytest.mark.parametrize(
    "other",
    [
        Call("difference", {"a": "@result1", "b": 0.2}),
        Call(NDVI, {"input_nir_paths": "a.tif", "input_red_paths": "b.tif", "output_paths": ["c.tif"]}),
        CALLS[0],
    ],
)
def test_what_waits_for_another_or_writes_is_not_begun_ahead(environment, monkeypatch, other):
    made = []
    monkeypatch.setattr(environment, "run_tool", lambda tool, arguments, context: made.append(tool.name))
    environment.begin([CALLS[0], other], State("q"))
    assert made == []
