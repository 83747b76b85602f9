"""A home with one small workspace, and a policy that plays what the test says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from tests.rasters import write_raster
from treeline.core.engine.actions import Action, Answer, Call, Decision, Doc, Skill, TokenUse
from treeline.core.policies.registry import POLICIES
from treeline.core.policies.replay import Replay
from treeline.pages.parts.shared.services import Services, services
from treeline.pages.parts.workbench.question import DOUBLE_SECONDS

MAIN = Path(__file__).resolve().parents[2] / "pages" / "main.py"
DATES = ("2021-06-03", "2021-07-12", "2021-08-20")

NDVI_ACTIONS = (
    Skill("Index"),
    Call("calculate_batch_ndvi", {}),
    Doc("calculate_batch_ndvi"),
    Call(
        "calculate_batch_ndvi",
        {
            "input_nir_paths": "@nir",
            "input_red_paths": "@red",
            "output_paths": [f"Place_NDVI_{date}.tif" for date in DATES],
        },
    ),
    Answer("NDVI is 0.5 on all dates.", 0.5, "1", None, (4,)),
)


@pytest.fixture(scope="session", autouse=True)
def components() -> Iterator[None]:
    """Look for Streamlit's components once: each page would read the metadata of all that is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests)
        )
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home whose demo workspace holds red and near infrared of three dates; NDVI is 0.5."""
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path))
    monkeypatch.delenv("TREELINE_STORE", raising=False)
    inputs = tmp_path / "workspaces" / "demo" / "inputs"
    inputs.mkdir(parents=True)
    for date in DATES:
        bands = np.stack([np.full((40, 40), 0.1), np.full((40, 40), 0.3)]).astype("float32")
        write_raster(inputs / f"Place_{date}.tif", bands, descriptions=["red", "nir"])
    yield tmp_path
    services().store.close()


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the planner play actions."""

    def play(*actions: Action) -> None:
        decisions = [Decision(action, "because <b>so</b>", TokenUse(100, 10)) for action in actions]
        monkeypatch.setitem(POLICIES, "planner", lambda *_: Replay(decisions))

    return play


@pytest.fixture
def served(home: Path) -> Services:
    return services()


@pytest.fixture
def app(home: Path) -> AppTest:
    return AppTest.from_file(str(MAIN), default_timeout=60)


def ask(app: AppTest, served: Services, question: str) -> str:
    """Type a question, press Ask, wait for the end, and return the run's identifier."""
    app.run()
    run = "run" in app.session_state and app.session_state["run"]
    shown = served.store.run(run) if run else None
    if shown is not None and shown.question == question:
        time.sleep(DOUBLE_SECONDS)  # the same question sooner is the second press of a double one
    app.text_input(key="question").set_value(question)
    next(button for button in app.button if button.label == "Ask").click().run()
    run = app.session_state["run"]
    served.manager.wait(run, 30)
    app.run()
    return run


def assert_whole(app: AppTest) -> None:
    """Assert that the page raised nothing."""
    assert not app.exception, [item.message for item in app.exception]


def frame(app, column):
    return next(item.value for item in app.dataframe if column in item.value.columns)
