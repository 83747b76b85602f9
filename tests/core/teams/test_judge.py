from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from treeline.core.engine.actions import Answer, Call, Observation
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import State, Step
from treeline.core.teams.crew import Outcome
from treeline.core.teams.judge import Variant, _agreement, _contracts, _has_form, _same, judge
from treeline.core.teams.model import Member
from treeline.core.teams.orchestrator import answer_goal


def variant(number: int, value: float | None, *, status="answered", seen=(0.25, 0.5), steps=1) -> Variant:
    goal = answer_goal("How much?", ())
    answer = Answer("So much.", value, declined=status == "declined") if status != "failed" else None
    call = Step(1, Call("mean"), Observation("result", "", value=list(seen)))
    state = State("How much?", steps=tuple(replace(call, number=n + 1) for n in range(steps)))
    finished = RunFinished(status, answer, "lost" if status == "failed" else "")
    work = Outcome(f"r{number}", Member("executor", goal, number), finished, state, Path("."))
    return Variant(number, "way", (work,))


def test_a_success_goes_before_any_confidence():
    taken, verdicts = judge([variant(1, 0.9), variant(2, 0.5, steps=25)], ())
    assert taken.number == 2
    assert [v.success for v in verdicts] == [False, True] and verdicts[1].chosen
    assert "follows from no step" in verdicts[0].why


def test_of_two_successes_the_shorter_is_taken():
    taken, verdicts = judge([variant(1, 0.5, steps=9), variant(2, 0.5, steps=2)], ())
    assert taken.number == 2 and verdicts[1].confidence > verdicts[0].confidence


def test_variants_that_disagree_lower_the_confidence():
    _, apart = judge([variant(1, 0.5), variant(2, 0.25)], ())
    _, together = judge([variant(1, 0.5), variant(2, 0.5)], ())
    assert apart[0].confidence < together[0].confidence


@pytest.mark.parametrize("status", ["declined", "failed"])
def test_an_answer_goes_before_none(status: str):
    taken, verdicts = judge([variant(1, None, status=status), variant(2, 0.7)], ())
    assert taken.number == 2 and not verdicts[0].success


def test_an_answer_without_the_letter_asked_for_is_no_success():
    _, verdicts = judge([variant(1, 0.5)], ("0.4", "0.5"))
    assert not verdicts[0].success


def test_a_declined_answer_has_no_signals_of_a_valid_one():
    _, verdicts = judge([variant(1, None, status="declined"), variant(2, None, status="declined")], ())
    for verdict in verdicts:
        assert {name for name, signal in verdict.signals.items() if signal} == {"brevity"}
        assert verdict.confidence <= 0.1 and "no answer" in verdict.why


def test_an_answer_from_no_step_is_no_success():
    _, verdicts = judge([variant(1, None, steps=0)], ())
    assert not verdicts[0].success and "follows from no step" in verdicts[0].why


def test_a_reasoned_refusal_goes_before_a_failure():
    taken, _ = judge([variant(1, None, status="failed"), variant(2, None, status="declined", steps=9)], ())
    assert taken.number == 2


def test_the_confidence_is_the_weighted_mean_that_was_decided():
    _, (good, other, wrong) = judge(
        [variant(1, 0.5, steps=3), variant(2, 0.5, steps=30), variant(3, 0.7)], ()
    )
    # Traceable 0.3, agreement 0.3 (with one of two), contracts 0.2, format 0.1, brevity 0.1 (of 30 steps).
    assert good.confidence == pytest.approx(0.3 + 0.15 + 0.2 + 0.1 + 0.1 * 0.9)
    assert other.confidence == pytest.approx(0.3 + 0.15 + 0.2 + 0.1)
    assert wrong.confidence == pytest.approx(0.0 + 0.0 + 0.2 + 0.1 + 0.1 * (1 - 1 / 30), abs=1e-4)


@pytest.mark.parametrize(
    ("value", "other", "agree"), [(0.5, 0.5004, True), (0.5, 0.5006, False), (0.0, 1e-10, True)]
)
def test_answers_agree_within_a_thousandth(value: float, other: float, agree: bool):
    _, (first, _) = judge([variant(1, value), variant(2, other)], ())
    assert bool(first.signals["agreement"]) is agree


@pytest.mark.parametrize(
    ("mine", "others", "agreement"),
    [
        ({}, [{}, {}], 1.0),
        ({}, [{}, {"value": 0.7}], 0.5),
        ({}, [{"choice": "A"}], 0.0),
        ({"value": None}, [{"value": None}], 1.0),
        ({"value": None}, [{}], 0.0),
        ({"declined": True}, [{"declined": True}], 0.0),
        ({}, [], 1.0),
        ({"declined": True}, [], 0.0),
    ],
)
def test_agreement_is_the_share_of_the_others_that_say_the_same(mine, others, agreement):
    def make_verdict(number: int, said: dict) -> Variant:
        (work,) = variant(number, 0.5).outcomes
        answer = Answer(**{"text": "So much.", "value": 0.5} | said)
        return Variant(number, "way", (replace(work, finished=RunFinished("answered", answer)),))

    first, *rest = (make_verdict(number, said) for number, said in enumerate([mine, *others], 1))
    assert _agreement(first, [first, *rest]) == agreement


def test_the_steps_and_seconds_of_a_variant_are_those_of_all_its_members():
    (work,) = variant(1, 0.5, steps=2).outcomes
    slow = replace(work.state, steps=tuple(replace(step, seconds=1.5) for step in work.state.steps))
    both = Variant(1, "way", (work, replace(work, state=slow)))
    assert (both.steps, both.seconds) == (4, 3.0)
    assert Variant(1, "way", ()).answer is None and _contracts(()) == 0.0


@pytest.mark.parametrize(
    ("answer", "choices", "fits"),
    [
        (Answer("So.", 0.5), (), True),
        (Answer("So.", float("inf")), (), False),
        (Answer("", 0.5), (), False),
        (Answer("So.", 0.5), ("a", "b"), False),
        (Answer("So.", 0.5, choice="A"), ("a", "b"), True),
        (Answer("No.", declined=True), (), False),
        (None, (), False),
    ],
)
def test_an_answer_has_the_form_that_was_asked_for(answer, choices, fits):
    assert _has_form(answer, choices) is fits


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (100.0, 100.09, True),  # within a thousandth
        (100.0, 100.11, False),
        (0.0, 1e-10, True),
        (0.0, 1e-6, False),
        (None, None, True),
        (0.0, None, False),
    ],
)
def test_two_numbers_are_the_same_within_a_thousandth(one: float | None, other: float | None, same: bool):
    assert _same(Answer("So much.", one), Answer("As much.", other)) is same
    assert not _same(Answer("So much.", one, choice="A"), Answer("As much.", one, choice="B"))
    assert not _same(Answer("So much.", one), Answer("None.", one, declined=True))
    assert not _same(Answer("So much.", one), None)
