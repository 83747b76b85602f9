"""Ratings of planners from pairwise comparisons of their plans.

Elo (1978), The Rating of Chessplayers; HTAM (arXiv 2511.17198), supplement 8.2.3: K = 32, all start at 1000,
pairs in random order. An Elo rating depends on that order, so that ours is the mean over many, with an
interval; beside it stands the model of Bradley and Terry (1952, Biometrika 39:324), which knows no order.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

# HTAM, supplement 8.2.3. The scale is that of chess: 200 points more are an expected score of 0.76.
K = 32.0
# The usual numbers of Elo: who is 400 points ahead wins ten games of eleven.
START = 1000.0
# Elo depends on the order of the games, which means nothing here: the mean over many orders does not.
SHUFFLES = 500
_SCALE = 400.0
_SEED = 0
_ROUNDS = 1000
_CONVERGED = 1e-9
# Percentiles, the ends of an interval of 95 %.
_INTERVAL = (2.5, 97.5)

Judge = Callable[[str, str, str], float | None]


@dataclass(frozen=True, slots=True)
class Game:
    """Two planners' plans for a task.

    Attributes
    ----------
    score : float
        1 where the first's plan is better, 0 where the second's is, 0.5 for a draw.
    """

    task: str
    first: str
    second: str
    score: float


@dataclass(frozen=True, slots=True)
class Rating:
    """A planner's Elo rating: the mean over many orders of the games, and where 95 % of them lie."""

    value: float
    low: float
    high: float


def play(tasks: Mapping[str, Sequence[str]], judge: Judge) -> list[Game]:
    """Return the judged games of every two planners that have a plan for the same task.

    Parameters
    ----------
    tasks : mapping of str to sequence of str
        For each task its planners.
    judge : callable
        ``judge(task, a, b)`` returns the score of ``a``; it is asked once for each pair. A pair of which it
        says nothing is no game.
    """
    # Sorted, so that the games do not depend on the order of the files.
    pairs = (
        (task, a, b) for task, names in tasks.items() for a, b in itertools.combinations(sorted(names), 2)
    )
    judged = ((task, a, b, judge(task, a, b)) for task, a, b in pairs)
    return [Game(task, a, b, score) for task, a, b, score in judged if score is not None]


def elo_ratings(games: Sequence[Game], shuffles: int = SHUFFLES) -> dict[str, Rating]:
    """Return the Elo rating of each planner over random orders of the games."""
    order = random.Random(_SEED)
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(shuffles):
        for name, rating in _elo(order.sample(games, len(games))).items():
            found[name].append(rating)
    return {
        name: Rating(float(np.mean(values)), *(float(p) for p in np.percentile(values, _INTERVAL)))
        for name, values in found.items()
    }


def bradley_terry(games: Sequence[Game]) -> dict[str, float]:
    """Return strengths by the model of Bradley and Terry, on the scale of Elo with a mean of 1000.

    Solved by the iteration of Hunter (2004, Annals of Statistics 32:384). A draw is half a win for each; one
    draw more between every two that met keeps a planner that won all games finite.
    """
    wins: dict[tuple[str, str], float] = defaultdict(float)
    for game in games:
        wins[game.first, game.second] += game.score
        wins[game.second, game.first] += 1 - game.score
    for pair in {frozenset((game.first, game.second)) for game in games}:
        # Half a win each way: a planner that won all its games would else be infinitely strong.
        for one, other in itertools.permutations(pair, 2):
            wins[one, other] += 0.5
    names = sorted({name for pair in wins for name in pair})
    if not names:
        return {}
    strength = dict.fromkeys(names, 1.0)
    for _ in range(_ROUNDS):
        moved = {name: _strength(name, names, wins, strength) for name in names}
        # Strengths are known up to a factor: their geometric mean is held at 1, which is START.
        scale = math.exp(sum(map(math.log, moved.values())) / len(moved))
        moved = {name: value / scale for name, value in moved.items()}
        change = max(abs(moved[name] - strength[name]) for name in names)
        strength = moved
        if change < _CONVERGED:
            break
    return {name: START + _SCALE * math.log10(value) for name, value in strength.items()}


def by_coverage(coverage: Mapping[tuple[str, str], float]) -> Judge:
    """Return the rule-based judge: the plan that covers more of the gold key tools wins.

    Parameters
    ----------
    coverage : mapping of (task, planner) to float
    """

    def judge(task: str, first: str, second: str) -> float:
        mine, theirs = coverage[task, first], coverage[task, second]
        return ((mine > theirs) + (mine >= theirs)) / 2

    return judge


def _elo(games: Sequence[Game]) -> dict[str, float]:
    """Return the ratings after games in the order given."""
    ratings = {name: START for game in games for name in (game.first, game.second)}
    for game in games:
        expected = 1 / (1 + 10 ** ((ratings[game.second] - ratings[game.first]) / _SCALE))
        change = K * (game.score - expected)
        ratings[game.first] += change
        ratings[game.second] -= change
    return ratings


def _strength(
    name: str, names: Sequence[str], wins: Mapping[tuple[str, str], float], strength: Mapping[str, float]
) -> float:
    won = sum(wins.get((name, other), 0.0) for other in names)
    met = sum(
        (wins.get((name, other), 0.0) + wins.get((other, name), 0.0)) / (strength[name] + strength[other])
        for other in names
        if other != name
    )
    return won / met
