"""How fast something changes: what a slope is told for, and what it comes to in other times."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.engine.verification.test_cheats import Told
from tests.core.engine.verification.test_cheats import series as as_series
from treeline.core.engine.actions import Call, Observation
from treeline.core.engine.state import Step
from treeline.core.engine.verification.claims import STEP, Claim
from treeline.core.engine.verification.rates import _even_gap, changes_of, mentions, rates_of, readings_per

YEAR = 365.2425


def series(numbers: list[float], dates: list[str]) -> Step:
    files = [f"Lake_{date}_NDVI.tif" for date in dates]
    text = "; ".join(f"{date} {number:.6g}" for date, number in zip(dates, numbers, strict=True))
    observation = Observation("result", text, value=numbers, arguments={"file_list": files})
    return Step(1, Call("calc_batch_image_mean", {"file_list": files}), observation)


def slope(value: dict[str, Any], **arguments: Any) -> Step:
    return Step(2, Call("sens_slope", arguments), Observation("result", "", value=value, arguments=arguments))


def days_of_slope(dates: list[str], **arguments: Any) -> float:
    numbers = [0.1 * n for n in range(1, len(dates) + 1)]
    rates = rates_of([series(numbers, dates), slope({"slope": 0.1}, **(arguments or {"x": numbers}))])
    return rates[0.1]


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (["2021-06-01", "2021-06-02", "2021-06-03"], 1.0),
        (["2021-06-01", "2021-06-08", "2021-06-15"], 7.0),
        (["2021-04-01", "2021-05-01", "2021-06-01"], YEAR / 12),
        (["2021-01-01", "2021-04-01", "2021-07-01"], YEAR / 4),
        (["2019-07-01", "2020-07-01", "2021-07-01"], YEAR),
        (["2000-07-01", "2010-07-01", "2020-07-01"], 10 * YEAR),
        (["2021-06-01", "2021-06-17", "2021-07-03"], 16.0),
        (["2021-06-01", "2021-06-17", "2021-07-04"], 16.5),
        (["2021-06-01", "2021-06-11", "2021-06-23"], 0.0),  # 10 and 12 days are not even
        (["2021-06-01", "2021-06-21", "2021-07-14"], 21.5),  # 20 and 23 just are
    ],
)
def test_a_slope_is_told_for_the_gap_between_even_images(dates, days):
    assert days_of_slope(dates) == pytest.approx(days)


def test_a_slope_over_dates_is_told_for_a_year_and_one_over_numbers_for_nothing_known():
    dates = ["2021-06-01", "2021-06-11"]
    assert days_of_slope(dates, times=dates, y=[0.1, 0.2]) == YEAR
    assert days_of_slope(dates, x=dates, y=[0.1, 0.2]) == YEAR
    assert days_of_slope(dates, x=[2020.0, 2021.0], y=[0.1, 0.2]) == YEAR  # years as a tool is given them
    assert days_of_slope(dates, x=[1, 2], y=[0.1, 0.2]) == 0.0
    assert days_of_slope(dates, file_list="@ndvi") == YEAR  # a map of trends takes the dates of its files
    assert days_of_slope(dates, x=[0.3, 0.4]) == 0.0  # another series
    assert days_of_slope(dates, file_list="@ndvi", lags=[1]) == YEAR  # one number is no series


def test_a_slope_over_numbers_is_told_for_the_time_that_they_count():
    dates, y = ["2021-06-01", "2021-06-11", "2021-07-01"], [0.1 * n for n in (1, 2, 3)]
    assert days_of_slope(dates, x=[0, 10, 30], y=y) == 1.0
    assert days_of_slope(dates, x=[0, 1, 3], y=y) == pytest.approx(10.0)
    assert days_of_slope(dates, x=[202.14137, 202.14411, 202.149589], y=y) == 10 * YEAR
    assert days_of_slope(dates, x=[280.0, 295.0, 281.0], y=y) == 0.0  # no times


def test_all_numbers_of_a_slope_are_rates_and_those_beside_it_are_none():
    found = rates_of([slope({"slope": 0.1, "lower": 0.05, "upper": 0.2, "intercept": 3.0}, x="@ndvi")])
    assert found == {0.1: YEAR, 0.05: YEAR, 0.2: YEAR}
    assert not rates_of([slope({"lower": 0.05}, x="@ndvi")])


@pytest.mark.parametrize(
    ("unit", "days"),
    [
        ("mm per day", 1.0),
        ("mm/d", 1.0),
        ("1/week", 7.0),
        ("K per month", YEAR / 12),
        ("1/season", YEAR / 4),
        ("K/yr", YEAR),
        ("t/a", YEAR),
        ("K per year", YEAR),
        ("K / decade", 10 * YEAR),
    ],
)
def test_a_unit_may_tell_the_time(unit, days):
    step = Step(1, Call("mean", {}), Observation("result", "", value=2.0, unit=unit))
    assert rates_of([step]) == {2.0: pytest.approx(days)}


def test_changes_are_those_of_each_date_to_each_later_one():
    found = changes_of([series([0.5, 0.1, 0.4], ["2021-06-01", "2021-06-11", "2021-07-01"])])
    assert [(pytest.approx(c), d) for c, d in found] == [(-0.4, 10.0), (-0.1, 30.0), (0.3, 20.0)]


def test_of_many_dates_the_changes_are_those_to_the_next_one_and_from_the_first_to_the_last():
    days = [f"2021-06-{day:02d}" for day in range(1, 14)]
    found = changes_of([series([float(number**2) for number in range(13)], days)])
    assert found == (*((2.0 * n + 1, 1.0) for n in range(12)), (144.0, 12.0))


@pytest.mark.parametrize(
    ("per", "expected"),
    [
        ("day", [0.1, 0.02]),
        ("year", [0.1 * YEAR, 0.02 * YEAR]),
        # a plain number is one per year; the slope itself is none
        ("decade", [1.0 * YEAR, 0.2 * YEAR, 50.0]),
        ("century", [10.0 * YEAR, 2.0 * YEAR, 500.0]),
        (STEP, [0.1]),
        ("", []),
    ],
)
def test_what_rates_and_changes_come_to_in_another_time(per, expected):
    claim = Claim("", 0.0, 0.0, per=per)
    found = list(readings_per(claim, {0.1: 1.0}, [(0.2, 10.0)], [5.0, 0.1]))
    assert list(readings_per(claim, {1.6: 16.0}, [(0.2, 10.0)], [5.0, 1.6])) == [
        pytest.approx(n) for n in (expected if per != STEP else [1.6])
    ]
    assert found == [pytest.approx(n) for n in expected]


def test_a_slope_whose_time_is_not_known_is_one_per_image():
    assert list(readings_per(Claim("", 0.0, 0.0, per=STEP), {0.1: 0.0}, [], [])) == [0.1]
    assert list(readings_per(Claim("", 0.0, 0.0, per="year"), {0.1: 0.0}, [], [])) == []


@pytest.mark.parametrize(
    ("per", "text", "said"),
    [
        ("year", "the annual trend", True),
        ("year", "per day", False),
        ("day", "its daily course", True),
        (STEP, "per image", True),
        ("month", "each month", True),
        ("month", "each year", False),
    ],
)
def test_a_text_speaks_of_a_time(per, text, said):
    assert mentions(per, text) is said


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (["2021-06-01", "2021-06-01", "2021-06-01"], 0.0),  # no gap
        (["2021-06-01", "2021-06-21", "2021-07-14", "2021-08-03"], 21.0),
        (["2021-01-01", "2021-06-30", "2021-12-27"], 180.0),  # half a year has no name
        (["2021-06-01"], 0.0),
    ],
)
def test_dates_that_are_even_have_one_gap(dates, days):
    assert _even_gap(dates) == pytest.approx(days)


def test_what_lies_between_rates_is_a_rate_and_so_are_their_differences():
    rates = {1.0: 10.0, 4.0: 10.0}
    found = list(readings_per(Claim("", 0.0, 0.0, per="day"), rates, [], [2.0, 0.9, 4.1, 1.0]))
    assert found == [pytest.approx(n) for n in (0.1, 0.4, 0.2, -0.3, 0.3)]
    apart = {1.0: 10.0, 4.0: 20.0}  # a number between rates of two lengths is of neither
    assert list(readings_per(Claim("", 0.0, 0.0, per="day"), apart, [], [2.0])) == [0.1, 0.2]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It rose by 12.4 K per month.", False),  # which it did in three
        ("It rose by 4.15 K per month.", True),
        ("It rose by 12.4 K.", True),
    ],
)
def test_a_change_over_months_is_none_per_month_though_it_was_asked_for(text: str, right: bool):
    files = [f"Lake_2021-0{month}-12_LST.tif" for month in (4, 7)]
    seen = (("calc_batch_image_mean", as_series([287.4, 299.8], files, "K")),)
    assert (Told("By how much did it rise per month?", text, seen).why() == "") == right
