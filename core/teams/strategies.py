"""The ways that variants take, differing in sub-goals, tools and instructions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from treeline.core.context.guardrails import CONTEXT_PART, AvoidTool, to_lines
from treeline.core.policies.planner.derivation import Made
from treeline.core.teams.crew import Crew
from treeline.core.teams.language.goals import model_goals
from treeline.core.teams.model import SubGoal
from treeline.core.teams.orchestrator import Needs, answer_goal, needs_of, sub_goals
from treeline.core.teams.retrieval import Known
from treeline.toolkit import registry

KNOWN_TOOLS = "known_tools"


@dataclass(frozen=True)
class Strategy:
    """A way to take.

    Attributes
    ----------
    tools : tuple of str
        The executors' part of the tree; empty for all.
    context : mapping
        Further instructions of the executors.
    """

    name: str
    goals: tuple[SubGoal, ...]
    tools: tuple[str, ...] = ()
    context: Mapping[str, str] = field(default_factory=dict)


def strategies_of(crew: Crew, count: int, known: Known) -> list[Strategy]:
    """Return so many ways; the one that a known pattern names stands alone."""
    if known.pattern is not None:
        return [_by_pattern(crew, known)]
    makers = _MAKERS[crew.options.policy]
    return [makers[index % len(makers)](crew, known) for index in range(count)]


def _question(crew: Crew) -> str:
    return crew.question


def _decompose(crew: Crew, known: Known) -> Strategy:
    goals = sub_goals(needs_of(crew), _question(crew), crew.options.executors)
    return Strategy("sub-goals", goals)


def _whole(crew: Crew, known: Known) -> Strategy:
    return Strategy("whole", (_whole_goal(crew, needs_of(crew)),))


def _another_way(crew: Crew, known: Known) -> Strategy:
    """Avoid the tool that makes a variable, where another one can make it."""
    needs = needs_of(crew)
    made = [s for v, s in needs.sources.items() if isinstance(s, Made) and not v.method]
    rules = [
        AvoidTool(source.tool.name, "Another variant takes it.")
        for source in made
        if len(registry().writing(source.role)) > 1
    ]
    context = {CONTEXT_PART: to_lines(rules[:1])} if rules else {}
    return Strategy("another way", (_whole_goal(crew, needs),), context=context)


def _by_pattern(crew: Crew, known: Known) -> Strategy:
    assert known.pattern is not None
    form = known.pattern.form
    tools = tuple(form["tools"])
    # Its documents are given at once, so nothing has to be opened on the way.
    return Strategy(
        "known pattern", (_whole_goal(crew, needs_of(crew)),), tools, {KNOWN_TOOLS: ", ".join(tools)}
    )


def _whole_goal(crew: Crew, needs: Needs) -> SubGoal:
    return answer_goal(_question(crew), (), reading=needs.stored)


def _ask_model(style: str, advice: str) -> Callable[[Crew, Known], Strategy]:
    def make(crew: Crew, known: Known) -> Strategy:
        return Strategy(style, model_goals(crew, known, advice), context={"strategy": advice})

    return make


_MAKERS: dict[str, tuple[Callable[[Crew, Known], Strategy], ...]] = {
    "planner": (_decompose, _whole, _another_way),
    "language": (
        _ask_model(
            "direct", "Take the shortest way: the fewest tools whose contracts lead to what is asked."
        ),
        _ask_model(
            "careful", "Check units, dates and clouds of every input first, then measure; verify extremes."
        ),
        _ask_model("another way", "Prefer another tool than the most obvious one wherever two would do."),
    ),
}
