"""Answers of all kinds held against what the planner's steps find on real rasters, not against fixtures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from treeline.core.context.holdings import holdings
from treeline.core.engine.actions import Answer
from treeline.core.engine.journal import events_of
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, state_of
from treeline.core.engine.verification import verify
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace

ANSWERS = yaml.safe_load(Path(__file__).with_name("real_runs.yaml").read_text("utf-8"))
DATA = ("ndvi", "cloud_mask", "Slovenia_LULC.tif", "Slovenia_LULC.gpkg", "Slovenia_DEM.tif")


@pytest.mark.parametrize("question", ANSWERS)
def test_what_a_model_says_of_real_results_is_told_apart(question: str, shared: Path, tmp_path: Path):
    folder = shared / "rasters" / "slovenia_sentinel2"
    workspace = Workspace(tmp_path / "workspace", [folder / name for name in DATA])
    state = carry_out(question, workspace, tmp_path)
    unverified = {text["text"]: hold(text, state) for text in ANSWERS[question]["wrong"]}
    assert [text for text, why in unverified.items() if not why] == []
    doubted = {text["text"]: hold(text, state) for text in ANSWERS[question]["right"]}
    assert {text: why for text, why in doubted.items() if why} == {}


def carry_out(question: str, workspace: Workspace, folder: Path) -> State:
    """Return the steps of the planner to a question, beside what a model is told of the data."""
    manager = RunManager(Store(str(folder / "store.sqlite")), lambda name: workspace)
    run = manager.start("w", question, RunOptions(policy="planner"))
    manager.wait(run, 120)
    state = state_of(stored.event for stored in events_of(manager.store, run))
    told = holdings(RunData(workspace, "told", folder / "told"))
    steps = tuple(step for step in state.steps if step.action.kind != "answer")
    return replace(state, steps=steps, context={**state.context, **told})


def hold(given: dict, state: State) -> str:
    """Return why an answer that cites all steps is unverified; nothing where it is carried."""
    evidence = tuple(step.number for step in state.calls)
    answer = Answer(given["text"], given.get("value"), given.get("unit", ""), evidence=evidence)
    return verify(answer, state).unverified
