"""What an answer claims: numbers at their precision, dates, names."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from tests.core.engine.verification.test_cheats import MEANS, Told, series
from treeline.core.engine.verification import claims
from treeline.core.engine.verification.claims import (
    claims_in,
    dates_in,
    in_known_months,
    is_until,
    with_plain_dates,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 0.745.", [(0.745, "")]),
        ("It fell by \u22120.12, or 12,345.6 m\u00b2.", [(-0.12, ""), (12345.6, "m2")]),
        ("The mean leaf area index is 1.77 m2/m2.", [(1.77, "")]),
        ("26.85 \u00b0C are 300 K, or 300K", [(26.85, "degC"), (300.0, "K"), (300.0, "K")]),
        ("34 % and 34 per cent and 34 percent", [(34.0, "%")] * 3),
        (
            "1.2 ha, 3 km2 and 4 square kilometres; 5 km",
            [(1.2, "ha"), (3.0, "km2"), (4.0, "km2"), (5.0, "km")],
        ),
        ("1.5e-3 per year", [(0.0015, "")]),
        ("On 2021-07-12, step 5 gave @ndvi_2 of B4 and Landsat 8 (Sentinel-2, EPSG:32633) [3].", []),
        ("ndvi_2021.tif at 10:30 on 12 July 2021 in the 95th percentile", []),
        ("of steps 3, 4 and 7", []),
        ("The soil has 47.13 g per kg in 12 g.", [(47.13, ""), (12.0, "g")]),
        ("It is 1800.12, from 2000.05.", [(1800.12, ""), (2000.05, "")]),
    ],
)
def test_numbers(text: str, found: list[tuple[float, str]]):
    assert [(claim.number, claim.unit) for claim in claims_in(text)] == found


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("0.745", 0.0005),
        ("12", 0.5),
        ("1,200", 0.5),
        ("about 1,200", 50.0),
        ("~0.70", 0.005),
        ("1.5e3", 50.0),
    ],
)
def test_the_precision_is_that_of_the_last_digit(text: str, half: float):
    (claim,) = claims_in(text)
    assert claim.half == pytest.approx(half)


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("0.12 \u00b0C per decade", "decade"),
        ("0.12 per year", "year"),
        ("0.12 annually", "year"),
        ("2.7 K a month", "month"),
        ("2.7 K/year", "year"),
        ("0.3 % each acquisition", "step"),
        ("3 images per month", ""),  # how often, and not how fast
        ("0.12 in a year", ""),
    ],
)
def test_a_claim_knows_the_unit_of_time_that_it_is_told_for(text: str, per: str):
    assert claims_in(text)[0].per == per


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("2021-07-12", ["2021-07-12"]),
        ("Lake_20210712_NDVI.tif", ["2021-07-12"]),
        ("on 3 May 2021 and in July 2021", ["2021-05-03", "2021-07"]),
        ("July 12, 2021", ["2021-07-12"]),
        ("from 2016 to 2018", ["2016", "2018"]),
        ("in 2021-07 it was 2000 m", ["2021-07"]),
        ("Its 0.2018 and 12,016 pixels", []),
    ],
)
def test_dates(text: str, dates: list[str]):
    assert dates_in(text) == dates


def test_a_claim_keeps_how_it_was_written():
    (claim,) = claims_in("The trend is -0.42 K per decade.")
    assert (claim.text, claim.number, claim.unit, claim.per) == ("-0.42", -0.42, "K", "decade")
    (claim,) = claims_in("It rose by 3 K per century.")
    assert (claim.text, claim.per) == ("3", "century")


@pytest.mark.parametrize(
    ("text", "known", "plain"),
    [
        ("12/7/2021", ["2021-12-07"], "2021-12-07"),
        ("12/7/2021", ["2021-07-12"], "2021-07-12"),
        ("12/7/2021", [], "2021-07-12"),
        ("5/13/2021", [], "2021-05-13"),
        ("13/5/2021", [], "2021-05-13"),
        ("1/12/2021", [], "2021-12-01"),
        ("31/1/2021", [], "2021-01-31"),
        ("13/13/2021", [], "13/13/2021"),
        ("32/1/2021", [], "32/1/2021"),
    ],
)
def test_a_date_with_strokes_is_the_one_that_is_known_else_the_day_comes_first(
    text: str, known: list[str], plain: str
):
    assert with_plain_dates(f"on {text}", known) == f"on {plain}"


@pytest.mark.parametrize(
    ("text", "half"),
    [("about 1200", 50.0), ("1200", 0.5), ("roughly 12.5", 0.05), ("about 1,000", 500.0), ("about 35", 0.5)],
)
def test_what_is_said_roughly_is_as_precise_as_its_last_digit_that_is_not_zero(text: str, half: float):
    (claim,) = claims_in(f"It is {text} ha.")
    assert claim.half == pytest.approx(half)


def test_a_number_without_a_unit_is_of_the_thing_behind_it():
    (claim,) = claims_in("There are 5 ships.")
    assert (claim.unit, claim.thing) == ("", "ships")
    assert [claim.thing for claim in claims_in("It has 5 ha.")] == [""]


@pytest.mark.parametrize(
    ("season", "months"),
    [
        ("winter", ("2020-12", "2021-01", "2021-02")),
        ("spring", ("2021-03", "2021-04", "2021-05")),
        ("summer", ("2021-06", "2021-07", "2021-08")),
        ("autumn", ("2021-09", "2021-10", "2021-11")),
        ("fall", ("2021-09", "2021-10", "2021-11")),
    ],
)
def test_a_season_has_three_months_and_a_winter_the_year_that_it_ends_in(
    season: str, months: tuple[str, ...]
):
    year = [f"{2020 + n // 12}-{n % 12 + 1:02d}" for n in range(11, 25)]
    of_season = [
        month for month in year if with_plain_dates(season + " 2021", [f"{month}-05"]) == f"{month}-05"
    ]
    assert of_season == list(months)
    assert with_plain_dates(f"{season} 2021", [f"{month}-05" for month in months]) == f"{season} 2021"


def test_what_stands_next_to_a_number_is_its_unit_and_what_it_is_told_for():
    (claim,) = claims_in("It warmed by 0.42K per decade.")
    assert (claim.text, claim.unit, claim.per, claim.thing) == ("0.42", "K", "decade", "")
    (claim,) = claims_in("It has 12 small fields.")
    assert (claim.unit, claim.per, claim.thing) == ("", "", "small")


@pytest.mark.parametrize(
    ("text", "known", "asked", "plain"),
    [
        ("hottest in July", ["2021-07"], [], "hottest in 2021-07"),
        ("hottest on 5 July", ["2021-07-05"], [], "hottest on 2021-07-05"),
        ("hottest in July", ["2021"], [], "hottest in July"),
        ("hottest in July", ["2021-07", "2022-07"], [], "hottest in July"),
        ("hottest in July", ["2021-07", "2022-07"], ["2022-08-01"], "hottest in 2022-07"),
        ("hottest in July", ["2021-06"], [], "hottest in July"),
        ("hottest on 31 July", ["2021-07"], [], "hottest on 2021-07-31"),
        ("hottest on 32 July", ["2021-07"], [], "hottest on 32 July"),
    ],
)
def test_a_month_without_a_year_is_of_the_only_year_that_has_it(text, known, asked, plain):
    assert in_known_months(text, known, asked) == plain


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1. Forest: 12 ha\n2. Water: 3 ha", [12, 3]),
        ("1. Forest: 12 ha", [1, 12]),  # of one line alone it may be a number
        ("2. Forest: 12 ha\n3. Water: 3 ha", [2, 12, 3, 3]),
    ],
)
def test_numbers_of_lines_count_from_one_and_are_no_claims(text, numbers):
    assert [claim.number for claim in claims_in(text)] == numbers


@pytest.mark.parametrize(
    ("day", "date", "until"),
    [
        ("2021-07-31", "2021-07", True),
        ("2021-08-01", "2021-07", False),
        ("2021-07-05", "2021-07-05", True),
        ("2021-07-06", "2021-07-05", False),
        ("2020", "2021-07", True),
    ],
)
def test_days_are_until_a_date_that_they_lie_in(day, date, until):
    assert is_until(day, date) is until


@pytest.mark.parametrize("unit", ["gC/m2", "W/m2", "kg/ha"])
def test_the_time_behind_a_quotient_is_what_it_is_told_for(unit: str) -> None:
    (claim,) = claims_in(f"The mean is 2.12 {unit}/day.")
    assert (claim.unit, claim.per) == (unit, "day")


def test_digits_that_are_no_number_are_read_without_a_fault():
    assert [claim.text for claim in claims_in("\u00b2")] == []
    (claim,) = claims_in("7" * 8_000)  # more than Python turns into an integer
    assert claim.number == float("inf")


def test_the_name_of_each_file_is_read_once_however_many_numbers_are_told(monkeypatch: pytest.MonkeyPatch):
    read = []

    def note(address: str) -> PurePath:
        read.append(address)
        return PurePath(address)

    monkeypatch.setattr(claims, "PurePath", note)
    files = [f"Once_20{year:02d}-07-01_NDVI.tif" for year in range(1, 31)]
    numbers = [round(0.2 + 0.01 * n, 2) for n in range(len(files))]
    told = " ".join(f"On 20{n:02d}-07-01 it was {number:.2f}." for n, number in enumerate(numbers, 1))
    assert Told("How did it develop?", told, ((MEANS, series(numbers, files, "index")),)).why() == ""
    assert len(read) == len(set(read)) > 0


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Classes 2 and 3 cover it, see step 4.", []),
        ("All other classes 260.6 ha.", [260.6]),
        ("Of both zones 12 % and 30 %.", [12.0, 30.0]),
        ("Step 3 gives 0.5 for band 8.", [0.5]),
    ],
)
def test_the_number_of_a_class_or_step_has_neither_decimals_nor_a_unit(text: str, numbers: list[float]):
    assert [claim.number for claim in claims_in(text)] == numbers


@pytest.mark.parametrize("text", ["201203 pixels", "197201.5 ha", "199912 m2", "201203.25"])
def test_a_number_of_six_digits_with_its_unit_is_no_month(text: str):
    assert dates_in(text) == [] and len(claims_in(text)) == 1


@pytest.mark.parametrize("text", ["in 201203", "201203.", "20120304_K.tif", "201203 was warm"])
def test_a_month_without_a_stroke_is_one(text: str):
    assert dates_in(text)[0].startswith("2012-03") and claims_in(text) == []


@pytest.mark.parametrize("verb", ["scattered", "split", "spread", "averaged", "distributed", "divided"])
def test_what_is_spread_over_so_many_is_held_against_no_limit(verb: str):
    (claim,) = claims_in(f"It is {verb} over 93 patches.")
    assert not claim.limit
