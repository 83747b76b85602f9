"""Recall, precision and F1 over the tools that matter.

The published key tools were picked by a language model and are not published for most tasks. Where a model
judges, it picks them: of the gold path and of each plan, asked alike (HTAM, arXiv 2511.17198, supplement
8.2.1, listings 9 and 10). Elsewhere the proxy ``rare`` stands for them: those tools of a path that fewer than
a third of the gold paths hold; a workflow's common steps (download, correction, report) tell nothing of
whether its point was understood. Scores by the one are never averaged or compared with scores by the other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from treeline.core.lab.geoplan.model_planners import Advisor

PROXY = "rare"
KEY_SCORES = ("recall", "precision", "f1")
"""The scores that depend on which tools are key."""

_CHOOSE = (
    "The task:\n{question}\n\nThe tools of a plan for it, in their order:\n{path}\n\nWhich of them are "
    "indispensable to solve the task? Leave out those that are optional or redundant, and name at least one. "
    'End with one JSON array of their names, such as ["a", "b"].'
)
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
        # By name where two are equally rare, so that the order of a path does not decide.
        return frozenset({min(path, key=lambda tool: (self._shares[tool], tool))})


def describe_chooser(model: str) -> str:
    """Return how a report names the key tools that a model chose."""
    return f"chosen by {model}"


def asks_for_choice(path: Sequence[str]) -> bool:
    """Return whether a path leaves anything to choose: of one tool, that one is key."""
    return len(set(path)) > 1


def choose_key_tools(advisor: Advisor, question: str, path: Sequence[str]) -> frozenset[str] | None:
    """Return the tools of a path that a model calls indispensable; ``None`` where its reply names none.

    Raises
    ------
    EndpointError
        The model cannot be reached; nothing is made up for it.
    """
    names = list(dict.fromkeys(path))
    if not asks_for_choice(names):
        return frozenset(names)
    reply = advisor.ask(_CHOOSE.format(question=question, path=json.dumps(list(path))))
    return frozenset(advisor.names_in(reply, names)) or None


def chosen_scores(
    gold_key: Collection[str] | None,
    plan_key: Collection[str] | None,
    plan: Collection[str],
    gold: Collection[str],
) -> dict[str, float]:
    """Return the scores that follow from what was chosen: none without the gold path's key tools."""
    if gold_key is None:
        return {}
    scores = key_scores(gold_key, plan_key or (), plan, gold)
    # Recall needs the gold key tools alone; what of the plan is key was not said where the reply
    # could not be read.
    whole = {"recall": scores.recall, "precision": scores.precision, "f1": scores.f1}
    return whole if plan_key is not None else {"recall": scores.recall}


def key_scores(
    gold_key: Collection[str], plan_key: Collection[str], plan: Collection[str], gold: Collection[str]
) -> KeyScores:
    """Return the scores of a plan by key tools.

    Parameters
    ----------
    gold_key, plan_key : collection of str
        The key tools of the gold path and of the plan.
    plan, gold : collection of str
        All tools of either.

    Returns
    -------
    KeyScores
        Recall is the share of gold key tools that are anywhere in the plan, precision that of the plan's key
        tools that are anywhere in the gold path; 0 to 1.
    """
    recall = len(set(gold_key) & set(plan)) / len(set(gold_key)) if gold_key else 1.0
    precision = len(set(plan_key) & set(gold)) / len(set(plan_key)) if plan_key else 0.0
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return KeyScores(recall, precision, f1)
