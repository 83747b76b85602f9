"""Options are compared with what was found."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.running import ask as answer_to
from treeline.core.policies.planner.answering import Finding
from treeline.core.policies.planner.choices import choose, complete_by_direction, doubt, name_options
from treeline.core.query.expression import Aggregate, Span, Variable, When

pytestmark = pytest.mark.sample(2)


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
        (125.43, "acre", ("100-120 acres", "120-130 acres", "130-140 acres"), "B"),
        (2354.4, "ft", ("1000-2300 ft", "2300-2400 ft", "over 2400 ft"), "B"),
        (550_000.0, "m2", ("500000-600000 m2", "600000-700000 m2", "none of these"), "A"),
        (0.5722, "1", ("0.2 to 0.3", "0.3 to 0.4", "0.4 to 0.5", "none of these"), "D"),
    ],
)
def test_ranges_hold_what_lies_in_them(
    value: float, unit: str, choices: tuple[str, ...], expected: str
) -> None:
    assert choose(Finding("", value, unit), choices) == expected


def test_a_number_outside_all_ranges_is_doubted() -> None:
    ranges = ("0.2 to 0.3", "0.3 to 0.4", "0.4 to 0.5")
    assert "No option is near" in doubt(Finding("", 0.5722, "1"), ranges, "C")
    assert doubt(Finding("", 0.45, "1"), ranges, "C") == ""


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


@pytest.mark.parametrize(
    ("value", "choices", "expected"),
    [
        (-0.354, ("a decline of 0.35", "no decline"), "A"),
        (-0.354, ("no decline", "a decline of 0.35"), "B"),
        (0.002, ("a decline of 0.35", "no decline"), "B"),
        (0.5, ("NDVI did not increase", "an increase of 0.45"), "B"),
    ],
)
def test_an_option_that_says_nothing_changed_is_a_change_of_none(
    value: float, choices: tuple[str, ...], expected: str
) -> None:
    assert choose(Finding("", value), choices) == expected
    assert not doubt(Finding("", value), choices, expected)


def test_a_month_is_found_however_it_is_written() -> None:
    finding = Finding("", 0.65, labels=("2016-08",))
    assert choose(finding, ("July 2016", "Aug. 2016", "August 2015")) == "B"


OPTIONS = st.lists(st.integers(-400, 400), min_size=2, max_size=6, unique=True)


@given(OPTIONS, st.data())
def test_an_option_within_a_step_is_chosen_without_a_doubt(options: list[int], data: st.DataObject) -> None:
    meant = data.draw(st.sampled_from(options))
    ordered = sorted(options)
    step = min(b - a for a, b in zip(ordered, ordered[1:], strict=False))
    value = meant + data.draw(st.floats(-0.45, 0.45)) * step
    choices = [f"{option:+d} units" for option in options]
    chosen = choose(Finding("", value), choices)
    assert chosen == "ABCDEF"[options.index(meant)]
    assert doubt(Finding("", value), choices, chosen) == ""


@given(OPTIONS, st.floats(1.01, 1e4), st.booleans())
def test_an_option_beyond_a_step_is_doubted(options: list[int], steps: float, above: bool) -> None:
    ordered = sorted(options)
    step = min(b - a for a, b in zip(ordered, ordered[1:], strict=False))
    nearest = ordered[-1] if above else ordered[0]
    value = nearest + steps * step * (1 if above else -1)
    choices = [f"{option:+d} units" for option in options]
    finding = Finding("", value)
    chosen = choose(finding, choices)
    assert chosen == "ABCDEF"[options.index(nearest)]
    assert doubt(finding, choices, chosen).startswith(
        f"No option is near: found {value:.4g}, nearest {chosen}"
    )
    assert choose(finding, [*choices, "None of these"]) == "ABCDEFG"[len(options)]


@given(st.floats(0.05, 9), st.permutations(["a decline of {x}", "no decline", "an increase of {x}"]))
def test_a_change_is_told_by_its_direction_whatever_the_order(size: float, worded: list[str]) -> None:
    choices = [option.format(x=f"{size:.2f}") for option in worded]
    for sign, begin in ((-1, "a decline"), (1, "an increase"), (0, "no decline")):
        chosen = choose(Finding("", sign * size), choices)
        assert chosen is not None and choices[ord(chosen) - ord("A")].startswith(begin)


def test_a_doubted_option_is_unverified(slovenia: Path) -> None:
    day = dt.date(2015, 7, 11)
    expression = Aggregate("mean", Variable("ndvi", When((Span(day, day),)), unit="1"), "pixel")
    choices = ("0.10", "0.11", "0.12")
    answer = answer_to(expression, slovenia / "ndvi", choices=choices)
    assert (answer.choice, answer.status) == ("C", "unverified")
    assert "No option is near: found 0.7321, nearest C (0.12)." in answer.text


def test_these_dates_are_the_options_and_no_others() -> None:
    asked = "Which of these dates is the cloudiest?"
    named = name_options(asked, ("2016-05-16", "B) 2016-06-05", "2016-06-15", "none of these"))
    assert named == "Which of 2016-05-16, 2016-06-05 and 2016-06-15 is the cloudiest?"
    assert name_options("Which date is the cloudiest?", ("2016-05-16", "2016-06-05")) == (
        "Which date is the cloudiest?"
    )


def test_shares_in_words_are_compared_as_shares() -> None:
    found = Finding("The share is 75.3 %.", 75.3, "%")
    options = ("about a quarter", "about half", "about three quarters", "nearly all")
    assert choose(found, options) == "C"
    assert choose(Finding("The share is 98 %.", 98.0, "%"), options) == "D"


def test_a_name_with_one_slip_is_that_of_the_option() -> None:
    found = Finding("schrubland (0.74)", 0.74, "1", ("schrubland",))
    assert choose(found, ("Forest", "Grassland", "Shrubland")) == "C"


def test_a_season_of_a_year_is_found_without_its_year() -> None:
    found = Finding("summer 2017 (0.65)", 0.65, "1", ("summer 2017",))
    assert choose(found, ("Spring (March to May)", "Summer (June to August)")) == "B"


def test_of_these_dates_only_the_options_are_looked_at(ask: Ask, slovenia: Path) -> None:
    options = ("2015-08-30", "2017-07-05", "2015-12-28")
    finished = ask("Which of these dates has the highest mean NDVI?", slovenia / "ndvi", choices=options)
    assert answer_of(finished).choice == "B"


def test_the_highest_of_the_options_is_chosen_where_another_is_higher(ask: Ask, slovenia: Path) -> None:
    seasons = ("Spring (March to May)", "Summer (June to August)", "Autumn (September to November)")
    finished = ask("Which season of 2017 was the cloudiest?", slovenia / "cloud_mask", choices=seasons)
    assert finished.status == "answered"
    answer = answer_of(finished)
    assert answer.choice == "C"
    assert "Of all: Winter" in answer.text


@pytest.mark.parametrize(
    ("value", "unit", "choices", "chosen", "doubted"),
    [
        (12.0, "images", ("3", "30", "300"), "A", True),
        (12.0, "images", ("3", "12", "300"), "B", False),
        (6.0, "dates", ("5", "20", "40"), "A", True),
        (10421.0, "pixels", ("10,400", "20,800"), "A", False),
        (6.2, "ha", ("5", "20", "40"), "A", False),
    ],
)
def test_a_count_is_one_of_the_options_or_none(
    value: float, unit: str, choices: tuple[str, ...], chosen: str, doubted: bool
) -> None:
    finding = Finding("", value, unit)
    assert choose(finding, choices) == chosen
    assert bool(doubt(finding, choices, chosen)) == doubted


RISES_AND_FALLS = (
    "rose by more than 10 %",
    "rose by up to 10 %",
    "fell by up to 10 %",
    "fell by more than 10 %",
)


@pytest.mark.parametrize(
    ("value", "expected"), [(12.0, "A"), (5.0, "B"), (-5.0, "C"), (-12.0, "D"), (0.0, None)]
)
def test_a_range_of_change_lies_on_its_side_of_zero(value: float, expected: str | None) -> None:
    assert choose(Finding("", value, "%"), RISES_AND_FALLS) == expected


def test_a_number_that_is_no_change_fits_no_direction(ask: Ask, demo: Path) -> None:
    finished = ask("What was the mean NDVI in 2022?", demo, choices=RISES_AND_FALLS)
    assert finished.status == "unverified"
    assert finished.answer is not None
    assert finished.answer.choice is None
    assert "no change was asked for" in finished.answer.unverified


def test_a_change_fits_its_direction(ask: Ask, demo: Path) -> None:
    question = "By how many percent did mean LST change from 2021-07-22 to 2022-07-18?"
    finished = ask(question, demo, choices=RISES_AND_FALLS)
    answer = answer_of(finished)
    assert finished.status == "answered"
    assert answer.value is not None
    assert answer.choice == choose(Finding("", answer.value, "%"), RISES_AND_FALLS)
    assert answer.choice in ("A", "B")


@pytest.mark.parametrize(
    ("question", "choices", "asked"),
    [
        (
            "From the first to the last image of the archive, mean NDVI",
            ("rose", "fell", "did not change"),
            "By how much did the mean NDVI change from the first to the last image of the archive?",
        ),
        (
            "The mean NDVI from July to August 2016 ...",
            ("A) rose by 0.1", "B) fell by 0.1"),
            "By how much did the mean NDVI change from July to August 2016?",
        ),
    ],
)
def test_what_options_complete_is_asked_as_a_change(
    question: str, choices: tuple[str, ...], asked: str
) -> None:
    assert complete_by_direction(question, choices) == asked


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        ("By how much did mean NDVI change from July to August 2016?", ("rose", "fell")),
        ("What was the mean NDVI from July to August 2016", ("rose", "fell")),
        ("Mean NDVI from July to August 2016", ("0.5", "0.7")),
    ],
)
def test_other_questions_with_options_stay_as_they_are(question: str, choices: tuple[str, ...]) -> None:
    assert complete_by_direction(question, choices) == question


STATEMENTS = (
    "Mean NDVI was higher on 4 August than on 24 August",
    "December's average NDVI was above April's",
    "The lowest mean NDVI of the year fell in January",
    "Mean NDVI exceeded 0.69 on exactly four dates",
)


def test_statements_are_each_looked_at_and_the_true_one_is_chosen(ask: Ask, slovenia: Path) -> None:
    question = "Which of these statements about 2017 is correct?"
    answer = answer_of(ask(question, slovenia / "ndvi", choices=STATEMENTS))
    assert answer.choice == "D" and "(A) No" in answer.text and "(D) Yes" in answer.text


def test_of_several_false_statements_none_is_chosen(ask: Ask, slovenia: Path) -> None:
    finished = ask("Which statement about 2017 is false?", slovenia / "ndvi", choices=STATEMENTS)
    assert finished.status == "unverified" and finished.answer is not None
    assert finished.answer.choice is None and "3 of the options are false." in finished.answer.text
    answer = answer_of(ask("Which statement about 2017 is wrong?", slovenia / "ndvi", choices=STATEMENTS[2:]))
    assert answer.choice == "A"


@pytest.mark.parametrize(("way", "letter"), [("rise", "B"), ("fall", "C"), ("change", "C")])
def test_periods_are_compared_by_what_changed_within_them(
    ask: Ask, slovenia: Path, way: str, letter: str
) -> None:
    periods = (
        "2017-04-01 to 2017-04-21",
        "2017-05-01 to 2017-05-21",
        "2017-08-24 to 2017-12-22",
        "2017-06-20 to 2017-07-05",
    )
    question = f"Over which of these periods did mean NDVI {way} the most?"
    answer = answer_of(ask(question, slovenia / "ndvi", choices=periods))
    assert answer.choice == letter


def test_a_statement_that_is_not_read_is_not_passed_over(ask: Ask, slovenia: Path) -> None:
    strange = ("Mean NDVI was zorbified on 4 August", STATEMENTS[3])
    finished = ask("Which of these statements about 2017 is correct?", slovenia / "ndvi", choices=strange)
    assert finished.status == "declined"
    of_cows = ask("Which of these statements about cows is correct?", slovenia / "ndvi", choices=STATEMENTS)
    assert of_cows.status == "declined"
