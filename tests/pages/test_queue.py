"""A run that waits: one's place on the page, and Stop, which leaves the queue."""

from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import assert_whole
from treeline.core.policies import registry as policies
from treeline.core.policies.planner import Planner
from treeline.core.runs.manager import LEFT_QUEUE
from treeline.core.runs.options import RunOptions
from treeline.pages.parts.shared.services import Services

QUESTION = "What is the mean NDVI of each date?"


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A planner that decides nothing before it is let through; one run works at once."""
    opened = threading.Event()

    class Waits(Planner):
        def decide(self, state, notify, stop):
            while not opened.wait(0.01) and not stop.is_set():
                pass
            return super().decide(state, notify, stop)

    through = lambda data, endpoint, disclosure, how: Waits(data, disclosure)  # noqa: E731
    monkeypatch.setitem(policies.POLICIES, "planner", through)
    monkeypatch.setenv("TREELINE_QUOTAS", "runs=1 queue_each=3")
    return opened


def texts(app: AppTest) -> str:
    return "\n".join(element.value for element in app.markdown)


def open_run(app: AppTest, run: str) -> None:
    app.query_params["run"] = run
    app.session_state["run"] = run
    app.run()
    assert_whole(app)


def test_a_run_that_waits_shows_its_question_and_place_and_can_be_taken_out(app, served: Services, gate):
    manager = served.manager
    first, second, third = (manager.start("demo", QUESTION, RunOptions()) for _ in range(3))
    open_run(app, second)
    assert QUESTION in texts(app) and "It begins next" in texts(app)
    open_run(app, third)
    assert "1 run before it" in texts(app)
    app.button(key="stop").click().run()
    assert_whole(app)
    assert manager.record(third).status == "stopped"
    assert QUESTION in texts(app) and LEFT_QUEUE.rstrip(".") in texts(app)
    gate.set()
    for run in (first, second):
        manager.wait(run, 60)
        assert manager.record(run).status == "answered"


def test_one_question_too_many_is_refused_on_the_page(app, served: Services, gate):
    runs = [served.manager.start("demo", QUESTION, RunOptions()) for _ in range(3)]
    app.run()
    app.text_input(key="question").set_value(QUESTION)
    next(button for button in app.button if button.label == "Ask").click().run()
    assert_whole(app)
    assert any("3 are allowed" in error.value for error in app.error)
    for run in reversed(runs):
        served.manager.stop(run)
        served.manager.wait(run, 60)
