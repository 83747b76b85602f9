"""A true number beside words of another statistic, time or variable."""

from __future__ import annotations

import pytest

from treeline.core.engine.actions import Answer, Call, Observation
from treeline.core.engine.state import State, Step
from treeline.core.engine.verification import verify
from treeline.core.engine.verification.times_told import count_dates_of_years

DAYS = ["2016-05-26", "2016-08-14", "2016-10-23"]
FILES = {"file_list": [f"Vale_NDVI_{day}.tif" for day in DAYS]}
VALUES = [0.724, 0.734, 0.034]
TEXT = "; ".join(f"{day} {value}" for day, value in zip(DAYS, VALUES, strict=True))
MEANS = Observation("result", TEXT, value=VALUES, arguments=FILES, unit="index")


def is_answered(text: str) -> bool:
    step = Step(1, Call("calc_batch_image_mean", FILES), MEANS)
    answer = verify(Answer(text, evidence=(1,)), State("How green is it?", steps=(step,)))
    return answer.unverified == ""


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Mean NDVI was 0.734 on 2016-08-14.", True),
        ("Mean NDVI was highest on 2016-08-14, at 0.734.", True),
        ("The median NDVI was 0.734 on 2016-08-14.", False),
        ("On 2016-08-14 a single pixel had an NDVI of 0.734.", False),
        ("Mean NDVI of 2016 was 0.734.", False),
        ("EVI was 0.734 on 2016-08-14.", False),
        ("On 2016-08-14 NDVI was 73.4 %.", False),
    ],
)
def test_words_beside_a_number_fit_its_result(text: str, right: bool) -> None:
    assert is_answered(text) is right


@pytest.mark.parametrize(("days", "right"), [(150, True), (140, False)])
def test_the_time_that_the_results_span_needs_no_date_that_is_named(days: int, right: bool) -> None:
    assert is_answered(f"NDVI fell from 0.724 to 0.034 within {days} days.") is right


def test_dates_of_years_are_read_from_what_a_policy_is_told() -> None:
    assert count_dates_of_years("@ndvi @clm: rasters of 2015: 11, 2016: 21; there twice: 2015-12-08") == {
        "2015": 11,
        "2016": 21,
    }
