"""Ratings worked by hand from the paper's numbers: K 32, start 1000, scale 400."""

from __future__ import annotations

import math

import pytest

from treeline.core.lab.geoplan.elo import Game, bradley_terry, by_coverage, elo_ratings, play


def wins(*names: str) -> list[Game]:
    """Games of two planners, won by the one that is named."""
    return [Game(str(number), "a", "b", float(name == "a")) for number, name in enumerate(names)]


def test_a_game_of_equals_moves_both_by_half_of_k():
    ratings = elo_ratings(wins("a"))
    assert (ratings["a"].value, ratings["b"].value) == (1016.0, 984.0)
    assert (ratings["a"].low, ratings["a"].high) == (1016.0, 1016.0)


def test_a_second_win_counts_less_by_the_logistic_of_base_ten():
    # Expected of a rating 32 higher: 1 / (1 + 10^(-32 / 400)) = 0.545922.
    ratings = elo_ratings(wins("a", "a"))
    assert ratings["a"].value == pytest.approx(1016 + 32 * (1 - 0.545922), abs=1e-3)
    assert ratings["a"].value + ratings["b"].value == pytest.approx(2000)


def test_the_order_of_the_games_shows_as_an_interval():
    # Won first, then lost: 1016 - 32 * 0.545922 = 998.53; the other way round 1001.47.
    rating = elo_ratings(wins("a", "b"))["a"]
    assert rating.low == pytest.approx(998.5305, abs=1e-3) and rating.high == pytest.approx(
        1001.4695, abs=1e-3
    )
    assert rating.low < rating.value < rating.high


def test_a_draw_of_equals_changes_nothing():
    tie = by_coverage({("1", "a"): 0.5, ("1", "b"): 0.5})
    ratings = elo_ratings(play({"1": ["a", "b"]}, tie))
    assert {name: rating.value for name, rating in ratings.items()} == {"a": 1000.0, "b": 1000.0}
    assert tie("1", "a", "b") == 0.5


def test_a_judge_is_asked_once_for_each_pair():
    asked = []
    play({"1": ["a", "b", "c"], "2": ["b"]}, lambda *pair: asked.append(pair) or 1.0)
    assert asked == [("1", "a", "b"), ("1", "a", "c"), ("1", "b", "c")]


def test_the_model_of_bradley_and_terry_gives_the_odds_of_two():
    # With a draw more, three wins to one are odds of 3.5 to 1.5; 400 points are odds of ten.
    found = bradley_terry(wins("a", "a", "a", "b"))
    assert found["a"] - found["b"] == pytest.approx(400 * math.log10(3.5 / 1.5), abs=1e-4)
    assert found["a"] + found["b"] == pytest.approx(2000)


def test_one_that_won_every_game_is_rated_all_the_same():
    found = bradley_terry(wins("a", "a"))
    assert found["a"] - found["b"] == pytest.approx(400 * math.log10(2.5 / 0.5), abs=1e-4)


def test_the_plan_that_covers_more_wins():
    judge = by_coverage({("1", "a"): 0.6, ("1", "b"): 0.5})
    assert (judge("1", "a", "b"), judge("1", "b", "a")) == (1.0, 0.0)


def test_without_a_game_nobody_is_rated():
    assert bradley_terry([]) == {} and elo_ratings([]) == {}
    assert play({"1": ["a", "b"]}, lambda task, one, other: None) == []


def test_two_that_never_met_are_rated_by_the_third_that_both_met():
    # Each win with a draw more has odds of 1.5 to 0.5, and the odds of a to c are the product.
    found = bradley_terry([Game("1", "a", "b", 1.0), Game("2", "b", "c", 1.0)])
    assert found["a"] - found["b"] == pytest.approx(400 * math.log10(3), abs=1e-3)
    assert found["b"] - found["c"] == pytest.approx(400 * math.log10(3), abs=1e-3)
