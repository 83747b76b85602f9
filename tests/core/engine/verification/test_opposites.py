"""What would pass as well if it said the opposite is not checked: denials of what the results carry."""

from __future__ import annotations

import time

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import Answer, Call
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import say_what_was_checked, settle
from treeline.core.engine.verification.grounded_answer import GroundedAnswer
from treeline.core.engine.verification.opposites import find_unchecked_denials, find_unchecked_sentences

FILES = ["Drava_2020-05-02_NDVI.tif", "Drava_2020-08-11_NDVI.tif"]
GREEN = ("calc_batch_image_mean", series([0.4172, 0.6385], FILES, "1"))
FLOOD = ("calculate_area", result("calculate_area", 64.2, "ha", input_path="Drava_2020-08-11_flood.tif"))
COVER = (
    "area_by_class",
    result(
        "area_by_class",
        [
            {"class": 1, "name": "Reed", "pixels": 8200, "area": 82.0, "percent": 13.7},
            {"class": 2, "name": "Willow", "pixels": 51800, "area": 518.0, "percent": 86.3},
        ],
        "ha",
        input_path="Drava_cover.tif",
    ),
)
LINK = ("correlation", result("correlation", {"r": -0.83, "p": 0.0004, "n": 14}))


def told(text: str) -> str:
    """Return why an answer that rests on all results is unverified."""
    return Told("What was found along the Drava?", text, (GREEN, FLOOD, COVER, LINK)).why()


@pytest.mark.parametrize(
    "text",
    [
        "On 11 August 2020 the mean NDVI was not 0.639.",
        "The mean NDVI wasn't 0.42 on 2 May 2020.",
        "Some 64.2 ha were not flooded.",
        "Reed is not the smallest class.",
        "Willow is not more than six times as large as reed.",
        "The two are not strongly correlated (r = -0.83).",
        "Willow (518 ha) is not larger than reed (82 ha).",
        "By 11 August 2020 the mean NDVI had not risen to 0.64.",
    ],
)
def test_a_denial_of_what_the_results_carry_is_not_borne_out(text: str):
    assert told(text.replace(" not ", " ").replace("n't", "")) == ""
    assert told(text) != ""


@pytest.mark.parametrize(
    "text",
    [
        "Willow is not the smallest class.",
        "On 2 May 2020 the mean NDVI was not above 0.5.",
        "Reed does not cover more than 100 ha.",
        "The flood covered 64.2 ha; I did not check it against the ground.",
        "64.2 ha were flooded. I can't say more about the cause.",
        "Not only reed was mapped: willow covers 518 ha.",
    ],
)
def test_an_honest_denial_is_borne_out(text: str):
    assert told(text) == ""


STATE = State(
    "What was found along the Drava?",
    (),
    {},
    tuple(Step(n, Call(tool, seen.arguments), seen) for n, (tool, seen) in enumerate((GREEN, COVER), 1)),
)
CHECKED = "Willow is larger than reed, with 518 ha."
UNCHECKED = "The western bank has 0.2213 more than the eastern one."


def test_a_word_that_could_as_well_be_its_opposite_is_told_to_be_unchecked():
    settled = settle(Answer(f"{CHECKED} {UNCHECKED}", evidence=(1, 2)), STATE)
    assert (settled.status, settled.unchecked) == ("answered", (UNCHECKED,))
    told = say_what_was_checked(settled.text, settled.unchecked)
    assert UNCHECKED in told and CHECKED not in told


@pytest.mark.parametrize("text", [CHECKED, "Willow is larger than reed, i.e. by 436 ha."])
def test_a_word_whose_opposite_is_refused_is_checked(text: str):
    settled = settle(Answer(text, evidence=(2,)), STATE)
    assert (settled.status, settled.unchecked) == ("answered", ())


def test_half_of_something_is_a_part_and_no_relation():
    value = {"pixels": 5000, "edges": [280.0, 285.0, 290.0], "counts": [2400, 2600]}
    step = Step(1, Call("draw_histogram", {}), result("draw_histogram", value, input_path="lst.tif"))
    text = "Almost half of the 5,000 pixels (2,400, i.e. 48 %) lie between 280 and 285 K."
    settled = settle(Answer(text, evidence=(1,)), State("How warm is it?", (), {}, (step,)))
    assert (settled.status, settled.unchecked) == ("answered", ())


def test_many_denials_in_a_long_answer_are_tried_for_so_long_at_most():
    tried = list[str]()

    def pass_slowly(text: str) -> bool:
        tried.append(text)
        time.sleep(0.7)
        return False

    steps = (Step(1, Call(*GREEN[:1], GREEN[1].arguments), GREEN[1]),)
    grounded = GroundedAnswer(Answer("", evidence=(1,)), State("How green is it?", (), {}, steps), steps)
    text = "The mean was not 0.5. " * 60
    found = [*find_unchecked_denials(grounded.answer_columns, text, pass_slowly)]
    assert 0 < len(tried) < 10 and len(tried) + len(found) == 60


def test_a_sentence_alone_that_was_checked_needs_no_remark():
    settled = settle(Answer(CHECKED, evidence=(2,)), STATE)
    assert say_what_was_checked(settled.text, settled.unchecked) == ""


def test_what_the_planner_words_is_made_of_its_numbers():
    settled = settle(Answer(UNCHECKED, evidence=(1,), expression={"node": "Aggregate"}), STATE)
    assert settled.unchecked == ()


@pytest.mark.parametrize(
    ("text", "named"),
    [("Willow comes third.", True), ("Willow is second by size.", True), ("A third of it is reed.", False)],
)
def test_a_place_in_an_order_has_an_opposite_and_a_fraction_has_none(text: str, named: bool):
    step = Step(1, Call("area_by_class", COVER[1].arguments or {}), COVER[1])
    columns = GroundedAnswer(Answer(text), State("What grows there?", steps=(step,)), (step,)).answer_columns
    assert find_unchecked_sentences(columns, text, lambda other: True) == [text] * named
    assert find_unchecked_sentences(columns, text, lambda other: other == text) == []


def test_another_part_is_the_opposite_of_half_of_something():
    cover = (
        "area_by_class",
        result(
            "area_by_class",
            [
                {"class": 1, "name": "Reed", "pixels": 5020, "area": 50.2, "percent": 50.2},
                {"class": 2, "name": "Willow", "pixels": 4980, "area": 49.8, "percent": 49.8},
            ],
            "ha",
            input_path="Drava_cover.tif",
        ),
    )
    name, observation = cover
    steps = (Step(1, Call(name, observation.arguments or {}), observation),)
    for text in ("Reed covers about half (50.2 %) of the map.", "Half of the area is reed."):
        ended = settle(Answer(text), State("How large is the reed?", steps=steps))
        assert (ended.status, ended.unchecked) == ("answered", ())
