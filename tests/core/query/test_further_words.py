"""Words that say something more of a question are never dropped in silence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.core.query.workspaces import PLACES
from treeline.core.query.expression import Node
from treeline.core.query.reading import read

GIVEN = yaml.safe_load(Path(__file__).with_name("further_words.yaml").read_text("utf-8"))


WORDS = [words for words in GIVEN["words"] if words not in GIVEN["may_add_nothing"]]


def questions_for(words: str) -> Iterator[tuple[str, str]]:
    for place, questions in GIVEN["questions"].items():
        for question in questions:
            if question not in GIVEN["may_add_nothing_to"].get(words, ()):
                yield place, question


@cache
def read_alone(place: str, question: str) -> tuple[Node, ...]:
    reading = read(question, PLACES[place])
    assert reading.status == "read", question
    return reading.expressions


def drops(place: str, question: str, written: str) -> bool:
    """Return whether a question with further words is read as if these were not there."""
    reading = read(written, PLACES[place])
    return reading.status == "read" and reading.expressions == read_alone(place, question)


@pytest.mark.sample(10)
@pytest.mark.parametrize("words", WORDS)
def test_words_behind_a_question_are_not_dropped(words: str) -> None:
    for place, question in questions_for(words):
        mark = "?" if question.endswith("?") else ""
        assert not drops(place, question, f"{question.removesuffix('?')} {words}{mark}"), question


@pytest.mark.sample(10)
@pytest.mark.parametrize("words", [w for w in WORDS if w not in GIVEN["may_open_a_question"]])
def test_words_before_a_question_are_not_dropped(words: str) -> None:
    for place, question in questions_for(words):
        written = f"{words[0].upper()}{words[1:]}, {question[0].lower()}{question[1:]}"
        assert not drops(place, question, written), question


@pytest.mark.parametrize("place", PLACES)
def test_a_sensor_that_no_file_tells_is_said(place: str) -> None:
    reading = read("mean NDVI from Landsat", PLACES[place])
    assert any("which sensor" in note for note in reading.notes)
