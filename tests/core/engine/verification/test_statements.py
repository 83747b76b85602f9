"""Whether sentences are true of columns, at the limits themselves."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import FOREST, MEANS, NDVI_FILES, Told, series
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.courses import _comes_to
from treeline.core.engine.verification.labels import columns_for
from treeline.core.engine.verification.notation import in_plain_digits
from treeline.core.engine.verification.sentence_grounds import Grounds, _limit_in_unit_of, changes_of_labels
from treeline.core.engine.verification.statements import verdicts

DAYS = {"2019-04-14": 288.0, "2019-05-14": 293.0, "2019-06-14": 299.0, "2019-07-14": 304.0}
KELVIN = Grounds([Column(DAYS, True)], dict.fromkeys(DAYS.values(), ("K",)))


def truth(sentence: str, numbers: dict[str, float], unit: str = "", dated: bool = True) -> bool | None:
    """Return whether a sentence is true of one column; ``None`` where nothing follows."""
    grounds = Grounds([Column(numbers, dated)], dict.fromkeys(numbers.values(), (unit,)) if unit else {})
    return next((verdict.true for verdict in verdicts(grounds, sentence)), None)


@pytest.mark.parametrize(
    ("sentence", "true"),
    [
        ("It was always above 287.9 K.", True),
        ("It was always above 288 K.", False),
        ("It was always at least 288 K.", True),
        ("It was always at least 288.1 K.", False),
        ("It never exceeded 304 K.", True),
        ("It never reached 304 K.", False),
        ("It never exceeded 303.9 K.", False),
        ("It was never below 288 K.", True),
        ("It was never below 288.1 K.", False),
        ("It was above 300 K on 1 date.", True),
        ("It was above 300 K on 2 dates.", False),
        ("It was below 300 K on three dates.", True),
        ("It was above 290 K on all dates but one.", True),
        ("It was above 290 K on all dates but two.", False),
        ("It was above 290 K on all dates except 2019-04-14.", True),
        ("It was above 295 K on all dates except 2019-04-14.", False),
        ("It was not always above 290 K.", True),
        ("It was not always above 280 K.", False),
        ("It was above 300 K at least once.", True),
        ("It was sometimes above 300 K.", True),
        ("It was sometimes above 304 K.", False),
        ("It did not exceed 304 K.", True),
        ("It did not exceed 300 K.", False),
        ("It was above 280 K.", True),
        ("It was above 290 K.", None),  # of some dates, and of others not
        ("It was above 310 K.", False),
        ("It was usually above 290 K.", None),
        ("It was above 290 K on 2019-05-14.", True),
        ("It was above 290 K on 2019-04-14.", False),
        ("From 2019-05-14 to 2019-07-14 it was always above 290 K.", True),
        ("From 2019-04-14 to 2019-07-14 it was always above 290 K.", False),
        ("It was always above 14 °C.", True),
        ("It was always above 15 °C.", False),
        ("It was always above 0.1 ha.", None),  # of another quantity
    ],
)
def test_a_limit_holds_for_as_many_as_the_sentence_says(sentence: str, true: bool | None):
    assert next((verdict.true for verdict in verdicts(KELVIN, sentence)), None) is true


@pytest.mark.parametrize(
    ("limit", "numbers", "true"),
    [
        (26.4, (299.6, 300.0), True),  # degrees beside kelvin
        (26.5, (299.6, 300.0), False),
        (299.5, (26.4, 27.0), True),  # kelvin beside degrees
        (299.7, (26.4, 27.0), False),
        (40, (0.41, 1.0), True),  # per cent beside shares
        (42, (0.41, 1.0), False),
        (41.2, (0.41, 1.0), False),
        (1, (1.1, 2.0), True),
        (0.4, (0.41, 0.5), True),
    ],
)
def test_a_limit_without_a_unit_is_taken_as_the_numbers_are_measured(limit, numbers, true):
    scope = dict(zip(("2019-06-14", "2019-07-14"), numbers, strict=True))
    assert truth(f"It was always above {limit}.", scope) is true


@pytest.mark.parametrize(
    ("first", "last", "unit", "steady"),
    [
        (0.40, 0.42, "1", True),
        (0.40, 0.43, "1", False),
        (1.0, 0.951, "1", True),
        (1.0, 0.949, "1", False),
        (300.0, 301.0, "K", True),
        (300.0, 301.1, "K", False),
        (10.0, 9.0, "degC", True),
    ],
)
def test_no_change_is_a_twentieth_or_a_degree(first: float, last: float, unit: str, steady: bool):
    numbers = {"2019-06-14": first, "2020-06-14": last}
    assert truth("It stayed stable.", numbers, unit) is steady
    assert truth("It changed.", numbers, unit) is True
    assert truth("It increased.", numbers, unit) is (last > first)
    assert truth("It decreased.", numbers, unit) is (last < first)


def test_what_goes_one_way_does_so_at_every_step():
    up = {"2018": 1.0, "2019": 2.0, "2020": 3.0}
    assert truth("It rose every year.", up) is True and truth("It fell every year.", up) is False
    assert truth("It rose every year.", {**up, "2021": 3.0}) is False, "the last step goes nowhere"
    assert truth("It rose from each year to the next.", {"2018": 1.0, "2019": 2.0}) is True
    assert truth("It rose steadily.", {"2018": 1.0, "2019": 2.0}) is False, "nothing is known between"


def test_periods_with_several_numbers_leave_open_what_each_has():
    several = {"2018-05-01": 0.4, "2018-07-01": 0.7, "2019-07-01": 0.8}
    assert truth("In every year it exceeded 0.5.", several) is None
    assert truth("In every year it exceeded 0.3.", several) is True
    assert truth("In every month it exceeded 0.5.", several) is False


@pytest.mark.parametrize(
    ("sentence", "true"),
    [
        ("From largest to smallest: arable, orchard, vineyard.", True),
        ("From largest to smallest: arable, vineyard, orchard.", False),
        ("From smallest to largest: vineyard, orchard, arable.", True),
        ("Orchard is the second largest.", True),
        ("Vineyard is the second largest.", False),
        ("Vineyard is the third largest.", True),
        ("Arable is the third smallest.", True),
        ("Orchard is larger than vineyard.", True),
        ("Vineyard is larger than orchard.", False),
    ],
)
def test_orders_ranks_and_comparisons(sentence: str, true: bool):
    numbers = {"vineyard": 182.0, "orchard": 443.1, "arable": 2174.9}
    assert truth(sentence, numbers, "ha", dated=False) is true


def test_of_a_table_by_class_and_date_a_sentence_speaks_of_those_that_it_names():
    columns = [Column({}, True, of="forest"), Column({}, True, of="water"), Column({}, of="2019-06-14")]
    assert [c.of for c in columns_for("Forest was green.", columns)] == ["forest", "2019-06-14"]
    assert [c.of for c in columns_for("It was green.", columns)] == ["forest", "water", "2019-06-14"]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("1.234,5 ha", "1234.5 ha"),
        ("1.234.567,8", "1234567.8"),
        ("1 234.5 ha", "1234.5 ha"),
        ("1\u202f234\u202f567", "1234567"),
        ("0,734 and 12,5", "0.734 and 12.5"),
        ("1,234 and 1,234.5", "1,234 and 1,234.5"),
        ("1.5 × 10^3, 2·10\u207b\u00b2, 3 x 10^-2", "1.5e3, 2e-2, 3e-2"),
        ("two thousand hectares", "2e3 hectares"),
        ("twenty-one pixels", "21 pixels"),
        ("seventeen", "17"),
        ("the two", "the two"),
        ("five of the six years", "5 of the 6 years"),
        ("it doubled", "it 2 times as"),
        ("\u00bd of it", "0.5 of it"),
    ],
)
def test_numbers_are_put_in_plain_digits(written: str, plain: str):
    assert in_plain_digits(written) == plain


@pytest.mark.parametrize(
    ("text", "ratio", "said", "right"),
    [
        ("2 times", 2.0, 1, True),
        ("2.00 times", 2.19, 1, True),  # a twentieth, to either side of two numbers
        ("2.00 times", 2.21, 1, False),
        ("2.00 times", 1.79, 1, False),
        ("more than 2.00 times", 5.0, 1, True),
        ("more than 2.00 times", 1.5, 1, False),
        ("more than 2.00 times", 5.0, 0, True),
        ("less than 0.50 times", 0.1, -1, True),
    ],
)
def test_what_came_to_so_many_times_as_much(text: str, ratio: float, said: int, right: bool):
    (factor,) = claims_in(f"It is {text} as much.")
    assert _comes_to(factor, ratio, said) is right


@pytest.mark.parametrize(
    ("numbers", "dates", "changes"),
    [
        ({"2019": (4.0, 1.0), "2020": (5.0, 3.0), "2021": (2.0, 6.0)}, [], {"forest": -2.0, "water": 5.0}),
        (
            {"2019": (4.0, 1.0), "2020": (5.0, 3.0), "2021": (2.0, 6.0)},
            ["2020", "2019"],
            {"forest": 1.0, "water": 2.0},
        ),
        ({"2019": (4.0, 1.0)}, [], None),
    ],
)
def test_each_class_changes_from_the_first_to_the_last_date_or_between_the_two_that_are_told(
    numbers: dict[str, tuple[float, float]], dates: list[str], changes: dict[str, float] | None
):
    columns = [
        Column({date: row[place] for date, row in numbers.items()}, True, of=name)
        for place, name in enumerate(("forest", "water"))
    ]
    found = changes_of_labels(columns, dates)
    assert [column.numbers for column in found] == ([changes] if changes else [])
    assert not changes_of_labels(columns[:1], dates), "a change of one class is no table"


@pytest.mark.parametrize(
    ("numbers", "text", "true"),
    [
        ((1.0, 2.0, 3.0), "Overall it increased.", True),
        ((1.0, 2.0, 3.0), "Overall it decreased.", False),
        ((2.0, 9.0, 1.0, 1.0, 2.5), "Overall it increased.", None),  # its slope goes down, its ends go up
        ((5.0, 4.0, 1.0), "Overall it decreased.", True),
        ((1.0, 5.0, 1.0), "Overall it increased.", None),  # it ends where it began
        ((1.0, 2.0, 2.0), "Overall it doubled.", True),
        ((1.0, 2.0, 3.0), "Overall it doubled.", False),
    ],
)
def test_a_whole_series_goes_where_its_slope_and_its_ends_go(
    numbers: tuple[float, ...], text: str, true: bool | None
):
    dated = {f"20{10 + place}": number for place, number in enumerate(numbers)}
    found = list(verdicts(Grounds([Column(dated, True)], {}), text))
    assert (found[-1].true if found else None) is true


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("It was always above 290 K.", "3 of 4 lie above 290 (288 to 304)"),
        ("It was never below 290 K.", "1 of 4 lie below 290 (288 to 304)"),
        ("It was above 290 K on 2019-04-14.", "288 is not above 290"),
        ("It was above 280 K on 2019-04-14.", "288 is above 280"),
        ("It rose steadily.", "0 of 3 steps go another way"),
        ("It fell steadily.", "3 of 3 steps go another way"),
        ("It rose from 2019-04-14 to 2019-06-14.", "it changes by 11 from 2019-04-14 to 2019-06-14"),
    ],
)
def test_what_is_held_against_a_sentence_is_told_with_its_numbers(sentence: str, held: str):
    assert next(verdicts(KELVIN, sentence)).held == held


@pytest.mark.parametrize(
    ("sentence", "true"),
    [
        ("It was mostly above 0.5.", True),
        ("It was mostly above 0.6.", False),
        ("It was mostly above 0.55.", False),
    ],
)
def test_mostly_is_more_than_half(sentence: str, true: bool):
    four = {"2019": 0.5, "2020": 0.55, "2021": 0.6, "2022": 0.7}
    assert truth(sentence, four) is true


@pytest.mark.parametrize(
    ("sentence", "true"),
    [
        ("Orchard is larger than vineyard.", True),
        ("Both times orchard is larger than vineyard.", False),
        ("Orchard is larger than orchard.", None),
        ("Orchard is larger than meadow.", None),
    ],
)
def test_of_several_tables_one_bears_out_a_comparison_unless_each_is_told(sentence: str, true: bool | None):
    tables = [Column({"orchard": 2.0, "vineyard": 1.0}), Column({"orchard": 2.0, "vineyard": 3.0})]
    assert next((v.true for v in verdicts(Grounds(tables, {}), sentence)), None) is true


@pytest.mark.parametrize(
    ("limit", "values", "measured"),
    [
        (50.0, [0.2, 0.9], 0.5),  # per cent beside shares
        (1.5, [0.2, 1.0], 0.015),
        (1.0, [0.2, 0.9], 1.0),
        (50.0, [0.2, 1.1], 50.0),
        (25.0, [290.0, 300.0], 298.15),  # degrees Celsius beside kelvin
        (300.0, [20.0, 30.0], pytest.approx(26.85)),
        (300.0, [290.0, 310.0], 300.0),
        (25.0, [150.0, 300.0], 25.0),  # no ground is as cold as the first, so these are no kelvin
    ],
)
def test_a_limit_is_told_in_the_unit_of_the_series(limit: float, values: list[float], measured: float):
    assert _limit_in_unit_of(limit, values) == measured


def test_one_alone_is_no_order():
    sentence = "From the largest to the smallest: forest."
    assert truth(sentence, {"forest": 3.0, "water": 1.0}, dated=False) is None
    assert truth(f"{sentence[:-1]}, water.", {"forest": 3.0, "water": 1.0}, dated=False) is True
    assert truth(f"{sentence[:-1]}, water.", {"forest": 1.0, "water": 3.0}, dated=False) is False


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("After forest comes meadow with 204.7 ha.", True),
        ("After forest comes water with 55.9 ha.", False),
        ("Meadow (204.7 ha) is second after forest (412.6 ha).", True),
        ("Water (55.9 ha) is second after forest (412.6 ha).", False),
    ],
)
def test_what_comes_after_another_is_the_next_one(text: str, right: bool):
    assert (Told("Which class has the largest area after forest?", text, (FOREST,)).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("By 20 August 2021 it had returned to the level of 3 May 2021 (0.59).", True),
        ("By 20 August 2021 it had returned to the level of 12 July 2021 (0.43).", False),
    ],
)
def test_what_returned_to_a_level_is_there_again(text: str, right: bool):
    seen = ((MEANS, series([0.59, 0.43, 0.58], NDVI_FILES, "1")),)
    assert (Told("Did it recover?", text, seen).why() == "") == right
