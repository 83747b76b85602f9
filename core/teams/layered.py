"""HTAM's team: planned from the top layer down, carried out from the bottom layer up.

Each layer receives the products of the layer below it. Where an upper layer lacks data, the work
rolls back: the layer below is given the missing sub-goal and the upper one works anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

from treeline.core.engine.events import RunFinished
from treeline.core.policies.planner.derivation import Made, Source
from treeline.core.policies.planner.intent import Subject
from treeline.core.teams.adopting import adopt, begin
from treeline.core.teams.crew import Crew, Outcome
from treeline.core.teams.dispatch import carry_out
from treeline.core.teams.judge import Variant
from treeline.core.teams.judges import judge_variants
from treeline.core.teams.language.layers import model_plan
from treeline.core.teams.model import Member, SubGoal
from treeline.core.teams.orchestrator import (
    FOR_ALL,
    Reading,
    answer_goal,
    leaves_of,
    made_in,
    prepare_goal,
    reading_of,
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
    outcomes = _rolled_back(crew, plan, outcomes)
    taken, verdicts = judge_variants(crew, [Variant(1, "layers", tuple(outcomes))])
    for verdict in verdicts:
        crew.tell("verdict", f"{verdict.why}", **verdict.to_json())
    return adopt(crew, taken.outcomes)


def plan_layers(crew: Crew) -> list[Assignment]:
    """Return who works on what, planned from the top: the question, what it needs, what that needs."""
    question = crew.question
    reading = reading_of(crew)
    top = choose_application(question, [subject.role for subject in reading.sources])
    if reading.intent.unknown or reading.whole or not reading.sources:
        roles = [subject.role for subject in reading.sources]
        return [Assignment(answer_goal(question, (), SYNTHESIS), top, _needed(reading, roles))]
    analysts = _analysis(reading)
    acquirers = _acquisition(reading, analysts)
    below = [assignment.goal for assignment in acquirers]
    analysts = [replace(a, goal=replace(a.goal, depends=tuple(g.id for g in below))) for a in analysts]
    goals = [*below, *(a.goal for a in analysts)]
    answer = answer_goal(question, goals, SYNTHESIS)
    return [*acquirers, *analysts, Assignment(answer, top)]


def choose_application(question: str, roles: Sequence[str]) -> str:
    """Return the sub-agent of the top layer whose domain a question is of."""
    text = f"{question} {' '.join(roles)}".casefold()
    counts = {a.name: sum(word in text for word in a.domains) for a in of_layer(SYNTHESIS)}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else "GeneralChatBot"


def _analysis(reading: Reading) -> list[Assignment]:
    """Return what the middle layer makes: each variable that is not there, by the fitting sub-agent."""
    by_agent: dict[str, list[str]] = {}
    for subject, source in reading.sources.items():
        tools = [tool for tool in _tools_in(source) if ANALYSIS in layers_of_tool(tool)]
        if tools and isinstance(source, Made):
            roles = by_agent.setdefault(agent_for(tools, ANALYSIS), [])
            if subject.role not in roles:
                roles.append(subject.role)
    groups = list(by_agent.items())
    while len(groups) > _MOST_ANALYSTS:
        agent, roles = groups.pop()
        groups[-1] = (groups[-1][0], [*groups[-1][1], *roles])
    return [
        Assignment(prepare_goal(reading, roles, ANALYSIS), agent, _needed(reading, roles))
        for agent, roles in groups
    ]


def _acquisition(reading: Reading, analysts: Sequence[Assignment]) -> list[Assignment]:
    """Return what the lowest layer does: mask clouds, and make what only it can make."""
    leaves = [leaf for source in reading.sources.values() for leaf in leaves_of(source)]
    lower = [
        source.role
        for whole in reading.sources.values()
        for source in made_in(whole)
        if layers_of_tool(source.tool)[-1] == ACQUISITION
    ]
    wanted = [*lower, *(leaf.role for leaf in leaves if reading.intent.clear_only)]
    if not wanted:
        return []
    subjects: dict[Subject, Source] = {}
    for subject, whole in reading.sources.items():
        parts: list[Source] = [*made_in(whole), *leaves_of(whole)]
        subjects |= {replace(subject, role=part.role): part for part in parts if part.role in wanted}
    goal = prepare_goal(Reading(reading.intent, subjects), list(dict.fromkeys(wanted)), ACQUISITION)
    return [Assignment(replace(goal, id=f"inputs-{len(wanted)}"), "Preprocessing")]


def _needed(reading: Reading, roles: Sequence[str]) -> tuple[str, ...]:
    sources = [source for role in roles for source in reading.of_role(role)]
    return tuple(dict.fromkeys(tool.name for source in sources for tool in _tools_in(source)))


def _tools_in(source: Source) -> list[Tool]:
    return [made.tool for made in made_in(source)]


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
        return Member(agent, goal, 1, attempt, "layers", tools, context=context)

    return carry_out(crew, [assignment.goal for assignment in plan], staff, apart=False)


def _part(assignment: Assignment) -> tuple[str, ...]:
    """Return a sub-agent's part of the tree: its own tools, what its sub-goal needs, and preparation."""
    tools = registry()
    below = ("Preprocessing",) if assignment.goal.layer == SYNTHESIS else _PREPARERS
    prepare = [name for agent in below for name in tools_of(agent, tools)]
    return tuple(dict.fromkeys([*tools_of(assignment.agent, tools), *assignment.needs, *FOR_ALL, *prepare]))


def _rolled_back(crew: Crew, plan: list[Assignment], outcomes: list[Outcome]) -> list[Outcome]:
    """Return the outcomes after the layers below were given what the top layer lacked."""
    top = outcomes[-1]
    if top.finished.status != "declined" or crew.options.retries < 1:
        return outcomes
    said = top.finished.answer.text if top.finished.answer else top.finished.reason
    crew.tell(
        "rollback", f"{top.member.role} lacks data: {said} The layers below are planned anew.", said=said
    )
    missing = _missing_goals(crew, plan)
    _tell(crew, missing)
    below = tuple(assignment.goal.id for assignment in missing)
    answer = replace(plan[-1], goal=replace(plan[-1].goal, depends=below))
    redone = _carry_out(crew, [*missing, answer], attempt=2, whole=not missing)
    # What was made before the rollback is in none of what answers now.
    return redone if redone[-1].reached else [*outcomes[:-1], redone[-1]]


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
        goal = {k: v for k, v in asdict(assignment.goal).items() if k not in ("intent", "kind", "tools")}
        crew.tell(
            "sub_goal", f"{assignment.agent}: {assignment.goal.brief}", variant=1, agent=assignment.agent,
            goal_kind=assignment.goal.kind, **goal,
        )  # fmt: skip


def _model_plan(crew: Crew) -> list[Assignment]:
    return [Assignment(goal, agent) for goal, agent in model_plan(crew)]


_PLANS: dict[str, Callable[[Crew], list[Assignment]]] = {"planner": plan_layers, "language": _model_plan}
