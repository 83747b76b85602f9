"""Arithmetic on numbers that a policy writes itself."""

from __future__ import annotations

from typing import Any

import pytest

from treeline.core.engine.actions import Answer, Call, Observation
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import verify
from treeline.core.engine.verification.reckoning import calculates, reckoning_of
from treeline.toolkit import registry

MEANS = [0.25041, 0.73412]


def call(number: int, tool: str, value: Any, doubts: tuple[str, ...] = (), **arguments: Any) -> Step:
    seen = Observation("result", str(value), value=value, arguments=arguments, doubts=doubts)
    return Step(number, Call(tool, arguments), seen)


def state_after_means(*later: Step, question: str = "How much?", doubts: tuple[str, ...] = ()) -> State:
    first = call(1, "calc_batch_image_mean", MEANS, doubts, file_list=["a_2021.tif", "b_2022.tif"])
    return State(question, context={"catalogue": "@ndvi: 2 rasters of 30 m"}, steps=(first, *later))


@pytest.mark.parametrize(
    ("tool", "arguments", "founded"),
    [
        ("difference", {"a": 0.73412, "b": 0.25041}, True),
        ("difference", {"a": 0.734, "b": 0.25}, True),
        ("difference", {"a": 0.734, "b": 0.42}, False),
        ("multiply", {"a": 0.48371, "b": 100}, True),  # the difference of the two
        ("multiply", {"a": 73.412, "b": 0.01}, True),
        ("multiply", {"a": 6, "b": 7}, False),
        ("multiply", {"a": 10, "b": 100}, False),
        ("multiply", {"a": 0.73412, "b": 900}, True),  # by the area of a pixel
        ("multiply", {"a": 0.73412, "b": 1234}, False),
        ("mean", {"x": [0.25, 0.734]}, True),
        ("mean", {"x": [0.25, 0.734, 0.5123]}, False),
        ("get_list_object_via_indexes", {"input_list": [0.42], "indexes": [0]}, False),
        ("compare_values", {"values": MEANS, "operator": "gt", "limit": 0.3}, True),
        ("kelvin_to_celsius", {"kelvin": 301.2}, False),
    ],
)
def test_numbers_of_a_calculation_come_from_results_or_the_question(tool, arguments, founded):
    state = state_after_means(call(2, tool, 1.0, **arguments))
    assert (not reckoning_of(state).unfounded) is founded
    ended = verify(Answer("So much.", 1.0, evidence=(2,)), state)
    assert (ended.status == "answered") is founded
    assert founded or "neither an earlier result" in ended.unverified


def test_numbers_of_the_question_may_be_calculated_with():
    step = call(2, "kelvin_to_celsius", 28.05, kelvin=301.2)
    assert not reckoning_of(state_after_means(step, question="What is 301.2 K in degrees Celsius?")).unfounded


@pytest.mark.parametrize(("number", "founded"), [(0.25041 * 1.5, True), (0.5, False)])
def test_a_multiple_that_the_question_names_is_founded(number: float, founded: bool):
    mean = call(1, "calc_batch_image_mean", [0.25041], file_list=["a.tif"])
    step = call(2, "difference", 12.0, a=number, b=0.25041)
    state = State("How far is the mean from 1.5 times the mean?", steps=(mean, step))
    assert (not reckoning_of(state).unfounded) is founded


def test_what_is_made_of_an_invented_number_is_invented_too():
    state = state_after_means(
        call(2, "multiply", 42.0, a=6, b=7), call(3, "difference", 41.26588, a=42.0, b=0.73412)
    )
    assert set(reckoning_of(state).unfounded) == {2, 3}
    assert verify(Answer("41.27", 41.27, evidence=(3,)), state).status == "unverified"
    assert verify(Answer("0.73", 0.73, evidence=(1,)), state).status == "answered"


def test_a_calculation_is_as_sure_as_what_it_took():
    state = state_after_means(call(2, "difference", 0.48371, a=0.73412, b=0.25041), doubts=("No scale.",))
    assert verify(Answer("0.48", 0.48, evidence=(2,)), state).unverified == "No scale."


def test_a_number_that_was_only_said_to_a_tool_is_none_of_a_result():
    step = call(2, "calculate_threshold_ratio", 12.5, image_paths=["a.tif"], threshold=0.42)
    assert verify(Answer("It is 0.42."), state_after_means(step)).status == "unverified"
    assert verify(Answer("12.5 % is above 0.42."), state_after_means(step)).status == "answered"


def test_which_tools_calculate():
    known = registry()
    assert all(calculates(known.get(name)) for name in ("multiply", "mean", "combine_values", "sens_slope"))
    assert not any(calculates(known.get(name)) for name in ("calc_batch_image_mean", "get_filelist"))
