"""Which answers count as right."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import Answer
from treeline.core.lab.answers import is_correct
from treeline.core.lab.records import Question


def question(*answers: str, choices: tuple[str, ...] = ()) -> Question:
    return Question(id="1", auto_planning="?", answer=answers or None, choices=choices)


@pytest.mark.parametrize(
    ("given", "right"), [(200.0, True), (202.0, True), (198.0, True), (202.1, False), (197.9, False)]
)
def test_a_number_is_right_within_one_per_cent(given: float, right: bool):
    assert is_correct(question("200"), Answer("so", given)) is right


def test_of_zero_only_zero_is_right():
    assert is_correct(question("0"), Answer("so", 0.0)) is True
    assert is_correct(question("0"), Answer("so", 1e-6)) is False


def test_with_options_the_letter_decides():
    options = question("B", choices=("1", "2"))
    assert is_correct(options, Answer("so", 1.0, choice="B")) is True
    assert is_correct(options, Answer("so", 2.0, choice="A")) is False


def test_nothing_to_compare_with_and_nothing_given():
    assert is_correct(question(), Answer("so", 1.0)) is None
    assert is_correct(question("5"), None) is False and is_correct(question("5"), Answer("so")) is False


def test_without_options_one_of_several_texts_has_to_be_named():
    either = question("2021-07-01", "July 1")
    assert is_correct(either, Answer("It was 2021-07-01.")) is True
    assert is_correct(either, Answer("On July 1 it was highest.")) is True
    assert is_correct(either, Answer("It was 2021-07-02.")) is False and is_correct(either, None) is False
    assert is_correct(question("B"), Answer("so", choice="B")) is True
    assert is_correct(question("3", "5"), Answer("so", 5.0)) is True
