"""Ratings worked by hand from the paper's numbers: K 32, start 1000, scale 400."""

from __future__ import annotations

import pytest

from treeline.core.lab.geoplan.elo import by_coverage, elo_ratings


def first_wins(task: str, first: str, second: str) -> float:
    return 1.0


def test_a_game_of_equals_moves_both_by_half_of_k():
    assert elo_ratings({"1": ["a", "b"]}, first_wins) == {"a": 1016.0, "b": 984.0}


def test_a_second_win_counts_less_by_the_logistic_of_base_ten():
    # Expected of a rating 32 higher: 1 / (1 + 10^(-32 / 400)) = 0.545922.
    ratings = elo_ratings({"1": ["a", "b"], "2": ["a", "b"]}, first_wins)
    assert ratings["a"] == pytest.approx(1016 + 32 * (1 - 0.545922), abs=1e-3)
    assert ratings["a"] + ratings["b"] == 2000


def test_a_draw_of_equals_changes_nothing_and_a_draw_with_a_weaker_one_costs():
    tie = by_coverage({("1", "a"): 0.5, ("1", "b"): 0.5})
    assert elo_ratings({"1": ["a", "b"]}, tie) == {"a": 1000.0, "b": 1000.0}
    assert tie("1", "a", "b") == 0.5


def test_the_plan_that_covers_more_wins():
    judge = by_coverage({("1", "a"): 0.6, ("1", "b"): 0.5})
    assert (judge("1", "a", "b"), judge("1", "b", "a")) == (1.0, 0.0)
