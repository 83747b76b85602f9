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
