"""A run that asked back, or whose answer is not verified, is never taken for a success."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import Answer, Reading
from treeline.core.engine.events import ending
from treeline.core.memory.critic import judge
from treeline.core.memory.learning import Judgement
from treeline.core.memory.rounds import Round, counting_round
from treeline.core.memory.trace import Attempt
from treeline.toolkit import registry

ASKS = Answer("Which?", readings=(Reading(1, "a"), Reading(2, "b")))
UNVERIFIED = Answer("It is 3.", unverified="No step gave 3.")


def ended_round(number: int, answer: Answer) -> Round:
    return Round(number, f"r{number}", ending(answer), Judgement())


@pytest.mark.parametrize("answer", [ASKS, UNVERIFIED, Answer("No.", declined=True)])
def test_no_round_without_a_verified_answer_succeeds(answer):
    assert not ended_round(1, answer).is_success and ended_round(1, Answer("A")).is_success


def test_a_verified_round_counts_before_an_unverified_one_and_that_before_none():
    rounds = [ended_round(1, Answer("A")), ended_round(2, UNVERIFIED), ended_round(3, ASKS)]
    assert [counting_round(part).number for part in (rounds, rounds[1:], rounds[2:])] == [1, 2, 3]


def test_the_critic_names_what_is_unverified_and_leaves_what_is_asked_back():
    def signs(answer: Answer) -> list[str]:
        attempt = Attempt("Q?", (), (), ending(answer), registry(), lambda address: "")
        return [issue.sign for issue in judge(attempt)]

    assert "unverified" in signs(UNVERIFIED) and signs(ASKS) == []
