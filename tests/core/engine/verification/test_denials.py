"""Denials: what they deny is held against the results, which carry it or not."""

from __future__ import annotations

import time

import pytest

from tests.core.engine.verification.test_cheats import Told, result, series
from treeline.core.engine.actions import Answer, Call
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import say_what_was_checked
from treeline.core.engine.verification.denials import find_unchecked_denials
from treeline.core.engine.verification.grounded_answer import GroundedAnswer

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


def test_of_a_sentence_alone_it_is_told_what_was_checked_where_it_relates():
    assert say_what_was_checked("Willow covers 518 ha.") == ""
    told = say_what_was_checked("Willow is larger than reed, with 518 ha.")
    assert "comparisons and causes in part" in told
