"""The ways that variants take, differing in sub-goals, tools and instructions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from treeline.core.context.guardrails import CONTEXT_PART, AvoidTool, to_lines
from treeline.core.policies.planner.derivation import DerivedRole
from treeline.core.teams.crew import Crew
from treeline.core.teams.language.goals import model_goals
from treeline.core.teams.model import SubGoal
from treeline.core.teams.orchestrator import Needs, answer_goal, needs_of, sub_goals
from treeline.core.teams.retrieval import PriorKnowledge
from treeline.toolkit import registry


@dataclass(frozen=True)
class Strategy:
    """A way to take.

    Attributes
    ----------
    opened : tuple of str
        Tools whose documents the executors are given at the start.
    context : mapping
        Further instructions of the executors.
    """

    name: str
    goals: tuple[SubGoal, ...]
    opened: tuple[str, ...] = ()
    context: Mapping[str, str] = field(default_factory=dict)


def strategies_of(crew: Crew, count: int, known: PriorKnowledge) -> list[Strategy]:
    """Return so many ways; the one that follows a known procedure stands alone."""
    if known.pattern is not None:
        return [_by_pattern(crew, known)]
    return _WAYS[crew.options.policy](crew, count, known)


def _planner_ways(crew: Crew, count: int, known: PriorKnowledge) -> list[Strategy]:
    """Return ways that differ: the planner takes the same steps again wherever it is told the same.

    A question that cannot be read, or is asked back, ends alike whatever way is taken.
    """
    if not _needs(crew, known).sources:
        return [_whole(crew, known)]
    ways: dict[tuple[object, ...], Strategy] = {}
    for make in (_decompose, _whole, _another_way):
        way = make(crew, known)
        # Ways that come to the same goals and rules would give the same steps at twice the cost.
        ways.setdefault((tuple(goal.id for goal in way.goals), tuple(way.context.items())), way)
    return list(ways.values())[:count]


def _model_ways(crew: Crew, count: int, known: PriorKnowledge) -> list[Strategy]:
    return [_ASKED[index % len(_ASKED)](crew, known) for index in range(count)]


def _decompose(crew: Crew, known: PriorKnowledge) -> Strategy:
    goals = sub_goals(_needs(crew, known), crew.question, crew.options.executors)
    return Strategy("sub-goals", goals)


def _whole(crew: Crew, known: PriorKnowledge) -> Strategy:
    return Strategy("whole", (_whole_goal(crew, _needs(crew, known)),))


def _another_way(crew: Crew, known: PriorKnowledge) -> Strategy:
    """Avoid the tool that makes a variable, where another one can make it."""
    needs = _needs(crew, known)
    made = [s for v, s in needs.sources.items() if isinstance(s, DerivedRole) and not v.method]
    rules = [
        AvoidTool(source.tool.name, "Another variant takes it.")
        for source in made
        if len(registry().writers_of(source.role)) > 1
    ]
    context = {CONTEXT_PART: to_lines(rules[:1])} if rules else {}
    return Strategy("another way", (_whole_goal(crew, needs),), context=context)


def _by_pattern(crew: Crew, known: PriorKnowledge) -> Strategy:
    """Open what the procedure names at once; the steps follow from this question's own expression.

    No tool is kept from the executor, so that the answer is the one that it would give without experience.
    """
    assert known.pattern is not None and known.pattern.procedure is not None
    goals = (_whole_goal(crew, _needs(crew, known)),)
    return Strategy("known procedure", goals, known.pattern.procedure.tools)


def _needs(crew: Crew, known: PriorKnowledge) -> Needs:
    return known.needs or needs_of(crew)


def _whole_goal(crew: Crew, needs: Needs) -> SubGoal:
    return answer_goal(crew.question, (), reading=needs.stored_reading)


def _ask_model(style: str, advice: str) -> Callable[[Crew, PriorKnowledge], Strategy]:
    def make(crew: Crew, known: PriorKnowledge) -> Strategy:
        return Strategy(style, model_goals(crew, known, advice), context={"strategy": advice})

    return make


_ASKED: tuple[Callable[[Crew, PriorKnowledge], Strategy], ...] = (
    _ask_model("direct", "Take the shortest way: the fewest tools whose contracts lead to what is asked."),
    _ask_model(
        "careful", "Check units, dates and clouds of every input first, then measure; verify extremes."
    ),
    _ask_model("another way", "Prefer another tool than the most obvious one wherever two would do."),
)
_WAYS: dict[str, Callable[[Crew, int, PriorKnowledge], list[Strategy]]] = {
    "planner": _planner_ways,
    "language": _model_ways,
}
