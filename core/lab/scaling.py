"""How strategies cope with more and more tools: expert trajectories replayed in larger and larger trees.

RS-Claw (arXiv 2605.13391), section IV-D. ``same``: the tools that the questions need, then twenty
more of remote sensing at a time until all are there. ``cross``: all of them, then made-up tools of
other fields.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from treeline.core.lab.context import carry_out, means_of, replay, row_of
from treeline.core.lab.distractors import with_distractors
from treeline.core.lab.records import Question
from treeline.core.lab.toolbox import count_tools, needed_tools, only
from treeline.core.lab.tuning import tuned_on
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.context import TellProgress

STEP = 20
CROSS_DOMAIN = (0, 75, 130, 1_000)


def scaling(
    questions: Sequence[Question],
    strategies: Sequence[str],
    kind: str = "cross",
    policy: str = "expert",
    seed: int = 0,
    progress: TellProgress | None = None,
) -> dict[str, Any]:
    """Replay every question in every tree under every strategy.

    Parameters
    ----------
    kind : str
        ``same`` or ``cross``.
    policy : str
        ``expert`` replays the recorded calls; ``planner`` lets the planner find its own.
    seed : int
        Order in which tools are added, and seed of ``random_tree``.

    Returns
    -------
    dict
        ``kind`` and ``curves``: for each strategy a list of ``{tools, tokens_per_turn,
        tokens_per_question, hit_rate}``.
    """
    trees = list(TREES[kind](questions, seed))
    rows: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for number, question in enumerate(questions):
        # No strategy and no tree changes what the expert's calls give.
        carried = carry_out(question) if policy == "expert" else None
        for place, tree in enumerate(trees):
            for name in strategies:
                replayed = replay(question, name, policy=policy, seed=seed, tree=tree, carried=carried)
                rows.setdefault((name, place), []).append(row_of(question, replayed))
        if progress:
            progress(number + 1, len(questions), str(question.id))
    curves = {name: [_point(tree, rows[name, n]) for n, tree in enumerate(trees)] for name in strategies}
    return {
        "kind": kind,
        "policy": policy,
        "seed": seed,
        "tuned_on": tuned_on(["earth-bench"]),
        "questions": len(questions),
        "curves": curves,
    }


def _point(tree: SkillTree, rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    means = means_of(rows)
    kept = ("tokens_per_turn", "tokens_per_question", "hit_rate")
    return {"tools": count_tools(tree), **{key: means[key] for key in kept}}


def same_domain(questions: Sequence[Question], seed: int = 0) -> Iterator[SkillTree]:
    """Yield the tree of the tools that are needed, and with twenty others more each time."""
    needed = set(needed_tools(questions))
    others = sorted(tool.name for tool in registry() if tool.name not in needed)
    random.Random(seed).shuffle(others)
    for count in [*range(0, len(others), STEP), len(others)]:
        yield only(needed.union(others[:count]))


def cross_domain(questions: Sequence[Question], seed: int = 0) -> Iterator[SkillTree]:
    """Yield the whole tree, and the same with more and more made-up tools."""
    whole = SkillTree.of(registry())
    for count in CROSS_DOMAIN:
        yield with_distractors(whole, count)


TREES: dict[str, Callable[[Sequence[Question], int], Iterator[SkillTree]]] = {
    "same": same_domain,
    "cross": cross_domain,
}
