"""What is said of the quantities of a record by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from treeline.core.engine.verification.claims import Claim
from treeline.core.engine.verification.readings import readings_of
from treeline.core.engine.verification.records import false_extreme_keys, false_halves, false_keys


def shows(claim: Claim, numbers: Sequence[float]) -> bool:
    return any(
        abs(claim.number - each) <= claim.half for n in numbers for each in readings_of(claim, n, ("1",))
    )


def why(record: dict[str, Any], *parts: str) -> list[str]:
    return list(false_keys(parts, [record], shows))


@pytest.mark.parametrize(
    ("record", "right", "wrong", "told"),
    [
        ({"p": 0.04}, "With p = 0.04 it is.", "With p = 0.05 it is.", "The p is 0.04, not 0.05."),
        ({"p": 0.04}, "The p-value is 0.04.", "The p-value is 0.4.", "The p is 0.04, not 0.4."),
        ({"r": 0.6}, "R² is 0.36.", "R² is 0.6.", "The r2 is 0.36, not 0.6."),
        ({"r2": 0.36}, "It explains 36 %.", "It explains 60 %.", "The r2 is 0.36, not 60."),
        (
            {"r2": 0.36},
            "36 % of the variance is explained.",
            "60 % of the variance is explained.",
            "The r2 is 0.36, not 60.",
        ),
        (
            {"overall_accuracy": 0.9},
            "It is 90 % accurate.",
            "It is 80 % accurate.",
            "The overall_accuracy is 0.9, not 80.",
        ),
        (
            {"overall_accuracy": 0.9},
            "The overall accuracy is 0.9.",
            "The accuracy is 0.8.",
            "The overall_accuracy is 0.9, not 0.8.",
        ),
        ({"slope": -0.2}, "The slope is -0.2.", "The slope is 0.2.", "The slope is -0.2, not 0.2."),
    ],
)
def test_a_number_under_a_name_is_the_one_of_that_name(
    record: dict[str, Any], right: str, wrong: str, told: str
):
    assert why(record, right) == []
    assert why(record, wrong) == [told]


def test_what_is_told_as_a_limit_or_of_another_quantity_is_left_alone():
    assert why({"p": 0.04}, "p is below 0.05.") == []
    assert why({"p": 0.04}, "The slope is 0.05.") == []
    assert why({"p": True, "slope": None}, "p is 0.05 and the slope is 0.2.") == []


@pytest.mark.parametrize(
    ("part", "right"),
    [
        ("The peak was on 2021-06-18.", True),
        ("The peak was in June 2021.", True),
        ("It peaked on 2021-07-18.", False),
    ],
)
def test_a_date_under_a_name_is_the_one_of_that_name(part: str, right: bool):
    assert why({"peak": "2021-06-18"}, part) == ([] if right else ["The peak is 2021-06-18, not 2021-07-18."])


@pytest.mark.parametrize(
    ("part", "right"),
    [
        ("Half of it lies above 0.4.", True),
        ("Half of it lies above 0.5.", False),
        ("A third of it lies above 0.5.", True),
        ("Half of it lies between 0.3 and 0.5.", True),
    ],
)
def test_half_lies_beyond_the_median(part: str, right: bool):
    found = list(false_halves([part], [{"median": 0.4}, {"mean": 0.5}], shows))
    assert found == ([] if right else ["The median is 0.4, not 0.5."])


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("The longest gap lasted from 2021-03-01 to 2021-04-20.", []),
        (
            "The longest gap lasted from 2021-02-01 to 2021-03-01.",
            [
                "The longest gap from is 2021-03-01, not 2021-02-01.",
                "The longest gap to is 2021-04-20, not 2021-03-01.",
            ],
        ),
        ("The longest gap lasted until 2021-03-01.", []),  # one date is of no time that has two ends
    ],
)
def test_a_time_that_a_record_has_is_told_with_its_own_ends(part: str, told: list[str]):
    gap = {"longest_gap_from": "2021-03-01", "longest_gap_to": "2021-04-20", "longest_gap_days": 50}
    assert why(gap, part) == told


def test_a_time_is_told_with_its_own_ends_beside_its_year():
    season = {"start": "2021-05-26", "end": "2021-09-23", "length": 120}
    assert why(season, "The season of 2021 went from 2021-05-26 to 2021-09-23.") == []
    told = why(season, "The season of 2021 went from 2021-04-26 to 2021-09-23.")
    assert told == ["The start is 2021-05-26, not 2021-04-26."]


@pytest.mark.parametrize(
    ("part", "right"),
    [
        ("The longest gap was 50 days.", True),
        ("The longest break lasted 50 days.", True),
        ("The shortest gap was 50 days.", False),
        ("The shortest break of the series lasted 50 days.", False),
        ("The shortest gap begins on 2021-03-01.", False),
        ("The smallest patch covers 12.5.", False),
        ("The biggest patch covers 12.5.", True),
        ("The smallest of the 40 patches is unknown.", True),
        ("The shortest gap was 10 days.", True),
    ],
)
def test_what_a_record_has_as_one_end_is_not_told_as_the_other(part: str, right: bool):
    gaps = {"longest_gap_from": "2021-03-01", "longest_gap_to": "2021-04-20", "longest_gap_days": 50}
    records = [{**gaps, "median_interval_days": 10.0, "classes": [{"largest_patch_ha": 12.5, "patches": 40}]}]
    assert (not list(false_extreme_keys([part], records, shows))) is right
