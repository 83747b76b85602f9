"""A procedure holds parameters and checks, and nothing of what one question gave."""

from __future__ import annotations

import math

import pytest

from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.state import Step
from treeline.core.memory.absence import lacks_data
from treeline.core.memory.procedure import (
    TraceContext,
    _check,
    _literal,
    _raster,
    checks_of,
    keeps_checks,
    procedure_of,
)
from treeline.toolkit import registry

ROLES = {"a_red.tif": "red", "a_nir.tif": "nir", "b_red.tif": "red", "b_nir.tif": "nir"}
PARAMETERS = {"limit 1": 0.62, "day 1": "2021-07-01"}


def call(number: int, tool: str, made: tuple[str, ...] = (), **arguments: object) -> Step:
    products = tuple(ProductRecord(f"{role}_{number}.tif", "", role, "1") for role in made)
    return Step(number, Call(tool, arguments), Observation("result", "0.7341", products=products))


def failed_step(error: str, **arguments: object) -> Step:
    return Step(1, Call("mean", arguments), Observation("refusal", "It failed.", error=error))


def around(parameters: dict[str, object]) -> TraceContext:
    return TraceContext(registry(), lambda address: ROLES.get(address, ""), parameters)


CALLS = [
    call(
        1,
        "calculate_batch_ndvi",
        ("ndvi",),
        input_nir_paths=["a_nir.tif", "b_nir.tif"],
        input_red_paths=["a_red.tif", "b_red.tif"],
        output_paths=["n1.tif", "n2.tif"],
    ),
    Step(2, Call("calc_batch_image_mean", {"file_list": "@ndvi"}), Observation("failure", "no")),
    call(3, "calculate_threshold_ratio", image_paths="ndvi_1.tif", threshold=0.62),
    call(4, "subtract", a=0.7341, b="@result3"),
]


def test_particulars_are_parameters_and_results_are_left_out():
    found = procedure_of(CALLS, Answer("It is 0.7341.", 0.7341, "%"), around(PARAMETERS), ("ndvi:made",))
    told = str(found)
    assert found.tools == ("calculate_batch_ndvi", "calculate_threshold_ratio", "subtract")
    assert "input_nir_paths=<nir of each date>" in told and "threshold=<limit 1>" in told
    assert "a=<result>, b=<result>" in told and "-> ndvi [ndvi within -1 to 1]" in told
    assert "0.7341" not in told and "0.62" not in told and ".tif" not in told
    assert found.checks == ("It ends in a number in %.",) and found.ways == ("ndvi:made",)


def test_the_procedure_of_another_limit_is_the_same():
    other = [*CALLS[:2], call(3, "calculate_threshold_ratio", image_paths="ndvi_1.tif", threshold=0.3)]
    one = procedure_of(CALLS[:3], None, around({"limit 1": 0.62}))
    assert procedure_of(other, None, around({"limit 1": 0.3})) == one


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (Answer("12 %.", 12.0, "%"), True),
        (Answer("12 ha.", 12.0, "ha"), False),
        (Answer("In words."), False),
        (Answer("No.", declined=True), False),
    ],
)
def test_an_answer_of_another_form_or_unit_does_not_keep_the_checks(answer: Answer, kept: bool):
    found = procedure_of(CALLS, Answer("It is 73 %.", 73.0, "%"), around({}))
    assert keeps_checks(found, answer) is kept


def test_an_answer_that_was_declined_leads_to_no_check():
    assert checks_of(Answer("There is no NDVI.", declined=True)) == ()
    assert checks_of(None) == ()


@pytest.mark.parametrize("error", ["NoValidPixels", "RasterMissing", "RasterUnreadable", "BackendMissing"])
def test_what_is_not_there_is_no_fault_of_a_tool(error: str):
    assert lacks_data(failed_step(error))


def test_a_series_without_a_value_is_absence_and_a_wrong_argument_is_not():
    assert lacks_data(failed_step("InputError", x=[math.nan, None]))
    assert lacks_data(failed_step("InputError", x=[]))
    assert not lacks_data(failed_step("InputError", x=[1.0, math.nan], mode="best"))
    assert not lacks_data(failed_step("RoleMismatch", path="lst.tif"))
    assert not lacks_data(CALLS[0])


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (["n.tif"], "<nir>"),
        (["n.tif", "m.tif"], "<nir of each date>"),
        ("n.tif", "<nir>"),
        ("@ndvi[2021]", "<ndvi of each date>"),
        ([], "<raster>"),
        ("@dem", "<dem>"),
        (["@dem"], "<dem>"),
        ("@red[2021-10-05]", "<red>"),
        ("@ndvi-made-2", "<ndvi of each date>"),
    ],
)
def test_a_raster_is_told_by_its_role_and_a_series_as_such(value: object, told: str):
    counts = {"@dem": 1, "@red[2021-10-05]": 1, "@ndvi": 12}
    known = TraceContext(registry(), lambda address: "nir" if address == "n.tif" else "", {}, counts.get)
    assert _raster(value, known) == told


def test_a_role_without_both_limits_has_no_check():
    assert _check(["ndvi"]) == "ndvi within -1 to 1"
    assert _check(["change_magnitude", "no such role"]) == ""


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("x" * 40, "x" * 40),
        ("x" * 41, "<name>"),
        ("a.tif", "<name>"),
        ("folder/a", "<name>"),
        ("@ndvi", "<result>"),
        (3, "3"),
        (3.0, "3.0"),
        (0.25, "<result>"),
        (True, "True"),
        ([1], "<results>"),
    ],
)
def test_a_value_belongs_to_the_way_where_it_is_no_result_and_no_name(value: object, told: str):
    assert _literal(value) == told


def test_steps_are_numbered_from_one_and_checks_stand_behind_them():
    made = procedure_of(CALLS[:1], Answer("0.7", 0.7, "1"), around(PARAMETERS))
    first, *checks = str(made).split("\n")
    assert first.startswith("1. calculate_batch_ndvi") and checks
    assert all(line.startswith("Check: ") for line in checks)
