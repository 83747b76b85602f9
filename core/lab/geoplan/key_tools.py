"""Recall, precision and F1 over the tools that matter.

The published key tools were picked by a language model and are not published for most tasks. The
proxy ``rare``: those tools of a path that fewer than a third of the gold paths hold; a workflow's
common steps (download, correction, report) tell nothing of whether its point was understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

PROXY = "rare"
# A decision: a download or a report is part of most gold paths, a tool for the point of a task in few.
_COMMON_FROM = 1 / 3


@dataclass(frozen=True, slots=True)
class KeyScores:
    """Key-tool scores of a plan, each from 0 to 1."""

    recall: float
    precision: float
    f1: float


class RareTools:
    """The proxy of key tools over a corpus of gold paths."""

    def __init__(self, paths: Iterable[Sequence[str]]) -> None:
        corpus = [set(path) for path in paths]
        counted = Counter(tool for path in corpus for tool in path)
        self._shares: Mapping[str, float] = {tool: n / len(corpus) for tool, n in counted.items()}

    def __call__(self, path: Sequence[str]) -> frozenset[str]:
        """Return the key tools of a path; the rarest one where all are common."""
        rare = {tool for tool in path if self._shares.get(tool, 0.0) < _COMMON_FROM}
        if rare or not path:
            return frozenset(rare)
        return frozenset({min(path, key=lambda tool: (self._shares[tool], tool))})


def key_scores(
    gold_key: Collection[str], plan_key: Collection[str], plan: Collection[str], gold: Collection[str]
) -> KeyScores:
    """Return the scores; recall counts every tool of the plan, precision the plan's key tools."""
    recall = len(set(gold_key) & set(plan)) / len(set(gold_key)) if gold_key else 1.0
    precision = len(set(plan_key) & set(gold)) / len(set(plan_key)) if plan_key else 0.0
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return KeyScores(recall, precision, f1)
