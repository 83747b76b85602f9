"""Options are compared with what was found."""

from __future__ import annotations

import pytest

from treeline.core.policies.planner.answering import Finding
from treeline.core.policies.planner.choices import choose


@pytest.mark.parametrize(
    ("value", "choices", "expected"),
    [
        (0.0002, ("0.200", "0.000", "-0.200"), "B"),
        (-0.2, ("0.2", "0.0", "-0.2"), "C"),
        (-0.19, ("a rise of 0.2", "unchanged at 0.0", "a drop of 0.2"), "C"),
        (0.19, ("+0.2", "0.0", "-0.2"), "A"),
        (1e6, ("0.1", "0.3", "0.2"), "B"),
        (34.2, ("10-20 %", "30-40 %", "50-60 %"), "B"),
        (-3.0, ("falls by 5", "falls by 3", "rises by 3"), "B"),
        (295.0, ("295.01 K", "300 K", "290 K"), "A"),
    ],
)
def test_the_nearest_number_wins(value: float, choices: tuple[str, ...], expected: str) -> None:
    assert choose(Finding("", value), choices) == expected


def test_two_numbers_are_weighed_in_their_own_spans() -> None:
    finding = Finding("", 0.02, numbers=(4.0,))
    choices = ("0.02 and 40 %", "0.03 and 4 %", "0.02 and 4 %", "0.30 and 40 %")
    assert choose(finding, choices) == "C"


def test_a_date_is_found_however_it_is_written() -> None:
    finding = Finding("", 0.8, labels=("2022-07-18",))
    assert choose(finding, ("18 June 2022 (0.8)", "July 18, 2022 (0.1)", "2021-07-18")) == "B"


@pytest.mark.parametrize(
    ("value", "unit", "choices", "expected"),
    [
        (6.0, "dates", ("Fewer than 5", "5-10", "11-20", "More than 20"), "B"),
        (20.0, "dates", ("fewer than 5", "5 to 10", "20 or more"), "C"),
        (97.0, "%", ("0-25 %", "25-50%", "50-75%", "75-100%"), "D"),
        (0.61, "1", ("A) 0.41 - 0.50", "B) 0.51 - 0.60", "C) 0.61 - 0.70", "D) above 0.70"), "C"),
        (0.6081, "1", ("about 35 %", "about 61 %", "about 80 %"), "B"),
    ],
)
def test_ranges_hold_what_lies_in_them(
    value: float, unit: str, choices: tuple[str, ...], expected: str
) -> None:
    assert choose(Finding("", value, unit), choices) == expected


def test_yes_and_no_are_the_verdict() -> None:
    assert choose(Finding("", 0.4, truth=False), ("Yes, above", "No, below")) == "B"
    assert choose(Finding("", 0.4, truth=True), ("no", "yes")) == "B"


@pytest.mark.parametrize(
    ("value", "unit", "choices", "expected"),
    [
        (288.6, "%", ("3.1 %", "8.4 %", "None of these"), "C"),
        (3.2, "%", ("3.1 %", "8.4 %", "None of these"), "A"),
        (0.608, "1", ("35 %", "61 %", "None of these"), "B"),
        (9.0, "ha", ("3 ha", "8 ha", "None of these"), "B"),
    ],
)
def test_none_of_these_fits_a_number_far_from_all(
    value: float, unit: str, choices: tuple[str, ...], expected: str
) -> None:
    assert choose(Finding("", value, unit), choices) == expected
