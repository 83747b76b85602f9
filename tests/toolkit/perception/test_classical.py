from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.toolkit.context import use_context
from treeline.toolkit.errors import BackendMissing, GridMismatch, InputError, NoValidPixels, RasterMissing
from treeline.toolkit.perception.backends.classical.alteration import irmad
from treeline.toolkit.perception.picture import picture
from treeline.toolkit.perception.tasks import Detection, choose_detection, without_doubles

RANDOM = np.random.default_rng(8)


def texture(colour, spread, shape=(80, 80)):
    noise = RANDOM.normal(0, spread, shape)[..., np.newaxis]
    return (np.array(colour) + noise).clip(0, 255)


@pytest.mark.parametrize(
    ("colour", "spread", "expected"),
    [
        ((20, 40, 70), 2, "Water"),
        ((90, 140, 70), 2, "GrassOrCrops"),
        ((50, 90, 40), 30, "Forest"),
        ((180, 140, 100), 3, "BareLand"),
        ((130, 130, 130), 60, "BuiltUp"),
        ((250, 250, 250), 1, "SnowOrCloud"),
    ],
)
@pytest.mark.parametrize("tool", ["MSCN", "RemoteCLIP"])
def test_land_cover_is_told_and_named_as_such(workplace, tool, colour, spread, expected):
    name = workplace.image("a.png", texture(colour, spread))
    found = workplace.run(tool, input_image_path=name)
    assert found["predicted_class"] == expected
    assert 0.5 < found["confidence"] <= 1
    assert found["backend"].startswith("classical: land cover")
    assert len(found["top5_predictions"]) == 5


def test_shares_are_those_of_the_area_and_of_valid_pixels(workplace):
    half = np.concatenate([texture((20, 40, 70), 0.5), texture((180, 140, 100), 0.5)], axis=1)
    found = dict(workplace.run("MSCN", input_image_path=workplace.image("a.png", half))["top5_predictions"])
    assert found["Water"] == pytest.approx(0.5, abs=0.06)
    assert sum(found.values()) == pytest.approx(1, abs=0.05)


def test_indices_are_used_where_there_is_near_infrared(workplace):
    bands = np.full((4, 30, 30), 0.1, "float32")
    bands[3, :, :20] = 0.5
    bands[:, :, 20:] = np.array([0.02, 0.06, 0.08, 0.01])[:, np.newaxis, np.newaxis]
    bands[0, 0, 0] = np.nan
    workplace.raster("s2.tif", bands, descriptions=("red", "green", "blue", "nir"))
    found = dict(workplace.run("MSCN", input_image_path="s2.tif")["top5_predictions"])
    assert found["Water"] == pytest.approx(300 / 899)
    assert found["Vegetation"] == pytest.approx(599 / 899)


def test_stretch_follows_each_colour_and_leaves_bytes_alone(workplace):
    bands = RANDOM.normal(0, 1, (3, 50, 50)) * np.array([5, 50, 500])[:, None, None] + 1000
    workplace.raster("dn.tif", bands.astype("float32"), descriptions=("red", "green", "blue"))
    workplace.raster("bytes.tif", np.full((3, 5, 5), 77, "uint8"), descriptions=("red", "green", "blue"))
    with use_context(workplace.context):
        found = picture("dn.tif").pixels
        assert (picture("bytes.tif").pixels == 77).all()
    low, high = np.percentile(bands, (2, 98), axis=(1, 2))
    expected = ((bands - low[:, None, None]) / (high - low)[:, None, None] * 255).clip(0, 255)
    np.testing.assert_allclose(found.transpose(2, 0, 1), expected, atol=1)


def test_unknown_scale_makes_colours_relative(workplace):
    bands = np.full((4, 20, 20), 3000, "uint16") + RANDOM.integers(0, 50, (4, 20, 20)).astype("uint16")
    workplace.raster("dn.tif", bands, descriptions=("red", "green", "blue", "nir"))
    workplace.resolver.bands["dn.tif"] = {"scale_known": False}
    workplace.run("MSCN", input_image_path="dn.tif")
    assert workplace.warned_of("relative") and not workplace.warned_of("were used as they are")


@pytest.fixture
def tanks(workplace):
    pixels = texture((60, 60, 60), 3, (100, 120))
    rows, columns = np.mgrid[:100, :120]
    for y, x in ((20, 20), (20, 60), (70, 90)):
        pixels[(rows - y) ** 2 + (columns - x) ** 2 < 64] = 230
    return workplace.image("tanks.png", pixels)


def test_bright_objects_are_counted_and_boxed(workplace, tanks):
    assert workplace.run("InstructSAM", input_image_path=tanks, text_prompt="bright objects") == 3
    assert workplace.warned_of("classical: bright or dark blobs")
    boxes = workplace.run("SM3Det", input_image_path=tanks, text_prompt="bright objects")
    assert sorted(boxes) == [
        pytest.approx(b, abs=1.5) for b in ([13, 13, 28, 28], [53, 13, 68, 28], [83, 63, 98, 78])
    ]
    found = workplace.run("RemoteSAM", input_image_path=tanks, text_prompt="the easternmost bright object")
    assert found == pytest.approx([83, 63, 98, 78], abs=1.5)


def test_dark_objects_are_found_too(workplace):
    pixels = np.full((50, 50, 3), 220)
    pixels[10:20, 10:25] = 10
    name = workplace.image("dark.png", pixels)
    assert (
        workplace.run("InstructSAM", input_image_path=name, text_prompt="dark objects", backend="classical")
        == 1
    )
    flat = workplace.image("flat.png", texture((100, 100, 100), 1))
    assert workplace.run("InstructSAM", input_image_path=flat, text_prompt="bright objects") == 0


def test_components_of_a_mask_are_counted_whatever_they_are_called(workplace):
    mask = np.zeros((30, 30))
    mask[2:5, 2:5] = mask[10, 10] = 255
    name = workplace.image("mask.png", mask)
    assert workplace.run("InstructSAM", input_image_path=name, text_prompt="destroyed buildings") == 2
    workplace.raster("mask.tif", mask.astype("uint8") // 255, nodata=255)
    assert workplace.run("InstructSAM", input_image_path="mask.tif", text_prompt="ships") == 2
    white = workplace.image("white.png", np.full((9, 9, 3), 250))
    with pytest.raises(BackendMissing):
        workplace.run("InstructSAM", input_image_path=white, text_prompt="ships")


def test_land_cover_does_not_answer_for_other_labels(workplace, tanks):
    with pytest.raises(BackendMissing, match="rice"):
        workplace.run("RemoteCLIP", input_image_path=tanks, labels=["rice", "maize"])


@pytest.mark.parametrize("tool", ["SM3Det", "Strip_R_CNN", "RemoteSAM", "InstructSAM"])
def test_kinds_of_objects_are_never_invented(workplace, tanks, tool):
    with pytest.raises(BackendMissing) as caught:
        workplace.run(tool, input_image_path=tanks, text_prompt="storage tank")
    message = str(caught.value)
    assert f"{tool}.onnx" in message and "TREELINE_VISION_MODEL" in message and "bright object" in message


def test_blobs_can_be_insisted_on_and_say_so(workplace, tanks):
    found = workplace.run(
        "InstructSAM", input_image_path=tanks, text_prompt="storage tank", backend="classical", details=True
    )
    assert found["count"] == 3 and "cannot tell kinds" in found["backend"]


def test_watershed_finds_the_object_in_the_box(workplace, tanks):
    workplace.run(
        "SAM2", input_image_path=tanks, bbox=[[10, 10, 32, 32], [80, 60, 100, 80]], output_path="m.tif"
    )
    assert workplace.warned_of("classical: watershed")
    rows, columns = np.mgrid[:100, :120]
    expected = ((rows - 20) ** 2 + (columns - 20) ** 2 < 64) | ((rows - 70) ** 2 + (columns - 90) ** 2 < 64)
    mask = workplace.read("m.tif") == 1
    assert (mask & expected).sum() / (mask | expected).sum() > 0.85
    assert not mask[10:32, 50:70].any()


def test_masks_keep_nodata_and_place(workplace):
    pixels = np.full((3, 40, 40), 50, "uint8")
    pixels[:, 10:20, 10:20] = 200
    pixels[:, 0, :] = 7
    workplace.raster("a.tif", pixels, nodata=7, descriptions=("red", "green", "blue"))
    workplace.run("SAM2", input_image_path="a.tif", bbox=[5, 5, 25, 25], output_path="m.tif")
    mask = workplace.read("m.tif")
    assert (
        np.isnan(mask[0]).all()
        and mask[10:20, 10:20].mean() > 0.9
        and np.nansum(mask) == pytest.approx(100, abs=40)
    )
    (product,) = workplace.context.products
    assert product.role == "mask" and product.maximum == 1


def test_a_png_takes_the_name_that_was_asked_and_keeps_its_place(workplace):
    pixels = np.full((3, 40, 40), 50, "uint8")
    pixels[:, 10:20, 10:20] = 200
    workplace.raster("a.tif", pixels, descriptions=("red", "green", "blue"))
    found = workplace.run("SAM2", input_image_path="a.tif", bbox=[5, 5, 25, 25], output_path="out/m.png")
    assert found == "Result saved at out/m.png"
    assert workplace.run("calculate_area", input_image_path="out/m.png", gsd=10) == pytest.approx(
        10_000, rel=0.4
    )
    assert workplace.run("count_connected_components", image_path="out/m.png") == 1
    assert workplace.run("calculate_area", input_image_path="out/m.png", gsd=None) == pytest.approx(
        10_000, rel=0.4
    )
    assert sorted(p.name for p in (workplace.folder / "out").iterdir()) == ["m.png", "m.png.aux.xml"]


def scene(shape=(60, 70)):
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    smooth = 90 + 40 * np.sin(rows / 7)[..., np.newaxis] + 30 * np.cos(columns / 9)[..., np.newaxis]
    return smooth * np.array([1, 0.9, 0.7]) + RANDOM.normal(0, 4, (*shape, 3))


def test_change_is_found_in_spite_of_another_light(workplace):
    before = scene()
    after = before * 0.8 + 20 + RANDOM.normal(0, 2, before.shape)
    after[20:32, 30:44] = RANDOM.uniform(0, 255, (12, 14, 3))
    for name, pixels in (("t1.png", before), ("t2.png", after)):
        workplace.image(name, pixels.clip(0, 255))
    workplace.run("ChangeOS", pre_image_path="t1.png", post_image_path="t2.png", output_path="c.tif")
    assert workplace.warned_of("IR-MAD")
    mask = workplace.read("c.tif") == 1
    expected = np.zeros_like(mask)
    expected[20:32, 30:44] = True
    assert (mask & expected).sum() / expected.sum() > 0.8
    assert (mask & ~expected).sum() < 0.01 * mask.size


def test_the_same_pixels_in_two_files_are_no_change(workplace):
    for name in ("t1.png", "t2.png"):
        workplace.image(name, np.random.default_rng(0).integers(0, 255, (30, 30, 3)))
    workplace.run("ChangeOS", pre_image_path="t1.png", post_image_path="t2.png", output_path="c.png")
    assert not workplace.stored_bands("c.png").any()
    assert workplace.warned_of("is empty")


def test_buildings_of_one_picture_need_a_model(workplace, tanks):
    with pytest.raises(BackendMissing, match="ChangeOS.onnx") as caught:
        workplace.run("ChangeOS", pre_image_path=tanks, post_image_path=tanks, output_path="c.tif")
    assert "buildings" in str(caught.value) and not (workplace.folder / "c.tif").exists()


@given(st.integers(0, 1000), st.floats(0.2, 3), st.floats(-50, 50))
@settings(max_examples=15)
def test_irmad_does_not_depend_on_gain_and_offset(seed, gain, offset):
    random = np.random.default_rng(seed)
    first = random.normal(100, 20, (400, 3))
    second = first + random.normal(0, 5, first.shape)
    plain, bands = irmad(first, second)
    scaled, _ = irmad(first, gain * second + offset)
    assert bands == 3
    np.testing.assert_allclose(scaled, plain, rtol=1e-2, atol=1e-2)


def test_noise_alone_is_no_change(workplace):
    before = scene()
    workplace.image("t1.png", before.clip(0, 255))
    workplace.image("t2.png", (before + RANDOM.normal(0, 5, before.shape)).clip(0, 255))
    workplace.run("ChangeOS", pre_image_path="t1.png", post_image_path="t2.png", output_path="c.tif")
    assert workplace.read("c.tif").mean() < 0.01


def test_words_of_place_and_size_choose():
    boxes = [(0, 0, 10, 10), (50, 50, 90, 90), (100, 0, 105, 5)]
    found = [Detection(b, "x", c) for b, c in zip(boxes, (0.5, 0.6, 0.9), strict=True)]
    chosen = {
        "the westernmost x": 0,
        "rightmost": 2,
        "the largest x": 1,
        "smallest": 2,
        "southernmost": 1,
        "x": 2,
        "the largest x in the south": 1,
        "the smallest on the northern side": 2,
    }
    assert {words: boxes.index(choose_detection(found, words).box) for words in chosen} == chosen
    assert choose_detection([], "x") is None


def test_doubles_are_the_surer_one():
    first, second = Detection((0, 0, 10, 10), "a", 0.5), Detection((1, 0, 11, 10), "a", 0.9)
    other = Detection((1, 0, 11, 10), "b", 0.1)
    assert without_doubles([first, second, other]) == [second, other]
    assert without_doubles([first, second], overlap=0.95) == [second, first]
    part = Detection((8, 0, 11, 10), "a", 0.4)
    assert without_doubles([second, part]) == [second, part]
    assert without_doubles([second, part], inside=0.7) == [second]


def test_pictures_of_other_sizes_are_refused(workplace, tanks):
    small = workplace.image("small.png", np.zeros((5, 5, 3)))
    with pytest.raises(GridMismatch, match="small.png"):
        workplace.run("ChangeOS", pre_image_path=tanks, post_image_path=small, output_path="c.tif")


@pytest.mark.parametrize(
    ("tool", "arguments", "error", "words"),
    [
        ("SAM2", {"bbox": [500, 500, 600, 600], "output_path": "m.tif"}, InputError, "120 x 100"),
        ("SAM2", {"bbox": [5, 5, 1, 1], "output_path": "m.tif"}, InputError, "'bbox'"),
        ("SAM2", {"bbox": [], "output_path": "m.tif"}, InputError, "empty"),
        ("SAM2", {"bbox": [1, 1, 9, 9], "output_path": "../m.png"}, InputError, "m.png"),
        ("SAM2", {"bbox": [1, 1, 9, 9], "output_path": "m.jpg"}, InputError, "m.jpg"),
        ("SAM2", {"bbox": [1, 1, 9, 9], "output_path": "tanks.png"}, InputError, "own input"),
        ("InstructSAM", {"text_prompt": " "}, InputError, "'text_prompt'"),
        ("MSCN", {"backend": "magic"}, InputError, "'backend'"),
        ("MSCN", {"backend": "vision"}, BackendMissing, "TREELINE_VISION_MODEL"),
        ("RemoteCLIP", {"labels": []}, InputError, "'labels'"),
        ("MSCN", {"input_image_path": "none.png"}, RasterMissing, "none.png"),
    ],
)
def test_bad_input_is_refused(workplace, tanks, tool, arguments, error, words):
    before = sorted(workplace.folder.iterdir())
    with pytest.raises(error) as caught:
        workplace.run(tool, **{"input_image_path": tanks, **arguments})
    assert words in str(caught.value)
    assert sorted(workplace.folder.iterdir()) == before


def test_pictures_without_data_and_of_one_value(workplace):
    workplace.raster(
        "none.tif", np.full((3, 5, 5), 9, "uint8"), nodata=9, descriptions=("red", "green", "blue")
    )
    with pytest.raises(NoValidPixels, match="none.tif"):
        workplace.run("MSCN", input_image_path="none.tif")
    workplace.raster("one.tif", np.full((1, 1), 0.3, "float32"))
    assert workplace.run("MSCN", input_image_path="one.tif")["confidence"] == 1
