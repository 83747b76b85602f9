"""The sidebar's settings of the language model, and the test of its endpoint."""

from __future__ import annotations

import pytest

from tests.endpoint import Say, ScriptedEndpoint, use
from tests.pages.conftest import NDVI_ACTIONS, ask, assert_whole
from treeline.core.engine.journal import recorded_state
from treeline.pages.parts.shared.text import number


@pytest.fixture
def model_page(app, monkeypatch):
    """A function that shows the page with a language model at an endpoint."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "TREELINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    app.run()
    app.radio(key="policy").set_value("language").run()

    def at(server):
        app.text_input(key="endpoint-url").set_value(server.url)
        app.text_input(key="endpoint-model").set_value("scripted").run()
        return app

    return at


def test_what_is_set_reaches_the_endpoint_that_is_tested(model_page):
    with ScriptedEndpoint([use("skill", kit="Statistics")], models=("scripted", "other")) as server:
        app = model_page(server)
        app.number_input(key="model-temperature").set_value(0.4)
        app.number_input(key="model-seed").set_value(11)
        app.number_input(key="model-silence").set_value(3600.0)
        app.text_area(key="model-headers").set_value("X-Project: lake").run()
        app.button(key="model-test").click().run()
        assert_whole(app)
        assert any("called a function" in box.value for box in app.success)
        assert any("other" in caption.value for caption in app.caption)
    (request,) = server.requests
    assert (request.body["temperature"], request.body["seed"]) == (0.4, 11)
    assert request.headers["x-project"] == "lake"


def test_what_does_not_work_is_said(model_page):
    with ScriptedEndpoint([Say("Hello.")], models=("other",)) as server:
        app = model_page(server)
        app.button(key="model-test").click().run()
        assert_whole(app)
        told = " ".join(box.value for box in app.error)
        assert "called no function" in told and "does not list" in told


def test_a_header_that_is_none_is_refused(model_page):
    with ScriptedEndpoint([]) as server:
        app = model_page(server)
        app.text_area(key="model-headers").set_value("nonsense").run()
        app.button(key="model-test").click().run()
        assert_whole(app)
        assert any("no colon" in box.value for box in app.error)


def test_what_tokens_cost_stands_beside_them_where_a_price_is_set(app, served, scripted):
    scripted(*NDVI_ACTIONS)
    app.run()
    app.session_state["model-price_input"] = 2.0
    run = ask(app, served, "What is the mean NDVI?")
    used = recorded_state(served.store, run).tokens
    told = next(caption.value for caption in app.caption if "tokens" in caption.value)
    assert used.input and f"cost {number(2 * (used.input - used.cached) / 1e6)}" in told
    app.session_state["model-price_input"] = 0.0
    app.run()
    assert not any("cost" in caption.value for caption in app.caption)
