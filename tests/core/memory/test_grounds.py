"""Which numbers of an answer count as produced by a step."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.events import RunFinished
from treeline.core.engine.state import Step
from treeline.core.memory.grounds import ungrounded
from treeline.core.memory.trace import Attempt
from treeline.toolkit import registry

SERIES = [280.0, 290.0, 295.0, 300.0, 305.0, 310.0, 315.0, 320.0]


def is_grounded(answer: float, *results, question: str = "How much?", arguments=None, products=()) -> bool:
    steps = tuple(
        Step(
            n,
            Call("calc_batch_image_mean", arguments or {}),
            Observation("result", "done", value=value, arguments=arguments or {}, products=tuple(products)),
        )
        for n, value in enumerate(results, 1)
    )
    finished = RunFinished("answered", Answer("So much.", answer), "")
    return not ungrounded(Attempt(question, (), steps, finished, registry()))


@pytest.mark.parametrize(
    ("answer", "computed"),
    [
        (0.7341, 0.7341), (-0.7341, 0.7341),
        (73.41, 0.7341), (0.7341, 73.41),  # share and per cent
        (300.0, 26.85), (26.85, 300.0),  # kelvin and degree Celsius
        (1.2, 12_000.0), (12_000.0, 1.2),  # square metres and hectares
        (1.2, 1.2e6), (1.2e6, 1.2),  # square metres and square kilometres
    ],
)  # fmt: skip
def test_a_number_in_another_unit_or_with_another_sign_is_grounded(answer: float, computed: float):
    assert is_grounded(answer, computed)


@pytest.mark.parametrize(
    ("answer", "computed", "grounded"),
    [
        (200.0, 200.9, True),  # within half a per cent
        (200.0, 201.1, False),
        (0.5, 0.549, True),  # rounded to the digits that are written
        (0.5, 0.551, False),
        (3.0, 3.4, False),  # a whole number is no rounding
        (0.03, 0.0349, True),
        (0.03, 0.0353, False),
    ],
)
def test_the_tolerance(answer: float, computed: float, grounded: bool):
    assert is_grounded(answer, computed) is grounded


@pytest.mark.parametrize(
    ("answer", "question", "grounded"),
    [
        (4.0, "On how many dates is it above 300 K?", True),
        (4.0, "On how many dates is it at most 300 K?", True),
        (5.0, "On how many dates is it at least 300 K?", True),
        (50.0, "On what share of the dates is it above 300 K?", True),
        (62.5, "On what share of the dates is it at least 300 K?", True),
        (37.5, "On what share of the dates is it below 300 K?", True),
        (2.0, "On how many dates is it above 40 degrees?", True),  # 313.15 K
        (3.0, "On how many dates is it above 40 degrees?", True),  # above the mean, or not
        (7.0, "On how many dates is it above 300 K?", False),
        (87.5, "On what share of the dates is it above 300 K?", False),
        (1.0, "On how many dates is it 5 % above the mean?", True),  # mean 301.875, limit 316.97
        (7.0, "On how many dates is it 5 % below the mean?", True),  # limit 286.78
        (6.0, "On how many dates is it 5 % below the mean?", False),
    ],
)
def test_counts_of_a_series_on_one_side_of_a_limit(answer: float, question: str, grounded: bool):
    assert is_grounded(answer, SERIES, question=question) is grounded


@pytest.mark.parametrize(
    ("word", "answer"),
    [("half", 2.0), ("a third", 5.0), ("a quarter", 6.0), ("the majority", 2.0)],
)
def test_shares_that_are_written_as_words(word: str, answer: float):
    shares = [1.0, 1.0, 1.0, 1.0, 26.0, 33.4, 40.0, 45.0, 52.0, 400.0]
    assert is_grounded(answer, shares, question=f"On how many dates is more than {word} of it dry?")
    assert not is_grounded(answer, shares, question="On how many dates is it dry?")


def test_a_count_is_a_share_of_the_rasters_that_were_read():
    files = {"file_list": [f"{n}.tif" for n in range(8)]}
    assert is_grounded(37.5, 3, arguments=files) and not is_grounded(30.0, 3, arguments=files)


def test_two_numbers_are_a_series_and_one_is_none():
    assert is_grounded(50.0, [10.0, 20.0], question="On what share of the dates is it above 15?")
    assert not is_grounded(100.0, [7.0], question="On what share of the dates is it above 5?")


@pytest.mark.parametrize("value", [0.1, 0.9, 0.52, 0.875])
def test_the_statistics_of_a_product_are_grounds(value: float):
    product = ProductRecord(
        "p.tif", "/p.tif", "ndvi", "1", valid_share=0.875, minimum=0.1, maximum=0.9, mean=0.52
    )
    assert is_grounded(value, "saved", products=[product])


def test_digits_of_a_date_are_no_number():
    assert not is_grounded(2021.0, "Result saved at lst_2021-07-12.tif")
    assert is_grounded(1_234.5, "There are 1,234.5 of them.")


def test_an_answer_without_a_computation_is_not_grounded():
    assert not is_grounded(1.0)


@pytest.mark.parametrize(
    ("answer", "question", "grounded"),
    [
        (3.0, "On how many dates is it more than 20 % above the mean?", True),  # above 8400
        (8.0, "On how many dates is it more than 20 % of the mean?", True),  # above 1400
        (3.0, "On how many dates is it above the mean?", False),
        (8.0, "On how many dates is it above the mean?", False),
        (5.0, "On how many dates is it above the mean?", True),
    ],
)
def test_limits_in_per_cent_are_of_the_mean(answer: float, question: str, grounded: bool):
    series = [700.0 * n for n in (1, 2, 3, 4, 8, 11, 12, 14, 15, 30)]  # mean 7000
    assert is_grounded(answer, series, question=question) is grounded


@pytest.mark.parametrize("answer", [0.1, 0.05, 10.0])
def test_nothing_but_a_temperature_follows_from_zero(answer: float):
    assert not is_grounded(answer, 0.0) and is_grounded(273.15, 0.0)
