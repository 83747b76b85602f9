from __future__ import annotations

import json

import numpy as np
import pytest

from treeline.toolkit.errors import BackendMissing, InputError
from treeline.toolkit.perception.backends.labels import find_labels

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.toolkit.perception import networks

LABELS = ["Rust", "Meadow", "Pond"]


@pytest.fixture
def green(workplace):
    pixels = np.zeros((40, 60, 3))
    pixels[..., 1] = 200
    pixels[..., 2] = 60
    return workplace.image("green.png", pixels)


def test_scene_is_what_the_network_says(workplace, weights, green):
    networks.colour_classifier(weights / "MSCN.onnx", labels=LABELS, input_size=[16, 16])
    found = workplace.run("MSCN", input_image_path=green)
    logits = np.array([0, 200, 60]) / 255
    expected = np.exp(logits) / np.exp(logits).sum()
    assert found["predicted_class"] == "Meadow"
    assert found["confidence"] == pytest.approx(expected[1], abs=1e-5)
    assert [label for label, _ in found["top5_predictions"]] == ["Meadow", "Pond", "Rust"]
    assert found["backend"] == "onnx: MSCN.onnx"


def test_bands_means_and_order_of_channels_are_those_of_the_settings(workplace, weights, green):
    networks.colour_classifier(
        weights / "MSCN.onnx",
        labels=LABELS,
        channels="bgr",
        mean=[0.5, 0, 0],
        std=[1, 2, 1],
        output="probabilities",
    )
    found = dict(workplace.run("MSCN", input_image_path=green)["top5_predictions"])
    assert found["Rust"] == pytest.approx(60 / 255 - 0.5, abs=1e-5)
    assert found["Meadow"] == pytest.approx(200 / 255 / 2, abs=1e-5)


def test_clip_compares_with_embeddings_of_labels(workplace, weights, green):
    networks.colour_classifier(
        weights / "RemoteCLIP.onnx",
        labels=["water", "grass"],
        output="embedding",
        label_embeddings="words.npy",
        temperature=10,
    )
    np.save(weights / "words.npy", np.array([[0, 0, 3.0], [0, 2.0, 0]]))
    found = workplace.run("RemoteCLIP", input_image_path=green)
    unit = np.array([200, 60]) / np.hypot(200, 60)
    expected = 1 / (1 + np.exp(10 * (unit[1] - unit[0])))
    assert found["top5_predictions"][0] == {
        "rank": 1,
        "class": "grass",
        "probability": pytest.approx(expected, abs=1e-4),
    }


def spots(workplace, *places, shape=(64, 200)):
    pixels = np.zeros((*shape, 3))
    for x, y, value in places:
        pixels[y, x] = value
    return workplace.image("spots.png", pixels)


def test_boxes_of_tiles_are_those_of_the_picture(workplace, weights):
    networks.spot_detector(weights / "SM3Det.onnx", labels=["ship", "plane"], input_size=[64, 64])
    name = spots(workplace, (10, 5, 255), (150, 40, 200))
    found = workplace.run("SM3Det", input_image_path=name, text_prompt="airplane")
    assert [10, 5, 14, 8] in found and [150, 40, 154, 43] in found and len(found) == 2
    assert found[0] == [10, 5, 14, 8]
    assert workplace.warned_of("onnx: SM3Det.onnx")
    assert workplace.run("SM3Det", input_image_path=name, text_prompt="ships") == []


def test_details_have_map_bounds_and_confidence(workplace, weights):
    networks.spot_detector(weights / "Strip_R_CNN.onnx", labels=["ship", "plane"])
    pixels = np.zeros((3, 50, 60), "uint8")
    pixels[:, 20, 30] = 255
    workplace.raster("spot.tif", pixels, descriptions=("red", "green", "blue"))
    found = workplace.run("Strip_R_CNN", input_image_path="spot.tif", text_prompt="plane", details=True)
    assert found["crs"] == "EPSG:32633" and found["backend"] == "onnx: Strip_R_CNN.onnx"
    (one,) = found["objects"]
    assert one["box"] == [30, 20, 34, 23]
    assert one["map_bounds"] == [500_300, 5_100_000 - 230, 500_340, 5_100_000 - 200]
    assert one["confidence"] == pytest.approx(1) and one["label"] == "plane"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"box_format": "xywh"}, [10, 5, 24, 13]),
        ({"box_format": "cxcywh"}, [3, 1, 17, 9]),
        ({"score_threshold": 1.01}, None),
    ],
)
def test_box_formats_and_thresholds(workplace, weights, settings, expected):
    networks.spot_detector(weights / "SM3Det.onnx", labels=["ship", "plane"], **settings)
    name = spots(workplace, (10, 5, 255))
    found = workplace.run("SM3Det", input_image_path=name, text_prompt="plane")
    assert found == ([expected] if expected else [])


def test_grounding_takes_words_of_place_and_counting_counts(workplace, weights):
    for tool in ("RemoteSAM", "InstructSAM"):
        networks.spot_detector(weights / f"{tool}.onnx", labels=["ship", "plane"], input_size=[64, 64])
    name = spots(workplace, (10, 5, 200), (150, 40, 255))
    prompt = "the plane on the westernmost side"
    assert workplace.run("RemoteSAM", image_path=name, text_prompt=prompt) == [10, 5, 14, 8]
    assert workplace.run("RemoteSAM", image_path=name, text_prompt="the plane in the south") == [
        150,
        40,
        154,
        43,
    ]
    assert workplace.run("InstructSAM", input_image_path=name, text_prompt="plane") == 2
    assert workplace.run("RemoteSAM", image_path=name, text_prompt="a ship") == []
    assert workplace.warned_of("nothing that is meant")


@pytest.mark.parametrize("boxes", [True, False])
@pytest.mark.parametrize("size", [None, [64, 64]])
def test_masks_lie_in_the_boxes(workplace, weights, boxes, size):
    networks.brightness_segmenter(
        weights / "SAM2.onnx", boxes=boxes, output="mask", mask_threshold=0.5, input_size=size
    )
    pixels = np.zeros((64, 64, 3))
    pixels[10:20, 10:30] = pixels[40:50, 40:50] = 255
    name = workplace.image("a.png", pixels)
    found = workplace.run("SAM2", image_path=name, bboxes=[[5, 5, 35, 25]], save_name="out/m.tif")
    assert found == "Result saved at out/m.tif"
    expected = np.zeros((64, 64))
    expected[10:20, 10:30] = 1
    mask = workplace.read("out/m.tif")
    assert (mask != expected).sum() <= (0 if size is None or boxes else 40)
    assert mask[10:20, 10:30].mean() > 0.8 and mask[40:50, 40:50].sum() == 0


def test_change_and_buildings(workplace, weights):
    networks.difference_detector(
        weights / "ChangeOS.onnx",
        output="mask",
        mask_threshold=0.5,
        outputs={"buildings": "houses"},
        input_size=[32, 32],
    )
    before = np.zeros((40, 70, 3))
    before[5:10, 5:15] = before[30:38, 50:60] = 255
    after = before.copy()
    after[30:38, 50:60] = 0
    for name, pixels in (("t1.png", before), ("t2.png", after)):
        workplace.image(name, pixels)
    workplace.run("ChangeOS", pre_image_path="t1.png", post_image_path="t2.png", output_path="c.tif")
    np.testing.assert_array_equal(workplace.read("c.tif"), (before != after).any(axis=2))
    workplace.run("ChangeOS", pre_image_path="t1.png", post_image_path="t1.png", output_path="b.tif")
    np.testing.assert_array_equal(workplace.read("b.tif"), before[..., 0] > 127)


def test_what_is_wrong_with_weights_is_said(workplace, weights, green):
    def expect_refusal(error, *words, tool="MSCN", **arguments):
        with pytest.raises(error) as caught:
            workplace.run(tool, input_image_path=green, **arguments)
        assert all(word in str(caught.value) for word in words), str(caught.value)

    expect_refusal(BackendMissing, "MSCN.onnx", "TREELINE_WEIGHTS", backend="onnx")
    path = networks.colour_classifier(weights / "MSCN.onnx", labels=["a"])
    expect_refusal(InputError, "3 classes", "1 labels")
    path.with_suffix(".json").write_text(json.dumps({"labels": [], "colour": 1}))
    expect_refusal(InputError, "'colour'", "labels, input_size")
    path.with_suffix(".json").unlink()
    expect_refusal(BackendMissing, "MSCN.json")
    path.with_suffix(".json").write_text("{}")
    path.write_bytes(b"no network")
    expect_refusal(InputError, "no usable ONNX file")
    networks.colour_classifier(weights / "SM3Det.onnx", labels=["ship"], output="boxes_scores_labels")
    expect_refusal(InputError, "no output", "scores", tool="SM3Det", text_prompt="ship")
    expect_refusal(InputError, "knows no 'tree'", "ship", tool="SM3Det", text_prompt="tree")


def test_embeddings_are_not_taken_from_elsewhere(workplace, weights, green):
    np.save(weights.parent / "words.npy", np.eye(3))
    networks.colour_classifier(
        weights / "RemoteCLIP.onnx", labels=LABELS, output="embedding", label_embeddings="../words.npy"
    )
    with pytest.raises(InputError, match="missing"):
        workplace.run("RemoteCLIP", input_image_path=green)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("airplane", ["plane"]),
        ("football field", ["soccer-ball-field"]),
        ("the largest storage tank", ["storage-tank"]),
        ("vehicles", ["small-vehicle", "large-vehicle"]),
        ("Harbour", ["harbor"]),
        ("baseball field", ["baseball-diamond"]),
        ("large vehicle", ["large-vehicle"]),
    ],
)
def test_words_find_the_labels_of_a_data_set(prompt, expected):
    labels = ["plane", "ship", "storage-tank", "baseball-diamond", "soccer-ball-field", "harbor"]
    labels += ["small-vehicle", "large-vehicle"]
    assert find_labels(prompt, labels, "net") == expected


def test_a_network_that_takes_bytes_gets_them_as_they_are(workplace, weights, green):
    networks.byte_classifier(weights / "MSCN.onnx", labels=LABELS, axes="nhwc", mean=[0.5, 0.5, 0.5])
    found = workplace.run("MSCN", input_image_path=green)
    expected = np.exp(np.array([0, 200, 60]) / 255)
    assert found["predicted_class"] == "Meadow"
    assert found["confidence"] == pytest.approx(expected[1] / expected.sum(), abs=1e-5)


def test_outputs_of_another_form_are_told_with_their_shapes(workplace, weights, green):
    networks.spot_detector(weights / "SM3Det.onnx", labels=["ship"], output="rows")
    with pytest.raises(InputError, match=r"gives no rows that can be read .*boxes \[1, 4\]") as caught:
        workplace.run("SM3Det", input_image_path=green, text_prompt="ship")
    assert "box_format in SM3Det.json" in caught.value.hint
    networks.colour_classifier(
        weights / "RemoteCLIP.onnx", labels=["a"], output="embedding", label_embeddings="w.npy"
    )
    np.save(weights / "w.npy", np.eye(5))
    with pytest.raises(InputError, match="gives no embedding that can be read"):
        workplace.run("RemoteCLIP", input_image_path=green)


@pytest.mark.parametrize("wrong", [{"mean": [0.5]}, {"std": [1, 0, 1]}, {"input_size": [0, 16]}])
def test_settings_that_cannot_be_are_told(workplace, weights, green, wrong):
    networks.colour_classifier(weights / "MSCN.onnx", labels=LABELS, **wrong)
    with pytest.raises(InputError, match=f"MSCN.json: '{next(iter(wrong))}"):
        workplace.run("MSCN", input_image_path=green)
