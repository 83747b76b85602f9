"""Which questions of a file a bench works on."""

from __future__ import annotations

import pytest

from treeline.core.lab.records import Question
from treeline.core.lab.selection import Selection
from treeline.toolkit.errors import InputError

QUESTIONS = [Question(id=number, auto_planning="?") for number in range(1, 9)]


def chosen_questions(**how: object) -> list[int | str]:
    return [question.id for question in Selection(**how)(QUESTIONS)]  # type: ignore[arg-type]


def test_all_of_the_file_in_its_order():
    assert chosen_questions() == list(range(1, 9))


def test_only_some_without_some_the_first_of_them():
    assert chosen_questions(only=("5", "2", "7")) == [2, 5, 7]
    assert chosen_questions(exclude=("1", "8"), limit=2) == [2, 3]


def test_a_sample_is_the_same_for_the_same_seed_and_no_other():
    three = chosen_questions(sample=4, limit=3)
    assert three == chosen_questions(sample=4, limit=3) == sorted(three) and len(three) == 3
    assert {tuple(chosen_questions(sample=seed, limit=3)) for seed in range(20)} > {tuple(three)}


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"only": ("12",)}, "no question '12'"),
        ({"exclude": ("x",)}, "'x'"),
        ({"only": ("1",), "exclude": ("1",)}, "No question is left"),
    ],
)
def test_a_choice_of_nothing_is_refused(how, said):
    with pytest.raises(InputError, match=said):
        chosen_questions(**how)
