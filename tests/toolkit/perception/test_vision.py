from __future__ import annotations

import base64
import io
import json
import threading

import numpy as np
import pytest
from PIL import Image

from tests.endpoint import Hang, Refuse, Say, ScriptedEndpoint
from treeline.toolkit import ToolContext, registry, use_context
from treeline.toolkit.errors import BackendMissing, Stopped, TreelineError
from treeline.toolkit.vision_endpoint import VisionEndpoint, use_vision

MODEL = "sees-7b"


@pytest.fixture
def start_endpoint(monkeypatch):
    """Return a function that starts an endpoint and names it in the environment."""

    def start(*script):
        endpoint = ScriptedEndpoint(script[0] if callable(script[0]) else script)
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("TREELINE_VISION_MODEL", MODEL)
        return endpoint

    return start


def say(**content):
    return Say(json.dumps(content))


def pictures_in(messages):
    urls = [part["image_url"]["url"] for part in messages[1]["content"] if part["type"] == "image_url"]
    return [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(u.removeprefix("data:image/png;base64,")))))
        for u in urls
    ]


def question_in(request):
    return request.messages[1]["content"][0]["text"]


@pytest.fixture
def noise(workplace):
    pixels = np.random.default_rng(5).integers(0, 255, (100, 200, 3)).astype("uint8")
    workplace.image("a.png", pixels)
    return pixels


def test_scene_is_asked_with_the_picture_and_a_schema(workplace, start_endpoint, noise):
    ranking = [{"label": "farm land", "probability": 0.2}, {"label": "storage tanks", "probability": 0.7}]
    with start_endpoint(say(ranking=ranking)) as endpoint:
        found = workplace.run("MSCN", input_image_path="a.png")
    assert found == {
        "predicted_class": "StorageTanks",
        "confidence": 0.7,
        "top5_predictions": [["StorageTanks", 0.7], ["Farmland", 0.2]],
        "backend": f"vision: {MODEL}",
    }
    (request,) = endpoint.requests
    np.testing.assert_array_equal(pictures_in(request.messages)[0], noise)
    assert request.body["model"] == MODEL and request.body["temperature"] == 0
    assert request.body["response_format"]["json_schema"]["schema"]["properties"].keys() == {"ranking"}
    assert "RailwayStation" in question_in(request)


def test_labels_are_those_of_the_caller(workplace, start_endpoint, noise):
    ranking = [{"label": "Rice", "probability": 0.6}, {"label": "Airport", "probability": 0.4}]
    with start_endpoint(say(ranking=ranking)) as endpoint:
        found = workplace.run("RemoteCLIP", input_image_path="a.png", labels=["rice", "maize"])
    assert found["top5_predictions"] == [{"rank": 1, "class": "rice", "probability": 0.6}]
    assert "rice, maize" in question_in(endpoint.requests[0])


def test_boxes_come_back_in_pixels_and_on_the_map(workplace, start_endpoint):
    pixels = np.random.default_rng(1).integers(0, 255, (3, 100, 200)).astype("uint8")
    workplace.raster("a.tif", pixels, descriptions=("red", "green", "blue"))
    objects = [{"box": [100, 200, 300, 400], "confidence": 0.4}, {"box": [500, 500, 1000, 1000]}]
    with start_endpoint(say(objects=objects), say(objects=objects)):
        boxes = workplace.run("SM3Det", input_image_path="a.tif", text_prompt="plane")
        assert workplace.warned_of(MODEL)
        table = workplace.run("SM3Det", input_image_path="a.tif", text_prompt="plane", details=True)
    assert boxes == [[100, 50, 200, 100], [20, 20, 60, 40]]
    assert table["objects"][1]["map_bounds"] == [500_200, 5_099_600, 500_600, 5_099_800]


def test_large_pictures_are_asked_by_tiles_and_doubles_are_one(workplace, start_endpoint):
    pixels = np.zeros((300, 1500, 3), "uint8")
    pixels[100:150, 700:760] = 255
    workplace.image("wide.png", pixels)

    def reply(messages):
        (tile,) = pictures_in(messages)
        assert max(tile.shape) <= 1024
        rows, columns = np.nonzero(tile[..., 0])
        corners = (
            columns.min() / tile.shape[1],
            rows.min() / tile.shape[0],
            (columns.max() + 1) / tile.shape[1],
            (rows.max() + 1) / tile.shape[0],
        )
        return say(objects=[{"box": [1000 * c for c in corners], "confidence": 0.9}])

    with start_endpoint(reply) as endpoint:
        count = workplace.run("InstructSAM", input_image_path="wide.png", text_prompt="white house")
        assert len(endpoint.requests) == 2
        boxes = workplace.run("Strip_R_CNN", input_image_path="wide.png", text_prompt="white house")
        one = workplace.run("RemoteSAM", input_image_path="wide.png", text_prompt="the white house")
    assert count == 1
    assert boxes == [pytest.approx([700, 100, 760, 150])]
    assert one == pytest.approx([700, 100, 760, 150], abs=2)
    assert len(endpoint.requests) == 5


def test_nothing_found_is_an_empty_answer(workplace, start_endpoint, noise):
    with start_endpoint(say(objects=[]), say(objects=[])):
        assert workplace.run("RemoteSAM", input_image_path="a.png", text_prompt="ship") == []
        assert workplace.run("InstructSAM", input_image_path="a.png", text_prompt="ship") == 0


def test_outlines_become_masks_inside_the_box(workplace, start_endpoint, noise):
    square = [[100, 100], [900, 100], [900, 900], [100, 900]]
    with start_endpoint(say(outlines=[square])):
        workplace.run("SAM2", input_image_path="a.png", bbox=[40, 20, 80, 60], output_path="m.png")
    mask = workplace.stored_bands("m.png")[0]
    assert set(np.unique(mask)) == {0, 255}
    rows, columns = np.nonzero(mask)
    assert rows.min() >= 20 and rows.max() < 60 and columns.min() >= 40 and columns.max() < 80
    assert mask.mean() / 255 * mask.size == pytest.approx(0.8**2 * 1.3**2 * 40 * 40, rel=0.1)


def test_changes_are_asked_with_both_pictures(workplace, start_endpoint, noise):
    workplace.image("b.png", noise // 2)
    with start_endpoint(
        say(outlines=[[[0, 0], [500, 0], [500, 500], [0, 500]], [[1, 1], [2, 2]]])
    ) as endpoint:
        workplace.run("ChangeOS", pre_image_path="a.png", post_image_path="b.png", output_path="c.tif")
    before, after = pictures_in(endpoint.requests[0].messages)
    np.testing.assert_array_equal(before, noise)
    np.testing.assert_array_equal(after, noise // 2)
    mask = workplace.read("c.tif")
    assert mask[:49, :99].all() and not mask[52:].any() and not mask[:, 102:].any()


def test_buildings_of_one_picture(workplace, start_endpoint, noise):
    with start_endpoint(say(outlines=[[[0, 0], [1000, 0], [1000, 1000], [0, 1000]]])) as endpoint:
        workplace.run("ChangeOS", pre_image_path="a.png", post_image_path="a.png", output_path="b.tif")
    assert "every building" in question_in(endpoint.requests[0])
    assert len(pictures_in(endpoint.requests[0].messages)) == 1
    assert workplace.read("b.tif").mean() > 0.95


def test_an_answer_of_another_form_is_asked_for_again(workplace, start_endpoint, noise):
    good = "Here it is:\n```json\n" + json.dumps({"objects": [{"box": [0, 0, 500, 1000]}]}) + "\n```"
    with start_endpoint(Say("There are two ships."), Say(good)) as endpoint:
        found = workplace.run("SM3Det", input_image_path="a.png", text_prompt="ship")
    assert found == [[0, 0, 100, 100]]
    assert "Not of the asked form" in endpoint.requests[1].last

    boxes_too_large = say(objects=[{"box": [0, 0, 5000, 1]}])
    with start_endpoint(boxes_too_large, boxes_too_large), pytest.raises(TreelineError, match="asked form"):
        workplace.run("SM3Det", input_image_path="a.png", text_prompt="ship")


def test_an_endpoint_without_schemas_is_asked_without(workplace, start_endpoint, noise):
    with start_endpoint(Refuse(400, "response_format is not supported"), say(objects=[])) as endpoint:
        assert workplace.run("SM3Det", input_image_path="a.png", text_prompt="ship") == []
    assert "response_format" not in endpoint.requests[1].body
    assert '"objects"' in question_in(endpoint.requests[1])


def test_refusals_name_the_settings_and_never_the_key(workplace, start_endpoint, noise, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with start_endpoint(Refuse(401, "no")), pytest.raises(BackendMissing) as caught:
        workplace.run("MSCN", input_image_path="a.png")
    assert "401" in str(caught.value) and "TREELINE_VISION_MODEL" in str(caught.value)
    assert "sk-very-secret" not in str(caught.value)
    assert "sk-very-secret" not in repr(VisionEndpoint.from_environment())
    with ScriptedEndpoint([]) as closed:
        url = closed.url
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setattr("treeline.toolkit.vision_endpoint.RETRIES", 0)
    with pytest.raises(BackendMissing, match="cannot be reached"):
        workplace.run("MSCN", input_image_path="a.png")


def test_an_endpoint_can_be_given_for_a_while(workplace, noise):
    with ScriptedEndpoint([say(objects=[])]) as endpoint:
        with use_vision(VisionEndpoint("other", endpoint.url, "key")):
            workplace.run("InstructSAM", input_image_path="a.png", text_prompt="ship")
        assert endpoint.requests[0].headers["authorization"] == "Bearer key"
        with pytest.raises(BackendMissing):
            workplace.run("InstructSAM", input_image_path="a.png", text_prompt="ship")


def test_lists_of_pictures_are_mapped(workplace, start_endpoint, noise):
    workplace.image("b.png", noise)
    with start_endpoint(say(objects=[]), say(objects=[])):
        found = workplace.run("InstructSAM", input_image_path=["a.png", "b.png"], text_prompt="ship")
    assert found == [0, 0]


def test_boxes_as_shares_of_the_image_are_understood(workplace, start_endpoint, noise):
    objects = [{"box": [0, 0, 0.5, 1]}, {"box": [0.25, 0.5, 1, 1]}]
    with start_endpoint(say(objects=objects)):
        found = workplace.run("SM3Det", input_image_path="a.png", text_prompt="ship")
    assert found == [[0, 0, 100, 100], [50, 50, 200, 100]]
    with start_endpoint(say(outlines=[[[0, 0], [0.5, 0], [0.5, 1], [0, 1]]])):
        workplace.run("ChangeOS", pre_image_path="a.png", post_image_path="a.png", output_path="b.tif")
    assert workplace.read("b.tif")[:, :99].all() and not workplace.read("b.tif")[:, 102:].any()


def test_a_person_who_stops_does_not_wait_for_the_endpoint(workplace, start_endpoint, noise):
    context = ToolContext(workplace.folder, workplace.resolver)
    with start_endpoint(Hang()) as endpoint, use_context(context):

        def stop_when_asked():
            while not endpoint.requests:
                threading.Event().wait(0.02)
            context.stop.set()

        person = threading.Thread(target=stop_when_asked)
        person.start()
        with pytest.raises(Stopped):
            registry().get("SM3Det").call({"input_image_path": "a.png", "text_prompt": "ship"})
        person.join()


def test_the_brief_of_a_tool_that_needs_weights_says_so() -> None:
    with_backends = [tool for tool in registry() if any(p.name == "backend" for p in tool.parameters)]
    assert len(with_backends) >= 8
    assert [tool.name for tool in with_backends if "weights" not in tool.brief] == []
