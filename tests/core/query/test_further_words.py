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


def cases() -> Iterator[tuple[str, str, str]]:
    for place, questions in GIVEN["questions"].items():
        for question in questions:
            for words in GIVEN["words"]:
                if words in GIVEN["may_add_nothing"]:
                    continue
                if question not in GIVEN["may_add_nothing_to"].get(words, ()):
                    yield place, question, words


@cache
def read_alone(place: str, question: str) -> tuple[Node, ...]:
    reading = read(question, PLACES[place])
    assert reading.status == "read", question
    return reading.expressions


@pytest.mark.sample(15)
@pytest.mark.parametrize(("place", "question", "words"), cases())
def test_words_that_say_more_are_not_dropped(place: str, question: str, words: str) -> None:
    mark = "?" if question.endswith("?") else ""
    reading = read(f"{question.removesuffix('?')} {words}{mark}", PLACES[place])
    assert reading.status != "read" or reading.expressions != read_alone(place, question)


@pytest.mark.parametrize("place", PLACES)
def test_a_sensor_that_no_file_tells_is_said(place: str) -> None:
    reading = read("mean NDVI from Landsat", PLACES[place])
    assert any("which sensor" in note for note in reading.notes)
