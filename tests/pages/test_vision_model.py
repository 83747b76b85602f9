"""A vision model that is named in the sidebar is asked by the perception tools, with the session's key."""

from __future__ import annotations

import json

import pytest

from tests.endpoint import Say, ScriptedEndpoint
from tests.pages.conftest import DATES, ask, assert_whole
from treeline.core.engine.actions import Answer, Call, Doc, Skill

NOTHING = Say(json.dumps({"objects": []}))
IMAGE = f"Place_{DATES[0]}.tif"


@pytest.fixture
def seeing(app, monkeypatch):
    """The page with an endpoint in its session and none in the environment."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "TREELINE_VISION_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with ScriptedEndpoint([NOTHING]) as endpoint:
        app.run()
        app.text_input(key="endpoint-url").set_value(endpoint.url)
        app.text_input(key="endpoint-vision").set_value("sees-7b")
        app.text_input(key="endpoint-key").set_value("sk-of-the-session").run()
        yield endpoint


def assert_asked(endpoint):
    (request,) = endpoint.requests
    assert request.body["model"] == "sees-7b"
    assert request.headers["authorization"] == "Bearer sk-of-the-session"


def test_a_run_of_the_planner_asks_it(app, served, scripted, seeing):
    call = Call("InstructSAM", {"input_image_path": IMAGE, "text_prompt": "ship"})
    scripted(Skill("Perception"), Doc("InstructSAM"), call, Answer("There is no ship.", 0))
    ask(app, served, "How many ships are there?")
    assert_whole(app)
    assert_asked(seeing)


def test_a_form_asks_it(app, seeing):
    app.switch_page("tools.py").run()
    app.session_state["tool"] = "InstructSAM"
    app.run()
    box = next(box for box in app.selectbox if box.key == "tool-InstructSAM-input_image_path")
    box.set_value(next(option for option in box.options if IMAGE in option))
    next(field for field in app.text_input if field.label == "Text prompt").set_value("ship")
    next(button for button in app.button if button.label == "Run").click().run()
    assert_whole(app)
    assert_asked(seeing)


def test_another_endpoint_never_gets_the_key_of_the_environment(app, served, scripted, seeing, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-server")
    app.text_input(key="endpoint-key").set_value("").run()
    call = Call("InstructSAM", {"input_image_path": IMAGE, "text_prompt": "ship"})
    scripted(Skill("Perception"), Doc("InstructSAM"), call, Answer("There is no ship.", 0))
    ask(app, served, "How many ships are there?")
    assert_whole(app)
    (request,) = seeing.requests
    assert "sk-of-the-server" not in str(request.headers)
