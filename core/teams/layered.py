"""HTAM's team: planned from the top layer down, carried out from the bottom layer up.

Each layer receives the products of the layer below it. Where an upper layer lacks data, the work
rolls back: the layer below is given the missing sub-goal and the upper one works again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from treeline.core.engine.events import RunFinished
from treeline.core.policies.planner.derivation import DerivedRole, Source
from treeline.core.query.expression import Variable
from treeline.core.teams.adopting import adopt, begin
from treeline.core.teams.contracting import tools_for
from treeline.core.teams.crew import Crew, Outcome
from treeline.core.teams.dispatch import carry_out
from treeline.core.teams.judge import Variant
from treeline.core.teams.judges import judge_variants
from treeline.core.teams.language.layers import model_plan
from treeline.core.teams.model import Member, SubGoal
from treeline.core.teams.orchestrator import (
    FOR_ALL,
    FOR_MAKERS,
    Needs,
    answer_goal,
    intermediates_of,
    leaves_of,
    needs_of,
    part_of,
    prepare_goal,
)
from treeline.core.teams.subagents import (
    ACQUISITION,
    ANALYSIS,
    BY_NAME,
    LAYERS,
    SYNTHESIS,
    agent_for,
    layers_of_tool,
    of_layer,
    tools_of,
)
from treeline.core.teams.work import Work
from treeline.toolkit import registry
from treeline.toolkit.tool import Tool

_MOST_ANALYSTS = 3
_PREPARERS = tuple(agent.name for agent in of_layer(ACQUISITION))


@dataclass(frozen=True)
class Assignment:
    """A sub-goal and the sub-agent that works on it.

    Attributes
    ----------
    needs : tuple of str
        Tools that the sub-goal cannot do without, whoever they belong to.
    """

    goal: SubGoal
    agent: str
    needs: tuple[str, ...] = ()


def work_as_layered(work: Work) -> RunFinished:
    """Work on a question in three layers of sub-agents."""
    begin(work)
    crew = Crew(work)
    plan = _PLANS[crew.options.policy](crew)
    _tell(crew, plan)
    outcomes = _carry_out(crew, plan)
    outcomes = _roll_back(crew, plan, outcomes)
    taken, verdicts = judge_variants(crew, [Variant(1, "layers", tuple(outcomes))])
    for verdict in verdicts:
        crew.tell("verdict", f"{verdict.why}", **verdict.to_json())
    return adopt(crew, taken.outcomes)


def plan_layers(crew: Crew) -> list[Assignment]:
    """Return who works on what, planned from the top: the question, what it needs, what that needs."""
    question = crew.question
    needs = needs_of(crew)
    top = choose_application(question, needs.roles)
    if needs.whole or not needs.sources:
        answer = answer_goal(question, (), SYNTHESIS, needs.stored_reading)
        return [Assignment(answer, top, _tools_for(needs, needs.roles))]
    analysts = _analysis(needs)
    acquirers = _acquisition(needs)
    below = [assignment.goal for assignment in acquirers]
    analysts = [replace(a, goal=replace(a.goal, depends=tuple(g.id for g in below))) for a in analysts]
    goals = [*below, *(a.goal for a in analysts)]
    answer = answer_goal(question, goals, SYNTHESIS, needs.stored_reading)
    return [*acquirers, *analysts, Assignment(answer, top)]


def choose_application(question: str, roles: Sequence[str]) -> str:
    """Return the sub-agent of the top layer whose domain a question is of."""
    text = f"{question} {' '.join(roles)}".casefold()
    counts = {a.name: sum(word in text for word in a.domains) for a in of_layer(SYNTHESIS)}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else "GeneralChatBot"


def _analysis(needs: Needs) -> list[Assignment]:
    """Return what the middle layer makes: each variable that is not there, by the fitting sub-agent."""
    by_agent: dict[str, list[str]] = {}
    for variable, source in needs.sources.items():
        tools = [tool for tool in _tools_in(source) if ANALYSIS in layers_of_tool(tool)]
        if tools and isinstance(source, DerivedRole):
            roles = by_agent.setdefault(agent_for(tools, ANALYSIS), [])
            if variable.role not in roles:
                roles.append(variable.role)
    groups = list(by_agent.items())
    # What is too many is given to the last analyst that remains.
    while len(groups) > _MOST_ANALYSTS:
        agent, roles = groups.pop()
        groups[-1] = (groups[-1][0], [*groups[-1][1], *roles])
    return [
        Assignment(prepare_goal(needs, roles, ANALYSIS), agent, _tools_for(needs, roles))
        for agent, roles in groups
    ]


def _acquisition(needs: Needs) -> list[Assignment]:
    """Return what the lowest layer does: mask clouds, and make what only it can make."""
    sources: dict[Variable, Source] = {}
    for variable, whole in needs.sources.items():
        lower = [made for made in intermediates_of(whole) if layers_of_tool(made.tool)[-1] == ACQUISITION]
        masked = leaves_of(whole) if variable.clouds == "masked" else []
        dated = [leaf for leaf in masked if any(item.date for item in leaf.items)]
        parts: list[Source] = [*lower, *dated]
        sources |= {part_of(variable, part): part for part in parts}
    if not sources:
        return []
    wanted = Needs(needs.reading, sources=sources)
    goal = prepare_goal(wanted, wanted.roles, ACQUISITION)
    return [Assignment(replace(goal, id=f"inputs-{len(wanted.roles)}"), "Preprocessing")]


def _tools_for(needs: Needs, roles: Sequence[str]) -> tuple[str, ...]:
    sources = [source for role in roles for source in needs.of_role(role)]
    return tuple(dict.fromkeys(tool.name for source in sources for tool in _tools_in(source)))


def _tools_in(source: Source) -> list[Tool]:
    return [made.tool for made in intermediates_of(source)]


def _carry_out(
    crew: Crew, plan: Sequence[Assignment], attempt: int = 1, whole: bool = False
) -> list[Outcome]:
    assigned = {assignment.goal.id: assignment for assignment in plan}

    def staff(goal: SubGoal) -> Member:
        agent = assigned[goal.id].agent
        tools = () if whole and goal.kind == "answer" else _part(assigned[goal.id])
        context = {
            "role": f"You are {agent} of the layer {LAYERS[BY_NAME[agent].layer]}. {BY_NAME[agent].brief}"
        }
        return Member(agent, goal, attempt=attempt, strategy="layers", tools=tools, context=context)

    return carry_out(crew, [assignment.goal for assignment in plan], staff, apart=False)


def _part(assignment: Assignment) -> tuple[str, ...]:
    """Return a sub-agent's part of the tree: its own tools, what its sub-goal needs, and preparation."""
    tools = registry()
    makes = assignment.goal.layer != SYNTHESIS
    below = _PREPARERS if makes else ("Preprocessing",)
    prepare = [name for agent in below for name in tools_of(agent, tools)]
    prepare += FOR_MAKERS if makes else ()
    return tuple(dict.fromkeys([*tools_of(assignment.agent, tools), *assignment.needs, *FOR_ALL, *prepare]))


def _roll_back(crew: Crew, plan: list[Assignment], outcomes: list[Outcome]) -> list[Outcome]:
    """Return the outcomes after the layers below were given what the top layer lacked."""
    top = outcomes[-1]
    # Only a declined question says that data are missing; a failed one would fail again.
    if top.finished.status != "declined" or crew.options.retries < 1 or not _was_read(top):
        return outcomes
    said = top.finished.answer.words if top.finished.answer else top.finished.reason
    crew.tell(
        "rollback", f"{top.member.role} lacks data: {said} The layers below are planned again.", said=said
    )
    missing = _missing_goals(crew, plan)
    _tell(crew, missing)
    below = tuple(assignment.goal.id for assignment in missing)
    answer = replace(plan[-1], goal=replace(plan[-1].goal, depends=below))
    # Where the layers below can make nothing more, the top layer may use every tool itself.
    redone = _carry_out(crew, [*missing, answer], attempt=2, whole=not missing)
    # What was made before the rollback is in none of what answers now.
    return redone if redone[-1].has_answer else [*outcomes[:-1], redone[-1]]


def _was_read(outcome: Outcome) -> bool:
    """Return whether a member knew what is asked: no layer below can mend a question that cannot be read."""
    reading = outcome.member.goal.reading
    return reading is None or bool(reading["expressions"])


def _missing_goals(crew: Crew, plan: Sequence[Assignment]) -> list[Assignment]:
    """Return the sub-goals of a fresh plan that the carried-out plan did not have."""
    if crew.options.policy != "planner":
        return []
    had = {assignment.goal.id for assignment in plan}
    return [a for a in plan_layers(crew)[:-1] if a.goal.id not in had]


def _tell(crew: Crew, plan: Sequence[Assignment]) -> None:
    for layer in (SYNTHESIS, ANALYSIS, ACQUISITION):
        agents = [a.agent for a in plan if a.goal.layer == layer]
        if agents:
            crew.tell(
                "layer", f"Layer {layer} ({LAYERS[layer]}): {', '.join(agents)}", layer=layer, agents=agents
            )
    for assignment in plan:
        crew.tell(
            "sub_goal",
            f"{assignment.agent}: {assignment.goal.brief}",
            variant=1,
            agent=assignment.agent,
            **assignment.goal.as_note(),
        )


def _model_plan(crew: Crew) -> list[Assignment]:
    return [Assignment(goal, agent, tools_for(goal.contract)) for goal, agent in model_plan(crew)]


_PLANS: dict[str, Callable[[Crew], list[Assignment]]] = {"planner": plan_layers, "language": _model_plan}
