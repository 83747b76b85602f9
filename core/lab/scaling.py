"""How strategies cope with more and more tools: expert trajectories replayed in larger and larger trees.

RS-Claw (arXiv 2605.13391), section IV-D. ``same``: the tools that the questions need, then twenty
more of remote sensing at a time until all are there. ``cross``: all of them, then made-up tools of
other fields.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.context import carry_out, means_of, replay, row_of
from treeline.core.lab.distractors import with_distractors
from treeline.core.lab.earth_bench import run_questions
from treeline.core.lab.parts import by_part
from treeline.core.lab.records import Question
from treeline.core.lab.reproduce.measures import value_of
from treeline.core.lab.toolbox import count_tools, needed_tools, reference_tools, toolbox, tree_with
from treeline.core.lab.tuning import tuning_statement
from treeline.core.settings import Endpoint
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
    for number, question in enumerate(questions, 1):
        # No strategy and no tree changes what the expert's calls give.
        carried = carry_out(question) if policy == "expert" else None
        for place, tree in enumerate(trees):
            for name in strategies:
                replayed = replay(question, name, policy=policy, seed=seed, tree=tree, carried=carried)
                rows.setdefault((name, place), []).append(row_of(question, replayed))
        if progress:
            progress(number, len(questions), str(question.id))
    curves = {name: [_point(tree, rows[name, n]) for n, tree in enumerate(trees)] for name in strategies}
    return {
        "kind": kind,
        "policy": policy,
        "seed": seed,
        "tuned_on": tuning_statement(["earth-bench"]),
        "questions": len(questions),
        "curves": curves,
    }


def measure_scaling(
    questions: Sequence[Question],
    strategies: Sequence[str],
    options: BenchOptions,
    kind: str = "cross",
    progress: TellProgress | None = None,
    endpoint: Endpoint | None = None,
) -> dict[str, Any]:
    """Work on every question with more and more tools under every strategy, and score calls and answers.

    Parameters
    ----------
    options : BenchOptions
        How questions are worked on; its strategy and its tools are those of each point.
    kind : str
        ``same``: the tools that are needed, and twenty others of the reference toolkit at a time;
        ``cross``: the reference toolkit, and made-up tools of other fields.

    Returns
    -------
    dict
        As of :func:`scaling`, with ``accuracy`` (``None`` without rasters), the scores of the calls, and
        ``intervals`` of each in the points, and ``by_part`` the same for the parts of the questions.
    """
    needed = needed_tools(questions)
    curves: dict[str, list[dict[str, Any]]] = {name: [] for name in strategies}
    for spec in _SPECS[kind](needed):
        size = count_tools(toolbox(spec, needed))
        for name in strategies:
            asked = replace(options, disclosure=name, tools=spec, needed=needed)
            rows = run_questions(questions, asked, None, progress, endpoint=endpoint)["questions"]
            found = {metric: value_of(metric, rows) for metric in _WORKED}
            values = {metric: one["value"] for metric, one in found.items()}
            spread = {metric: [one["low"], one["high"]] for metric, one in found.items()}
            apart = {
                part: {metric: value_of(metric, some)["value"] for metric in _WORKED}
                for part, some in by_part(rows, questions[0].benchmark).items()
            }
            curves[name].append({"tools": size, **values, "intervals": spread, "by_part": apart})
    return {
        "kind": kind,
        "policy": options.policy,
        "seed": options.seed,
        "tuned_on": tuning_statement([question.benchmark for question in questions]),
        "questions": len(questions),
        "curves": curves,
    }


def _same_specs(needed: Sequence[str]) -> list[str]:
    """Return the sets of tools from those needed to the whole reference toolkit."""
    others = len(reference_tools() - set(needed))
    # The whole toolkit has a name of its own, so that the last point is there whatever the number of others.
    return ["needed", *(f"needed+{count}" for count in range(STEP, others, STEP)), "reference"]


def _cross_specs(needed: Sequence[str]) -> list[str]:
    return [f"reference+{count}" if count else "reference" for count in CROSS_DOMAIN]


_SPECS: Mapping[str, Callable[[Sequence[str]], list[str]]] = {"same": _same_specs, "cross": _cross_specs}
_WORKED = ("accuracy", "tool_any_order", "tool_in_order", "tokens_per_turn", "tokens_per_question")


def _point(tree: SkillTree, rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    means = means_of(rows)
    kept = ("tokens_per_turn", "tokens_per_question", "hit_rate")
    return {"tools": count_tools(tree), **{key: means[key] for key in kept}}


def same_domain(questions: Sequence[Question], seed: int = 0) -> Iterator[SkillTree]:
    """Yield the tree of the tools that are needed, and with twenty others more each time."""
    needed = set(needed_tools(questions))
    others = sorted(tool.name for tool in registry() if tool.name not in needed)
    # Sorted before: the order of a registry is that in which kits are read, and the same seed should add the
    # same tools.
    random.Random(seed).shuffle(others)
    # The last step may be a shorter one, so that the curve ends with all tools.
    for count in [*range(0, len(others), STEP), len(others)]:
        yield tree_with(needed.union(others[:count]))


def cross_domain(questions: Sequence[Question], seed: int = 0) -> Iterator[SkillTree]:
    """Yield the whole tree, and the same with more and more made-up tools."""
    whole = SkillTree.of(registry())
    for count in CROSS_DOMAIN:
        yield with_distractors(whole, count)


TREES: dict[str, Callable[[Sequence[Question], int], Iterator[SkillTree]]] = {
    "same": same_domain,
    "cross": cross_domain,
}
