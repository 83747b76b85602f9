"""Parts of a whole in words, held against the shares of classes: at the limits of what each word says."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.test_cheats import FOREST, Told, result
from treeline.core.engine.verification.claims import Claim
from treeline.core.engine.verification.columns import Column
from treeline.core.engine.verification.shares import _ROUGH, _ratios, false_shares, find_shares


def area(share: float, quantity: str = "area") -> Column:
    """Return areas of which the forest has a share, in per cent."""
    rest = 100.0 - share
    return Column(
        {"forest": 7 * share, "meadow": 7 * rest * 0.75, "water": 7 * rest * 0.25}, quantity=quantity
    )


def is_true(text: str, column: Column, *per_cents: float) -> bool:
    return not list(false_shares(text, [column], per_cents))


# What is said, the smallest and the largest share of which it is true. Words tell fractions to 6 per cent.
WORDS = [
    ("Half of it is forest.", 44.0, 56.0),
    ("A third of it is forest.", 100 / 3 - 6, 100 / 3 + 6),
    ("One quarter of it is forest.", 20.0, 30.0),
    ("Three quarters of it is forest.", 69.0, 81.0),
    ("Two fifths of it is forest.", 34.0, 46.0),
    ("A sixth of it is forest.", 100 / 6 * 0.8, 100 / 6 * 1.2),
    ("A seventh of it is forest.", 100 / 7 * 0.8, 100 / 7 * 1.2),
    ("An eighth of it is forest.", 10.0, 15.0),
    ("A ninth of it is forest.", 100 / 9 * 0.8, 100 / 9 * 1.2),
    ("A tenth of it is forest.", 8.0, 12.0),
    ("3 in 10 pixels are forest.", 24.0, 36.0),
    ("Two out of three pixels are forest.", 200 / 3 - 6, 200 / 3 + 6),
    ("Almost half of it is forest.", 41.0, 53.0),
    ("Nearly half of it is forest.", 41.0, 53.0),
    ("Just under half of it is forest.", 41.0, 53.0),
    ("More than half of it is forest.", 50.0, 99.0),
    ("Over a third of it is forest.", 100 / 3, 99.0),
    ("At least a quarter of it is forest.", 25.0, 99.0),
    ("Less than half of it is forest.", 0.0, 50.0),
    ("Under a third of it is forest.", 1.0, 100 / 3),
    ("At most a quarter of it is forest.", 1.0, 25.0),
    ("The majority is forest.", 50.0, 99.0),
    ("It is mostly forest.", 50.0, 99.0),
    ("A minority is forest.", 0.0, 50.0),
    ("All of the area is forest.", 99.5, 99.9),
]


@pytest.mark.parametrize(("text", "least", "most"), WORDS)
def test_a_word_is_true_between_its_limits_and_not_beyond(text, least, most):
    for share, true in (
        (least if least == 0 else least + 0.1, True),
        (most - 0.1, True),
        (max(least - 0.1, 0.0), least <= 1.0),
        (most + 0.1, most >= 99.0),
    ):
        assert is_true(text, area(share)) is true, share


@pytest.mark.parametrize("text", ["One in one pixels is forest.", "5 out of 3 pixels are forest."])
def test_what_is_no_fraction_says_nothing(text):
    assert is_true(text, area(3.0))


@pytest.mark.parametrize(
    ("text", "share"),
    [("One in two pixels is forest.", 80.0), ("Three out of three pixels are forest.", 60.0)],
)
def test_the_least_and_the_whole_are_fractions(text, share):
    assert not is_true(text, area(share))


def test_classes_that_are_counted_up_may_be_meant_together_or_the_nearest_alone():
    assert is_true("Meadow and water together make up half of it.", area(50.0))
    assert is_true("Half of it is forest and meadow.", area(50.0))
    assert not is_true("Meadow and water together make up half of it.", area(80.0))


def test_what_is_held_against_it_is_told():
    (held,) = false_shares("Half of it is forest.", [area(80.0)], ())
    assert held == "forest has 80 % of the whole."
    (held,) = false_shares("It is mainly meadow.", [area(80.0)], ())
    assert held == "forest has the largest part, 80 %; meadow has 15 %."


def test_the_largest_part_is_that_of_one_of_the_classes_named():
    assert is_true("Forest dominates.", area(50.0))
    assert is_true("Forest and meadow dominate.", area(50.0))
    assert is_true("Water does not dominate.", area(50.0))
    assert not is_true("Water dominates.", area(50.0))


def test_without_a_class_the_shares_of_the_results_count_and_what_remains_of_them():
    assert is_true("Half of it is wet.", area(80.0), 47.0)
    assert is_true("A fifth of it is wet.", area(80.0), 3.0)  # what is no forest
    assert not is_true("Half of it is wet.", area(80.0), 3.0)
    assert is_true("Seven eighths of it is dry.", area(50.0), 3.0)
    assert is_true("Half of it is wet.", area(80.0))  # nothing to hold it against


@pytest.mark.parametrize(
    "column",
    [
        Column({"forest": 0.8, "meadow": 0.2}, quantity="mean"),
        Column({"forest": 8.0, "meadow": 2.0}, quantity="class"),
        Column({"forest": 8.0, "meadow": -2.0}, quantity="area"),
        Column({"2021-06-01": 8.0, "2021-07-01": 2.0}, True, quantity="area"),
        Column({"forest": 8.0}, quantity="area"),
        Column({"forest": 0.0, "meadow": 0.0}, quantity="area"),
        Column({"forest": 8.0, "meadow": 2.0}, quantity="slope"),
    ],
)
def test_numbers_that_make_up_no_whole_say_nothing_of_shares(column):
    assert is_true("A tenth of it is forest.", column)


@pytest.mark.parametrize(
    "numbers", [{"forest": 0.8, "meadow": 0.2}, {"forest": 80.0, "meadow": 20.0}, {"forest": 0.8}]
)
def test_shares_are_of_one_or_of_a_hundred(numbers):
    column = Column(numbers, quantity="share")
    assert is_true("Four fifths of it is forest.", column)
    assert not is_true("Half of it is forest.", column)


@pytest.mark.parametrize(
    ("numbers", "quantity", "text", "true"),
    [
        ({"forest": 60.0, "meadow": 40.0}, "area", "A tenth of it is forest.", False),
        ({"forest": 80.0, "meadow": 20.0, "water": 0.0}, "area", "A tenth of it is forest.", False),
        ({"forest": 0.496, "meadow": 0.504}, "share", "More than half of it is forest.", False),
        ({"forest": 1.0, "meadow": 0.0}, "share", "Ten out of ten pixels are forest.", True),
        ({"forest": 1.5, "meadow": 0.9}, "share", "Less than a tenth of it is forest.", True),
    ],
)
def test_shares_of_small_and_whole_columns(numbers, quantity, text, true):
    assert is_true(text, Column(numbers, quantity=quantity)) is true


@pytest.mark.parametrize(
    ("text", "intervals"),
    [
        ("a quarter", [(20, 30)]),
        ("three quarters", [(75 - _ROUGH, 75 + _ROUGH)]),
        ("more than half", [(50.0, 100.0)]),
        ("less than a third", [(0.0, pytest.approx(100 / 3))]),
        ("nearly half", [(50 - 1.5 * _ROUGH, 50 + 0.5 * _ROUGH)]),
        ("two out of five", [(40 - _ROUGH, 40 + _ROUGH)]),
        ("the majority", [(50.0, 100.0)]),
        ("a minority", [(0.0, 50.0)]),
        ("not half", []),
        ("all", []),
    ],
)
def test_a_share_in_words_is_an_interval_of_per_cents(text: str, intervals: list[tuple[float, float]]):
    assert find_shares(f"It covers {text} of the area.") == intervals


@pytest.mark.parametrize(("share", "true"), [(64.1, True), (63.9, False), (75.9, True), (90.0, False)])
def test_a_part_that_no_class_is_named_for_may_be_what_a_class_leaves(share: float, true: bool):
    # Three in ten are 24 to 36 per cent: not the halves of what the forest leaves, but both together.
    rest = 100.0 - share
    column = Column({"forest": share, "meadow": rest / 2, "water": rest / 2}, quantity="area")
    assert is_true("3 in 10 pixels are like that.", column, 99.0) is true


def test_each_of_a_few_numbers_is_a_part_of_the_larger_ones():
    assert list(_ratios([0.0, 0.5, 0.25, 0.5])) == [50.0, 50.0]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (
            "Forest has 412.6 ha, all other classes 260.6 ha, more than half of the forest.",
            True,
        ),
        (
            "Forest has 412.6 ha, all other classes 260.6 ha, less than half of the forest.",
            False,
        ),
        ("Meadow covers 204.7 ha, about half of the forest with its 412.6 ha.", True),
        ("Meadow covers 204.7 ha, about a third of the forest with its 412.6 ha.", False),
    ],
)
def test_a_part_of_what_has_one_of_two_numbers_is_the_other_one(text: str, right: bool):
    assert (Told("How large are they?", text, (FOREST,)).why() == "") == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("30.9 % is steeper than 15 degrees. Steep ground is in the minority.", True),
        ("30.9 % is steeper than 15 degrees. Gentle slopes make the majority.", True),
        ("30.9 % is steeper than 15 degrees. Gentle ground is in the minority.", False),
        ("30.9 % is steeper than 15 degrees. Steep slopes make the majority.", False),
    ],
)
def test_what_is_called_steep_is_on_the_side_of_the_limit_that_is_measured(text: str, right: bool):
    tool = "calculate_threshold_ratio"
    measured = (tool, result(tool, 30.9, "%", image_paths="Kolpa_slope.tif", threshold=15))
    why = Told("How much of the terrain is steeper than 15 degrees?", text, (measured,)).why()
    assert (why == "") is right, why


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Half of the land, 350 ha, is forest.", True),
        ("Half of the land, 300 ha, is forest.", False),
        ("It has 350 ha of forest, half of the scene.", True),
        ("It has 350 ha of forest, a third of the scene.", False),
        ("It has 350 ha of forest, a third of all.", False),
        ("Half of it (350 ha) is forest, and most of the rest (262.5 ha) meadow.", True),
        ("Meadow and water have 350 ha, a quarter of it (87.5 ha) being water.", True),
        ("Meadow holds most of it with 262.5 ha.", True),
        ("Forest stayed mostly below the limit.", True),
        ("Forest, meadow and water lie in all three classes, most of all in the first.", True),
    ],
)
def test_a_part_with_its_number_beside_it_is_that_part_of_something(text: str, right: bool):
    areas = dict(area(50.0).numbers)

    def wholes(claim: Claim) -> list[float]:
        return [*areas.values(), sum(areas.values())]

    assert (not list(false_shares(text, [area(50.0)], (), wholes_for=wholes))) is right
