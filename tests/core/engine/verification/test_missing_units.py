"""Units that an answer leaves out, shown beside its numbers; units of another measure, which are wrong."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_verification import call, why
from treeline.core.engine.actions import Answer
from treeline.core.engine.state import State
from treeline.core.engine.verification import settle
from treeline.core.engine.verification.missing_units import find_missing_units, remark_on_units


def state(value, unit: str, question: str = "How large is it?", choices: tuple[str, ...] = ()) -> State:
    return State(question, choices, steps=(call(1, value, unit=unit),))


@pytest.mark.parametrize(
    ("text", "value", "unit", "shown"),
    [
        ("The area is 12.5.", 12.5, "ha", "The area is 12.5 [ha]."),
        ("It is 300.2 on average.", 300.2, "K", "It is 300.2 [K] on average."),
        ("It is 27.05.", 300.2, "K", "It is 27.05 [°C]."),
        ("The slope is 5.2.", 5.2, "degree", "The slope is 5.2 [°]."),
        ("The share is 34.", 34.0, "%", "The share is 34 [%]."),
        ("From 712 it rises to 801.", [712.0, 801.0], "m", "From 712 [m] it rises to 801 [m]."),
        ("12.5", 12.5, "ha", "12.5 [ha]"),
    ],
)
def test_a_unit_that_is_left_out_is_shown_in_brackets(text: str, value, unit: str, shown: str):
    answer = Answer(text)
    settled = settle(answer, state(value, unit))
    assert settled.status == "answered" and settled.text == shown
    assert "square brackets" in remark_on_units(answer, settled)
    assert settle(settled, state(value, unit)).text == shown, "it is added once"


@pytest.mark.parametrize(
    ("text", "value", "unit", "question"),
    [
        ("The area is 12.5 ha.", 12.5, "ha", "How large is it?"),
        ("The area is 12.5.", 12.5, "ha", "How many hectares is it?"),
        ("Hectares of water: 12.5.", 12.5, "ha", "How large is it?"),
        ("It is 12.5 and 3.2 ha.", [12.5, 3.2], "ha", "How large is it?"),
        ("| class | ha |\n| water | 12.5 |", 12.5, "ha", "How large is it?"),
        ("The NDVI is 0.34.", 0.34, "1", "What is it?"),
        ("It is 0.34.", 34.0, "%", "What is the share?"),
        ("There are 12 dates.", 12.0, "dates", "How many dates?"),
        ("It is 12.5.", 12.5, "", "How large is it?"),
    ],
)
def test_a_unit_that_is_named_or_not_needed_is_not_added(text: str, value, unit: str, question: str):
    answer = Answer(text)
    settled = settle(answer, state(value, unit, question))
    assert settled.status == "answered" and settled.text == text and not remark_on_units(answer, settled)


def test_the_number_of_an_answer_gets_the_unit_of_its_result():
    settled = settle(Answer("It is measured.", 12.5), state(12.5, "ha"))
    assert (settled.value, settled.unit) == (12.5, "ha")


def test_what_options_ask_for_needs_no_unit():
    assert not find_missing_units(Answer("A.", 12.5, choice="A"), state(12.5, "ha", choices=("12.5", "13")))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("It is 12.5 hours.", 12.5, "ha"),
        ("It is 12.5 dunams.", 12.5, "ha"),
        ("It is 12.5 days.", 12.5, "K"),
        ("It is 12.5 km2.", 12.5, "ha"),
        ("It is 12.5 m2.", 12.5, "ha"),
        ("It is 0.34 %.", 0.34, "1"),
        ("It is 300.2 °C.", 300.2, "K"),
    ],
)
def test_a_wrong_unit_is_unverified(text: str, value: float, unit: str):
    assert "not in" in why(Answer(text), call(1, value, unit=unit), question="How large is it?")


def test_a_time_beside_a_number_of_its_own_is_no_other_unit():
    assert not why(Answer("It took 12.5 days."), call(1, 12.5, unit="days"), question="How long?")
