"""Answers of all kinds held against what the planner's steps find on real rasters, not against fixtures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from treeline.core.context.holdings import holdings
from treeline.core.demo import write_demo
from treeline.core.engine.actions import Answer
from treeline.core.engine.journal import events_of
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, state_of
from treeline.core.engine.verification import verify
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace


def _answers(name: str) -> dict[str, dict[str, list[dict]]]:
    return yaml.safe_load(Path(__file__).with_name(name).read_text("utf-8"))


SLOVENIA, DEMO = _answers("real_runs.yaml"), _answers("demo_runs.yaml")
DATA = ("ndvi", "cloud_mask", "Slovenia_LULC.tif", "Slovenia_LULC.gpkg", "Slovenia_DEM.tif")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    write_demo(folder)
    return folder


@pytest.mark.sample(16)
@pytest.mark.parametrize("question", SLOVENIA)
def test_what_a_model_says_of_real_results_is_told_apart(question: str, shared: Path, tmp_path: Path):
    folder = shared / "rasters" / "slovenia_sentinel2"
    workspace = Workspace(tmp_path / "workspace", [folder / name for name in DATA])
    assert tell_apart(SLOVENIA[question], carry_out(question, workspace, tmp_path)) == ([], {})


@pytest.mark.sample(16)
@pytest.mark.parametrize("question", DEMO)
def test_what_a_model_says_of_the_demo_is_told_apart(question: str, demo: Path, tmp_path: Path):
    workspace = Workspace(tmp_path / "workspace", [demo])
    assert tell_apart(DEMO[question], carry_out(question, workspace, tmp_path)) == ([], {})


def tell_apart(answers: dict[str, list[dict]], state: State) -> tuple[list[str], dict[str, str]]:
    """Return the wrong answers that pass, and the right ones that are doubted, with the reason."""
    passing = [text["text"] for text in answers.get("wrong", []) if not hold(text, state)]
    doubted = {text["text"]: why for text in answers.get("right", []) if (why := hold(text, state))}
    return passing, doubted


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
