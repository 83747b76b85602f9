"""What questions are read as, without any raster."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeline.core.policies.planner.intent import Intent
from treeline.core.policies.planner.names import read_names
from treeline.core.policies.planner.periods import Times, read_times
from treeline.core.policies.planner.reading import read
from treeline.core.policies.planner.sight import read_sight
from treeline.core.policies.planner.text import Reading, number
from treeline.core.policies.planner.thresholds import read_limits
from treeline.core.policies.planner.vocabulary import Lexicon

LEXICON = Lexicon(
    bands={"b04": "red", "b08": "nir", "b10": "bt10"},
    places=("Lima", "Aracaju"),
    sensors=(),
    roles=frozenset({"ndvi", "lst", "red", "nir"}),
    methods={},
)
MONTHS = calendar.month_name[1:]


def when(text: str, southern: bool = False) -> Times:
    return read_times(Reading(text), southern)


def ends(text: str) -> list[tuple[str, str]]:
    """Return first and last day of each period of a text."""
    return [
        (f"{part.period.first:%Y-%m-%d}", f"{part.period.last:%Y-%m-%d}")
        for part in when(text).parts
        if part.period.first and part.period.last
    ]


@given(st.dates(date(1972, 1, 1), date(2049, 12, 31)))
def test_a_day_is_read_however_it_is_written(day: date) -> None:
    month = MONTHS[day.month - 1]
    forms = (
        f"{day:%Y-%m-%d}", f"{day:%Y/%m/%d}", f"{day:%Y%m%d}", f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}", f"{month[:3]} {day.day}th {day.year}", f"{day:%d.%m.%Y}",
    )  # fmt: skip
    for form in forms:
        assert ends(f"mean NDVI on {form}?") == [(str(day), str(day))], form


@given(st.dates(date(2013, 1, 1), date(2024, 12, 1)), st.integers(1, 300))
def test_a_range_holds_its_days(first: date, length: int) -> None:
    last = first + timedelta(days=length)
    for form in (f"from {first} to {last}", f"between {first} and {last}", f"{first} - {last}"):
        whole = when(f"mean NDVI {form}").whole.period
        assert whole.first and whole.last
        assert (whole.first.date(), whole.last.date()) == (first, last), form


@given(st.floats(-1e6, 1e6, allow_nan=False))
def test_a_limit_keeps_its_number(value: float) -> None:
    (limit,) = read_limits(Reading(f"where ndvi > {value:.3f}"))
    assert limit.threshold.value == pytest.approx(round(value, 3))
    assert limit.threshold.side == "above"


def test_thousands_are_read() -> None:
    assert number("1,234.5") == 1234.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in July 2017", [("2017-07-01", "2017-07-31")]),
        ("from 2016-05 to 2016-09", [("2016-05-01", "2016-05-31"), ("2016-09-01", "2016-09-30")]),
        ("growing season of 2016", [("2016-04-01", "2016-09-30")]),
        ("2016 against 2017", [("2016-01-01", "2016-12-31"), ("2017-01-01", "2017-12-31")]),
        (
            "growing season 2016 compared with 2017",
            [("2016-04-01", "2016-09-30"), ("2017-04-01", "2017-09-30")],
        ),
        (
            "between 2013 and 2018 (January-April)",
            [("2013-01-01", "2013-04-30"), ("2018-01-01", "2018-04-30")],
        ),
        ("for July 5th of 2015 and 2023", [("2015-07-05", "2015-07-05"), ("2023-07-05", "2023-07-05")]),
        ("July 20 to 29, 2023", [("2023-07-20", "2023-07-20"), ("2023-07-29", "2023-07-29")]),
        ("winter 2017", [("2016-12-01", "2017-02-28")]),
        ("autumn (September-November) in 2020", [("2020-09-01", "2020-09-30"), ("2020-11-01", "2020-11-30")]),
        ("area above 2000 m", []),
    ],
)
def test_periods(text: str, expected: list[tuple[str, str]]) -> None:
    assert ends(text) == expected


def test_seasons_turn_round_south_of_the_equator() -> None:
    assert when("summer", southern=True).parts[0].period.months == (12, 1, 2)
    assert when("growing season", southern=True).parts[0].period.months == (10, 11, 12, 1, 2, 3)


def test_first_and_last_date() -> None:
    assert [part.which for part in when("from the first to the last date").parts] == ["first", "last"]


@pytest.mark.parametrize(
    ("text", "side", "value", "unit", "of_mean"),
    [
        ("LST above 25 °C", "above", 25.0, "degC", None),
        ("LST of at least 300 K", "above", 300.0, "K", None),
        ("not more than 0.3", "below", 0.3, "", None),
        ("below 85 % of the mean", "below", None, "", 0.85),
        ("exceeds 1.1 times the annual mean", "above", None, "", 1.1),
        ("50% higher than the mean", "above", None, "", 1.5),
        ("above the average", "above", None, "", 1.0),
        ("0.5 or more", "above", 0.5, "", None),
        ("≥ 0.4", "above", 0.4, "", None),
    ],
)
def test_limits(text: str, side: str, value: float | None, unit: str, of_mean: float | None) -> None:
    (limit,) = read_limits(Reading(text))
    found = limit.threshold
    assert (found.side, found.value, found.unit) == (side, value, unit)
    assert found.of_mean == (None if of_mean is None else pytest.approx(of_mean))


def read_here(question: str) -> Intent:
    return read(question, LEXICON)


@pytest.mark.parametrize(
    ("question", "operation", "role", "statistic"),
    [
        ("mean NDVI per date", "series", "ndvi", "mean"),
        ("When is the LST highest?", "extreme", "lst", "mean"),
        ("Is there a trend in NDVI?", "trend", "ndvi", "mean"),
        ("How many dates have NDVI above 0.5?", "count", "ndvi", "mean"),
        ("How many dates have over 60 % of the area above an NDVI of 0.7?", "count", "ndvi", "share"),
        ("What area in ha has NDVI > 0.5?", "value", "ndvi", "area"),
        ("coefficient of variation of NDVI", "variation", "ndvi", "mean"),
        ("Using red and NIR bands, compute the mean NDVI", "value", "ndvi", "mean"),
        ("What is the mean of band 8?", "value", "nir", "mean"),
    ],
)
def test_intents(question: str, operation: str, role: str, statistic: str) -> None:
    intent = read_here(question)
    assert (intent.operation, intent.subjects[0].role, intent.subjects[0].statistic) == (
        operation,
        role,
        statistic,
    )


def test_a_condition_is_told_from_the_variable_asked_for() -> None:
    intent = read_here("What is the mean LST where NDVI lies between 0.2 and 0.5?")
    (subject,) = intent.subjects
    assert subject.role == "lst"
    (condition,) = subject.conditions
    assert condition.role == "ndvi"
    assert (condition.threshold.value, condition.threshold.upper) == (0.2, 0.5)


def test_places_are_compared() -> None:
    intent = read_here("mean NDVI of Aracaju and Lima, and the difference between the two")
    assert [subject.place for subject in intent.subjects] == ["Aracaju", "Lima"]


def test_nothing_is_read_into_a_question_about_nothing() -> None:
    assert not read_here("What is the meaning of life?").subjects


def test_names_count_by_their_own_words() -> None:
    assert read_names("over new york city in 2018", ["New York", "New Delhi"]) == ["New York"]


@pytest.mark.parametrize(
    ("question", "kind", "prompt"),
    [
        ("Rank the images based on how many storage tanks are present in each.", "count", "storage tank"),
        (
            "What is the distance between the two closest harbor in the image? (GSD = 0.14 m/px)",
            "distance",
            "harbor",
        ),
        ("Estimate the total area of all detected tennis courts (gsd = 0.13 m/px).", "area", "tennis court"),
        ("How many buildings were completely destroyed?", "destroyed", ""),
        ("By how many pixels did the building area decrease?", "change", ""),
    ],
)
def test_questions_about_pictures(question: str, kind: str, prompt: str) -> None:
    sight = read_sight(question)
    assert sight is not None and sight.kind == kind
    assert not prompt or sight.prompt == prompt


def test_the_class_of_scenes_is_one_of_those_in_braces() -> None:
    sight = read_sight(
        "Every image belongs to {BareLand, Port, Airport}; how many images show bare land areas?"
    )
    assert sight is not None and (sight.kind, sight.scene) == ("scene", "BareLand")
