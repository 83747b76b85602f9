"""Elo ratings of planners from pairwise comparisons of their plans.

Elo (1978), The Rating of Chessplayers; HTAM (arXiv 2511.17198), supplement 8.2.3: K = 32, all
start at 1000, pairs in random order.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping

# HTAM, supplement 8.2.3. The scale is that of chess: 200 points more are an expected score of 0.76.
K = 32.0
START = 1000.0
_SCALE = 400.0

Judge = Callable[[str, str, str], float]


def elo_ratings(tasks: Mapping[str, list[str]], judge: Judge, seed: int = 0) -> dict[str, float]:
    """Return the rating of each planner.

    Parameters
    ----------
    tasks : mapping of str to list of str
        For each task the planners that have a plan for it.
    judge : callable
        ``judge(task, a, b)`` returns 1 where ``a``'s plan is better, 0 where ``b``'s is, 0.5 for a draw.
    """
    pairs = [
        (task, a, b) for task, names in tasks.items() for a, b in itertools.combinations(sorted(names), 2)
    ]
    random.Random(seed).shuffle(pairs)
    ratings = {name: START for names in tasks.values() for name in names}
    for task, first, second in pairs:
        expected = 1 / (1 + 10 ** ((ratings[second] - ratings[first]) / _SCALE))
        change = K * (judge(task, first, second) - expected)
        ratings[first] += change
        ratings[second] -= change
    return ratings


def by_coverage(coverage: Mapping[tuple[str, str], float]) -> Judge:
    """Return the rule-based judge: the plan that covers more of the gold key tools wins.

    Parameters
    ----------
    coverage : mapping of (task, planner) to float
    """

    def judge(task: str, first: str, second: str) -> float:
        mine, theirs = coverage[task, first], coverage[task, second]
        return 0.5 if mine == theirs else float(mine > theirs)

    return judge
