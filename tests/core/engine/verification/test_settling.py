"""How answers end: what is said beside what was asked may be named as doubtful, what was asked may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.engine.verification.test_cheats import result
from treeline.core.engine.actions import Answer, Call
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification.settling import settle

MEANS = result("image_statistics", {"mean": 0.61, "max": 0.82}, "1", input_path="Lake_2021-07-12_NDVI.tif")
STATE = State("How green was it?", (), {}, (Step(1, Call("image_statistics", {}), MEANS),))
BY_CLASS = result("statistics_by_class", {"Forest": 0.71, "Water": 0.02, "Meadow": 0.55}, "1")
OF_CLASSES = State("How green is the forest?", (), {}, (Step(1, Call("statistics_by_class", {}), BY_CLASS),))
FOREST = "The forest has a mean of 0.71."
REST = "The meadow has 0.55."


def test_what_is_said_beside_and_not_borne_out_stays_and_is_named():
    wrong = "Water is the greenest class."
    text = f"{FOREST} {REST} {wrong}"
    settled = settle(Answer(text, evidence=(1,)), OF_CLASSES)
    assert (settled.status, settled.text) == ("answered", text)
    (apart,) = settled.unconfirmed
    assert apart.text == wrong and "forest" in apart.doubt


def test_of_a_long_answer_a_number_beside_that_is_another_statistic_is_named():
    told, wrong = "The mean was 0.61. It was 0.82 at most.", "The median was 0.82."
    settled = settle(Answer(f"{told} {wrong}", evidence=(1,)), STATE)
    assert (settled.status, settled.text) == ("answered", f"{told} {wrong}")
    assert [each.text for each in settled.unconfirmed] == [wrong]
    short = settle(Answer(f"The mean was 0.61. {wrong}", evidence=(1,)), STATE)
    assert short.status == "unverified"


def test_a_long_answer_keeps_what_a_rule_of_words_doubts_and_names_it():
    doubted = "Water is the greenest class."
    text = f"{FOREST} {REST} {doubted} It has 0.02."  # which is of nothing without the sentence before
    settled = settle(Answer(text, evidence=(1,)), OF_CLASSES)
    assert (settled.status, settled.text) == ("answered", text)
    assert settled.doubtful_sentences == [doubted]
    # Not which has the most, where that is asked, nor a number that no step gives.
    asked = replace(OF_CLASSES, question="Which class is the greenest?")
    assert settle(Answer(text, evidence=(1,)), asked).status == "unverified"
    assert settle(Answer(f"{text} Sand has 0.33.", evidence=(1,)), OF_CLASSES).status == "unverified"


def test_of_a_description_no_sentence_is_the_main_one():
    text = f"Water is greener than the meadow. {FOREST} {REST}"
    described = replace(OF_CLASSES, question="Describe how green the classes are.")
    assert settle(Answer(text, evidence=(1,)), described).doubtful_sentences
    asked = replace(OF_CLASSES, question="Is water greener than the meadow?")
    assert settle(Answer(text, evidence=(1,)), asked).status == "unverified"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How green is the forest?", FOREST),  # half of all that is said
        ("Which class is the greenest?", "Forest, at a mean of 0.71."),  # it names what is asked for
        ("Which class is greenest, and how green is it?", "Forest: 0.71."),
    ],
)
def test_what_was_asked_stays_answered_whatever_is_said_beside_it(question: str, first: str):
    wrong = "The meadow is greener than the forest."
    settled = settle(Answer(f"{first} {wrong}", evidence=(1,)), replace(OF_CLASSES, question=question))
    assert (settled.status, settled.text) == ("answered", f"{first} {wrong}"), settled.unverified
    assert [each.text for each in settled.unconfirmed] == [wrong]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How green is the forest?", f"{FOREST} {REST} Water has 0.71."),  # a number of another class
        ("How green is the forest?", f"{FOREST} {REST} Water has 0.33."),  # no step gives it
        ("How green is the forest?", f"Water is the greenest class. {FOREST} {REST}"),  # told as the answer
        ("Which class is the greenest?", f"{FOREST} {REST} Water is the greenest class."),  # what is asked
        (
            "Is the forest greener than water?",
            f"{FOREST} {REST} Water is the greenest class.",
        ),  # what is asked of
    ],
)
def test_an_answer_is_unverified_where_what_is_doubted_belongs_to_it(question: str, text: str):
    settled = settle(Answer(text, evidence=(1,)), replace(OF_CLASSES, question=question))
    assert settled.status == "unverified" and settled.text == text and not settled.unconfirmed


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How do the classes differ, and which is worst off?", "The worst off is the forest, and not water."),
        ("Is any class greener than the others?", "So yes, water is the greenest class."),
    ],
)
def test_what_the_question_asks_is_not_left_out_of_its_answer(question: str, told: str):
    rest = "The forest has 0.71. The meadow has 0.55. Water has 0.02."
    settled = settle(Answer(f"{rest} {told}", evidence=(1,)), replace(OF_CLASSES, question=question))
    assert settled.status == "unverified" and not settled.unconfirmed


def test_a_line_of_a_list_is_named_whole():
    lines = [
        "The forest has a mean of 0.71:",
        "",
        "- forest: 0.71",
        "- water, the greenest of all",
        "- meadow: 0.55",
    ]
    settled = settle(Answer("\n".join(lines), evidence=(1,)), OF_CLASSES)
    assert settled.status == "answered" and settled.doubtful_sentences == ["- water, the greenest of all"]


def test_why_an_answer_is_unverified_is_told_beside_its_sentences():
    answer = Answer("The mean was 0.61. It was 0.93 at most.", evidence=(1,))
    assert settle(answer, STATE).unverified.startswith('"It was 0.93 at most.": ')
    assert settle(Answer("The mean was 0.61.", evidence=(1,)), STATE).unverified == ""


@pytest.mark.parametrize(
    "text",
    [
        "1. Forest (0.71), 2. water (0.02), 3. meadow (0.55).",
        "1. Forest: 0.71\n2. Water: 0.02\n3. Meadow: 0.55",
    ],
)
def test_a_numbered_list_is_not_put_in_order_by_leaving_out_what_is_not(text: str):
    asked = replace(OF_CLASSES, question="Rank the classes by their mean.")
    settled = settle(Answer(text, evidence=(1,)), asked)
    assert settled.status == "unverified" and settled.text == text
