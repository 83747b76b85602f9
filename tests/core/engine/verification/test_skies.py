"""How cloudy dates were, how many were clear, and which part of them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.core.engine.verification.test_cheats import MEANS, Told, result
from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.state import Step
from treeline.core.engine.verification.skies import _miscounted_clear, find_false_sky

DAYS = [f"Loka_2021-0{month}-01_CLM.tif" for month in range(1, 6)]
NDVI = [day.replace("CLM", "NDVI") for day in DAYS]
COVERS = (
    "calculate_cloud_cover",
    result("cloud_share", [0.0, 0.0, 8.0, 100.0, 100.0], "%", qa_pixel_path=DAYS),
)


@pytest.mark.parametrize(("said", "right"), [("2", True), ("3", False), ("1", False), ("5", True)])
def test_as_many_dates_are_clear_as_have_no_cloud_or_as_were_read(said: str, right: bool):
    steps = [
        Step(1, Call("calculate_cloud_cover"), Observation("result", "", value=[0.0, 1.0, 0.0, 40.0])),
        Step(2, Call(MEANS), Observation("result", "", value=[0.5] * 5, arguments={"file_list": NDVI})),
    ]
    answer = SimpleNamespace(steps=steps, clauses=[f"Of the {said} clear dates it is the greenest."])
    found = list(_miscounted_clear(answer))  # type: ignore[arg-type]
    assert found == ([] if right else [f"{said} dates are not clear: 2, 5 are."])


@pytest.mark.parametrize(
    ("covers", "said", "right"),
    [
        (0.0, "The scene is clear.", True),
        (0.0, "The scene is cloudy.", False),
        (40.0, "The scene is cloudy.", True),
        (40.0, "The scene is clear.", False),
        (40.0, "The scene is not clear.", True),
        (0.0, "The lake is large.", True),
    ],
)
def test_a_scene_is_as_cloudy_as_it_was_found(covers: float, said: str, right: bool):
    step = Step(1, Call("calculate_cloud_cover"), Observation("result", "", value=covers))
    answer = SimpleNamespace(steps=[step], clauses=[said])
    found = list(find_false_sky(answer))  # type: ignore[arg-type]
    assert found == ([] if right else [f"The clouds cover {covers:.3g} %."])


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("1 March 2021 was 92 % clear.", True),
        ("1 March 2021 was 8 % cloudy.", True),
        ("1 March 2021 was 8 % clear.", False),
        ("Two fifths of the five scenes had no cloud at all.", True),
        ("Of the five images 2 are entirely free of cloud.", True),
        ("From 1 April 2021 to 1 May 2021 both dates were wholly clouded.", True),
        ("From 1 March 2021 to 1 April 2021 both dates were wholly clouded.", False),
        ("Of the five images 3 are entirely free of cloud.", False),
        ("More than half of the five scenes had no cloud at all.", False),
        ("More than half of the five scenes were cloudy.", True),
        ("40 % of the scenes were completely overcast.", True),
        ("60 % of the scenes were cloud-free.", False),
        ("A mean of 2021 would rest on 2 clear dates.", True),
        ("A mean of 2021 would rest on 3 clear dates.", False),
    ],
)
def test_a_part_of_dates_or_of_a_scene_is_as_clear_as_it_was_found(text: str, right: bool):
    assert (Told("How cloudy was each date in 2021?", text, (COVERS,)).why() == "") is right


MASKS = (MEANS, result(MEANS, [0.0, 0.0, 0.08, 1.0, 1.0], "1", file_list=DAYS))


@pytest.mark.parametrize("seen", [COVERS, MASKS])
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("None of the five images is cloudy.", False),
        ("Not all of the images are cloudy.", True),
        ("All of the images are cloudy.", False),
        ("Every image is clear.", False),
        ("1 March 2021 was 8 % cloudy.", True),
        ("On 1 March 2021 clouds hid 8 % of the scene, so it was mostly clear.", True),
        ("On 1 April 2021 clouds hid 100 % of the scene.", True),
    ],
)
def test_how_many_images_are_cloudy_is_told_in_words_too(seen, text: str, right: bool):
    assert (Told("How cloudy is it?", text, (seen,)).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Two images are free of clouds, among them that of 2021-01-01.", True),
        ("Two images are free of clouds, among them that of 2021-03-01.", False),
        ("Two images are free of clouds: 2021-01-01 and 2021-02-01.", True),
        ("Two images are free of clouds: 2021-01-01 and 2021-03-01.", False),
    ],
)
def test_those_that_are_counted_as_clear_are_clear(text: str, right: bool):
    assert (Told("How many images are clear?", text, (COVERS,)).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Every image has clouds; the cloudiest is that of 2021-05-01.", False),
        ("Only three of the five images have clouds: 2021-03-01 (8 %), 2021-04-01 and 2021-05-01.", True),
        ("Four of the five images have clouds.", False),
        ("NDVI is low (0.08) on 2021-05-01 although that image is free of clouds.", False),
        ("NDVI is high (0.61) on 2021-01-01, and that image is free of clouds.", True),
    ],
)
def test_images_that_have_clouds_are_cloudy(text: str, right: bool):
    ndvi = (MEANS, result(MEANS, [0.61, 0.5, 0.4, 0.3, 0.08], "1", file_list=NDVI))
    assert (Told("Did clouds affect all images?", text, (COVERS, ndvi)).why() == "") == right
