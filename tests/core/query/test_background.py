"""What opens a question is set aside and quoted, but never what could bear on its answer."""

from __future__ import annotations

import pytest

from tests.core.query.workspaces import MEADOWS
from treeline.core.query.reading import read

ASKED = "mean NDVI on 2016-08-14"
PLAIN = read(ASKED, MEADOWS)


@pytest.mark.parametrize(
    "opening",
    [
        "Forester here. ",
        "Hi there, quick one for my thesis: ",
        "For a claims file: ",
        "As a farmer, ",
        "We're writing a report. ",
        "Good morning! ",
        "Quick question: ",
        "Just out of curiosity, ",
        "Sorry for the silly question but ",
    ],
)
def test_who_asks_and_what_for_is_set_aside_and_quoted(opening: str):
    found = read(f"{opening}{ASKED}", MEADOWS)
    assert found.expressions == PLAIN.expressions
    quoted = " ".join(found.notes)
    assert all(word.strip(" ,.:!") in quoted for word in opening.split()[:2])


@pytest.mark.parametrize(
    "opening",
    [
        "For the forest: ",
        "For cloud-free pixels only: ",
        "We are excluding the forest. ",
        "As a percentage, ",
        "We have corrected the slopes. ",
        "For each of our fields: ",
        "Zorbified values. ",
        "Without clouds: ",
        "In 2017: ",
        "I am weighting by income: ",
    ],
)
def test_what_could_bear_on_the_answer_is_never_set_aside(opening: str):
    found = read(f"{opening}{ASKED}", MEADOWS)
    assert found.expressions != PLAIN.expressions
    assert not any(note.startswith("Set aside") for note in found.notes)


def test_what_follows_the_question_is_not_background():
    assert read(f"{ASKED}. For the owners of cows.", MEADOWS).expressions != PLAIN.expressions


ASKS = "how green was the forest on 2016-08-14?"
FOREST = read(ASKS, MEADOWS)


@pytest.mark.parametrize(
    ("told", "quoted"),
    [
        (
            "We had a fire in the forest. How green was the forest on 2016-08-14?",
            "We had a fire in the forest",
        ),
        ("I have a meeting in five minutes, so how green was the forest on 2016-08-14?", "I have a meeting"),
        ("I was asked to find out how green the forest was on 2016-08-14.", "I was asked to find out"),
        ("How green was the forest on 2016-08-14? I need it for my thesis.", "I need it for my thesis"),
        ("Can you help me with something? How green was the forest on 2016-08-14?", "Can you help me"),
    ],
)
def test_a_story_beside_the_question_is_set_aside_and_quoted(told: str, quoted: str):
    found = read(told, MEADOWS)
    assert found.expressions == FOREST.expressions
    assert any(quoted in note for note in found.notes)


@pytest.mark.parametrize(
    "told",
    [
        "I work with the grassland. How green was it on 2016-08-14?",
        "We only trust clear pixels. How green was the forest on 2016-08-14?",
        "How green was the forest on 2016-08-14? I need it per year.",
        "We had rain in 2015. How green was the forest?",
        "My house is near the lake. How green was it there on 2016-08-14?",
        "I want the zorbified values. How green was the forest on 2016-08-14?",
        "We do not count steep ground. How green was the forest on 2016-08-14?",
        "Our images are averaged twice. How green was the forest on 2016-08-14?",
        "The day after, how green was the forest on 2016-08-14?",
        "Since the beginning, how green was the forest on 2016-08-14?",
    ],
)
def test_a_story_that_bears_on_the_answer_is_never_set_aside(told: str):
    found = read(told, MEADOWS)
    assert found.expressions != FOREST.expressions
    assert not any(note.startswith("Set aside") for note in found.notes if found.status == "read")
