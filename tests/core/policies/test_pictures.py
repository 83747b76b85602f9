"""Pictures for a model that sees: asked for by a call, sent as parts of a message, and to no other model."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from tests.core.runs.test_grounded import manager, means  # noqa: F401
from tests.endpoint import Refuse, ScriptedEndpoint, use
from treeline.core.context.open_tools import PICTURE
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.model_settings import ModelSettings
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint

DRAW = use("call", tool=PICTURE, arguments={"image_path": "Lake_2021-07-12_NDVI.tif", "save_name": "m.png"})
END = use("answer", text="There is no water to measure.", declined=True)


def pictures_in(request) -> list[Image.Image]:
    """Return the pictures that a request holds, in either form of the exchange."""
    messages = request.get("messages") or request.get("input")
    parts = [part for m in messages if isinstance(m.get("content"), list) for part in m["content"]]
    addresses = [p["image_url"] for p in parts if p["type"] in ("image_url", "input_image")]
    texts = [a if isinstance(a, str) else a["url"] for a in addresses]
    return [Image.open(io.BytesIO(base64.b64decode(text.partition(",")[2]))) for text in texts]


def ask(manager, script, **settings):  # noqa: F811
    open_tools = settings.pop("open_tools", True)
    with ScriptedEndpoint(script) as server:
        endpoint = Endpoint(server.url, "m", "sk-secret-0123456789", settings=ModelSettings(**settings))
        options = RunOptions(policy="language", open_tools=open_tools)
        run = manager.start("w", "Is there water?", options, endpoint)
        manager.wait(run, 120)
        return run, [request.body for request in server.requests]


@pytest.mark.parametrize("form", ["chat", "responses"])
def test_a_model_that_sees_is_shown_the_map_that_it_asks_for(manager, form):  # noqa: F811
    run, requests = ask(manager, [DRAW, END], sees=True, form=form)
    (step,) = recorded_state(manager.store, run).calls
    assert step.observation.kind == "result" and step.observation.products[0].kind == "image"
    assert pictures_in(requests[0]) == []
    (picture,) = pictures_in(requests[1])
    assert picture.format == "PNG" and min(picture.size) > 400


def test_another_model_is_told_of_no_picture_and_shown_none(manager):  # noqa: F811
    run, requests = ask(manager, [DRAW, END])
    assert PICTURE not in str(requests[0]) and pictures_in(requests[1]) == []
    (step,) = recorded_state(manager.store, run).calls
    assert step.observation.kind == "refusal"


def test_under_the_regime_of_a_paper_no_tool_is_open(manager):  # noqa: F811
    run, requests = ask(manager, [DRAW, END], sees=True, open_tools=False)
    assert PICTURE not in str(requests[0])
    assert recorded_state(manager.store, run).calls[0].observation.kind == "refusal"


def test_an_endpoint_that_takes_no_pictures_is_told_that_there_was_one(manager):  # noqa: F811
    refusal = Refuse(400, "image_url is not supported by this model")
    run, requests = ask(manager, [DRAW, refusal, END], sees=True)
    assert len(pictures_in(requests[1])) == 1 and pictures_in(requests[2]) == []
    assert "takes no pictures" in str(requests[2]["messages"])
    assert events_of(manager.store, run)[-1].event.status == "declined"
