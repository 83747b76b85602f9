"""Sub-goals handed out: independent ones in parallel, dependent ones in order, with retries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from treeline.core.context.guardrails import CONTEXT_PART, AvoidTool, from_lines, join_guardrails, to_lines
from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.renumbering import rename_handles
from treeline.core.engine.state import State, Step
from treeline.core.errors import NotDisclosed
from treeline.core.memory.absence import lacks_data
from treeline.core.teams.crew import Crew, Outcome
from treeline.core.teams.model import ANSWER, HandedLayer, Member, SubGoal
from treeline.core.workspace.collections import free_handle
from treeline.toolkit.errors import UnknownTool

_OF_ACCESS = (NotDisclosed.__name__, UnknownTool.__name__)

OTHERS_PART = "others of the team"

Staffing = Callable[[SubGoal], Member]


def carry_out(crew: Crew, goals: Sequence[SubGoal], staff: Staffing, *, apart: bool) -> list[Outcome]:
    """Work on sub-goals and return the outcome of each, in the order of the goals.

    Parameters
    ----------
    staff : callable
        Returns who works on a sub-goal; what it depends on is added here.
    apart : bool
        Members work in processes of their own.
    """
    done: dict[str, Outcome] = {}
    equipped = _EQUIPMENT[crew.options.policy]
    by_model = crew.options.policy == "language"
    # What is not among these sub-goals was worked on before, or is given up.
    depends = {g.id: [d for d in g.depends if any(d == other.id for other in goals)] for g in goals}
    while len(done) < len(goals):
        ready = [g for g in goals if g.id not in done and all(d in done for d in depends[g.id])]
        members = [
            replace(
                _tell_of_others(equipped(staff(goal), [done[d] for d in depends[goal.id]]), goals),
                looked=goal is not goals[0],
                # The planner's course follows from its own steps.
                sources=tuple(done[d].run for d in depends[goal.id]) if by_model else (),
            )
            for goal in ready
        ]
        jobs = [_job(crew, member, apart) for member in members]
        for goal, outcome in zip(ready, crew.work_all(jobs), strict=True):
            done[goal.id] = outcome
    return [done[goal.id] for goal in goals]


def _tell_of_others(member: Member, goals: Sequence[SubGoal]) -> Member:
    """Return a member that knows who else is at work, and what each of them hands on."""
    others = [goal for goal in goals if goal.id != member.goal.id]
    lines = [f"- {goal.id}: {goal.brief} {_outputs_line(goal)}".strip() for goal in others]
    return replace(member, context={**member.context, OTHERS_PART: "\n".join(lines)}) if lines else member


def _outputs_line(goal: SubGoal) -> str:
    made = [output for output in goal.contract.outputs if output != ANSWER]
    return f"It hands on {', '.join(made)}." if made else ""


def equip(member: Member, outcomes: Sequence[Outcome]) -> Member:
    """Return a member with what others made for it: their collections and what they said."""
    handed, reports = [*member.handed], list[str]()
    for outcome in outcomes:
        made = outcome.layers_of(outcome.member.goal.contract.outputs, by_handle=True)
        layers, renamed = _with_own_handles(made, [layer.handle for layer in handed])
        handed += layers
        reports.append(_report_of(outcome, layers, renamed))
    return _with_products(member, handed, reports)


def _with_own_handles(
    layers: Sequence[HandedLayer], taken: Sequence[str]
) -> tuple[list[HandedLayer], dict[str, str]]:
    """Return layers with handles that no others have, and what those are of which the handle was taken.

    Members that work side by side name what they make alike.
    """
    known = [layer.handle for layer in layers]
    renamed: dict[str, str] = {}
    for handle in dict.fromkeys(known):
        if handle and handle in taken:
            renamed[handle] = free_handle(handle, [*taken, *known, *renamed.values()])
    return [replace(layer, handle=renamed.get(layer.handle, layer.handle)) for layer in layers], renamed


def _with_products(member: Member, handed: Sequence[HandedLayer], reports: Sequence[str]) -> Member:
    context = {**member.context, **({"products": "\n".join(reports)} if reports else {})}
    return replace(member, handed=tuple(handed), context=context)


def equip_planner(member: Member, outcomes: Sequence[Outcome]) -> Member:
    """Return a member that has one layer of a role and place, where it cannot tell several apart.

    What is made later replaces what was handed over before, such as clear rasters those with clouds.
    """
    made = [outcome.layers_of(outcome.member.goal.contract.outputs) for outcome in outcomes]
    handed = [*member.handed, *(layer for layers in made for layer in layers)]
    reports = [_report_of(outcome, layers) for outcome, layers in zip(outcomes, made, strict=True)]
    member = _with_products(member, handed, reports)
    last = {layer.role: layer for layer in member.handed}
    kept = [
        layer for layer in member.handed if layer is last[layer.role] or layer.place != last[layer.role].place
    ]
    return replace(member, handed=tuple(kept))


_EQUIPMENT = {"planner": equip_planner, "language": equip}


def with_retries(crew: Crew, member: Member, *, apart: bool) -> Outcome:
    """Let a member work, and again with a correction where a call was at fault."""
    outcome = crew.work(member, apart=apart)
    while not outcome.has_answer and outcome.member.attempt <= crew.options.retries:
        correction = correction_of(outcome)
        if correction is None:
            break
        crew.tell(
            "retry",
            f"{outcome.member.name} did not reach its sub-goal; another attempt is made.",
            member=outcome.member.name,
            said=correction.get("memory", ""),
        )
        context = {**outcome.member.context, **correction}
        outcome = crew.work(
            replace(outcome.member, attempt=outcome.member.attempt + 1, context=context), apart=apart
        )
    return outcome


def correction_of(outcome: Outcome) -> Mapping[str, str] | None:
    """Return the correction for the next attempt; ``None`` where no call was at fault.

    A tool that worked in the end was not at fault, nor is one that was not disclosed: it may be needed.
    """
    worked = {action_name(step.action) for step in outcome.state.calls if step.observation.is_success}
    # A tool that worked in the end was called wrongly at first, and need not be avoided.
    faults = [step for step in faults_of(outcome.state) if action_name(step.action) not in worked]
    # Another tool does not find what the data lack.
    faults = [step for step in faults if not lacks_data(step)]
    if not faults or outcome.finished.answer is None:
        return None
    step = faults[-1]
    assert isinstance(step.action, Call)
    said = f"{step.action.tool} failed: {step.observation.text} {step.observation.hint}".strip()
    known = from_lines(outcome.member.context.get(CONTEXT_PART, ""))
    rules = join_guardrails(known, [AvoidTool(step.action.tool, step.observation.text)])
    earlier = outcome.member.context.get("memory", "")
    return {CONTEXT_PART: to_lines(rules), "memory": f"{earlier}\nAn earlier attempt failed. {said}".strip()}


def faults_of(state: State) -> list[Step]:
    """Return the calls that went wrong for another reason than that the tool was not disclosed."""
    return [s for s in state.calls if not s.observation.is_success and s.observation.error not in _OF_ACCESS]


def _job(crew: Crew, member: Member, apart: bool) -> Callable[[], Outcome]:
    return lambda: with_retries(crew, member, apart=apart)


def _report_of(
    outcome: Outcome, layers: Sequence[HandedLayer], renamed: Mapping[str, str] = MappingProxyType({})
) -> str:
    names = ", ".join(
        f"{f'{layer.handle}: ' * bool(layer.handle)}{len(layer.addresses)} x {layer.role}" for layer in layers
    )
    return f"{outcome.member.goal.brief} {rename_handles(outcome.said, renamed)} {names}".strip()
