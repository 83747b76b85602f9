"""How much more one thing is said to be than another: each way to tell it, and the same a step beside it."""

from __future__ import annotations

import re

import pytest

from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.comparisons import (
    exchange_places,
    false_bases,
    false_comparisons,
    false_own_differences,
    false_own_parts,
    leaning,
    prefers,
)

AREA = Column({"orchard": 48.0, "vineyard": 30.0})
WARMTH = Column({"orchard": 310.4, "vineyard": 304.1})
SHARES = Column({"orchard": 0.62, "vineyard": 0.35})
PERCENT = Column({"orchard": 62.0, "vineyard": 35.0})
CELLS = Column({"orchard": 4800.0, "vineyard": 3000.0})
SMALL = Column({"orchard": 0.0048, "vineyard": 0.003})
METRES = Column({"orchard": 480000.0, "vineyard": 300000.0})
NOTHING = Column({"orchard": 48.0, "vineyard": 0.0})
DAYS = Column({"2019-06-14": 0.8, "2019-07-14": 0.6, "2019-07-30": 0.5}, dated=True)


@pytest.mark.parametrize(
    ("column", "text", "wrong"),
    [
        # a difference in the unit of the numbers
        (AREA, "Orchard is 18.0 ha larger than vineyard.", "18.3"),
        (AREA, "Vineyard is 18.0 ha smaller than orchard.", "78.0"),
        # in per cent of the one behind "than"
        (AREA, "Orchard is 60.0 % larger than vineyard.", "37.5"),
        (AREA, "Orchard is 60.0 % larger than vineyard.", "61.0"),
        (AREA, "Vineyard is 37.5 % smaller than orchard.", "38.5"),
        # points of per cent of a share, and the shares themselves
        (SHARES, "Orchard is 27.0 % more than vineyard.", "27.4"),
        (SHARES, "Orchard is more than vineyard: 62.0 %.", "62.7"),
        (SHARES, "Orchard is more than vineyard: 35.0 %.", "35.4"),
        (SHARES, "Orchard is more than vineyard: 35.0 %.", "97.0"),
        (PERCENT, "Orchard is 27.0 % more than vineyard.", "97.0"),
        # in other units: hectares of square metres, degrees Fahrenheit, centimetres
        (METRES, "Orchard is 18.0 ha larger than vineyard.", "19.8"),
        (CELLS, "Orchard is 18.0 ha larger than vineyard.", "19.8"),
        (SMALL, "Orchard is 18.0 m² larger than vineyard.", "19.8"),
        (SHARES, "Orchard is 27.0 cm higher than vineyard.", "29.7"),
        (WARMTH, "Orchard is 6.3 K warmer than vineyard.", "6.5"),
        (WARMTH, "Orchard is 11.3 °F warmer than vineyard.", "12.5"),
        (WARMTH, "Orchard is warmer than vineyard: 37.3 °C.", "37.1"),
        (WARMTH, "Orchard is warmer than vineyard: 31.0 °C.", "30.8"),
        # so many times as much
        (AREA, "Orchard is 1.6 times as large as vineyard.", "1.7"),
        (AREA, "Vineyard is 0.63 times as large as orchard.", "0.65"),
        (AREA, "Orchard is more than vineyard by 0.60.", "0.63"),
        (AREA, "Orchard is more than vineyard: 1.60.", "1.63"),
        # a month is the number of its only day
        (DAYS, "2019-06 is 0.20 higher than 2019-07-14.", "0.30"),
    ],
)
def test_the_number_that_follows_passes_and_the_one_beside_it_does_not(column, text, wrong):
    assert not list(false_comparisons(text, [column]))
    (right,) = (word for word in text.split() if word.rstrip(".").replace(".", "").isdigit())
    (held,) = false_comparisons(text.replace(right.rstrip("."), wrong), [column])
    first, second = list(column.numbers)[:2]
    assert held.startswith(first[:7]) or held.startswith(second[:7])


def test_what_is_held_against_a_sentence_is_told_with_its_names():
    (held,) = false_comparisons("Orchard is 10.0 ha larger than vineyard.", [AREA])
    assert held == "orchard has 48 and vineyard 30."


@pytest.mark.parametrize(
    ("numbers", "true"),
    [((100.0, 95.0), True), ((95.2, 100.0), True), ((100.0, 94.8), False), ((-100.0, -95.2), True)],
)
def test_as_much_is_within_a_twentieth_of_the_larger(numbers, true):
    column = Column(dict(zip(("orchard", "vineyard"), numbers, strict=True)))
    assert bool(list(false_comparisons("Orchard is as large as vineyard.", [column]))) is not true


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (AREA, "Orchard is larger than vineyard."),  # no number
        (AREA, "Orchard has 10.0 ha."),  # one thing alone
        (AREA, "Orchard is 10.0 ha larger than vineyard, which is 20.0 ha."),  # which number is which?
        (AREA, "Orchard and vineyard: 10.0 ha."),  # no comparison
        (DAYS, "2019-06 is 0.40 higher than 2019-07."),  # of several days there is no one number
    ],
)
def test_what_is_not_said_of_two_numbers_is_not_held_against_them(column, text):
    assert not list(false_comparisons(text, [column]))


def test_nothing_is_a_multiple_of_nothing():
    (held,) = false_comparisons("Orchard is 3.0 times as large as vineyard.", [NOTHING])
    assert held == "orchard has 48 and vineyard 0."
    assert list(false_comparisons("Orchard is 3.0 ha larger than vineyard.", [NOTHING]))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It fell by 20.0 %.", False),  # of the earlier number
        ("It fell by 25.0 %.", True),  # of the later one
        ("It fell by 33.0 %.", False),  # of neither: others look at that
        ("It fell by 25.0 ha.", False),
        ("It is 25.0 %.", False),  # no change is told
    ],
)
def test_a_change_in_per_cent_is_of_the_earlier_number(text, wrong):
    found = list(false_bases(text, [(50.0, 40.0)]))
    assert found == (["From 50 to 40 it changes by -20 %."] if wrong else [])


def test_a_change_that_is_as_large_of_either_number_is_not_held_against():
    assert not list(false_bases("It rose by 0.1 %.", [(1000.0, 1001.0)]))


def test_a_change_from_nothing_or_to_nothing_has_no_base():
    assert not list(false_bases("It fell by 100 %.", [(50.0, 0.0), (0.0, 50.0)]))


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((2000.0, 2002.0), "It rose by 0.1 %."),
        ((2002.0, 2000.0), "It fell by 0.1 %."),
        ((1000.0, 1044.9), "It rose by 4 %."),  # 4.49 of the earlier one
    ],
)
def test_a_change_that_is_as_large_of_either_number_is_not_held_against_whatever_its_size(ends, text):
    assert not list(false_bases(text, [ends]))


@pytest.mark.parametrize(("times", "right"), [("1.6", True), ("2.6", False)])
def test_a_ratio_that_is_told_twice_is_held_against_the_numbers(times: str, right: bool):
    text = f"Orchard is {times} times as large as vineyard, that is {times}0 times."
    assert (list(false_comparisons(text, [AREA])) == []) is right


@pytest.mark.parametrize(
    ("text", "said"),
    [("It was cooler.", -1), ("It was warmer.", 1), ("It was not cooler.", 0), ("Warmer than before.", 0)],
)
def test_which_way_a_comparison_leans_that_names_one_thing(text: str, said: int):
    assert leaning(text) == said


def test_a_question_prefers_one_of_those_that_it_offers():
    assert prefers("Which date was cloudier, 16 May or 5 October?") == 1
    assert prefers("Was it warmer on 16 May than on 5 October?") == 0


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The former.", "2021-05-16."),
        ("The latter one.", "2020-10-05."),
        ("The earlier of the two.", "2020-10-05."),
        ("The later date.", "2021-05-16."),
    ],
)
def test_the_former_and_the_later_have_the_names_of_the_question(text: str, named: str):
    assert exchange_places(text, ["2021-05-16", "2020-10-05"]) == named
    assert exchange_places(text, ["2021-05-16"]) == text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The lake shrank from 31.2 km² to 27.9 km², a loss of 3.3 km².", "25.9"),
        ("SST fell by 1.4 K, from 295.6 K in July to 294.2 K in May.", "293.2"),
        ("Beech was 0.12 greener on 3 June 2018 (0.71) than on 9 May 2018 (0.59).", "0.49"),
        ("Albedo: 0.021 (0.184 \u2192 0.163).", "0.103"),
        ("It cost 12.5 % (0.80 \u2192 0.70).", "0.60"),
        ("The share rose from 12.0 % to 15.5 %, i.e. by 3.5 percentage points (29 %).", "18.5"),
        ("Roads are 4.1 K warmer than meadows (302.6 K vs 298.5 K).", "296.5"),
        ("The basin spans 512 m, from 310 m to 822 m.", "912"),
    ],
)
def test_two_numbers_of_a_sentence_lie_as_far_apart_as_it_tells(text: str, wrong: str):
    assert list(false_own_differences(text)) == []
    number = re.findall(r"\d+\.\d+|\d{3}", text.split("(29")[0])
    last = next(n for n in ("27.9", "294.2", "0.59", "0.163", "0.70", "15.5", "298.5", "822") if n in number)
    assert list(false_own_differences(text.replace(last, wrong)))


@pytest.mark.parametrize(
    "text",
    [
        "It rose by 0.3 a year, from 2.1 to 5.4.",  # a rate
        "On 4 of the 9 dates it lay between 0.3 and 0.6, 0.1 more than usual.",
        "From 0.71 to 0.64 in Brda, and by 0.02 in Kras.",
    ],
)
def test_what_is_told_beside_two_numbers_may_be_of_others(text: str):
    assert list(false_own_differences(text)) == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("12 of the 31 scenes are usable.", True),
        ("31 of the 12 scenes are usable.", False),
        ("Vineyards have 18.4 of the 60.2 ha.", True),
        ("Vineyards have 60.2 of the 18.4 ha.", False),
        ("There are 14 patches of 1.3 ha each.", True),
        ("It is 300 K on 12 of 31 dates.", True),
        ("The 5 m of 3 plots.", True),
    ],
)
def test_a_part_is_not_more_than_its_whole(text: str, right: bool):
    assert (list(false_own_parts(text)) == []) is right
