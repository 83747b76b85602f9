"""A change is the later less the earlier, unless the question says what is taken from what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import lst

EARLIER, LATER = "2021-07-22", "2022-07-18"


def rise(demo: Path) -> float:
    return float(np.nanmean(lst(demo, LATER)) - np.nanmean(lst(demo, EARLIER)))


@pytest.mark.parametrize(
    ("question", "sign"),
    [
        ("How did mean LST change between 2022-07-18 and 2021-07-22?", 1),
        ("change of mean LST from 2021-07-22 to 2022-07-18", 1),
        ("difference in mean LST between 2021-07-22 and 2022-07-18", 1),
        ("mean LST on 2022-07-18 minus mean LST on 2021-07-22", 1),
        ("mean LST on 2021-07-22 minus mean LST on 2022-07-18", -1),
        ("By how much was 2021-07-22 warmer than 2022-07-18?", -1),
    ],
)
def test_order_of_a_change(ask: Ask, demo: Path, question: str, sign: int) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(sign * rise(demo), abs=2e-3)
    assert (f"rose by {rise(demo):.2f} K" if sign > 0 else f"is {rise(demo):.2f} K lower than") in answer.text


def test_the_answer_says_what_is_taken_from_what(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("mean LST on 2021-07-22 minus mean LST on 2022-07-18", demo))
    assert "LST on 2021-07-22 is" in answer.text and "lower than that on 2022-07-18" in answer.text


def test_the_last_date_is_compared_with_the_first(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("mean LST on the last date minus mean LST on the first date", demo))
    expected = np.nanmean(lst(demo, "2022-10-04")) - np.nanmean(lst(demo, "2021-04-12"))
    assert answer.value == pytest.approx(float(expected), abs=2e-3)


def first_to_last(demo: Path) -> float:
    return float(np.nanmean(lst(demo, "2022-10-04")) - np.nanmean(lst(demo, "2021-04-12")))


def test_two_dates_are_told_side_by_side(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask("Compare the mean LST of the last date with that of the first date", demo))
    for date in ("2022-10-04", "2021-04-12"):
        assert f"{np.nanmean(lst(demo, date)):.2f} K" in answer.text


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("By how much did mean LST change from 2021-04-12 to 2022-10-04?", "The mean"),
        ("Did mean LST rise from 2021-04-12 to 2022-10-04?", None),
        ("Did mean LST fall between 2022-10-04 and 2021-04-12?", None),
    ],
)
def test_a_change_of_the_whole_time(ask: Ask, demo: Path, question: str, begins: str | None) -> None:
    rises = first_to_last(demo) > 0
    answer = answer_of(ask(question, demo))
    assert answer.value == pytest.approx(first_to_last(demo), abs=2e-3)
    assert answer.text.startswith(begins or ("Yes" if rises == ("rise" in question) else "No"))


def test_a_single_date_has_no_change(ask: Ask, demo: Path) -> None:
    question = f"By how much did mean LST change from 2021-04-12 to {EARLIER}?"
    finished = ask(question, demo / f"Demo_LST_{EARLIER}.tif")
    assert finished.status == "declined" and finished.answer is not None
    assert EARLIER in finished.answer.text and "2021-04-12" in finished.answer.text
